const pauseMs = 100;
const usualMs = 1_000;

/** Checks whether the log has new entries that were not announced to this node. */
export class Looks {
  private last: Promise<unknown> = Promise.resolve();
  private next: Promise<void> | null = null;
  private begun = Number.NEGATIVE_INFINITY;

  /** `look` never rejects. */
  constructor(private readonly look: () => Promise<void>) {}

  /** Callers share looks, at most ten a second; a call during a look gets the next one. */
  join(): Promise<void> {
    this.next ??= this.last.then(() => {
      this.next = null;
      this.begun = performance.now();
      const looking = this.look();
      this.last = Promise.all([looking, Bun.sleep(pauseMs)]);
      return looking;
    });
    return this.next;
  }

  /** Looks unless the last look was within a second. */
  async atTimes(): Promise<void> {
    if (performance.now() - this.begun >= usualMs) await this.join();
  }
}
