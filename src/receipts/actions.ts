import { channelFor } from "@/channels/access.ts";
import { channelConversation, conversation, lastSeqOf, participantsOf } from "@/conversations/access.ts";
import type { Tx } from "@/kernel/context.ts";
import { fail } from "@/kernel/errors.ts";
import { to } from "@/kernel/events.ts";
import { action } from "@/kernel/operation.ts";
import { messageFor } from "@/messages/access.ts";
import { type Narrowed, selectIds } from "@/messages/queries.ts";
import { asTopic, messageBits, topicKey } from "@/messages/schema.ts";
import { allow, me } from "@/permissions/access.ts";
import { isSubscribed } from "@/subscriptions/access.ts";
import { flagsOf, isOwnRecord, type Receipt, unreadOf } from "./access.ts";
import { type Mark, unmarked, withRead, withUnread } from "./marks.ts";
import {
  type FlagName,
  flagBits,
  flagsAdded,
  flagsRemoved,
  messageFlags,
  type UnreadDetails,
} from "./schema.ts";
import * as store from "./store.ts";

/** From here on the user receives what is sent; what came before counts as read. */
export function startReceiving(tx: Tx, at: { conversationId: number; userId: number }): void {
  const last = lastSeqOf(tx, at.conversationId);
  store.insertSpan(tx, at.userId, at.conversationId, last + 1);
  store.setMark(tx, at.userId, at.conversationId, { upto: last, bits: null });
}

/** From here on the user receives nothing; leaving marks as read. */
export function stopReceiving(tx: Tx, at: { conversationId: number; userId: number }): void {
  const last = lastSeqOf(tx, at.conversationId);
  store.closeSpan(tx, at.userId, at.conversationId, last);
  store.setMark(tx, at.userId, at.conversationId, { upto: last, bits: null });
}

/** Notes at sending what only some recipients are told: who is mentioned, by name or as part of a topic. */
export function noteFlags(tx: Tx, messageId: number, bitsByUser: ReadonlyMap<number, number>): void {
  for (const [userId, bits] of bitsByUser) store.addFlagBits(tx, userId, messageId, bits);
}

export interface FlagChange {
  op: "add" | "remove";
  flag: string;
}

export interface FlagsChanged {
  messages: number[];
  /** Channels whose messages stayed read because the user is not subscribed. */
  ignored: number[];
}

/** Adds or removes a flag of the acting user (API.md 4.5); any message they may not read refuses the whole. */
export const updateFlags = action(
  allow.user,
  (tx, input: FlagChange & { messages: readonly number[] }): FlagsChanged => {
    const flag = editableFlag(input.flag);
    const rows = [...new Set(input.messages)].map((id) => messageFor(tx, id));
    return changeFlags(tx, { ...input, flag }, rows);
  },
);

/** As `updateFlags`, on the messages of a narrow around an anchor (API-REFERENCE 7.5). */
export const updateFlagsInNarrow = action(allow.user, (tx, input: FlagChange & { where: Narrowed }) => {
  const flag = editableFlag(input.flag);
  const { ids, found_oldest, found_newest } = selectIds(tx, input.where);
  const rows = ids.map((id) => messageFor(tx, id));
  const { messages, ignored } = changeFlags(tx, { op: input.op, flag }, rows);
  return {
    processed_count: ids.length,
    updated_count: messages.length,
    first_processed_id: ids[0] ?? null,
    last_processed_id: ids.at(-1) ?? null,
    found_oldest,
    found_newest,
    ignored,
  };
});

function editableFlag(name: string): FlagName {
  const row = Object.hasOwn(messageFlags, name) ? messageFlags[name as FlagName] : null;
  if (!row) fail("BAD_REQUEST", `Invalid flag: '${name}'`);
  if (!row.editable) fail("BAD_REQUEST", `Flag not editable: '${name}'`);
  return name as FlagName;
}

function changeFlags(
  tx: Tx,
  change: { op: "add" | "remove"; flag: FlagName },
  rows: readonly Receipt[],
): FlagsChanged {
  const user = me(tx).id;
  const { op, flag } = change;
  const ignored =
    op === "remove" && flag === "read" ? channelsNotSubscribed(tx, user, rows) : new Set<number>();
  const before = flagsOf(tx, user, rows);
  const changing = rows.filter((row) => {
    if (ignored.has(conversation(tx, row.conversation_id).channel_id ?? 0)) return false;
    return before.get(row.id)?.includes(flag) !== (op === "add");
  });

  if (flag === "read") setRead(tx, user, changing, op === "add");
  else setRareFlag(tx, user, changing, { op, bit: messageFlags[flag].bit });
  announce(tx, user, change, changing);
  return { messages: changing.map((row) => row.id), ignored: [...ignored].sort((a, b) => a - b) };
}

function channelsNotSubscribed(tx: Tx, user: number, rows: readonly Receipt[]): Set<number> {
  const channels = new Set(rows.map((row) => conversation(tx, row.conversation_id).channel_id ?? 0));
  channels.delete(0);
  for (const channel of channels) if (isSubscribed(tx, channel, user)) channels.delete(channel);
  return channels;
}

function setRareFlag(
  tx: Tx,
  user: number,
  rows: readonly Receipt[],
  { op, bit }: { op: "add" | "remove"; bit: number },
): void {
  for (const row of rows) {
    if (op === "add" && !isOwnRecord(tx, user, row)) takeIntoHistory(tx, user, row);
    if (op === "add") store.addFlagBits(tx, user, row.id, bit);
    else store.removeFlagBits(tx, user, row.id, bit);
  }
}

/** Makes a message that did not come to the user a record of theirs, as one that is read. */
function takeIntoHistory(tx: Tx, user: number, { id, home_id, seq }: Receipt): void {
  store.addFlagBits(tx, user, id, flagBits.historical);
  const mark = store.findMark(tx, user, home_id);
  store.setMark(tx, user, home_id, mark ? withRead(mark, [seq]) : { upto: seq, bits: null });
}

function setRead(tx: Tx, user: number, rows: readonly Receipt[], isRead: boolean): void {
  if (!isRead) for (const row of rows) letBeUnread(tx, user, row);
  for (const [homeId, seqs] of seqsByHome(rows)) {
    const mark = store.findMark(tx, user, homeId) ?? unmarked;
    store.setMark(tx, user, homeId, isRead ? withRead(mark, seqs) : withUnread(mark, seqs));
  }
}

/** To be unread a message must be the user's own record, and not count as read for having been sent by them. */
function letBeUnread(tx: Tx, user: number, row: Receipt): void {
  if (!isOwnRecord(tx, user, row)) takeIntoHistory(tx, user, row);
  const isReadAsSent = row.sender_id === user && (row.bits & messageBits.readBySender) !== 0;
  if (isReadAsSent) store.setMessageBits(tx, row.id, row.bits & ~messageBits.readBySender);
}

function seqsByHome(rows: readonly Receipt[]): Map<number, number[]> {
  const byHome = new Map<number, number[]>();
  for (const { home_id, seq } of rows) {
    const seqs = byHome.get(home_id);
    if (seqs) seqs.push(seq);
    else byHome.set(home_id, [seq]);
  }
  return byHome;
}

function announce(
  tx: Tx,
  user: number,
  { op, flag }: { op: "add" | "remove"; flag: FlagName },
  rows: readonly Receipt[],
): void {
  if (rows.length === 0) return;
  const messages = rows.map((row) => row.id).sort((a, b) => a - b);
  if (op === "add") return tx.emit(flagsAdded, to(user), { operation: op, flag, messages, all: false });
  const details = flag === "read" ? { message_details: detailsOf(tx, user, rows) } : undefined;
  tx.emit(flagsRemoved, to(user), { operation: op, flag, messages, all: false, ...details });
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

/** Marks everything of the acting user as read: one row a conversation in which something was not. */
export const markAllAsRead = action(allow.user, (tx): void => {
  const user = me(tx).id;
  for (const behind of store.findBehind(tx, user)) {
    const mark: Mark = { upto: lastSeqOf(tx, behind.conversation_id), bits: null };
    store.setMark(tx, user, behind.conversation_id, mark);
  }
  tx.emit(flagsAdded, to(user), { operation: "add", flag: "read", messages: [], all: true });
});

const everything = Number.MAX_SAFE_INTEGER;

export const markChannelAsRead = action(allow.user, (tx, channelId: number): void => {
  const channel = channelFor(tx, channelId, "read");
  markConversation(tx, channelConversation(tx, channel.id), () => true);
});

export const markTopicAsRead = action(
  allow.user,
  (tx, input: { channel_id: number; topic: string }): void => {
    const channel = channelFor(tx, input.channel_id, "read");
    const key = topicKey(asTopic(input.topic));
    const conversationId = channelConversation(tx, channel.id);
    if (!store.hasTopic(tx, conversationId, key)) fail("BAD_REQUEST", `No such topic '${input.topic}'`);
    markConversation(tx, conversationId, (receipt) => topicKey(receipt.topic) === key);
  },
);

function markConversation(tx: Tx, conversationId: number, matches: (receipt: Receipt) => boolean): void {
  const user = me(tx).id;
  const unread = unreadOf(tx, user, everything);
  const rows = unread.filter((receipt) => receipt.conversation_id === conversationId && matches(receipt));
  setRead(tx, user, rows, true);
  announce(tx, user, { op: "add", flag: "read" }, rows);
}
