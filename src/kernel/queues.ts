// Event queues in memory: serialize once for each variant, share the text, wake waiters directly (DESIGN, "Events").
import type { Emitted, Publisher } from "./batch.ts";
import type { Clock } from "./clock.ts";
import { fail } from "./errors.ts";
import {
  acknowledge,
  type EventQueue,
  enlist,
  idlestBeyond,
  newQueue,
  type QueueWatcher,
  queueLimits,
  strike,
} from "./event-queue.ts";
import type { Audience, Traits } from "./events.ts";
import { joiner, type Queued, serializer } from "./serialize.ts";

interface Delivery {
  emitted: Emitted;
  queues: EventQueue[];
}

export class Queues implements Publisher<Delivery> {
  private readonly queues = new Map<string, EventQueue>();
  private readonly byUser = new Map<number, Set<EventQueue>>();
  private readonly byTap = new Map<string, Set<EventQueue>>();
  private readonly woken = new Set<EventQueue>();
  private nextEventId = 0;
  private readonly join = joiner();

  constructor(
    private readonly clock: Clock,
    private readonly generation: number,
    private readonly watcher: QueueWatcher = {},
  ) {}

  get all(): ReadonlyMap<string, EventQueue> {
    return this.queues;
  }

  open(traits: Traits): EventQueue {
    const id = `${this.generation}-${crypto.randomUUID()}`;
    const queue = newQueue(id, traits, this.clock.steady());
    this.queues.set(id, queue);
    enlist(this.byUser, traits.userId, queue);
    for (const tap of traits.taps) enlist(this.byTap, tap, queue);
    const surplus = idlestBeyond(this.byUser.get(traits.userId), queueLimits.perUser);
    if (surplus) this.close(surplus);
    return queue;
  }

  /** The queue, if it lives and is this user's; otherwise BAD_EVENT_QUEUE_ID (API.md 6). */
  find(id: string, userId: number): EventQueue {
    const queue = this.queues.get(id);
    if (!queue || queue.traits.userId !== userId) {
      fail("BAD_EVENT_QUEUE_ID", `Bad event queue ID: ${id}`, { queue_id: id });
    }
    return queue;
  }

  close(queue: EventQueue): void {
    this.finish(queue);
    this.queues.delete(queue.id);
    const { userId, taps } = queue.traits;
    strike(this.byUser, userId, queue);
    for (const tap of taps) strike(this.byTap, tap, queue);
  }

  /** Ends the queues of a user who may no longer connect, or may no longer hear what these ask for. */
  closeAllOf(userId: number, which: (queue: EventQueue) => boolean = () => true): void {
    for (const queue of this.byUser.get(userId) ?? []) if (which(queue)) this.close(queue);
  }

  /** Acknowledges up to `lastEventId`, then answers with what is newer: now, or when something comes. */
  poll(
    queue: EventQueue,
    lastEventId: number,
    dontBlock: boolean,
    onHangUp?: (listener: () => void) => void,
  ): string | Promise<string> {
    acknowledge(queue, lastEventId);
    this.finish(queue);
    queue.seen = this.clock.steady();
    if (queue.events.length > 0 || dontBlock) return this.join(queue);
    return this.wait(queue, onHangUp);
  }

  private wait(queue: EventQueue, onHangUp?: (listener: () => void) => void): Promise<string> {
    return new Promise((answer) => {
      const waiter = { since: this.clock.steady(), answer };
      queue.waiter = waiter;
      onHangUp?.(() => {
        if (queue.waiter !== waiter) return;
        queue.waiter = null;
        queue.seen = this.clock.steady();
      });
    });
  }

  private finish(queue: EventQueue): void {
    const { waiter } = queue;
    if (!waiter) return;
    queue.waiter = null;
    queue.seen = this.clock.steady();
    waiter.answer(this.join(queue));
  }

  prepare(emitted: Emitted): Delivery {
    return { emitted, queues: this.listeners(emitted) };
  }

  private listeners({ event, audience, payload }: Emitted): EventQueue[] {
    const found: EventQueue[] = [];
    const consider = (queue: EventQueue) => {
      const { types } = queue.traits;
      if (types && !types.has(event.type)) return;
      if (event.accepts?.(payload, queue.traits) ?? true) found.push(queue);
    };
    const { to } = audience;
    if (to === "everyone") for (const queue of this.queues.values()) consider(queue);
    else {
      const users = to instanceof Set ? to : new Set(to as readonly number[]);
      const fewer = users.size < this.byUser.size ? users : this.byUser.keys();
      for (const user of fewer)
        if (users.has(user)) for (const queue of this.byUser.get(user) ?? []) consider(queue);
      for (const queue of this.others(audience)) if (!users.has(queue.traits.userId)) consider(queue);
    }
    return found;
  }

  /** Queues that an audience adds to those of its users, each once. */
  private others({ also = [], tap, queue }: Audience): ReadonlySet<EventQueue> {
    const added = new Set(tap === undefined ? null : this.byTap.get(tap));
    for (const user of also) for (const own of this.byUser.get(user) ?? []) added.add(own);
    const single = queue && this.queues.get(queue.id);
    if (single && single.traits.userId === queue.userId) added.add(single);
    return added;
  }

  publish(deliveries: Delivery[]): void {
    for (const delivery of deliveries) this.deliverOrEnd(delivery);
    for (const { emitted } of deliveries) emitted.event.after?.(emitted.payload, this);
    const { woken } = this;
    for (const queue of woken) this.finish(queue);
    woken.clear();
  }

  /** No queue may silently lack an event: where one cannot be told, its queues end, and clients register anew. */
  private deliverOrEnd(delivery: Delivery): void {
    try {
      this.deliver(delivery);
    } catch (error) {
      for (const queue of delivery.queues) this.close(queue);
      this.watcher.onFault?.(error);
    }
  }

  private deliver({ emitted, queues }: Delivery): void {
    const id = this.nextEventId++;
    this.watcher.onEvent?.(emitted);
    const textFor = serializer(emitted, id);
    for (const queue of queues) {
      const text = textFor(queue.traits, queue.id);
      if (text !== null) this.push(queue, { id, text });
    }
  }

  private push(queue: EventQueue, event: Queued): void {
    queue.characters += event.text.length;
    const isFull = queue.events.length >= queueLimits.events || queue.characters > queueLimits.characters;
    if (isFull) this.close(queue);
    else queue.events.push(event);
    queue.lastId = event.id;
    if (queue.waiter) this.woken.add(queue);
  }

  /** Called every few seconds: heartbeats to who has waited long, an end to who has been away too long. */
  sweep(): void {
    const now = this.clock.steady();
    for (const queue of this.queues.values()) {
      if (!queue.waiter) {
        if (now - queue.seen >= queueLimits.idleMs) this.close(queue);
      } else if (now - queue.waiter.since >= queueLimits.heartbeatMs) {
        const id = this.nextEventId++;
        this.push(queue, { id, text: `{"type":"heartbeat","id":${id}}` });
        this.finish(queue);
      }
    }
  }

  /** Answers every open poll with what is there, so that the server can stop. */
  answerAll(): void {
    for (const queue of this.queues.values()) this.finish(queue);
  }
}
