// Event queues in memory; each event is serialized once per variant (docs/design.md#events).
import type { Publisher } from "./batch.ts";
import type { Clock } from "./clock.ts";
import { DeliveryTurns } from "./delivery-turns.ts";
import { fail } from "./errors.ts";
import {
  acknowledge,
  type EventQueue,
  idlestBeyond,
  newQueue,
  type Queues,
  type QueueWatcher,
  queueLimits,
} from "./event-queue.ts";
import type { Audience, Emitted, EventType, Traits } from "./events.ts";
import type { Bytes } from "./long-answers.ts";
import { type Delivery, QueueLists } from "./queue-lists.ts";
import { byLastAsked, QueueMemory } from "./queue-memory.ts";
import { joiner, type Queued, serializer } from "./serialize.ts";

export class MemoryQueues implements Queues, Publisher<Delivery> {
  private readonly lists = new QueueLists();
  private readonly woken = new Set<EventQueue>();
  private readonly turns = new DeliveryTurns(this);
  private nextEventId = 0;
  private readonly join = joiner();
  private readonly memory: QueueMemory;
  private opened: () => void = () => {};
  readonly passNote = (type: string, content: unknown) => this.watcher.onNote?.(type, content);
  readonly hear = (audience: Audience) => this.watcher.onEvent !== undefined || this.lists.reaches(audience);

  constructor(
    private readonly clock: Clock,
    private readonly generation: number,
    private readonly watcher: QueueWatcher = {},
    maxBytes = Number.POSITIVE_INFINITY,
  ) {
    this.memory = new QueueMemory(maxBytes);
  }

  get bytes(): number {
    return this.memory.bytes;
  }

  get all(): ReadonlyMap<string, EventQueue> {
    return this.lists.all;
  }

  get users(): ReadonlyMap<number, unknown> {
    return this.lists.byUser;
  }

  onOpen(listener: () => void): void {
    this.opened = listener;
  }

  open(traits: Traits, extraBytes = 0): EventQueue {
    const id = `${this.generation}-${crypto.randomUUID()}`;
    const queue = newQueue(id, traits, this.clock.steady());
    this.lists.add(queue);
    this.memory.open(queue, extraBytes);
    const surplus = idlestBeyond(this.lists.of(traits.userId), queueLimits.perUser);
    if (surplus) this.close(surplus);
    this.makeRoom(queue);
    this.opened();
    return queue;
  }

  find(id: string, userId: number): EventQueue {
    const queue = this.lists.all.get(id);
    if (!queue || queue.traits.userId !== userId) {
      fail("BAD_EVENT_QUEUE_ID", `Bad event queue ID: ${id}`, { queue_id: id });
    }
    return queue;
  }

  close(queue: EventQueue): void {
    this.finish(queue);
    if (this.lists.remove(queue)) this.memory.close(queue);
  }

  closeAllOf(userId: number, which: (queue: EventQueue) => boolean = () => true): void {
    for (const queue of this.lists.of(userId) ?? []) if (which(queue)) this.close(queue);
  }

  endWaits(userId: number): void {
    // Leaves out events of the same commit, because the client may have lost the right to them.
    for (const queue of this.lists.of(userId) ?? []) this.finish(queue, []);
  }

  poll(
    queue: EventQueue,
    lastEventId: number,
    dontBlock: boolean,
    onHangUp?: (listener: () => void) => void,
  ): Bytes | Promise<Bytes> {
    this.memory.release(queue, acknowledge(queue, lastEventId));
    this.finish(queue);
    queue.seen = this.clock.steady();
    if (queue.events.length > 0 || dontBlock) return this.join(queue);
    return this.wait(queue, onHangUp);
  }

  private wait(queue: EventQueue, onHangUp?: (listener: () => void) => void): Promise<Bytes> {
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

  private finish(queue: EventQueue, events = queue.events): void {
    const { waiter } = queue;
    if (!waiter) return;
    queue.waiter = null;
    queue.seen = this.clock.steady();
    waiter.answer(this.join({ id: queue.id, events }));
  }

  prepare(emitted: Emitted): Delivery {
    return this.lists.prepare(emitted);
  }

  prepareLater(event: EventType<unknown>, make: () => Emitted): Delivery {
    return this.lists.prepareLater(event, make);
  }

  publish(deliveries: Delivery[]): void {
    this.turns.add(deliveries);
  }

  wake(): void {
    for (const queue of this.woken) this.finish(queue);
    this.woken.clear();
    this.makeRoom();
  }

  /** If the queues take too much memory, closes those that were polled longest ago, but not `spared`. */
  private makeRoom(spared?: EventQueue): void {
    if (!this.memory.isOver) return;
    let count = 0;
    for (const queue of byLastAsked(this.lists.all.values())) {
      if (this.memory.hasRoom) break;
      if (queue === spared) continue;
      this.close(queue);
      count++;
    }
    this.watcher.onShed?.(count);
  }

  /** No queue may silently miss an event: if one cannot be serialized, its queues close, and clients register again. */
  deliverOrEnd(delivery: Delivery): number {
    const { emitted, queues } = delivery.find();
    try {
      this.watcher.onEvent?.(emitted);
      const eventFor = serializer(emitted, this.nextEventId++);
      for (const queue of queues) {
        const event = eventFor(queue.traits, queue.id);
        if (event !== null) this.push(queue, event);
      }
    } catch (error) {
      for (const queue of queues) this.close(queue);
      this.watcher.onFault?.(error);
    }
    return queues.length;
  }

  private push(queue: EventQueue, event: Queued): void {
    // The queue may have been closed since the transaction chose the queues.
    if (queue.bytes === 0) return;
    const { events, characters } = queue;
    const isFull =
      events.length >= queueLimits.events || characters + event.text.length > queueLimits.characters;
    if (isFull) this.close(queue);
    else this.memory.hold(queue, event);
    queue.lastId = event.id;
    if (queue.waiter) this.woken.add(queue);
  }

  sweep(): void {
    const now = this.clock.steady();
    for (const queue of this.lists.all.values()) {
      if (!queue.waiter) {
        if (now - queue.seen >= queueLimits.idleMs) this.close(queue);
      } else if (now - queue.waiter.since >= queueLimits.heartbeatMs) {
        const id = this.nextEventId++;
        this.push(queue, { id, text: `{"type":"heartbeat","id":${id}}`, holders: 0 });
        this.finish(queue);
      }
    }
  }

  answerAll(): void {
    for (const queue of this.lists.all.values()) this.finish(queue);
  }
}
