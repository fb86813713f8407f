// Where to look for a selection's messages: each plan is a set of indexes that together list all of them.
import type { Ctx } from "@/kernel/context.ts";
import { flagBits } from "@/receipts/schema.ts";
import { unreadReader } from "@/receipts/unread.ts";
import { type Lane, listLane } from "./merge.ts";
import type { Selection } from "./selection.ts";
import type { Direction, Path } from "./store-reads.ts";
import * as store from "./store-reads.ts";

const fewConversations = 20;

/** The plans for either direction, those first that are likely to be cheap. */
export function plansFor(ctx: Ctx, selection: Selection): (direction: Direction) => Lane[][] {
  const { ids, unread } = selection.narrow.within;
  if (ids) return (direction) => [[listLane(ascending(ids), direction)]];
  const plans = pathPlans(ctx, selection);
  return (direction) => [
    ...plans.map((paths) => paths.map((path) => laneOf(ctx, path, direction))),
    ...(unread ? [[laneOfUnread(ctx, selection, direction)]] : []),
  ];
}

const ascending = (ids: readonly number[]) => [...ids].sort((a, b) => a - b);

function laneOfUnread(ctx: Ctx, { userId, narrow }: Selection, direction: Direction): Lane {
  const places = { only: narrow.within.conversations, not: narrow.without };
  let next: ReturnType<typeof unreadReader> | null = null;
  return (from, most) => {
    next ??= unreadReader(ctx, userId, { ...places, direction, from });
    return next(most).map((row) => row.id);
  };
}

function laneOf(ctx: Ctx, path: Path, direction: Direction): Lane {
  return (from, most) => store.idsAlong(ctx, path, { direction, from, most });
}

function pathPlans(ctx: Ctx, selection: Selection): Path[][] {
  const { userId, ownRecords, narrow } = selection;
  const { conversations, topics, senders, flags } = narrow.within;
  const plans: Path[][] = [];
  if (conversations === undefined || conversations.length > fewConversations) plans.push([store.everything]);
  if (flags)
    plans.push([store.flagged(userId, flags.bits), ...(flags.orWildcard ? [store.withChannelWildcard] : [])]);
  if (conversations) plans.push(conversations.flatMap((id) => pathsIn(id, topics)));
  else if (topics) plans.push(topicPaths(ctx, userId, topics));
  if (senders) plans.push(senders.map(store.sentBy));
  if (ownRecords) plans.push(ownPaths(ctx, selection));
  return plans;
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
 * home that is not looked at, or may no longer be read, only what was moved elsewhere is left.
 */
function ownPaths(ctx: Ctx, { userId, narrow, sightOf }: Selection): Path[] {
  const { within, without } = narrow;
  const wanted = within.conversations && new Set(within.conversations);
  const isLookedAt = (id: number) => (wanted?.has(id) ?? !without.has(id)) && sightOf(id) !== "none";
  const received = store.receivedSpans(ctx, userId);
  const spans = received.filter(({ home_id }) => isLookedAt(home_id));
  const isPartial = spans.length < received.length;
  const moved = isPartial ? (within.conversations ?? store.conversationsMovedInto(ctx)) : [];
  return [
    ...spans.map(store.receivedIn),
    ...moved.map(store.movedInto),
    store.flagged(userId, flagBits.historical),
  ];
}
