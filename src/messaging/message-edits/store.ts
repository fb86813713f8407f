import type { Reads, Tx } from "@/kernel/core/context.ts";
import { type MessageRow, type Movable, messageBits } from "@/messaging/message-rows/schema.ts";
import type { PropagateMode } from "./schema.ts";

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

export function setWords(
  tx: Tx,
  id: number,
  { content, rendered }: Pick<MessageRow, "content" | "rendered">,
): void {
  tx.run("UPDATE messages SET content = ?, rendered = ? WHERE id = ?", content, rendered, id);
}

interface TopicAt {
  conversationId: number;
  topicKey: string;
}

/** The messages of a topic, starting at an ID, ascending. */
export function findInTopic(
  { db }: Reads,
  { conversationId, topicKey }: TopicAt,
  { from, max }: { from: number; max: number },
): Movable[] {
  return db.all<Movable>(
    "SELECT id, conversation_id, home_id, seq, arrived_seq, sender_id, sent_at FROM messages INDEXED BY messages_by_topic " +
      "WHERE conversation_id = ? AND topic_key = ? AND id >= ? ORDER BY id LIMIT ?",
    conversationId,
    topicKey,
    from,
    max,
  );
}

interface NewTopic {
  topic: string;
  topicKey: string;
}

/** Changes the topic of messages. Their conversation stays the same. */
export function setTopic(tx: Tx, ids: readonly number[], { topic, topicKey }: NewTopic): void {
  tx.run(
    `UPDATE messages SET topic = ?, topic_key = ?, bits = bits | ${messageBits.edited} ` +
      "WHERE id IN (SELECT value FROM json_each(?))",
    topic,
    topicKey,
    JSON.stringify(ids),
  );
}

interface NewPlace {
  conversationId: number;
  arrivedSeq: number;
  /** Null if each keeps its own. */
  topic: NewTopic | null;
}

/** Moves messages to another conversation, where each gets a new seq. In its home, a message gets back its original seq. */
export function setConversation(
  tx: Tx,
  ids: readonly number[],
  { conversationId, arrivedSeq, topic }: NewPlace,
): void {
  tx.run(
    "UPDATE messages SET conversation_id = ?1, arrived_seq = IIF(home_id = ?1, NULL, ?2), " +
      "topic = IFNULL(?3, topic), topic_key = IFNULL(?4, topic_key), " +
      `bits = bits | ${messageBits.edited} WHERE id IN (SELECT value FROM json_each(?5))`,
    conversationId,
    arrivedSeq,
    topic?.topic ?? null,
    topic?.topicKey ?? null,
    JSON.stringify(ids),
  );
}

/** What else the rest of a move needs, besides its `TopicWork`. */
interface RestRow {
  work_id: number;
  /** The message given in the request. */
  target_id: number;
  propagate_mode: PropagateMode;
  /** Whether the new topic had messages before. */
  merges: 0 | 1;
  /** How many messages have moved, and the first of them. */
  moved: number;
  first_id: number | null;
  notifies_old: 0 | 1;
  notifies_new: 0 | 1;
}

const restColumns = "work_id, target_id, propagate_mode, merges, moved, first_id, notifies_old, notifies_new";

export function findRest({ db }: Reads, workId: number): RestRow | null {
  return db.get<RestRow>(`SELECT ${restColumns} FROM topic_moves WHERE work_id = ?`, workId);
}

export function insertRest(tx: Tx, row: RestRow): void {
  tx.run(
    `INSERT INTO topic_moves (${restColumns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    row.work_id,
    row.target_id,
    row.propagate_mode,
    row.merges,
    row.moved,
    row.first_id,
    row.notifies_old,
    row.notifies_new,
  );
}

export function setMoved(tx: Tx, workId: number, moved: number): void {
  tx.run("UPDATE topic_moves SET moved = ? WHERE work_id = ?", moved, workId);
}

export function deleteRest(tx: Tx, workId: number): void {
  tx.run("DELETE FROM topic_moves WHERE work_id = ?", workId);
}
