// Moves the organization's files between the disk and an S3 store, while a server may be running.
import { join, resolve } from "node:path";
import { claimS3, findS3, placementOf, storeAt } from "@/foundation/file-stores/access.ts";
import { reasonOf } from "@/foundation/file-stores/faults.ts";
import { isOurs } from "@/foundation/file-stores/names.ts";
import { type FileStore, fileSettings, type StoreKind, shelves } from "@/foundation/file-stores/schema.ts";
import { moveFile } from "@/foundation/files/moving.ts";
import { allow } from "@/foundation/permissions/access.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { operation } from "@/kernel/core/operation.ts";
import { forEachLimited } from "@/kernel/lib/concurrency.ts";
import { AppError, failInEnglish as fail } from "@/kernel/lib/errors.ts";
import type { Log } from "@/kernel/lib/log.ts";
import type { ReportProgress } from "@/operations/backup/schema.ts";
import { holdFile } from "@/operations/data-folder/host.ts";
import { noteServerS3, setPlacement } from "./actions.ts";
import type { FilesShown, MovedFiles } from "./schema.ts";

const lockFile = "confab.lock-files";
const atOnce = 4;

export interface MoveInput {
  dataDir: string;
  to: StoreKind;
  /** Whether a server runs on the data folder. */
  isServed: boolean;
  report: ReportProgress;
}

/**
 * Moves all files to a store. New files go there from the beginning, and each file that is in the other store is moved, so that
 * it can be read all the time. After an interruption, call it again.
 */
export async function moveFiles(ctx: Ctx, input: MoveInput): Promise<MovedFiles> {
  const release = holdFile(join(input.dataDir, lockFile));
  if (!release) fail("BAD_REQUEST", "Another 'confab files move' is at work; wait until it is done.");
  try {
    return await moveAlone(ctx, input);
  } finally {
    release();
  }
}

async function moveAlone(ctx: Ctx, { to, isServed, report }: MoveInput): Promise<MovedFiles> {
  if (to === "s3" || placementOf(ctx).at === "s3" || placementOf(ctx).also === "s3")
    await checkS3(ctx, isServed);
  const before = placementOf(ctx);
  const nothing = { files: 0, bytes: 0 };
  if (before.at !== to) await setPlacement(ctx, { at: to, also: before.at });
  const moved = placementOf(ctx).also === null ? nothing : await moveAll(ctx, to, report);
  return { at: to, address: addressOf(ctx, to), ...moved };
}

/** Throws if the S3 store cannot be used, by this process or by the server. */
async function checkS3(ctx: Ctx, isServed: boolean): Promise<void> {
  const address = findS3(ctx)?.address;
  if (address === undefined) {
    fail(
      "BAD_REQUEST",
      "There are no settings for an S3 store: set s3_bucket and the others in confab.toml.",
    );
  }
  if (isServed && fileSettings.read(ctx).server_s3 !== address) {
    fail(
      "BAD_REQUEST",
      `The server runs without the settings for ${address}: restart it, then move the files.`,
    );
  }
  await reachS3(ctx, address);
}

/** Throws, with the reason, if the store does not answer or holds another organization's files. */
async function reachS3(ctx: Ctx, address: string): Promise<void> {
  try {
    await claimS3(ctx);
  } catch (error) {
    if (!(error instanceof AppError && error.cause)) throw error;
    fail("BAD_REQUEST", `The S3 store ${address} cannot be used: ${reasonOf(error)}.`);
  }
}

/** Moves until nothing is left: the server may have begun to store a file in the old place before it noticed the move. */
async function moveAll(
  ctx: Ctx,
  to: StoreKind,
  report: ReportProgress,
): Promise<{ files: number; bytes: number }> {
  const way = { from: storeAt(ctx.env, to === "s3" ? "disk" : "s3"), to: storeAt(ctx.env, to) };
  const total = (await contentsOf(way.from)).bytes;
  const moved = { files: 0, bytes: 0 };
  for (let found = -1; found !== 0; ) {
    found = 0;
    for (const shelf of shelves) {
      for await (const listed of way.from.list(shelf)) {
        const names = listed.map(({ name }) => name).filter(isOurs);
        found += names.length;
        await forEachLimited(names, atOnce, async (name) => {
          const { bytes } = (await moveFile(ctx.env, { shelf, name }, way)) ?? { bytes: 0 };
          moved.files++;
          moved.bytes += bytes;
          report({ doing: "Moving", done: moved.bytes, of: Math.max(total, moved.bytes) });
        });
      }
    }
  }
  await setPlacement(ctx, { at: to, also: null });
  return moved;
}

async function contentsOf(store: FileStore): Promise<{ files: number; bytes: number }> {
  const found = { files: 0, bytes: 0 };
  for (const shelf of shelves) {
    for await (const listed of store.list(shelf)) {
      found.files += listed.length;
      found.bytes += listed.reduce((sum, { bytes }) => sum + bytes, 0);
    }
  }
  return found;
}

function addressOf({ env, db }: Ctx, kind: StoreKind): string {
  return kind === "disk" ? resolve(env.files) : (findS3({ db })?.address ?? "");
}

/** Where the files are, and how many; for administrators. */
export const showFiles = operation(allow.admin, async (ctx): Promise<FilesShown> => {
  const { at, also } = placementOf(ctx);
  const kinds = also === null ? [at] : [at, also];
  const stores: FilesShown["stores"] = [];
  for (const store of kinds) {
    stores.push({ store, address: addressOf(ctx, store), ...(await contentsOf(storeAt(ctx.env, store))) });
  }
  return { at, also_at: also, stores };
});

/** The address of the S3 store of the settings; "" without one. */
export function addressOfStore(ctx: Ctx): string {
  return findS3(ctx)?.address ?? "";
}

const onlyHere = "files on one machine's disk are not found by the other nodes of a cluster.";

/** For the beginning of a cluster: throws unless all files are in an S3 store. If there are no files, new ones go there. */
export async function shareFiles(ctx: Ctx, log: Log): Promise<void> {
  const { at, also } = placementOf(ctx);
  if (!findS3(ctx)) {
    fail("BAD_REQUEST", `Name an S3 store by s3_bucket and the others in confab.toml: ${onlyHere}`);
  }
  const isEmpty = also === null && (await contentsOf(storeAt(ctx.env, "disk"))).files === 0;
  if (also !== null || (at === "disk" && !isEmpty)) {
    fail("BAD_REQUEST", `Move the files with 'confab files move --to s3' first: ${onlyHere}`);
  }
  await beginFiles(ctx, log);
}

/** For the start of a node. */
export function checkShared(ctx: Ctx): void {
  const { at, also } = placementOf(ctx);
  if (at === "s3" && also === null) return;
  fail(
    "BAD_REQUEST",
    "This organization has files on the disk of one machine, where other nodes do not find them. Stop all nodes, and beside the " +
      "folder that holds them run 'confab cluster leave', 'confab files move --to s3' and 'confab cluster init'. The others join again.",
  );
}

/**
 * Called by a server that starts: an organization without files begins in the S3 store of the settings. Throws if this server
 * cannot reach its files because it has no settings for them.
 */
export async function beginFiles(ctx: Ctx, log: Log): Promise<void> {
  const s3 = findS3(ctx);
  const { at, also } = placementOf(ctx);
  const isAtS3 = at === "s3" || also === "s3";
  if (isAtS3) storeAt(ctx.env, "s3");
  await noteServerS3(ctx, s3?.address ?? "");
  if (!s3) return;
  if (isAtS3) {
    // Does not wait for the store: everything except files works without it.
    void reachS3(ctx, s3.address).catch((error: Error) => log.error("files", { error: error.message }));
    return;
  }
  if ((await contentsOf(storeAt(ctx.env, "disk"))).files > 0) {
    log.warn("files", { at: "disk", settings: s3.address, remedy: "confab files move --to s3" });
    return;
  }
  await reachS3(ctx, s3.address);
  await setPlacement(ctx, { at: "s3", also: null });
}
