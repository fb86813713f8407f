// What batches have in common, whether they commit to SQLite or to the log of a cluster.

import { AppError, type CommonError } from "@/kernel/lib/errors.ts";
import type { Batch } from "./batch.ts";
import type { Connection } from "./connection.ts";
import type { WriteJob } from "./job.ts";

/** A batch starts no further body after this time: another body and the commit would make all requests wait longer. */
const batchMs = 10;

/** Runs bodies until the batch has taken long enough, but at least one; returns the jobs that are left. */
export function runSome(batch: Batch, jobs: readonly WriteJob[]): WriteJob[] {
  const { clock } = batch.options;
  const deadline = clock.steady() + batchMs;
  let taken = 0;
  for (const job of jobs) {
    if (taken > 0 && clock.steady() >= deadline) break;
    batch.runJob(job);
    taken++;
  }
  return jobs.slice(taken);
}

/** Rejects jobs that were not saved; the cause is for the log and for /health. */
export function refuse(db: Connection, jobs: readonly WriteJob[], failure: AppError, cause: unknown): void {
  failure.cause = cause;
  if (jobs.length > 0) db.lastFailure = cause;
  for (const job of jobs) job.reject(failure);
}

/** What a write gets that comes once the last ones have been saved: work that takes long may still be under way. */
export function refuseLate(kind: CommonError): Promise<never> {
  return Promise.reject(new AppError(kind, "The server is stopping, so this was not saved."));
}

/** Undoes the transaction, and lets caches forget what they have read in it. */
export function rollBack(db: Connection): void {
  try {
    db.exec("ROLLBACK");
  } catch {
    // SQLite has rolled back by itself (disk full, I/O error): there is nothing left to undo.
  }
  db.bumpAll();
}

/** Whether another process has the lock that a statement needs. */
export function isBusy(error: unknown): boolean {
  return String((error as { code?: unknown }).code).startsWith("SQLITE_BUSY");
}
