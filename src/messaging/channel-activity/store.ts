import type { Reads } from "@/kernel/core/context.ts";

interface MessageTime {
  id: number;
  sent_at: number;
}

/** As `firstMessageSince`. A binary search by ID: IDs ascend with time, so no index on times is needed. */
export function findFirstSince({ db }: Reads, time: number): number {
  let low = 1;
  let high = (db.get<{ id: number | null }>("SELECT MAX(id) AS id FROM messages")?.id ?? 0) + 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const sql = "SELECT id, sent_at FROM messages WHERE id >= ? ORDER BY id LIMIT 1";
    const found = db.get<MessageTime>(sql, middle);
    if (found && found.sent_at < time) low = found.id + 1;
    else high = middle;
  }
  return low;
}

export function countSince({ db }: Reads, conversationId: number, firstId: number): number {
  const sql = "SELECT COUNT(*) AS n FROM messages WHERE conversation_id = ? AND id >= ?";
  return db.get<{ n: number }>(sql, conversationId, firstId)?.n ?? 0;
}

/** When the newest message of a conversation was sent. */
export function findLastSent({ db }: Reads, conversationId: number): number | null {
  const sql = "SELECT id, sent_at FROM messages WHERE conversation_id = ? ORDER BY id DESC LIMIT 1";
  return db.get<MessageTime>(sql, conversationId)?.sent_at ?? null;
}
