// Group commit: all waiting writes run in one transaction, each in its own savepoint (docs/design.md#store).
import type { Database } from "bun:sqlite";
import { Batch } from "./batch.ts";
import { Checkpoints } from "./checkpoints.ts";
import type { Connection, DbOptions } from "./connection.ts";
import type { Ctx, Tx } from "./context.ts";
import { notSaved } from "./errors.ts";
import type { Job } from "./job.ts";
import { nextTurn } from "./steps.ts";
import { Work } from "./turns.ts";
import { isBusy, refuse, rollBack, runSome } from "./write-turns.ts";

/** How long SQLite waits for another process's lock, and all requests with it. */
export const busyMs = 5;
/** How often to try for the lock while another process writes. */
const retryMs = 20;
/** How long a write waits for another process before it is refused. */
const patienceMs = 10_000;
/** So many events of other processes are read in a turn of the event loop that does nothing else. */
const manyAdopted = 250;
const clearedAtOnce = 2_000;
const lockedOut = `Another program has kept the database locked for ${patienceMs / 1000} seconds, so this could not be saved. Please try again.`;

export class Writes {
  private waiting: Job[] = [];
  private scheduled = false;
  private dataVersion: number;
  /** ID of the newest outbox event that is in the queues. */
  private adopted = 0;
  private hasEnded = false;
  /** Whether another process was writing at the last attempt. */
  private isLocked = false;
  private readonly checkpoints: Checkpoints | null;

  constructor(
    private readonly db: Connection,
    private readonly options: DbOptions,
    sqlite: Database,
  ) {
    this.checkpoints = options.hosting ? new Checkpoints(sqlite) : null;
    // A server's first check takes in waiting outbox events before any queue exists to receive them.
    this.dataVersion = options.hosting ? -1 : this.readDataVersion();
  }

  add<T>(ctx: Ctx, body: (tx: Tx) => T, isRepeatable = false): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const since = this.options.clock.steady();
      const settle = { resolve: resolve as (value: unknown) => void, reject };
      this.waiting.push({ ctx, body, isRepeatable, ...settle, since });
      this.schedule();
    });
  }

  noticeOthers(ctx: Ctx): void {
    if (this.readDataVersion() === this.dataVersion) return;
    const batch = new Batch(this.db, this.options, ctx);
    const before = this.adopted;
    this.db.exec("BEGIN");
    try {
      this.adopt(batch)();
    } finally {
      this.db.exec("COMMIT");
    }
    if (this.adopted === before) return;
    batch.finish();
    this.options.publisher.publish(batch.deliveries, undefined, batch.deliveries.length > manyAdopted);
    // If this fails, the next batch that takes in events clears these too.
    this.clearOutbox(ctx, batch.deliveries.length || 1).catch(() => {});
  }

  /** Deletes the events that were adopted, in writes of some thousands. */
  private async clearOutbox(ctx: Ctx, count: number): Promise<void> {
    const last = this.adopted;
    const work = new Work();
    for (let at = last - count; at < last; ) {
      const upTo = Math.min(at + clearedAtOnce, last);
      if (count > manyAdopted) await nextTurn(work);
      // Meanwhile the database may have been closed.
      if (this.hasEnded) return;
      await this.add(ctx, (tx) => this.options.outbox.clear(tx, upTo));
      at = upTo;
    }
  }

  /** Resolves once no write is waiting. */
  async finish(): Promise<void> {
    this.hasEnded = true;
    while (this.waiting.length > 0) await new Promise((resolve) => setTimeout(resolve, 1));
    this.checkpoints?.end();
  }

  private readDataVersion(): number {
    return this.db.get<{ data_version: number }>("PRAGMA data_version")?.data_version ?? 0;
  }

  private schedule(pauseMs = 0): void {
    if (this.scheduled) return;
    this.scheduled = true;
    const turn = () => {
      this.scheduled = false;
      if (this.waiting.length > 0) this.turn();
    };
    if (pauseMs > 0) setTimeout(turn, pauseMs);
    else setImmediate(turn);
  }

  private turn(): void {
    try {
      this.begin();
      if (this.adoptsManyFirst()) return;
    } catch (error) {
      if (this.db.sqlite.inTransaction) rollBack(this.db);
      if (isBusy(error)) this.waitForOthers(error);
      else refuse(this.db, this.waiting.splice(0), notSaved, error);
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
    if (!this.options.hosting || this.readDataVersion() === this.dataVersion) return false;
    if (this.options.outbox.newest(this.db) - this.adopted <= manyAdopted) return false;
    this.db.exec("ROLLBACK");
    const [{ ctx }] = this.waiting as [Job];
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
    refuse(this.db, late, lockedOut, error);
    this.schedule(retryMs);
  }

  private commitBatch(jobs: Job[]): void {
    const [{ ctx }] = jobs as [Job];
    const batch = new Batch(this.db, this.options, ctx);
    try {
      this.carryOut(batch, jobs);
    } catch (error) {
      rollBack(this.db);
      refuse(this.db, jobs, notSaved, error);
      return;
    }
    this.db.lastFailure = null;
    this.options.publisher.publish(batch.deliveries);
    for (const settle of batch.settlements) settle();
  }

  /** Takes in other processes' commits, inside a transaction. Call the result once the transaction has committed. */
  private adopt(batch: Batch, clear?: (upTo: number) => void): () => void {
    const version = this.readDataVersion();
    if (version === this.dataVersion) return () => {};
    this.db.bumpAll();
    const last = this.options.hosting ? batch.adopt(this.adopted) : this.adopted;
    if (this.options.hosting) clear?.(last);
    return () => {
      this.dataVersion = version;
      this.adopted = last;
    };
  }

  private carryOut(batch: Batch, jobs: Job[]): void {
    const noteAdopted = this.adopt(batch, (upTo) => batch.clearOutbox(upTo));
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
