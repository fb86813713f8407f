import type { Ctx } from "@/kernel/context.ts";
import { flagBits } from "./schema.ts";
import { type Receipt, receiptColumns, type Span } from "./store.ts";

type Reads = Pick<Ctx, "db">;

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

/** Messages of one home conversation, by the seqs between which they lie. */
export interface HomeRange {
  homeId: number;
  least: number;
  most: number;
}

/** Users with a span that reaches into the range: one that has ended, or with `open` any. */
export function findHolders({ db }: Reads, { homeId, least, most }: HomeRange, open: boolean): number[] {
  const reaching = open ? "(to_seq IS NULL OR to_seq >= ?2)" : "to_seq >= ?2";
  return db
    .all<{ id: number }>(
      `SELECT DISTINCT user_id AS id FROM receipt_spans WHERE conversation_id = ?1 AND ${reaching} AND from_seq <= ?3`,
      homeId,
      least,
      most,
    )
    .map((row) => row.id);
}

/** All spans that reach into the range. */
export function findSpansInto(
  { db }: Reads,
  { homeId, least, most }: HomeRange,
): (Span & { user_id: number })[] {
  return db.all(
    "SELECT user_id, from_seq, to_seq FROM receipt_spans " +
      "WHERE conversation_id = ? AND from_seq <= ? AND (to_seq IS NULL OR to_seq >= ?)",
    homeId,
    most,
    least,
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
