const pauseMs = 100;
const usualMs = 1_000;

/** Reads entries of the log that were not announced to this node. */
export class LogChecks {
  private last: Promise<unknown> = Promise.resolve();
  private next: Promise<boolean> | null = null;
  private begun = Number.NEGATIVE_INFINITY;

  /** `check` resolves with false if it failed, and never rejects. */
  constructor(private readonly check: () => Promise<boolean>) {}

  /** Runs at most ten checks a second. All calls during a check share the next one. */
  run(): Promise<boolean> {
    this.next ??= this.last.then(() => {
      this.next = null;
      this.begun = performance.now();
      const checking = this.check();
      this.last = Promise.all([checking, Bun.sleep(pauseMs)]);
      return checking;
    });
    return this.next;
  }

  /** Does nothing if the last check began less than a second ago. */
  async runIfDue(): Promise<void> {
    if (performance.now() - this.begun >= usualMs) await this.run();
  }
}
