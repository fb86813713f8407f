import type { Reads, Tx } from "@/kernel/core/context.ts";
import { longRows } from "@/kernel/store/long-rows.ts";
import { rowDeleter } from "@/kernel/store/owned-rows.ts";

export interface ReminderRow {
  id: number;
  user_id: number;
  message_id: number;
  note: string;
  /** The text as shown before delivery. */
  content: string;
  rendered: string;
  deliver_at: number;
  failed: 0 | 1;
}

const columns = "id, user_id, message_id, note, content, rendered, deliver_at, failed";

/** A user's undelivered reminders, by delivery time. */
export const listReminders = longRows<ReminderRow>({
  table: "reminders",
  columns,
  where: "user_id = ? ORDER BY deliver_at, id",
});

export function countReminders({ db }: Reads, userId: number): number {
  return db.get<{ n: number }>("SELECT COUNT(*) AS n FROM reminders WHERE user_id = ?", userId)?.n ?? 0;
}

export function countRemindersOf({ db }: Reads, userId: number, messageId: number): number {
  const sql = "SELECT COUNT(*) AS n FROM reminders WHERE message_id = ? AND user_id = ?";
  return db.get<{ n: number }>(sql, messageId, userId)?.n ?? 0;
}

export function findReminder({ db }: Reads, id: number): ReminderRow | null {
  return db.get<ReminderRow>(`SELECT ${columns} FROM reminders WHERE id = ?`, id);
}

/** The next reminders of a message, by ID. */
export function findRemindersOf(
  { db }: Reads,
  messageId: number,
  { after, max }: { after: number; max: number },
): ReminderRow[] {
  const sql = `SELECT ${columns} FROM reminders WHERE message_id = ? AND id > ? ORDER BY id LIMIT ?`;
  return db.all<ReminderRow>(sql, messageId, after, max);
}

export interface Stale {
  message_id: number;
  /** The reminder of the message that was renewed last. */
  last_id: number;
}

export function listStale({ db }: Reads): Stale[] {
  return db.all<Stale>("SELECT message_id, last_id FROM stale_reminders");
}

export function findStale({ db }: Reads): Stale | null {
  return db.get<Stale>("SELECT message_id, last_id FROM stale_reminders LIMIT 1");
}

/** Notes that all reminders of these messages are stale. */
export function setStale(tx: Tx, messageIds: readonly number[]): void {
  tx.run(
    "INSERT INTO stale_reminders (message_id, last_id) SELECT value, 0 FROM json_each(?) " +
      "WHERE EXISTS (SELECT 1 FROM reminders WHERE message_id = value) " +
      "ON CONFLICT (message_id) DO UPDATE SET last_id = 0",
    JSON.stringify(messageIds),
  );
}

export function setLastRenewed(tx: Tx, { message_id, last_id }: Stale): void {
  tx.run("UPDATE stale_reminders SET last_id = ? WHERE message_id = ?", last_id, message_id);
}

export function deleteStale(tx: Tx, messageId: number): void {
  tx.run("DELETE FROM stale_reminders WHERE message_id = ?", messageId);
}

/** The first reminders that are due, by delivery time. */
export function listDue({ db }: Reads, now: number, max: number): number[] {
  return db
    .all<{ id: number }>(
      "SELECT id FROM reminders WHERE failed = 0 AND deliver_at <= ? ORDER BY deliver_at, id LIMIT ?",
      now,
      max,
    )
    .map((row) => row.id);
}

/** When the next one is due, in UNIX seconds; Infinity if none waits. */
export function nextDue({ db }: Reads): number {
  const sql = "SELECT MIN(deliver_at) AS at FROM reminders WHERE failed = 0";
  return db.get<{ at: number | null }>(sql)?.at ?? Number.POSITIVE_INFINITY;
}

export function insertReminder(tx: Tx, row: Omit<ReminderRow, "id" | "failed">): ReminderRow {
  const { lastInsertRowid: id } = tx.run(
    "INSERT INTO reminders (user_id, message_id, note, content, rendered, deliver_at) VALUES (?, ?, ?, ?, ?, ?)",
    row.user_id,
    row.message_id,
    row.note,
    row.content,
    row.rendered,
    row.deliver_at,
  );
  return { id, failed: 0, ...row };
}

export function setText(tx: Tx, id: number, text: { content: string; rendered: string }): void {
  tx.run("UPDATE reminders SET content = ?, rendered = ? WHERE id = ?", text.content, text.rendered, id);
}

export function setFailed(tx: Tx, id: number): void {
  tx.run("UPDATE reminders SET failed = 1 WHERE id = ?", id);
}

export function deleteReminder(tx: Tx, id: number): void {
  tx.run("DELETE FROM reminders WHERE id = ?", id);
}

export const deleteSomeReminders = rowDeleter({ table: "reminders", key: "id" });
