// Splits long work into steps, so that it does not block the event loop.

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

const turnMs = 2;

/** Runs steps for a few milliseconds at a time. Most work ends within its first turn, and then does not pause. */
export async function inTurns<T>(steps: Steps<T>, effort?: Effort): Promise<T> {
  for (;;) {
    const end = performance.now() + turnMs;
    const before = effort && process.threadCpuUsage();
    do {
      const step = steps.next();
      if (step.done) return step.value;
    } while (performance.now() < end);
    if (effort) {
      const { user, system } = process.threadCpuUsage(before);
      effort.ms += (user + system) / 1000;
    }
    await nextTurn();
  }
}

let queue = Promise.resolve();

/** Waits for a turn. Turns are given one by one; in between, the event loop handles everything else that is due. */
export function nextTurn(): Promise<void> {
  queue = queue.then(() => new Promise<void>((resolve) => setImmediate(resolve)));
  return queue;
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
