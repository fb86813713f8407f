import type { Tx } from "@/kernel/core/context.ts";
import { to } from "@/kernel/core/events.ts";
import type { FlagName, Receipt } from "@/messaging/message-rows/schema.ts";
import type { Addressed } from "@/places/channels/schema.ts";
import {
  channelConversation,
  conversation,
  conversationsMovedInto,
  lastSeqOf,
  participantsOf,
} from "@/places/conversations/access.ts";
import type { Reception } from "@/places/subscriptions/hooks.ts";
import { flagsOf } from "./access.ts";
import { setRead } from "./actions-marks.ts";
import { flagsAdded, flagsRemoved, type UnreadDetails } from "./schema.ts";
import * as store from "./store.ts";
import { findReceiptsOf } from "./store-readers.ts";
import * as reception from "./store-reception.ts";
import { unreadConcerning, unreadOf } from "./unread.ts";
import { unreadAmong } from "./unread-among.ts";

/** These users receive the messages that are sent from now on. Earlier ones count as read, wherever they were sent. */
export function startReceiving(tx: Tx, receptions: readonly Reception[]): void {
  const behind = behindAmong(tx, receptions, { onlyMarked: true });
  reception.markAllRead(
    tx,
    receptions.filter((one) => !behind.has(one)),
  );
  reception.insertSpans(tx, receptions);
  for (const { userId, conversationId } of mayHaveUnread(tx, receptions, behind)) {
    const unread = unreadConcerning(tx, userId, conversationId);
    setRead(
      tx,
      userId,
      unread.filter((row) => row.conversation_id === conversationId),
    );
  }
}

/** These users receive nothing from now on. Marks what they received as read and emits that. */
export function stopReceiving(tx: Tx, receptions: readonly Reception[]): void {
  const behind = behindAmong(tx, receptions);
  const read: { userId: number; here: Receipt[] }[] = [];
  const keepUnread = new Set<Reception>();
  for (const one of mayHaveUnread(tx, receptions, behind)) {
    const { userId, conversationId } = one;
    const unread = unreadConcerning(tx, userId, conversationId);
    const here = unread.filter((row) => row.conversation_id === conversationId);
    if (here.length < unread.length) keepUnread.add(one);
    setRead(tx, userId, here);
    read.push({ userId, here });
  }
  reception.closeSpans(tx, receptions);
  reception.markAllRead(
    tx,
    receptions.filter((one) => !keepUnread.has(one)),
  );
  for (const { userId, here } of read) announce(tx, userId, { op: "add", flag: "read" }, here);
}

/** Users who may have something unread in the conversation; with `onlyMarked`, only those with a mark there. */
function behindAmong(
  tx: Tx,
  receptions: readonly Reception[],
  { onlyMarked = false } = {},
): ReadonlySet<Reception> {
  const places = new Set(reception.findBehindAmong(tx, receptions, onlyMarked));
  return new Set(receptions.filter((_, place) => places.has(place)));
}

/** Those with unread messages, and everyone in conversations that messages were moved into. */
function mayHaveUnread(
  tx: Tx,
  receptions: readonly Reception[],
  behind: ReadonlySet<Reception>,
): Reception[] {
  const movedInto = new Set(conversationsMovedInto(tx));
  return receptions.filter((one) => behind.has(one) || movedInto.has(one.conversationId));
}

/** Stores the rare flags of a new message, such as mentions. */
export function noteFlags(tx: Tx, messageId: number, bitsByUser: ReadonlyMap<number, number>): void {
  if (bitsByUser.size === 0) return;
  const groups = Map.groupBy(bitsByUser, ([, bits]) => bits);
  for (const [bits, people] of groups) {
    store.addFlagBitsFor(
      tx,
      people.map(([userId]) => userId),
      { messageId, bits },
    );
  }
}

export function announce(
  tx: Tx,
  user: number,
  { op, flag, only }: { op: "add" | "remove"; flag: FlagName } & Addressed,
  rows: readonly Receipt[],
): void {
  if (rows.length === 0) return;
  const messages = rows.map((row) => row.id).sort((a, b) => a - b);
  if (flag === "read" && op === "remove") {
    const message_details = detailsOf(tx, user, rows);
    const change = { operation: op, flag, messages, all: false, message_details };
    tx.emit(flagsRemoved, to(user), { ...change, only });
  } else emitFlag(tx, [user], { op, flag }, messages);
}

/** Emits a flag other than `read`, or read messages; their IDs are ascending. */
export function emitFlag(
  tx: Tx,
  users: readonly number[],
  { op, flag }: { op: "add" | "remove"; flag: FlagName },
  messages: readonly number[],
): void {
  if (messages.length === 0) return;
  if (op === "add") tx.emit(flagsAdded, { to: users }, { operation: op, flag, messages, all: false });
  else tx.emit(flagsRemoved, { to: users }, { operation: op, flag, messages, all: false });
}

/**
 * After a move, emits as unread the messages that count as unread again, because they are now in a channel that the users
 * are subscribed to.
 */
export function emitUnreadAgain(tx: Tx, messageIds: readonly number[], userIds: readonly number[]): void {
  if (userIds.length === 0) return;
  const rows = findReceiptsOf(tx, messageIds);
  const groups = Map.groupBy(unreadAmong(tx, rows, userIds), ([, unread]) => unread);
  for (const [unread, users] of groups) {
    const message_details = detailsOf(tx, users[0]?.[0] ?? 0, unread);
    const messages = unread.map((row) => row.id).sort((a, b) => a - b);
    const change = {
      operation: "remove" as const,
      flag: "read" as const,
      messages,
      all: false,
      message_details,
    };
    tx.emit(flagsRemoved, { to: users.map(([id]) => id) }, change);
  }
}

/** So many users are told what is unread when a channel is back, and of so many messages: each takes a search. */
const maxTold = 15;
const maxMessagesTold = 500;

/**
 * A channel is back that older clients had deleted: emits to these what is unread there. Returns the users for which this would
 * take too long.
 */
export function emitUnreadReturned(
  tx: Tx,
  { channel, userIds }: { channel: { id: number }; userIds: readonly number[] },
): number[] {
  const conversationId = channelConversation(tx, channel.id);
  const all = userIds.map((userId) => ({ userId, conversationId }));
  let room = maxMessagesTold;
  return mayHaveUnread(tx, all, behindAmong(tx, all)).flatMap(({ userId }, nth) => {
    if (nth >= maxTold || room === 0) return [userId];
    const rows = unreadOf(tx, userId, { only: [conversationId], max: room + 1 });
    if (rows.length > room) return [userId];
    room -= rows.length;
    announce(tx, userId, { op: "remove", flag: "read", only: "older" }, rows);
    return [];
  });
}

const mentions = ["mentioned", "stream_wildcard_mentioned", "topic_wildcard_mentioned"];

function detailsOf(tx: Tx, user: number, rows: readonly Receipt[]): Record<number, UnreadDetails> {
  const flags = flagsOf(tx, user, rows);
  const details = rows.map((row) => {
    const mentioned = flags.get(row.id)?.some((flag) => mentions.includes(flag))
      ? { mentioned: true }
      : undefined;
    return [row.id, { ...placeDetails(tx, user, row), ...mentioned }];
  });
  return Object.fromEntries(details);
}

function placeDetails(tx: Tx, user: number, row: Receipt): UnreadDetails {
  const place = conversation(tx, row.conversation_id);
  if (place.channel_id !== null) return { type: "stream", stream_id: place.channel_id, topic: row.topic };
  return { type: "private", user_ids: participantsOf(place).filter((id) => id !== user) };
}

/** Marks messages of a user as read and emits that. */
export function markAsRead(tx: Tx, user: number, rows: readonly Receipt[]): void {
  setRead(tx, user, rows);
  announce(tx, user, { op: "add", flag: "read" }, rows);
}

/** Marks everything that a user received as read, without an event. */
export function readEverything(tx: Tx, user: number): void {
  for (const behind of store.findBehind(tx, user)) {
    const upto = lastSeqOf(tx, behind.conversation_id);
    store.setMark(tx, user, behind.conversation_id, { upto, bits: null });
  }
}
