// Whether a person's settings ask for a mail about a message.

import { settingsOf, usersWhoChanged } from "@/foundation/user-settings/access.ts";
import type { Ctx, Reads } from "@/kernel/core/context.ts";
import { type MessageRow, messageBits } from "@/messaging/message-rows/schema.ts";
import { usersFlaggedOn } from "@/messaging/receipts/access.ts";
import { conversation, participantsOf } from "@/places/conversations/access.ts";
import { choicesOf, subscriberIds, usersWithMails } from "@/places/subscriptions/access.ts";
import { policiesOn, visibilityOf } from "@/places/user-topics/access.ts";
import { policies } from "@/places/user-topics/schema.ts";
import type { Reason } from "./schema.ts";

/** People who may want a mail about a new message; `reasonFor` decides. */
export function candidatesFor(reads: Reads, row: MessageRow): Set<number> {
  const place = conversation(reads, row.conversation_id);
  const found = new Set<number>(participantsOf(place));
  if (place.channel_id !== null) {
    const channelId = place.channel_id;
    const subscribers = subscriberIds(reads, channelId);
    const add = (ids: Iterable<number>) => {
      for (const id of ids) if (subscribers.has(id)) found.add(id);
    };
    add(usersFlaggedOn(reads, row.id));
    add(usersWithMails(reads, channelId));
    add(usersWhoChanged(reads, "enable_stream_email_notifications"));
    const topic = { channelId, topic: row.topic };
    for (const [id, policy] of policiesOn(reads, topic)) if (policy === policies.followed) add([id]);
    if ((row.bits & messageBits.channelWildcard) !== 0) add(subscribers);
  }
  found.delete(row.sender_id);
  return found;
}

/** Why a person wants a mail about a message, given their flags on it; null if they do not. */
export function reasonFor(
  ctx: Ctx,
  userId: number,
  { row, flags }: { row: MessageRow; flags: readonly string[] },
): Reason | null {
  const { channel_id: channelId } = conversation(ctx, row.conversation_id);
  const settings = settingsOf(ctx, userId);
  const isWanted = settings.enable_offline_email_notifications;
  if (channelId === null) return isWanted ? "direct" : null;
  if (isWanted && flags.includes("mentioned")) return "mention";
  if (isWanted && flags.includes("has_alert_word")) return "alertWord";

  const topics = visibilityOf(ctx, userId);
  if (topics.isMuted(channelId, row.topic)) return null;
  const choices = choicesOf(ctx, channelId, userId);
  const isFollowed = topics.policy(channelId, row.topic) === policies.followed;
  const followsAll = isFollowed && settings.enable_followed_topic_wildcard_mentions_notify;
  const hearsAll = followsAll || (choices.wildcard_mentions_notify ?? settings.wildcard_mentions_notify);
  if (isWanted && hearsAll && flags.some(isWildcard)) return "mention";
  if (isFollowed && settings.enable_followed_topic_email_notifications) return "followed";
  const isMailed = choices.email_notifications ?? settings.enable_stream_email_notifications;
  return isMailed ? "channel" : null;
}

const isWildcard = (flag: string) =>
  flag === "stream_wildcard_mentioned" || flag === "topic_wildcard_mentioned";
