// Event queues in memory; each event is serialized once per variant (docs/design.md#events).

import type { Emitted, Traits } from "@/kernel/core/events.ts";
import type {
  EventQueue,
  KeptQueue,
  PastEvents,
  Queued,
  Queues,
  QueueWatcher,
} from "@/kernel/core/queue-types.ts";
import type { Clock } from "@/kernel/lib/clock.ts";
import { runInSlices, type Task } from "@/kernel/lib/tasks.ts";
import type { EmitLater, Publisher } from "@/kernel/store/connection.ts";
import { EventIds, type IdRange } from "@/kernel/store/event-ids.ts";
import { newQueue, queueLimits } from "./event-queue.ts";
import { listMissed } from "./missed-events.ts";
import { OpenQueues } from "./open-queues.ts";
import type { Delivery } from "./queue-lists.ts";
import { formsOf } from "./serialize.ts";
import { SlicedDelivery } from "./sliced-delivery.ts";

/** So many queues that an event is not for take as long as one that gets it. */
const seenPerReached = 4;

export class MemoryQueues extends OpenQueues implements Queues, Publisher<Delivery> {
  private readonly delivery = new SlicedDelivery(this);

  constructor(
    clock: Clock,
    private readonly generation: number,
    watcher: QueueWatcher = {},
    maxBytes = Number.POSITIVE_INFINITY,
  ) {
    super(clock, new EventIds(), watcher, maxBytes);
  }

  open(traits: Traits, extraBytes = 0, idOf?: (start: number) => string): EventQueue {
    const { start } = this.ids;
    const id = idOf?.(start) ?? `${this.generation}-${crypto.randomUUID()}`;
    const queue = newQueue({ id, traits, start }, this.clock.steady());
    this.enlist(queue, extraBytes);
    return queue;
  }

  revive(kept: KeptQueue, past: PastEvents, extraBytes = 0): Promise<EventQueue | null> {
    const queue = newQueue(kept, this.clock.steady());
    queue.acknowledged = kept.lastEventId;
    queue.lastId = kept.lastEventId;
    return runInSlices(this.reviving(queue, past, extraBytes));
  }

  /** Opens the queue in the same tick in which the last past event was read, so that no event is missed in between. */
  private *reviving(queue: EventQueue, past: PastEvents, extraBytes: number): Task<EventQueue | null> {
    const missed = yield* this.collectMissed(queue, past);
    if (!missed) return null;
    const known = this.lists.all.get(queue.id);
    if (known) return known;
    this.enlist(queue, extraBytes);
    for (const event of missed) this.push(queue, event);
    return queue;
  }

  /** Null if the queue has ended, or if one of its events cannot be serialized. */
  private *collectMissed(queue: EventQueue, past: PastEvents): ReturnType<typeof listMissed> {
    try {
      return yield* listMissed(queue, past);
    } catch (error) {
      this.watcher.onFault?.(error);
      return null;
    }
  }

  reaches(id: number): boolean {
    const { limit } = this.ids;
    return limit === null || id < limit;
  }

  prepare(emitted: Emitted): Delivery {
    return this.lists.prepare(emitted);
  }

  later(): EmitLater<Delivery> {
    return this.lists.later();
  }

  startAt(id: number): void {
    this.ids.startAt(id);
  }

  publish(deliveries: Delivery[], ids?: IdRange, inNextTurn?: boolean): void {
    if (ids) this.ids.publish(ids);
    this.delivery.add(deliveries, { ids, inNextTurn });
  }

  publishLater(slices: Iterator<Delivery[]>): void {
    this.delivery.addSlices(slices);
  }

  protected override get isDelivering(): boolean {
    return this.delivery.isWaiting;
  }

  enter(ids: IdRange): void {
    this.ids.enter(ids);
  }

  /** No queue may silently miss an event: if one cannot be serialized, its queues close, and clients register again. */
  deliverOrEnd(delivery: Delivery, logged: number | undefined): number {
    const emitted = delivery.read();
    const { found, seen } = this.lists.listeners(emitted, delivery.before);
    try {
      this.watcher.onEvent?.(emitted);
      const id = logged ?? this.ids.take();
      // Events outside the log are only short-lived ones, and another follows soon.
      if (id === null) return seen / seenPerReached;
      const formFor = formsOf(emitted, id);
      for (const queue of found) {
        const event = id - queue.base > queue.lastId ? formFor(queue) : this.late(queue, emitted, logged);
        if (event !== null) this.push(queue, event);
      }
    } catch (error) {
      for (const queue of found) this.close(queue);
      this.watcher.onFault?.(error);
    }
    return found.length + (seen - found.length) / seenPerReached;
  }

  endAll(error: unknown): void {
    for (const queue of this.lists.all.values()) this.close(queue);
    this.watcher.onFault?.(error);
  }

  /** The form of a queue whose client has seen this ID: an event that it got on another node, or a short-lived one. */
  private late(queue: EventQueue, emitted: Emitted, logged: number | undefined): Queued | null {
    const id = queue.base + queue.lastId + 1;
    return logged === undefined && this.ids.isFree(id) ? formsOf(emitted, id)(queue) : null;
  }

  sweep(): void {
    const now = this.clock.steady();
    let beat: ReturnType<typeof this.heartbeat> | undefined;
    for (const queue of this.lists.all.values()) {
      if (!queue.waiter) {
        if (now - queue.seen >= (queue.traits.idleMs ?? queueLimits.idleMs)) this.drop(queue);
      } else if (now - queue.waiter.since >= queueLimits.heartbeatMs) {
        beat ??= this.heartbeat();
        const event = beat(queue);
        if (event) this.push(queue, event);
        this.finish(queue);
      }
    }
  }

  /** Gives queues the same heartbeat. Without a free ID, their clients get an answer without events. */
  private heartbeat(): (queue: EventQueue) => Queued | null {
    // While commits wait to be delivered, a free ID would be lower than those of their events.
    const shared = this.delivery.isWaiting ? null : this.ids.take();
    return (queue) => {
      const own = queue.base + queue.lastId + 1;
      const id = shared !== null && shared >= own ? shared : this.ids.isFree(own) ? own : null;
      if (id === null || this.delivery.isWaiting) return null;
      const wire = id - queue.base;
      return { id: wire, text: `{"type":"heartbeat","id":${wire}}`, holders: 0 };
    };
  }
}
