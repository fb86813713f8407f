import { fail } from "./errors.ts";
import { baseOf } from "./event-ids.ts";
import type { Audience, Emitted, Traits } from "./events.ts";
import type { JsonAnswer } from "./long-answers.ts";
import { endingOf, type Queued } from "./serialize.ts";

export const queueLimits = {
  idleMs: 600_000,
  heartbeatMs: 50_000,
  sweepMs: 5_000,
  events: 20_000,
  characters: 30_000_000,
  perUser: 1_000,
} as const;

interface Waiter {
  /** On the monotonic clock. */
  since: number;
  answer: (body: JsonAnswer) => void;
}

export interface EventQueue {
  readonly id: string;
  /** How each answer to its polls ends. */
  readonly ending: string;
  readonly traits: Traits;
  /** Where in the sequence of event IDs it was opened, and the difference between that sequence and its own IDs. */
  readonly start: number;
  readonly base: number;
  /** How many queues had been opened before it. */
  nth: number;
  events: Queued[];
  characters: number;
  /** The highest event ID added to the queue, and the highest acknowledged one. */
  lastId: number;
  acknowledged: number;
  waiter: Waiter | null;
  /** Approximate memory without its events; 0 once it is closed. */
  bytes: number;
  /** When a client was last connected, on the monotonic clock. */
  seen: number;
}

export interface PastEvent {
  readonly id: number;
  readonly emitted: Emitted;
  readonly formFor: (queue: EventQueue) => Queued | null;
}

/** The events of the last minutes, from the log. */
export interface PastEvents {
  /** All events with this ID or a higher one are present. */
  readonly floor: number;
  /** Finds the first commit with an event of this ID or a higher one, and returns its events, or null. */
  next(id: number): readonly PastEvent[] | null;
}

/** How a queue was opened, and what its client has. */
export interface KeptQueue {
  readonly id: string;
  readonly traits: Traits;
  /** Where in the sequence of event IDs it was opened. */
  readonly start: number;
  readonly lastEventId: number;
}

/** All open queues. */
export interface Queues {
  /** Approximate memory of all queues together. */
  readonly bytes: number;
  readonly all: ReadonlyMap<string, EventQueue>;
  /** The users who have a queue, by ID. */
  readonly users: ReadonlyMap<number, unknown>;
  /** Whether a client of the user waits for events, or has within the usual time. */
  isHere(userId: number): boolean;
  /** Whether any of them might get an event with this audience. */
  hear(audience: Audience): boolean;
  /** Sets what to call whenever a queue has been opened. */
  onOpen(listener: () => void): void;
  /**
   * Opens a queue; `extraBytes` is the memory that its traits take beyond the usual. `idOf` makes its ID of where in the sequence of
   * event IDs it is opened.
   */
  open(traits: Traits, extraBytes?: number, idOf?: (start: number) => string): EventQueue;
  /** With a log: continues a queue that another node held; null if it has ended, or if `past` does not reach back to it. */
  revive(kept: KeptQueue, past: PastEvents, extraBytes?: number): Promise<EventQueue | null>;
  /** With a log: whether any event can have this ID by now, in the sequence that all queues share. True without a log. */
  reaches(id: number): boolean;
  /**
   * Sets what to call when a queue has ended, and not only because its client moved to another node; also when a client has ended one
   * that another process holds.
   */
  onEnd(listener: (queueId: string) => void): void;
  /** The queue, if it exists and belongs to this user; otherwise BAD_EVENT_QUEUE_ID. */
  find(id: string, userId: number): EventQueue;
  close(queue: EventQueue): void;
  /** Closes the queues of a user who may no longer connect or, with `which`, those that ask for too much. */
  closeAllOf(userId: number, which?: (queue: EventQueue) => boolean): void;
  /** Answers the waiting polls of a user without events, so that clients must authenticate again. */
  endWaits(userId: number): void;
  /** Acknowledges events up to `lastEventId`, then answers with newer ones: at once, or when the next arrives. */
  poll(
    queue: EventQueue,
    lastEventId: number,
    dontBlock: boolean,
    onHangUp?: (listener: () => void) => void,
  ): JsonAnswer | Promise<JsonAnswer>;
  /** Called every few seconds: answers long polls with a heartbeat, and closes idle queues. */
  sweep(): void;
  /** Answers every open poll with the events so far, so that the server can stop. */
  answerAll(): void;
}

export interface QueueWatcher {
  /** Called with each event as it is published. */
  onEvent?: (emitted: Emitted) => void;
  /** Called when an event could not be serialized. The queues that would have missed it were closed. */
  onFault?: (error: unknown) => void;
  /** Called with the number of queues that were closed because all queues together took too much memory. */
  onShed?: (count: number) => void;
  /** Called with each note of another node. */
  onNote?: (type: string, content: unknown) => void;
}

export function newQueue(opened: Omit<KeptQueue, "lastEventId">, seen: number): EventQueue {
  const { id, traits, start } = opened;
  return {
    id,
    ending: endingOf(id),
    traits,
    start,
    base: baseOf(start),
    nth: 0,
    events: [],
    lastId: -1,
    acknowledged: -1,
    waiter: null,
    seen,
    characters: 0,
    bytes: 0,
  };
}

/**
 * Returns how many queued events a client acknowledges; refuses IDs that were pruned or never in the queue. With a log, the
 * client may have got other events of the queue from another node: all IDs below `limit` may be acknowledged.
 */
export function acknowledge(queue: EventQueue, lastEventId: number, limit: number | null): number {
  if (lastEventId < queue.acknowledged) {
    fail("BAD_REQUEST", `An event newer than ${lastEventId} has already been pruned!`);
  }
  const count = limit === null ? upToIts(queue, lastEventId) : upTo(queue, lastEventId);
  if (count === null || (limit !== null && queue.base + lastEventId >= limit)) {
    fail("BAD_REQUEST", `Event ${lastEventId} was not in this queue`);
  }
  queue.acknowledged = lastEventId;
  queue.lastId = Math.max(queue.lastId, lastEventId);
  return count;
}

/** Null if the queue does not have this event. */
function upToIts({ events, acknowledged }: EventQueue, id: number): number | null {
  const at = events.findIndex((event) => event.id === id);
  return at < 0 && id !== acknowledged ? null : at + 1;
}

function upTo({ events }: EventQueue, id: number): number {
  const next = events.findIndex((event) => event.id > id);
  return next < 0 ? events.length : next;
}

/** The queue polled longest ago, if there are more than `max`: clients may not open queues without limit. */
export function idlestBeyond(queues: ReadonlySet<EventQueue> | undefined, max: number): EventQueue | null {
  if (!queues || queues.size <= max) return null;
  const idle = [...queues].filter((queue) => !queue.waiter);
  return idle.reduce<EventQueue | null>(
    (found, one) => (found && found.seen <= one.seen ? found : one),
    null,
  );
}
