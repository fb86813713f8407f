import type { Reads, Tx } from "@/kernel/core/context.ts";
import { latestPast } from "@/kernel/lib/due.ts";

/** The ID of the last message that was processed. */
export function findProgress({ db }: Reads): number {
  return db.get<{ message_id: number }>("SELECT message_id FROM missed_progress")?.message_id ?? 0;
}

export function setProgress(tx: Tx, messageId: number): void {
  tx.run(
    "INSERT INTO missed_progress (id, message_id) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET message_id = excluded.message_id",
    messageId,
  );
}

/** IDs of messages newer than this one, ascending. */
export function listAfter({ db }: Reads, messageId: number, max: number): number[] {
  return db
    .all<{ id: number }>("SELECT id FROM messages WHERE id > ? ORDER BY id LIMIT ?", messageId, max)
    .map((row) => row.id);
}

export interface Waiting {
  user_id: number;
  due_at: number;
}

/** Notes a message for these people. Sets when their mails are due, unless an earlier time is set. */
export function insertMissed(
  tx: Tx,
  { messageId, since }: { messageId: number; since: number },
  people: readonly Waiting[],
): void {
  const rows = JSON.stringify(people.map(({ user_id, due_at }) => [user_id, due_at]));
  tx.run(
    "INSERT OR IGNORE INTO missed_messages (user_id, message_id) SELECT value ->> 0, ?2 FROM json_each(?1)",
    rows,
    messageId,
  );
  tx.run(
    "INSERT OR IGNORE INTO missed_batches (user_id, since, due_at) SELECT value ->> 0, ?2, value ->> 1 FROM json_each(?1)",
    rows,
    since,
  );
}

export function listDue({ db }: Reads, now: number, max: number): number[] {
  const sql =
    "SELECT user_id FROM missed_batches WHERE due_at <= ?1 OR (due_at > ?2 AND since > ?2) " +
    "ORDER BY due_at, user_id LIMIT ?3";
  return db.all<{ user_id: number }>(sql, now, latestPast(now), max).map((row) => row.user_id);
}

/** When the next person's mails are due, in UNIX seconds; Infinity if nobody's are. */
export function nextDue({ db }: Reads): number {
  const sql = "SELECT MIN(due_at) AS at FROM missed_batches";
  return db.get<{ at: number | null }>(sql)?.at ?? Number.POSITIVE_INFINITY;
}

/** The newest messages noted for a person, ascending. */
export function listMissed({ db }: Reads, userId: number, max: number): number[] {
  const sql =
    "SELECT message_id AS id FROM missed_messages WHERE user_id = ? ORDER BY message_id DESC LIMIT ?";
  return db
    .all<{ id: number }>(sql, userId, max)
    .map((row) => row.id)
    .reverse();
}

export function deleteBatch(tx: Tx, userId: number): void {
  tx.run("DELETE FROM missed_messages WHERE user_id = ?", userId);
  tx.run("DELETE FROM missed_batches WHERE user_id = ?", userId);
}

/** Sets when a person's mails are due: this many seconds after the first message. */
export function setPeriod(tx: Tx, userId: number, seconds: number): void {
  tx.run("UPDATE missed_batches SET due_at = since + ? WHERE user_id = ?", seconds, userId);
}
