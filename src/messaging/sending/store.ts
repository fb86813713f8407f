import type { Reads, Tx } from "@/kernel/core/context.ts";
import { cache } from "@/kernel/store/cache.ts";
import type { MessageRow, NewMessageRow } from "@/messaging/message-rows/schema.ts";
import { topicKey } from "@/places/topics/schema.ts";

/** Returns the new message's ID. */
export function insertMessage(tx: Tx, message: NewMessageRow): number {
  const { lastInsertRowid } = tx.run(
    "INSERT INTO messages (conversation_id, home_id, seq, sender_id, client_id, sent_at, bits, topic, topic_key, content, " +
      "rendered) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    message.conversation_id,
    message.home_id,
    message.seq,
    message.sender_id,
    message.client_id,
    message.sent_at,
    message.bits,
    message.topic,
    message.topic_key,
    message.content,
    message.rendered,
  );
  return lastInsertRowid;
}

const clientId = cache(["clients"], ({ db }, name: string) =>
  db.get<{ id: number }>("SELECT id FROM clients WHERE name = ?", name),
);

export function openClient(tx: Tx, name: string): number {
  return clientId(tx, name)?.id ?? tx.run("INSERT INTO clients (name) VALUES (?)", name).lastInsertRowid;
}

/** Whether the message's topic has an older message. */
export function isInTopicBefore({ db }: Reads, { id, conversation_id, topic }: MessageRow): boolean {
  const found = db.get<{ id: number }>(
    "SELECT id FROM messages WHERE conversation_id = ? AND topic_key = ? AND id < ? LIMIT 1",
    conversation_id,
    topicKey(topic),
    id,
  );
  return found !== null;
}

/** Users who have sent a message in the topic or reacted to one. */
export function participantsInTopic({ db }: Reads, conversationId: number, topicKey: string): number[] {
  return db
    .all<{ id: number }>(
      "SELECT sender_id AS id FROM messages WHERE conversation_id = ?1 AND topic_key = ?2 UNION " +
        "SELECT user_id FROM messages JOIN reactions ON message_id = messages.id " +
        "WHERE conversation_id = ?1 AND topic_key = ?2",
      conversationId,
      topicKey,
    )
    .map((row) => row.id);
}
