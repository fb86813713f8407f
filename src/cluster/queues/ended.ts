/** How long a node remembers at least that a queue has ended, unless there are more than `maxKept`: as long as it retains entries. */
const keptMs = 600_000;
const maxKept = 20_000;

/** The queues that have ended at this node, or whose clients have ended them anywhere. */
export class EndedQueues {
  private recent = new Set<string>();
  private earlier = new Set<string>();
  private since = performance.now();

  add(queueId: string): void {
    const now = performance.now();
    if (now - this.since > keptMs || this.recent.size >= maxKept) {
      this.earlier = this.recent;
      this.recent = new Set();
      this.since = now;
    }
    this.recent.add(queueId);
  }

  has(queueId: string): boolean {
    return this.recent.has(queueId) || this.earlier.has(queueId);
  }
}
