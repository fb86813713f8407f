import type { Ctx } from "@/kernel/context.ts";
import { flagBits } from "./schema.ts";
import type { Receipt } from "./store.ts";

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

/** Users who took the message into their history later. */
export function findHistorians({ db }: Reads, messageId: number): number[] {
  return db
    .all<{ id: number }>(
      "SELECT user_id AS id FROM message_flags WHERE message_id = ? AND bits & ?",
      messageId,
      flagBits.historical,
    )
    .map((row) => row.id);
}
