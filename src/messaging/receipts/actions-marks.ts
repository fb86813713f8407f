// Changes users' read marks and flags, without permission checks.

import type { Tx } from "@/kernel/core/context.ts";
import { contentFlags, flagBits, messageBits, type Receipt } from "@/messaging/message-rows/schema.ts";
import { mutingOf } from "@/messaging/mute-spans/access.ts";
import { conversation, participantsOf } from "@/places/conversations/access.ts";
import type { Reception } from "@/places/subscriptions/hooks.ts";
import { viewOf } from "./access.ts";
import { isRead, type Mark, unmarked, withRead, withUnread } from "./marks.ts";
import * as store from "./store.ts";
import * as people from "./store-readers.ts";
import * as reception from "./store-reception.ts";

const idsOf = (rows: readonly Receipt[]) => rows.map((row) => row.id);

/** Adds or removes a rare flag. Messages that get one become the user's own records. */
export function setRareFlag(
  tx: Tx,
  user: number,
  { rows, bit, isSet }: { rows: readonly Receipt[]; bit: number; isSet: boolean },
): void {
  if (isSet) {
    addToHistory(tx, user, rows);
    store.addFlagBits(tx, user, idsOf(rows), bit);
  } else store.removeFlagBits(tx, user, idsOf(rows), bit);
}

/** Adds messages to the user's history, as read, unless they are own records already. */
export function addToHistory(tx: Tx, user: number, rows: readonly Receipt[]): void {
  const view = viewOf(tx, user);
  const others = rows.filter((row) => !view.isOwn(row));
  if (others.length === 0) return;
  for (const [homeId, seqs] of seqsByHome(others)) {
    const mark = store.findMark(tx, user, homeId) ?? unmarked;
    const isBehind = store.findBehind(tx, user, [homeId]).length > 0;
    store.setMark(tx, user, homeId, isBehind ? withRead(mark, seqs) : raiseMark(mark, seqs));
  }
  store.addFlagBits(tx, user, idsOf(others), flagBits.historical);
}

/** If nothing is unread, raising `upto` is shorter than setting a bit for each seq. */
function raiseMark({ upto }: Mark, seqs: readonly number[]): Mark {
  return { upto: seqs.reduce((max, seq) => Math.max(max, seq), upto), bits: null };
}

export function setRead(tx: Tx, user: number, rows: readonly Receipt[]): void {
  for (const [homeId, seqs] of seqsByHome(rows)) {
    const mark = store.findMark(tx, user, homeId) ?? unmarked;
    const own = ownBelow(tx, { user, homeId, mark }, seqs);
    store.setMark(tx, user, homeId, withRead(mark, [...own, ...seqs]));
  }
}

/**
 * Seqs directly below these that need no bit, as they arrived read or were deleted: setting it too keeps the mark without
 * gaps.
 */
function ownBelow(
  tx: Tx,
  { user, homeId, mark }: { user: number; homeId: number; mark: Mark },
  seqs: readonly number[],
): number[] {
  const added = new Set(seqs);
  const firsts = seqs.filter((seq) => seq > mark.upto && !added.has(seq - 1) && !isRead(mark, seq - 1));
  const at = { userId: user, homeId, upto: mark.upto };
  return store
    .findOwnBelow(tx, at, firsts)
    .flatMap(({ seq, below }) => Array.from({ length: seq - below - 1 }, (_, i) => below + 1 + i));
}

export function setUnread(tx: Tx, user: number, rows: readonly Receipt[]): void {
  addToHistory(tx, user, rows);
  for (const { id, sender_id, bits } of rows) {
    const isReadAsSent = sender_id === user && (bits & messageBits.readBySender) !== 0;
    if (isReadAsSent) store.setMessageBits(tx, id, bits & ~messageBits.readBySender);
  }
  for (const [homeId, seqs] of seqsByHome(rows)) {
    const mark = store.findMark(tx, user, homeId) ?? unmarked;
    store.setMark(tx, user, homeId, withUnread(mark, seqs));
  }
  const isFromMuted = mutingOf(tx, user);
  const readAsSent = rows.filter((row) => isFromMuted(row) || (row.bits & messageBits.quiet) !== 0);
  if (readAsSent.length > 0) store.addFlagBits(tx, user, idsOf(readAsSent), flagBits.keptUnread);
}

export interface SentByMuted {
  senderId: number;
  from: number;
  upto: number;
  max: number;
}

/**
 * Marks as read the next `max` messages from a user that `user` had muted, starting at the ID `from`, except those they
 * keep unread. Returns the ID up to which this is done.
 */
export function readAsMuted(tx: Tx, user: number, range: SentByMuted): number {
  const rows = people.findSentBy(tx, range);
  const kept = new Set(store.findFlagged(tx, user, flagBits.keptUnread));
  const { isOwn } = viewOf(tx, user);
  setRead(
    tx,
    user,
    rows.filter((row) => isOwn(row) && !kept.has(row.id)),
  );
  return rows.length < range.max ? range.upto : (rows.at(-1) as Receipt).id;
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

/**
 * Replaces everyone's content flags with those of a message's new content; read state does not change. A mention adds the
 * message to the history of a user who did not receive it; an alert word does not. Returns the users who were not
 * mentioned before. Each statement is for many users, because a mention may concern everybody.
 */
export function resetContentFlags(
  tx: Tx,
  row: Receipt,
  bitsByUser: ReadonlyMap<number, number>,
): ReadonlySet<number> {
  const before = people.findFlagsOn(tx, row.id);
  const concerned = [...new Set([...before.keys(), ...bitsByUser.keys()])];
  if (concerned.length === 0) return new Set();
  const receivers = receiversAmong(tx, row, concerned);
  const changes = concerned.map((user): FlagChange => {
    const had = before.get(user) ?? 0;
    const given = bitsByUser.get(user) ?? 0;
    const isMentioned = (given & ~flagBits.alertWord) !== 0;
    const isOwn = receivers.has(user) || (had & flagBits.historical) !== 0;
    const kept = had & ~contentFlags;
    if (isMentioned && !isOwn) return { user, had, has: kept | given | flagBits.historical };
    return { user, had, has: isOwn ? kept | given : kept };
  });

  markRead(tx, usersWith(changes, flagBits.historical), row);
  const changed = changes.filter(({ had, has }) => had !== has);
  for (const [bits, alike] of Map.groupBy(changed, ({ has }) => has)) {
    const users = alike.map(({ user }) => user);
    if (bits === 0) reception.deleteFlagsFor(tx, users, row.id);
    else reception.setFlagBitsFor(tx, users, { messageId: row.id, bits });
  }
  return new Set(usersWith(changes, flagBits.mentioned));
}

/** A user's flags on a message. */
interface FlagChange {
  user: number;
  had: number;
  has: number;
}

/** The users who get a flag. */
function usersWith(changes: readonly FlagChange[], bit: number): number[] {
  return changes.filter(({ had, has }) => (has & ~had & bit) !== 0).map(({ user }) => user);
}

function receiversAmong(tx: Tx, row: Receipt, userIds: readonly number[]): ReadonlySet<number> {
  const home = conversation(tx, row.home_id);
  return new Set(home.channel_id === null ? participantsOf(home) : people.findReceivers(tx, row, userIds));
}

/** Marks a message as read. If nothing else is unread, raising a mark is shorter than setting a bit. */
function markRead(tx: Tx, userIds: readonly number[], { home_id, seq }: Receipt): void {
  const marks = people.findMarks(tx, home_id, userIds);
  const markOf = (user: number): Mark => marks.get(user) ?? unmarked;
  const unread = userIds.filter((user) => !isRead(markOf(user), seq));
  if (unread.length === 0) return;
  const places = unread.map((userId) => ({ userId, conversationId: home_id }));
  const behind = new Set(reception.findBehindAmong(tx, places, false).map((at) => unread[at]));

  reception.raiseMarks(
    tx,
    unread.filter((user) => !behind.has(user)),
    { conversationId: home_id, upto: seq },
  );
  for (const user of unread) {
    if (behind.has(user)) store.setMark(tx, user, home_id, withRead(markOf(user), [seq]));
  }
}

/** Removes users' flags on messages that they may no longer read. Unread messages stay unread. */
export function forgetFlagsOfOthers(
  tx: Tx,
  messageIds: readonly number[],
  visibleTo: (userIds: readonly number[]) => (userId: number) => readonly number[],
): void {
  const byUser = Map.groupBy(people.findFlaggedAmong(tx, messageIds), (row) => row.user_id);
  const seen = visibleTo([...byUser.keys()]);
  const sets = new Map<readonly number[], ReadonlySet<number>>();
  for (const [user, rows] of byUser) {
    const list = seen(user);
    const kept = sets.get(list) ?? new Set(list);
    sets.set(list, kept);
    const lost = rows.map((row) => row.message_id).filter((id) => !kept.has(id));
    if (lost.length > 0) store.removeFlagBits(tx, user, lost, ~flagBits.keptUnread);
  }
}

/** Deletes all flags on messages that are about to be deleted. Read marks need no change. */
export function forgetFlags(tx: Tx, messageIds: readonly number[]): void {
  store.deleteFlags(tx, messageIds);
}

/** Marks everything sent so far as read, without events. */
export function markImportedRead(tx: Tx, receptions: readonly Reception[]): void {
  reception.markAllRead(tx, receptions);
}

/** Stars a message, without events. */
export function starImported(tx: Tx, userId: number, message: Receipt): void {
  setRareFlag(tx, userId, { rows: [message], bit: flagBits.starred, isSet: true });
}

/** Part of erasing a person: deletes the marks of what they have read, at most `max`. Returns how many it deleted. */
export function forgetSomeMarks(tx: Tx, userId: number, max: number): number {
  return store.deleteSomeMarks(tx, userId, max);
}

/** Part of erasing a person: deletes the records of what they received in channels, at most `max`. Returns how many it deleted. */
export function forgetSomeSpans(tx: Tx, userId: number, max: number): number {
  return store.deleteSomeSpans(tx, userId, max);
}

/** Part of erasing a person: deletes their stars and other flags, at most `max`. Returns how many it deleted. */
export function forgetSomeFlags(tx: Tx, userId: number, max: number): number {
  return store.deleteSomeFlags(tx, userId, max);
}
