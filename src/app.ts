import type { Database } from "bun:sqlite";
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { domains } from "@/domains.ts";
import { authenticate } from "@/foundation/auth/access.ts";
import { refuseForged } from "@/foundation/auth/forgery.ts";
import { type RateLimits, rateLimiter } from "@/foundation/auth/request-limits.ts";
import { hasRealm } from "@/foundation/realm/access.ts";
import { realmSettings } from "@/foundation/realm/schema.ts";
import type { Written } from "@/kernel/batch.ts";
import { type Clock, systemClock } from "@/kernel/clock.ts";
import type { Actor, Ctx, Env, StateReader } from "@/kernel/context.ts";
import { migrate, openDatabase } from "@/kernel/database-file.ts";
import { SqliteDb } from "@/kernel/db.ts";
import type { Domain } from "@/kernel/domain.ts";
import type { Endpoint } from "@/kernel/endpoint.ts";
import type { QueueWatcher } from "@/kernel/event-queue.ts";
import type { Emitted } from "@/kernel/events.ts";
import { registerHooks } from "@/kernel/hooks.ts";
import { httpApp } from "@/kernel/http.ts";
import { type Log, silentLog } from "@/kernel/log.ts";
import { outbox } from "@/kernel/outbox.ts";
import { MemoryQueues } from "@/kernel/queues.ts";
import { shareOfMemory } from "@/memory.ts";
import { migrations } from "@/migrations/all.ts";
import { makeDataFolder, markFolder } from "@/operations/data-folder/host.ts";
import { checkNotLost } from "@/operations/data-folder/queries.ts";
import { databaseFile, filesFolder } from "@/operations/data-folder/schema.ts";
import { stopExports } from "@/operations/export/writing.ts";
import { countCommit, countersOf, countingLog } from "@/operations/metrics/counters.ts";
import { unreadAnswers } from "@/unread-answers.ts";

export interface OpenOptions {
  /** True in the one process that serves clients; others leave their events in the outbox. */
  hosting?: boolean;
  /** The folder for uploads and pictures, made when the first comes. */
  files?: string;
  /** The address clients use; by default that of the last `serve`. */
  site?: string;
  /** `site` is only what this machine listens on: each client is told the address that it asked for. */
  followsHost?: boolean;
  /** For trying things out: hands out keys without a password. */
  isDevelopment?: boolean;
  clock?: Clock;
  log?: Log;
  /** Who asks, where it is not for the request's own credentials to say. */
  authenticate?: (authorization: string | undefined) => number;
  /** Requests a minute; absent: no limit. */
  rateLimits?: RateLimits;
  /** Addresses of the reverse proxies before this server, which are believed about whom they forward. */
  isProxy?: (address: string) => boolean;
  /** Bytes that all event queues together may occupy, and all answers that clients have not read yet. */
  queueMemory?: number;
  answerMemory?: number;
  onBatch?: (written: Written[], emitted: Emitted[]) => void;
  onEvent?: (emitted: Emitted) => void;
  onAnswer?: (endpoint: Endpoint, body: unknown) => void;
}

export interface App {
  readonly env: Env;
  ctx(actor: Actor): Ctx;
  readonly system: Ctx;
  readonly fetch: (request: Request, env?: unknown) => Response | Promise<Response>;
  close(): Promise<void>;
}

const defaultSite = "http://localhost:9900";

/**
 * Opens a data folder, creating it where there is none, and brings its database up to date. One whose organization is
 * lost is refused, never begun anew.
 */
export function open(dataDir: string, options: OpenOptions = {}): App {
  makeDataFolder(dataDir);
  checkNotLost(dataDir);
  const database = join(dataDir, databaseFile);
  // The folder may be one that everybody looks into; what SQLite puts beside the file gets the file's permissions.
  closeSync(openSync(database, "a", 0o600));
  const app = openOn(openDatabase(database), { files: join(dataDir, filesFolder), ...options });
  if (hasRealm(app.system)) markFolder(dataDir);
  return app;
}

/** What a command beside the server has acknowledged is seen by the next request. */
function lookAround(system: Ctx): void {
  try {
    system.db.noticeOthers(system);
  } catch {
    // The request meets a database that cannot be read by itself, and the watch for other processes logs it.
  }
}

/** By type of event, the readers of all domains that have a part in its state. */
function statesOf(all: readonly Domain[]): Map<string, StateReader> {
  const parts = all.flatMap(({ state = {} }) => Object.entries(state));
  return new Map(
    [...Map.groupBy(parts, ([type]) => type)].map(([type, entries]) => {
      const readers = entries.map(([, reader]) => reader);
      const [only] = readers;
      if (only && readers.length === 1) return [type, only];
      return [type, (ctx, request) => Object.assign({}, ...readers.map((reader) => reader(ctx, request)))];
    }),
  );
}

/** As `open`, on a database that is open already. */
export function openOn(sqlite: Database, options: OpenOptions = {}): App {
  migrate(sqlite, migrations);
  const { clock = systemClock, log = silentLog, hosting = false, isDevelopment = false } = options;
  const generation = clock.ms();
  const watcher: QueueWatcher = {
    onEvent: options.onEvent,
    onFault: (error) =>
      log.error("bug", { operation: "deliver", error: String((error as Error)?.stack ?? error) }),
    onShed: (count) => log.warn("queues", { ended: count, reason: "memory" }),
  };
  const { queueMemory = shareOfMemory(), answerMemory = shareOfMemory() } = options;
  const queues = new MemoryQueues(clock, generation, watcher, queueMemory);
  const onCommit = (bodies: number) => countCommit(countersOf(db), bodies);
  const { onBatch } = options;
  const db: SqliteDb = new SqliteDb(sqlite, { clock, hosting, publisher: queues, outbox, onBatch, onCommit });
  const site = options.site ?? (realmSettings.read({ db }).site || defaultSite);
  registerHooks(
    db,
    domains.flatMap((domain) => domain.hooks ?? []),
  );
  const state = statesOf(domains);
  const env: Env = { db, queues, state, files: options.files ?? "", site, generation, isDevelopment };
  const ctx = (actor: Actor): Ctx => ({ actor, env, db, now: clock.now() });
  const system = ctx({ kind: "system", id: 0, client: "Internal" });
  if (hosting) db.noticeOthers(system);
  const counted = countingLog(log, () => countersOf(db));
  const http = httpApp({
    endpoints: domains.flatMap((domain) => domain.endpoints ?? []),
    authenticate: options.authenticate ?? ((authorization) => authenticate(system, authorization)),
    ctx,
    log: counted,
    charge: options.rateLimits && rateLimiter(clock, options.rateLimits),
    isProxy: options.isProxy,
    onLargeAnswer: unreadAnswers(answerMemory, log),
    followsHost: options.followsHost,
    onAnswer: options.onAnswer,
  });
  return {
    env,
    ctx,
    system,
    fetch: (request, env) => {
      lookAround(system);
      return refuseForged(request, { site, log: counted }) ?? http.fetch(request, env);
    },
    close: () => {
      stopExports({ db });
      return db.close();
    },
  };
}
