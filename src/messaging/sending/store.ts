import type { Reads, ReadsNow, Tx } from "@/kernel/core/context.ts";
import { cache } from "@/kernel/store/cache.ts";
import type { MessageRow, NewMessageRow } from "@/messaging/message-rows/schema.ts";
import { topicKey } from "@/places/topics/schema.ts";
import type { Policy } from "@/places/user-topics/schema.ts";
import { idempotencyKeyLife } from "./schema.ts";

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

/** A send that its sender may repeat, and what it answered. */
export interface RepeatableSend {
  message_id: number;
  sender_id: number;
  key: string;
  sent_at: number;
  digest: Uint8Array;
  policy: Policy | null;
}

/** Also one that has expired. */
export function findRepeatableSend({ db }: Reads, senderId: number, key: string): RepeatableSend | null {
  return db.get<RepeatableSend>(
    "SELECT * FROM idempotency_keys WHERE sender_id = ? AND key = ?",
    senderId,
    key,
  );
}

export function deleteRepeatableSend(tx: Tx, messageId: number): void {
  tx.run("DELETE FROM idempotency_keys WHERE message_id = ?", messageId);
}

export function insertRepeatableSend(tx: Tx, send: RepeatableSend): void {
  tx.run(
    "INSERT INTO idempotency_keys (message_id, sender_id, key, sent_at, digest, policy) VALUES (?, ?, ?, ?, ?, ?)",
    send.message_id,
    send.sender_id,
    send.key,
    send.sent_at,
    send.digest,
    send.policy,
  );
}

/** Deletes those that have expired among the `max` oldest keys. */
export function deleteExpiredKeys(tx: Tx, max: number): void {
  tx.run(
    "DELETE FROM idempotency_keys WHERE sent_at <= ? AND message_id IN " +
      "(SELECT message_id FROM idempotency_keys ORDER BY message_id LIMIT ?)",
    tx.now - idempotencyKeyLife,
    max,
  );
}

export function hasExpiredKey({ db, now }: ReadsNow): boolean {
  const oldest = db.get<{ sent_at: number }>(
    "SELECT sent_at FROM idempotency_keys ORDER BY message_id LIMIT 1",
  );
  return oldest !== null && oldest.sent_at <= now - idempotencyKeyLife;
}
