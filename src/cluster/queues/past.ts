// The entries of the last minutes in memory, as the log has them, for clients that come from another node.

import type { Emitted } from "@/kernel/core/events.ts";
import type { PastEvent, PastEvents } from "@/kernel/core/queue-types.ts";
import { formsOf } from "@/kernel/events/serialize.ts";
import { lowerBound } from "@/kernel/lib/binary-search.ts";
import type { LogPosition } from "@/kernel/store/commit-log.ts";
import { decode } from "../wire.ts";

export interface PastLimits {
  /** Beyond this many bytes, the oldest entries are dropped, whatever their age. */
  readonly maxBytes: number;
  /** Beyond this many bytes, entries older than `usualMs` are dropped. */
  readonly usualBytes: number;
  readonly usualMs: number;
}

const usual: PastLimits = { maxBytes: 64_000_000, usualBytes: 4_000_000, usualMs: 600_000 };
/** How long unpacked entries are kept after their last use, and how many events and recipients they may have together. */
const unpackedMs = 5_000;
const maxUnpacked = 1_000_000;

/** An entry from before this process began. */
export interface EarlierEntry {
  readonly data: Uint8Array;
  /** The digest of the entry before it. */
  readonly after: string;
  readonly emitted: readonly Emitted[];
  readonly room?: number | undefined;
  readonly ageMs: number;
}

interface Held {
  /** The ID of the first event, and the ID after the last one. */
  readonly first: number;
  readonly end: number;
  readonly data: Uint8Array;
  readonly at: number;
  unpacked: readonly PastEvent[] | null;
}

export class Past implements PastEvents {
  private held: Held[] = [];
  /** What it has begins after this entry of the log, and with this event ID. */
  private begins = { seq: 0, digest: "", id: 0 };
  /** Entries were dropped, or would be: older ones need not be added. */
  isFull = false;
  private hasDropped = false;
  /** Entries before this index of `held` were dropped. */
  private begin = 0;
  private bytes = 0;
  private seq = 0;
  private nextId = 0;
  private readonly unpacked = new Set<Held>();
  private weight = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly limits: Partial<PastLimits> = {}) {}

  /** Begins after an entry of the log; `nextId` is the ID of the next event. */
  startAt({ seq, digest }: LogPosition, nextId: number): void {
    this.seq = seq;
    this.nextId = nextId;
    this.begins = { seq, digest, id: nextId };
  }

  /** The entry of the log before those that it has. */
  get before(): LogPosition {
    return this.begins;
  }

  /** Adds the entries before those that it has, newest first: at least one, the newest of which is `before`. */
  add(entries: readonly EarlierEntry[]): void {
    const added: Held[] = [];
    for (const { data, after, emitted, room = 0, ageMs } of entries) {
      if (this.isFull || !this.mayAdd(data.length, ageMs)) {
        this.isFull = true;
        break;
      }
      const end = this.begins.id - room;
      const first = end - emitted.length;
      this.begins = { seq: this.begins.seq - 1, digest: after, id: first };
      if (first === end) continue;
      added.push({ first, end, data, at: performance.now() - ageMs, unpacked: null });
      this.bytes += data.length;
    }
    this.held = [...added.reverse(), ...this.held];
  }

  /** Whether an entry that is the oldest one would be kept. */
  private mayAdd(length: number, ageMs: number): boolean {
    const { maxBytes, usualBytes, usualMs } = { ...usual, ...this.limits };
    const bytes = this.bytes + length;
    return bytes <= usualBytes || (bytes <= maxBytes && ageMs < usualMs);
  }

  /** Takes the next entry of the log; ignores one that it has already. */
  hold(
    seq: number,
    data: Uint8Array,
    entry: { emitted: readonly Emitted[]; room?: number | undefined },
  ): void {
    if (seq !== this.seq + 1) return;
    const first = this.nextId;
    const end = first + entry.emitted.length;
    this.seq = seq;
    this.nextId = end + (entry.room ?? 0);
    if (end === first) return;
    this.held.push({ first, end, data, at: performance.now(), unpacked: null });
    this.bytes += data.length;
    this.forget();
  }

  get floor(): number {
    return this.hasDropped ? (this.held[this.begin]?.first ?? this.nextId) : this.begins.id;
  }

  next(id: number): readonly PastEvent[] | null {
    const found = this.held[lowerBound(this.held, ({ end }) => end <= id, this.begin)];
    return found ? this.eventsOf(found) : null;
  }

  private forget(): void {
    const { maxBytes, usualBytes, usualMs } = { ...usual, ...this.limits };
    const since = performance.now() - usualMs;
    for (let oldest = this.held[this.begin]; oldest; oldest = this.held[++this.begin]) {
      if (this.bytes <= usualBytes || (this.bytes <= maxBytes && oldest.at > since)) break;
      this.bytes -= oldest.data.length;
      this.unpacked.delete(oldest);
      this.hasDropped = true;
      this.isFull = true;
    }
    if (this.begin < 1_000 || this.begin < this.held.length / 2) return;
    this.held = this.held.slice(this.begin);
    this.begin = 0;
  }

  /** Clients of a dead node come together, so entries are unpacked once for all of them. */
  private eventsOf(held: Held): readonly PastEvent[] {
    if (held.unpacked) return held.unpacked;
    if (this.weight > maxUnpacked) this.pack();
    const events = decode(held.data).emitted.map((emitted, at): PastEvent => {
      const id = held.first + at;
      return { id, emitted, formFor: formsOf(emitted, id) };
    });
    held.unpacked = events;
    this.unpacked.add(held);
    this.weight += events.reduce((sum, { emitted }) => sum + 1 + reachOf(emitted), 0);
    this.timer ??= setTimeout(() => this.pack(), unpackedMs);
    return events;
  }

  private pack(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    for (const one of this.unpacked) one.unpacked = null;
    this.unpacked.clear();
    this.weight = 0;
  }
}

function reachOf({ audience: { to } }: Emitted): number {
  return to === "everyone" ? 0 : "size" in to ? to.size : to.length;
}
