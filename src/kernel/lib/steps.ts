// Splits long work into steps, so that it does not block the event loop.
import { Turns, turnMs, Work } from "./turns.ts";

/** Work that may pause at each `yield`, which gives the cost since the last one in rows; returns the result. */
export type Steps<T> = Generator<number, T>;

/** Runs all steps without a pause: for use inside a transaction. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** The CPU time that the turns of one request have used, and its limit. */
export class Effort {
  ms = 0;

  constructor(readonly maxMs: number) {}

  get isSpent(): boolean {
    return this.ms >= this.maxMs;
  }
}

const turns = new Turns({ now: () => performance.now(), later: setImmediate });

/**
 * Runs steps for about a millisecond at a time. Most work ends within its first turn, and then does not pause. Parts of the same
 * request have the same `work`.
 */
export async function inTurns<T>(steps: Steps<T>, work = new Work(), effort?: Effort): Promise<T> {
  for (;;) {
    if (!turns.mayRun()) await turns.next(work);
    const began = performance.now();
    const before = effort && process.threadCpuUsage();
    do {
      const step = steps.next();
      if (step.done) {
        work.ranMs += performance.now() - began;
        return step.value;
      }
    } while (turns.mayRun());
    work.ranMs += performance.now() - began;
    if (effort) {
      const { user, system } = process.threadCpuUsage(before);
      effort.ms += (user + system) / 1000;
    }
  }
}

/** As `inTurns`, but work of at most this many rows waits for no turn: there may be a queue of long work. */
export async function soon<T>(steps: Steps<T>, rows = 200): Promise<T> {
  let read = 0;
  do {
    const step = steps.next();
    if (step.done) return step.value;
    read += step.value;
  } while (read <= rows);
  return inTurns(steps);
}

/** Waits for a turn, which counts as used. In between, the event loop handles everything else that is due. */
export function nextTurn(work = new Work()): Promise<void> {
  const turn = turns.next(work);
  work.ranMs += turnMs;
  return turn;
}

/**
 * Runs several ways to the same answer; the one with the least work so far takes the next step. So the answer costs
 * little more than the cheapest way's cost times the number of ways.
 */
export function* race<T>(ways: readonly { steps: Steps<T>; waits: number }[]): Steps<T> {
  const runners = ways.map(({ steps, waits }) => ({ steps, done: waits }));
  for (;;) {
    const next = runners.reduce((best, one) => (one.done < best.done ? one : best));
    const step = next.steps.next();
    if (step.done) return step.value;
    next.done += step.value;
    yield step.value;
  }
}
