// What the notification bot says about channels.

import { userFor } from "@/foundation/users/access.ts";
import type { Ctx } from "@/kernel/context.ts";
import { userReference } from "@/text/quoting/references.ts";
import type { ChannelRow } from "./access.ts";

/** Who is acting, as a mention that notifies nobody. */
export function actorMention(ctx: Ctx): string {
  return ctx.actor.kind === "user" ? mentionOf(ctx, ctx.actor.id) : "The organization";
}

/** A user, as a mention that notifies nobody. */
export function mentionOf(ctx: Ctx, userId: number): string {
  return userReference(userFor(ctx, userId));
}

/** Channels as a list of links. */
export function channelList(channels: readonly Pick<ChannelRow, "name">[]): string {
  return channels.map(({ name }) => `* #**${name}**`).join("\n");
}

/** The topic of a notice, as far as the channel has topics. */
export function noticeTopic({ topics_policy }: ChannelRow, topic: string): string {
  return topics_policy === "empty_topic_only" ? "" : topic;
}
