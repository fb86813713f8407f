// Replaces the whole database of a cluster whose nodes do not run, as an import does: the log starts over with another one.
import { join } from "node:path";
import { silentLog } from "@/kernel/lib/log.ts";
import type { LogPosition } from "@/kernel/store/commit-log.ts";
import { openDatabase } from "@/kernel/store/database-file.ts";
import { migrations } from "@/migrations/all.ts";
import { databaseFile } from "@/operations/data-folder/schema.ts";
import { Appender } from "./appender.ts";
import { beginAfter, isBeginning, newHistory } from "./beginning.ts";
import { replicaOn } from "./entering.ts";
import { termOf } from "./history.ts";
import { joinIfNeeded } from "./joining.ts";
import { HeldLease } from "./leadership.ts";
import { ClusterNode } from "./node.ts";
import { Past } from "./queues/past.ts";
import { type Leader, type SharedLog, withRetries } from "./shared-log.ts";
import { holdingOf, placeAt } from "./store.ts";

interface Replacing {
  /** The folder of a node that does not run. */
  readonly dataDir: string;
  readonly me: Leader;
  readonly shared: SharedLog;
  /** Opens a separate connection, which the caller closes. */
  readonly openShared: () => Promise<SharedLog>;
}

/** Takes a copy of the folder's database out of the cluster, and puts it in the place of the database. */
export interface Replacement {
  /** Lets the copy be changed, as the database of a single server. */
  release(copy: string): void;
  /**
   * Ends the log where the folder's database is, and marks the copy as what comes after it. Throws if another node has written
   * meanwhile. The caller then puts the copy in the place of the database.
   */
  seal(copy: string): Promise<void>;
  /**
   * Starts the log over if the folder's database is a sealed copy; the other nodes join by its snapshot. From then on a node of this
   * process may lead, as any other.
   */
  begin(): Promise<void>;
}

const leaseLeftMs = 10_000;
const retryMs = 100;

/**
 * Brings the folder's database to the end of the log, lets `work` replace it, and keeps all other nodes from leading meanwhile. If
 * killed midway, nothing has changed, or the next call begins the log that this one should have begun.
 */
export async function replaceDatabase<R>(
  replacing: Replacing,
  work: (replacement: Replacement) => Promise<R>,
): Promise<R> {
  const { shared, me } = replacing;
  const running = await withRetries(() => shared.talk.positions());
  if (running.length > 0) throw new Error("Other nodes run. Stop all nodes first");
  const lease = await leaseOf(shared, me);
  const renewing = setInterval(() => void lease.keep().catch(() => {}), shared.lease.ms / 2);
  try {
    const begin = () => beginIfSealed(replacing);
    await begin();
    await catchUp(replacing);
    const seal = (copy: string) => sealAs(copy, replacing);
    const beginAndLetLead = async () => {
      await begin();
      clearInterval(renewing);
      await lease.giveBack();
    };
    const result = await work({ release: (copy) => placeAt(copy, null), seal, begin: beginAndLetLead });
    await begin();
    return result;
  } finally {
    clearInterval(renewing);
    await lease.giveBack();
  }
}

/** Waits for the end of the lease of a node that died or is stopping, but not of one that lives. */
async function leaseOf(shared: SharedLog, me: Leader): Promise<HeldLease> {
  const lease = new HeldLease(shared.lease, me);
  const until = performance.now() + leaseLeftMs;
  while (!(await withRetries(() => lease.takeUnlessHeld()))) {
    const record = await withRetries(() => shared.lease.read());
    if (record?.leader && performance.now() > until)
      throw new Error(`${record.leader.node} leads. Stop all nodes first`);
    await Bun.sleep(retryMs);
  }
  return lease;
}

const fileIn = ({ dataDir }: Pick<Replacing, "dataDir">) => join(dataDir, databaseFile);

function positionIn(replacing: Pick<Replacing, "dataDir">): LogPosition {
  const position = holdingOf(fileIn(replacing))?.position;
  if (!position) throw new Error(`${replacing.dataDir} belongs to no node`);
  return position;
}

async function beginIfSealed(replacing: Replacing): Promise<void> {
  const { shared } = replacing;
  const position = positionIn(replacing);
  if (!isBeginning(position)) return;
  const { last } = await withRetries(() => shared.ends());
  const isBegun = last > position.seq || (last === position.seq && (await hasSnapshot(shared, position)));
  if (!isBegun) await beginAfter(replacing, position);
}

async function hasSnapshot(shared: SharedLog, { seq }: LogPosition): Promise<boolean> {
  return (await withRetries(() => shared.snapshots.list())).some((head) => head.seq === seq);
}

async function catchUp(replacing: Replacing): Promise<void> {
  const { dataDir, shared, openShared, me } = replacing;
  await joinIfNeeded({ dataDir, shared, onProgress: () => {} });
  if ((holdingOf(fileIn(replacing))?.schema ?? 0) < migrations.length) {
    throw new Error("The nodes have not run with this version of Confab yet. Start them once, and stop them");
  }
  const ended = Promise.withResolvers<never>();
  ended.promise.catch(() => {});
  const node = new ClusterNode(await openShared(), { me, log: silentLog, end: ended.reject });
  const db = replicaOn(openDatabase(fileIn(replacing)), node);
  try {
    await node.drain(true);
    if (db.replica) await Promise.race([node.start(db.replica), ended.promise]);
  } finally {
    await node.stop();
    await db.close();
  }
}

/** The entry that ends the log is a term's first: it cannot be appended if a node whose lease has ended appended another one. */
async function sealAs(copy: string, replacing: Replacing): Promise<void> {
  const { shared, me } = replacing;
  const at = positionIn(replacing);
  const term = (await withRetries(() => termOf(at, shared))) + 1;
  const appender = new Appender(shared, me.node, new Past());
  const nothing = { written: [], emitted: [] };
  const { seq } = await appender
    .put({ term, leads: me.node, schema: migrations.length }, nothing, at)
    .catch((cause) => {
      throw new Error(
        "Another node has written meanwhile, or the log does not answer. Run the command again",
        { cause },
      );
    });
  placeAt(copy, newHistory(seq + 1));
}
