// What is kept in memory of users' marks, flags and unread messages is made from this.

import type { Reads } from "@/kernel/core/context.ts";
import type { Receipt } from "@/messaging/message-rows/schema.ts";
import type { SeqRange } from "./marks.ts";
import { receiptColumnsOf } from "./store.ts";

/** All messages of these ranges of homes, range by range in the given order. */
export function findSentIn({ db }: Reads, ranges: readonly (SeqRange & { homeId: number })[]): Receipt[] {
  return db.all<Receipt>(
    `SELECT ${receiptColumnsOf("m")} FROM json_each(?1) AS s CROSS JOIN messages AS m ` +
      "ON m.home_id = s.value ->> 0 AND m.seq BETWEEN s.value ->> 1 AND s.value ->> 2",
    JSON.stringify(ranges.map(({ homeId, from, to }) => [homeId, from, to])),
  );
}

/** The homes in which the newest `max` messages were sent, with the range of seqs there that holds them. */
export function findNewestHomes({ db }: Reads, max: number): (SeqRange & { homeId: number })[] {
  // Without the plus sign, SQLite reads the whole index by home.
  return db.all(
    `SELECT home_id AS homeId, MIN(seq) AS "from", MAX(seq) AS "to" FROM messages ` +
      "WHERE id > (SELECT MAX(id) FROM messages) - ? GROUP BY +home_id",
    max,
  );
}

/** The user's messages with any of these flags, by ID, with all their flags. */
export function findFlagsAmong({ db }: Reads, userId: number, bits: number): Map<number, number> {
  const rows = db.all<{ message_id: number; bits: number }>(
    "SELECT message_id, bits FROM message_flags WHERE user_id = ? AND bits & ? <> 0",
    userId,
    bits,
  );
  return new Map(rows.map((row) => [row.message_id, row.bits]));
}

interface FlagRow {
  message_id: number;
  bits: number;
}

const byMessage = (rows: readonly FlagRow[]) => new Map(rows.map((row) => [row.message_id, row.bits]));

/** The user's rare flags on messages, by message. */
export function findFlagBits(
  { db }: Reads,
  userId: number,
  messageIds: readonly number[],
): Map<number, number> {
  const sql =
    "SELECT message_id, bits FROM message_flags WHERE user_id = ? AND message_id IN (SELECT value FROM json_each(?))";
  return byMessage(db.all<FlagRow>(sql, userId, JSON.stringify(messageIds)));
}

/** The user's rare flags on all messages in a range of IDs; null if they are on more than `max`. */
export function findFlagsBetween(
  { db }: Reads,
  userId: number,
  { lowest, highest, max }: { lowest: number; highest: number; max: number },
): Map<number, number> | null {
  const sql =
    "SELECT message_id, bits FROM message_flags WHERE user_id = ? AND message_id BETWEEN ? AND ? LIMIT ?";
  const rows = db.all<FlagRow>(sql, userId, lowest, highest, max + 1);
  return rows.length > max ? null : byMessage(rows);
}
