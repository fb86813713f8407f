// Where to look for a selection's messages: each plan is a set of indexes that together list all of them.

import type { Ctx } from "@/kernel/context.ts";
import { type Direction, type Lane, listLane, plainLane } from "@/kernel/merge.ts";
import { facts } from "@/messaging/message-index/store.ts";
import { flagBits } from "@/messaging/receipts/schema.ts";
import { unreadReader } from "@/messaging/receipts/unread.ts";
import { conversationsMovedInto } from "@/places/conversations/access.ts";
import { indexLane, textLane } from "./lanes.ts";
import type { Selection } from "./selection.ts";
import type { Path } from "./store.ts";
import * as store from "./store.ts";

export interface Plan {
  lanes: readonly Lane[];
  /** How much work the others may do before this one starts, in rows. */
  waits: number;
}

type LanesFor = (direction: Direction) => Lane[];

const fewConversations = 20;
/** Each plan starts a little after the one that is likelier to be cheap. */
const headStart = 300;
/** Where the full-text index can be asked, going through a place is worth it only where asking takes long. */
const afterIndex = 6_000;
/** And so is asking it of each of many places. */
const afterEverywhere = 20_000;

/** The plans for either direction, those first that are likely to be cheap. */
export function plansFor(ctx: Ctx, selection: Selection): (direction: Direction) => Plan[] {
  const { ids } = selection.narrow.within;
  if (ids) return (direction) => [{ lanes: [listLane(ascending(ids), direction)], waits: 0 }];
  const plans = selection.narrow.within.tokens ? searchPlans(ctx, selection) : listPlans(ctx, selection);
  return (direction) => plans.map(({ lanesFor, waits }) => ({ lanes: lanesFor(direction), waits }));
}

interface Recipe {
  lanesFor: LanesFor;
  waits: number;
}

const inOrder = (plans: readonly LanesFor[]): Recipe[] =>
  plans.map((lanesFor, i) => ({ lanesFor, waits: i * headStart }));

/** Where only the full-text index finds what is asked for: what else there is helps where it is little. */
function searchPlans(ctx: Ctx, selection: Selection): Recipe[] {
  const [indexed, byPlace] = indexPlans(ctx, selection);
  const others = [...placePlans(ctx, selection), ...unreadPlans(ctx, selection)];
  return [
    ...inOrder([indexed, ...fewPlans(ctx, selection)]),
    ...others.map((lanesFor) => ({ lanesFor, waits: afterIndex })),
    ...(byPlace ? [{ lanesFor: byPlace, waits: afterEverywhere }] : []),
  ];
}

/** Where other indexes list what is asked for; of several facts together, the full-text index knows more. */
function listPlans(ctx: Ctx, selection: Selection): Recipe[] {
  const { senders, conversations, topics } = selection.narrow.within;
  const hasFacts = senders !== undefined && (conversations ?? topics) !== undefined;
  return inOrder([
    ...fewPlans(ctx, selection),
    ...placePlans(ctx, selection),
    ...(hasFacts ? indexPlans(ctx, selection) : []),
    ...widePlans(ctx, selection),
    ...unreadPlans(ctx, selection),
  ]);
}

const ascending = (ids: readonly number[]) => [...ids].sort((a, b) => a - b);

function along(ctx: Ctx, paths: readonly Path[]): LanesFor {
  return (direction) =>
    paths.map((path) => plainLane((from, most) => store.idsAlong(ctx, path, { direction, from, most })));
}

/** What lists the messages of something rare that the narrow names. */
function fewPlans(ctx: Ctx, selection: Selection): LanesFor[] {
  const { flags, threads, reacted } = selection.narrow.within;
  const flagged = flags && [
    store.flagged(selection.userId, flags.bits),
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

function unreadPlans(ctx: Ctx, { userId, narrow }: Selection): LanesFor[] {
  if (!narrow.within.unread) return [];
  const places = { only: narrow.within.conversations, not: narrow.without };
  const lanesFor: LanesFor = (direction) => {
    let next: ReturnType<typeof unreadReader> | null = null;
    const read = (from: number, most: number) => {
      next ??= unreadReader(ctx, userId, { ...places, direction, from });
      return next(most).map((row) => row.id);
    };
    return [plainLane(read)];
  };
  return [lanesFor];
}

/** What lists all of the channels, topics or senders that the narrow names. */
function placePlans(ctx: Ctx, { userId, narrow }: Selection): LanesFor[] {
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
    ...(senders ? [along(ctx, senders.map(store.sentBy))] : []),
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
  const places = new Set([...homes, ...conversationsMovedInto(ctx)]);
  return [...[...places].flatMap((id) => pathsIn(id, topics)), store.flagged(userId, flagBits.historical)];
}

/** What lists all messages, or all of the user's own. */
function widePlans(ctx: Ctx, selection: Selection): LanesFor[] {
  const { conversations, containing } = selection.narrow.within;
  const isNarrow = conversations !== undefined && conversations.length <= fewConversations;
  const everything: LanesFor =
    containing === undefined
      ? along(ctx, [store.everything])
      : (direction) => [textLane(ctx, containing, direction)];
  return [
    ...(isNarrow ? [] : [everything]),
    ...(selection.ownRecords ? [along(ctx, ownPaths(ctx, selection))] : []),
  ];
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
  const moved = isPartial ? (narrow.within.conversations ?? conversationsMovedInto(ctx)) : [];
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

/** What the full-text index lists: everywhere at once, and conversation by conversation. Of few, that alone. */
function indexPlans(ctx: Ctx, selection: Selection): [LanesFor] | [LanesFor, LanesFor] {
  const named = [...(selection.narrow.within.tokens ?? []), ...factTokens(selection)];
  const { places, others } = placesOf(ctx, selection);
  const planOf = (sets: string[][], paths: readonly Path[]): LanesFor => {
    const unindexed = along(ctx, [...paths, store.unindexed]);
    return (direction) => [...sets.map((set) => indexLane(ctx, set, direction)), ...unindexed(direction)];
  };
  const byPlace = planOf(
    places.map((id) => [facts.inConversation(id), ...named]),
    others,
  );
  return places.length <= fewConversations ? [byPlace] : [planOf([named], []), byPlace];
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
  const all = new Set([...homes, ...conversationsMovedInto(ctx)]);
  return { places: [...all].filter(isLookedAt), others: [store.flagged(userId, flagBits.historical)] };
}
