// Topics that users follow or unmute automatically when they take part in them. Does not apply to bots. Muted topics stay
// muted.

import { memberOf } from "@/foundation/permissions/access.ts";
import { settingOf, settingsOf } from "@/foundation/user-settings/access.ts";
import { topicPolicies } from "@/foundation/user-settings/schema.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { conversation } from "@/places/conversations/access.ts";
import { listMutedChannels } from "@/places/subscriptions/access.ts";
import { hasRoomFor, policyFor } from "./access.ts";
import { changePolicy } from "./actions.ts";
import { isMoreVisible, type Policy, policies, type TopicRef } from "./schema.ts";

/** What a user did in a topic. `starts` returns whether they sent its first message. */
type Activity = { kind: "sending"; starts: () => boolean } | { kind: "participation" };

/** Updates the sender's policy for the topic. Returns the new policy, or null if it did not change. */
export function noteSending(tx: Tx, topic: TopicRef, starts: () => boolean): Policy | null {
  return noteActivity(tx, topic, { kind: "sending", starts });
}

/** Updates the actor's policy after they reacted to a message or voted in its poll. */
export function noteParticipation(tx: Tx, message: { conversation_id: number; topic: string }): void {
  const { channel_id } = conversation(tx, message.conversation_id);
  if (channel_id !== null)
    noteActivity(tx, { channelId: channel_id, topic: message.topic }, { kind: "participation" });
}

/** Makes users follow a topic in which the actor mentioned them by name, if their settings say so. */
export function noteMentions(tx: Tx, topic: TopicRef, userIds: Iterable<number>): void {
  for (const userId of userIds) {
    const { is_bot, is_active } = memberOf(tx, userId);
    if (is_bot || !is_active) continue;
    if (!settingOf(tx, userId, "automatically_follow_topics_where_mentioned")) continue;
    raise(tx, userId, { ...topic, before: policyFor(tx, userId, topic), policy: policies.followed });
  }
}

function noteActivity(tx: Tx, topic: TopicRef, activity: Activity): Policy | null {
  const userId = tx.actor.id;
  if (tx.actor.kind !== "user" || memberOf(tx, userId).is_bot) return null;
  const before = policyFor(tx, userId, topic);
  if (before === policies.followed || before === policies.muted) return null;
  const policy = policyAfter(tx, topic.channelId, activity);
  return raise(tx, userId, { ...topic, before, policy }) ? policy : null;
}

function policyAfter(tx: Tx, channelId: number, activity: Activity): Policy {
  const {
    automatically_follow_topics_policy: following,
    automatically_unmute_topics_in_muted_streams_policy: unmuting,
  } = settingsOf(tx, tx.actor.id);
  if (isEnough(activity, following)) return policies.followed;
  const isMuted = listMutedChannels(tx, tx.actor.id).has(channelId);
  return isMuted && isEnough(activity, unmuting) ? policies.unmuted : policies.none;
}

/** Whether the setting `wanted` applies to this kind of participation. */
function isEnough(activity: Activity, wanted: number): boolean {
  if (wanted === topicPolicies.participation) return true;
  if (activity.kind !== "sending") return false;
  return wanted === topicPolicies.sending || (wanted === topicPolicies.starting && activity.starts());
}

function raise(
  tx: Tx,
  userId: number,
  { before, policy, ...topic }: TopicRef & { before: Policy; policy: Policy },
): boolean {
  if (before === policies.muted || !isMoreVisible(policy, before) || !hasRoomFor(tx, userId, topic))
    return false;
  changePolicy(tx, userId, { ...topic, policy });
  return true;
}
