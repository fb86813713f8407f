const pauseMs = 100;
const usualMs = 1_000;

/** Looks whether the log has gained entries that were not heard of. */
export class Looks {
  private last: Promise<unknown> = Promise.resolve();
  private next: Promise<void> | null = null;
  private begun = Number.NEGATIVE_INFINITY;

  /** `look` never rejects. */
  constructor(private readonly look: () => Promise<void>) {}

  /** Any number may ask: ten looks a second are made at most, and who comes during one gets the next. */
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

  /** Looks unless there was a look within the last second. */
  async atTimes(): Promise<void> {
    if (performance.now() - this.begun >= usualMs) await this.join();
  }
}
