// Begins a log with an existing database, and ends one.
import { join } from "node:path";
import type { LogPosition } from "@/kernel/store/commit-log.ts";
import { databaseFile } from "@/operations/data-folder/schema.ts";
import { LeaseWatch } from "./leadership.ts";
import { type Leader, type SharedLog, type SnapshotHead, withRetries } from "./shared-log.ts";
import { takeSnapshot } from "./snapshots.ts";
import { type Holding, holdingOf, placeAt } from "./store.ts";

interface Offline {
  /** The folder of a node that is not running. */
  readonly dataDir: string;
  readonly shared: SharedLog;
  readonly me: Leader;
}

/**
 * Starts a new log from the database of a folder: that of a standalone server, or of a node if the log is lost. The
 * other nodes then join by its snapshot. Refuses while another node leads. If killed midway, call it again.
 */
export async function beginLog({ dataDir, shared, me }: Offline): Promise<SnapshotHead> {
  const { position } = organizationIn(dataDir);
  const { leader, isAlive } = await withRetries(() => new LeaseWatch(shared.lease, "").settle());
  if (isAlive) throw new Error(`${leader?.node} leads: the log is not lost. Stop all nodes first`);
  const seq = (position?.seq ?? 0) + 1;
  const begins = newHistory(seq);
  placeAt(join(dataDir, databaseFile), begins);
  return beginAfter({ dataDir, shared, me }, begins);
}

const beginning = "begins ";

/** A place of which no log has an entry: no entry of an earlier log can follow it. */
export function newHistory(seq: number): LogPosition {
  return { seq, digest: beginning + crypto.randomUUID() };
}

export function isBeginning({ digest }: LogPosition): boolean {
  return digest.startsWith(beginning);
}

/** Empties the log, and lets it go on after the database of a folder, by whose snapshot the other nodes join. */
export async function beginAfter(
  { dataDir, shared, me }: Offline,
  { seq }: LogPosition,
): Promise<SnapshotHead> {
  await withRetries(() => shared.remove());
  await withRetries(() => shared.beginAt(seq + 1));
  return withRetries(() => takeSnapshot({ dataDir, shared, me }));
}

/**
 * Turns the folder of the last node back into that of a standalone server, and removes the log. Refuses if other nodes
 * run, or if the log holds more than the folder.
 */
export async function leaveLog({ dataDir, shared }: Offline): Promise<{ position: number }> {
  const { position } = organizationIn(dataDir);
  if (!position) throw new Error(`${dataDir} belongs to no node`);
  const running = await withRetries(() => shared.talk.positions());
  if (running.length > 0) throw new Error("Other nodes run; stop all of them first");
  const { last } = await withRetries(() => shared.ends());
  if (last > position.seq) {
    throw new Error(
      `The log holds ${last - position.seq} entries that this node lacks. Start it once more, so that it reads them`,
    );
  }
  await withRetries(() => shared.remove());
  placeAt(join(dataDir, databaseFile), null);
  return { position: position.seq };
}

function organizationIn(dataDir: string): Holding {
  const held = holdingOf(join(dataDir, databaseFile));
  if (!held?.hasOrganization) throw new Error(`${dataDir} holds no organization`);
  return held;
}
