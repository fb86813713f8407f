// Event IDs (docs/decisions/queues-on-nodes.md): one sequence for a whole process, or for all nodes that share a log. A queue
// counts from a base, so that clients never see a number beyond 31 bits.

/** The IDs of a commit: first those of its events, then room for events outside the log, up to but without `end`. */
export interface IdRange {
  readonly first: number;
  readonly count: number;
  readonly end: number;
}

/** Queues that open while the sequence is in the same span have the same base, and share the texts of events. */
const span = 2 ** 30;
/** The highest event ID that clients are sent; a queue that reaches it ends. */
export const maxEventId = 2 ** 31 - 1;

/** What a queue subtracts from IDs of the sequence if it opens at `start`. */
export function baseOf(start: number): number {
  return start - (start % span);
}

/** Gives out IDs: all of them without a log; with one, only those that its entries leave for events outside it. */
export class EventIds {
  private next = 0;
  private end = Number.POSITIVE_INFINITY;
  /** The newest commit with IDs of its own; null without a log. */
  private published: IdRange | null = null;

  /** From now on, IDs come from a log, and the next entry begins with this one. */
  startAt(first: number): void {
    this.publish({ first, count: 0, end: first });
    this.enter({ first, count: 0, end: first });
  }

  /** Call it when a commit is published; call `enter` once its own events are delivered, which may be later. */
  publish(ids: IdRange): void {
    this.published = ids;
  }

  enter({ first, count, end }: IdRange): void {
    this.next = first + count;
    this.end = end;
  }

  /** The lowest ID that a queue opened now can get. */
  get start(): number {
    return this.published ? this.published.first + this.published.count : this.next;
  }

  /** With a log: no node at this position has given an event this ID or a higher one. Null without a log. */
  get limit(): number | null {
    return this.published?.end ?? null;
  }

  /** Null if none is free until the next commit. */
  take(): number | null {
    return this.next < this.end ? this.next++ : null;
  }

  /** Whether an ID is left for events outside the log. */
  isFree(id: number): boolean {
    return id >= this.next && id < this.end;
  }
}

/** Heartbeats may use an ID each time the queues are swept. */
const heartbeatMs = 5_000;
const sizes = { least: 16, most: 4_096, alone: 256 } as const;

/** Decides how many IDs each entry of the log leaves free for events outside it. */
export class EventRoom {
  private size = 0;
  private used = 0;
  private usual = 0;
  private since = 0;

  constructor(private readonly now: () => number) {}

  /** Whether an entry should be written only to leave more IDs free. */
  get isScarce(): boolean {
    const beats = (this.now() - this.since) / heartbeatMs;
    return this.used + beats > this.size / 2;
  }

  /** How many IDs the next entry leaves free; more than usual if that is its only purpose. */
  next(isAlone: boolean): number {
    this.usual = Math.max(this.used, this.usual * 0.9);
    return Math.min(sizes.most, Math.max(isAlone ? sizes.alone : sizes.least, Math.ceil(4 * this.usual)));
  }

  use(count: number): void {
    this.used += count;
  }

  renew(size: number): void {
    this.size = size;
    this.used = 0;
    this.since = this.now();
  }
}
