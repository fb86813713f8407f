import type { Reads } from "@/kernel/core/context.ts";

/** The user's direct conversations that have messages, the one with the newest message first. */
export function newestOfDirect(
  { db }: Reads,
  userId: number,
  max: number,
): { conversation_id: number; max_id: number }[] {
  return db.all(
    "SELECT conversation_id, max_id FROM (SELECT d.conversation_id, (SELECT MAX(m.id) FROM messages AS m " +
      "INDEXED BY messages_by_conversation WHERE m.conversation_id = d.conversation_id) AS max_id " +
      "FROM direct_participants AS d WHERE d.user_id = ?) WHERE max_id IS NOT NULL ORDER BY max_id DESC LIMIT ?",
    userId,
    max,
  );
}
