import type { Emitted } from "./batch.ts";
import { fail } from "./errors.ts";
import type { Traits } from "./events.ts";
import type { Queued } from "./serialize.ts";

export const queueLimits = {
  idleMs: 600_000,
  heartbeatMs: 50_000,
  sweepMs: 5_000,
  events: 20_000,
  characters: 30_000_000,
  perUser: 1_000,
} as const;

interface Waiter {
  /** By the steady clock. */
  since: number;
  answer: (body: string) => void;
}

export interface EventQueue {
  readonly id: string;
  readonly traits: Traits;
  events: Queued[];
  characters: number;
  /** Highest event ID handed to the queue, and highest acknowledged one. */
  lastId: number;
  acknowledged: number;
  waiter: Waiter | null;
  /** What it occupies without its events, about; 0 once it is closed. */
  bytes: number;
  /** When a client was last connected, by the steady clock. */
  seen: number;
}

export interface QueueWatcher {
  /** Each event as it is published. */
  onEvent?: (emitted: Emitted) => void;
  /** A bug in the making of an event; who would have missed it lost their queues instead. */
  onFault?: (error: unknown) => void;
  /** Queues that were ended because all together took more memory than they may. */
  onShed?: (count: number) => void;
}

export function newQueue(id: string, traits: Traits, seen: number): EventQueue {
  return {
    id,
    traits,
    events: [],
    lastId: -1,
    acknowledged: -1,
    waiter: null,
    seen,
    characters: 0,
    bytes: 0,
  };
}

/** How many events a client says it has; refuses IDs that are pruned already or never were in the queue. */
export function acknowledge(queue: EventQueue, lastEventId: number): number {
  if (lastEventId < queue.acknowledged) {
    fail("BAD_REQUEST", `An event newer than ${lastEventId} has already been pruned!`);
  }
  const at = queue.events.findIndex((event) => event.id === lastEventId);
  if (at < 0 && lastEventId !== queue.acknowledged) {
    fail("BAD_REQUEST", `Event ${lastEventId} was not in this queue`);
  }
  queue.acknowledged = lastEventId;
  return at + 1;
}

/** Of more than `most` queues, the one that has not been asked for longest: a client may not open them without end. */
export function idlestBeyond(queues: ReadonlySet<EventQueue> | undefined, most: number): EventQueue | null {
  if (!queues || queues.size <= most) return null;
  const idle = [...queues].filter((queue) => !queue.waiter);
  return idle.reduce<EventQueue | null>(
    (found, one) => (found && found.seen <= one.seen ? found : one),
    null,
  );
}
