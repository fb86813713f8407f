// What a node does before it opens its database for requests.
import type { Database } from "bun:sqlite";
import { join } from "node:path";
import { systemClock } from "@/kernel/lib/clock.ts";
import type { Log } from "@/kernel/lib/log.ts";
import type { CommitLog } from "@/kernel/store/commit-log.ts";
import { openDatabase, schemaOf } from "@/kernel/store/database-file.ts";
import { SqliteDb } from "@/kernel/store/db.ts";
import { outbox } from "@/kernel/store/outbox.ts";
import { migrations } from "@/migrations/all.ts";
import { databaseFile } from "@/operations/data-folder/schema.ts";
import type { NodeState } from "@/operations/nodes/schema.ts";
import { joinIfNeeded } from "./joining.ts";
import { ClusterNode } from "./node.ts";
import type { Leader, SharedLog, SnapshotHead } from "./shared-log.ts";
import { holdingOf } from "./store.ts";

interface Entering {
  readonly dataDir: string;
  readonly me: Leader;
  readonly log: Log;
  /** Opens a separate connection, which the caller closes. */
  readonly openShared: () => Promise<SharedLog>;
  /** Called if the node cannot continue, as in its own options. */
  readonly end: (reason: Error) => void;
  /** What it tells others of itself while it waits. */
  readonly state?: (node: ClusterNode) => NodeState;
  /** And while it joins by a snapshot: since when, in milliseconds since 1970, and how far its former database was. */
  readonly joiningState?: (joining: { since: number; position: number }) => NodeState;
}

const progressMs = 2_000;
const checkMs = 100;
const nobody = {
  prepare: () => null,
  later: () => () => null,
  publish: () => {},
  publishLater: () => {},
  startAt: () => {},
};

/**
 * Prepares the database of a node for opening: joins by a snapshot if need be, and waits until all nodes have
 * migrated together.
 */
export async function enterCluster(entering: Entering): Promise<void> {
  const shared = await entering.openShared();
  try {
    await enterByPlace(entering, shared);
  } finally {
    await shared.close();
  }
  await migrateWithOthers(entering);
}

async function enterByPlace({ dataDir, me, log, joiningState }: Entering, shared: SharedLog): Promise<void> {
  let said = performance.now();
  let since: number | null = null;
  const position = holdingOf(join(dataDir, databaseFile))?.position?.seq ?? 0;
  shared.talk.report(() => (since === null ? null : (joiningState?.({ since, position }) ?? null)));
  const say = (event: string, fields: Record<string, string | number>) =>
    log.warn(event, { node: me.node, ...fields });
  const onProgress = ({ seq, bytes }: SnapshotHead, done: number) => {
    since ??= Date.now();
    if (performance.now() - said < progressMs) return;
    said = performance.now();
    say("cluster_joins", { position: seq, bytes, percent: Math.floor((100 * done) / Math.max(1, bytes)) });
  };
  const joined = await joinIfNeeded({ dataDir, shared, onProgress });
  if (!joined) return;
  const { head, beyond, kept } = joined;
  say("cluster_joined", { position: head.seq, bytes: head.bytes, made_by: head.node });
  if (!kept) return;
  say("cluster_kept_former", { folder: kept, messages: beyond.count, ids: beyond.ids.slice(0, 20).join() });
}

/**
 * A leader of this version migrates all nodes by the first entry of its term. Until there is one, this node follows and
 * serves nobody, because its code cannot read the older tables; it leads once no node of an earlier version does.
 */
async function migrateWithOthers({ dataDir, me, log, openShared, end, state }: Entering): Promise<void> {
  const file = join(dataDir, databaseFile);
  const held = holdingOf(file);
  if (!held?.position || held.schema >= migrations.length) return;
  log.warn("cluster_waits_to_migrate", { node: me.node, schema: held.schema, wanted: migrations.length });
  const shared = await openShared();
  const reportState = state && (() => state(node));
  const node: ClusterNode = new ClusterNode(shared, {
    me,
    log,
    end,
    isLast: true,
    ...(reportState ? { state: reportState } : {}),
  });
  const sqlite = openDatabase(file);
  const db = replicaOn(sqlite, node);
  try {
    if (db.replica) await node.start(db.replica);
    while (schemaOf(sqlite) < migrations.length) await Bun.sleep(checkMs);
  } finally {
    await node.stop();
    await db.close();
  }
}

/** A database that follows a log, and serves nobody. */
export function replicaOn(sqlite: Database, log: CommitLog): SqliteDb {
  return new SqliteDb(sqlite, {
    clock: systemClock,
    publisher: nobody,
    outbox,
    hosting: true,
    log,
    migrations,
  });
}
