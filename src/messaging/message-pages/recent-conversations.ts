import { me } from "@/foundation/permissions/access.ts";
import type { Ctx } from "@/kernel/context.ts";
import { conversation, participantsOf } from "@/places/conversations/access.ts";
import { newestOfDirect } from "./store-direct.ts";

const mostConversations = 1000;

/** Direct conversations that have messages, by their newest message. */
export function recentConversationsState(ctx: Ctx): Record<string, unknown> {
  const user = me(ctx).id;
  const recent_private_conversations = newestOfDirect(ctx, user, mostConversations).map((row) => ({
    max_message_id: row.max_id,
    user_ids: participantsOf(conversation(ctx, row.conversation_id)).filter((id) => id !== user),
  }));
  return { recent_private_conversations };
}
