// Work that takes long on the one event loop there is, done in steps between which others have their turn.

/** Each `yield` is a place to stop for a while, and tells how many rows' work lies behind it; what is found is returned. */
export type Steps<T> = Generator<number, T>;

/** For where nothing may come in between: within a transaction. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** The processor time that the turns of one request have taken together, and how much they may take. */
export class Effort {
  ms = 0;

  constructor(readonly mostMs: number) {}

  get isSpent(): boolean {
    return this.ms >= this.mostMs;
  }
}

const turnMs = 2;

/** A few milliseconds at a time. Most work is done within its first turn, and then nothing comes in between. */
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

/** All that wait get one turn after another, each after everything else that the process has to do. */
export function nextTurn(): Promise<void> {
  queue = queue.then(() => new Promise<void>((resolve) => setImmediate(resolve)));
  return queue;
}

/**
 * Several ways to the same answer: the one with the least work behind it takes the next step, so that the first answer
 * costs little more than the best way's times their number, whichever that is.
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
