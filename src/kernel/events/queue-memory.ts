// Estimates the memory of the event queues: counted as events come and go, a shared text only once.
import type { EventQueue, Queued } from "@/kernel/core/queue-types.ts";

/** In bytes, measured with many of each. */
const cost = { queue: 6_000, event: 150, slot: 16, character: 2 } as const;

export class QueueMemory {
  bytes = 0;

  constructor(private readonly maxBytes: number) {}

  get isOver(): boolean {
    return this.bytes > this.maxBytes;
  }

  /** True with a tenth to spare, so that not every event has to make room. */
  get hasRoom(): boolean {
    return this.bytes <= this.maxBytes * 0.9;
  }

  /** Counts a new queue; `extraBytes` is what it takes beyond the usual. */
  open(queue: EventQueue, extraBytes: number): void {
    queue.bytes = cost.queue + extraBytes;
    this.bytes += queue.bytes;
  }

  hold(queue: EventQueue, event: Queued): void {
    queue.characters += event.text.length;
    queue.events.push(event);
    this.bytes += cost.slot;
    if (event.holders++ === 0) this.bytes += sizeOf(event);
  }

  /** Removes the first `count` events of a queue. */
  release(queue: EventQueue, count: number): void {
    for (const event of queue.events.splice(0, count)) {
      queue.characters -= event.text.length;
      this.bytes -= cost.slot;
      if (--event.holders === 0) this.bytes -= sizeOf(event);
    }
  }

  close(queue: EventQueue): void {
    this.release(queue, queue.events.length);
    this.bytes -= queue.bytes;
    queue.bytes = 0;
  }
}

function sizeOf({ text }: Queued): number {
  return cost.event + text.length * cost.character;
}

/** The order in which queues are closed to free memory: polled longest ago first, those with an open poll last. */
export function byLastAsked(queues: Iterable<EventQueue>): EventQueue[] {
  return [...queues].sort(
    (one, other) => Number(one.waiter !== null) - Number(other.waiter !== null) || one.seen - other.seen,
  );
}
