// Where to look for a selection's messages: each plan is a set of indexes that together list all of them.
import type { Ctx } from "@/kernel/context.ts";
import { flagBits } from "@/receipts/schema.ts";
import { unreadReader } from "@/receipts/unread.ts";
import { indexLane } from "./index-lane.ts";
import { type Lane, listLane, plainLane } from "./merge.ts";
import type { Selection } from "./selection.ts";
import type { Direction, Path } from "./store-reads.ts";
import * as store from "./store-reads.ts";
import { facts } from "./store-tokens.ts";

const fewConversations = 20;

/** The plans for either direction, those first that are likely to be cheap. */
export function plansFor(ctx: Ctx, selection: Selection): (direction: Direction) => Lane[][] {
  const { ids, unread } = selection.narrow.within;
  if (ids) return (direction) => [[listLane(ascending(ids), direction)]];
  const indexed = indexPlans(ctx, selection);
  const plans = [...pathPlans(ctx, selection), ...(indexed.length === 0 ? widePlans(ctx, selection) : [])];
  return (direction) => [
    ...indexed.map((plan) => plan(direction)),
    ...plans.map((paths) => paths.map((path) => laneOf(ctx, path, direction))),
    ...(unread ? [[laneOfUnread(ctx, selection, direction)]] : []),
  ];
}

const ascending = (ids: readonly number[]) => [...ids].sort((a, b) => a - b);

function laneOfUnread(ctx: Ctx, { userId, narrow }: Selection, direction: Direction): Lane {
  const places = { only: narrow.within.conversations, not: narrow.without };
  let next: ReturnType<typeof unreadReader> | null = null;
  return plainLane((from, most) => {
    next ??= unreadReader(ctx, userId, { ...places, direction, from });
    return next(most).map((row) => row.id);
  });
}

function laneOf(ctx: Ctx, path: Path, direction: Direction): Lane {
  return plainLane((from, most) => store.idsAlong(ctx, path, { direction, from, most }));
}

/** What lists the messages of something that the narrow names. */
function pathPlans(ctx: Ctx, { userId, narrow }: Selection): Path[][] {
  const { conversations, topics, threads, senders, flags, reacted } = narrow.within;
  const plans: Path[][] = [];
  if (flags)
    plans.push([store.flagged(userId, flags.bits), ...(flags.orWildcard ? [store.withChannelWildcard] : [])]);
  if (threads) plans.push(threads.map((thread) => store.inTopic(thread.conversation_id, thread.topic_key)));
  if (conversations) plans.push(conversations.flatMap((id) => pathsIn(id, topics)));
  else if (topics) plans.push(topicPaths(ctx, userId, topics));
  if (senders) plans.push(senders.map(store.sentBy));
  if (reacted) plans.push([store.reacted]);
  return plans;
}

/** What lists all messages, or all of the user's own. */
function widePlans(ctx: Ctx, selection: Selection): Path[][] {
  const { conversations } = selection.narrow.within;
  const isNarrow = conversations !== undefined && conversations.length <= fewConversations;
  return [
    ...(isNarrow ? [] : [[store.everything]]),
    ...(selection.ownRecords ? [ownPaths(ctx, selection)] : []),
  ];
}

function pathsIn(conversationId: number, topics: readonly string[] | undefined): Path[] {
  return topics
    ? topics.map((key) => store.inTopic(conversationId, key))
    : [store.inConversation(conversationId)];
}

/** Topics of these names wherever the user can have something of their own. */
function topicPaths(ctx: Ctx, userId: number, topics: readonly string[]): Path[] {
  const homes = store.receivedSpans(ctx, userId).map((span) => span.home_id);
  const places = new Set([...homes, ...store.conversationsMovedInto(ctx)]);
  return [...[...places].flatMap((id) => pathsIn(id, topics)), store.flagged(userId, flagBits.historical)];
}

/**
 * The user's own records: what they received by where it was sent, and what came into their history later. Of a
 * home that is not looked at, or may no longer be read, only what was moved elsewhere is left; where history is
 * protected, what was moved there while they were there is theirs too.
 */
function ownPaths(ctx: Ctx, selection: Selection): Path[] {
  const { userId, narrow, sightOf } = selection;
  const isLookedAt = lookedAt(selection);
  const received = store.receivedSpans(ctx, userId);
  const spans = received.filter(({ home_id }) => isLookedAt(home_id));
  const isPartial = spans.length < received.length;
  const moved = isPartial ? (narrow.within.conversations ?? store.conversationsMovedInto(ctx)) : [];
  const reached = spans.map(({ home_id }) => home_id).filter((id) => sightOf(id) === "received");
  return [
    ...spans.map(store.receivedIn),
    ...[...new Set([...moved, ...reached])].map(store.movedInto),
    store.flagged(userId, flagBits.historical),
  ];
}

/** Whether anything that now lies in a conversation may be shown. */
function lookedAt({ narrow: { within, without }, sightOf }: Selection): (conversationId: number) => boolean {
  const wanted = within.conversations && new Set(within.conversations);
  return (id) => (wanted?.has(id) ?? !without.has(id)) && sightOf(id) !== "none";
}

/** What the full-text index lists: everywhere at once, and conversation by conversation. */
function indexPlans(ctx: Ctx, selection: Selection): ((direction: Direction) => Lane[])[] {
  const { conversations, tokens = [] } = selection.narrow.within;
  const named = [...tokens, ...factTokens(selection)];
  if (tokens.length === 0 && named.length + (conversations ? 1 : 0) < 2) return [];
  const { places, others } = placesOf(ctx, selection);
  const planOf = (sets: string[][], paths: readonly Path[]) => (direction: Direction) => [
    ...sets.map((set) => indexLane(ctx, set, direction)),
    ...[...paths, store.unindexed].map((path) => laneOf(ctx, path, direction)),
  ];
  const inPlaces = planOf(
    places.map((id) => [facts.inConversation(id), ...named]),
    others,
  );
  return places.length <= fewConversations ? [inPlaces] : [planOf([named], []), inPlaces];
}

function factTokens({ narrow: { within } }: Selection): string[] {
  const [topic, ...otherTopics] = within.topics ?? [];
  const [sender, ...otherSenders] = within.senders ?? [];
  return [
    ...(topic !== undefined && otherTopics.length === 0 ? [facts.inTopic(topic)] : []),
    ...(sender !== undefined && otherSenders.length === 0 ? [facts.sentBy(sender)] : []),
  ];
}

/** Conversations in which something may now be shown, and what lists the rest. */
function placesOf(ctx: Ctx, selection: Selection): { places: number[]; others: Path[] } {
  const { userId, narrow } = selection;
  const isLookedAt = lookedAt(selection);
  const named = narrow.within.conversations;
  if (named) return { places: named.filter(isLookedAt), others: [] };
  const homes = store.receivedSpans(ctx, userId).map((span) => span.home_id);
  const all = new Set([...homes, ...store.conversationsMovedInto(ctx)]);
  return { places: [...all].filter(isLookedAt), others: [store.flagged(userId, flagBits.historical)] };
}
