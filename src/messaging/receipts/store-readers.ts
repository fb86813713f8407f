// What many people know of one message, or of many.

import type { Reads } from "@/kernel/context.ts";
import type { Mark } from "./marks.ts";
import type { Receipt } from "./rows.ts";
import { flagBits } from "./schema.ts";
import { receiptColumns } from "./store.ts";

/** How far somebody has read where a message is counted; `byte` holds what their mark says of it beyond `upto`. */
export interface ReaderMark {
  user_id: number;
  upto: number;
  byte: string;
}

const mark =
  "user_id, upto_seq AS upto, " +
  "CASE WHEN upto_seq < ?2 THEN hex(substr(bits, ((?2 - upto_seq - 1) >> 3) + 1, 1)) ELSE '' END AS byte";

/** The marks of whom the message came to when it was sent in a channel: one walk over those who then received there. */
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

/** What somebody sent, by ID. */
export function findSentBy(
  { db }: Reads,
  { senderId, from, upto, most }: { senderId: number; from: number; upto: number; most: number },
): Receipt[] {
  return db.all<Receipt>(
    `SELECT ${receiptColumns} FROM messages INDEXED BY messages_by_sender ` +
      "WHERE sender_id = ? AND id BETWEEN ? AND ? ORDER BY id LIMIT ?",
    senderId,
    from,
    upto,
    most,
  );
}

/** The messages among these that exist, ascending by ID. */
export function findReceiptsOf({ db }: Reads, messageIds: readonly number[]): Receipt[] {
  return db.all<Receipt>(
    `SELECT ${receiptColumns} FROM messages WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id`,
    JSON.stringify(messageIds),
  );
}

/** Users who took any of the messages into their history later. */
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

/** Read marks of these users in one conversation; who has none there is missing. */
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

/** Everyone's rare flags on a message, by user. */
export function findFlagsOn({ db }: Reads, messageId: number): Map<number, number> {
  const rows = db.all<{ user_id: number; bits: number }>(
    "SELECT user_id, bits FROM message_flags WHERE message_id = ?",
    messageId,
  );
  return new Map(rows.map((row) => [row.user_id, row.bits]));
}

/** A part of a stretch of seqs that came to a user. */
export interface SpanWithin {
  user_id: number;
  from_seq: number;
  to_seq: number;
}

interface Stretch {
  homeId: number;
  from: number;
  to: number;
}

const within = "SELECT user_id, MAX(from_seq, ?2) AS from_seq, MIN(IFNULL(to_seq, ?3), ?3) AS to_seq";
const overlapping = "conversation_id = ?1 AND from_seq <= ?3 AND (to_seq IS NULL OR to_seq >= ?2)";

/** For more users, reading all spans of a conversation costs less than looking for each user's. */
const manyUsers = 1000;

/** What of a stretch of seqs came to each of these users; each user's in order. */
export function findSpansWithin(reads: Reads, stretch: Stretch, userIds: readonly number[]): SpanWithin[] {
  if (userIds.length === 0) return [];
  if (userIds.length > manyUsers) {
    const wanted = new Set(userIds);
    return findAllSpansWithin(reads, stretch).filter((row) => wanted.has(row.user_id));
  }
  return reads.db.all<SpanWithin>(
    `${within} FROM json_each(?4) AS wanted CROSS JOIN receipt_spans ON user_id = wanted.value ` +
      `WHERE ${overlapping} ORDER BY user_id, receipt_spans.from_seq`,
    stretch.homeId,
    stretch.from,
    stretch.to,
    JSON.stringify(userIds),
  );
}

/** What of a stretch of seqs came to whom; each user's in order. */
export function findAllSpansWithin({ db }: Reads, { homeId, from, to }: Stretch): SpanWithin[] {
  return db.all<SpanWithin>(
    `${within} FROM receipt_spans INDEXED BY receipt_spans_by_conversation ` +
      `WHERE ${overlapping} ORDER BY user_id, receipt_spans.from_seq`,
    homeId,
    from,
    to,
  );
}

/** Who has rare flags on which of these messages. */
export function findFlaggedAmong(
  { db }: Reads,
  messageIds: readonly number[],
): { user_id: number; message_id: number }[] {
  return db.all(
    "SELECT user_id, message_id FROM message_flags WHERE message_id IN (SELECT value FROM json_each(?))",
    JSON.stringify(messageIds),
  );
}
