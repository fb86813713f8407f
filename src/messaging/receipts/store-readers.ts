// Reads the state of messages for many users.

import type { Reads } from "@/kernel/core/context.ts";
import { cache } from "@/kernel/store/cache.ts";
import { flagBits, type Receipt } from "@/messaging/message-rows/schema.ts";
import type { Mark } from "./marks.ts";
import { receiptColumns } from "./store.ts";

/** A user's read mark around one seq. `byte` is the byte of the mark's bits that contains the seq, in hexadecimal. */
export interface ReaderMark {
  user_id: number;
  upto: number;
  byte: string;
}

const mark =
  "user_id, upto_seq AS upto, " +
  "CASE WHEN upto_seq < ?2 THEN hex(substr(bits, ((?2 - upto_seq - 1) >> 3) + 1, 1)) ELSE '' END AS byte";

/** The marks of all users who received a channel message when it was sent. */
export function findReceiverMarks(
  { db }: Reads,
  { home_id, seq }: Pick<Receipt, "home_id" | "seq">,
): ReaderMark[] {
  return db.all<ReaderMark>(
    `SELECT ${mark} FROM receipt_spans JOIN read_marks USING (user_id, conversation_id) ` +
      "WHERE conversation_id = ?1 AND from_seq <= ?2 AND (to_seq IS NULL OR to_seq >= ?2)",
    home_id,
    seq,
  );
}

/** The marks of some users. */
export function findMarksOf(
  { db }: Reads,
  { home_id, seq }: Pick<Receipt, "home_id" | "seq">,
  userIds: readonly number[],
): ReaderMark[] {
  return db.all<ReaderMark>(
    `SELECT ${mark} FROM json_each(?3) CROSS JOIN read_marks ON user_id = value WHERE conversation_id = ?1`,
    home_id,
    seq,
    JSON.stringify(userIds),
  );
}

/** The first messages of a sender in a range of IDs. */
export function findSentBy(
  { db }: Reads,
  { senderId, from, upto, max }: { senderId: number; from: number; upto: number; max: number },
): Receipt[] {
  return db.all<Receipt>(
    `SELECT ${receiptColumns} FROM messages WHERE id IN ` +
      "(SELECT id FROM sent_messages WHERE sender_id = ? AND id BETWEEN ? AND ? ORDER BY id LIMIT ?) ORDER BY id",
    senderId,
    from,
    upto,
    max,
  );
}

/** The messages among these that exist, ascending by ID. */
export function findReceiptsOf({ db }: Reads, messageIds: readonly number[]): Receipt[] {
  return db.all<Receipt>(
    `SELECT ${receiptColumns} FROM messages WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id`,
    JSON.stringify(messageIds),
  );
}

/** Users who had any of the messages added to their history. */
export function findHistorians({ db }: Reads, messageIds: readonly number[]): number[] {
  return db
    .all<{ id: number }>(
      "SELECT DISTINCT user_id AS id FROM message_flags " +
        "WHERE message_id IN (SELECT value FROM json_each(?)) AND bits & ?",
      JSON.stringify(messageIds),
      flagBits.historical,
    )
    .map((row) => row.id);
}

/** Read marks of these users in one conversation. Users without one are missing. */
export function findMarks(
  { db }: Reads,
  conversationId: number,
  userIds: readonly number[],
): Map<number, Mark> {
  const rows = db.all<Mark & { user_id: number }>(
    "SELECT user_id, upto_seq AS upto, bits FROM json_each(?) AS wanted CROSS JOIN read_marks ON user_id = wanted.value " +
      "WHERE conversation_id = ?",
    JSON.stringify(userIds),
    conversationId,
  );
  return new Map(rows.map((row) => [row.user_id, row]));
}

/** Rare flags on a message, by user. */
export function findFlagsOn({ db }: Reads, messageId: number): Map<number, number> {
  const rows = db.all<{ user_id: number; bits: number }>(
    "SELECT user_id, bits FROM message_flags WHERE message_id = ?",
    messageId,
  );
  return new Map(rows.map((row) => [row.user_id, row.bits]));
}

/** As `findFlagsOn`, at least of these users: everybody may have some. */
export function findFlagsOf(
  reads: Reads,
  messageId: number,
  userIds: readonly number[],
): Map<number, number> {
  if (userIds.length > manyUsers) return findFlagsOn(reads, messageId);
  const rows = reads.db.all<{ user_id: number; bits: number }>(
    "SELECT user_id, bits FROM json_each(?) AS wanted CROSS JOIN message_flags ON user_id = wanted.value AND message_id = ?",
    JSON.stringify(userIds),
    messageId,
  );
  return new Map(rows.map((row) => [row.user_id, row.bits]));
}

/** The part of a range of seqs that a user received. */
export interface SpanWithin {
  user_id: number;
  from_seq: number;
  to_seq: number;
}

interface ConversationRange {
  homeId: number;
  from: number;
  to: number;
}

const within = "SELECT user_id, MAX(from_seq, ?2) AS from_seq, MIN(IFNULL(to_seq, ?3), ?3) AS to_seq";
const overlapping = "conversation_id = ?1 AND from_seq <= ?3 AND (to_seq IS NULL OR to_seq >= ?2)";

/** For more users, reading all spans of a conversation costs less than looking for each user's. */
const manyUsers = 1000;

/** The parts of a range of seqs that each of these users received, each user's in order. */
export function findSpansWithin(
  reads: Reads,
  range: ConversationRange,
  userIds: readonly number[],
): SpanWithin[] {
  if (userIds.length === 0) return [];
  if (userIds.length > manyUsers) {
    const wanted = new Set(userIds);
    return findAllSpansWithin(reads, range).filter((row) => wanted.has(row.user_id));
  }
  return reads.db.all<SpanWithin>(
    `${within} FROM json_each(?4) AS wanted CROSS JOIN receipt_spans ON user_id = wanted.value ` +
      `WHERE ${overlapping} ORDER BY user_id, receipt_spans.from_seq`,
    range.homeId,
    range.from,
    range.to,
    JSON.stringify(userIds),
  );
}

/** Those of these users who received a channel message when it was sent; if they are many, perhaps others, too. */
export function findReceivers(
  reads: Reads,
  { home_id, seq }: Pick<Receipt, "home_id" | "seq">,
  userIds: readonly number[],
): readonly number[] {
  const range = { homeId: home_id, from: seq, to: seq };
  if (userIds.length > manyUsers) return findReceiversOfAnEnd(reads, range);
  return findSpansWithin(reads, range, userIds).map(({ user_id }) => user_id);
}

/** The parts of a range of seqs that any user received, each user's in order. */
function findAllSpansWithin({ db }: Reads, { homeId, from, to }: ConversationRange): SpanWithin[] {
  return db.all<SpanWithin>(
    `${within} FROM receipt_spans INDEXED BY receipt_spans_by_conversation ` +
      `WHERE ${overlapping} ORDER BY user_id, receipt_spans.from_seq`,
    homeId,
    from,
    to,
  );
}

/** Users who received the first or the last message of a range of seqs. The list is shared: do not modify it. */
export function findReceiversOfAnEnd(
  reads: Reads,
  { homeId, from, to }: ConversationRange,
): readonly number[] {
  return receiversOfAnEnd(reads, `${homeId} ${from} ${to}`);
}

/** A few, because an edit asks three times for those of its message, and they may be ten thousand. One row for all of them. */
const receiversOfAnEnd = cache(
  ["receipt_spans"],
  ({ db }, key: string): readonly number[] => {
    const found = db.get<{ ids: string }>(
      "SELECT json_group_array(user_id) AS ids FROM receipt_spans INDEXED BY receipt_spans_by_conversation " +
        `WHERE ${overlapping} AND (from_seq <= ?2 OR to_seq IS NULL OR to_seq >= ?3)`,
      ...key.split(" ").map(Number),
    );
    return JSON.parse(found?.ids ?? "[]");
  },
  8,
);

/** The spans of any user that begin and end inside a range of seqs, without its ends. */
export function findSpansInside({ db }: Reads, { homeId, from, to }: ConversationRange): SpanWithin[] {
  return db.all<SpanWithin>(
    "SELECT user_id, from_seq, to_seq FROM receipt_spans INDEXED BY receipt_spans_ended " +
      "WHERE conversation_id = ?1 AND to_seq IS NOT NULL AND to_seq > ?2 AND to_seq < ?3 AND from_seq > ?2",
    homeId,
    from,
    to,
  );
}

/** What these users starred in a conversation, ascending by user and message. */
export function findStarsIn(
  { db }: Reads,
  conversationId: number,
  userIds: readonly number[],
): { user_id: number; message_id: number }[] {
  return db.all(
    "SELECT user_id, message_id FROM json_each(?) CROSS JOIN message_flags ON user_id = value AND message_flags.bits & ? " +
      "CROSS JOIN messages ON messages.id = message_id WHERE conversation_id = ? ORDER BY user_id, message_id",
    JSON.stringify(userIds),
    flagBits.starred,
    conversationId,
  );
}

/** The users with rare flags on these messages, and on which. */
export function findFlaggedAmong(
  { db }: Reads,
  messageIds: readonly number[],
): { user_id: number; message_id: number }[] {
  return db.all(
    "SELECT user_id, message_id FROM message_flags WHERE message_id IN (SELECT value FROM json_each(?))",
    JSON.stringify(messageIds),
  );
}
