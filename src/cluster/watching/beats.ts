/** Work that a node does again and again, with a pause after each time. */
export class Beats {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private round: Promise<void> = Promise.resolve();
  private isStopped = false;

  /** `work` never rejects; it resolves with the pause in milliseconds. */
  constructor(private readonly work: () => Promise<number>) {}

  start(): void {
    this.timer = undefined;
    this.round = this.work().then((pause) => {
      if (!this.isStopped) this.timer = setTimeout(() => this.start(), pause);
    });
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
