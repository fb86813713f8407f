// One transaction: runs bodies in savepoints, records their writes, and collects the events to publish afterwards.

import type { Ctx, SqlValue, Tx, WriteResult } from "@/kernel/core/context.ts";
import type { Audience, Emitted, EventType } from "@/kernel/core/events.ts";
import type { Written } from "./commit-log.ts";
import type { Connection, Counter, DbOptions } from "./connection.ts";
import type { WriteJob } from "./job.ts";

/** What a batch holds at a moment, as lengths of its lists. */
interface Mark {
  deliveries: number;
  emitted: number;
  settlements: number;
  written: number;
}

/** One transaction: the bodies that ran in it, their writes, and the events to publish once it is on disk. */
export class Batch {
  readonly deliveries: unknown[] = [];
  readonly settlements: (() => void)[] = [];
  readonly touched = new Set<Counter>();
  readonly emitted: Emitted[] = [];
  readonly written: Written[] | null;
  readonly now: number;
  /** The open savepoint that repeatable bodies share, and those that ran in it. */
  private shared: { mark: Mark; jobs: WriteJob[]; refusals: (() => void)[] } | null = null;
  private writes = 0;

  constructor(
    readonly db: Connection,
    readonly options: DbOptions,
    readonly ctx: Ctx,
  ) {
    this.now = options.clock.now();
    this.written = options.onBatch || options.log ? [] : null;
  }

  runJob(job: WriteJob): void {
    if (job.isRepeatable) this.runShared(job);
    else this.runAlone(job);
  }

  private runAlone(job: WriteJob): void {
    this.shared = null;
    this.touched.clear();
    const mark = this.mark();
    this.db.exec("SAVEPOINT body");
    try {
      const result = job.body(new BodyTx(job.ctx, this));
      this.db.exec("RELEASE body");
      this.settle(job, result);
    } catch (error) {
      this.undo(mark, error);
      this.settlements.push(() => job.reject(error));
    }
  }

  /** Undoing this body also undoes those that share its savepoint, so they run again. */
  private runShared(job: WriteJob): void {
    if (!this.shared) {
      this.touched.clear();
      this.shared = { mark: this.mark(), jobs: [], refusals: [] };
      this.db.exec("SAVEPOINT body");
    }
    const { shared, writes } = this;
    const mark = this.mark();
    try {
      this.settle(job, job.body(new BodyTx(job.ctx, this)));
      shared.jobs.push(job);
    } catch (error) {
      shared.refusals.push(() => job.reject(error));
      if (this.writes === writes) {
        this.forget(mark);
        this.settlements.push(() => job.reject(error));
      } else {
        this.undo(shared.mark, error);
        this.settlements.push(...shared.refusals);
        this.shared = null;
        for (const one of shared.jobs) {
          one.made = undefined;
          this.runAlone(one);
        }
      }
    }
  }

  private settle(job: WriteJob, result: unknown): void {
    job.made = { result };
    this.settlements.push(() => job.resolve(result));
  }

  private mark(): Mark {
    const { deliveries, emitted, settlements } = this;
    return {
      deliveries: deliveries.length,
      emitted: emitted.length,
      settlements: settlements.length,
      written: this.written?.length ?? 0,
    };
  }

  /** Rolls back to the last savepoint, and ends it. */
  private undo(mark: Mark, error: unknown): void {
    // On a full disk, SQLite rolls back the whole transaction and every body in it.
    if (!this.db.sqlite.inTransaction) throw error;
    this.db.exec("ROLLBACK TO body");
    this.db.exec("RELEASE body");
    for (const counter of this.touched) this.db.bump(counter);
    this.forget(mark);
  }

  private forget(mark: Mark): void {
    this.deliveries.length = mark.deliveries;
    this.emitted.length = mark.emitted;
    this.settlements.length = mark.settlements;
    if (this.written) this.written.length = mark.written;
  }

  run(sql: string, params: SqlValue[]): WriteResult {
    const { statement, counter } = this.db.prepare(sql);
    this.db.bump(counter);
    this.touched.add(counter);
    this.writes++;
    const result = statement.run(...params) as WriteResult;
    // Only writes that succeeded: the body may catch an error and continue.
    this.written?.push({ sql, params, ...this.db.effectOf(sql, result) });
    return result;
  }

  /** Whether events are also kept for other processes or nodes. */
  get keepsEvents(): boolean {
    return this.written !== null || !this.options.hosting;
  }

  /** With a log, each node finds its own queues once it applies the batch. */
  private get delivers(): boolean {
    return this.options.hosting && !this.options.log;
  }

  add(emitted: Emitted): void {
    if (this.keepsEvents) this.emitted.push(emitted);
    if (this.delivers) this.deliveries.push(this.options.publisher.prepare(emitted));
  }

  /** Adds the events that other processes stored in the outbox after an ID; returns the ID of the last. */
  adopt(after: number): number {
    const { stored, last } = this.options.outbox.read(this.db, after);
    const later = this.options.publisher.later();
    for (const { event, make } of stored) {
      if (this.keepsEvents || !this.delivers) this.add(make());
      else this.deliveries.push(later(event, make));
    }
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

  listeners(userIds: readonly number[]): readonly number[] {
    if (this.batch.keepsEvents) return userIds;
    const { users } = this.env.queues;
    return users.size === 0 ? [] : userIds.filter((id) => users.has(id));
  }

  hasListeners(audience: Audience): boolean {
    return this.batch.keepsEvents || this.env.queues.mayReceive(audience);
  }
}
