/** A node that has not known the log's end for this long, or not had all of it, is not well. Elections of NATS take less. */
export const unwellMs = 10_000;

/** Knows for how long this node's database may have lacked something of the log. */
export class LogEnd {
  /** Everything that the log had at this time is in the database. */
  private currentAt: number;
  /** Ends that the log had, and the database has not reached yet; oldest first. */
  private ahead: { readonly seq: number; at: number }[] = [];

  /** `now` is a clock that nobody sets, in milliseconds. */
  constructor(private readonly now: () => number = () => performance.now()) {
    this.currentAt = now();
  }

  /** When a question about the log's end is asked: its answer is about this time or a later one. */
  ask(): number {
    return this.now();
  }

  /** Call it with the answer to a question that was asked at that time, and the database's position. */
  noteEnd(seq: number, at: number, position: number): void {
    const last = this.ahead.at(-1);
    if (seq <= position) {
      this.currentAt = Math.max(this.currentAt, at);
      this.ahead = [];
    } else if (last?.seq === seq) last.at = Math.max(last.at, at);
    else this.ahead.push({ seq, at });
  }

  /** Call it after applying entries. */
  noteReached(position: number): void {
    for (let [oldest] = this.ahead; oldest && oldest.seq <= position; [oldest] = this.ahead) {
      this.currentAt = Math.max(this.currentAt, oldest.at);
      this.ahead.shift();
    }
  }

  /** For how long the database may have lacked something. */
  get unknownMs(): number {
    return Math.max(0, this.now() - this.currentAt);
  }
}
