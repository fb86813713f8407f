// Open event queues by user, their memory, and their waiting polls.

import type { Audience } from "@/kernel/core/events.ts";
import type { EventQueue, Queued, QueueWatcher } from "@/kernel/core/queue-types.ts";
import type { Clock } from "@/kernel/lib/clock.ts";
import { fail, wordedSentence } from "@/kernel/lib/errors.ts";
import { JsonAnswer } from "@/kernel/lib/long-answers.ts";
import { type EventIds, maxEventId } from "@/kernel/store/event-ids.ts";
import { acknowledge, queueLimits } from "./event-queue.ts";
import { QueueLists } from "./queue-lists.ts";
import { byLastAsked, QueueMemory } from "./queue-memory.ts";
import { joiner } from "./serialize.ts";

/** How many clients are answered in one turn of the event loop: writing their answers takes 20 ms. */
const maxAnswers = 1_000;

export class OpenQueues {
  protected readonly lists = new QueueLists();
  private readonly woken = new Set<EventQueue>();
  private readonly join = joiner();
  private readonly memory: QueueMemory;
  private onOpened: () => void = () => {};
  private onEnded: (queueId: string) => void = () => {};
  readonly passBroadcast = (type: string, content: unknown) => this.watcher.onBroadcast?.(type, content);
  readonly mayReceive = (audience: Audience) =>
    this.watcher.onEvent !== undefined || this.lists.reaches(audience);

  constructor(
    protected readonly clock: Clock,
    protected readonly ids: EventIds,
    protected readonly watcher: QueueWatcher,
    maxBytes: number,
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

  isHere(userId: number): boolean {
    const now = this.clock.steady();
    for (const { waiter, seen } of this.lists.of(userId) ?? [])
      if (waiter || now - seen < queueLimits.idleMs) return true;
    return false;
  }

  /** Whether events of large commits wait for another slice. */
  protected get isDelivering(): boolean {
    return false;
  }

  onOpen(listener: () => void): void {
    this.onOpened = listener;
  }

  onEnd(listener: (queueId: string) => void): void {
    this.onEnded = listener;
  }

  protected enlist(queue: EventQueue, extraBytes: number): void {
    this.lists.add(queue);
    this.memory.open(queue, extraBytes);
    this.closeSurplus(queue);
    this.makeRoom(queue);
    this.onOpened();
  }

  /** Closes the user's queue that was polled longest ago, though not the new one, if there are too many. */
  private closeSurplus(opened: EventQueue): void {
    const own = this.lists.of(opened.traits.userId);
    if (!own || own.size <= queueLimits.perUser) return;
    const [first] = byLastAsked(own).filter((queue) => queue !== opened);
    if (first) this.close(first);
  }

  find(id: string, userId: number): EventQueue {
    const queue = this.lists.all.get(id);
    if (!queue || queue.traits.userId !== userId) {
      fail(
        "BAD_EVENT_QUEUE_ID",
        wordedSentence(`Bad event queue ID: ${id}`, "Bad event queue ID: {id}", { id }),
        { queue_id: id },
      );
    }
    return queue;
  }

  close(queue: EventQueue): void {
    this.drop(queue);
    this.onEnded(queue.id);
  }

  /** Forgets a queue that another node may continue. */
  protected drop(queue: EventQueue): void {
    this.finish(queue);
    if (this.lists.remove(queue)) this.memory.close(queue);
  }

  end(queueId: string): void {
    const queue = this.lists.all.get(queueId);
    if (queue) this.close(queue);
    else this.onEnded(queueId);
  }

  /** For events that end queues: their delivery ends with `wake`, which answers the clients that wait. */
  closeAllOf(userId: number, which: (queue: EventQueue) => boolean = () => true): void {
    for (const queue of this.lists.of(userId) ?? []) {
      if (!which(queue)) continue;
      // Very many may be closed at once: those who wait are answered a few at a time.
      const { waiter } = queue;
      const last = [...queue.events];
      queue.waiter = null;
      this.close(queue);
      if (!waiter) continue;
      queue.waiter = waiter;
      queue.events.push(...last);
      this.woken.add(queue);
    }
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
  ): JsonAnswer | Promise<JsonAnswer> {
    this.memory.release(queue, acknowledge(queue, lastEventId, this.ids.limit));
    this.finish(queue);
    queue.seen = this.clock.steady();
    if (dontBlock || (queue.events.length > 0 && !this.isDelivering))
      return this.answerOf(queue, queue.events);
    // During a long delivery, clients are answered a few at a time.
    if (queue.events.length > 0) this.woken.add(queue);
    return this.wait(queue, onHangUp);
  }

  private wait(queue: EventQueue, onHangUp?: (listener: () => void) => void): Promise<JsonAnswer> {
    return new Promise((answer) => {
      const waiter = { since: queue.seen, answer };
      queue.waiter = waiter;
      onHangUp?.(() => {
        if (queue.waiter !== waiter) return;
        queue.waiter = null;
        queue.seen = this.clock.steady();
      });
    });
  }

  protected finish(queue: EventQueue, events = queue.events): void {
    const { waiter } = queue;
    if (!waiter) return;
    queue.waiter = null;
    queue.seen = this.clock.steady();
    waiter.answer(this.answerOf(queue, events));
  }

  private answerOf({ ending }: EventQueue, events: readonly Queued[]): JsonAnswer {
    return new JsonAnswer(this.join(events, ending));
  }

  /**
   * Answers the clients of the queues that got events, so many at once, and until a moment of the process's clock; returns whether
   * that were all.
   */
  wake(until: number): boolean {
    let left = maxAnswers;
    for (const queue of this.woken) {
      this.woken.delete(queue);
      this.finish(queue);
      if (--left === 0 || performance.now() >= until) break;
    }
    this.makeRoom();
    return this.woken.size === 0;
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

  protected push(queue: EventQueue, event: Queued): void {
    // The queue may have been closed since the transaction chose the queues.
    if (queue.bytes === 0) return;
    const { events, characters } = queue;
    const isFull =
      events.length >= queueLimits.events || characters + event.text.length > queueLimits.characters;
    if (isFull || event.id >= maxEventId) this.close(queue);
    else this.memory.hold(queue, event);
    queue.lastId = event.id;
    if (queue.waiter) this.woken.add(queue);
  }

  answerAll(): void {
    for (const queue of [...this.woken, ...this.lists.all.values()]) this.finish(queue);
  }
}
