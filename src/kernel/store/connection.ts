// What a transaction needs: the database's connection, and what the process does with events and commits.
import type { Statement } from "bun:sqlite";
import type { Db, Tx, WriteResult } from "@/kernel/core/context.ts";
import type { Emitted, EventType } from "@/kernel/core/events.ts";
import type { Clock } from "@/kernel/lib/clock.ts";
import type { CommitLog, Effect, Written } from "./commit-log.ts";
import type { IdRange } from "./event-ids.ts";

/** Delivers committed events. `prepare` runs inside the transaction: queues that are opened later do not get the event. */
export interface Publisher<D = unknown> {
  prepare(emitted: Emitted): D;
  /** Returns the same for other processes' events, which are parsed when they are delivered; for the queues that are open now. */
  later(): EmitLater<D>;
  /**
   * Delivers the events of a commit; with `inNextTurn`, none of them before the next turn of the event loop. With a log, `ids` are the IDs that it
   * gives to them, from `startAt` on.
   */
  publish(deliveries: D[], ids?: IdRange, inNextTurn?: boolean): void;
  /** Delivers events in the next turns of the event loop, reading a slice in each. Later commits wait until then. */
  publishLater(slices: Iterator<D[]>): void;
  startAt(id: number): void;
}

export type EmitLater<D = unknown> = (event: EventType<unknown>, read: () => Emitted) => D;

/** The table through which a process without event queues passes its events to the server. */
export interface Outbox {
  store(tx: Tx, emitted: Emitted[]): void;
  /** The events after an ID, oldest first, and the ID of the last. `make` parses an event, which takes time. */
  read(
    db: Db,
    after: number,
    span?: { upTo: number; most: number },
  ): { stored: { event: EventType<unknown>; make: () => Emitted }[]; last: number };
  /** The kinds of these events, each once. */
  kinds(db: Db, after: number, upTo: number): EventType<unknown>[];
  /** The ID of the newest event; 0 without any. */
  newest(db: Db): number;
  /** Deletes the events up to an ID. */
  clear(tx: Tx, upTo: number): void;
}

export interface DbOptions {
  clock: Clock;
  publisher: Publisher;
  outbox: Outbox;
  /** True in the process that holds the event queues. */
  hosting: boolean;
  /** Present on a cluster node: batches are committed to it first. */
  log?: CommitLog | undefined;
  /** The migrations of a cluster node's database. */
  migrations?: readonly string[];
  /** Called with every batch before it commits. */
  onBatch?: (written: Written[], emitted: Emitted[]) => void;
  /** Called if closing cannot merge the write-ahead log into the database's file, which keeps it next to the file. */
  onUnmerged?: (error: unknown) => void;
  /** Called after each commit with its number of bodies. */
  onCommit?: (bodies: number) => void;
}

/** Counts the changes of a table; `watched` if a cache depends on it. */
export interface Counter {
  n: number;
  watched: boolean;
}

export interface Prepared {
  statement: Statement;
  counter: Counter;
  /** The table that it writes, in lower case; "" if it writes none. */
  table: string;
}

/** The database as transactions use it. */
export interface Connection extends Db {
  lastFailure: unknown;
  prepare(sql: string): Prepared;
  /** The effect of a statement that has just run, in values that all copies of the database can compare. */
  effectOf(sql: string, result: WriteResult): Effect;
  exec(sql: string): void;
  /** Marks a table as changed, so that caches of it are loaded again. */
  bump(counter: Counter): void;
  /** Marks all tables as changed. */
  bumpAll(): void;
}
