import type { Reads, Tx } from "@/kernel/core/context.ts";
import type { Candidate } from "@/messaging/message-rows/schema.ts";
import type { AccountWork } from "./schema.ts";

const columns =
  "id, user_id, actor_id, client, messages, reactions, traces, stage, last_id, deleted_messages, deleted_reactions, deleted_files, " +
  "fault, fault_since";

export function listWork({ db }: Reads): AccountWork[] {
  return db.all<AccountWork>(`SELECT ${columns} FROM account_work ORDER BY id`);
}

export function findWork({ db }: Reads, id: number): AccountWork | null {
  return db.get<AccountWork>(`SELECT ${columns} FROM account_work WHERE id = ?`, id);
}

export type NewWork = Pick<
  AccountWork,
  "user_id" | "actor_id" | "client" | "messages" | "reactions" | "traces" | "stage" | "last_id"
>;

export function insertWork(tx: Tx, work: NewWork): number {
  return tx.run(
    "INSERT INTO account_work (user_id, actor_id, client, messages, reactions, traces, stage, last_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
    work.user_id,
    work.actor_id,
    work.client,
    work.messages,
    work.reactions,
    work.traces,
    work.stage,
    work.last_id,
  ).lastInsertRowid;
}

type Progress = Pick<
  AccountWork,
  "stage" | "last_id" | "deleted_messages" | "deleted_reactions" | "deleted_files"
>;

/** Stores how far work has come, and forgets why it did not go on. */
export function setProgress(tx: Tx, id: number, progress: Progress): void {
  tx.run(
    "UPDATE account_work SET stage = ?, last_id = ?, deleted_messages = ?, deleted_reactions = ?, deleted_files = ?, " +
      "fault = NULL, fault_since = NULL WHERE id = ?",
    progress.stage,
    progress.last_id,
    progress.deleted_messages,
    progress.deleted_reactions,
    progress.deleted_files,
    id,
  );
}

export function setFault(tx: Tx, id: number, fault: string): void {
  tx.run(
    "UPDATE account_work SET fault = ?, fault_since = IFNULL(fault_since, ?) WHERE id = ?",
    fault,
    tx.now,
    id,
  );
}

export function deleteWork(tx: Tx, id: number): void {
  tx.run("DELETE FROM account_work WHERE id = ?", id);
}

export interface SentMessage extends Candidate {
  /** Null in direct messages. */
  channel_id: number | null;
  /** Of the channel. */
  invite_only: 0 | 1;
}

/** The newest messages of a sender below an ID, newest first. */
export function findSent(
  { db }: Reads,
  { senderId, below, max }: { senderId: number; below: number; max: number },
): SentMessage[] {
  return db.all<SentMessage>(
    "SELECT m.id, m.conversation_id, m.home_id, m.seq, m.sender_id, m.bits, m.topic, m.arrived_seq, c.channel_id, " +
      "IFNULL(h.invite_only, 0) AS invite_only " +
      "FROM (SELECT id FROM sent_messages WHERE sender_id = ? AND id < ? ORDER BY id DESC LIMIT ?) AS s " +
      "CROSS JOIN messages AS m ON m.id = s.id CROSS JOIN conversations AS c ON c.id = m.conversation_id " +
      "LEFT JOIN channels AS h ON h.id = c.channel_id ORDER BY m.id DESC",
    senderId,
    below,
    max,
  );
}

/** Of the first `max` messages after an ID, the last one's ID; null if no message follows. */
export function findEndOfRange({ db }: Reads, after: number, max: number): number | null {
  return (
    db.get<{ id: number | null }>(
      "SELECT MAX(id) AS id FROM (SELECT id FROM messages WHERE id > ? ORDER BY id LIMIT ?)",
      after,
      max,
    )?.id ?? null
  );
}

export interface MessageRange {
  /** Exclusive. */
  after: number;
  /** Inclusive. */
  upTo: number;
}

/** Messages of a range with `html` in their rendering, and those of `senders` with one of `texts`, which are in lower case. */
export function findNaming(
  { db }: Reads,
  { after, upTo }: MessageRange,
  sought: { html: string; senders: readonly number[]; texts: readonly string[] },
): { id: number; content: string; rendered: string }[] {
  return db.all(
    "SELECT id, content, rendered FROM messages WHERE id > ?1 AND id <= ?2 AND (instr(rendered, ?3) OR " +
      "(sender_id IN (SELECT value FROM json_each(?4)) AND EXISTS (SELECT 1 FROM json_each(?5) WHERE instr(lower(content), value)))) " +
      "ORDER BY id",
    after,
    upTo,
    sought.html,
    JSON.stringify(sought.senders),
    JSON.stringify(sought.texts),
  );
}
