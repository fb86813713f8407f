// The index of senders: which messages each has sent. The job that indexes messages adds the new ones, many at a time, because those
// of a single commit would change a page for each sender. Triggers remove what is deleted.

import type { Reads, Tx } from "@/kernel/core/context.ts";

/** Messages with higher IDs are in neither index yet; IDs only grow. */
export function indexedEnd({ db }: Reads): number {
  return db.get<{ id: number }>("SELECT message_id AS id FROM sender_index_end")?.id ?? 0;
}

/** Adds the messages up to an ID, in the order of the index. */
export function indexSenders(tx: Tx, last: number): void {
  const end = indexedEnd(tx);
  if (last <= end) return;
  tx.run(
    "INSERT INTO sender_index (sender_id, message_id) " +
      "SELECT sender_id, id FROM messages NOT INDEXED WHERE id > ? AND id <= ? ORDER BY sender_id, id",
    end,
    last,
  );
  tx.run("UPDATE sender_index_end SET message_id = ?", last);
}
