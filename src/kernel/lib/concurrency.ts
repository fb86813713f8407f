// So much at once and no more.

/** Does work for each of these, at most `max` at a time; stops at the first failure. */
export async function forEachLimited<T>(
  all: readonly T[],
  max: number,
  work: (one: T) => Promise<void>,
): Promise<void> {
  const left = [...all];
  const worker = async () => {
    for (let one = left.shift(); one !== undefined; one = left.shift()) await work(one);
  };
  await Promise.all(Array.from({ length: Math.min(max, left.length) }, worker));
}

/** Runs only so much work at once; the rest waits, in the order in which it came. */
export class Semaphore {
  private readonly waiting: (() => void)[] = [];

  constructor(private free: number) {}

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.free > 0) this.free--;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.free++;
    }
  }
}
