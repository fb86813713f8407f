// Keeps in memory what decides about the messages that somebody has not read: people who were away miss the same ones, so most
// are there already when the next person asks.

import type { Reads } from "@/kernel/core/context.ts";
import { lowerBound } from "@/kernel/lib/binary-search.ts";
import type { Direction } from "@/kernel/lib/merge.ts";
import type { Task } from "@/kernel/lib/tasks.ts";
import { type Cache, declareCache } from "@/kernel/store/cache.ts";
import { currentVersions } from "@/messaging/invalidation/access.ts";
import type { Receipt } from "@/messaging/message-rows/schema.ts";
import { topicKey } from "@/places/topics/schema.ts";
import type { SeqRange } from "./marks.ts";
import { findNewestHomes, findSentIn } from "./store-cached.ts";

/** How one or more messages of a home spell their topic. */
export interface Spelling {
  readonly topic: string;
  readonly key: string;
  /** A part of an answer that callers make from the topic once, for all people. */
  made: Uint8Array | null;
}

export interface CachedMessage extends Receipt {
  readonly spelling: Spelling;
}

/** Messages of one version of a home. */
export interface WantedMessages extends SeqRange {
  homeId: number;
  version: number;
}

/** All messages of a home from one seq to another. */
interface CachedRange extends SeqRange {
  version: number;
  /** In order of seq. */
  messages: readonly CachedMessage[];
  spellings: Map<string, Spelling>;
  /** The parts asked for last, so that all who ask for the same one get the same object. */
  slices: (SeqRange & { messages: readonly CachedMessage[] })[];
}

/** Of each home. */
const maxSlices = 2;
/** About 15 MB. */
const maxMessages = 100_000;
/** Messages read in one step. */
const portion = 2000;

/** By home. What is kept of one is valid for one version of it. */
const messageCache = declareCache<number, CachedRange>({
  name: "unread messages",
  max: maxMessages,
  sizeOf: ({ messages }) => messages.length,
});

/** Returns the messages of each range, in order of seq. The homes' versions must be the current ones. */
export function messagesIn(reads: Reads, wanted: readonly WantedMessages[]): (readonly CachedMessage[])[] {
  const cache = messageCache(reads);
  const seen = new Set<number>();
  const plans = wanted.map((range) => {
    const found = cache.get(range.homeId);
    const known = found?.version === range.version ? found : null;
    // What is read for the first range of a home is not there yet for its second one.
    const isFirst = !seen.has(range.homeId);
    seen.add(range.homeId);
    return planOf(known, range, isFirst);
  });
  const missing: (SeqRange & { homeId: number })[] = [];
  for (const { range, missing: some } of plans)
    for (const { from, to } of some) missing.push({ homeId: range.homeId, from, to });
  const next = reader(missing.length === 0 ? [] : findSentIn(reads, missing));
  return plans.map((plan) => messagesOf(cache, plan, next));
}

/** As `messagesIn` for one range, if all that it holds is in memory; otherwise null. */
export function findCachedMessages(reads: Reads, range: WantedMessages): readonly CachedMessage[] | null {
  const kept = messageCache(reads).get(range.homeId);
  if (kept?.version !== range.version || range.from < kept.from || range.to > kept.to) return null;
  return sliceOf(kept, range);
}

/** The ID of the first or last message of each of these homes' ranges, by home, for the homes that are in memory there. */
export function findCachedEnds(
  reads: Reads,
  ranges: readonly (SeqRange & { homeId: number })[],
  direction: Direction,
): Map<number, number> {
  const ends = new Map<number, number>();
  const versionOf = currentVersions(reads);
  if (!versionOf) return ends;
  const cache = messageCache(reads);
  for (const { homeId, from, to } of ranges) {
    const end = direction === "after" ? from : to;
    const kept = cache.get(homeId);
    if (!kept || kept.version !== versionOf(homeId) || end < kept.from || end > kept.to) continue;
    const place = direction === "after" ? placeOf(kept.messages, from) : placeOf(kept.messages, to + 1) - 1;
    const message = kept.messages[place];
    if (message && message.seq >= from && message.seq <= to) ends.set(homeId, message.id);
  }
  return ends;
}

/** Reads the newest messages, as many as `max`, for all who have not read them. */
export function* keepNewest(reads: Reads, max: number): Task<void> {
  let wanted: (SeqRange & { homeId: number })[] = [];
  let size = 0;
  for (const range of findNewestHomes(reads, max)) {
    wanted.push(range);
    size += range.to - range.from + 1;
    if (size < portion) continue;
    read(reads, wanted);
    yield size;
    [wanted, size] = [[], 0];
  }
  read(reads, wanted);
}

function read(reads: Reads, ranges: readonly (SeqRange & { homeId: number })[]): void {
  const versionOf = currentVersions(reads);
  if (!versionOf) return;
  messagesIn(
    reads,
    ranges.map((range) => ({ ...range, version: versionOf(range.homeId) })),
  );
}

interface Plan {
  range: WantedMessages;
  known: CachedRange | null;
  /** Ranges to be read from the database. */
  missing: readonly SeqRange[];
  /** Whether to keep them. */
  isKept: boolean;
}

const nothing: readonly SeqRange[] = [];

function planOf(known: CachedRange | null, range: WantedMessages, isFirst: boolean): Plan {
  const { from, to } = range;
  if (known && from >= known.from && to <= known.to) return { range, known, missing: nothing, isKept: true };
  const isApart = !known || from > known.to + 1 || to < known.from - 1;
  // Of two ranges apart, the newer one is kept.
  if (!isFirst || (known && isApart && from < known.from))
    return { range, known: null, missing: [range], isKept: false };
  if (isApart) return { range, known: null, missing: [range], isKept: true };
  const below = from < known.from ? [{ from, to: known.from - 1 }] : [];
  const above = to > known.to ? [{ from: known.to + 1, to }] : [];
  return { range, known, missing: [...below, ...above], isKept: true };
}

/** Returns a function for the messages of each of the ranges that were read, in their order. */
function reader(rows: readonly Receipt[]): (homeId: number, range: SeqRange) => readonly Receipt[] {
  let at = 0;
  return (homeId, { to }) => {
    const from = at;
    while (rows[at]?.home_id === homeId && (rows[at] as Receipt).seq <= to) at++;
    return rows.slice(from, at);
  };
}

function messagesOf(
  cache: Cache<number, CachedRange>,
  { range, known, missing, isKept }: Plan,
  next: (homeId: number, range: SeqRange) => readonly Receipt[],
): readonly CachedMessage[] {
  const { homeId, version } = range;
  if (known && missing.length === 0 && cache.get(homeId) === known) return sliceOf(known, range);
  const spellings = known?.spellings ?? new Map<string, Spelling>();
  const read = missing.map((one) => next(homeId, one).map((row) => toCached(row, spellings)));
  if (!isKept) return read.flat();
  const isBelow = known !== null && (missing[0]?.from ?? known.from) < known.from;
  const [first = [], second = []] = read;
  const kept: CachedRange =
    known && missing.length === 0
      ? known
      : {
          version,
          spellings,
          from: Math.min(range.from, known?.from ?? range.from),
          to: Math.max(range.to, known?.to ?? range.to),
          messages: isBelow
            ? [...first, ...known.messages, ...second]
            : [...(known?.messages ?? []), ...first],
          slices: [],
        };
  cache.set(homeId, kept);
  return sliceOf(kept, range);
}

function toCached(row: Receipt, spellings: Map<string, Spelling>): CachedMessage {
  const { topic } = row;
  let spelling = spellings.get(topic);
  if (!spelling) {
    spelling = spellingOf(topic);
    spellings.set(topic, spelling);
  }
  // Written out: this runs for each message.
  return {
    id: row.id,
    conversation_id: row.conversation_id,
    home_id: row.home_id,
    seq: row.seq,
    sender_id: row.sender_id,
    bits: row.bits,
    topic: spelling.topic,
    arrived_seq: row.arrived_seq,
    spelling,
  };
}

export function spellingOf(topic: string): Spelling {
  return { topic, key: topicKey(topic), made: null };
}

function sliceOf(kept: CachedRange, { from, to }: SeqRange): readonly CachedMessage[] {
  if (from === kept.from && to === kept.to) return kept.messages;
  for (const slice of kept.slices) if (slice.from === from && slice.to === to) return slice.messages;
  const messages = kept.messages.slice(placeOf(kept.messages, from), placeOf(kept.messages, to + 1));
  kept.slices = [{ from, to, messages }, ...kept.slices.slice(0, maxSlices - 1)];
  return messages;
}

/** The number of messages below a seq. */
function placeOf(messages: readonly CachedMessage[], seq: number): number {
  return lowerBound(messages, (message) => message.seq < seq);
}
