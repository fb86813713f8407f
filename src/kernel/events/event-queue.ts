import type { EventQueue, KeptQueue } from "@/kernel/core/queue-types.ts";
import { fail, type Sentence, wordedSentence } from "@/kernel/lib/errors.ts";
import { baseOf } from "@/kernel/store/event-ids.ts";
import { endingOf } from "./serialize.ts";

export const queueLimits = {
  idleMs: 600_000,
  heartbeatMs: 50_000,
  sweepMs: 5_000,
  events: 20_000,
  characters: 30_000_000,
  perUser: 1_000,
} as const;

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

function notInQueue(id: number): Sentence {
  return wordedSentence(`Event ${id} was not in this queue`, "Event {id} was not in this queue", {
    id: String(id),
  });
}

/**
 * Returns how many queued events a client acknowledges; refuses IDs that were pruned or never in the queue. With a log, the
 * client may have got other events of the queue from another node: all IDs below `limit` may be acknowledged.
 */
export function acknowledge(queue: EventQueue, lastEventId: number, limit: number | null): number {
  if (lastEventId < queue.acknowledged) {
    fail(
      "BAD_REQUEST",
      wordedSentence(
        `An event newer than ${lastEventId} has already been pruned!`,
        "An event newer than {id} has already been pruned!",
        { id: String(lastEventId) },
      ),
    );
  }
  const count = limit === null ? upToIts(queue, lastEventId) : upTo(queue, lastEventId);
  if (count === null || (limit !== null && queue.base + lastEventId >= limit)) {
    fail("BAD_REQUEST", notInQueue(lastEventId));
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
