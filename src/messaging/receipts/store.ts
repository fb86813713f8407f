import type { Reads, Tx } from "@/kernel/core/context.ts";
import type { Direction } from "@/kernel/lib/merge.ts";
import { cache } from "@/kernel/store/cache.ts";
import { rowDeleter } from "@/kernel/store/owned-rows.ts";
import { flagBits, messageBits, type Receipt } from "@/messaging/message-rows/schema.ts";
import type { Mark, SeqRange } from "./marks.ts";

export const endless = Number.MAX_SAFE_INTEGER;

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

/** Each may have a thousand spans. */
const someUsers = 500;

/** All spans of a user, by conversation. They change when people subscribe or leave, and each page asks for them. */
export const findAllSpans = cache(
  ["receipt_spans"],
  ({ db }, userId: number): ReadonlyMap<number, Span[]> => {
    const rows = db.all<Span & { conversation_id: number }>(
      "SELECT conversation_id, from_seq, to_seq FROM receipt_spans WHERE user_id = ? ORDER BY conversation_id, from_seq",
      userId,
    );
    const spans = new Map<number, Span[]>();
    for (const row of rows) {
      const known = spans.get(row.conversation_id);
      if (known) known.push(row);
      else spans.set(row.conversation_id, [row]);
    }
    return spans;
  },
  someUsers,
);

export function findMark({ db }: Reads, userId: number, conversationId: number): Mark | null {
  return db.get<Mark>(
    "SELECT upto_seq AS upto, bits FROM read_marks WHERE user_id = ? AND conversation_id = ?",
    userId,
    conversationId,
  );
}

/** The marks of a user by conversation: all, or those of some conversations. */
export function findMarks(
  { db }: Reads,
  userId: number,
  conversations?: readonly number[],
): Map<number, Mark> {
  const sql = "SELECT conversation_id, upto_seq AS upto, bits FROM read_marks WHERE user_id = ?";
  const rows = conversations
    ? db.all<Mark & { conversation_id: number }>(
        `${sql} AND conversation_id IN (SELECT value FROM json_each(?))`,
        userId,
        JSON.stringify(conversations),
      )
    : db.all<Mark & { conversation_id: number }>(sql, userId);
  return new Map(rows.map((row) => [row.conversation_id, row]));
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
  /** The highest seq that may be unread. */
  top: number;
}

/**
 * The user's conversations in which messages may be unread, because they have records above their mark. With `only`, just
 * those of these conversations.
 */
export function findBehind({ db }: Reads, userId: number, only: readonly number[] | null = null): Behind[] {
  return db.all<Behind>(
    `WITH mine (conversation_id, top) AS (
       SELECT conversation_id, ?3 FROM direct_participants WHERE user_id = ?1
       UNION ALL SELECT conversation_id, IFNULL(to_seq, ?3) FROM receipt_spans WHERE user_id = ?1
       UNION ALL SELECT messages.home_id, messages.seq FROM message_flags JOIN messages ON messages.id = message_id
       WHERE message_flags.user_id = ?1 AND message_flags.bits & ?4
     ), ends (conversation_id, top) AS (
       SELECT conversation_id, MAX(top) FROM mine
       WHERE ?2 IS NULL OR conversation_id IN (SELECT value FROM json_each(?2)) GROUP BY conversation_id
     )
     SELECT ends.conversation_id, MIN(ends.top, last_seq) AS top, IFNULL(upto_seq, 0) AS upto, bits
     FROM ends
     JOIN sequences USING (conversation_id)
     LEFT JOIN read_marks ON read_marks.user_id = ?1 AND read_marks.conversation_id = ends.conversation_id
     WHERE MIN(ends.top, last_seq) > IFNULL(upto_seq, 0)`,
    userId,
    only && JSON.stringify(only),
    endless,
    flagBits.historical,
  );
}

export const receiptColumns = "id, conversation_id, home_id, seq, sender_id, bits, topic, arrived_seq";

export const receiptColumnsOf = (table: string) => receiptColumns.replaceAll(/\w+/g, `${table}.$&`);

/** SQL: whether a message arrived as read for a user: they sent it so, or it is quiet. */
const cameAsRead = (message: string, user: string) =>
  `((${message}.sender_id = ${user} AND ${message}.bits & ${messageBits.readBySender}) OR (${message}.bits & ${messageBits.quiet} ` +
  `AND NOT EXISTS (SELECT 1 FROM message_flags AS f WHERE f.user_id = ${user} AND f.message_id = ${message}.id ` +
  `AND f.bits & ${flagBits.keptUnread})))`;

const order = { before: "DESC", after: "ASC" } as const;

export interface HomeRange extends SeqRange {
  homeId: number;
  direction: Direction;
  max: number;
}

/** Messages of a home, in order of seq, without those that arrived as read. */
export function findReceipts({ db }: Reads, userId: number, range: HomeRange): Receipt[] {
  return db.all<Receipt>(
    `SELECT ${receiptColumns} FROM messages WHERE home_id = ?1 AND seq BETWEEN ?2 AND ?3 ` +
      `AND NOT ${cameAsRead("messages", "?4")} ORDER BY seq ${order[range.direction]} LIMIT ?5`,
    range.homeId,
    range.from,
    range.to,
    userId,
    range.max,
  );
}

/** All messages of these ranges of homes, unordered, without those that arrived as read. */
export function findReceiptsIn(
  { db }: Reads,
  userId: number,
  ranges: readonly (SeqRange & { homeId: number })[],
): Receipt[] {
  return db.all<Receipt>(
    `SELECT ${receiptColumnsOf("m")} FROM json_each(?1) AS s CROSS JOIN messages AS m ` +
      "ON m.home_id = s.value ->> 0 AND m.seq BETWEEN s.value ->> 1 AND s.value ->> 2 " +
      `WHERE NOT ${cameAsRead("m", "?2")}`,
    JSON.stringify(ranges.map(({ homeId, from, to }) => [homeId, from, to])),
    userId,
  );
}

/** The ID of the first or last message of each of these homes' ranges, by home, not counting those that arrived as read. */
export function findEnds(
  { db }: Reads,
  userId: number,
  ranges: readonly (SeqRange & { homeId: number })[],
  direction: Direction,
): Map<number, number> {
  const ends = db.all<{ homeId: number; id: number | null }>(
    "SELECT s.value ->> 0 AS homeId, (SELECT id FROM messages AS e WHERE home_id = s.value ->> 0 AND seq BETWEEN s.value ->> 1 AND s.value ->> 2 " +
      `AND NOT ${cameAsRead("e", "?2")} ORDER BY seq ${order[direction]} LIMIT 1) AS id FROM json_each(?1) AS s`,
    JSON.stringify(ranges.map(({ homeId, from, to }) => [homeId, from, to])),
    userId,
  );
  return new Map(ends.flatMap(({ homeId, id }) => (id === null ? [] : [[homeId, id]])));
}

/** A seq of a home beyond which all messages with IDs beyond `from` are: that of the nearest message still there. */
export function findSeqNear(
  { db }: Reads,
  homeId: number,
  { direction, from }: { direction: Direction; from: number },
): number | null {
  const [compare, nearest] = direction === "after" ? ["<=", "DESC"] : [">=", "ASC"];
  const row = db.get<{ seq: number }>(
    "SELECT seq FROM messages INDEXED BY messages_by_conversation " +
      `WHERE conversation_id = ?1 AND home_id = ?1 AND id ${compare} ?2 ORDER BY id ${nearest} LIMIT 1`,
    homeId,
    from,
  );
  return row?.seq ?? null;
}

/** Messages that were moved into a conversation, in order of ID, beyond `from`. */
export function findMovedInto(
  { db }: Reads,
  conversationId: number,
  { direction, from, max }: { direction: Direction; from: number; max: number },
): Receipt[] {
  return db.all<Receipt>(
    `SELECT ${receiptColumns} FROM messages INDEXED BY messages_moved ` +
      `WHERE conversation_id = ? AND conversation_id <> home_id AND id ${direction === "after" ? ">" : "<"} ? ` +
      `ORDER BY id ${order[direction]} LIMIT ?`,
    conversationId,
    from,
    max,
  );
}

/**
 * For each of these seqs, the nearest lower seq (or `upto`) such that everything in between arrived as read or was
 * deleted.
 */
export function findOwnBelow(
  { db }: Reads,
  { userId, homeId, upto }: { userId: number; homeId: number; upto: number },
  seqs: readonly number[],
): { seq: number; below: number }[] {
  return db.all(
    "SELECT value AS seq, IFNULL((SELECT m.seq FROM messages AS m WHERE m.home_id = ?1 AND m.seq > ?2 AND m.seq < value " +
      `AND NOT ${cameAsRead("m", "?3")} ORDER BY m.seq DESC LIMIT 1), ?2) AS below ` +
      "FROM json_each(?4)",
    homeId,
    upto,
    userId,
    JSON.stringify(seqs),
  );
}

export function addFlagBits(tx: Tx, userId: number, messageIds: readonly number[], bits: number): void {
  tx.run(
    "INSERT INTO message_flags (user_id, message_id, bits) SELECT ?1, value, ?2 FROM json_each(?3) WHERE true " +
      "ON CONFLICT (user_id, message_id) DO UPDATE SET bits = bits | excluded.bits",
    userId,
    bits,
    JSON.stringify(messageIds),
  );
}

/** As `addFlagBits`, for many users and one message. */
export function addFlagBitsFor(
  tx: Tx,
  userIds: readonly number[],
  { messageId, bits }: { messageId: number; bits: number },
): void {
  tx.run(
    "INSERT INTO message_flags (user_id, message_id, bits) SELECT value, ?1, ?2 FROM json_each(?3) WHERE true " +
      "ON CONFLICT (user_id, message_id) DO UPDATE SET bits = bits | excluded.bits",
    messageId,
    bits,
    JSON.stringify(userIds),
  );
}

export function removeFlagBits(tx: Tx, userId: number, messageIds: readonly number[], bits: number): void {
  const among = "user_id = ?1 AND message_id IN (SELECT value FROM json_each(?2))";
  const ids = JSON.stringify(messageIds);
  tx.run(`UPDATE message_flags SET bits = bits & ~?3 WHERE ${among}`, userId, ids, bits);
  tx.run(`DELETE FROM message_flags WHERE ${among} AND bits = 0`, userId, ids);
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

export function deleteFlags(tx: Tx, messageIds: readonly number[]): void {
  tx.run(
    "DELETE FROM message_flags WHERE message_id IN (SELECT value FROM json_each(?))",
    JSON.stringify(messageIds),
  );
}

export const deleteSomeMarks = rowDeleter({ table: "read_marks", key: "user_id, conversation_id" });

export const deleteSomeSpans = rowDeleter({
  table: "receipt_spans",
  key: "user_id, conversation_id, from_seq",
});

export const deleteSomeFlags = rowDeleter({ table: "message_flags", key: "user_id, message_id" });
