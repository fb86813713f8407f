// Plans for finding a selection's messages. Each plan is a set of indexes that together list all of them.

import type { Ctx } from "@/kernel/core/context.ts";
import { type Direction, type PostingList, postingList, postingListOf } from "@/kernel/lib/merge.ts";
import { indexList, textList } from "@/messaging/message-index/access.ts";
import { type AnyOf, facts } from "@/messaging/message-index/schema.ts";
import { flagBits } from "@/messaging/message-rows/schema.ts";
import { unreadReader } from "@/messaging/receipts/unread.ts";
import { conversationsMovedInto, lastSeqOf } from "@/places/conversations/access.ts";
import { idsOfAll } from "./newest-ids.ts";
import type { Selection } from "./selection.ts";
import type { Path } from "./store.ts";
import * as store from "./store.ts";

export interface Plan {
  /** Opened when the plan starts: a plan that another one overtakes costs nothing. */
  lists: () => readonly PostingList[];
  /** The work, in rows, that the other plans may do before this one starts. */
  waits: number;
}

type ListsFor = (direction: Direction) => PostingList[];

const fewConversations = 20;
/** Each plan starts a little after the previous one, which is likely to be cheaper. */
const headStart = 300;
/** If the full-text index can be used, scanning a conversation pays only when the index takes long. */
const afterIndex = 6_000;
/** And querying it for each of many conversations pays only after that. */
const afterEverywhere = 20_000;
/** What is unread is found by the marks of the user's conversations, of which there may be thousands. */
const afterUnread = 6_000;

/** The plans for a direction, those that are likely to be cheap first. */
export function plansFor(ctx: Ctx, selection: Selection): (direction: Direction) => Plan[] {
  const { ids } = selection.narrow.within;
  if (ids) return (direction) => [{ lists: () => [postingListOf(ascending(ids), direction)], waits: 0 }];
  const plans = selection.narrow.within.tokens ? searchPlans(ctx, selection) : listPlans(ctx, selection);
  return (direction) => plans.map(({ listsFor, waits }) => ({ lists: () => listsFor(direction), waits }));
}

interface Recipe {
  listsFor: ListsFor;
  waits: number;
}

const inOrder = (plans: readonly ListsFor[]): Recipe[] =>
  plans.map((listsFor, i) => ({ listsFor, waits: i * headStart }));

/** For narrows that search for words. Other indexes help only if they list few messages. */
function searchPlans(ctx: Ctx, selection: Selection): Recipe[] {
  const [indexed, byConversation] = indexPlans(ctx, selection);
  const others = [...conversationPlans(ctx, selection), ...unreadPlans(ctx, selection)];
  return [
    ...inOrder([indexed, ...fewPlans(ctx, selection)]),
    ...others.map((listsFor) => ({ listsFor, waits: afterIndex })),
    ...(byConversation ? [{ listsFor: byConversation, waits: afterEverywhere }] : []),
  ];
}

/** For narrows without words. The full-text index helps if several facts must hold together. */
function listPlans(ctx: Ctx, selection: Selection): Recipe[] {
  const { senders, conversations, topics } = selection.narrow.within;
  const hasFacts = senders !== undefined && (conversations ?? topics) !== undefined;
  const named = [
    ...fewPlans(ctx, selection),
    ...conversationPlans(ctx, selection),
    ...(hasFacts ? indexPlans(ctx, selection) : []),
  ];
  const [wide, unread] = [widePlans(ctx, selection), unreadPlans(ctx, selection)];
  if (!selection.startsUnread) return inOrder([...named, ...wide, ...unread]);
  return [...inOrder([...named, ...unread]), ...wide.map((listsFor) => ({ listsFor, waits: afterUnread }))];
}

const ascending = (ids: readonly number[]) => [...ids].sort((a, b) => a - b);

function along(ctx: Ctx, paths: readonly Path[]): ListsFor {
  return (direction) =>
    paths.map((path) => postingList((from, max) => store.idsAlong(ctx, path, { direction, from, max })));
}

/** Indexes of something rare that the narrow names: flags, threads, reactions. */
function fewPlans(ctx: Ctx, selection: Selection): ListsFor[] {
  const { flags, threads, reacted } = selection.narrow.within;
  const flagged = flags && [
    store.pathOfFlagged(selection.userId, flags.bits),
    ...(flags.orWildcard ? [store.withChannelWildcard] : []),
  ];
  return [
    ...(flagged ? [along(ctx, flagged)] : []),
    ...(threads
      ? [
          along(
            ctx,
            threads.map((one) => store.inTopic(one.conversation_id, one.topic_key)),
          ),
        ]
      : []),
    ...(reacted ? [along(ctx, [store.reacted])] : []),
  ];
}

function unreadPlans(ctx: Ctx, { userId, narrow }: Selection): ListsFor[] {
  if (!narrow.within.unread) return [];
  const scope = { only: narrow.within.conversations, not: narrow.without };
  const listsFor: ListsFor = (direction) => {
    let next: ReturnType<typeof unreadReader> | null = null;
    const read = (from: number, max: number) => {
      next ??= unreadReader(ctx, userId, { ...scope, direction, from });
      return next(max).map((row) => row.id);
    };
    return [postingList(read)];
  };
  return [listsFor];
}

/** Indexes of the channels, topics or senders that the narrow names. */
function conversationPlans(ctx: Ctx, { userId, narrow }: Selection): ListsFor[] {
  const { conversations, topics, senders } = narrow.within;
  return [
    ...(conversations
      ? [
          along(
            ctx,
            conversations.flatMap((id) => pathsIn(id, topics)),
          ),
        ]
      : []),
    ...(topics && !conversations ? [along(ctx, topicPaths(ctx, userId, topics))] : []),
    ...(senders ? [along(ctx, senders.map(store.pathOfSender))] : []),
  ];
}

function pathsIn(conversationId: number, topics: readonly string[] | undefined): Path[] {
  return topics
    ? topics.map((key) => store.inTopic(conversationId, key))
    : [store.inConversation(conversationId)];
}

/** Topics of these names in all conversations where the user can have records. */
function topicPaths(ctx: Ctx, userId: number, topics: readonly string[]): Path[] {
  const homes = store.listReceivedSpans(ctx, userId).map((span) => span.home_id);
  const conversations = new Set([...homes, ...conversationsMovedInto(ctx)]);
  return [
    ...[...conversations].flatMap((id) => pathsIn(id, topics)),
    store.pathOfFlagged(userId, flagBits.historical),
  ];
}

/** Indexes of all messages, or of all of the user's own records. */
function widePlans(ctx: Ctx, selection: Selection): ListsFor[] {
  const { conversations, containing } = selection.narrow.within;
  const isNarrow = conversations !== undefined && conversations.length <= fewConversations;
  const everything: ListsFor =
    containing === undefined
      ? (direction) => [postingList((from, max) => idsOfAll(ctx, { direction, from, max }))]
      : (direction) => [textList(ctx, containing, direction)];
  // A user of a thousand channels has a thousand paths, which the page of the newest messages does not need.
  const own: ListsFor = (direction) => along(ctx, ownPaths(ctx, selection))(direction);
  if (!selection.ownRecords) return isNarrow ? [] : [everything];
  if (isNarrow) return [own];
  return receivesLittle(ctx, selection.userId) ? [own, everything] : [everything, own];
}

/** Of all messages, a user who receives less than this share has to pass many others to find their own. */
const little = 0.25;

/** Whether the user is in few conversations, which hold few of all messages. */
function receivesLittle(ctx: Ctx, userId: number): boolean {
  const spans = store.listReceivedSpans(ctx, userId);
  if (spans.length > fewConversations) return false;
  const sent = spans.reduce((sum, { home_id }) => sum + lastSeqOf(ctx, home_id), 0);
  const [newest = 0] = idsOfAll(ctx, { direction: "before", from: Number.MAX_SAFE_INTEGER, max: 1 });
  return sent < newest * little;
}

/**
 * The user's own records: messages they received, by home, and messages added to their history later. From a home that the
 * selection excludes or the user may no longer read, only messages moved elsewhere count. In a channel with protected
 * history, messages moved there while the user was subscribed count too.
 */
function ownPaths(ctx: Ctx, selection: Selection): Path[] {
  const { userId, narrow, sightOf } = selection;
  const isIncluded = includesConversation(selection);
  const received = store.listReceivedSpans(ctx, userId);
  const spans = received.filter(({ home_id }) => isIncluded(home_id));
  const isPartial = spans.length < received.length;
  const moved = isPartial ? (narrow.within.conversations ?? conversationsMovedInto(ctx)) : [];
  const reached = spans.map(({ home_id }) => home_id).filter((id) => sightOf(id) === "received");
  return [
    ...spans.map(store.pathOfReceived),
    ...[...new Set([...moved, ...reached])].map(store.pathOfMovesInto),
    store.pathOfFlagged(userId, flagBits.historical),
  ];
}

/** Whether the selection may show messages of a conversation. */
function includesConversation({
  narrow: { within, without },
  sightOf,
}: Selection): (conversationId: number) => boolean {
  const wanted = within.conversations && new Set(within.conversations);
  return (id) => (wanted?.has(id) ?? !without.has(id)) && sightOf(id) !== "none";
}

/** Plans with the full-text index: one for everything, one by conversation. For few conversations, only one for these. */
function indexPlans(ctx: Ctx, selection: Selection): [ListsFor] | [ListsFor, ListsFor] {
  const named = [...(selection.narrow.within.tokens ?? []), ...factTokens(selection)].map((token) => [token]);
  const { conversations, others } = conversationsOf(ctx, selection);
  const planOf = (searches: AnyOf[][], paths: readonly Path[]): ListsFor => {
    const unindexed = along(ctx, [...paths, store.unindexed]);
    return (direction) => [
      ...searches.map((sets) => indexList(ctx, sets, direction)),
      ...unindexed(direction),
    ];
  };
  const inOneOf = conversations.map(facts.inConversation);
  if (inOneOf.length === 0) return [planOf([], others)];
  if (inOneOf.length <= fewConversations) return [planOf([[inOneOf, ...named]], others)];
  const byConversation = inOneOf.map((one) => [[one], ...named]);
  return [planOf([named], []), planOf(byConversation, others)];
}

function factTokens({ narrow: { within } }: Selection): string[] {
  const [topic, ...otherTopics] = within.topics ?? [];
  const [sender, ...otherSenders] = within.senders ?? [];
  return [
    ...(topic !== undefined && otherTopics.length === 0 ? [facts.inTopic(topic)] : []),
    ...(sender !== undefined && otherSenders.length === 0 ? [facts.sentBy(sender)] : []),
  ];
}

/** Conversations that may hold shown messages, and paths to the records elsewhere. */
function conversationsOf(ctx: Ctx, selection: Selection): { conversations: number[]; others: Path[] } {
  const { userId, narrow } = selection;
  const isIncluded = includesConversation(selection);
  const named = narrow.within.conversations;
  if (named) return { conversations: named.filter(isIncluded), others: [] };
  const homes = store.listReceivedSpans(ctx, userId).map((span) => span.home_id);
  const all = new Set([...homes, ...conversationsMovedInto(ctx)]);
  return {
    conversations: [...all].filter(isIncluded),
    others: [store.pathOfFlagged(userId, flagBits.historical)],
  };
}
