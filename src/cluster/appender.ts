import { type Committed, NotAppended, type Position } from "@/kernel/commit-log.ts";
import type { Past } from "./queues/past.ts";
import type { SharedLog } from "./shared-log.ts";
import { digestOf, encode, type Head } from "./wire.ts";

/** Appends one node's entries, announces them to the others, and counts them since the process started. */
export class Appender {
  readonly counted = { appended: 0, appendSeconds: 0, refused: 0, elections: 0 };

  constructor(
    private readonly shared: SharedLog,
    private readonly node: string,
    private readonly past: Past,
  ) {}

  /** As `SharedLog.append`; refuses entries that are too large for the log. */
  async put(head: Omit<Head, "after">, batch: Committed, fence: Position): Promise<Position> {
    const data = encode({ ...head, after: fence.digest }, batch);
    const begin = performance.now();
    try {
      await this.append(data, fence);
    } catch (error) {
      this.counted.refused++;
      throw error;
    }
    this.counted.appended++;
    this.counted.appendSeconds += (performance.now() - begin) / 1_000;
    const seq = fence.seq + 1;
    this.past.hold(seq, data, batch);
    this.shared.talk.announce(seq, data);
    return { seq, digest: digestOf(data) };
  }

  private append(data: Uint8Array, fence: Position): Promise<void> {
    const { maxBytes } = this.shared;
    if (data.length > maxBytes) {
      throw new NotAppended(
        `An entry of ${data.length} bytes is larger than the ${maxBytes} that the log takes`,
      );
    }
    return this.shared.append(data, `${this.node}.${crypto.randomUUID()}`, fence.seq);
  }
}
