// Reads messages in batches, so that many can be deleted without blocking other requests.

import type { Reads } from "@/kernel/context.ts";
import type { Candidate } from "@/messaging/messages/rows.ts";

const columns = "id, conversation_id, home_id, seq, sender_id, bits, topic, arrived_seq";

/** The newest messages of a topic below an ID. */
export function findNewestInTopic(
  { db }: Reads,
  topic: { conversationId: number; topicKey: string; before: number; max: number },
): Candidate[] {
  return db.all<Candidate>(
    `SELECT ${columns} FROM messages INDEXED BY messages_by_topic ` +
      "WHERE conversation_id = ? AND topic_key = ? AND id < ? ORDER BY id DESC LIMIT ?",
    topic.conversationId,
    topic.topicKey,
    topic.before,
    topic.max,
  );
}

/** The oldest messages of a conversation that were sent before `until`. */
export function findOldest(
  { db }: Reads,
  { conversationId, until, max }: { conversationId: number; until: number; max: number },
): Candidate[] {
  const rows = db.all<Candidate & { sent_at: number }>(
    `SELECT ${columns}, sent_at FROM messages INDEXED BY messages_by_conversation ` +
      "WHERE conversation_id = ? ORDER BY id LIMIT ?",
    conversationId,
    max,
  );
  const firstKept = rows.findIndex((row) => row.sent_at >= until);
  return firstKept < 0 ? rows : rows.slice(0, firstKept);
}

/** Direct conversations above an ID, each with the time of its oldest message, or null if it has none. */
export function findDirect(
  { db }: Reads,
  { above, max }: { above: number; max: number },
): { id: number; oldest: number | null }[] {
  return db.all(
    "SELECT c.id, (SELECT sent_at FROM messages AS m INDEXED BY messages_by_conversation " +
      "WHERE m.conversation_id = c.id ORDER BY m.id LIMIT 1) AS oldest " +
      "FROM conversations AS c WHERE c.channel_id IS NULL AND c.id > ? ORDER BY c.id LIMIT ?",
    above,
    max,
  );
}
