// Each user's state of a message: received, read, flagged. Only this folder knows how it is stored
// (docs/design.md#read-state).

import type { Reads } from "@/kernel/core/context.ts";
import {
  contentFlags,
  flagBits,
  messageBits,
  messageFlags,
  type Receipt,
} from "@/messaging/message-rows/schema.ts";
import { mutingOf, usersWhoMuted } from "@/messaging/mute-spans/access.ts";
import { conversation, participantsOf } from "@/places/conversations/access.ts";
import { homesOf, type ReaderHome, rareFlagsOf } from "./cached-reader.ts";
import { isRead, unmarked } from "./marks.ts";
import type { Span } from "./store.ts";
import * as store from "./store.ts";
import * as people from "./store-readers.ts";

/** The columns that locate a message: its home and seq, which marks and spans refer to, and its current conversation. */
type Counted = Pick<Receipt, "id" | "home_id" | "seq" | "sender_id" | "bits" | "conversation_id">;

const covers = (spans: readonly Span[], seq: number) =>
  spans.some((span) => seq >= span.from_seq && (span.to_seq === null || seq <= span.to_seq));

/** Whether the user received the message when it was sent. Participants of a direct conversation receive all of it. */
function hasReceived(
  reads: Reads,
  userId: number,
  { home_id, seq }: Pick<Receipt, "home_id" | "seq">,
): boolean {
  const home = conversation(reads, home_id);
  if (home.channel_id === null) return participantsOf(home).includes(userId);
  return covers(store.findSpans(reads, userId, home_id), seq);
}

/** Whether a message reached the user: they received it, or it was moved to where they were subscribed. */
export function hasReached(
  reads: Reads,
  userId: number,
  row: Pick<Receipt, "conversation_id" | "home_id" | "seq" | "arrived_seq">,
): boolean {
  if (hasReceived(reads, userId, row)) return true;
  const { conversation_id, arrived_seq } = row;
  return arrived_seq !== null && covers(store.findSpans(reads, userId, conversation_id), arrived_seq);
}

/** One user's state of many messages. Reads marks and spans once per conversation, or, for many, all at once. */
export interface ReaderView {
  hasReceived(message: Pick<Counted, "home_id" | "seq">): boolean;
  /** Whether it is the user's own record: received, or added to their history later. */
  isOwn(message: Counted): boolean;
  /** Messages that are not own records, or are in a channel the user is not subscribed to, count as read. */
  isRead(message: Counted): boolean;
  /** As `isRead`, ignoring subscriptions. */
  isReadAnywhere(message: Counted): boolean;
}

export function viewOf(reads: Reads, userId: number): ReaderView {
  const mark = memoizeOrLoadAll(
    (id) => store.findMark(reads, userId, id) ?? unmarked,
    () => store.findMarks(reads, userId),
    unmarked,
  );
  const spans = memoizeOrLoadAll(
    (id) => store.findSpans(reads, userId, id),
    () => store.findAllSpans(reads, userId),
    [] as readonly Span[],
  );
  const isParticipant = memoize((id: number) => participantsOf(conversation(reads, id)).includes(userId));
  const historical = memoize(() => new Set(store.findFlagged(reads, userId, flagBits.historical)));

  const isReceived: ReaderView["hasReceived"] = ({ home_id, seq }) =>
    isParticipant(home_id) || covers(spans(home_id), seq);
  const keptUnread = memoize(() => new Set(store.findFlagged(reads, userId, flagBits.keptUnread)));
  const isFromMuted = mutingOf(reads, userId);

  const isOwn = (message: Counted) => isReceived(message) || historical().has(message.id);
  const isMarked = (message: Counted) =>
    isRead(mark(message.home_id), message.seq) ||
    isOwnRead(userId, message) ||
    ((isFromMuted(message) || isQuiet(message)) && !keptUnread().has(message.id));
  const isReadAnywhere = (message: Counted) => isMarked(message) || !isOwn(message);
  const isAway = memoize(
    (id: number) => !isParticipant(id) && !spans(id).some(({ to_seq }) => to_seq === null),
  );
  return {
    hasReceived: isReceived,
    isOwn,
    isRead: (message) => isAway(message.conversation_id) || isReadAnywhere(message),
    isReadAnywhere,
  };
}

const isOwnRead = (userId: number, { sender_id, bits }: Counted) =>
  sender_id === userId && (bits & messageBits.readBySender) !== 0;

const isQuiet = ({ bits }: Counted) => (bits & messageBits.quiet) !== 0;

function memoize<K = void, V = unknown>(load: (key: K) => V): (key: K) => V {
  const known = new Map<K, V>();
  return (key) => {
    const hit = known.get(key);
    if (hit !== undefined) return hit;
    const value = load(key);
    known.set(key, value);
    return value;
  };
}

/** From about this many conversations on, one statement for all is cheaper than one for each. */
const manyConversations = 20;

/** Loads and caches values by conversation. After many of them, loads all at once. */
function memoizeOrLoadAll<V>(
  load: (conversationId: number) => V,
  loadAll: () => ReadonlyMap<number, V>,
  absent: V,
): (conversationId: number) => V {
  const known = new Map<number, V>();
  let all: ReadonlyMap<number, V> | null = null;
  return (id) => {
    if (all) return all.get(id) ?? absent;
    const hit = known.get(id);
    if (hit !== undefined) return hit;
    if (known.size >= manyConversations) {
      all = loadAll();
      return all.get(id) ?? absent;
    }
    const value = load(id);
    known.set(id, value);
    return value;
  };
}

/** The user's flags on each message, with their names on the wire. */
export function flagsOf(
  reads: Reads,
  userId: number,
  messages: readonly Counted[],
): Map<number, readonly string[]> {
  const flags = flagListsOf(reads, userId, messages);
  return new Map(messages.map((message, i) => [message.id, flags[i] as readonly string[]]));
}

/** As `flagsOf`, in the order of the messages. Equal lists are the same object. */
export function flagListsOf(
  reads: Reads,
  userId: number,
  messages: readonly Counted[],
): (readonly string[])[] {
  const rareFlags = rareFlagsOf(
    reads,
    userId,
    messages.map((message) => message.id),
  );
  const homes = homesOf(reads, userId, messages);
  const isFromMuted = mutingOf(reads, userId);
  return messages.map((message) => {
    const rare = rareFlags.get(message.id) ?? 0;
    const home = homes.get(message.home_id) as ReaderHome;
    const received = home.isParticipant || covers(home.spans, message.seq);
    const isOwn = received || (rare & flagBits.historical) !== 0;
    const isMarked =
      isRead(home.mark, message.seq) ||
      isOwnRead(userId, message) ||
      ((isFromMuted(message) || isQuiet(message)) && (rare & flagBits.keptUnread) === 0);
    const isThere = message.conversation_id === message.home_id;
    const isPresent = isThere ? home.isPresent : homes.get(message.conversation_id)?.isPresent;
    const isShownRead = isMarked || !isOwn || !isPresent;
    return namesOf(isShownRead, { rare, shared: received ? message.bits : 0, received });
  });
}

/** Each of these users' flags on one message, with their names on the wire. */
export function flagsOn(
  reads: Reads,
  message: Counted,
  userIds: readonly number[],
): Map<number, readonly string[]> {
  const { receivers, present } = receptionOf(reads, message, userIds);
  const marks = people.findMarks(reads, message.home_id, userIds);
  const rare = people.findFlagsOf(reads, message.id, userIds);
  const muters = usersWhoMuted(reads, message);
  return new Map(
    userIds.map((user) => {
      const bits = rare.get(user) ?? 0;
      const received = receivers.has(user);
      const isOwn = received || (bits & flagBits.historical) !== 0;
      const comesRead = muters.has(user) || isQuiet(message);
      const isMarked =
        isRead(marks.get(user) ?? unmarked, message.seq) ||
        isOwnRead(user, message) ||
        (comesRead && (bits & flagBits.keptUnread) === 0);
      const isShownRead = !isOwn || isMarked || !present.has(user);
      return [user, namesOf(isShownRead, { rare: bits, shared: received ? message.bits : 0, received })];
    }),
  );
}

/** Which of these users received a message, and which receive new messages of its current conversation. */
function receptionOf(
  reads: Reads,
  { home_id, seq, conversation_id }: Counted,
  userIds: readonly number[],
): { receivers: ReadonlySet<number>; present: ReadonlySet<number> } {
  const home = conversation(reads, home_id);
  if (home.channel_id === null) {
    const participants = new Set(participantsOf(home));
    return { receivers: participants, present: participants };
  }
  const endless = Number.MAX_SAFE_INTEGER;
  const since = people.findSpansWithin(reads, { homeId: home_id, from: seq, to: endless }, userIds);
  const receivers = new Set<number>();
  const present = new Set<number>();
  for (const { user_id, from_seq, to_seq } of since) {
    if (from_seq === seq) receivers.add(user_id);
    if (to_seq === endless) present.add(user_id);
  }
  if (conversation_id === home_id) return { receivers, present };
  const there = { homeId: conversation_id, from: endless, to: endless };
  return {
    receivers,
    present: new Set(people.findSpansWithin(reads, there, userIds).map(({ user_id }) => user_id)),
  };
}

/** The messages among these that exist, ascending by ID. */
export function rowsOf(reads: Reads, messageIds: readonly number[]): Receipt[] {
  return people.findReceiptsOf(reads, messageIds);
}

/** By user, the IDs of the messages of a conversation that these users starred, ascending. Those without any are missing. */
export function starsOf(
  reads: Reads,
  conversationId: number,
  userIds: readonly number[],
): Map<number, number[]> {
  const stars = new Map<number, number[]>();
  for (const { user_id, message_id } of people.findStarsIn(reads, conversationId, userIds)) {
    const own = stars.get(user_id);
    if (own) own.push(message_id);
    else stars.set(user_id, [message_id]);
  }
  return stars;
}

/** IDs of the messages the user has starred, ascending. */
export function listStarredIds(reads: Reads, userId: number): number[] {
  return store.findFlagged(reads, userId, flagBits.starred);
}

/** Whether a message mentions the user: by name, with the participants of its topic, or with the whole channel. */
export function mentionsOf(
  reads: Reads,
  userId: number,
): Record<"byName" | "inTopic" | "toAll", (message: Counted) => boolean> {
  const named = new Set(store.findFlagged(reads, userId, flagBits.mentioned));
  const inTopic = new Set(store.findFlagged(reads, userId, flagBits.topicWildcard));
  const { hasReceived } = viewOf(reads, userId);
  return {
    byName: ({ id }) => named.has(id),
    inTopic: ({ id }) => inTopic.has(id),
    toAll: (message) => (message.bits & messageBits.channelWildcard) !== 0 && hasReceived(message),
  };
}

/** Users who have read a message that they received or have in their history, without its sender. */
export function readersOfMessage(
  reads: Reads,
  row: Pick<Receipt, "id" | "home_id" | "seq" | "sender_id">,
): Set<number> {
  const home = conversation(reads, row.home_id);
  const receivers =
    home.channel_id === null
      ? people.findMarksOf(reads, row, participantsOf(home))
      : people.findReceiverMarks(reads, row);
  const others = people.findMarksOf(reads, row, people.findHistorians(reads, [row.id]));
  const readers = new Set<number>();
  for (const mark of [...receivers, ...others]) if (saysRead(mark, row.seq)) readers.add(mark.user_id);
  for (const id of readAsMuted(reads, row)) readers.add(id);
  readers.delete(row.sender_id);
  return readers;
}

/** Users who had muted the sender when they received the message, and do not keep it unread. */
function readAsMuted(reads: Reads, row: Pick<Receipt, "id" | "home_id" | "seq" | "sender_id">): number[] {
  const muters = usersWhoMuted(reads, row);
  if (muters.size === 0) return [];
  const flags = people.findFlagsOn(reads, row.id);
  const keepsUnread = (id: number) => ((flags.get(id) ?? 0) & flagBits.keptUnread) !== 0;
  return [...muters].filter((id) => hasReceived(reads, id, row) && !keepsUnread(id));
}

function saysRead({ upto, byte }: people.ReaderMark, seq: number): boolean {
  return seq <= upto || ((Number.parseInt(byte || "0", 16) >> ((seq - upto - 1) & 7)) & 1) === 1;
}

/** Users that a message mentions by name or in its topic, or that have an alert word in it. */
export function usersFlaggedOn(reads: Reads, messageId: number): number[] {
  const flagged = [...people.findFlagsOn(reads, messageId)];
  return flagged.flatMap(([id, bits]) => ((bits & contentFlags) === 0 ? [] : [id]));
}

const rareFlags = Object.entries(messageFlags).filter(([, { bit }]) => bit !== 0);

interface KnownOf {
  rare: number;
  shared: number;
  received: boolean;
}

const knownNames = new Map<number, readonly string[]>();

/** The names of flags, with the same list for the same flags. */
function namesOf(isShownRead: boolean, known: KnownOf): readonly string[] {
  const { rare, shared, received } = known;
  const key =
    rare * 8 +
    (received ? 4 : 0) +
    (isShownRead ? 2 : 0) +
    ((shared & messageBits.channelWildcard) === 0 ? 0 : 1);
  const found = knownNames.get(key);
  if (found) return found;
  const names = isShownRead ? ["read"] : [];
  addNames(names, known);
  knownNames.set(key, names);
  return names;
}

function addNames(names: string[], { rare, shared, received }: KnownOf): void {
  if (rare !== 0) for (const [name, { bit }] of rareFlags) if ((rare & bit) !== 0) names.push(name);
  const isChannelWildcard = (shared & messageBits.channelWildcard) !== 0;
  if (isChannelWildcard) names.push("stream_wildcard_mentioned");
  if (isChannelWildcard || (rare & flagBits.topicWildcard) !== 0) names.push("wildcard_mentioned");
  if (!received && (rare & flagBits.historical) === 0) names.push("historical");
}
