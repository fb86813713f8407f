// Users' visibility policies for topics, and which topics they have muted, directly or with the channel.

import type { Reads } from "@/kernel/core/context.ts";
import { listMutedChannels } from "@/places/subscriptions/access.ts";
import { topicKey } from "@/places/topics/schema.ts";
import { maxPolicies, type Policy, policies, type TopicRef } from "./schema.ts";
import * as store from "./store.ts";

/** The user's policy for a topic; `none` if they have not set one. */
export function policyFor(reads: Reads, userId: number, topic: TopicRef): Policy {
  return store.findPolicy(reads, userId, topic);
}

/** The policies of all users who have one for the topic, by user ID, ascending. */
export function policiesOn(reads: Reads, topic: TopicRef): ReadonlyMap<number, Policy> {
  return store.findPoliciesOn(reads, topic);
}

/** Users who have a policy for any topic of the channel. */
export function usersWithPolicies(reads: Reads, channelId: number): ReadonlySet<number> {
  return new Set(store.findUsersWithPolicies(reads, channelId));
}

export interface TopicKey {
  channel_id: number;
  topic_key: string;
}

/** The topics for which the user has this policy. */
export function topicsWith(reads: Reads, userId: number, policy: Policy): TopicKey[] {
  return store.listOfUser(reads, userId).filter((row) => row.policy === policy);
}

/** One user's policies for many topics. A query costs two lookups in memory. */
export interface Visibility {
  policy(channelId: number, topic: string): Policy;
  /** Hidden from feeds and counts: a muted topic, or one in a muted channel that is neither unmuted nor followed. */
  isMuted(channelId: number, topic: string): boolean;
  /** Whether no topic of the channel is hidden so. */
  showsAll(channelId: number): boolean;
  /** Muted channels in which the user has not unmuted or followed any topic. */
  readonly silentChannels: ReadonlySet<number>;
}

export function visibilityOf(reads: Reads, userId: number): Visibility {
  const byTopic = new Map<string, Policy>();
  const withMutedTopics = new Set<number>();
  const mutedChannels = listMutedChannels(reads, userId);
  const silentChannels = new Set(mutedChannels);
  for (const row of store.listOfUser(reads, userId)) {
    byTopic.set(keyOf(row), row.policy);
    if (row.policy === policies.muted) withMutedTopics.add(row.channel_id);
    else silentChannels.delete(row.channel_id);
  }
  const policy = (channelId: number, topic: string) => {
    if (byTopic.size === 0) return policies.none;
    return byTopic.get(keyOf({ channel_id: channelId, topic_key: topicKey(topic) })) ?? policies.none;
  };
  return {
    policy,
    isMuted: (channelId, topic) => {
      const own = policy(channelId, topic);
      return own === policies.none ? mutedChannels.has(channelId) : own === policies.muted;
    },
    showsAll: (channelId) => !mutedChannels.has(channelId) && !withMutedTopics.has(channelId),
    silentChannels,
  };
}

const keyOf = ({ channel_id, topic_key }: TopicKey) => `${channel_id}:${topic_key}`;

/** Whether the user may set a policy for the topic: they have one for it, or are below the limit. */
export function hasRoomFor(reads: Reads, userId: number, topic: TopicRef): boolean {
  return (
    store.findPolicy(reads, userId, topic) !== policies.none ||
    store.countPolicies(reads, userId) < maxPolicies
  );
}
