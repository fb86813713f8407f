// Delivers the events of commits in order, a large commit in turns: ten thousand events for a hundred queues would keep every
// request waiting for seconds.
import type { IdRange } from "./event-ids.ts";
import type { QueueEnder } from "./events.ts";
import type { Delivery } from "./queue-lists.ts";
import { nextTurn } from "./steps.ts";

interface Turning extends QueueEnder {
  /** Delivers one event; returns how many queues got it. It has an ID already if a log gave it one. */
  deliverOrEnd(delivery: Delivery, id: number | undefined): number;
  /** Called once all events of a commit that got IDs from a log are delivered. */
  enter(ids: IdRange): void;
  /** Answers the clients of the queues that got events; called after each turn. */
  wake(): void;
}

interface Commit {
  heard: readonly Delivery[];
  at: number;
  /** With a log: the IDs of the commit, and of each event of `heard`. */
  ids: IdRange | undefined;
  numbers: readonly number[];
  /** Events that end queues or polls. They come last, in the turn of the last other event. */
  ending: readonly Delivery[];
}

/** The max cost of a turn, in queues that get an event; each event with receivers adds a fixed cost. */
const turnCost = 2_500;
const eventCost = 5;
const unnumbered: readonly number[] = [];

export class DeliveryTurns {
  private readonly commits: Commit[] = [];
  /** Whether commits wait for another turn. */
  isWaiting = false;

  constructor(private readonly queues: Turning) {}

  /** Delivers at once, unless `inNextTurn`, earlier commits wait, or the commit is too large for one turn. */
  add(
    deliveries: readonly Delivery[],
    { ids, inNextTurn = false }: { ids?: IdRange | undefined; inNextTurn?: boolean | undefined } = {},
  ): void {
    const heard = deliveries.filter(({ event }) => !event.isInternal);
    const ending = deliveries.filter(({ event }) => event.after !== undefined);
    const numbers = ids
      ? deliveries.flatMap(({ event }, at) => (event.isInternal ? [] : [ids.first + at]))
      : unnumbered;
    this.commits.push({ heard, at: 0, ids, numbers, ending });
    if (this.isWaiting) return;
    if (inNextTurn) this.continueLater();
    else this.turn();
  }

  private turn(): void {
    let left = turnCost;
    for (let commit = this.commits[0]; commit && left > 0; commit = this.commits[0]) {
      left -= this.deliverSome(commit, left);
      if (commit.at < commit.heard.length) break;
      if (commit.ids) this.queues.enter(commit.ids);
      for (const { event, find } of commit.ending) event.after?.(find().emitted.payload, this.queues);
      this.commits.shift();
    }
    this.queues.wake();
    this.isWaiting = false;
    if (this.commits.length > 0) this.continueLater();
  }

  private continueLater(): void {
    this.isWaiting = true;
    void nextTurn().then(() => this.turn());
  }

  /** Returns what it cost. */
  private deliverSome(commit: Commit, most: number): number {
    const { heard, numbers, ending } = commit;
    let cost = 0;
    while (cost < most || ending.length > 0) {
      const delivery = heard[commit.at];
      if (!delivery) break;
      const reached = this.queues.deliverOrEnd(delivery, numbers[commit.at++]);
      if (reached > 0) cost += eventCost + reached;
    }
    return cost;
  }
}
