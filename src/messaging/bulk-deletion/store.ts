// Reads messages in batches, so that many can be deleted without blocking other requests.

import type { Reads } from "@/kernel/core/context.ts";
import { type Candidate, messageBits } from "@/messaging/message-rows/schema.ts";

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

interface Oldest {
  conversationId: number;
  until: number;
  /** Only messages with higher IDs. */
  above: number;
  max: number;
  /** Messages that came from another channel since then have `came_lately`. */
  movedSince: number;
}

interface OldMessage extends Candidate {
  sent_at: number;
  came_lately: 0 | 1;
}

/** The oldest messages of a conversation that were sent before `until`. */
export function findOldest({ db }: Reads, wanted: Oldest): OldMessage[] {
  const { conversationId, until, above, max, movedSince } = wanted;
  const rows = db.all<OldMessage>(
    `SELECT ${columns}, sent_at, bits & ${messageBits.edited} AND EXISTS (SELECT 1 FROM message_edits AS e ` +
      "WHERE e.message_id = messages.id AND e.channel_id IS NOT NULL AND e.edited_at > ?) AS came_lately " +
      "FROM messages INDEXED BY messages_by_conversation WHERE conversation_id = ? AND id > ? ORDER BY id LIMIT ?",
    movedSince,
    conversationId,
    above,
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
