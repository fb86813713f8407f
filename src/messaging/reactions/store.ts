import { type Emoji, type ReactionType, reactionTypes } from "@/foundation/emoji/schema.ts";
import type { Reads, Tx } from "@/kernel/core/context.ts";
import type { Reaction } from "./schema.ts";

const letters: Record<ReactionType, string> = {
  realm_emoji: "R",
  unicode_emoji: "U",
  service_extra_emoji: "X",
};
const types = new Map(reactionTypes.map((type) => [letters[type], type]));

interface Row {
  message_id: number;
  user_id: number;
  type: string;
  code: string;
  name: string;
}

/** The reactions on each of these messages, oldest first. */
export function findReactions({ db }: Reads, messageIds: readonly number[]): Map<number, Reaction[]> {
  const rows = db.all<Row>(
    "SELECT message_id, user_id, type, code, name FROM reactions " +
      "WHERE message_id IN (SELECT value FROM json_each(?)) ORDER BY message_id, reacted_at, user_id",
    JSON.stringify(messageIds),
  );
  const byMessage = Map.groupBy(rows, (row) => row.message_id);
  return new Map([...byMessage].map(([id, some]) => [id, some.map(asReaction)]));
}

function asReaction({ name, code, type, user_id }: Row): Reaction {
  return {
    emoji_name: name,
    emoji_code: code,
    reaction_type: types.get(type) as ReactionType,
    user_id,
  };
}

export function insertReaction(tx: Tx, messageId: number, userId: number, emoji: Emoji): void {
  tx.run(
    "INSERT INTO reactions (message_id, user_id, type, code, name, reacted_at) VALUES (?, ?, ?, ?, ?, ?)",
    messageId,
    userId,
    letters[emoji.reaction_type],
    emoji.emoji_code,
    emoji.emoji_name,
    tx.now,
  );
}

export function deleteReaction(tx: Tx, messageId: number, userId: number, emoji: Emoji): void {
  tx.run(
    "DELETE FROM reactions WHERE message_id = ? AND type = ? AND code = ? AND user_id = ?",
    messageId,
    letters[emoji.reaction_type],
    emoji.emoji_code,
    userId,
  );
}

export function deleteReactions(tx: Tx, messageIds: readonly number[]): void {
  tx.run(
    "DELETE FROM reactions WHERE message_id IN (SELECT value FROM json_each(?))",
    JSON.stringify(messageIds),
  );
}

/** The oldest reactions of a user on messages with IDs above `after`, up to `upTo`. */
export function findReactionsOf(
  { db }: Reads,
  userId: number,
  { after, upTo, max }: { after: number; upTo: number; max: number },
): (Reaction & { message_id: number })[] {
  const rows = db.all<Row>(
    "SELECT message_id, user_id, type, code, name FROM reactions WHERE message_id > ? AND message_id <= ? AND user_id = ? " +
      "ORDER BY message_id LIMIT ?",
    after,
    upTo,
    userId,
    max,
  );
  return rows.map((row) => ({ ...asReaction(row), message_id: row.message_id }));
}

export function countReactionsOf(
  { db }: Reads,
  userId: number,
  { after, upTo }: { after: number; upTo: number },
): number {
  const sql = "SELECT COUNT(*) AS n FROM reactions WHERE message_id > ? AND message_id <= ? AND user_id = ?";
  return db.get<{ n: number }>(sql, after, upTo, userId)?.n ?? 0;
}
