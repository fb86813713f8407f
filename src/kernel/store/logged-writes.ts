// Writes in a cluster (docs/design.md#several-nodes): bodies run and are rolled back, the batch is appended to the log,
// and only then applied here, as on every other node. So nobody reads what might still be lost.

import type { Ctx, Tx } from "@/kernel/core/context.ts";
import type { Emitted } from "@/kernel/core/events.ts";
import { AppError, notSaved } from "@/kernel/lib/errors.ts";
import { Batch } from "./batch.ts";
import { EndOfNode, type LogPosition, NotAppended, Unconfirmed, type Written } from "./commit-log.ts";
import type { Connection } from "./connection.ts";
import {
  createUnsureError,
  findForwardedRequest,
  type MadeWrite,
  toMadeWrite,
} from "./forwarded-requests.ts";
import type { WriteJob } from "./job.ts";
import { checkReferences } from "./replaying.ts";
import { Replica } from "./replica.ts";
import { refuse, refuseLate, rollBack, runSome } from "./write-batches.ts";

/** The log may hold the write after all, so the text must not make a client blindly send it again. */
export const unconfirmed =
  "The server could not confirm that this was saved. Please look before you try again.";

/** The effects of a batch's bodies, and their answers. */
interface Outcome {
  written: Written[];
  emitted: Emitted[];
  settlements: (() => void)[];
}

const nothing: Outcome = { written: [], emitted: [], settlements: [] };

export class LoggedWrites extends Replica {
  private waiting: WriteJob[] = [];
  private scheduled = false;
  /** A batch is being appended: the next one must start from the state after it. */
  private isAppending = false;
  private isRoomWanted = false;
  private isFinished = false;

  add<T>(ctx: Ctx, body: (tx: Tx) => T, isRepeatable = false): Promise<T> {
    if (this.isFinished) return refuseLate("NOT_NOW");
    const passed = findForwardedRequest();
    const n = passed ? passed.begun++ : 0;
    if (passed && passed.done.length > 0) {
      if (n < passed.done.length) return Promise.resolve(passed.done[n] as T);
      return Promise.reject(createUnsureError());
    }
    return new Promise<T>((resolve, reject) => {
      const since = this.options.clock.steady();
      const complete = (value: unknown) => {
        if (passed) passed.effect = "some";
        resolve(value as T);
      };
      this.waiting.push({ ctx, body, isRepeatable, resolve: complete, reject, since, passed, n });
      this.schedule();
    });
  }

  /** No other process writes to the database of a node. */
  noticeOthers(): void {}

  /** Resolves once no write is waiting or under way; refuses those that come later. */
  async finish(): Promise<void> {
    while (this.waiting.length > 0 || this.isAppending)
      await new Promise((resolve) => setTimeout(resolve, 1));
    this.isFinished = true;
    this.checkpoints.end();
  }

  /** Writes an entry, while this node leads, if few free IDs are left for events outside the log. */
  keepRoom(): void {
    if (!this.room.isScarce) return;
    this.isRoomWanted = true;
    this.schedule();
  }

  private schedule(): void {
    if (this.scheduled || this.isAppending || this.isFinished) return;
    this.scheduled = true;
    setImmediate(() => {
      this.scheduled = false;
      if ((this.waiting.length > 0 || this.isRoomWanted) && !this.isAppending) void this.runBatch();
    });
  }

  /** Runs one batch, from its bodies to their answers; never rejects. */
  private async runBatch(): Promise<void> {
    this.isAppending = true;
    let jobs: WriteJob[] | null = null;
    let settle = () => {};
    let isSent = false;
    try {
      if (this.isBehind) await this.catchUp();
      this.refuseOutdated();
      jobs = this.waiting;
      this.waiting = [];
      const { written, emitted, settlements } = jobs.length > 0 ? this.workOut(jobs) : nothing;
      settle = () => {
        for (const one of settlements) one();
      };
      const isAlone = written.length === 0 && emitted.every(({ event }) => event.isFleeting);
      if (!isAlone || this.isRoomWanted) {
        const room = emitted.length > 0 || this.isRoomWanted ? this.room.next(isAlone) : undefined;
        this.isRoomWanted = false;
        this.isBehind = true;
        isSent = true;
        const position = await this.log.append({ written, emitted, room, requests: listMade(jobs) }, this.at);
        this.apply({ position, written, emitted, room }, jobs.length);
        this.isBehind = false;
        if (emitted.some(({ event }) => event.isAwaited)) settle = this.onceSpread(position, settle);
      } else if (emitted.length > 0) this.log.announce(emitted);
      this.db.lastFailure = null;
      settle();
    } catch (error) {
      if (jobs && error instanceof Unconfirmed) void this.settleOnceFound(jobs, settle, error);
      else {
        const isUnknown = isSent && !(error instanceof NotAppended);
        if (jobs && isUnknown) refuseUnknown(this.db, jobs, error);
        else refuse(this.db, jobs ?? this.waiting.splice(0), notNow(), error);
      }
      if (error instanceof EndOfNode) this.log.endNode(error);
    } finally {
      this.isAppending = false;
      if (this.waiting.length > 0) this.schedule();
    }
  }

  /** No node may go on accepting what has just ended. Later batches do not wait for this. */
  private onceSpread({ seq }: LogPosition, settle: () => void): () => void {
    return () => {
      this.log
        .spread(seq)
        .catch(() => {})
        .finally(settle);
    };
  }

  /** Later batches do not wait for this. */
  private async settleOnceFound(jobs: WriteJob[], settle: () => void, error: Unconfirmed): Promise<void> {
    const isThere = await error.found;
    if (isThere) settle();
    else if (isThere === null) refuseUnknown(this.db, jobs, error);
    else refuse(this.db, jobs, notNow(), error);
  }

  /** What was passed on to this node in an earlier term, the other node may have passed on again. */
  private refuseOutdated(): void {
    const { term } = this.log;
    const isOutdated = ({ passed }: WriteJob) =>
      passed !== undefined && passed.id !== "" && passed.term !== term;
    const outdated = this.waiting.filter(isOutdated);
    if (outdated.length === 0) return;
    this.waiting = this.waiting.filter((job) => !isOutdated(job));
    refuse(this.db, outdated, notNow(), new Error("It came in an earlier term"));
  }

  /** Runs the bodies that fit into a batch, leaves the others waiting, and rolls everything back. */
  private workOut(jobs: WriteJob[]): Outcome {
    const [{ ctx }] = jobs as [WriteJob];
    this.db.exec("BEGIN IMMEDIATE");
    try {
      const batch = new Batch(this.db, this.options, ctx);
      const left = runSome(batch, jobs);
      jobs.length -= left.length;
      this.waiting = left.concat(this.waiting);
      checkReferences(this.db, batch.written ?? []);
      this.db.exec("ROLLBACK");
      const { written, emitted, settlements } = batch;
      for (const { sql } of written ?? []) this.db.bump(this.db.prepare(sql).counter);
      return { written: written ?? [], emitted, settlements };
    } catch (error) {
      rollBack(this.db);
      throw error;
    }
  }
}

/** Nothing was saved. As the nodes answer that pass requests on. */
function notNow(): AppError {
  return new AppError("NOT_NOW", notSaved);
}

/** Rejects jobs whose writes may be in the log. */
function refuseUnknown(db: Connection, jobs: readonly WriteJob[], cause: unknown): void {
  for (const { passed } of jobs) if (passed) passed.effect = "unknown";
  refuse(db, jobs, new AppError("UNSURE", unconfirmed), cause);
}

/** What the entry of these writes says of requests that other nodes have passed on. */
function listMade(jobs: readonly WriteJob[]): MadeWrite[] | undefined {
  const all = jobs.flatMap(({ passed, n = 0, made }) =>
    passed && passed.id !== "" && made ? [toMadeWrite(passed, n, made.result)] : [],
  );
  return all.length > 0 ? all : undefined;
}
