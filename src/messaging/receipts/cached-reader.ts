// What decides which flags a user has on messages. It is kept in memory for the users who read, until their marks or flags change, or
// anybody's subscriptions. Sending changes only the flags of those that the message mentions.

import type { Reads } from "@/kernel/core/context.ts";
import { declareCache } from "@/kernel/store/cache.ts";
import { takeAlteredReaders } from "@/messaging/invalidation/access.ts";
import { conversation, participantsOf } from "@/places/conversations/access.ts";
import { type Mark, unmarked } from "./marks.ts";
import type { Span } from "./store.ts";
import * as store from "./store.ts";
import { findFlagBits, findFlagsBetween } from "./store-cached.ts";

export interface ReaderHome {
  readonly mark: Mark;
  readonly spans: readonly Span[];
  /** Whether it is a direct conversation of the user's. */
  readonly isParticipant: boolean;
  /** Whether the user receives what is sent there now. */
  readonly isPresent: boolean;
}

type Homes = Map<number, ReaderHome>;

interface Reader {
  readonly homes: Homes;
  flags: FlagsBetween | null;
}

/** All flags of a user on messages from one ID to another, but those that are stored in marks. */
interface FlagsBetween {
  lowest: number;
  highest: number;
  byMessage: ReadonlyMap<number, number>;
}

const maxFlags = 200;
/** Up to about this many conversations, one statement for each is cheaper than one for all. */
const few = 3;

const readerCache = declareCache<number, Reader>({
  name: "marks of readers",
  // Each may have a thousand conversations.
  max: 50,
  tables: ["receipt_spans"],
  listOutdated: takeAlteredReaders,
});

/** A user's state of the conversations of these messages; of others it is undefined. */
export function homesOf(
  reads: Reads,
  userId: number,
  messages: readonly { home_id: number; conversation_id: number }[],
): ReadonlyMap<number, ReaderHome> {
  const { homes } = readerOf(reads, userId, messages.length);
  const missing = new Set<number>();
  for (const { home_id, conversation_id } of messages) {
    if (!homes.has(home_id)) missing.add(home_id);
    if (conversation_id !== home_id && !homes.has(conversation_id)) missing.add(conversation_id);
  }
  if (missing.size > 0) read(reads, userId, [...missing], homes);
  return homes;
}

/** The user's flags on these messages, and maybe on others, without those that are stored in marks. */
export function rareFlagsOf(
  reads: Reads,
  userId: number,
  messageIds: readonly number[],
): ReadonlyMap<number, number> {
  if (messageIds.length === 0) return new Map();
  const reader = readerOf(reads, userId, messageIds.length);
  const { lowest, highest } = endsOf(messageIds);
  const known = reader.flags;
  if (known && known.lowest <= lowest && known.highest >= highest) return known.byMessage;
  // Flags are so rare that most pages have fewer of them than messages, even if all in between count.
  const range = { lowest, highest, max: messageIds.length };
  const byMessage = findFlagsBetween(reads, userId, range);
  if (!byMessage) return findFlagBits(reads, userId, messageIds);
  if (byMessage.size <= maxFlags) reader.flags = { lowest, highest, byMessage };
  return byMessage;
}

function endsOf(ids: readonly number[]): { lowest: number; highest: number } {
  let lowest = Number.MAX_SAFE_INTEGER;
  let highest = 0;
  for (const id of ids) {
    if (id < lowest) lowest = id;
    if (id > highest) highest = id;
  }
  return { lowest, highest };
}

/**
 * A user is not kept for a few messages: a notification of each of hundreds of people would take the place of those who read pages.
 */
function readerOf(reads: Reads, userId: number, messages: number): Reader {
  const cache = readerCache(reads);
  const known = cache.get(userId);
  if (known) return known;
  const reader = { homes: new Map(), flags: null };
  if (messages > few) cache.set(userId, reader);
  return reader;
}

function read(reads: Reads, userId: number, ids: readonly number[], homes: Homes): void {
  const isFew = ids.length <= few;
  const marks = isFew ? null : store.findMarks(reads, userId, ids);
  const allSpans = isFew ? null : store.findAllSpans(reads, userId);
  for (const id of ids) {
    const mark = marks ? marks.get(id) : store.findMark(reads, userId, id);
    const spans = allSpans ? (allSpans.get(id) ?? []) : store.findSpans(reads, userId, id);
    const isParticipant = participantsOf(conversation(reads, id)).includes(userId);
    const isPresent = isParticipant || spans.some(({ to_seq }) => to_seq === null);
    homes.set(id, { mark: mark ?? unmarked, spans, isParticipant, isPresent });
  }
}
