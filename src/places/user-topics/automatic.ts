// Topics that people follow or unmute automatically by what they do in them. Bots never do, and topics that somebody has
// muted stay muted.

import { memberOf } from "@/foundation/permissions/access.ts";
import { settingOf, settingsOf } from "@/foundation/user-settings/access.ts";
import { topicPolicies } from "@/foundation/user-settings/schema.ts";
import type { Tx } from "@/kernel/context.ts";
import { conversation } from "@/places/conversations/access.ts";
import { mutedChannelsOf } from "@/places/subscriptions/access.ts";
import { hasRoomFor, policyFor } from "./access.ts";
import { isMoreVisible, type Policy, policies, type TopicRef } from "./schema.ts";
import { changePolicy } from "./tx.ts";

/** What somebody did in a topic; `starts` tells whether there was nothing before it. */
type Deed = { kind: "sending"; starts: () => boolean } | { kind: "participation" };

/** The policy that sending in a topic has brought its sender; null where it changed nothing. */
export function noteSending(tx: Tx, topic: TopicRef, starts: () => boolean): Policy | null {
  return noteDeed(tx, topic, { kind: "sending", starts });
}

/** Reacting to a message, or taking part in its poll. */
export function noteParticipation(tx: Tx, message: { conversation_id: number; topic: string }): void {
  const { channel_id } = conversation(tx, message.conversation_id);
  if (channel_id !== null)
    noteDeed(tx, { channelId: channel_id, topic: message.topic }, { kind: "participation" });
}

/** Lets those who want it follow a topic in which the actor mentioned them by name; not for those who mute the actor. */
export function noteMentions(tx: Tx, topic: TopicRef, userIds: Iterable<number>): void {
  for (const userId of userIds) {
    const { is_bot, is_active } = memberOf(tx, userId);
    if (is_bot || !is_active) continue;
    if (!settingOf(tx, userId, "automatically_follow_topics_where_mentioned")) continue;
    raise(tx, userId, { ...topic, before: policyFor(tx, userId, topic), policy: policies.followed });
  }
}

function noteDeed(tx: Tx, topic: TopicRef, deed: Deed): Policy | null {
  const userId = tx.actor.id;
  if (tx.actor.kind !== "user" || memberOf(tx, userId).is_bot) return null;
  const before = policyFor(tx, userId, topic);
  if (before === policies.followed || before === policies.muted) return null;
  const policy = policyAfter(tx, topic.channelId, deed);
  return raise(tx, userId, { ...topic, before, policy }) ? policy : null;
}

function policyAfter(tx: Tx, channelId: number, deed: Deed): Policy {
  const {
    automatically_follow_topics_policy: following,
    automatically_unmute_topics_in_muted_streams_policy: unmuting,
  } = settingsOf(tx, tx.actor.id);
  if (isEnough(deed, following)) return policies.followed;
  const isMuted = mutedChannelsOf(tx, tx.actor.id).has(channelId);
  return isMuted && isEnough(deed, unmuting) ? policies.unmuted : policies.none;
}

/** Whether the deed is one after which the setting lets a topic change. */
function isEnough(deed: Deed, wanted: number): boolean {
  if (wanted === topicPolicies.participation) return true;
  if (deed.kind !== "sending") return false;
  return wanted === topicPolicies.sending || (wanted === topicPolicies.starting && deed.starts());
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
