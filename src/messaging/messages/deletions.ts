import { allow, holds, me, memberOf } from "@/foundation/permissions/access.ts";
import type { GrantName } from "@/foundation/permissions/schema.ts";
import { realmSettings } from "@/foundation/realm/schema.ts";
import type { Tx } from "@/kernel/context.ts";
import { fail } from "@/kernel/errors.ts";
import { action } from "@/kernel/operation.ts";
import { conversation } from "@/places/conversations/access.ts";
import { type MessageRow, messageFor } from "./access.ts";
import { deleteTogether } from "./removal.ts";
import { graceSeconds } from "./schema.ts";

/** Deletes a message for everyone. */
export const deleteMessage = action(allow.user, (tx, id: number): void => {
  const row = messageFor(tx, id);
  const { channel_id } = conversation(tx, row.conversation_id);
  if (!mayDeleteAny(tx, channel_id)) checkMayDeleteOwn(tx, row, channel_id);

  deleteTogether(tx, [row]);
});

type DeletePermission = GrantName<"realm"> & GrantName<"channel">;

/** Held in the organization, or in the channel, if it is one. */
function holdsEither(tx: Tx, channelId: number | null, name: DeletePermission): boolean {
  const member = me(tx);
  if (holds(tx, member, { scope: "realm", ownerId: 0, name })) return true;
  return channelId !== null && holds(tx, member, { scope: "channel", ownerId: channelId, name });
}

/** Whether the actor may delete what others wrote: everywhere, or in this channel. */
export function mayDeleteAny(tx: Tx, channelId: number | null): boolean {
  return holdsEither(tx, channelId, "can_delete_any_message_group");
}

/** One's own, or one's bot's, and for a while after it was sent. */
function checkMayDeleteOwn(tx: Tx, row: MessageRow, channelId: number | null): void {
  const actor = me(tx);
  const sender = memberOf(tx, row.sender_id);
  const isOwn = sender.id === actor.id || sender.bot_owner_id === actor.id;
  if (!isOwn || !holdsEither(tx, channelId, "can_delete_own_message_group")) {
    fail("BAD_REQUEST", "You don't have permission to delete this message");
  }
  const limit = realmSettings.read(tx, 0).message_content_delete_limit_seconds;
  if (limit !== null && tx.now > row.sent_at + limit + graceSeconds) {
    fail("BAD_REQUEST", "The time limit for deleting this message has passed");
  }
}
