// The edit history of messages, and the changes to messages that add to it.

import type { Reads, Tx } from "@/kernel/core/context.ts";
import { bytesOfEdit, type HistoryChange } from "./schema.ts";

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

/** Records messages as they are before a change. Prunes the oldest edits of `id`, one of them, beyond the limits. */
export function keepPast(tx: Tx, id: number, ids: readonly number[], change: HistoryChange): void {
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

/** Adds an edit as it is given, the `nth` of its message from 1 on. */
export function insertEdit(tx: Tx, edit: EditRow & { nth: number }): void {
  tx.run(
    "INSERT INTO message_edits (message_id, nth, user_id, edited_at, prev_content, prev_rendered, prev_topic, topic, " +
      "prev_channel_id, channel_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    edit.message_id,
    edit.nth,
    edit.user_id,
    edit.edited_at,
    edit.prev_content,
    edit.prev_rendered,
    edit.prev_topic,
    edit.topic,
    edit.prev_channel_id,
    edit.channel_id,
  );
}

export function deleteEdits(tx: Tx, messageIds: readonly number[]): void {
  tx.run(
    "DELETE FROM message_edits WHERE message_id IN (SELECT value FROM json_each(?))",
    JSON.stringify(messageIds),
  );
}

export interface PastText {
  message_id: number;
  nth: number;
  prev_content: string;
  prev_rendered: string;
}

/** Earlier versions of a range of messages that have this in their HTML. */
export function findPastWith(
  { db }: Reads,
  { after, upTo, html }: { after: number; upTo: number; html: string },
): PastText[] {
  return db.all<PastText>(
    "SELECT message_id, nth, prev_content, prev_rendered FROM message_edits " +
      "WHERE message_id > ? AND message_id <= ? AND instr(prev_rendered, ?)",
    after,
    upTo,
    html,
  );
}

export function setPastText(tx: Tx, { message_id, nth, prev_content, prev_rendered }: PastText): void {
  tx.run(
    "UPDATE message_edits SET prev_content = ?, prev_rendered = ? WHERE message_id = ? AND nth = ?",
    prev_content,
    prev_rendered,
    message_id,
    nth,
  );
}
