import { conversation } from "@/conversations/access.ts";
import type { Tx } from "@/kernel/context.ts";
import { fail } from "@/kernel/errors.ts";
import { action } from "@/kernel/operation.ts";
import { allow, holds, type Member, me, memberOf } from "@/permissions/access.ts";
import type { GrantName } from "@/permissions/schema.ts";
import { realmSettings } from "@/realm/schema.ts";
import { type MessageRow, messageFor } from "./access.ts";
import { readersOf } from "./audience.ts";
import { removeMessages } from "./removal.ts";
import { graceSeconds, messagesDeleted } from "./schema.ts";

/** Deletes a message for everyone (API-REFERENCE 7.4). */
export const deleteMessage = action(allow.user, (tx, id: number): void => {
  const row = messageFor(tx, id);
  if (!mayDeleteAny(tx, row)) checkMayDeleteOwn(tx, row);

  const { channel_id } = conversation(tx, row.conversation_id);
  const audience = readersOf(tx, row);
  removeMessages(tx, [row.id]);
  const place = channel_id === null ? null : { stream_id: channel_id, topic: row.topic };
  tx.emit(
    messagesDeleted,
    { ...audience, also: [...(audience.also ?? []), tx.actor.id] },
    { ids: [row.id], place },
  );
});

type DeletePermission = GrantName<"realm"> & GrantName<"channel">;

/** Held in the organization, or in the channel where the message stands. */
function holdsEither(tx: Tx, member: Member, row: MessageRow, name: DeletePermission): boolean {
  if (holds(tx, member, { scope: "realm", ownerId: 0, name })) return true;
  const { channel_id } = conversation(tx, row.conversation_id);
  return channel_id !== null && holds(tx, member, { scope: "channel", ownerId: channel_id, name });
}

function mayDeleteAny(tx: Tx, row: MessageRow): boolean {
  return holdsEither(tx, me(tx), row, "can_delete_any_message_group");
}

/** One's own, or one's bot's, and for a while after it was sent. */
function checkMayDeleteOwn(tx: Tx, row: MessageRow): void {
  const actor = me(tx);
  const sender = memberOf(tx, row.sender_id);
  const isOwn = sender.id === actor.id || sender.bot_owner_id === actor.id;
  if (!isOwn || !holdsEither(tx, actor, row, "can_delete_own_message_group")) {
    fail("BAD_REQUEST", "You don't have permission to delete this message");
  }
  const limit = realmSettings.read(tx, 0).message_content_delete_limit_seconds;
  if (limit !== null && tx.now > row.sent_at + limit + graceSeconds) {
    fail("BAD_REQUEST", "The time limit for deleting this message has passed");
  }
}
