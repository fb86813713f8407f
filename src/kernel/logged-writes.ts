// Writes in a cluster (docs/design.md#several-nodes): bodies run and are rolled back, the batch is appended to the log,
// and only then applied here, as on every other node. So nobody reads what might still be lost.
import { Batch, type Connection, type DbOptions, type Job } from "./batch.ts";
import {
  type CommitLog,
  Divergence,
  EndOfNode,
  type Entry,
  NotAppended,
  type Position,
  type Written,
} from "./commit-log.ts";
import type { Ctx, Tx, WriteResult } from "./context.ts";
import { followSchema, markReplica, positionOf } from "./database-file.ts";
import type { Emitted } from "./events.ts";
import { notSaved, refuse, rollBack, runSome } from "./write-turns.ts";

/** The log may hold the write after all, so the text must not make a client blindly send it again. */
export const unconfirmed =
  "The server could not confirm that this was saved. Please look before you try again.";
const beginning: Position = { seq: 0, digest: "" };
const deferring = /^\s*PRAGMA\s+defer_foreign_keys\b/i;

export class LoggedWrites {
  private waiting: Job[] = [];
  private scheduled = false;
  /** A batch is being appended: the next one must start from the state after it. */
  private isAppending = false;
  /** The log may hold entries that this database lacks; no batch may run before they are applied. */
  private isBehind = false;
  private catching: Promise<void> | null = null;
  private at: Position;
  /** The log holds an entry that could not be applied here, for instance because the disk is full. */
  isStuck = false;

  constructor(
    private readonly db: Connection,
    private readonly options: DbOptions,
    private readonly log: CommitLog,
  ) {
    const { sqlite } = db;
    if (positionOf(sqlite) === null) markReplica(sqlite, beginning);
    // The log survives a power cut: what this file loses is read from there again.
    sqlite.run("PRAGMA synchronous = NORMAL");
    this.at = positionOf(sqlite) ?? beginning;
  }

  /** The schema of this version of Confab. */
  get schema(): number {
    return this.options.migrations?.length ?? 0;
  }

  /** The newest entry that this database holds. */
  get position(): Position {
    return this.at;
  }

  add<T>(ctx: Ctx, body: (tx: Tx) => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const since = this.options.clock.steady();
      this.waiting.push({ ctx, body, resolve: resolve as (value: unknown) => void, reject, since });
      this.schedule();
    });
  }

  /** No other process writes to the database of a node. */
  noticeOthers(): void {}

  /** Resolves once no write is waiting or under way. */
  async finish(): Promise<void> {
    while (this.waiting.length > 0 || this.isAppending)
      await new Promise((resolve) => setTimeout(resolve, 1));
  }

  /** Brings this database to the end of the log. */
  catchUp(): Promise<void> {
    this.catching ??= this.readOn().finally(() => {
      this.catching = null;
    });
    return this.catching;
  }

  /**
   * Applies an entry and delivers its events; ignores one that this database already holds. Throws `Divergence` if its
   * effect here differs.
   */
  apply({ position, written, emitted, schema }: Entry, bodies = 0): void {
    if (position.seq <= this.at.seq) return;
    if (position.seq !== this.at.seq + 1) {
      throw new Error(`The database is at entry ${this.at.seq} of the log; ${position.seq} is not the next.`);
    }
    this.db.exec("BEGIN IMMEDIATE");
    try {
      if (schema !== undefined) followSchema(this.db.sqlite, this.options.migrations ?? [], schema);
      for (const one of written) this.repeat(one, position.seq);
      this.db
        .prepare("UPDATE replication SET seq = ?, digest = ?")
        .statement.run(position.seq, position.digest);
      this.options.onBatch?.([...written], [...emitted]);
      this.db.exec("COMMIT");
    } catch (error) {
      rollBack(this.db);
      this.isStuck = true;
      throw error;
    }
    this.at = position;
    this.options.onCommit?.(bodies);
    this.deliver(emitted);
  }

  /** Puts events into the queues of this process. */
  deliver(emitted: readonly Emitted[]): void {
    const { publisher } = this.options;
    publisher.publish(emitted.map((one) => publisher.prepare(one)));
  }

  private async readOn(): Promise<void> {
    for (let entries = await this.log.read(this.at); entries.length > 0; ) {
      for (const entry of entries) this.apply(entry);
      entries = await this.log.read(this.at);
    }
    this.isBehind = false;
    this.isStuck = false;
  }

  private repeat({ sql, params, changes, rowid }: Written, seq: number): void {
    const { statement, counter } = this.db.prepare(sql);
    this.db.bump(counter);
    const here = this.db.effectOf(sql, statement.run(...params) as WriteResult);
    if (here.changes === changes && here.rowid === rowid) return;
    throw new Divergence(
      `Entry ${seq} of the log changed ${changes} rows (rowid ${rowid}) where it was made, and ${here.changes} (rowid ${here.rowid}) here: ${sql}`,
    );
  }

  private schedule(): void {
    if (this.scheduled || this.isAppending) return;
    this.scheduled = true;
    setImmediate(() => {
      this.scheduled = false;
      if (this.waiting.length > 0 && !this.isAppending) void this.turn();
    });
  }

  /** Runs one batch, from its bodies to their answers; never rejects. */
  private async turn(): Promise<void> {
    this.isAppending = true;
    let jobs: Job[] = [];
    let isSent = false;
    try {
      if (this.isBehind) await this.catchUp();
      jobs = this.waiting;
      this.waiting = [];
      const batch = this.workOut(jobs);
      const { written, emitted } = batch;
      if (written && written.length > 0) {
        this.isBehind = true;
        isSent = true;
        const position = await this.log.append({ written, emitted }, this.at);
        this.apply({ position, written, emitted }, jobs.length);
        this.isBehind = false;
      } else if (emitted.length > 0) this.log.announce(emitted);
      this.db.lastFailure = null;
      for (const settle of batch.settlements) settle();
    } catch (error) {
      const sentence = isSent && !(error instanceof NotAppended) ? unconfirmed : notSaved;
      refuse(this.db, jobs.length > 0 ? jobs : this.waiting.splice(0), sentence, error);
      if (error instanceof EndOfNode) this.log.ended(error);
    } finally {
      this.isAppending = false;
      if (this.waiting.length > 0) this.schedule();
    }
  }

  /** Runs the bodies that fit into a batch, leaves the others waiting, and rolls everything back. */
  private workOut(jobs: Job[]): Batch {
    const [{ ctx }] = jobs as [Job];
    this.db.exec("BEGIN IMMEDIATE");
    try {
      const batch = new Batch(this.db, this.options, ctx);
      const left = runSome(batch, jobs);
      jobs.length -= left.length;
      this.waiting = left.concat(this.waiting);
      this.checkReferences(batch);
      this.db.exec("ROLLBACK");
      for (const { sql } of batch.written ?? []) this.db.bump(this.db.prepare(sql).counter);
      return batch;
    } catch (error) {
      rollBack(this.db);
      throw error;
    }
  }

  /** Checks, before the batch is in the log, what SQLite checks only at a commit. */
  private checkReferences({ written }: Batch): void {
    if (!written?.some(({ sql }) => deferring.test(sql))) return;
    const dangling = this.db.get<{ table: string }>('SELECT "table" FROM pragma_foreign_key_check LIMIT 1');
    if (dangling) throw new Error(`A row of ${dangling.table} refers to one that is not there`);
  }
}
