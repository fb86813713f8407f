// Audit entries about messages of others.

import { recordAudit } from "@/foundation/audit/tx.ts";
import { memberOf } from "@/foundation/permissions/access.ts";
import type { Reads, Tx } from "@/kernel/core/context.ts";
import type { MessageRow } from "@/messaging/messages/rows.ts";
import { knownChannel } from "@/places/channels/access.ts";
import { conversation } from "@/places/conversations/access.ts";

/** Whether one of these messages is neither the actor's nor of one of their bots. */
export function concernsOthers(tx: Tx, rows: readonly Pick<MessageRow, "sender_id">[]): boolean {
  const senders = new Set(rows.map(({ sender_id }) => sender_id));
  return [...senders].some((id) => id !== tx.actor.id && memberOf(tx, id).bot_owner_id !== tx.actor.id);
}

/** Names a conversation or topic in the audit log. The topics of a private channel are for its readers alone. */
export function placeNamed(reads: Reads, { conversation_id, topic }: Place): string {
  const { channel_id } = conversation(reads, conversation_id);
  if (channel_id === null) return "direct messages";
  const { name, invite_only } = knownChannel(reads, channel_id);
  return invite_only ? name : `${name} › ${topic || "general chat"}`;
}

type Place = Pick<MessageRow, "conversation_id" | "topic">;

/** Records that the actor deleted somebody else's message. */
export function recordDeletion(tx: Tx, row: MessageRow): void {
  if (!concernsOthers(tx, [row])) return;
  recordAudit(tx, {
    event: "message_deleted",
    about: { kind: "message", id: row.id, name: placeNamed(tx, row) },
    personId: row.sender_id,
    data: { sent_at: row.sent_at },
  });
}
