import type { Reads } from "@/kernel/context.ts";
import { messageBits } from "@/messaging/messages/schema.ts";

const { channelWildcard, readBySender, quiet } = messageBits;
const bits = channelWildcard | readBySender | quiet;

// Temporary tables and triggers belong to the connection: they see every statement of this process, also those that a
// cluster's node repeats from the log, and a rollback takes back what they noted.
const watching = `
CREATE TEMP TABLE IF NOT EXISTS altered_conversations (id INTEGER PRIMARY KEY);
CREATE TEMP TRIGGER IF NOT EXISTS message_altered
AFTER UPDATE OF conversation_id, home_id, seq, sender_id, bits, topic, arrived_seq ON main.messages
WHEN old.conversation_id <> new.conversation_id OR old.home_id <> new.home_id OR old.seq <> new.seq
  OR old.sender_id <> new.sender_id OR (old.bits & ${bits}) <> (new.bits & ${bits}) OR old.topic <> new.topic
  OR old.arrived_seq IS NOT new.arrived_seq
BEGIN
  INSERT OR IGNORE INTO altered_conversations VALUES (old.home_id), (new.home_id), (old.conversation_id), (new.conversation_id);
END;
CREATE TEMP TRIGGER IF NOT EXISTS message_deleted AFTER DELETE ON main.messages
BEGIN
  INSERT OR IGNORE INTO altered_conversations VALUES (old.home_id), (old.conversation_id);
END;`;

export function isWatching({ db }: Reads): boolean {
  const row = db.get<{ n: number }>(
    "SELECT COUNT(*) AS n FROM temp.sqlite_schema WHERE name IN ('altered_conversations', 'message_altered', 'message_deleted')",
  );
  return row?.n === 3;
}

export function watchMessages({ db }: Reads): void {
  db.sqlite.run(watching);
}

/** Conversations with messages that were altered since the last call. */
export function takeAltered({ db }: Reads): number[] {
  const hasAny = db.get("SELECT 1 FROM temp.altered_conversations LIMIT 1") !== null;
  if (!hasAny) return [];
  return db.all<{ id: number }>("DELETE FROM temp.altered_conversations RETURNING id").map(({ id }) => id);
}
