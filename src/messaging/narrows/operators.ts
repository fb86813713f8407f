// The table of narrow operators. To add an operator, add a row.

import { isGuest, isSpectator, me, viewer } from "@/foundation/permissions/access.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { facts } from "@/messaging/message-index/schema.ts";
import { type FlagName, flagBits, messageBits } from "@/messaging/message-rows/schema.ts";
import {
  archivedConversations,
  directConversationsOf,
  openConversations,
} from "@/places/conversations/access.ts";
import { isResolved } from "@/places/topics/resolving.ts";
import { topicKey } from "@/places/topics/schema.ts";
import { finds, literalFor, tokensFor } from "@/text/search/search.ts";
import {
  channelRef,
  conversationsWith,
  groupConversationsWith,
  messageRef,
  type Operand,
  peopleRef,
  placeRef,
  searchRef,
  topicRef,
  userRef,
} from "./operands.ts";
import { type OperatorRow, operator } from "./terms.ts";
import { topicsFollowed, topicsMuted } from "./topic-filters.ts";

/** For terms that filter nothing: checks the operand and leaves the term out. */
function leaveOut(check: (ctx: Ctx, given: Operand) => unknown): (ctx: Ctx, given: Operand) => null {
  return (ctx, given) => {
    check(ctx, given);
    return null;
  };
}

function flagOperator(
  name: string,
  flags: readonly FlagName[],
  bits: number,
  orWildcard?: true,
): OperatorRow {
  return operator(name, {
    ownRecords: true,
    inQueues: true,
    match: (subject) => flags.some((flag) => subject.has(flag)),
    within: () => ({ flags: { bits, orWildcard } }),
  });
}

function bitOperator(name: string, bit: number): OperatorRow {
  return operator(name, {
    match: (subject) => (subject.bits & bit) !== 0,
    within: () => ({ tokens: [facts.withBit(bit)] }),
  });
}

function openChannels(kind: "public" | "web-public"): OperatorRow {
  return operator<ReadonlySet<number>>(`channels:${kind}`, {
    also: [`streams:${kind}`],
    side: "channel",
    operand: (ctx) => openConversations(ctx, kind),
    isWhole: true,
    match: ({ conversation_id }, conversations) => conversations.has(conversation_id),
    within: (conversations) => ({ conversations: [...conversations] }),
    opens: (_, ctx) => (kind === "public" ? !isGuest(viewer(ctx)) : isSpectator(viewer(ctx))),
  });
}

/** A name with a colon is an operator with one particular operand. */
const rows: readonly OperatorRow[] = [
  operator("channel", {
    also: ["stream"],
    side: "channel",
    inQueues: true,
    isPlace: true,
    operand: channelRef,
    isWhole: true,
    match: (subject, channel) => subject.conversation_id === channel.conversation_id,
    within: (channel) => ({ conversations: [channel.conversation_id] }),
    opens: (channel) => channel.isOpen,
  }),
  openChannels("public"),
  openChannels("web-public"),
  operator<ReadonlySet<number>>("channels:archived", {
    also: ["streams:archived"],
    side: "channel",
    operand: archivedConversations,
    isWhole: true,
    match: ({ conversation_id }, conversations) => conversations.has(conversation_id),
    within: (conversations) => ({ conversations: [...conversations] }),
  }),
  operator("topic", {
    also: ["subject"],
    side: "channel",
    inQueues: true,
    isPlace: true,
    operand: topicRef,
    match: (subject, key) => !subject.is_direct && topicKey(subject.topic) === key,
    within: (key) => ({ topics: [key] }),
  }),
  operator("dm", {
    also: ["pm-with", "pm_with"],
    side: "direct",
    isPlace: true,
    operand: peopleRef,
    isWhole: true,
    match: (subject, conversations) => conversations.includes(subject.conversation_id),
    within: (conversations) => ({ conversations }),
  }),
  operator("dm-including", {
    side: "direct",
    operand: (ctx, given) => new Set(conversationsWith(ctx, userRef(ctx, given))),
    isWhole: true,
    match: (subject, conversations) => conversations.has(subject.conversation_id),
    within: (conversations) => ({ conversations: [...conversations] }),
  }),
  operator("group-pm-with", {
    also: ["group_pm_with"],
    side: "direct",
    operand: (ctx, given) => new Set(groupConversationsWith(ctx, userRef(ctx, given))),
    isWhole: true,
    match: (subject, conversations) => conversations.has(subject.conversation_id),
    within: (conversations) => ({ conversations: [...conversations] }),
  }),
  operator("sender", {
    inQueues: true,
    operand: userRef,
    match: (subject, userId) => subject.sender_id === userId,
    within: (userId) => ({ senders: [userId] }),
  }),
  operator("mentions", {
    isCostly: true,
    operand: userRef,
    match: (subject, userId) => subject.mentions(userId),
  }),
  operator("id", {
    operand: messageRef,
    match: (subject, id) => subject.id === id,
    within: (id) => ({ ids: [id] }),
    opens: () => true,
  }),
  operator("near", { operand: leaveOut(messageRef), match: () => true }),
  operator("in:all", { operand: leaveOut(() => {}), match: () => true }),
  operator("in:home", {
    operand: topicsMuted,
    match: (subject, muted) => !muted.has(subject),
  }),
  operator("with", {
    operand: placeRef,
    match: (subject, place) =>
      subject.conversation_id === place.conversation_id &&
      (subject.is_direct || topicKey(subject.topic) === place.topic_key),
    within: (place) => ({
      conversations: [place.conversation_id],
      ...(place.isDirect ? {} : { topics: [place.topic_key], threads: [place] }),
    }),
    opens: (place) => place.isOpen,
  }),
  operator("is:dm", {
    also: ["is:private"],
    side: "direct",
    ownRecords: true,
    inQueues: true,
    isWhole: true,
    match: (subject) => subject.is_direct,
    within: (_, ctx) => ({ conversations: [...directConversationsOf(ctx, me(ctx).id)] }),
  }),
  operator("is:unread", {
    ownRecords: true,
    inQueues: true,
    match: (subject) => !subject.has("read"),
    within: () => ({ unread: true }),
  }),
  flagOperator("is:starred", ["starred"], flagBits.starred),
  flagOperator("is:alerted", ["has_alert_word"], flagBits.alertWord),
  flagOperator(
    "is:mentioned",
    ["mentioned", "topic_wildcard_mentioned", "stream_wildcard_mentioned"],
    flagBits.mentioned | flagBits.topicWildcard,
    true,
  ),
  operator("is:resolved", {
    side: "channel",
    inQueues: true,
    match: (subject) => !subject.is_direct && isResolved(subject.topic),
    within: () => ({ tokens: [facts.resolved] }),
  }),
  operator("is:followed", {
    side: "channel",
    operand: topicsFollowed,
    match: (subject, followed) => followed.has(subject),
    within: ({ threads }) => ({ threads }),
  }),
  operator("is:muted", {
    side: "channel",
    ownRecords: true,
    operand: topicsMuted,
    match: (subject, muted) => muted.has(subject),
    within: ({ conversations }) => ({ conversations }),
  }),
  bitOperator("has:link", messageBits.hasLink),
  bitOperator("has:image", messageBits.hasImage),
  bitOperator("has:attachment", messageBits.hasAttachment),
  operator("has:reaction", {
    isCostly: true,
    match: (subject) => subject.isReactedTo(),
    within: () => ({ reacted: true }),
  }),
  operator("search", {
    isCostly: true,
    operand: searchRef,
    match: (subject, search) => finds(search, subject.texts()),
    within: (search) => {
      const tokens = tokensFor(search);
      return tokens.length > 0 ? { tokens } : { containing: literalFor(search) ?? undefined };
    },
  }),
];

const byName = new Map(rows.flatMap((row) => row.names.map((name) => [name, row] as const)));
const withKeywords = new Set([...byName.keys()].flatMap((name) => name.split(":").slice(0, -1)));

/** The row of an operator; null if the name, or the keyword as its operand, is unknown. */
export function findOperator(name: string, operand: Operand): OperatorRow | null {
  return byName.get(withKeywords.has(name) ? `${name}:${operand}` : name) ?? null;
}

/** Whether the operator takes one of a few keywords as operand. */
export function takesKeyword(name: string): boolean {
  return withKeywords.has(name);
}
