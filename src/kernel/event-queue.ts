import { fail } from "./errors.ts";
import type { Emitted, Traits } from "./events.ts";
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

/** All open queues. */
export interface Queues {
  /** What they occupy together, about. */
  readonly bytes: number;
  readonly all: ReadonlyMap<string, EventQueue>;
  /** By user, those who have a queue. */
  readonly users: ReadonlyMap<number, unknown>;
  /** Opens a queue; `more` is how many bytes its traits occupy beyond the usual. */
  open(traits: Traits, more?: number): EventQueue;
  /** The queue, if it exists and belongs to this user; otherwise BAD_EVENT_QUEUE_ID. */
  find(id: string, userId: number): EventQueue;
  close(queue: EventQueue): void;
  /** Ends the queues of a user who may no longer connect, or may no longer hear what these ask for. */
  closeAllOf(userId: number, which?: (queue: EventQueue) => boolean): void;
  /** Acknowledges up to `lastEventId`, then answers with what is newer: now, or when something comes. */
  poll(
    queue: EventQueue,
    lastEventId: number,
    dontBlock: boolean,
    onHangUp?: (listener: () => void) => void,
  ): string | Promise<string>;
  /** Called every few seconds: heartbeats to who has waited long, an end to who has been away too long. */
  sweep(): void;
  /** Answers every open poll with what is there, so that the server can stop. */
  answerAll(): void;
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
