import type { Reads, Tx } from "@/kernel/core/context.ts";
import { cache } from "@/kernel/store/cache.ts";
import { rowDeleter } from "@/kernel/store/owned-rows.ts";
import type { MuteSpan } from "./schema.ts";

const columns = "user_id, muted_user_id, from_id, to_id";
const key = "user_id = ? AND muted_user_id = ? AND from_id = ?";

/** The mute spans of a user. */
export const spansOf = cache(["mute_spans"], ({ db }, userId: number) =>
  db.all<MuteSpan>(`SELECT ${columns} FROM mute_spans WHERE user_id = ?`, userId),
);

/** The mute spans that cover a sender's messages. */
export const spansOn = cache(["mute_spans"], ({ db }, senderId: number) =>
  db.all<MuteSpan>(`SELECT ${columns} FROM mute_spans WHERE muted_user_id = ?`, senderId),
);

/** The users that a user currently mutes, in the order of muting. */
export function listMuted({ db }: Reads, userId: number): { id: number; timestamp: number }[] {
  return db.all(
    "SELECT muted_user_id AS id, muted_at AS timestamp FROM mute_spans WHERE user_id = ? AND to_id IS NULL " +
      "ORDER BY muted_at, muted_user_id",
    userId,
  );
}

export function insertSpan(
  tx: Tx,
  { user_id, muted_user_id, from_id }: Pick<MuteSpan, "user_id" | "muted_user_id" | "from_id">,
): void {
  tx.run(
    "INSERT INTO mute_spans (user_id, muted_user_id, from_id, muted_at) VALUES (?, ?, ?, ?)",
    user_id,
    muted_user_id,
    from_id,
    tx.now,
  );
}

/** Ends a span. Deletes it if it is empty. */
export function closeSpan(tx: Tx, { user_id, muted_user_id, from_id }: MuteSpan, toId: number): void {
  if (from_id > toId) tx.run(`DELETE FROM mute_spans WHERE ${key}`, user_id, muted_user_id, from_id);
  else tx.run(`UPDATE mute_spans SET to_id = ? WHERE ${key}`, toId, user_id, muted_user_id, from_id);
}

/** Moves the beginning of a span forward. Deletes it if it has ended and is then empty. */
export function advanceSpan(tx: Tx, span: MuteSpan, fromId: number): void {
  const { user_id, muted_user_id, from_id, to_id } = span;
  if (to_id !== null && fromId > to_id) {
    tx.run(`DELETE FROM mute_spans WHERE ${key}`, user_id, muted_user_id, from_id);
  } else tx.run(`UPDATE mute_spans SET from_id = ? WHERE ${key}`, fromId, user_id, muted_user_id, from_id);
}

/** Spans that contain messages or have ended; also those of people whose newest message, just sent, is before. */
export function findUnmarked({ db }: Reads, max: number): MuteSpan[] {
  return db.all<MuteSpan>(
    `SELECT ${columns} FROM mute_spans WHERE to_id IS NOT NULL OR EXISTS ` +
      "(SELECT 1 FROM sender_index WHERE sender_id = muted_user_id AND message_id >= from_id) OR muted_user_id IN " +
      // Not sent_messages, which would look at the newest messages for each span.
      "(SELECT sender_id FROM messages NOT INDEXED WHERE id > (SELECT message_id FROM sender_index_end)) LIMIT ?",
    max,
  );
}

export function findSpan({ db }: Reads, span: MuteSpan): MuteSpan | null {
  return db.get<MuteSpan>(
    `SELECT ${columns} FROM mute_spans WHERE ${key}`,
    span.user_id,
    span.muted_user_id,
    span.from_id,
  );
}

export const deleteSomeMuteSpans = rowDeleter({
  table: "mute_spans",
  key: "user_id, muted_user_id, from_id",
});
