// What the unread messages that are kept in memory are made from.
import type { Reads } from "@/kernel/context.ts";
import { messageBits } from "@/messaging/messages/schema.ts";
import type { SeqRange } from "./marks.ts";
import type { Receipt } from "./rows.ts";
import { receiptColumnsOf } from "./store.ts";

/** All messages of these ranges of homes, home by home in the given order, without the user's own that arrived as read. */
export function findSentIn(
  { db }: Reads,
  userId: number,
  ranges: readonly (SeqRange & { homeId: number })[],
): Receipt[] {
  return db.all<Receipt>(
    `SELECT ${receiptColumnsOf("m")} FROM json_each(?1) AS s CROSS JOIN messages AS m ` +
      "ON m.home_id = s.value ->> 0 AND m.seq BETWEEN s.value ->> 1 AND s.value ->> 2 " +
      `WHERE NOT (m.sender_id = ?2 AND m.bits & ${messageBits.readBySender})`,
    JSON.stringify(ranges.map(({ homeId, from, to }) => [homeId, from, to])),
    userId,
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
