// Deletes files that nothing uses: incomplete uploads, and files that a power cut left without a database row.
import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Shelf, shelfOf } from "@/foundation/files/files.ts";
import { realmOf } from "@/foundation/realm/access.ts";
import type { Ctx } from "@/kernel/context.ts";
import { fileHooks } from "./hooks.ts";

const brokenOffAfter = 3_600;
const orphanedAfter = 86_400;
const settledAfter = 7 * 86_400;

/** Checks all folders, one at a time, so that requests can run in between. */
export async function sweepFiles(ctx: Ctx): Promise<void> {
  for await (const { folder, names } of foldersOf(ctx, "incoming")) {
    for (const name of names) removeOlder(ctx, join(folder, name), brokenOffAfter);
  }
  const { date_created } = realmOf(ctx);
  // Files that a new database does not know may belong to a database that it has replaced.
  if (ctx.now < date_created + settledAfter) return;
  for (const shelf of ["uploads", "thumbnails", "pictures", "exports"] as const) {
    for await (const { folder, names } of foldersOf(ctx, shelf)) {
      const needed = inUse(
        ctx,
        names.map((name) => stemOf(name)),
      );
      for (const name of names) {
        if (!needed.has(stemOf(name))) removeOlder(ctx, join(folder, name), orphanedAfter, date_created);
      }
    }
  }
}

const inUse = (ctx: Ctx, names: readonly string[]) => new Set(fileHooks.inUse(ctx, names).flat());

/** The name of the original file: names of derived files begin with it. */
function stemOf(name: string): string {
  return name.slice(0, 32);
}

/** Deletes a file older than `seconds`, unless it is older than the organization: then it is not ours. */
function removeOlder(ctx: Ctx, path: string, seconds: number, since = 0): void {
  const stat = statSync(path, { throwIfNoEntry: false });
  const at = stat ? stat.mtimeMs / 1000 : Number.POSITIVE_INFINITY;
  if (at >= since && at < ctx.now - seconds) rmSync(path, { force: true });
}

async function* foldersOf(ctx: Ctx, shelf: Shelf): AsyncGenerator<{ folder: string; names: string[] }> {
  const root = shelfOf(ctx.env, shelf);
  for (const name of listed(root)) {
    await new Promise((resolve) => setImmediate(resolve));
    yield { folder: join(root, name), names: listed(join(root, name)) };
  }
}

function listed(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as { code?: string }).code === "ENOENT") return [];
    throw error;
  }
}
