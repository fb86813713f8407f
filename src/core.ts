import type { Database } from "bun:sqlite";
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { domains } from "@/domains.ts";
import { closeStores, setStores } from "@/foundation/file-stores/access.ts";
import type { OpenStore } from "@/foundation/file-stores/schema.ts";
import { hasRealm } from "@/foundation/realm/access.ts";
import { realmSettings } from "@/foundation/realm/schema.ts";
import { shareOfMemory } from "@/memory.ts";
import { migrations } from "@/migrations/all.ts";
import { stopBackup } from "@/operations/backup/schedule/running.ts";
import { stopObtaining } from "@/operations/certificates/running.ts";
import { makeDataFolder, markFolder } from "@/operations/data-folder/host.ts";
import { checkNotLost } from "@/operations/data-folder/queries.ts";
import { databaseFile, diskReason, filesFolder } from "@/operations/data-folder/schema.ts";
import { stopExports } from "@/operations/export/writing.ts";
import { countCommit, countersOf } from "@/operations/metrics/counters.ts";
import { keepingLog } from "@/operations/server-log/lines.ts";
import type { Actor, Ctx, Env, StateReader } from "./kernel/core/context.ts";
import type { Emitted } from "./kernel/core/events.ts";
import type { QueueWatcher } from "./kernel/core/queue-types.ts";
import { receiveBroadcast } from "./kernel/events/broadcasts.ts";
import { MemoryQueues } from "./kernel/events/queues.ts";
import type { Domain } from "./kernel/http/domain.ts";
import { type Clock, systemClock } from "./kernel/lib/clock.ts";
import { type Log, silentLog } from "./kernel/lib/log.ts";
import { type CommitLog, NotAppended, type Written } from "./kernel/store/commit-log.ts";
import { isReplica, migrate, migrateCopy, openDatabase } from "./kernel/store/database-file.ts";
import { SqliteDb } from "./kernel/store/db.ts";
import { registerHooks } from "./kernel/store/hooks.ts";
import type { LoggedWrites } from "./kernel/store/logged-writes.ts";
import { onlyRead } from "./kernel/store/only-reads.ts";
import { outbox } from "./kernel/store/outbox.ts";
import { stopWork } from "./messaging/background-jobs/runner.ts";

export interface CoreOptions {
  /** True in the one process that serves clients; others leave their events in the outbox. */
  hosting?: boolean;
  /** The folder for uploads and pictures; created with the first file. */
  files?: string;
  /** Opens the stores of the settings when files are first needed there. */
  stores?: OpenStore;
  /** The address clients use; by default that of the last `serve`. */
  site?: string;
  /** For trying things out: hands out keys without a password. */
  isDevelopment?: boolean;
  clock?: Clock;
  log?: Log;
  /** Bytes that all event queues together may occupy. */
  queueMemory?: number;
  /** The log of a cluster node; absent for a standalone server. */
  commitLog?: CommitLog;
  /** For commands that change nothing: they can also open the folder of a cluster's node, and cannot write there. */
  onlyReads?: boolean;
  onBatch?: (written: Written[], emitted: Emitted[]) => void;
  onEvent?: (emitted: Emitted) => void;
}

/** An open data folder, without HTTP. */
export interface Core {
  readonly env: Env;
  /** Writes to the log that it was opened with, and keeps the newest lines for administrators if it serves clients. */
  readonly log: Log;
  ctx(actor: Actor): Ctx;
  readonly system: Ctx;
  /** Follows the log of a cluster; null for a standalone server. */
  readonly replica: LoggedWrites | null;
  close(): Promise<void>;
}

const notAlone =
  "This data folder belongs to a cluster's node: what is written to it alone would make it differ from the others. " +
  "Start it with 'confab serve' and the settings of its cluster, and run the command then; or run it against another node with --profile.";
/** The log of a node whose folder another process has opened for reading. */
const ofOthers: CommitLog = {
  leads: false,
  append: () => Promise.reject(new NotAppended(notAlone)),
  read: async () => [],
  spread: async () => {},
  announce() {},
  endNode() {},
};
const onlyLooking =
  "This folder belongs to a cluster's node and is only read here. Use the command for it: the cluster's leader carries commands out.";
const defaultSite = "http://localhost:9900";

/**
 * Opens a data folder, creating it if necessary; `openOn` gets its database and its folder for files. Refuses a folder that has
 * lost its organization.
 */
export function openFolder<C extends Core>(
  dataDir: string,
  openOn: (sqlite: Database, files: string) => C,
): C {
  makeDataFolder(dataDir);
  checkNotLost(dataDir);
  const database = join(dataDir, databaseFile);
  // The folder may be readable by everybody. The files that SQLite adds get the permissions of this one.
  closeSync(openSync(database, "a", 0o600));
  const core = openOn(openDatabase(database), join(dataDir, filesFolder));
  if (hasRealm(core.system)) markFolder(dataDir);
  return core;
}

/** Opens a data folder for commands, which need no HTTP. */
export function openCore(dataDir: string, options: CoreOptions = {}): Core {
  return openFolder(dataDir, (sqlite, files) => coreOn(sqlite, { files, ...options }));
}

/** The readers of the initial state by event type; several domains may read parts of one type. */
function statesOf(all: readonly Domain[]): Map<string, StateReader> {
  const parts = all.flatMap(({ state = {} }) => Object.entries(state));
  return new Map(
    [...Map.groupBy(parts, ([type]) => type)].map(([type, entries]) => {
      const readers = entries.map(([, reader]) => reader);
      const [only] = readers;
      if (only && readers.length === 1) return [type, only];
      const read: StateReader = (ctx, request) =>
        Object.assign({}, ...readers.map((reader) => reader(ctx, request)));
      const spectators: StateReader = (ctx, request) =>
        Object.assign({}, ...readers.map((reader) => reader.spectators?.(ctx, request)));
      return [type, Object.assign(read, { spectators })];
    }),
  );
}

/** Brings a database up to date, and opens the core on it. */
export function coreOn(sqlite: Database, options: CoreOptions = {}): Core {
  const isOthers = !options.commitLog && isReplica(sqlite);
  if (isOthers && !options.onlyReads) {
    sqlite.close();
    throw new Error(notAlone);
  }
  const commitLog = isOthers ? ofOthers : options.commitLog;
  if (commitLog) migrateCopy(sqlite, migrations);
  else migrate(sqlite, migrations);
  const { clock = systemClock, log: written = silentLog, hosting = false, isDevelopment = false } = options;
  const log = hosting ? keepingLog(written, () => ({ db })) : written;
  const generation = clock.ms();
  const watcher: QueueWatcher = {
    onEvent: options.onEvent,
    onFault: (error) =>
      log.error("unhandled_error", { operation: "deliver", error: String((error as Error)?.stack ?? error) }),
    onShed: (count) => log.warn("queues", { ended: count, reason: "memory" }),
    onBroadcast: (type, content) => receiveBroadcast(ctx(system.actor), type, content),
  };
  const { queueMemory = shareOfMemory() } = options;
  const queues = new MemoryQueues(clock, generation, watcher, queueMemory);
  const onCommit = (bodies: number) => countCommit(countersOf(db), bodies);
  const { onBatch } = options;
  const onUnmerged = (error: unknown) =>
    log.warn("stop", {
      merged: false,
      reason: diskReason(error) ?? String(error),
      finding: `What was written last stays in ${databaseFile}-wal, which belongs to the database. Nothing is lost.`,
      remedy: "Keep both files together, and make room on the disk if it is full.",
    });
  const reports = { onBatch, onCommit, onUnmerged };
  const how = { clock, hosting, publisher: queues, outbox, log: commitLog, migrations, ...reports };
  const db: SqliteDb = new SqliteDb(sqlite, how);
  if (isOthers) onlyRead(db, onlyLooking);
  const site = options.site ?? (realmSettings.read({ db }).site || defaultSite);
  registerHooks(
    db,
    domains.flatMap((domain) => domain.hooks ?? []),
  );
  const state = statesOf(domains);
  const env: Env = { db, queues, state, files: options.files ?? "", site, generation, isDevelopment };
  if (options.stores) setStores(env, options.stores);
  const ctx = (actor: Actor): Ctx => ({ actor, env, db, now: clock.now() });
  const system = ctx({ kind: "system", id: 0, client: "Internal" });
  if (hosting) db.noticeOthers(system);
  return {
    env,
    log,
    ctx,
    system,
    replica: db.replica,
    close: async () => {
      stopExports({ db });
      stopBackup({ db });
      stopObtaining({ db });
      stopWork({ db });
      await db.close();
      await closeStores({ db });
    },
  };
}
