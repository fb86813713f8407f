import { allow, me } from "@/foundation/permissions/access.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { action } from "@/kernel/core/operation.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { channelByName, channelFor } from "@/places/channels/access.ts";
import { isSubscribed } from "@/places/subscriptions/access.ts";
import { hasRoomFor } from "./access.ts";
import { maxPolicies, type Policy, policies, type TopicRef } from "./schema.ts";
import * as store from "./store.ts";
import { changePolicy } from "./tx.ts";

/** Sets the actor's policy for a topic, which need not exist. Removing a policy needs no access to the channel. */
export const setTopicPolicy = action(
  allow.user,
  (tx, { policy, ...topic }: TopicRef & { policy: Policy }): void => {
    const user = me(tx).id;
    const isTakenBack = policy === policies.none && store.findPolicy(tx, user, topic) !== policies.none;
    if (!isTakenBack) channelFor(tx, topic.channelId, "read");

    setByHand(tx, user, { ...topic, policy });
  },
);

export interface MuteInput {
  /** The channel's ID or name. */
  channel: number | string;
  topic: string;
  op: "add" | "remove";
}

/** The older way to mute or unmute a topic. Muting needs a subscription to the channel. */
export const muteTopic = action(allow.user, (tx, { channel: named, topic, op }: MuteInput): void => {
  const user = me(tx).id;
  const isMuted = (channelId: number) => store.findPolicy(tx, user, { channelId, topic }) === policies.muted;
  if (op === "remove" && typeof named === "number" && isMuted(named)) {
    setTopicPolicy.in(tx, { channelId: named, topic, policy: policies.none });
    return;
  }
  const channel =
    typeof named === "number" ? channelFor(tx, named, "read") : channelByName(tx, named, "read");
  if (op === "add" && !isSubscribed(tx, channel.id, user)) {
    fail("BAD_REQUEST", `You are not subscribed to channel '${channel.name}'.`);
  }
  const policy = op === "add" ? policies.muted : policies.none;
  // Unmuting removes only the policy `muted`: followed and unmuted topics stay as they are.
  if (op === "add" || isMuted(channel.id)) setByHand(tx, user, { channelId: channel.id, topic, policy });
});

function setByHand(tx: Tx, userId: number, change: TopicRef & { policy: Policy }): void {
  if (change.policy !== policies.none && !hasRoomFor(tx, userId, change)) {
    fail(
      "BAD_REQUEST",
      `You can mute, unmute or follow at most ${maxPolicies} topics. Reset some of them first.`,
    );
  }
  changePolicy(tx, userId, change);
}
