// Reads entries from before a process began, so that clients need not register again after a restart.
import { runInSlices, type Task } from "@/kernel/lib/tasks.ts";
import type { SharedLog } from "../shared-log.ts";
import { decode, digestOf } from "../wire.ts";
import type { EarlierEntry, Past } from "./past.ts";

/** The number of entries to read at a time. */
const page = 32;

export class QueueFilling {
  private reading: Promise<void> | null = null;

  constructor(
    private readonly past: Past,
    private readonly log: Pick<SharedLog, "ends" | "read" | "findTime">,
  ) {}

  /** Resolves once all events from this ID on are there, or no older ones are kept. Clients of a restarted node come together. */
  async reach(id: number): Promise<void> {
    while (this.past.floor > id && !this.past.isFull) {
      this.reading ??= this.readPage().finally(() => {
        this.reading = null;
      });
      await this.reading;
    }
  }

  private async readPage(): Promise<void> {
    const { past, log } = this;
    const { seq: to } = past.before;
    const { first, last } = await log.ends();
    const from = Math.max(first, to - page + 1);
    const data = from > to ? [] : await log.read(from, to);
    const [oldest, newest] = await Promise.all([log.findTime(from), log.findTime(last)]);
    const ageMs = oldest === null || newest === null ? Number.POSITIVE_INFINITY : newest - oldest;
    const found = data.length === to - from + 1 ? await runInSlices(this.unpack(data, ageMs)) : [];
    // The log no longer has what is older, or it has another history.
    if (found.length === 0) past.isFull = true;
    // Newer entries have come meanwhile, but none older.
    else past.add(found);
  }

  /** Newest first; ends where the log has another history. */
  private *unpack(data: readonly Uint8Array[], ageMs: number): Task<EarlierEntry[]> {
    const found: EarlierEntry[] = [];
    let { digest } = this.past.before;
    for (const one of data.toReversed()) {
      if (digestOf(one) !== digest) break;
      const { after, emitted, room } = decode(one);
      found.push({ data: one, after, emitted, room, ageMs });
      digest = after;
      yield emitted.length + 1;
    }
    return found;
  }
}
