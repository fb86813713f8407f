// What users want to see of topics: policies of their own, and what muting a topic or a channel comes to.

import type { Reads } from "@/kernel/context.ts";
import { mutedChannelsOf } from "@/places/subscriptions/access.ts";
import { topicKey } from "@/places/topics/schema.ts";
import { mostPolicies, type Policy, policies, type TopicRef } from "./schema.ts";
import * as store from "./store.ts";

/** The user's own policy for a topic; `none` where they have not said. */
export function policyFor(reads: Reads, userId: number, topic: TopicRef): Policy {
  return store.findPolicy(reads, userId, topic);
}

/** Everyone who has a policy for the topic, ascending. */
export function policiesOn(reads: Reads, topic: TopicRef): ReadonlyMap<number, Policy> {
  return store.findPoliciesOn(reads, topic);
}

export interface TopicKey {
  channel_id: number;
  topic_key: string;
}

/** The topics for which the user has this policy, by channel and topic. */
export function topicsWith(reads: Reads, userId: number, policy: Policy): TopicKey[] {
  return store.listOfUser(reads, userId).filter((row) => row.policy === policy);
}

/** One user's view of many topics; what it says of one costs two lookups in memory. */
export interface Visibility {
  policy(channelId: number, topic: string): Policy;
  /** Hidden from feeds and counts: a muted topic, or one in a muted channel that is neither unmuted nor followed. */
  isMuted(channelId: number, topic: string): boolean;
  /** Muted channels of which every topic is muted. */
  readonly silentChannels: ReadonlySet<number>;
}

export function visibilityOf(reads: Reads, userId: number): Visibility {
  const byTopic = new Map<string, Policy>();
  const mutedChannels = mutedChannelsOf(reads, userId);
  const silentChannels = new Set(mutedChannels);
  for (const row of store.listOfUser(reads, userId)) {
    byTopic.set(keyOf(row), row.policy);
    if (row.policy !== policies.muted) silentChannels.delete(row.channel_id);
  }
  const policy = (channelId: number, topic: string) =>
    byTopic.get(keyOf({ channel_id: channelId, topic_key: topicKey(topic) })) ?? policies.none;
  return {
    policy,
    isMuted: (channelId, topic) => {
      const own = policy(channelId, topic);
      return own === policies.none ? mutedChannels.has(channelId) : own === policies.muted;
    },
    silentChannels,
  };
}

const keyOf = ({ channel_id, topic_key }: TopicKey) => `${channel_id}:${topic_key}`;

/** Whether a user can have a policy for a topic: they have one for it, or fewer than there may be. */
export function hasRoomFor(reads: Reads, userId: number, topic: TopicRef): boolean {
  return (
    store.findPolicy(reads, userId, topic) !== policies.none ||
    store.countPolicies(reads, userId) < mostPolicies
  );
}
