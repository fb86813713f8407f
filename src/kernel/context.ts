// What every operation is given. It imports types alone, so that everything may import it.
import type { Database } from "bun:sqlite";
import type { Clock } from "./clock.ts";
import type { Queues } from "./event-queue.ts";
import type { Audience, EventType, Traits } from "./events.ts";

/** Who is acting. Only bootstrap, recovery and jobs act as `system`; the command line and the console act as a user. */
export interface Actor {
  readonly kind: "user" | "system" | "anonymous";
  /** The user's ID; 0 for `system` and `anonymous`. */
  readonly id: number;
  /** The client's name, which is stored with what the actor writes. */
  readonly client: string;
  /** By which address they asked, where the server follows it. */
  readonly site?: string | undefined;
}

/** What the whole process shares, whatever the front door. */
export interface Env {
  readonly db: Db;
  readonly queues: Queues;
  /** Reads each part of the initial state, by the type of event that keeps it current. */
  readonly state: ReadonlyMap<string, StateReader>;
  /** The folder of the files outside the database. */
  readonly files: string;
  /** Where clients reach this server, without a trailing slash. */
  readonly site: string;
  /** Different at every start; a part of queue IDs. */
  readonly generation: number;
  /** The server is there to try things out on. */
  readonly isDevelopment: boolean;
}

/**
 * Where the actor reaches this server, for their own answer alone; what is stored, mailed or sent to others names
 * `env.site`.
 */
export function siteOf({ actor, env }: Pick<Ctx, "actor" | "env">): string {
  return actor.site ?? env.site;
}

/** What the client asked for that shapes its initial state (docs/http-api.md#register-queue). */
export interface StateRequest extends Traits {
  readonly fetched: ReadonlySet<string> | null;
}

/** One type's part of the initial state, read in the tick in which the queue opens, or before it where it is `early`. */
export interface StateReader {
  (ctx: Ctx, request: StateRequest): Record<string, unknown>;
  /** Set by `early` (src/kernel/state.ts). */
  readonly early?: { tables: readonly string[] | null };
}

/** Everything a query may use: the actor and reads of committed state. */
export interface Ctx {
  readonly actor: Actor;
  readonly env: Env;
  readonly db: Db;
  /** UNIX seconds; within a transaction the same for all it writes. */
  readonly now: number;
}

/** What it takes to read. */
export type Reads = Pick<Ctx, "db">;
export type ReadsNow = Pick<Ctx, "db" | "now">;

/** What an action body may use: reads that see its own writes, writes, and events published after the commit. */
export interface Tx extends Ctx {
  run(sql: string, ...params: SqlValue[]): WriteResult;
  emit<P>(event: EventType<P>, audience: Audience, payload: P): void;
}

export type SqlValue = string | number | bigint | null | Uint8Array;

export interface WriteResult {
  changes: number;
  lastInsertRowid: number;
}

/** The store, as all but the kernel see it. */
export interface Db {
  /** Grows whenever a table that some cache depends on changes, in this process or another. */
  readonly epoch: number;
  /** Grows whenever any table changes, in this process or, once that is noticed, in another. */
  readonly changes: number;
  /** Why the last batch of this process is not on disk; null where it is. */
  readonly lastFailure: unknown;
  /** What `perApp` keeps for this app. */
  readonly kept: Map<object, unknown>;
  readonly sqlite: Database;
  readonly clock: Clock;
  all<T>(sql: string, ...params: SqlValue[]): T[];
  get<T>(sql: string, ...params: SqlValue[]): T | null;
  /** Queues a synchronous body for the next batch; resolves with its result once the batch is on disk. */
  write<T>(ctx: Ctx, body: (tx: Tx) => T): Promise<T>;
  /**
   * Looks for commits of other processes: from here on caches give what they wrote and, where this process hosts, their
   * events are in the queues. Waits for no lock, and costs a microsecond where there are none.
   */
  noticeOthers(ctx: Ctx): void;
  /** The change counter of a table, from now on part of `epoch`. */
  watch(table: string): { readonly n: number };
}
