// The store: one connection, group commit, and the single function all writes pass (DESIGN, "Store").
import type { Database, Statement } from "bun:sqlite";
import { Batch, type Counter, type DbOptions, type Job } from "./batch.ts";
import type { Clock } from "./clock.ts";
import type { Ctx, SqlValue, Tx } from "./context.ts";
import { AppError } from "./errors.ts";

interface Prepared {
  statement: Statement;
  counter: Counter;
}

const batchMs = 50;
const tableOf =
  /^\s*(?:INSERT(?:\s+OR\s+\w+)?\s+INTO|REPLACE\s+INTO|UPDATE(?:\s+OR\s+\w+)?|DELETE\s+FROM)\s+(\w+)/i;

export class Db {
  /** Grows whenever a table that some cache depends on changes, in this process or another. */
  epoch = 0;
  private readonly prepared = new Map<string, Prepared>();
  private readonly counters = new Map<string, Counter>();
  private waiting: Job[] = [];
  private scheduled = false;
  private dataVersion: number;

  constructor(
    readonly sqlite: Database,
    private readonly options: DbOptions,
  ) {
    // A server's first look takes over what waits in the outbox, before anyone could hear it as news.
    this.dataVersion = options.hosting ? -1 : this.readDataVersion();
  }

  get clock(): Clock {
    return this.options.clock;
  }

  all<T>(sql: string, ...params: SqlValue[]): T[] {
    return this.prepare(sql).statement.all(...params) as T[];
  }

  get<T>(sql: string, ...params: SqlValue[]): T | null {
    return this.prepare(sql).statement.get(...params) as T | null;
  }

  /** Queues a synchronous body for the next batch; resolves with its result once the batch is on disk. */
  write<T>(ctx: Ctx, body: (tx: Tx) => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.waiting.push({ ctx, body, resolve: resolve as (value: unknown) => void, reject });
      this.schedule();
    });
  }

  /** Looks for commits of other processes: refreshes caches, and where this process hosts, delivers their events. */
  noticeOthers(ctx: Ctx): void {
    if (this.readDataVersion() === this.dataVersion) return;
    this.commitBatch([], ctx);
  }

  /** Finishes the writes that wait, then folds the log into the database file and closes it. */
  async close(): Promise<void> {
    while (this.waiting.length > 0) await new Promise((resolve) => setImmediate(resolve));
    for (const { statement } of this.prepared.values()) statement.finalize();
    this.prepared.clear();
    if (this.options.hosting) this.sqlite.run("PRAGMA wal_checkpoint(TRUNCATE)");
    this.sqlite.close();
  }

  prepare(sql: string): Prepared {
    const known = this.prepared.get(sql);
    if (known) return known;
    const prepared = {
      statement: this.sqlite.prepare(sql),
      counter: this.counterOf(tableOf.exec(sql)?.[1]?.toLowerCase() ?? ""),
    };
    this.prepared.set(sql, prepared);
    return prepared;
  }

  /** The change counter of a table, from now on part of `epoch`. */
  watch(table: string): Counter {
    const counter = this.counterOf(table);
    counter.watched = true;
    return counter;
  }

  private counterOf(table: string): Counter {
    const known = this.counters.get(table);
    if (known) return known;
    const counter = { n: 0, watched: false };
    this.counters.set(table, counter);
    return counter;
  }

  /** Marks a table as changed, so that caches over it are asked again. */
  bump(counter: Counter): void {
    counter.n++;
    if (counter.watched) this.epoch++;
  }

  private readDataVersion(): number {
    return (this.prepare("PRAGMA data_version").statement.get() as { data_version: number }).data_version;
  }

  private schedule(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    setImmediate(() => {
      this.scheduled = false;
      const jobs = this.waiting;
      this.waiting = [];
      const first = jobs[0];
      if (first) this.commitBatch(jobs, first.ctx);
    });
  }

  private commitBatch(jobs: Job[], ctx: Ctx): void {
    let batch: Batch;
    try {
      this.exec("BEGIN IMMEDIATE");
      batch = new Batch(this, this.options, ctx);
      this.carryOut(batch, jobs);
    } catch (error) {
      this.rollBack();
      const failure = new AppError(
        "SERVER_NOT_READY",
        "The server could not save this just now. Please try again.",
      );
      failure.cause = error;
      for (const job of jobs) job.reject(failure);
      if (jobs.length === 0) throw failure;
      return;
    }
    this.options.publisher.publish(batch.deliveries);
    for (const settle of batch.settlements) settle();
  }

  private carryOut(batch: Batch, jobs: Job[]): void {
    const version = this.readDataVersion();
    if (version !== this.dataVersion) {
      for (const counter of this.counters.values()) this.bump(counter);
      if (this.options.hosting) batch.takeOver(this.options.outbox);
    }
    const deadline = performance.now() + batchMs;
    let taken = 0;
    for (const job of jobs) {
      if (taken > 0 && performance.now() > deadline) break;
      batch.runJob(job);
      taken++;
    }
    if (taken < jobs.length) {
      this.waiting = jobs.splice(taken).concat(this.waiting);
      this.schedule();
    }
    batch.finish();
    this.exec("COMMIT");
    this.dataVersion = version;
    this.options.onCommit?.(taken);
  }

  private rollBack(): void {
    try {
      this.exec("ROLLBACK");
    } catch {
      // SQLite has rolled back by itself (disk full, I/O error): there is nothing left to undo.
    }
    for (const counter of this.counters.values()) this.bump(counter);
  }

  exec(sql: string): void {
    this.prepare(sql).statement.run();
  }
}
