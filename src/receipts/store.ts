import type { Ctx, SqlValue, Tx } from "@/kernel/context.ts";
import type { Mark } from "./marks.ts";

type Reads = Pick<Ctx, "db">;

export interface Span {
  from_seq: number;
  to_seq: number | null;
}

export function findSpans({ db }: Reads, userId: number, conversationId: number): Span[] {
  return db.all<Span>(
    "SELECT from_seq, to_seq FROM receipt_spans WHERE user_id = ? AND conversation_id = ? ORDER BY from_seq",
    userId,
    conversationId,
  );
}

export function insertSpan(tx: Tx, userId: number, conversationId: number, fromSeq: number): void {
  tx.run(
    "INSERT INTO receipt_spans (user_id, conversation_id, from_seq) VALUES (?, ?, ?)",
    userId,
    conversationId,
    fromSeq,
  );
}

/** Ends the open span; one in which nothing was received goes. */
export function closeSpan(tx: Tx, userId: number, conversationId: number, toSeq: number): void {
  const open = "user_id = ? AND conversation_id = ? AND to_seq IS NULL";
  tx.run(`DELETE FROM receipt_spans WHERE ${open} AND from_seq > ?`, userId, conversationId, toSeq);
  tx.run(`UPDATE receipt_spans SET to_seq = ? WHERE ${open}`, toSeq, userId, conversationId);
}

export function findMark({ db }: Reads, userId: number, conversationId: number): Mark | null {
  return db.get<Mark>(
    "SELECT upto_seq AS upto, bits FROM read_marks WHERE user_id = ? AND conversation_id = ?",
    userId,
    conversationId,
  );
}

export function setMark(tx: Tx, userId: number, conversationId: number, mark: Mark): void {
  tx.run(
    "INSERT INTO read_marks (user_id, conversation_id, upto_seq, bits) VALUES (?, ?, ?, ?) " +
      "ON CONFLICT (user_id, conversation_id) DO UPDATE SET upto_seq = excluded.upto_seq, bits = excluded.bits",
    userId,
    conversationId,
    mark.upto,
    mark.bits,
  );
}

export interface Behind extends Mark {
  conversation_id: number;
  /** The newest seq that can concern the user. */
  top: number;
}

/** The user's conversations in which something may be unread: those whose end lies above the mark. */
export function findBehind({ db }: Reads, userId: number): Behind[] {
  return db.all<Behind>(
    `WITH mine (conversation_id, top) AS (
       SELECT conversation_id, NULL FROM direct_participants WHERE user_id = ?1
       UNION ALL
       SELECT conversation_id, CASE WHEN COUNT(to_seq) < COUNT(*) THEN NULL ELSE MAX(to_seq) END
       FROM receipt_spans WHERE user_id = ?1 GROUP BY conversation_id
     )
     SELECT mine.conversation_id, COALESCE(mine.top, last_seq) AS top, COALESCE(upto_seq, 0) AS upto, bits
     FROM mine
     JOIN sequences USING (conversation_id)
     LEFT JOIN read_marks ON read_marks.user_id = ?1 AND read_marks.conversation_id = mine.conversation_id
     WHERE COALESCE(mine.top, last_seq) > COALESCE(upto_seq, 0)`,
    userId,
  );
}

/** The part of a message that decides whether it is unread, and where it counts. */
export interface Receipt {
  id: number;
  conversation_id: number;
  home_id: number;
  seq: number;
  sender_id: number;
  bits: number;
  topic: string;
}

const receiptColumns = "id, conversation_id, home_id, seq, sender_id, bits, topic";

/** Messages of a home conversation between two seqs (both included), newest first. */
export function findReceiptsDown(
  { db }: Reads,
  { homeId, from, to, most }: { homeId: number; from: number; to: number; most: number },
): Receipt[] {
  return db.all<Receipt>(
    `SELECT ${receiptColumns} FROM messages WHERE home_id = ? AND seq BETWEEN ? AND ? ORDER BY seq DESC LIMIT ?`,
    homeId,
    from,
    to,
    most,
  );
}

/** As `findReceiptsDown`, oldest first. */
export function findReceiptsUp(
  { db }: Reads,
  { homeId, from, to, most }: { homeId: number; from: number; to: number; most: number },
): Receipt[] {
  return db.all<Receipt>(
    `SELECT ${receiptColumns} FROM messages WHERE home_id = ? AND seq BETWEEN ? AND ? ORDER BY seq LIMIT ?`,
    homeId,
    from,
    to,
    most,
  );
}

/** The user's rare flags on messages, by message. */
export function findFlagBits(
  { db }: Reads,
  userId: number,
  messageIds: readonly number[],
): Map<number, number> {
  const rows = db.all<{ message_id: number; bits: number }>(
    "SELECT message_id, bits FROM message_flags WHERE user_id = ? AND message_id IN (SELECT value FROM json_each(?))",
    userId,
    JSON.stringify(messageIds),
  );
  return new Map(rows.map((row) => [row.message_id, row.bits]));
}

export function findFlagBitsOfOne({ db }: Reads, userId: number, messageId: number): number {
  const row = db.get<{ bits: number }>(
    "SELECT bits FROM message_flags WHERE user_id = ? AND message_id = ?",
    userId,
    messageId,
  );
  return row?.bits ?? 0;
}

export function addFlagBits(tx: Tx, userId: number, messageId: number, bits: number): void {
  tx.run(
    "INSERT INTO message_flags (user_id, message_id, bits) VALUES (?, ?, ?) " +
      "ON CONFLICT (user_id, message_id) DO UPDATE SET bits = bits | excluded.bits",
    userId,
    messageId,
    bits,
  );
}

export function removeFlagBits(tx: Tx, userId: number, messageId: number, bits: number): void {
  const at: SqlValue[] = [userId, messageId];
  tx.run("UPDATE message_flags SET bits = bits & ~? WHERE user_id = ? AND message_id = ?", bits, ...at);
  tx.run("DELETE FROM message_flags WHERE user_id = ? AND message_id = ? AND bits = 0", ...at);
}

/** IDs of the user's messages with any of these flags, ascending. */
export function findFlagged({ db }: Reads, userId: number, bits: number): number[] {
  return db
    .all<{ id: number }>(
      "SELECT message_id AS id FROM message_flags WHERE user_id = ? AND bits & ? <> 0 ORDER BY message_id",
      userId,
      bits,
    )
    .map((row) => row.id);
}

export function setMessageBits(tx: Tx, messageId: number, bits: number): void {
  tx.run("UPDATE messages SET bits = ? WHERE id = ?", bits, messageId);
}

export function hasTopic({ db }: Reads, conversationId: number, topicKey: string): boolean {
  const sql = "SELECT 1 FROM messages WHERE conversation_id = ? AND topic_key = ? LIMIT 1";
  return db.get(sql, conversationId, topicKey) !== null;
}
