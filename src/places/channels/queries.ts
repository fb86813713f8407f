import { userFor } from "@/foundation/users/access.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import type { Translator } from "@/text/language/translator.ts";
import { userReference } from "@/text/quoting/references.ts";
import type { ChannelRow } from "./schema.ts";

/** The actor as a silent mention, which notifies nobody. */
export function actorMention(ctx: Ctx, { t }: Translator): string {
  return ctx.actor.kind === "user" ? mentionOf(ctx, ctx.actor.id) : t("The organization");
}

/** A user as a silent mention, which notifies nobody. */
export function mentionOf(ctx: Ctx, userId: number): string {
  return userReference(userFor(ctx, userId));
}

export function channelReference({ name }: Pick<ChannelRow, "name">): string {
  return `#**${name}**`;
}

/** A Markdown list of links to channels. */
export function channelList(channels: readonly Pick<ChannelRow, "name">[]): string {
  return channels.map((channel) => `* ${channelReference(channel)}`).join("\n");
}

/** The topic for a notice: the empty one where the channel allows no other. */
export function noticeTopic({ topics_policy }: ChannelRow, topic: string): string {
  return topics_policy === "empty_topic_only" ? "" : topic;
}
