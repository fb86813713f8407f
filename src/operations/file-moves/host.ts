// Moves the organization's files between the disk, an S3 store and the nats-servers of a cluster, while a single server may be running.
import { join } from "node:path";
import { claimStore, findStore, placementOf, storeAt } from "@/foundation/file-stores/access.ts";
import { reasonOf } from "@/foundation/file-stores/faults.ts";
import { isOurs } from "@/foundation/file-stores/names.ts";
import {
  type FileStore,
  fileSettings,
  type SharedKind,
  type StoreKind,
  shelves,
} from "@/foundation/file-stores/schema.ts";
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
  const before = placementOf(ctx);
  if (before.also !== null && to !== before.at && to !== before.also)
    fail("BAD_REQUEST", `Finish the move that was interrupted first: 'confab files move --to ${before.at}'.`);
  const kinds = [to, before.at, before.also];
  if (kinds.includes("s3")) await checkS3(ctx, isServed);
  if (kinds.includes("nats")) await reachStore(ctx, "nats");
  if (before.at !== to) await setPlacement(ctx, { at: to, also: before.at });
  return { at: to, address: storeAt(ctx.env, to).address, ...(await moveAll(ctx, to, report)) };
}

/** Throws if the S3 store cannot be used, by this process or by the server. */
async function checkS3(ctx: Ctx, isServed: boolean): Promise<void> {
  const address = findStore(ctx, "s3")?.address;
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
  await reachStore(ctx, "s3");
}

/** Throws, with the reason, if the store does not answer or holds another organization's files. */
async function reachStore(ctx: Ctx, kind: SharedKind): Promise<void> {
  try {
    await claimStore(ctx.env, kind);
  } catch (error) {
    if (!(error instanceof AppError && error.cause)) throw error;
    const { address } = storeAt(ctx.env, kind);
    const what = kind === "s3" ? `The S3 store ${address}` : `The store for files in the ${address}`;
    fail("BAD_REQUEST", `${what} cannot be used: ${reasonOf(error)}.`);
  }
}

/** Moves until nothing is left: the server may have begun to store a file in the old place before it noticed the move. */
async function moveAll(
  ctx: Ctx,
  to: StoreKind,
  report: ReportProgress,
): Promise<{ files: number; bytes: number }> {
  const from = placementOf(ctx).also;
  if (from === null) return { files: 0, bytes: 0 };
  const way = { from: storeAt(ctx.env, from), to: storeAt(ctx.env, to) };
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

/** Where the files are, and how many; for administrators. */
export const showFiles = operation(allow.admin, async (ctx): Promise<FilesShown> => {
  const { at, also } = placementOf(ctx);
  const kinds = also === null ? [at] : [at, also];
  const stores: FilesShown["stores"] = [];
  for (const store of kinds) {
    const opened = storeAt(ctx.env, store);
    stores.push({ store, address: opened.address, ...(await contentsOf(opened)) });
  }
  return { at, also_at: also, stores };
});

/** The address of the store that all nodes reach; "" without one. */
export function addressOfStore(ctx: Ctx): string {
  const { at } = placementOf(ctx);
  return findStore(ctx, at === "disk" ? "s3" : at)?.address ?? "";
}

/**
 * For the beginning of a cluster: all files go to a store that its nodes reach, the S3 store of the settings or else the nats-servers. Throws if files
 * on the disk are to be moved to S3 first. If killed midway, call it again.
 */
export async function shareFiles(
  ctx: Ctx,
  { dataDir, log, report }: { dataDir: string; log: Log; report: ReportProgress },
): Promise<void> {
  if (!findStore(ctx, "s3")) {
    await moveFiles(ctx, { dataDir, to: "nats", isServed: false, report });
    return;
  }
  const { at, also } = placementOf(ctx);
  const isEmpty = also === null && (await contentsOf(storeAt(ctx.env, "disk"))).files === 0;
  if (also !== null || (at === "disk" && !isEmpty)) {
    fail(
      "BAD_REQUEST",
      "Move the files with 'confab files move --to s3' first: files on one machine's disk are not found by the other nodes of a cluster.",
    );
  }
  await beginFiles(ctx, log);
}

/** Whether there are files in the nats-servers of a cluster. */
export function isInNodes(ctx: Ctx): boolean {
  const { at, also } = placementOf(ctx);
  return at === "nats" || also === "nats";
}

/** For the start of a node. */
export function checkShared(ctx: Ctx): void {
  const { at, also } = placementOf(ctx);
  if (at !== "disk" && also !== "disk") return;
  fail(
    "BAD_REQUEST",
    "This organization has files on the disk of one machine, where other nodes do not find them. Stop all nodes, and beside the " +
      "folder that holds them run 'confab cluster leave' and 'confab cluster init'. The others join again.",
  );
}

/**
 * Called by a server that starts: an organization without files begins in the S3 store of the settings. Throws if this server
 * cannot reach its files because it has no settings for them.
 */
export async function beginFiles(ctx: Ctx, log: Log): Promise<void> {
  const s3 = findStore(ctx, "s3");
  const { at, also } = placementOf(ctx);
  for (const kind of [at, also]) if (kind !== null) storeAt(ctx.env, kind);
  await noteServerS3(ctx, s3?.address ?? "");
  const shared = [at, also].filter((kind) => kind !== "disk" && kind !== null);
  for (const kind of shared) {
    // Does not wait for the store: everything except files works without it.
    void reachStore(ctx, kind).catch((error: Error) => log.error("files", { error: error.message }));
  }
  if (!s3 || shared.includes("s3")) return;
  if (at !== "disk" || (await contentsOf(storeAt(ctx.env, "disk"))).files > 0) {
    log.warn("files", { at, settings: s3.address, remedy: "confab files move --to s3" });
    return;
  }
  await reachStore(ctx, "s3");
  await setPlacement(ctx, { at: "s3", also: null });
}
