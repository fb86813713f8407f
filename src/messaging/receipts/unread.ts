// Finds a user's unread messages in order of ID, reading no more than needed and never all messages.

import type { Reads } from "@/kernel/core/context.ts";
import { type Direction, merge, type PostingList, postingList, type ReadNext } from "@/kernel/lib/merge.ts";
import { runSync, type Task } from "@/kernel/lib/tasks.ts";
import type { Receipt } from "@/messaging/message-rows/schema.ts";
import { conversationsMovedInto } from "@/places/conversations/access.ts";
import { viewOf } from "./access.ts";
import { findCachedEnds } from "./cached-messages.ts";
import { type SeqRange, unreadRanges } from "./marks.ts";
import type { Behind } from "./store.ts";
import * as store from "./store.ts";

/** The conversations to search: all but those in `not`, or just those in `only`. */
export interface SearchScope {
  only?: readonly number[];
  not?: ReadonlySet<number>;
  /** Includes channels the user is not subscribed to, whose messages otherwise count as read. */
  everywhere?: boolean;
}

interface Along extends SearchScope {
  direction: Direction;
  /** Exclusive. */
  from: number;
}

/** Of a posting list, at first: often no more is needed. */
const firstRead = 1;

/**
 * Returns a function for the next unread messages beyond `from`, nearest first. It returns fewer than `max` only at the
 * end.
 */
export function unreadReader(reads: Reads, userId: number, along: Along): (max: number) => Receipt[] {
  const rows = new Map<number, Receipt>();
  const next = nextUnread(reads, userId, { along, rows });
  return (max) => runSync(next(max)).map((id) => rows.get(id) as Receipt);
}

/** Reads on and puts the messages into `rows`. */
function nextUnread(
  reads: Reads,
  userId: number,
  { along, rows }: { along: Along; rows: Map<number, Receipt> },
): ReadNext {
  const lists = sourcesOf(reads, userId, along).map((source) => listOf(source, rows));
  return merge(lists, along.direction, along.from, firstRead);
}

/** The `max` newest of the user's unread messages, ascending. */
export function unreadOf(
  reads: Reads,
  userId: number,
  { max, ...scope }: SearchScope & { max: number },
): Receipt[] {
  const along: Along = { ...scope, direction: "before", from: endless };
  const all = readAtOnce(reads, userId, { ...along, max });
  return all ?? unreadReader(reads, userId, along)(max).reverse();
}

/** As `unreadOf` of all conversations, in steps: for very many messages. */
export function* newestUnread(reads: Reads, userId: number, max: number): Task<Receipt[]> {
  const rows = new Map<number, Receipt>();
  const next = nextUnread(reads, userId, { along: { direction: "before", from: endless }, rows });
  const found: Receipt[] = [];
  for (let isOver = false; !isOver && found.length < max; ) {
    const size = Math.min(maxChunk, max - found.length);
    const ids = yield* next(size);
    found.push(...ids.map((id) => rows.get(id) as Receipt));
    isOver = ids.length < size;
  }
  return found.reverse();
}

/** As `unreadOf`, with one statement for all homes; null if that could read many more messages than wanted. */
function readAtOnce(reads: Reads, userId: number, along: Along & { max: number }): Receipt[] | null {
  const { homes, movedInto, accepts } = scopeOf(reads, userId, along);
  const ranges = homes.flatMap((home) => {
    return unreadRanges(home, home.top).map((one) => ({ ...one, homeId: home.conversation_id }));
  });
  const bound = ranges.reduce((sum, { from, to }) => sum + to - from + 1, 0);
  if (movedInto.length > 0 || bound > Math.min(along.max, maxAtOnce)) return null;
  const found = store.findReceiptsIn(reads, userId, ranges).filter(accepts);
  return found.sort((a, b) => a.id - b.id);
}

/** All unread messages that are in the conversation or were sent there, ignoring subscriptions. */
export function unreadConcerning(reads: Reads, userId: number, conversationId: number): Receipt[] {
  const { isReadAnywhere } = viewOf(reads, userId);
  const accepts = (row: Receipt) => !isReadAnywhere(row);
  const wanted: UnreadFilter = { along: { direction: "after", from: 0 }, accepts };
  const homes = store.findBehind(reads, userId, [conversationId]);
  return [
    ...homes.flatMap((home) => {
      const ranges = rangesAlong(reads, home, wanted.along);
      return [...unreadAtHome(reads, userId, { ...wanted, home, ranges })];
    }),
    ...unreadMovedInto(reads, conversationId, wanted),
  ];
}

const endless = Number.MAX_SAFE_INTEGER;

const maxAtOnce = 100_000;

interface Scope {
  homes: Behind[];
  /** Conversations that may contain messages moved from other homes. */
  movedInto: readonly number[];
  accepts: (row: Receipt) => boolean;
}

function scopeOf(reads: Reads, userId: number, { only, not, everywhere = false }: SearchScope): Scope {
  const named = only && new Set(only);
  const isIncluded = (id: number) => (named?.has(id) ?? true) && !not?.has(id);
  const view = viewOf(reads, userId);
  const isRead = everywhere ? view.isReadAnywhere : view.isRead;
  const behind = store.findBehind(reads, userId, only);
  const homes = behind.filter((home) => isIncluded(home.conversation_id));
  const isPartial = only !== undefined || homes.length < behind.length;
  return {
    homes,
    movedInto: isPartial ? (only ?? conversationsMovedInto(reads)).filter(isIncluded) : [],
    accepts: (row) => isIncluded(row.conversation_id) && !isRead(row),
  };
}

interface Source {
  messages: Generator<Receipt>;
  /** No message is nearer, if this is known. */
  starts?: number;
}

/** One source for each home with unread messages, and one for each conversation that messages were moved into. */
function sourcesOf(reads: Reads, userId: number, along: Along): Source[] {
  const { homes, movedInto, accepts } = scopeOf(reads, userId, along);
  const ranges = new Map(homes.map((home) => [home, rangesAlong(reads, home, along)]));
  const starts = startsOf(reads, userId, ranges, along);
  return [
    ...homes.map((home) => {
      const wanted = { home, along, accepts, ranges: ranges.get(home) ?? [] };
      return { messages: unreadAtHome(reads, userId, wanted), starts: starts.get(home.conversation_id) };
    }),
    ...movedInto.map((id) => ({ messages: unreadMovedInto(reads, id, { along, accepts }) })),
  ];
}

/** No message of a home is nearer than this ID, which is known or read with one statement for all homes. */
function startsOf(
  reads: Reads,
  userId: number,
  ranges: ReadonlyMap<Behind, SeqRange[]>,
  { direction }: Along,
): Map<number, number> {
  const nearest = [...ranges].flatMap(([home, [first]]) => {
    return first && first.from <= first.to ? [{ ...first, homeId: home.conversation_id }] : [];
  });
  const known = findCachedEnds(reads, nearest, direction);
  const others = nearest.filter(({ homeId }) => !known.has(homeId));
  const read = others.length > 1 ? store.findEnds(reads, userId, others, direction) : [];
  return new Map([...known, ...read]);
}

interface UnreadFilter {
  along: Along;
  accepts: (row: Receipt) => boolean;
}

const firstChunk = 16;
const maxChunk = 1024;

interface AtHome extends UnreadFilter {
  home: Behind;
  /** Nearest first. */
  ranges: readonly SeqRange[];
}

function* unreadAtHome(
  reads: Reads,
  userId: number,
  { home, along, accepts, ranges }: AtHome,
): Generator<Receipt> {
  const { direction } = along;
  const homeId = home.conversation_id;
  const isBeyond = beyond(along);
  for (const range of ranges) {
    let { from, to } = range;
    for (let max = firstChunk; from <= to; max = Math.min(max * 2, maxChunk)) {
      const rows = store.findReceipts(reads, userId, { homeId, from, to, max, direction });
      for (const row of rows) if (isBeyond(row.id) && accepts(row)) yield row;
      const last = rows.at(-1);
      if (!last || rows.length < max) break;
      ({ from, to } = without({ from, to }, last.seq, direction));
    }
  }
}

/** The part of a range beyond a seq. */
function without({ from, to }: SeqRange, seq: number, direction: Direction): SeqRange {
  return direction === "after" ? { from: seq + 1, to } : { from, to: seq - 1 };
}

/** The ranges of a home that may contain unread messages beyond `from`, nearest first. */
function rangesAlong(reads: Reads, home: Behind, { direction, from }: Along): SeqRange[] {
  const all = unreadRanges(home, home.top);
  const isFromAnEnd = direction === "after" ? from === 0 : from === endless;
  const near = isFromAnEnd ? null : store.findSeqNear(reads, home.conversation_id, { direction, from });
  if (direction === "after") return all.map((one) => ({ ...one, from: Math.max(one.from, near ?? 0) }));
  return all.map((one) => ({ ...one, to: Math.min(one.to, near ?? endless) })).reverse();
}

function* unreadMovedInto(
  reads: Reads,
  conversationId: number,
  { along, accepts }: UnreadFilter,
): Generator<Receipt> {
  const { direction } = along;
  let { from } = along;
  for (let max = firstChunk; ; max = Math.min(max * 2, maxChunk)) {
    const rows = store.findMovedInto(reads, conversationId, { direction, from, max });
    for (const row of rows) if (accepts(row)) yield row;
    const last = rows.at(-1);
    if (!last || rows.length < max) return;
    from = last.id;
  }
}

const beyond = ({ direction, from }: Along) =>
  direction === "after" ? (id: number) => id > from : (id: number) => id < from;

function listOf({ messages, starts }: Source, rows: Map<number, Receipt>): PostingList {
  const read = (_: number, max: number) => {
    const ids: number[] = [];
    while (ids.length < max) {
      const { done, value } = messages.next();
      if (done) break;
      rows.set(value.id, value);
      ids.push(value.id);
    }
    return ids;
  };
  return postingList(read, starts);
}
