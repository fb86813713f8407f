import { z } from "zod";
import { limits } from "@/foundation/realm/schema.ts";
import { hasAtMost } from "@/foundation/realm/texts.ts";
import { event, type Traits } from "@/kernel/core/events.ts";
import { type Addressed, channelId, isAddressed, knowsArchived } from "@/places/channels/schema.ts";
import { displayTopic, topicName } from "@/places/topics/schema.ts";

/** How visible a topic is to a user. With `none`, it is as visible as its channel. */
export const policies = { none: 0, muted: 1, unmuted: 2, followed: 3 } as const;
export type Policy = (typeof policies)[keyof typeof policies];
export const visibilityPolicy = z.literal(Object.values(policies));

/** From the least visible to the most visible. */
const byVisibility: readonly Policy[] = [policies.muted, policies.none, policies.unmuted, policies.followed];

export function isMoreVisible(one: Policy, other: Policy): boolean {
  return byVisibility.indexOf(one) > byVisibility.indexOf(other);
}

/** The topic of a policy. Refuses a name that is too long, since no topic has it. */
export const policyTopic = z
  .string()
  .trim()
  .refine(hasAtMost(limits.max_topic_length), `A topic has at most ${limits.max_topic_length} characters.`)
  .meta({ maxLength: limits.max_topic_length })
  .pipe(topicName);

export const muteOp = z.enum(["add", "remove"], { error: "The op is 'add' or 'remove'." });

export interface TopicRef {
  channelId: number;
  topic: string;
}

/** Limited, because clients load all of a user's policies when they register. */
export const maxPolicies = 10_000;

const userTopic = z.object({
  stream_id: channelId,
  topic_name: z.string(),
  /** UNIX seconds. */
  last_updated: z.int(),
  visibility_policy: visibilityPolicy,
});
export type UserTopic = z.infer<typeof userTopic>;

export function presentUserTopic(one: UserTopic, allowEmpty: boolean): UserTopic {
  return { ...one, topic_name: displayTopic(one.topic_name, allowEmpty) };
}

const variant = (queue: Traits) => `${queue.capabilities.has("empty_topic_name")},${knowsArchived(queue)}`;

export interface UserTopicChange extends Addressed {
  topic: UserTopic;
  /** Clients that do not know archived channels get no events about their topics. */
  isArchived: boolean;
}

export const userTopicChanged = event("user_topic", {
  about: "The user's visibility policy for a topic has changed.",
  schema: userTopic,
  variant,
  shape: ({ topic, isArchived, only }: UserTopicChange, queue) =>
    (isArchived && !knowsArchived(queue)) || !isAddressed({ only }, queue)
      ? null
      : presentUserTopic(topic, queue.capabilities.has("empty_topic_name")),
});

/** A muted topic for older clients: the channel's name, the topic, and when it was muted, in UNIX seconds. */
export type MutedTopic = [string, string, number];

export interface MutedTopics {
  all: MutedTopic[];
  /** Those of them in channels that are not archived. */
  active: MutedTopic[];
}

export function presentMutedTopics(
  { all, active }: MutedTopics,
  { capabilities }: Pick<Traits, "capabilities">,
): { muted_topics: MutedTopic[] } {
  const shown = knowsArchived({ capabilities }) ? all : active;
  const allowEmpty = capabilities.has("empty_topic_name");
  return {
    muted_topics: shown.map(([channel, topic, at]) => [channel, displayTopic(topic, allowEmpty), at]),
  };
}

// Wire: muted_topics is for queues that did not ask for user_topic by name (feature level 134).
export const mutedTopicsChanged = event("muted_topics", {
  about:
    "The user's muted topics have changed. Carries all of them. For clients that do not know `user_topic`.",
  schema: z.object({ muted_topics: z.array(z.tuple([z.string(), z.string(), z.int()])) }),
  variant,
  shape: presentMutedTopics,
  accepts: (_, { types }) => !types?.has("user_topic"),
});
