// Changes spans, marks and flags of many users, with one statement for all.

import type { Reads, Tx } from "@/kernel/core/context.ts";
import { flagBits } from "@/messaging/message-rows/schema.ts";
import { endless } from "./store.ts";

/** A user and a conversation. */
interface Place {
  userId: number;
  conversationId: number;
}

const pairsOf = (places: readonly Place[]) =>
  JSON.stringify(places.map(({ userId, conversationId }) => [userId, conversationId]));

const placed =
  "SELECT key AS place, value ->> 0 AS user_id, value ->> 1 AS conversation_id FROM json_each(?1)";

/** Begins spans after the newest message of each conversation. */
export function insertSpans(tx: Tx, places: readonly Place[]): void {
  tx.run(
    "INSERT INTO receipt_spans (user_id, conversation_id, from_seq) SELECT user_id, given.conversation_id, last_seq + 1 " +
      `FROM (${placed}) AS given CROSS JOIN sequences ON sequences.conversation_id = given.conversation_id`,
    pairsOf(places),
  );
}

/** Ends open spans at the newest message of each conversation. Deletes spans without messages. */
export function closeSpans(tx: Tx, places: readonly Place[]): void {
  const pairs = pairsOf(places);
  const open =
    "to_seq IS NULL AND (user_id, conversation_id) IN (SELECT value ->> 0, value ->> 1 FROM json_each(?1))";
  const last = "(SELECT last_seq FROM sequences WHERE conversation_id = receipt_spans.conversation_id)";
  tx.run(`DELETE FROM receipt_spans WHERE ${open} AND from_seq > ${last}`, pairs);
  tx.run(`UPDATE receipt_spans SET to_seq = ${last} WHERE ${open}`, pairs);
}

/** For each pair, marks everything sent in the conversation as read by the user. */
export function markAllRead(tx: Tx, places: readonly Place[]): void {
  tx.run(
    "INSERT INTO read_marks (user_id, conversation_id, upto_seq) SELECT user_id, given.conversation_id, last_seq " +
      `FROM (${placed}) AS given CROSS JOIN sequences ON sequences.conversation_id = given.conversation_id WHERE true ` +
      "ON CONFLICT (user_id, conversation_id) DO UPDATE SET upto_seq = excluded.upto_seq, bits = NULL",
    pairsOf(places),
  );
}

/** Marks everything up to a seq as read by these users, whose marks are lower. */
export function raiseMarks(
  tx: Tx,
  userIds: readonly number[],
  { conversationId, upto }: { conversationId: number; upto: number },
): void {
  if (userIds.length === 0) return;
  tx.run(
    "INSERT INTO read_marks (user_id, conversation_id, upto_seq) SELECT value, ?1, ?2 FROM json_each(?3) WHERE true " +
      "ON CONFLICT (user_id, conversation_id) DO UPDATE SET upto_seq = excluded.upto_seq, bits = NULL",
    conversationId,
    upto,
    JSON.stringify(userIds),
  );
}

/** Sets all flags of many users on one message. */
export function setFlagBitsFor(
  tx: Tx,
  userIds: readonly number[],
  { messageId, bits }: { messageId: number; bits: number },
): void {
  tx.run(
    "INSERT INTO message_flags (user_id, message_id, bits) SELECT value, ?1, ?2 FROM json_each(?3) WHERE true " +
      "ON CONFLICT (user_id, message_id) DO UPDATE SET bits = excluded.bits",
    messageId,
    bits,
    JSON.stringify(userIds),
  );
}

export function deleteFlagsFor(tx: Tx, userIds: readonly number[], messageId: number): void {
  tx.run(
    "DELETE FROM message_flags WHERE message_id = ? AND user_id IN (SELECT value FROM json_each(?))",
    messageId,
    JSON.stringify(userIds),
  );
}

/**
 * The indexes of the pairs that `findBehind` would find: a user with something unread in a channel. With `onlyMarked`,
 * only pairs with a read mark.
 */
export function findBehindAmong({ db }: Reads, places: readonly Place[], onlyMarked: boolean): number[] {
  const rows = db.all<{ place: number }>(
    `SELECT place FROM (${placed}) AS given
     CROSS JOIN sequences ON sequences.conversation_id = given.conversation_id
     LEFT JOIN read_marks ON read_marks.user_id = given.user_id
       AND read_marks.conversation_id = given.conversation_id
     WHERE last_seq > IFNULL(upto_seq, 0) AND (upto_seq IS NOT NULL OR NOT ?2) AND (
       EXISTS (
         SELECT 1 FROM receipt_spans WHERE receipt_spans.user_id = given.user_id
         AND receipt_spans.conversation_id = given.conversation_id AND IFNULL(to_seq, ?3) > IFNULL(upto_seq, 0)
       ) OR EXISTS (
         SELECT 1 FROM message_flags JOIN messages ON messages.id = message_id
         WHERE message_flags.user_id = given.user_id AND message_flags.bits & ?4
         AND messages.home_id = given.conversation_id AND messages.seq > IFNULL(upto_seq, 0)
       )
     )`,
    pairsOf(places),
    onlyMarked ? 1 : 0,
    endless,
    flagBits.historical,
  );
  return rows.map((row) => row.place);
}
