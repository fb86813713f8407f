// What the unread messages that are kept in memory are made from.
import type { Reads } from "@/kernel/context.ts";
import type { SeqRange } from "./marks.ts";
import type { Receipt } from "./rows.ts";
import { receiptColumnsOf } from "./store.ts";

/** All messages of these ranges of homes, range by range in the given order. */
export function findSentIn({ db }: Reads, ranges: readonly (SeqRange & { homeId: number })[]): Receipt[] {
  return db.all<Receipt>(
    `SELECT ${receiptColumnsOf("m")} FROM json_each(?1) AS s CROSS JOIN messages AS m ` +
      "ON m.home_id = s.value ->> 0 AND m.seq BETWEEN s.value ->> 1 AND s.value ->> 2",
    JSON.stringify(ranges.map(({ homeId, from, to }) => [homeId, from, to])),
  );
}

// Plus: the index by home would be read as a whole.
/** The homes in which the newest `max` messages were sent, with the range of seqs there that holds them. */
export function findNewestHomes({ db }: Reads, max: number): (SeqRange & { homeId: number })[] {
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
