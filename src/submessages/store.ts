import type { Ctx, Tx } from "@/kernel/context.ts";
import type { Submessage } from "./schema.ts";

type Reads = Pick<Ctx, "db">;

/** The submessages of each of these messages, the oldest first. */
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

export function countSubmessages({ db }: Reads, messageId: number): number {
  const row = db.get<{ n: number }>("SELECT COUNT(*) AS n FROM submessages WHERE message_id = ?", messageId);
  return row?.n ?? 0;
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
