// How a node continues a queue that another node held (docs/design.md#several-nodes): with the events that it retains.

import type { QueueEnder } from "@/kernel/core/events.ts";
import type { EventQueue, PastEvents, Queued } from "@/kernel/core/queue-types.ts";
import type { Task } from "@/kernel/lib/tasks.ts";
import { maxEventId } from "@/kernel/store/event-ids.ts";
import { queueLimits } from "./event-queue.ts";
import { QueueLists } from "./queue-lists.ts";

/** The events that a queue has missed; null if it has ended, or if they are no longer retained. */
export function* listMissed(queue: EventQueue, past: PastEvents): Task<Queued[] | null> {
  const missed: Queued[] = [];
  const fate = new Fate(queue);
  let characters = 0;
  let from = Math.max(queue.start, queue.base + queue.acknowledged + 1);
  while (from >= past.floor) {
    const found = past.next(from);
    if (!found) return missed;
    for (const { id, emitted, formFor } of found) {
      if (id < from) continue;
      const event = emitted.event.isInternal || !QueueLists.isFor(queue, emitted) ? null : formFor(queue);
      if (event) {
        missed.push(event);
        characters += event.text.length;
      }
      emitted.event.after?.(emitted.payload, fate);
      from = id + 1;
    }
    const isFull = missed.length > queueLimits.events || characters > queueLimits.characters;
    if (fate.hasEnded || isFull || from - queue.base > maxEventId) return null;
    yield found.length;
  }
  return null;
}

/** Whether a past event has ended the queue. */
class Fate implements QueueEnder {
  hasEnded = false;

  constructor(private readonly queue: EventQueue) {}

  closeAllOf(userId: number, which: (queue: EventQueue) => boolean = () => true): void {
    if (userId === this.queue.traits.userId && which(this.queue)) this.hasEnded = true;
  }

  end(queueId: string): void {
    if (queueId === this.queue.id) this.hasEnded = true;
  }

  endWaits(): void {}

  passBroadcast(): void {}
}
