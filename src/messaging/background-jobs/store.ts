import type { Reads, Tx } from "@/kernel/core/context.ts";
import type { DoneWork, TopicWork } from "./schema.ts";

const columns =
  "id, kind, user_id, client, conversation_id, topic, to_conversation_id, to_topic, reads_all, last_id, " +
  "removed, concerns_others";

export function list({ db }: Reads): TopicWork[] {
  return db.all<TopicWork>(`SELECT ${columns} FROM topic_work ORDER BY id`);
}

export function find({ db }: Reads, id: number): TopicWork | null {
  return db.get<TopicWork>(`SELECT ${columns} FROM topic_work WHERE id = ?`, id);
}

export function insert(tx: Tx, work: Omit<TopicWork, "id">): number {
  return tx.run(
    "INSERT INTO topic_work (kind, user_id, client, conversation_id, topic, to_conversation_id, to_topic, reads_all, last_id, " +
      "removed, concerns_others) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    work.kind,
    work.user_id,
    work.client,
    work.conversation_id,
    work.topic,
    work.to_conversation_id,
    work.to_topic,
    work.reads_all,
    work.last_id,
    work.removed,
    work.concerns_others,
  ).lastInsertRowid;
}

export function setLast(tx: Tx, id: number, lastId: number): void {
  tx.run("UPDATE topic_work SET last_id = ? WHERE id = ?", lastId, id);
}

export function setDone(tx: Tx, id: number, { removed, concerns_others }: DoneWork): void {
  tx.run("UPDATE topic_work SET removed = ?, concerns_others = ? WHERE id = ?", removed, concerns_others, id);
}

export function remove(tx: Tx, id: number): void {
  tx.run("DELETE FROM topic_work WHERE id = ?", id);
}
