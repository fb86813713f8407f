// Whether a person's settings ask for a notification of a message.

import { settingsOf } from "@/foundation/user-settings/access.ts";
import type { Ctx, Reads } from "@/kernel/core/context.ts";
import type { MessageRow } from "@/messaging/message-rows/schema.ts";
import { lastActiveAt } from "@/personal/presence/access.ts";
import { conversation, participantsOf } from "@/places/conversations/access.ts";
import { choicesOf, subscriberIds } from "@/places/subscriptions/access.ts";
import { visibilityOf } from "@/places/user-topics/access.ts";
import { policies } from "@/places/user-topics/schema.ts";
import { pushing } from "./schema.ts";

/** Those of the people who received a message. */
export function audienceAmong(reads: Reads, row: MessageRow, people: ReadonlySet<number>): number[] {
  const place = conversation(reads, row.conversation_id);
  const audience =
    place.channel_id === null ? new Set(participantsOf(place)) : subscriberIds(reads, place.channel_id);
  const [few, many] = audience.size < people.size ? [audience, people] : [people, audience];
  return [...few].filter((id) => id !== row.sender_id && many.has(id));
}

/** Whether a person wants a notification of a message now, given their flags on it. */
export function isWanted(
  ctx: Ctx,
  userId: number,
  { row, flags }: { row: MessageRow; flags: readonly string[] },
): boolean {
  if (flags.includes("read")) return false;
  const settings = settingsOf(ctx, userId);
  // Activity in the future is from before the clock was set back.
  const isHere = Math.abs(ctx.db.clock.now() - lastActiveAt(ctx, userId)) < pushing.activeSeconds;
  if (isHere && !settings.enable_online_push_notifications) return false;
  const { channel_id: channelId } = conversation(ctx, row.conversation_id);
  const isAddressed = settings.enable_offline_push_notifications;
  if (channelId === null) return isAddressed;
  if (isAddressed && flags.includes("mentioned")) return true;

  const topics = visibilityOf(ctx, userId);
  if (topics.isMuted(channelId, row.topic)) return false;
  if (isAddressed && flags.includes("has_alert_word")) return true;
  const choices = choicesOf(ctx, channelId, userId);
  const isFollowed = topics.policy(channelId, row.topic) === policies.followed;
  const followsAll = isFollowed && settings.enable_followed_topic_wildcard_mentions_notify;
  const hearsAll = followsAll || (choices.wildcard_mentions_notify ?? settings.wildcard_mentions_notify);
  if (isAddressed && hearsAll && flags.some(isWildcard)) return true;
  if (isFollowed && settings.enable_followed_topic_push_notifications) return true;
  return choices.push_notifications ?? settings.enable_stream_push_notifications;
}

const isWildcard = (flag: string) => flag.endsWith("wildcard_mentioned");
