// Messages in batches from one end, for deleting many without keeping anybody waiting.
import type { Reads } from "@/kernel/context.ts";
import type { Candidate } from "@/messaging/message-pages/store.ts";

const columns = "id, conversation_id, home_id, seq, sender_id, bits, topic, arrived_seq";

/** The newest messages of a topic below an ID. */
export function findNewestInTopic(
  { db }: Reads,
  topic: { conversationId: number; topicKey: string; before: number; most: number },
): Candidate[] {
  return db.all<Candidate>(
    `SELECT ${columns} FROM messages INDEXED BY messages_by_topic ` +
      "WHERE conversation_id = ? AND topic_key = ? AND id < ? ORDER BY id DESC LIMIT ?",
    topic.conversationId,
    topic.topicKey,
    topic.before,
    topic.most,
  );
}

/** The oldest messages of a conversation, as far as they were sent before `until`. */
export function findOldest(
  { db }: Reads,
  { conversationId, until, most }: { conversationId: number; until: number; most: number },
): Candidate[] {
  const rows = db.all<Candidate & { sent_at: number }>(
    `SELECT ${columns}, sent_at FROM messages INDEXED BY messages_by_conversation ` +
      "WHERE conversation_id = ? ORDER BY id LIMIT ?",
    conversationId,
    most,
  );
  const firstKept = rows.findIndex((row) => row.sent_at >= until);
  return firstKept < 0 ? rows : rows.slice(0, firstKept);
}

/** Direct conversations above an ID, with the time of the oldest message of each; null where there is none. */
export function findDirect(
  { db }: Reads,
  { above, most }: { above: number; most: number },
): { id: number; oldest: number | null }[] {
  return db.all(
    "SELECT c.id, (SELECT sent_at FROM messages AS m INDEXED BY messages_by_conversation " +
      "WHERE m.conversation_id = c.id ORDER BY m.id LIMIT 1) AS oldest " +
      "FROM conversations AS c WHERE c.channel_id IS NULL AND c.id > ? ORDER BY c.id LIMIT ?",
    above,
    most,
  );
}
