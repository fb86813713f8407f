// Visibility policies in narrows: `is:followed`, `is:muted`, `in:home`.

import { me } from "@/foundation/permissions/access.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { channelConversation, conversation } from "@/places/conversations/access.ts";
import { listMutedChannels } from "@/places/subscriptions/access.ts";
import { topicsWith, visibilityOf } from "@/places/user-topics/access.ts";
import { policies } from "@/places/user-topics/schema.ts";
import type { NarrowSubject, ThreadKey } from "./terms.ts";

export interface Followed {
  has(subject: NarrowSubject): boolean;
  readonly threads: readonly ThreadKey[];
}

export interface Muted {
  has(subject: NarrowSubject): boolean;
  /** Conversations with anything muted. */
  readonly conversations: readonly number[];
}

/** The topics that the actor follows. */
export function topicsFollowed(ctx: Ctx): Followed {
  const { policy } = visibilityOf(ctx, me(ctx).id);
  const threads = topicsWith(ctx, me(ctx).id, policies.followed).map(({ channel_id, topic_key }) => ({
    conversation_id: channelConversation(ctx, channel_id),
    topic_key,
  }));
  return { threads, has: inChannel(ctx, (id, topic) => policy(id, topic) === policies.followed) };
}

/** The topics that the actor has muted, directly or with their channel. */
export function topicsMuted(ctx: Ctx): Muted {
  const user = me(ctx).id;
  const topics = topicsWith(ctx, user, policies.muted).map(({ channel_id }) => channel_id);
  const channels = new Set([...listMutedChannels(ctx, user), ...topics]);
  return {
    conversations: [...channels].map((id) => channelConversation(ctx, id)),
    has: inChannel(ctx, visibilityOf(ctx, user).isMuted),
  };
}

function inChannel(ctx: Ctx, holds: (channelId: number, topic: string) => boolean): Muted["has"] {
  return ({ conversation_id, topic }) => {
    const { channel_id } = conversation(ctx, conversation_id);
    return channel_id !== null && holds(channel_id, topic);
  };
}
