// Deletes files that nothing uses: incomplete uploads, and files that a power cut left without a database row.
import { rmSync } from "node:fs";
import { checkOwner, storesOf } from "@/foundation/file-stores/access.ts";
import { filesIn, pathOf, shelfOf } from "@/foundation/file-stores/disk.ts";
import { isOurs } from "@/foundation/file-stores/names.ts";
import { type FileStore, type ListedFile, type Shelf, shelves } from "@/foundation/file-stores/schema.ts";
import { realmOf } from "@/foundation/realm/access.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { fileHooks } from "./hooks.ts";

const brokenOffAfter = 3_600;
const orphanedAfter = 86_400;
const settledAfter = 7 * 86_400;

/** Looks at some files at a time, so that requests can run in between. */
export async function sweepFiles(ctx: Ctx): Promise<void> {
  for await (const files of filesIn(shelfOf(ctx.env, "incoming"))) {
    for (const { name, changedAt } of files) {
      if (isOurs(name) && changedAt < ctx.now - brokenOffAfter)
        rmSync(pathOf(ctx.env, "incoming", name), { force: true });
    }
  }
  const { date_created } = realmOf(ctx);
  // Files that a new database does not know may belong to a database that it has replaced.
  if (ctx.now < date_created + settledAfter) return;
  for (const store of storesOf(ctx.env)) {
    if (store.kind !== "disk") await checkOwner(ctx.env, store.kind);
    for (const shelf of shelves) {
      for await (const files of store.list(shelf)) await removeOrphans(ctx, files, { store, shelf });
    }
  }
}

/** Deletes old files that no row names, unless they are older than the organization: then they are not ours. */
async function removeOrphans(
  ctx: Ctx,
  files: readonly ListedFile[],
  { store, shelf }: { store: FileStore; shelf: Shelf },
): Promise<void> {
  const { date_created } = realmOf(ctx);
  const names = files.map(({ name }) => stemOf(name));
  const needed = new Set(fileHooks.inUse(ctx, names).flat());
  for (const { name, changedAt } of files) {
    const isOld = changedAt >= date_created && changedAt < ctx.now - orphanedAfter;
    if (isOld && isOurs(name) && !needed.has(stemOf(name))) await store.remove({ shelf, name });
  }
}

/** The name of the original file: names of derived files begin with it. */
function stemOf(name: string): string {
  return name.slice(0, 32);
}
