// A node without a usable database gets one from the newest snapshot; the log brings it up to date.
import { existsSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { makeFolder, syncFolder, syncFolderNow } from "@/kernel/store/durable.ts";
import { migrations } from "@/migrations/all.ts";
import { clearStaging, makeDataFolder, openStaging } from "@/operations/data-folder/host.ts";
import { databaseFile } from "@/operations/data-folder/schema.ts";
import { TooFarBehind } from "./history.ts";
import { type SharedLog, type SnapshotHead, withRetries } from "./shared-log.ts";
import { type OnBytes, unpack } from "./snapshot-file.ts";
import { type Beyond, faultOf, foldIn, holdingOf, messagesBeyond } from "./store.ts";

/** A snapshot may be replaced while it is read. */
const attempts = 3;

interface NodeJoining {
  readonly dataDir: string;
  readonly shared: SharedLog;
  readonly onProgress: (head: SnapshotHead, done: number) => void;
}

export interface Joined {
  readonly head: SnapshotHead;
  /** Messages of the former database that the snapshot lacks; if there are any, the folder keeps that database. */
  readonly beyond: Beyond;
  readonly kept: string | null;
}

/** Joins by a snapshot if the folder is empty, or if the log no longer holds what its database needs next. */
export async function joinIfNeeded(joining: NodeJoining): Promise<Joined | null> {
  const { dataDir, shared } = joining;
  makeDataFolder(dataDir);
  const held = holdingOf(join(dataDir, databaseFile));
  if (held?.hasOrganization && !held.isReplica) {
    throw new Error(
      `${dataDir} holds an organization that follows no log. Give this node an empty folder, or begin the log with this organization.`,
    );
  }
  const { first } = await withRetries(() => shared.ends());
  const next = (held?.position?.seq ?? 0) + 1;
  if (held?.position && first <= next) return null;
  if (first <= 1 && (await withRetries(() => shared.snapshots.list())).length === 0) return null;
  return joinNow(joining);
}

/** Replaces the database by the newest intact snapshot. Changes nothing until that is complete and on disk. */
export async function joinNow(joining: NodeJoining): Promise<Joined> {
  const { dataDir, shared } = joining;
  clearStaging(dataDir);
  let reason = "there is no snapshot of it";
  for (let left = attempts; left > 0; left--) {
    const { first } = await withRetries(() => shared.ends());
    for (const head of await withRetries(() => shared.snapshots.list())) {
      if (head.seq + 1 < first) continue;
      refuseNewer(head);
      try {
        return await joinBy(head, joining);
      } catch (error) {
        if ((error as { code?: string }).code) throw error;
        reason = `the snapshot of entry ${head.seq} cannot be used: ${(error as Error).message}`;
      }
    }
  }
  throw new TooFarBehind(`This node cannot get the database of the others: ${reason}`);
}

function refuseNewer({ schema, node }: SnapshotHead): void {
  if (schema <= migrations.length) return;
  throw new Error(
    `The newest snapshot was made by a newer version of Confab on ${node} (schema ${schema}; this version knows ${migrations.length}). Upgrade this node and start it again.`,
  );
}

async function joinBy(head: SnapshotHead, { dataDir, shared, onProgress }: NodeJoining): Promise<Joined> {
  const { folder, remove } = openStaging("join", dataDir);
  const fresh = join(folder, databaseFile);
  const onBytes: OnBytes = (done) => onProgress(head, done);
  onBytes(0);
  try {
    await unpack(shared.snapshots.get(head.seq), fresh, onBytes);
    const fault = faultOf(fresh, head);
    if (fault) throw new Error(fault);
    foldIn(fresh);
    return { head, ...(await replaceBy(fresh, dataDir)) };
  } finally {
    remove();
  }
}

/** If killed in here, the node has set its former database aside or has none, and joins again. */
async function replaceBy(fresh: string, dataDir: string): Promise<Omit<Joined, "head">> {
  const database = join(dataDir, databaseFile);
  const beyond = holdingOf(database) ? messagesBeyond(database, fresh) : { count: 0, ids: [] };
  let kept: string | null = null;
  if (existsSync(database)) {
    foldIn(database);
    if (beyond.count > 0) kept = moveAside(dataDir);
  }
  for (const end of ["-wal", "-shm"]) rmSync(database + end, { force: true });
  renameSync(fresh, database);
  await syncFolder(dataDir);
  return { beyond, kept };
}

function moveAside(dataDir: string): string {
  const folder = join(dataDir, `former-${new Date().toISOString().replace(/\..*/, "").replaceAll(":", "")}`);
  makeFolder(folder);
  renameSync(join(dataDir, databaseFile), join(folder, databaseFile));
  syncFolderNow(folder);
  return folder;
}
