import { allow, me, memberOf } from "@/foundation/permissions/access.ts";
import { realmSettings } from "@/foundation/realm/schema.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { action } from "@/kernel/core/operation.ts";
import { fail } from "@/kernel/lib/errors.ts";
import type { MessageRow } from "@/messaging/message-rows/schema.ts";
import { conversation } from "@/places/conversations/access.ts";
import { holdsEither, mayDeleteAny, messageFor } from "./access.ts";
import { graceSeconds } from "./schema.ts";
import { deleteTogether, recordDeletion } from "./tx-removal.ts";

/** Deletes a message for everyone. */
export const deleteMessage = action(allow.user, (tx, id: number): void => {
  const row = messageFor(tx, id);
  const { channel_id } = conversation(tx, row.conversation_id);
  if (!mayDeleteAny(tx, channel_id)) checkMayDeleteOwn(tx, row, channel_id);

  deleteTogether(tx, [row]);
  recordDeletion(tx, row);
});

/** Users may delete their own and their bots' messages within the time limit, if they have the permission. */
function checkMayDeleteOwn(tx: Tx, row: MessageRow, channelId: number | null): void {
  const actor = me(tx);
  const sender = memberOf(tx, row.sender_id);
  const isOwn = sender.id === actor.id || sender.bot_owner_id === actor.id;
  if (!isOwn || !holdsEither(tx, channelId, "can_delete_own_message_group")) {
    fail("BAD_REQUEST", "You don't have permission to delete this message");
  }
  const limit = realmSettings.read(tx).message_content_delete_limit_seconds;
  if (limit !== null && tx.now > row.sent_at + limit + graceSeconds) {
    fail("BAD_REQUEST", "The time limit for deleting this message has passed");
  }
}
