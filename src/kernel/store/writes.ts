// Group commit: all waiting writes run in one transaction, each in its own savepoint (docs/design.md#store).
import type { Database } from "bun:sqlite";
import type { Ctx, Tx } from "@/kernel/core/context.ts";
import { AppError, type KnownText, notSaved } from "@/kernel/lib/errors.ts";
import { Batch } from "./batch.ts";
import { Checkpoints } from "./checkpoints.ts";
import type { Connection, DbOptions } from "./connection.ts";
import type { WriteJob } from "./job.ts";
import { OthersEvents } from "./others-events.ts";
import { isBusy, refuse, refuseLate, rollBack, runSome } from "./write-batches.ts";

/** How long SQLite waits for another process's lock, and all requests with it. */
export const busyMs = 5;
/** How often to try for the lock while another process writes. */
const retryMs = 20;
/** How long a write waits for another process before it is refused. */
const patienceMs = 10_000;
const lockedOut = `Another program has kept the database locked for ${patienceMs / 1000} seconds, so this could not be saved. Please try again.`;

export class Writes {
  private waiting: WriteJob[] = [];
  private scheduled = false;
  private isFinished = false;
  private dataVersion: number;
  /** Whether another process was writing at the last attempt. */
  private isLocked = false;
  private readonly checkpoints: Checkpoints | null;
  /** Null in a process without queues. */
  private readonly others: OthersEvents | null;

  constructor(
    private readonly db: Connection,
    private readonly options: DbOptions,
    sqlite: Database,
  ) {
    this.checkpoints = options.hosting ? new Checkpoints(sqlite) : null;
    this.others = options.hosting ? new OthersEvents(db, options, (ctx, body) => this.add(ctx, body)) : null;
    // A server's first check takes in waiting outbox events before any queue exists to receive them.
    this.dataVersion = options.hosting ? -1 : this.readDataVersion();
  }

  add<T>(ctx: Ctx, body: (tx: Tx) => T, isRepeatable = false): Promise<T> {
    if (this.isFinished) return refuseLate("SERVER_NOT_READY");
    return new Promise<T>((resolve, reject) => {
      const since = this.options.clock.steady();
      const settle = { resolve: resolve as (value: unknown) => void, reject };
      this.waiting.push({ ctx, body, isRepeatable, ...settle, since });
      this.schedule();
    });
  }

  noticeOthers(ctx: Ctx): void {
    if (this.readDataVersion() === this.dataVersion) return;
    let publish: (() => void) | undefined;
    this.db.exec("BEGIN");
    try {
      const version = this.readDataVersion();
      this.db.bumpAll();
      publish = this.others?.notice(new Batch(this.db, this.options, ctx));
      this.dataVersion = version;
    } finally {
      this.db.exec("COMMIT");
    }
    publish?.();
  }

  /** Resolves once no write is waiting; refuses those that come later. */
  async finish(): Promise<void> {
    this.others?.end();
    while (this.waiting.length > 0) await new Promise((resolve) => setTimeout(resolve, 1));
    this.isFinished = true;
    this.checkpoints?.end();
  }

  private readDataVersion(): number {
    return this.db.get<{ data_version: number }>("PRAGMA data_version")?.data_version ?? 0;
  }

  private schedule(pauseMs = 0): void {
    if (this.scheduled) return;
    this.scheduled = true;
    const runScheduled = () => {
      this.scheduled = false;
      if (this.waiting.length > 0) this.runBatch();
    };
    if (pauseMs > 0) setTimeout(runScheduled, pauseMs);
    else setImmediate(runScheduled);
  }

  private runBatch(): void {
    if (this.checkpoints?.isUnderWay) {
      this.schedule();
      return;
    }
    try {
      this.begin();
      if (this.adoptsManyFirst()) return;
    } catch (error) {
      if (this.db.sqlite.inTransaction) rollBack(this.db);
      if (isBusy(error)) this.waitForOthers(error);
      else refuse(this.db, this.waiting.splice(0), notReady(notSaved), error);
      return;
    }
    const jobs = this.waiting;
    this.waiting = [];
    this.commitBatch(jobs);
  }

  /** Only the first attempt waits for another process: during the others, requests would wait as well. */
  private begin(): void {
    const { sqlite } = this.db;
    const mayWait = !this.isLocked;
    if (!mayWait) sqlite.run("PRAGMA busy_timeout = 0");
    try {
      this.db.exec("BEGIN IMMEDIATE");
      this.isLocked = false;
    } finally {
      if (!mayWait) sqlite.run(`PRAGMA busy_timeout = ${busyMs}`);
    }
  }

  /** After a large commit of another process, reads its events, and leaves the bodies to the next turn of the event loop. */
  private adoptsManyFirst(): boolean {
    if (!this.others || this.readDataVersion() === this.dataVersion || !this.others.areMany) return false;
    this.db.exec("ROLLBACK");
    const [{ ctx }] = this.waiting as [WriteJob];
    this.schedule();
    this.noticeOthers(ctx);
    return true;
  }

  /** Another process is writing: refuses writes that have waited too long, and tries again soon. */
  private waitForOthers(error: unknown): void {
    this.isLocked = true;
    const latest = this.options.clock.steady() - patienceMs;
    const late = this.waiting.filter(({ since }) => since <= latest);
    this.waiting.splice(0, late.length);
    refuse(this.db, late, notReady(lockedOut), error);
    this.schedule(retryMs);
  }

  private commitBatch(jobs: WriteJob[]): void {
    const [{ ctx }] = jobs as [WriteJob];
    const batch = new Batch(this.db, this.options, ctx);
    try {
      this.carryOut(batch, jobs);
    } catch (error) {
      rollBack(this.db);
      refuse(this.db, jobs, notReady(notSaved), error);
      return;
    }
    this.db.lastFailure = null;
    // Answered first, clients can prepare their next requests while the server writes the events to others.
    for (const settle of batch.settlements) settle();
    this.options.publisher.publish(batch.deliveries);
  }

  /** Takes in other processes' commits, inside a transaction. Call the result once the transaction has committed. */
  private adopt(batch: Batch): () => void {
    const version = this.readDataVersion();
    if (version === this.dataVersion) return () => {};
    this.db.bumpAll();
    const note = this.others?.adopt(batch);
    return () => {
      this.dataVersion = version;
      note?.();
    };
  }

  private carryOut(batch: Batch, jobs: WriteJob[]): void {
    const noteAdopted = this.adopt(batch);
    const left = runSome(batch, jobs);
    const taken = jobs.length - left.length;
    if (left.length > 0) {
      jobs.length = taken;
      this.waiting = left.concat(this.waiting);
      this.schedule();
    }
    batch.finish();
    this.db.exec("COMMIT");
    this.checkpoints?.afterCommit();
    noteAdopted();
    this.options.onCommit?.(taken);
  }
}

function notReady(sentence: KnownText): AppError {
  return new AppError("SERVER_NOT_READY", sentence);
}
