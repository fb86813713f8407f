// What event queues occupy, about: counted as they take events and let go of them, each text once however many share it.
import type { EventQueue } from "./event-queue.ts";
import type { Queued } from "./serialize.ts";

/** In bytes, as measured with many of each. */
const cost = { queue: 6_000, event: 150, place: 16, character: 2 } as const;

export class QueueMemory {
  bytes = 0;

  constructor(private readonly most: number) {}

  get isOver(): boolean {
    return this.bytes > this.most;
  }

  /** True where some is left over, so that not every event asks for room again. */
  get hasRoom(): boolean {
    return this.bytes <= this.most * 0.9;
  }

  /** Counts a new queue; `more` is what it keeps beside the usual. */
  open(queue: EventQueue, more: number): void {
    queue.bytes = cost.queue + more;
    this.bytes += queue.bytes;
  }

  hold(queue: EventQueue, event: Queued): void {
    queue.characters += event.text.length;
    queue.events.push(event);
    this.bytes += cost.place;
    if (event.holders++ === 0) this.bytes += sizeOf(event);
  }

  /** Takes the first so many events out of a queue. */
  release(queue: EventQueue, count: number): void {
    for (const event of queue.events.splice(0, count)) {
      queue.characters -= event.text.length;
      this.bytes -= cost.place;
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

/** The order in which queues go where there is no room: who waits for an answer last, and before them who asked last. */
export function byLastAsked(queues: Iterable<EventQueue>): EventQueue[] {
  return [...queues].sort(
    (one, other) => Number(one.waiter !== null) - Number(other.waiter !== null) || one.seen - other.seen,
  );
}
