// What the event queues are for the rest of the server; src/kernel/events has their code.

import type { JsonAnswer } from "@/kernel/lib/long-answers.ts";
import type { Audience, Emitted, Traits } from "./events.ts";

/** An event as it waits in queues. */
export interface Queued {
  readonly id: number;
  readonly text: string;
  /** How many queues it waits in. */
  holders: number;
}

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
  mayReceive(audience: Audience): boolean;
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
  /** Called with each broadcast of another node. */
  onBroadcast?: (type: string, content: unknown) => void;
}
