import { type Committed, type LogPosition, NotAppended } from "@/kernel/store/commit-log.ts";
import type { Past } from "./queues/past.ts";
import { type SharedLog, Unanswered } from "./shared-log.ts";
import { digestOf, encode, type Head } from "./wire.ts";

/** The log did not answer; it may have the entry, or get it later. */
export class NoAppendAnswer extends Unanswered {
  constructor(
    message: string,
    readonly position: LogPosition,
  ) {
    super(message);
  }
}

/** Appends one node's entries, announces them to the others, and counts them since the process started. */
export class Appender {
  readonly counted = { appended: 0, appendSeconds: 0, refused: 0, elections: 0 };
  private giveUp: (reason: Error) => void = () => {};
  private pending: Promise<unknown> = Promise.resolve();
  /** The number of the last entry that it has sent to the log. */
  newest = 0;

  constructor(
    private readonly shared: SharedLog,
    private readonly node: string,
    private readonly past: Past,
  ) {}

  /**
   * As `SharedLog.append`; refuses entries that are too large for the log. Rejects with `NoAnswer` if the log does not answer, or
   * if `abandon` is called before it does.
   */
  async put(head: Omit<Head, "after">, batch: Committed, fence: LogPosition): Promise<LogPosition> {
    const data = encode({ ...head, after: fence.digest }, batch);
    const seq = fence.seq + 1;
    const begin = performance.now();
    let digest = "";
    this.newest = seq;
    try {
      const abandoned = new Promise<never>((_, reject) => {
        this.giveUp = reject;
      });
      const appended = Promise.race([this.append(data, fence), abandoned]);
      this.pending = appended.catch(() => {});
      // From the next microtask on, the entry is on its way.
      await null;
      digest = digestOf(data);
      await appended;
    } catch (error) {
      this.counted.refused++;
      if (!(error instanceof Unanswered)) throw error;
      throw new NoAppendAnswer(error.message, { seq, digest });
    }
    this.counted.appended++;
    this.counted.appendSeconds += (performance.now() - begin) / 1_000;
    this.past.hold(seq, data, batch);
    this.announce(seq, data, batch);
    return { seq, digest };
  }

  /** The nodes that have passed on a request wait for its entry; otherwise this node answers its own clients first. */
  private announce(seq: number, data: Uint8Array, { requests }: Committed): void {
    const { talk } = this.shared;
    if (requests) talk.announce(seq, data);
    else setImmediate(() => talk.announce(seq, data));
  }

  /** Stops waiting for the append under way, which may still reach the log: clients must not wait until NATS is back. */
  abandon(): void {
    this.giveUp(new Unanswered("The lease ended before the log confirmed the entry"));
  }

  /** Resolves once no append is under way; abandons one that takes longer than `ms`. */
  async finish(ms: number): Promise<void> {
    const timer = setTimeout(() => this.abandon(), ms);
    await this.pending;
    clearTimeout(timer);
  }

  private append(data: Uint8Array, fence: LogPosition): Promise<void> {
    const { maxBytes } = this.shared;
    if (data.length > maxBytes) {
      throw new NotAppended(
        `An entry of ${data.length} bytes is larger than the ${maxBytes} that the log takes`,
      );
    }
    return this.shared.append(data, `${this.node}.${crypto.randomUUID()}`, fence.seq);
  }
}
