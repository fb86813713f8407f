// What happens inside one transaction: bodies in savepoints, what they wrote, and what is to be told afterwards.
import type { Statement } from "bun:sqlite";
import type { Clock } from "./clock.ts";
import type { Ctx, Db, SqlValue, Tx, WriteResult } from "./context.ts";
import type { Audience, Emitted, EventType } from "./events.ts";

/** One write as it happened; running a batch's list again on the same state gives the same state. */
export interface Written {
  sql: string;
  params: SqlValue[];
}

/** Where committed events go. `prepare` runs inside the transaction, so audiences are those of that moment. */
export interface Publisher<D = unknown> {
  prepare(emitted: Emitted): D;
  publish(deliveries: D[]): void;
}

/** How a process without event queues leaves its events to the server, and how the server finds them. */
export interface Outbox {
  store(tx: Tx, emitted: Emitted[]): void;
  /** The events after an ID, oldest first, and the ID of the last. */
  read(db: Db, after: number): { emitted: Emitted[]; last: number };
  /** Deletes the events up to an ID. */
  clear(tx: Tx, upTo: number): void;
}

export interface DbOptions {
  clock: Clock;
  publisher: Publisher;
  outbox: Outbox;
  /** True in the process that holds the event queues. */
  hosting: boolean;
  /** Sees every batch before it commits: what a replicated log would append. */
  onBatch?: (written: Written[], emitted: Emitted[]) => void;
  /** Told how many bodies each commit held. */
  onCommit?: (bodies: number) => void;
}

/** How often a table has changed; `watched` where some cache depends on it. */
export interface Counter {
  n: number;
  watched: boolean;
}

export interface Prepared {
  statement: Statement;
  counter: Counter;
}

/** The store, as transactions use it. */
export interface Connection extends Db {
  lastFailure: unknown;
  prepare(sql: string): Prepared;
  exec(sql: string): void;
  /** Marks a table as changed, so that caches over it are asked again. */
  bump(counter: Counter): void;
  /** Marks all tables as changed. */
  bumpAll(): void;
}

export interface Job {
  ctx: Ctx;
  body: (tx: Tx) => unknown;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
  /** When it began to wait, by the steady clock. */
  since: number;
}

/** One transaction: the bodies that ran in it, what they wrote, and what is to be told once it is on disk. */
export class Batch {
  readonly deliveries: unknown[] = [];
  readonly settlements: (() => void)[] = [];
  readonly touched = new Set<Counter>();
  readonly emitted: Emitted[] = [];
  readonly written: Written[] | null;
  readonly now: number;

  constructor(
    readonly db: Connection,
    readonly options: DbOptions,
    readonly ctx: Ctx,
  ) {
    this.now = options.clock.now();
    this.written = options.onBatch ? [] : null;
  }

  runJob(job: Job): void {
    const mark = [this.deliveries.length, this.emitted.length, this.written?.length ?? 0] as const;
    this.touched.clear();
    this.db.exec("SAVEPOINT body");
    try {
      const result = job.body(new BodyTx(job.ctx, this));
      this.db.exec("RELEASE body");
      this.settlements.push(() => job.resolve(result));
    } catch (error) {
      // A full disk ends the whole transaction, and every body in it.
      if (!this.db.sqlite.inTransaction) throw error;
      this.db.exec("ROLLBACK TO body");
      this.db.exec("RELEASE body");
      for (const counter of this.touched) this.db.bump(counter);
      this.deliveries.length = mark[0];
      this.emitted.length = mark[1];
      if (this.written) this.written.length = mark[2];
      this.settlements.push(() => job.reject(error));
    }
  }

  run(sql: string, params: SqlValue[]): WriteResult {
    const { statement, counter } = this.db.prepare(sql);
    this.db.bump(counter);
    this.touched.add(counter);
    const result = statement.run(...params) as WriteResult;
    this.written?.push({ sql, params }); // not where it failed: its body may go on
    return result;
  }

  add(emitted: Emitted): void {
    if (this.options.onBatch || !this.options.hosting) this.emitted.push(emitted);
    if (this.options.hosting) this.deliveries.push(this.options.publisher.prepare(emitted));
  }

  /** Adopts the events after an ID that other processes left with their commits; returns the ID of the last. */
  adopt(after: number): number {
    const { emitted, last } = this.options.outbox.read(this.db, after);
    for (const one of emitted) this.add(one);
    return last;
  }

  clearOutbox(upTo: number): void {
    this.options.outbox.clear(new BodyTx(this.ctx, this), upTo);
  }

  finish(): void {
    if (!this.options.hosting && this.emitted.length > 0) {
      this.options.outbox.store(new BodyTx(this.ctx, this), this.emitted);
    }
    if (this.written) this.options.onBatch?.(this.written, this.emitted);
  }
}

class BodyTx implements Tx {
  readonly actor;
  readonly env;
  readonly db;
  readonly now;

  constructor(
    ctx: Ctx,
    private readonly batch: Batch,
  ) {
    this.actor = ctx.actor;
    this.env = ctx.env;
    this.db = batch.db;
    this.now = batch.now;
  }

  run(sql: string, ...params: SqlValue[]): WriteResult {
    return this.batch.run(sql, params);
  }

  emit<P>(event: EventType<P>, audience: Audience, payload: P): void {
    this.batch.add({ event: event as EventType<unknown>, audience, payload });
  }
}
