import type { Reads, Tx } from "@/kernel/core/context.ts";
import type { Submessage } from "@/messaging/messages/schema.ts";

/** The submessages of each of these messages, oldest first. */
export function findSubmessages({ db }: Reads, messageIds: readonly number[]): Map<number, Submessage[]> {
  const rows = db.all<Submessage>(
    "SELECT id, message_id, sender_id, msg_type, content FROM submessages " +
      "WHERE message_id IN (SELECT value FROM json_each(?)) ORDER BY message_id, id",
    JSON.stringify(messageIds),
  );
  return Map.groupBy(rows, (row) => row.message_id);
}

export function findFirst({ db }: Reads, messageId: number): { content: string } | null {
  return db.get("SELECT content FROM submessages WHERE message_id = ? ORDER BY id LIMIT 1", messageId);
}

/** The number of a message's submessages and their total size. */
export function sizeOfSubmessages({ db }: Reads, messageId: number): { count: number; bytes: number } {
  const sql =
    "SELECT COUNT(*) AS count, IFNULL(SUM(octet_length(content)), 0) AS bytes FROM submessages WHERE message_id = ?";
  return db.get<{ count: number; bytes: number }>(sql, messageId) ?? { count: 0, bytes: 0 };
}

export function insertSubmessage(
  tx: Tx,
  { message_id, sender_id, msg_type, content }: Omit<Submessage, "id">,
): number {
  return tx.run(
    "INSERT INTO submessages (message_id, sender_id, msg_type, content) VALUES (?, ?, ?, ?)",
    message_id,
    sender_id,
    msg_type,
    content,
  ).lastInsertRowid;
}

export function deleteSubmessages(tx: Tx, messageIds: readonly number[]): void {
  tx.run(
    "DELETE FROM submessages WHERE message_id IN (SELECT value FROM json_each(?))",
    JSON.stringify(messageIds),
  );
}
