import { allow, me, memberOf } from "@/foundation/permissions/access.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { to } from "@/kernel/core/events.ts";
import { action } from "@/kernel/core/operation.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { channelByName, channelFor, existingChannel, mayRead } from "@/places/channels/access.ts";
import { isSubscribed } from "@/places/subscriptions/access.ts";
import { topicKey } from "@/places/topics/schema.ts";
import { sentence } from "@/text/language/tables.ts";
import { hasRoomFor } from "./access.ts";
import { presentPolicy, readMutedTopics } from "./queries.ts";
import {
  isMoreVisible,
  maxPolicies,
  mutedTopicsChanged,
  type Policy,
  policies,
  type TopicRef,
  userTopicChanged,
} from "./schema.ts";
import * as store from "./store.ts";

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

interface MuteInput {
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
    fail(
      "BAD_REQUEST",
      sentence("You are not subscribed to channel ''{channel}''.", { channel: channel.name }),
    );
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

/** Sets a user's policy for a topic and emits it. Does nothing if they have it already. */
export function changePolicy(
  tx: Tx,
  userId: number,
  { channelId, topic, policy }: TopicRef & { policy: Policy },
): void {
  const before = store.findPolicy(tx, userId, { channelId, topic });
  if (before === policy) return;
  store.setPolicy(tx, userId, { channelId, topic, policy });
  tx.emit(userTopicChanged, to(userId), {
    topic: {
      stream_id: channelId,
      topic_name: topic,
      last_updated: tx.now,
      visibility_policy: policy,
    },
    isArchived: existingChannel(tx, channelId).is_archived === 1,
  });
  if (before === policies.muted || policy === policies.muted) emitMutedTopics(tx, userId);
}

function emitMutedTopics(tx: Tx, userId: number): void {
  tx.emit(mutedTopicsChanged, to(userId), readMutedTopics(tx, userId));
}

/** So many policies are read when a channel is back. */
const maxTold = 200;

/**
 * A channel is back that older clients had deleted: emits to these the users' policies for its topics. Returns the users for
 * which this would take too long.
 */
export function emitPoliciesAgain(
  tx: Tx,
  { channel, userIds }: { channel: { id: number }; userIds: readonly number[] },
): number[] {
  const withPolicies = new Set(store.findUsersWithPolicies(tx, channel.id));
  let room = maxTold;
  return userIds.filter((userId) => {
    if (!withPolicies.has(userId)) return false;
    const rows = room > 0 ? store.listOfUser(tx, userId) : [];
    const here = rows.filter((row) => row.channel_id === channel.id);
    // All of somebody's rows are read, and their muted topics listed.
    if (here.length === 0 || rows.length > room) {
      room = 0;
      return true;
    }
    room -= rows.length;
    for (const row of here)
      tx.emit(userTopicChanged, to(userId), {
        topic: presentPolicy(row),
        isArchived: false,
        only: "older",
      });
    if (here.some((row) => row.policy === policies.muted)) emitMutedTopics(tx, userId);
    return false;
  });
}

export interface TopicMove {
  from: TopicRef;
  to: TopicRef;
  /** The target topic had messages already. A user with two policies then keeps the more visible one. */
  merges: boolean;
}

/**
 * Moves everyone's visibility policies along with a whole topic. Users who may not read the target lose their policies for
 * both topics.
 */
export function moveTopicPolicies(tx: Tx, { from, to: target, merges }: TopicMove): void {
  if (isSameTopic(from, target)) return;
  const before = store.findPoliciesOn(tx, from);
  const there = store.findPoliciesOn(tx, target);
  const channel = existingChannel(tx, target.channelId);
  for (const userId of new Set([...before.keys(), ...there.keys()])) {
    const moved = before.get(userId) ?? policies.none;
    const kept = there.get(userId) ?? policies.none;
    const isReader = mayRead(tx, memberOf(tx, userId), channel);
    changePolicy(tx, userId, { ...from, policy: policies.none });
    changePolicy(tx, userId, {
      ...target,
      policy: isReader ? joinPolicies(moved, kept, merges) : policies.none,
    });
  }
}

const isSameTopic = (one: TopicRef, other: TopicRef) =>
  one.channelId === other.channelId && topicKey(one.topic) === topicKey(other.topic);

/**
 * The policy after a move. If the topics do not merge, `none` yields to the other policy; else the more visible one wins.
 */
function joinPolicies(moved: Policy, kept: Policy, merges: boolean): Policy {
  if (!merges && moved === policies.none) return kept;
  if (!merges && kept === policies.none) return moved;
  return isMoreVisible(moved, kept) ? moved : kept;
}

/** Part of erasing a person: deletes their choices of which topics they see, at most `max`. Returns how many it deleted. */
export function forgetSomePolicies(tx: Tx, userId: number, max: number): number {
  return store.deleteSomePolicies(tx, userId, max);
}
