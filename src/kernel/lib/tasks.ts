// Cooperative tasks: long work in steps, run in time slices so that it does not block the event loop.
import { Scheduler, sliceMs, TimeUsed } from "./time-slices.ts";

/** A task may pause at each `yield`, which gives the cost since the last one in rows; returns the result. */
export type Task<T> = Generator<number, T>;

/** Runs all steps without a pause: for use inside a transaction. */
export function runSync<T>(task: Task<T>): T {
  for (;;) {
    const step = task.next();
    if (step.done) return step.value;
  }
}

/** The CPU time that the tasks of one request have used, and its limit. */
export class Budget {
  ms = 0;

  constructor(readonly maxMs: number) {}

  get isSpent(): boolean {
    return this.ms >= this.maxMs;
  }
}

const scheduler = new Scheduler({ now: () => performance.now(), later: setImmediate });

/**
 * Runs a task in slices of about a millisecond. Most tasks end within their first slice, and then do not pause. Parts of the same
 * request share `used`.
 */
export async function runInSlices<T>(task: Task<T>, used = new TimeUsed(), budget?: Budget): Promise<T> {
  for (;;) {
    if (!scheduler.mayRun()) await scheduler.next(used);
    const began = performance.now();
    const before = budget && process.threadCpuUsage();
    do {
      const step = task.next();
      if (step.done) {
        used.ranMs += performance.now() - began;
        return step.value;
      }
    } while (scheduler.mayRun());
    used.ranMs += performance.now() - began;
    if (budget) {
      const { user, system } = process.threadCpuUsage(before);
      budget.ms += (user + system) / 1000;
    }
  }
}

/** As `runInSlices`, but a task of at most this many rows waits for no slice: there may be a queue of long work. */
export async function runSoon<T>(task: Task<T>, rows = 200): Promise<T> {
  let read = 0;
  do {
    const step = task.next();
    if (step.done) return step.value;
    read += step.value;
  } while (read <= rows);
  return runInSlices(task);
}

/** Waits for a slice, which counts as used. In between, the event loop handles everything else that is due. */
export function nextSlice(used = new TimeUsed()): Promise<void> {
  const slice = scheduler.next(used);
  used.ranMs += sliceMs;
  return slice;
}

/**
 * Runs several ways to the same answer; the one with the least work so far takes the next step. So the answer costs
 * little more than the cheapest way's cost times the number of ways.
 */
export function* race<T>(ways: readonly { steps: Task<T>; waits: number }[]): Task<T> {
  const runners = ways.map(({ steps, waits }) => ({ steps, done: waits }));
  for (;;) {
    const next = runners.reduce((best, one) => (one.done < best.done ? one : best));
    const step = next.steps.next();
    if (step.done) return step.value;
    next.done += step.value;
    yield step.value;
  }
}
