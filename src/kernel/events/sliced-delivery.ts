// Delivers the events of commits in order, a large commit in slices: ten thousand events for a hundred queues would keep every
// request waiting for seconds.

import type { QueueEnder } from "@/kernel/core/events.ts";
import { nextSlice } from "@/kernel/lib/tasks.ts";
import type { IdRange } from "@/kernel/store/event-ids.ts";
import type { Delivery } from "./queue-lists.ts";

interface Receiving extends QueueEnder {
  /** Delivers one event; returns what it cost, in queues that got it. It has an ID already if a log gave it one. */
  deliverOrEnd(delivery: Delivery, id: number | undefined): number;
  /** Called once all events of a commit that got IDs from a log are delivered. */
  enter(ids: IdRange): void;
  /** Ends all queues, because events for them could not be read. */
  endAll(error: unknown): void;
  /**
   * Answers the clients of the queues that got events, until a moment of the process's clock, but at least one; called after each
   * slice. Returns whether all are answered.
   */
  wake(until: number): boolean;
}

interface Commit {
  received: readonly Delivery[];
  at: number;
  /** Reads more of its events. */
  slices?: Iterator<Delivery[]>;
  /** With a log: the IDs of the commit, and of each event of `received`. */
  ids: IdRange | undefined;
  numbers: readonly number[];
  /** Events that end queues or polls. They come last, in the slice of the last other event. */
  ending: readonly Delivery[];
}

/** The max cost of a commit's first slice, in queues that get an event; each event with receivers adds a fixed cost. */
const sliceCost = 2_500;
/** In later slices: so long for events, and so long for the answers of clients that wait for them. */
const deliveringMs = 1;
const answeringMs = 1;
const eventCost = 5;
const unnumbered: readonly number[] = [];

export class SlicedDelivery {
  private readonly commits: Commit[] = [];
  /** Whether commits wait for another slice. */
  isWaiting = false;

  constructor(private readonly queues: Receiving) {}

  /** Delivers at once, unless `inNextTurn`, earlier commits wait, or the commit is too large for one slice. */
  add(
    deliveries: readonly Delivery[],
    { ids, inNextTurn = false }: { ids?: IdRange | undefined; inNextTurn?: boolean | undefined } = {},
  ): void {
    const numbers = ids
      ? deliveries.flatMap(({ event }, at) => (event.isInternal ? [] : [ids.first + at]))
      : unnumbered;
    this.commits.push({ ...partsOf(deliveries), at: 0, ids, numbers });
    if (this.isWaiting) return;
    if (inNextTurn) this.continueLater();
    else this.deliverSlice(Number.POSITIVE_INFINITY);
  }

  /** Delivers events that are read in slices, none of them before the next turn of the event loop. */
  addSlices(slices: Iterator<Delivery[]>): void {
    this.commits.push({ received: [], at: 0, slices, ids: undefined, numbers: unnumbered, ending: [] });
    if (!this.isWaiting) this.continueLater();
  }

  private deliverSlice(until: number): void {
    let left = sliceCost;
    for (let commit = this.commits[0]; commit && left > 0; commit = this.commits[0]) {
      left -= this.deliverSome(commit, { most: left, until });
      if (commit.at < commit.received.length || commit.slices) break;
      if (commit.ids) this.queues.enter(commit.ids);
      for (const { event, read } of commit.ending) event.after?.(read().payload, this.queues);
      this.commits.shift();
    }
    const areAnswered = this.queues.wake(until + answeringMs);
    this.isWaiting = false;
    if (this.commits.length > 0 || !areAnswered) this.continueLater();
  }

  private continueLater(): void {
    this.isWaiting = true;
    void nextSlice().then(() => this.deliverSlice(performance.now() + deliveringMs));
  }

  /** Returns what it cost. */
  private deliverSome(commit: Commit, { most, until }: { most: number; until: number }): number {
    let cost = 0;
    while ((cost < most && performance.now() < until) || commit.ending.length > 0) {
      const delivery = commit.received[commit.at];
      if (delivery) {
        const delivered = this.queues.deliverOrEnd(delivery, commit.numbers[commit.at++]);
        if (delivered > 0) cost += eventCost + delivered;
      } else if (!this.readMore(commit)) break;
    }
    return cost;
  }

  /** Returns false if there is no more to read. */
  private readMore(commit: Commit): boolean {
    if (!commit.slices) return false;
    try {
      const { done, value } = commit.slices.next();
      if (done) delete commit.slices;
      else Object.assign(commit, { at: 0, ...partsOf(value) });
    } catch (error) {
      delete commit.slices;
      this.queues.endAll(error);
    }
    return commit.slices !== undefined;
  }
}

function partsOf(deliveries: readonly Delivery[]): Pick<Commit, "received" | "ending"> {
  return {
    received: deliveries.filter(({ event }) => !event.isInternal),
    ending: deliveries.filter(({ event }) => event.after !== undefined),
  };
}
