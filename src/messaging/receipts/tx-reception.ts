import type { Tx } from "@/kernel/context.ts";
import { to } from "@/kernel/events.ts";
import { findMessage } from "@/messaging/messages/store.ts";
import { flagsOf, type Receipt } from "@/messaging/receipts/access.ts";
import { setRead } from "@/messaging/receipts/changes.ts";
import { type FlagName, flagsAdded, flagsRemoved, type UnreadDetails } from "@/messaging/receipts/schema.ts";
import * as store from "@/messaging/receipts/store.ts";
import { unreadConcerning } from "@/messaging/receipts/unread.ts";
import { unreadAmong } from "@/messaging/receipts/unread-among.ts";
import { conversation, lastSeqOf, participantsOf } from "@/places/conversations/access.ts";
import type { Reception } from "@/places/subscriptions/hooks.ts";

/** From here on the user receives what is sent; what came before counts as read, from wherever it came. */
export function startReceiving(tx: Tx, { conversationId, userId }: Reception): void {
  const last = lastSeqOf(tx, conversationId);
  const isKnown = store.findMark(tx, userId, conversationId) !== null;
  const isBehind = isKnown && store.findBehind(tx, userId, [conversationId]).length > 0;
  if (!isBehind) store.setMark(tx, userId, conversationId, { upto: last, bits: null });
  store.insertSpan(tx, userId, conversationId, last + 1);
  const unread = unreadConcerning(tx, userId, conversationId);
  setRead(
    tx,
    userId,
    unread.filter((row) => row.conversation_id === conversationId),
  );
}

/** From here on the user receives nothing; leaving marks as read, which their clients are told. */
export function stopReceiving(tx: Tx, { conversationId, userId }: Reception): void {
  const last = lastSeqOf(tx, conversationId);
  const unread = unreadConcerning(tx, userId, conversationId);
  const here = unread.filter((row) => row.conversation_id === conversationId);
  setRead(tx, userId, here);
  store.closeSpan(tx, userId, conversationId, last);
  const isAllRead = here.length === unread.length;
  if (isAllRead) store.setMark(tx, userId, conversationId, { upto: last, bits: null });
  announce(tx, userId, { op: "add", flag: "read" }, here);
}

/** Notes at sending what only some recipients are told: who is mentioned, by name or as part of a topic. */
export function noteFlags(tx: Tx, messageId: number, bitsByUser: ReadonlyMap<number, number>): void {
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
  { op, flag }: { op: "add" | "remove"; flag: FlagName },
  rows: readonly Receipt[],
): void {
  if (rows.length === 0) return;
  const messages = rows.map((row) => row.id).sort((a, b) => a - b);
  const change = { flag, messages, all: false };
  const details =
    flag === "read" && op === "remove" ? { message_details: detailsOf(tx, user, rows) } : undefined;
  if (op === "add") tx.emit(flagsAdded, to(user), { operation: op, ...change });
  else tx.emit(flagsRemoved, to(user), { operation: op, ...change, ...details });
}

/**
 * Tells people of what has come to where they are and was unread to them before, as it did while it lay in a channel that
 * they are not in.
 */
export function tellUnreadAgain(tx: Tx, messageIds: readonly number[], userIds: readonly number[]): void {
  if (userIds.length === 0) return;
  const rows = messageIds.flatMap((id) => findMessage(tx, id) ?? []);
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

/** Marks unread messages of a user as read, and tells their clients. */
export function markAsRead(tx: Tx, user: number, rows: readonly Receipt[]): void {
  setRead(tx, user, rows);
  announce(tx, user, { op: "add", flag: "read" }, rows);
}
