import type { Reads, Tx } from "@/kernel/core/context.ts";
import type { Task } from "@/kernel/lib/tasks.ts";
import { longRows } from "@/kernel/store/long-rows.ts";
import { rowDeleter } from "@/kernel/store/owned-rows.ts";

/** The checked content and recipients of a message. */
export interface Letter {
  type: "stream" | "private";
  /** The ID of the channel, or of each recipient. The sender is left out, unless nobody else is a recipient. */
  to: number[];
  topic: string;
  content: string;
  rendered: string;
}

export interface ScheduledRow extends Letter {
  id: number;
  sender_id: number;
  deliver_at: number;
  failed: boolean;
  client: string;
  read_by_sender: boolean | null;
}

type Stored = Omit<ScheduledRow, "to" | "failed" | "read_by_sender"> & {
  recipients: string;
  failed: 0 | 1;
  read_by_sender: 0 | 1 | null;
};

const columns =
  "id, sender_id, type, recipients, topic, content, rendered, deliver_at, failed, client, read_by_sender";

function asRow({ recipients, failed, read_by_sender, ...rest }: Stored): ScheduledRow {
  return {
    ...rest,
    to: JSON.parse(recipients),
    failed: failed === 1,
    read_by_sender: read_by_sender === null ? null : read_by_sender === 1,
  };
}

/** A user's undelivered scheduled messages, by delivery time. */
export function* listScheduled(reads: Reads, senderId: number): Task<ScheduledRow[]> {
  return (yield* listStored(reads, senderId)).map(asRow);
}

const listStored = longRows<Stored>({
  table: "scheduled_messages",
  columns,
  where: "sender_id = ? ORDER BY deliver_at, id",
});

export function countScheduled({ db }: Reads, senderId: number): number {
  const sql = "SELECT COUNT(*) AS n FROM scheduled_messages WHERE sender_id = ?";
  return db.get<{ n: number }>(sql, senderId)?.n ?? 0;
}

export function bytesScheduled({ db }: Reads, senderId: number): number {
  const sql =
    "SELECT SUM(octet_length(content) + octet_length(rendered)) AS bytes FROM scheduled_messages WHERE sender_id = ?";
  return db.get<{ bytes: number | null }>(sql, senderId)?.bytes ?? 0;
}

export function findScheduled({ db }: Reads, id: number): ScheduledRow | null {
  const row = db.get<Stored>(`SELECT ${columns} FROM scheduled_messages WHERE id = ?`, id);
  return row && asRow(row);
}

/** The first scheduled messages that are due, by delivery time. */
export function listDue({ db }: Reads, now: number, max: number): number[] {
  return db
    .all<{ id: number }>(
      "SELECT id FROM scheduled_messages WHERE failed = 0 AND deliver_at <= ? ORDER BY deliver_at, id LIMIT ?",
      now,
      max,
    )
    .map((row) => row.id);
}

/** When the next one is due, in UNIX seconds; Infinity if none waits. */
export function nextDue({ db }: Reads): number {
  const sql = "SELECT MIN(deliver_at) AS at FROM scheduled_messages WHERE failed = 0";
  return db.get<{ at: number | null }>(sql)?.at ?? Number.POSITIVE_INFINITY;
}

export function insertScheduled(tx: Tx, message: Omit<ScheduledRow, "id" | "failed">): ScheduledRow {
  const { lastInsertRowid: id } = tx.run(
    "INSERT INTO scheduled_messages (sender_id, type, recipients, topic, content, rendered, deliver_at, client, " +
      "read_by_sender) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
    message.sender_id,
    message.type,
    JSON.stringify(message.to),
    message.topic,
    message.content,
    message.rendered,
    message.deliver_at,
    message.client,
    message.read_by_sender === null ? null : Number(message.read_by_sender),
  );
  return { id, failed: false, ...message };
}

/** Stores a changed message. It becomes pending again if it had failed. */
export function setScheduled(tx: Tx, message: ScheduledRow): void {
  tx.run(
    "UPDATE scheduled_messages SET type = ?, recipients = ?, topic = ?, content = ?, rendered = ?, deliver_at = ?, " +
      "failed = 0 WHERE id = ?",
    message.type,
    JSON.stringify(message.to),
    message.topic,
    message.content,
    message.rendered,
    message.deliver_at,
    message.id,
  );
}

export function setFailed(tx: Tx, id: number): void {
  tx.run("UPDATE scheduled_messages SET failed = 1 WHERE id = ?", id);
}

export function deleteScheduled(tx: Tx, id: number): void {
  tx.run("DELETE FROM scheduled_messages WHERE id = ?", id);
}

export function isNamedInScheduled({ db }: Reads, senderId: number, text: string): boolean {
  const sql = "SELECT 1 FROM scheduled_messages WHERE sender_id = ? AND instr(content, ?) > 0";
  return db.get(sql, senderId, text) !== null;
}

export const deleteSomeScheduled = rowDeleter({
  table: "scheduled_messages",
  owner: "sender_id",
  key: "id",
});
