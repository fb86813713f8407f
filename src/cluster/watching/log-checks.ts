const pauseMs = 100;

/** Reads entries of the log that were not announced to this node. */
export class LogChecks {
  private last: Promise<unknown> = Promise.resolve();
  private next: Promise<boolean> | null = null;

  /** `check` resolves with false if it failed, and never rejects. */
  constructor(private readonly check: () => Promise<boolean>) {}

  /** Runs at most ten checks a second. All calls during a check share the next one. */
  run(): Promise<boolean> {
    this.next ??= this.last.then(() => {
      this.next = null;
      const checking = this.check();
      this.last = Promise.all([checking, Bun.sleep(pauseMs)]);
      return checking;
    });
    return this.next;
  }
}
