// Keeps users' unread messages in memory. A home is read again once anything has changed that decides what is unread there: the
// mark, the spans, the last message, the version of its messages.

import type { Reads } from "@/kernel/core/context.ts";
import type { Task } from "@/kernel/lib/tasks.ts";
import { declareCache } from "@/kernel/store/cache.ts";
import { currentVersions } from "@/messaging/invalidation/access.ts";
import { flagBits } from "@/messaging/message-rows/schema.ts";
import { hasMutedAnybody, mutingKey, mutingOf } from "@/messaging/mute-spans/access.ts";
import { conversation, participantsOf } from "@/places/conversations/access.ts";
import {
  type CachedMessage,
  findCachedMessages,
  messagesIn,
  type WantedMessages,
} from "./cached-messages.ts";
import { type SeqRange, unreadRanges } from "./marks.ts";
import type { Span } from "./store.ts";
import * as store from "./store.ts";
import { findFlagsAmong } from "./store-cached.ts";
import {
  addUnread,
  areSameSpans,
  findSharedUnread,
  Gathering,
  type HomeInputs,
  isAllReceived,
  type OtherUnread,
  type Shared,
  sharedUnreadOf,
  type UnreadTopic,
} from "./unread-homes.ts";

/** The unread messages that a user received in one home. */
export interface UnreadHome {
  readonly homeId: number;
  /** Those that are still there, in order of the topics' first messages. Others may have the same object. */
  readonly topics: readonly UnreadTopic[];
  readonly others: readonly OtherUnread[];
  /** Whether the user receives what is sent there now. */
  readonly isPresent: boolean;
}

/** What a user has not read, and which messages mention them by name or with their topic. */
export interface CachedUnread {
  readonly homes: readonly UnreadHome[];
  readonly named: ReadonlySet<number>;
  readonly inTopic: ReadonlySet<number>;
  /** Whether the user receives what is sent to a conversation now. */
  isPresentIn(conversationId: number): boolean;
  /** A key for what is made from this and kept as long. */
  readonly reader: object;
}

/** Of users with more, nothing is kept. */
export const maxKept = 50_000;
/** Messages read in one step. */
const portion = 2000;

interface Home extends UnreadHome {
  readonly inputs: Inputs;
  readonly isDirect: boolean;
  /** Those that are still to be read. */
  left: SeqRange[];
  /** The sum of all ranges. */
  readonly size: number;
  topics: readonly UnreadTopic[];
  others: readonly OtherUnread[];
  /** Until the home is completely read. */
  gathering: Gathering | null;
  /** Whether others may have the same topics. */
  isShared: boolean;
}

/** What decides which messages of a home are unread, apart from what `Reader` holds for all homes. */
interface Inputs extends HomeInputs {
  version: number;
}

interface Reader {
  /** What is unread everywhere depends on these flags and on the muted users. */
  key: string;
  homes: Map<number, Home>;
  /** Whether the cache has counted all homes. */
  isCounted: boolean;
}

/** By user, in bytes, estimated. A home tells by its inputs whether it is current. */
export const unreadCache = declareCache<number, Reader>({
  name: "what is unread",
  max: 32_000_000,
  sizeOf({ homes, isCounted }) {
    let memory = 0;
    if (isCounted) for (const home of homes.values()) memory += memoryOf(home);
    return memory;
  },
});

const mentionFlags = flagBits.mentioned | flagBits.topicWildcard;
const deciding = flagBits.historical | flagBits.keptUnread;
const noSpans: readonly Span[] = [];

/** The user's unread messages as of the last step; null if there are too many, or inside a transaction. */
export function* readCachedUnread(reads: Reads, userId: number): Task<CachedUnread | null> {
  for (;;) {
    const found = planOf(reads, userId);
    if (!found) return null;
    const { changes } = reads.db;
    while (found.stale.length > 0 && reads.db.changes === changes) yield readOn(reads, userId, found);
    // A step ends with a pause, in which anything may have changed: then the plan may be outdated.
    if (reads.db.changes !== changes) continue;
    const { flags, reader } = found;
    if (!reader.isCounted) count(reads, userId, reader);
    const idsFlagged = (bit: number) => new Set([...flags].flatMap(([id, bits]) => (bits & bit ? [id] : [])));
    return {
      homes: [...reader.homes.values()],
      named: idsFlagged(flagBits.mentioned),
      inTopic: idsFlagged(flagBits.topicWildcard),
      isPresentIn: (id) => isOpen(found.spans.get(id) ?? noSpans) || isParticipant(reads, id, userId),
      reader,
    };
  }
}

/** Keeps nothing of a user any more. */
export function forgetUnread(reads: Reads, userId: number): void {
  unreadCache(reads).delete(userId);
}

interface Plan {
  reader: Reader;
  flags: ReadonlyMap<number, number>;
  spans: ReadonlyMap<number, readonly Span[]>;
  /** Whether neither flags nor muted users decide about any message. */
  isPlain: boolean;
  /** Homes that are not completely read, the next one last. */
  stale: Home[];
}

function planOf(reads: Reads, userId: number): Plan | null {
  const versionOf = currentVersions(reads);
  if (!versionOf) return null;
  const flags = findFlagsAmong(reads, userId, mentionFlags | deciding);
  const reader = readerFor(reads, userId, keyOf(reads, userId, flags));
  const isPlain = !hasMutedAnybody(reads, userId) && !keepsAnyUnread(flags);
  const spans = store.findAllSpans(reads, userId);
  const [homes, stale] = [new Map<number, Home>(), [] as Home[]];
  let size = 0;
  for (const { conversation_id: id, top, upto, bits } of store.findBehind(reads, userId)) {
    const version = versionOf(id);
    const inputs = { conversation_id: id, top, upto, bits, spans: spans.get(id) ?? noSpans, version };
    const known = reader.homes.get(id);
    const home = known && areEqual(known.inputs, inputs) ? known : openHome(reads, userId, inputs, isPlain);
    if (home !== known) reader.isCounted = false;
    if (home.left.length > 0) stale.push(home);
    homes.set(id, home);
    size += home.size;
  }
  if (homes.size !== reader.homes.size) reader.isCounted = false;
  if (size > maxKept) {
    forgetUnread(reads, userId);
    return null;
  }
  reader.homes = homes;
  return { reader, flags, spans, isPlain, stale: stale.reverse() };
}

function keyOf(reads: Reads, userId: number, flags: ReadonlyMap<number, number>): string {
  const ids = [...flags].flatMap(([id, bits]) => (bits & deciding ? [[id, bits & deciding]] : []));
  return `${JSON.stringify(ids)} ${mutingKey(reads, userId)}`;
}

function readerFor(reads: Reads, userId: number, key: string): Reader {
  const cache = unreadCache(reads);
  const known = cache.get(userId);
  if (known?.key === key) return known;
  const reader = { key, homes: new Map(), isCounted: true };
  cache.set(userId, reader);
  return reader;
}

function openHome(reads: Reads, userId: number, inputs: Inputs, isPlain: boolean): Home {
  const { conversation_id: homeId, spans } = inputs;
  const left = unreadRanges(inputs, inputs.top);
  // Only conversations of channels have spans.
  const isDirect = spans.length === 0 && isParticipant(reads, homeId, userId);
  const isPresent = isDirect || isOpen(spans);
  let size = 0;
  for (const { from, to } of left) size += to - from + 1;
  const home: Home = {
    homeId,
    inputs,
    isDirect,
    isPresent,
    left: left.reverse(),
    size,
    topics: [],
    others: [],
    gathering: null,
    isShared: false,
  };
  if (isPlain) takeKnown(reads, userId, home);
  return home;
}

/** Reads the home at once, if others have read the same messages before. */
function takeKnown(reads: Reads, userId: number, home: Home): void {
  const { inputs, left, homeId } = home;
  const [range] = left;
  if (!range || !isAllReceived(inputs, range)) return;
  const { from, to } = range;
  const messages = findCachedMessages(reads, { homeId, version: inputs.version, from, to });
  const shared = messages && findSharedUnread(messages);
  if (shared && takeShared(userId, home, shared)) home.left = [];
}

/** False if some of the messages are the user's own. */
function takeShared(userId: number, home: Home, { topics, others, senders }: Shared): boolean {
  if (senders.includes(userId)) return false;
  home.topics = topics;
  home.others = others;
  home.isShared = true;
  return true;
}

const isOpen = (spans: readonly Span[]) => spans.some(({ to_seq }) => to_seq === null);

const isParticipant = (reads: Reads, id: number, userId: number) =>
  participantsOf(conversation(reads, id)).includes(userId);

function areEqual(a: Inputs, b: Inputs): boolean {
  return (
    a.top === b.top &&
    a.upto === b.upto &&
    a.version === b.version &&
    areSameSpans(a.spans, b.spans) &&
    (a.bits === b.bits || (a.bits !== null && b.bits !== null && Buffer.compare(a.bits, b.bits) === 0))
  );
}

/** Reads the next portion; returns its number of messages. */
function readOn(reads: Reads, userId: number, { stale, flags, isPlain }: Plan): number {
  const homes: Home[] = [];
  const wanted: WantedMessages[] = [];
  let room = portion;
  for (let home = stale.at(-1); home && room > 0; home = stale.at(-1)) {
    const range = home.left.pop();
    if (!range) {
      stale.pop();
      continue;
    }
    const to = Math.min(range.to, range.from + room - 1);
    if (to < range.to) home.left.push({ from: to + 1, to: range.to });
    wanted.push({ homeId: home.homeId, version: home.inputs.version, from: range.from, to });
    homes.push(home);
    room -= to - range.from + 1;
  }
  const reading = { userId, flags, isFromMuted: mutingOf(reads, userId) };
  const found = messagesIn(reads, wanted);
  for (let i = 0; i < homes.length; i++) {
    const [home, messages] = [homes[i] as Home, found[i] as readonly CachedMessage[]];
    if (isPlain && isAllReceived(home.inputs, wanted[i] as WantedMessages))
      if (takeShared(userId, home, sharedUnreadOf(home.homeId, messages))) continue;
    const gathering = home.gathering ?? new Gathering();
    home.gathering = gathering;
    home.topics = gathering.topics;
    home.others = gathering.others;
    addUnread(gathering, messages, home, reading);
  }
  for (const home of homes) if (home.left.length === 0) home.gathering = null;
  return portion - room;
}

function keepsAnyUnread(flags: ReadonlyMap<number, number>): boolean {
  for (const bits of flags.values()) if ((bits & flagBits.keptUnread) !== 0) return true;
  return false;
}

/** Counts the reader's memory after homes were read or dropped. */
function count(reads: Reads, userId: number, reader: Reader): void {
  const cache = unreadCache(reads);
  reader.isCounted = true;
  // Another request may have dropped it between two steps.
  if (cache.get(userId) === reader) cache.set(userId, reader);
}

/** A rough estimate that includes what callers make from it. */
function memoryOf({ topics, others, size, isShared }: Home): number {
  return 300 + topics.length * (isShared ? 200 : 400) + size * (isShared ? 20 : 30) + others.length * 200;
}
