/** Callers that wait until the database holds an entry of the log. */
export class Arrivals {
  /** The newest entry of the log that this node has learned of. */
  newest = 0;
  private waiting: { seq: number; finish: (arrived: boolean) => void }[] = [];

  observe(seq: number): void {
    this.newest = Math.max(this.newest, seq);
  }

  /** Resolves with true once the entry is there, or with false after `ms`. */
  wait(seq: number, ms: number): Promise<boolean> {
    return new Promise((resolve) => {
      const finish = (arrived: boolean) => {
        clearTimeout(timer);
        this.waiting = this.waiting.filter((other) => other !== one);
        resolve(arrived);
      };
      const one = { seq, finish };
      const timer = setTimeout(() => finish(false), ms);
      this.waiting.push(one);
    });
  }

  /** Call it after applying entries. */
  at(position: number): void {
    if (this.waiting.length === 0) return;
    for (const { seq, finish } of [...this.waiting]) if (seq <= position) finish(true);
  }
}
