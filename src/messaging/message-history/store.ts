// The edit history of messages, and the changes to messages that add to it.
import type { Reads, Tx } from "@/kernel/context.ts";
import { messageBits } from "@/messaging/messages/schema.ts";
import type { MessageRow } from "@/messaging/messages/store.ts";

/** One edit of a message. Fields that it did not change are null. */
export interface EditRow {
  message_id: number;
  user_id: number;
  edited_at: number;
  prev_content: string | null;
  prev_rendered: string | null;
  prev_topic: string | null;
  topic: string | null;
  prev_channel_id: number | null;
  channel_id: number | null;
}

/** The edits of each of these messages, oldest first. */
export function findEdits({ db }: Reads, messageIds: readonly number[]): Map<number, EditRow[]> {
  const rows = db.all<EditRow>(
    "SELECT message_id, user_id, edited_at, prev_content, prev_rendered, prev_topic, topic, prev_channel_id, channel_id " +
      "FROM message_edits WHERE message_id IN (SELECT value FROM json_each(?)) ORDER BY message_id, nth",
    JSON.stringify(messageIds),
  );
  return Map.groupBy(rows, (row) => row.message_id);
}

const maxEdits = 200;
const maxEditBytes = 2_000_000;

/** SQL: the bytes of text in a row. */
export const bytesOfEdit = "IFNULL(octet_length(prev_content) + octet_length(prev_rendered), 0)";

/** A change that is about to be made to messages. Null leaves a property unchanged. */
export interface Change {
  /** The message among them whose content changes. */
  rewritten: number | null;
  topic: string | null;
  channel: { from: number; to: number } | null;
}

/** Records messages as they are before a change. Prunes the oldest edits of `id`, one of them, beyond the limits. */
export function keepPast(tx: Tx, id: number, ids: readonly number[], change: Change): void {
  tx.run(
    "INSERT INTO message_edits (message_id, nth, user_id, edited_at, prev_content, prev_rendered, prev_topic, topic, " +
      "prev_channel_id, channel_id) SELECT m.id, " +
      "(SELECT IFNULL(MAX(e.nth), 0) + 1 FROM message_edits AS e WHERE e.message_id = m.id), ?1, ?2, " +
      "IIF(m.id = ?3, m.content, NULL), IIF(m.id = ?3, m.rendered, NULL), " +
      "IIF(m.topic <> ?4, m.topic, NULL), IIF(m.topic <> ?4, ?4, NULL), ?5, ?6 " +
      "FROM json_each(?7) AS changed CROSS JOIN messages AS m ON m.id = changed.value " +
      "WHERE m.id = ?3 OR m.topic <> ?4 OR ?6 IS NOT NULL",
    tx.actor.id,
    tx.now,
    change.rewritten,
    change.topic,
    change.channel?.from ?? null,
    change.channel?.to ?? null,
    JSON.stringify(ids),
  );
  tx.run(
    "DELETE FROM message_edits WHERE message_id = ?1 AND nth <= (SELECT MAX(nth) FROM (SELECT nth, " +
      "ROW_NUMBER() OVER newest_first AS place, " +
      `SUM(${bytesOfEdit}) OVER newest_first AS bytes ` +
      "FROM message_edits WHERE message_id = ?1 WINDOW newest_first AS (ORDER BY nth DESC)) " +
      "WHERE place > ?2 OR (place > 1 AND bytes > ?3))",
    id,
    maxEdits,
    maxEditBytes,
  );
}

/** The columns that decide who may move a message and who has read it. */
export type Movable = Pick<
  MessageRow,
  "id" | "conversation_id" | "home_id" | "seq" | "arrived_seq" | "sent_at"
>;

interface TopicAt {
  conversationId: number;
  topicKey: string;
}

/** The messages of a topic, starting at an ID, ascending. */
export function findInTopic({ db }: Reads, { conversationId, topicKey }: TopicAt, from = 0): Movable[] {
  return db.all<Movable>(
    "SELECT id, conversation_id, home_id, seq, arrived_seq, sent_at FROM messages INDEXED BY messages_by_topic " +
      "WHERE conversation_id = ? AND topic_key = ? AND id >= ? ORDER BY id",
    conversationId,
    topicKey,
    from,
  );
}

/** Changes the topic of messages. Their conversation stays the same. */
export function setTopic(
  tx: Tx,
  ids: readonly number[],
  { topic, topicKey }: { topic: string; topicKey: string },
): void {
  tx.run(
    `UPDATE messages SET topic = ?, topic_key = ?, bits = bits | ${messageBits.edited} ` +
      "WHERE id IN (SELECT value FROM json_each(?))",
    topic,
    topicKey,
    JSON.stringify(ids),
  );
}

/** Moves messages to another conversation, where each gets a new seq. In its home, a message gets back its original seq. */
export function setConversation(
  tx: Tx,
  ids: readonly number[],
  { conversationId, arrivedSeq }: { conversationId: number; arrivedSeq: number },
): void {
  tx.run(
    "UPDATE messages SET conversation_id = ?1, arrived_seq = IIF(home_id = ?1, NULL, ?2), " +
      `bits = bits | ${messageBits.edited} WHERE id IN (SELECT value FROM json_each(?3))`,
    conversationId,
    arrivedSeq,
    JSON.stringify(ids),
  );
}

export function setContent(tx: Tx, { id, content, rendered, bits }: MessageRow): void {
  tx.run(
    "UPDATE messages SET content = ?, rendered = ?, bits = ? WHERE id = ?",
    content,
    rendered,
    bits | messageBits.edited,
    id,
  );
}

export function setRendered(tx: Tx, id: number, rendered: string): void {
  tx.run("UPDATE messages SET rendered = ? WHERE id = ?", rendered, id);
}

export function deleteEdits(tx: Tx, messageIds: readonly number[]): void {
  tx.run(
    "DELETE FROM message_edits WHERE message_id IN (SELECT value FROM json_each(?))",
    JSON.stringify(messageIds),
  );
}
