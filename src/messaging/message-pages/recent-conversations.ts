import { me } from "@/foundation/permissions/access.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { conversation, participantsOf } from "@/places/conversations/access.ts";
import { newestOfDirect } from "./store-direct.ts";

const maxConversations = 1000;

/** The user's direct conversations that have messages, ordered by the newest one. */
export function recentConversationsState(ctx: Ctx): Record<string, unknown> {
  const user = me(ctx).id;
  const recent_private_conversations = newestOfDirect(ctx, user, maxConversations).map((row) => ({
    max_message_id: row.max_id,
    user_ids: participantsOf(conversation(ctx, row.conversation_id)).filter((id) => id !== user),
  }));
  return { recent_private_conversations };
}
