// The users that a message mentions, and whether its sender may mention them.

import { holds, may, me, membersOf } from "@/foundation/permissions/access.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { usersAlertedBy } from "@/messaging/alert-words/access.ts";
import { flagBits } from "@/messaging/message-rows/schema.ts";
import { messageErrors } from "@/messaging/messages/schema.ts";
import { topicKey } from "@/places/topics/schema.ts";
import type { Rendered } from "@/text/rendering/render.ts";
import { type ResolvedRecipient, receiversOf } from "./recipients.ts";
import { participantsInTopic } from "./store.ts";

export interface Mentioned {
  /** Rare flags to store, by user. */
  bitsByUser: ReadonlyMap<number, number>;
  /** The same with the flags' names on the wire, made when it is asked for: there may be some for everybody. */
  readonly flagsByUser: Record<number, string[]>;
  /** Flags of everyone who receives the message. */
  sharedFlags: string[];
}

const nobody: Mentioned = { bitsByUser: new Map(), flagsByUser: {}, sharedFlags: [] };
const manyUsers = 15;

/**
 * The flags that mentions and alert words set for the message's receivers. Throws if the sender may not mention so many
 * users or one of the groups.
 */
export function listMentioned(
  ctx: Ctx,
  rendered: Rendered,
  recipient: ResolvedRecipient,
  receivers: ReadonlySet<number> = receiversOf(recipient),
): Mentioned {
  const { mentionedUsers, mentionedGroups, channelWildcard, topicWildcard } = rendered;
  const alerted = usersAlertedBy(ctx, rendered.html);
  const isPlain =
    alerted.size === 0 &&
    mentionedUsers.length === 0 &&
    mentionedGroups.length === 0 &&
    !channelWildcard &&
    !topicWildcard;
  if (isPlain) return nobody;
  const bits = new Map<number, number>();
  const note = (user: number, bit: number) => {
    if (receivers.has(user)) bits.set(user, (bits.get(user) ?? 0) | bit);
  };

  if (channelWildcard) checkChannelWildcard(ctx, recipient);
  if (topicWildcard) for (const user of topicParticipants(ctx, recipient)) note(user, flagBits.topicWildcard);
  for (const user of alerted) note(user, flagBits.alertWord);
  for (const user of mentionedUsers) note(user, flagBits.mentioned);
  for (const group of mentionedGroups) {
    for (const user of mentionableMembers(ctx, group)) note(user, flagBits.mentioned);
  }
  return {
    bitsByUser: bits,
    get flagsByUser() {
      return Object.fromEntries([...bits].map(([user, bit]) => [user, namesOf(bit)]));
    },
    sharedFlags: channelWildcard ? ["stream_wildcard_mentioned", "wildcard_mentioned"] : [],
  };
}

function namesOf(bits: number): string[] {
  const names: string[] = [];
  if ((bits & flagBits.mentioned) !== 0) names.push("mentioned");
  if ((bits & flagBits.topicWildcard) !== 0) names.push("topic_wildcard_mentioned", "wildcard_mentioned");
  if ((bits & flagBits.alertWord) !== 0) names.push("has_alert_word");
  return names;
}

function mentionableMembers(ctx: Ctx, groupId: number): ReadonlySet<number> {
  if (!holds(ctx, me(ctx), { scope: "group", ownerId: groupId, name: "can_mention_group" })) {
    fail("BAD_REQUEST", "You are not allowed to mention one of the user groups in this message.");
  }
  return membersOf(ctx, groupId);
}

function checkChannelWildcard(ctx: Ctx, recipient: ResolvedRecipient): void {
  if (recipient.kind === "direct" || recipient.subscribers.size <= manyUsers) return;
  if (may(ctx, "can_mention_many_users_group")) return;
  fail(
    messageErrors.STREAM_WILDCARD_MENTION_NOT_ALLOWED,
    "You do not have permission to use channel wildcard mentions here.",
  );
}

/** Users who have sent a message or reacted in the topic, and the sender. */
function topicParticipants(ctx: Ctx, recipient: ResolvedRecipient): ReadonlySet<number> {
  if (recipient.kind === "direct") return recipient.people;
  const others = participantsInTopic(ctx, recipient.conversationId, topicKey(recipient.topic));
  const participants = new Set([me(ctx).id, ...others]);
  if (participants.size > manyUsers && !may(ctx, "can_mention_many_users_group")) {
    fail(
      messageErrors.TOPIC_WILDCARD_MENTION_NOT_ALLOWED,
      "You do not have permission to use topic wildcard mentions here.",
    );
  }
  return participants;
}
