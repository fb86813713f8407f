import { findVisibleChannel } from "@/channels/access.ts";
import { channelConversation } from "@/conversations/access.ts";
import type { Ctx } from "@/kernel/context.ts";
import { namedGroup } from "@/permissions/access.ts";
import { emptyTopicDisplayName } from "@/realm/schema.ts";
import type { RenderLookup } from "@/rendering/render.ts";
import { userNamed } from "@/users/access.ts";
import { topicKey } from "./schema.ts";
import { newestInTopic } from "./store.ts";

/** What mentions and links in a text mean to the actor. */
export function renderLookup(ctx: Ctx): RenderLookup {
  return {
    user: (name, id) => userNamed(ctx, name, id),
    group: (name) => namedGroup(ctx, name),
    channel: (name) => findVisibleChannel(ctx, name),
    newestInTopic: (channelId, topic) =>
      newestInTopic(ctx, channelConversation(ctx, channelId), topicKey(topic)),
    emptyTopicName: emptyTopicDisplayName,
  };
}
