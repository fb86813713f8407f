import type { WriteResult } from "./batch.ts";
import type { Db } from "./db.ts";
import type { StateReader } from "./domain.ts";
import type { Audience, EventType } from "./events.ts";
import type { Queues } from "./queues.ts";

/** Who is acting. Only bootstrap, recovery and jobs act as `system`; the command line and the console act as a user. */
export interface Actor {
  readonly kind: "user" | "system" | "anonymous";
  /** The user's ID; 0 for `system` and `anonymous`. */
  readonly id: number;
  /** The client's name, which is stored and shown with messages. */
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
  /** The folder of what lies outside the database: uploads and pictures. */
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

/** Everything a query may use: the actor and reads of committed state. */
export interface Ctx {
  readonly actor: Actor;
  readonly env: Env;
  readonly db: Db;
  /** UNIX seconds; within a transaction the same for all it writes. */
  readonly now: number;
}

/** What an action body may use: reads that see its own writes, writes, and events published after the commit. */
export interface Tx extends Ctx {
  run(sql: string, ...params: SqlValue[]): WriteResult;
  emit<P>(event: EventType<P>, audience: Audience, payload: P): void;
}

export type SqlValue = string | number | bigint | null | Uint8Array;
