/** A timer that is later than this shows that the process has more to do than it can. */
const lateMs = 200;

/** Work that a node does again and again. */
export class Beats {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private round: Promise<void> = Promise.resolve();
  private isStopped = false;
  private dueAt = 0;
  /** How late the work began lately. */
  private lateness = 0;

  /**
   * `work` never rejects; it resolves with when the next work begins, in milliseconds after its own beginning. Work that took
   * longer, as on a busy machine, is followed by the next at once.
   */
  constructor(private readonly work: () => Promise<number>) {}

  start(): void {
    this.timer = undefined;
    const begin = performance.now();
    this.round = this.work().then((after) => {
      const now = performance.now();
      this.dueAt = Math.max(now, begin + after);
      if (!this.isStopped) this.timer = setTimeout(() => this.startLate(), this.dueAt - now);
    });
  }

  /** Whether this process is too busy. Then the leader, which has the same clients and events to serve, probably is, too. */
  get areLate(): boolean {
    return this.lateness > lateMs;
  }

  private startLate(): void {
    this.lateness = Math.max(performance.now() - this.dueAt, this.lateness / 2);
    this.start();
  }

  /** Ends the current pause, if there is one. */
  hurry(): void {
    if (this.timer === undefined || this.isStopped) return;
    clearTimeout(this.timer);
    this.start();
  }

  /** Resolves once no work is under way. */
  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    await this.round;
  }
}
