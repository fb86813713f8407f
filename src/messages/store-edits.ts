// The past of messages, and the changes that make it.
import type { Ctx, Tx } from "@/kernel/context.ts";
import { messageBits } from "./schema.ts";
import type { MessageRow } from "./store.ts";

type Reads = Pick<Ctx, "db">;

/** What was done to a message at one time; null where the change left something alone. */
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

/** What was done to each of these messages, the oldest first. */
export function findEdits({ db }: Reads, messageIds: readonly number[]): Map<number, EditRow[]> {
  const rows = db.all<EditRow>(
    "SELECT message_id, user_id, edited_at, prev_content, prev_rendered, prev_topic, topic, prev_channel_id, channel_id " +
      "FROM message_edits WHERE message_id IN (SELECT value FROM json_each(?)) ORDER BY message_id, nth",
    JSON.stringify(messageIds),
  );
  return Map.groupBy(rows, (row) => row.message_id);
}

const mostKept = 200;

/** Notes what a message was before its content changes; of its past, the newest part is kept. */
export function keepPast(tx: Tx, id: number): void {
  tx.run(
    "INSERT INTO message_edits (message_id, nth, user_id, edited_at, prev_content, prev_rendered) " +
      "SELECT id, (SELECT IFNULL(MAX(nth), 0) + 1 FROM message_edits WHERE message_id = id), ?, ?, content, rendered " +
      "FROM messages WHERE id = ?",
    tx.actor.id,
    tx.now,
    id,
  );
  tx.run(
    "DELETE FROM message_edits WHERE message_id = ?1 " +
      "AND nth <= (SELECT MAX(nth) FROM message_edits WHERE message_id = ?1) - ?2",
    id,
    mostKept,
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
