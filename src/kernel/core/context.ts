// What every operation is given. It imports only types, so that every file may import it.

import type { Database } from "bun:sqlite";
import type { Clock } from "@/kernel/lib/clock.ts";
import type { Task } from "@/kernel/lib/tasks.ts";
import type { Audience, Emitted, EventType, Traits } from "./events.ts";
import type { Queues } from "./queue-types.ts";

/** What let a client in: a session of a browser or an API key, by its ID. */
export interface Credential {
  readonly kind: "session" | "key" | "token";
  readonly id: number;
}

/** Who is acting. Only bootstrap, recovery and jobs act as `system`; the command line and the console act as a user. */
export interface Actor {
  readonly kind: "user" | "system" | "anonymous";
  /** The user's ID; 0 for `system` and `anonymous`. */
  readonly id: number;
  /** The client's name, which is stored with what the actor writes. */
  readonly client: string;
  /** The address at which the client asked, if the server is set to follow it. */
  readonly site?: string | undefined;
  /** Whether it is the operator, who acts on the data folder at the server's machine. */
  readonly isOperator?: boolean | undefined;
  /** Absent for the command line, the console, the operator and jobs. */
  readonly by?: Credential | undefined;
}

/** What the whole process shares, for the server, the command line and the console alike. */
export interface Env {
  readonly db: Db;
  readonly queues: Queues;
  /** Reads each part of the initial state, by the type of event that keeps it current. */
  readonly state: ReadonlyMap<string, StateReader>;
  /** The folder of the files outside the database. */
  readonly files: string;
  /** The URL at which clients reach this server, without a trailing slash. */
  readonly site: string;
  /** Differs at every start; part of queue IDs. */
  readonly generation: number;
  /** True on a server that is only for trying things out. */
  readonly isDevelopment: boolean;
}

/** Whether this process writes to the database itself: in a cluster, only the node that leads does. */
export function writesHere({ db: { peers } }: Reads): boolean {
  return peers === null || peers.leads;
}

/**
 * The URL at which the actor reaches this server. Use it only in an answer to the actor: what is stored, mailed or sent
 * to others uses `env.site`.
 */
export function siteOf({ actor, env }: Pick<Ctx, "actor" | "env">): string {
  return actor.site ?? env.site;
}

/** The URLs at which the actor may name this server: its own, and the one that the actor uses. */
export function sitesOf({ actor, env }: Pick<Ctx, "actor" | "env">): readonly string[] {
  return actor.site === undefined || actor.site === env.site ? [env.site] : [env.site, actor.site];
}

/** The part of a client's registration that decides its initial state (docs/reference/http-api.md#register-queue). */
export interface StateRequest extends Traits {
  readonly fetched: ReadonlySet<string> | null;
}

/** One type's part of the initial state, read in the tick in which the queue opens, or before it where it is `early`. */
export interface StateReader {
  (ctx: Ctx, request: StateRequest): Record<string, unknown>;
  /** Set by `early` and `earlyInSteps` (src/kernel/events/state.ts). */
  readonly early?: {
    tables: readonly string[] | null;
    steps?: (ctx: Ctx, request: StateRequest) => Task<object>;
  };
  /** Set by `forSpectators`: the part for people without an account, who get none otherwise. */
  readonly spectators?: (ctx: Ctx, request: StateRequest) => object;
}

/** Everything a query may use: the actor and reads of committed state. */
export interface Ctx {
  readonly actor: Actor;
  readonly env: Env;
  readonly db: Db;
  /** UNIX seconds; constant within a transaction. */
  readonly now: number;
}

/** What a read needs. */
export type Reads = Pick<Ctx, "db">;
export type ReadsNow = Pick<Ctx, "db" | "now">;

/** What an action body may use: reads that see its own writes, writes, and events published after the commit. */
export interface Tx extends Ctx {
  run(sql: string, ...params: SqlValue[]): WriteResult;
  emit<P>(event: EventType<P>, audience: Audience, payload: P): void;
  /**
   * The users among these whose own variant of an event is needed: those who have a queue, or all if the
   * event is kept for another process.
   */
  listeners(userIds: readonly number[]): readonly number[];
  /** Whether a queue might get an event with this audience, or the event is kept for another process. */
  hasListeners(audience: Audience): boolean;
}

export type SqlValue = string | number | bigint | null | Uint8Array;

export interface WriteResult {
  changes: number;
  lastInsertRowid: number;
}

/** The nodes of a cluster, as one of them sees them. */
export interface Peers {
  /** Whether this node is the one that writes. */
  readonly leads: boolean;
  /** Emits an event on all nodes, this one included, without storing it. */
  broadcast<P>(emitted: Emitted<P>): void;
}

/** The database as code outside the kernel sees it. */
export interface Db {
  /** Null on a standalone server. */
  readonly peers: Peers | null;
  /** Increases whenever a table that a cache depends on changes, in this process or another. */
  readonly epoch: number;
  /** Grows whenever any table changes, in this process or, once that is noticed, in another. */
  readonly changes: number;
  /** Called each time that `changes` grows, also within a transaction. */
  onChange: () => void;
  /** The error of this process's last batch; null if it was committed. */
  readonly lastFailure: unknown;
  /** The values of `perApp` for this app. */
  readonly kept: Map<object, unknown>;
  readonly sqlite: Database;
  readonly clock: Clock;
  all<T>(sql: string, ...params: SqlValue[]): T[];
  get<T>(sql: string, ...params: SqlValue[]): T | null;
  /**
   * Queues a synchronous body for the next batch; resolves with its result once the batch is on disk. A repeatable body may
   * run twice, the first time undone: it must change nothing but the database. Refused once the database is being closed.
   */
  write<T>(ctx: Ctx, body: (tx: Tx) => T, isRepeatable?: boolean): Promise<T>;
  /**
   * Checks for commits by other processes. Afterwards caches see what they wrote and, in the process that holds the
   * event queues, their events are queued. Takes no lock; costs a microsecond if there is nothing new.
   */
  noticeOthers(ctx: Ctx): void;
  /** Frees SQLite's cache of pages; later queries read again what they need. */
  releaseCache(): void;
  /** Returns a table's change counter, which from now on counts for `epoch`. */
  watch(table: string): { readonly n: number };
}
