// The operators of narrows as a table (API-REFERENCE 8): a new one is a new row.
import type { Ctx } from "@/kernel/context.ts";
import { isGuest, me } from "@/permissions/access.ts";
import { type FlagName, flagBits } from "@/receipts/schema.ts";
import {
  channelRef,
  conversationsWith,
  groupConversationsWith,
  messageRef,
  type Operand,
  peopleRef,
  topicRef,
  userRef,
} from "./narrow-operands.ts";
import { topicKey } from "./schema.ts";
import { directConversationsOf, openConversations } from "./store-reads.ts";

/** A message as a narrow looks at it, stored or just being sent. */
export interface Subject {
  readonly id: number;
  readonly conversation_id: number;
  readonly is_direct: boolean;
  readonly sender_id: number;
  readonly topic: string;
  /** Whether the viewer has this flag on it. */
  has(flag: FlagName): boolean;
}

/** Where an index finds all that matches; what is absent says nothing. */
export interface Within {
  readonly conversations?: readonly number[];
  readonly topics?: readonly string[];
  readonly senders?: readonly number[];
  readonly ids?: readonly number[];
  /** Rare flags of which each match has at least one, or a channel wildcard. */
  readonly flags?: { readonly bits: number; readonly orWildcard?: true };
  readonly unread?: true;
}

interface Operator<V> {
  /** Old names that are still sent. */
  also?: readonly string[];
  /** The only kind of message it can match: no narrow asks for both. */
  side?: "channel" | "direct";
  /** Refuses an operand that means nothing; absent where the operator's name says it all. */
  operand?: (ctx: Ctx, given: Operand) => V;
  match: (subject: Subject, value: V) => boolean;
  within?: (value: V, ctx: Ctx) => Within;
  /** Whether it shows more than the user's own records: all that they may read of it. */
  opens?: (value: V, ctx: Ctx) => boolean;
  /** Asks for something that only own records have, so that nothing else is looked through. */
  ownRecords?: true;
  /** May filter an event queue (API.md 4.21). */
  inQueues?: true;
}

/** An operator together with its operand. */
export interface Term {
  readonly matches: (subject: Subject) => boolean;
  readonly within: (ctx: Ctx) => Within;
  readonly opens: (ctx: Ctx) => boolean;
}

export interface OperatorRow extends Pick<Operator<unknown>, "side" | "ownRecords" | "inQueues"> {
  readonly names: readonly string[];
  readonly term: (ctx: Ctx, given: Operand) => Term;
}

function operator<V>(name: string, row: Operator<V>): OperatorRow {
  const { also = [], operand, match, within, opens, side, ownRecords, inQueues } = row;
  const term = (ctx: Ctx, given: Operand): Term => {
    const value = operand?.(ctx, given) as V;
    return {
      matches: (subject) => match(subject, value),
      within: (reads) => within?.(value, reads) ?? {},
      opens: (reads) => opens?.(value, reads) ?? false,
    };
  };
  return { names: [name, ...also], side, ownRecords, inQueues, term };
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

function openChannels(kind: "public" | "web-public"): OperatorRow {
  return operator<ReadonlySet<number>>(`channels:${kind}`, {
    also: [`streams:${kind}`],
    side: "channel",
    operand: (ctx) => openConversations(ctx, kind),
    match: ({ conversation_id }, conversations) => conversations.has(conversation_id),
    within: (conversations) => ({ conversations: [...conversations] }),
    opens: (_, ctx) => kind === "public" && !isGuest(me(ctx)),
  });
}

/** Names with a colon are an operator and the one operand they are for. */
const rows: readonly OperatorRow[] = [
  operator("channel", {
    also: ["stream"],
    side: "channel",
    inQueues: true,
    operand: channelRef,
    match: (subject, channel) => subject.conversation_id === channel.conversation_id,
    within: (channel) => ({ conversations: [channel.conversation_id] }),
    opens: (channel) => channel.isOpen,
  }),
  openChannels("public"),
  openChannels("web-public"),
  operator("topic", {
    also: ["subject"],
    side: "channel",
    inQueues: true,
    operand: topicRef,
    match: (subject, key) => !subject.is_direct && topicKey(subject.topic) === key,
    within: (key) => ({ topics: [key] }),
  }),
  operator("dm", {
    also: ["pm-with"],
    side: "direct",
    operand: peopleRef,
    match: (subject, conversationId) => subject.conversation_id === conversationId,
    within: (conversationId) => ({ conversations: conversationId === null ? [] : [conversationId] }),
  }),
  operator("dm-including", {
    side: "direct",
    operand: (ctx, given) => new Set(conversationsWith(ctx, userRef(ctx, given))),
    match: (subject, conversations) => conversations.has(subject.conversation_id),
    within: (conversations) => ({ conversations: [...conversations] }),
  }),
  operator("group-pm-with", {
    side: "direct",
    operand: (ctx, given) => new Set(groupConversationsWith(ctx, userRef(ctx, given))),
    match: (subject, conversations) => conversations.has(subject.conversation_id),
    within: (conversations) => ({ conversations: [...conversations] }),
  }),
  operator("sender", {
    inQueues: true,
    operand: userRef,
    match: (subject, userId) => subject.sender_id === userId,
    within: (userId) => ({ senders: [userId] }),
  }),
  operator("id", {
    operand: messageRef,
    match: (subject, id) => subject.id === id,
    within: (id) => ({ ids: [id] }),
    opens: () => true,
  }),
  operator("near", { operand: messageRef, match: () => true }),
  operator("is:dm", {
    also: ["is:private"],
    side: "direct",
    ownRecords: true,
    inQueues: true,
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
];

const byName = new Map(rows.flatMap((row) => row.names.map((name) => [name, row] as const)));
const withKeywords = new Set([...byName.keys()].flatMap((name) => name.split(":").slice(0, -1)));

/** The row of an operator; null where there is none of this name, or none for this keyword. */
export function findOperator(name: string, operand: Operand): OperatorRow | null {
  return byName.get(withKeywords.has(name) ? `${name}:${operand}` : name) ?? null;
}

/** Whether the operator is known and takes one of a few words. */
export function takesKeyword(name: string): boolean {
  return withKeywords.has(name);
}
