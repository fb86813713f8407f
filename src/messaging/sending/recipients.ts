// Resolves the recipient of a message, and checks that the sender may send there.

import { holds, may, me, memberOf } from "@/foundation/permissions/access.ts";
import type { Member } from "@/foundation/permissions/schema.ts";
import { realmSettings } from "@/foundation/realm/schema.ts";
import { userByAddress, userById } from "@/foundation/users/access.ts";
import type { UserRow } from "@/foundation/users/schema.ts";
import type { Ctx, Reads } from "@/kernel/core/context.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { sentenceOf, wordingOf } from "@/kernel/lib/wording.ts";
import { newestInTopic } from "@/messaging/messages/access.ts";
import { channelToPostIn, existingChannel, mayBeginTopics } from "@/places/channels/access.ts";
import { channelHooks } from "@/places/channels/hooks.ts";
import type { ChannelRow, TopicsPolicy } from "@/places/channels/schema.ts";
import {
  channelConversation,
  conversation,
  directConversation,
  participantsOf,
} from "@/places/conversations/access.ts";
import { subscriberIds } from "@/places/subscriptions/access.ts";
import { topicKey, topicName } from "@/places/topics/schema.ts";
import { sentence } from "@/text/language/tables.ts";

export type ResolvedRecipient =
  | {
      kind: "channel";
      channel: ChannelRow;
      conversationId: number;
      topic: string;
      subscribers: ReadonlySet<number>;
    }
  | { kind: "direct"; people: ReadonlySet<number> };

/** IDs of the users who receive a message sent there. */
export function receiversOf(recipient: ResolvedRecipient): ReadonlySet<number> {
  return recipient.kind === "channel" ? recipient.subscribers : recipient.people;
}

/** The recipient of an existing message. */
export function recipientOf(
  reads: Reads,
  row: { conversation_id: number; topic: string },
): ResolvedRecipient {
  const place = conversation(reads, row.conversation_id);
  if (place.channel_id === null) return { kind: "direct", people: new Set(participantsOf(place)) };
  return {
    kind: "channel",
    channel: existingChannel(reads, place.channel_id),
    conversationId: place.id,
    topic: row.topic,
    subscribers: subscriberIds(reads, place.channel_id),
  };
}

interface Addressed {
  type: "channel" | "direct";
  to: readonly (string | number)[];
  topic?: string;
}

/** Resolves the recipient that `type`, `to` and `topic` name. Throws if the actor may not send there. */
export function resolveRecipient(ctx: Ctx, { type, to, topic }: Addressed): ResolvedRecipient {
  if (type === "direct") return { kind: "direct", people: peopleToWriteTo(ctx, to) };
  const [first = channelHooks.ofActor(ctx)?.id, ...others] = to;
  if (first === undefined || others.length > 0)
    fail("BAD_REQUEST", "A channel message goes to exactly one channel.");
  const channel = channelToPostIn(ctx, first);
  return {
    kind: "channel",
    channel,
    conversationId: channelConversation(ctx, channel.id),
    topic: topicFor(ctx, channel, topic),
    subscribers: subscriberIds(ctx, channel.id),
  };
}

function topicFor(ctx: Ctx, channel: ChannelRow, given: string | undefined): string {
  if (given === undefined) fail("BAD_REQUEST", "A channel message needs a topic.");
  const topic = parseTopic(given);
  checkMayBegin(ctx, { channel, conversationId: channelConversation(ctx, channel.id), topic });
  const policy = topicsPolicyOf(ctx, channel);
  if (topic === "" && policy === "disable_empty_topic") {
    fail("BAD_REQUEST", "Sending messages to the general chat is not allowed in this channel.");
  }
  if (topic !== "" && policy === "empty_topic_only") {
    fail("BAD_REQUEST", "Only the general chat topic is allowed in this channel.");
  }
  return topic;
}

interface TopicPlace {
  channel: ChannelRow;
  conversationId: number;
  topic: string;
}

/** Refuses a topic that nobody has begun yet, if the actor may not begin any there. */
export function checkMayBegin(ctx: Ctx, { channel, conversationId, topic }: TopicPlace): void {
  if (mayBeginTopics(ctx, channel) || newestInTopic(ctx, conversationId, topicKey(topic)) !== null) return;
  fail("BAD_REQUEST", "You do not have permission to begin topics in this channel.");
}

/** The normalized topic. Throws BAD_REQUEST if it is invalid. */
export function parseTopic(given: string): string {
  const parsed = topicName.safeParse(given);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  fail(
    "BAD_REQUEST",
    issue ? wordingOf(issue).of("The topic", sentenceOf("The topic", issue)) : "The request is not valid.",
  );
}

/** The effective topics policy of a channel. */
export function topicsPolicyOf(
  reads: Reads,
  { topics_policy }: ChannelRow,
): Exclude<TopicsPolicy, "inherit"> {
  return topics_policy === "inherit" ? realmSettings.read(reads).topics_policy : topics_policy;
}

function peopleToWriteTo(ctx: Ctx, given: readonly (string | number)[]): ReadonlySet<number> {
  const to = given.flatMap(splitAddresses);
  const kinds = new Set(to.map((name) => typeof name));
  if (kinds.size > 1) fail("BAD_REQUEST", "Recipient lists may contain emails or user IDs, but not both.");
  const users = to.map((name) => (typeof name === "number" ? userById(ctx, name) : userByAddress(ctx, name)));
  for (const user of users) if (!user.is_active) noLongerHere(user);
  const sender = me(ctx);
  const people = new Set([sender.id, ...users.map((user) => user.id)]);
  checkDirectPermission(
    ctx,
    sender,
    [...people].map((id) => memberOf(ctx, id)),
  );
  return people;
}

/** Clients also send addresses joined by commas. Keeps a text without addresses, since an empty list means the sender. */
function splitAddresses(name: string | number): (string | number)[] {
  if (typeof name === "number" || !name.includes("@")) return [name];
  return name
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

function noLongerHere(user: UserRow): never {
  fail("BAD_REQUEST", sentence("''{email}'' is no longer using this organization.", { email: user.email }));
}

/** Someone in the conversation must have the permission for direct messages. Starting one needs another permission. */
function checkDirectPermission(ctx: Ctx, sender: Member, people: readonly Member[]): void {
  const isAmongBots = people.every((member) => member.is_bot || member.id === sender.id);
  if (sender.is_bot || isAmongBots) return;
  const permission = { scope: "realm", ownerId: 0, name: "direct_message_permission_group" } as const;
  if (!people.some((member) => holds(ctx, member, permission))) {
    fail("BAD_REQUEST", "This conversation does not include any users who can authorize it.");
  }
  const isFirst =
    directConversation(
      ctx,
      people.map((member) => member.id),
    ) === null;
  if (isFirst && !may(ctx, "direct_message_initiator_group")) {
    fail("BAD_REQUEST", "You do not have permission to initiate direct message conversations.");
  }
}
