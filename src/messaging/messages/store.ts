import type { Reads, Tx } from "@/kernel/core/context.ts";
import { cache } from "@/kernel/store/cache.ts";
import type { Candidate, MessageRow } from "@/messaging/message-rows/schema.ts";

const messageColumns =
  "m.id, m.conversation_id, m.home_id, m.seq, m.sender_id, m.client_id, m.sent_at, m.bits, m.topic, m.content, m.rendered, " +
  "m.arrived_seq";

export function findMessage({ db }: Reads, id: number): MessageRow | null {
  return db.get<MessageRow>(`SELECT ${messageColumns} FROM messages m WHERE m.id = ?`, id);
}

/** Deletes messages. Rows that refer to them must be deleted before. */
export function deleteMessages(tx: Tx, ids: readonly number[]): void {
  const list = JSON.stringify(ids);
  tx.run("DELETE FROM messages WHERE id IN (SELECT value FROM json_each(?))", list);
}

export const clientName = cache(["clients"], ({ db }, id: number) => {
  return db.get<{ name: string }>("SELECT name FROM clients WHERE id = ?", id)?.name ?? "";
});

/** The ID of a topic's newest message, or null. */
export function newestInTopic({ db }: Reads, conversationId: number, topicKey: string): number | null {
  const row = db.get<{ id: number | null }>(
    "SELECT MAX(id) AS id FROM messages WHERE conversation_id = ? AND topic_key = ?",
    conversationId,
    topicKey,
  );
  return row?.id ?? null;
}

/** Whether a conversation has a message with a non-empty topic. */
export function hasNamedTopics({ db }: Reads, conversationId: number): boolean {
  const sql = "SELECT 1 FROM messages WHERE conversation_id = ? AND topic_key > '' LIMIT 1";
  return db.get(sql, conversationId) !== null;
}

/** The last ID that was assigned. IDs are never reused. */
export function lastId({ db }: Reads): number {
  return db.get<{ seq: number }>("SELECT seq FROM sqlite_sequence WHERE name = 'messages'")?.seq ?? 0;
}

/** The ID of the oldest message of each of these conversations; those without messages are missing. */
export function firstMessageIds(
  { db }: Reads,
  conversationIds: readonly number[],
): { conversation_id: number; id: number }[] {
  return db.all(
    "SELECT wanted.value AS conversation_id, first.id FROM json_each(?) AS wanted " +
      "JOIN messages AS first ON first.id = (SELECT MIN(id) FROM messages WHERE conversation_id = wanted.value)",
    JSON.stringify(conversationIds),
  );
}

/** Those of these messages that exist, in the given order. */
export function findCandidates({ db }: Reads, ids: readonly number[]): Candidate[] {
  return db.all<Candidate>(
    "SELECT m.id, m.conversation_id, m.home_id, m.seq, m.sender_id, m.bits, m.topic, m.arrived_seq " +
      "FROM json_each(?) AS wanted CROSS JOIN messages AS m ON m.id = wanted.value",
    JSON.stringify(ids),
  );
}

/** As `findCandidates`, with all columns. */
export function findMessages({ db }: Reads, ids: readonly number[]): MessageRow[] {
  return db.all<MessageRow>(
    `SELECT ${messageColumns} FROM json_each(?) AS wanted CROSS JOIN messages AS m ON m.id = wanted.value`,
    JSON.stringify(ids),
  );
}
