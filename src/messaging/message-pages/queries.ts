// Reads messages as the actor sees them.

import { z } from "zod";
import { allow, me } from "@/foundation/permissions/access.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { query } from "@/kernel/core/operation.ts";
import { fail } from "@/kernel/lib/errors.ts";
import type { JsonAnswer } from "@/kernel/lib/long-answers.ts";
import { Budget, runInSlices, runSync, type Task } from "@/kernel/lib/tasks.ts";
import { TimeUsed } from "@/kernel/lib/time-slices.ts";
import { findCandidates, messageFor } from "@/messaging/messages/access.ts";
import type { MessageView } from "@/messaging/messages/queries.ts";
import type { Match, Message } from "@/messaging/messages/schema.ts";
import { type Narrow, type NarrowTerm, narrowOf } from "@/messaging/narrows/narrow.ts";
import { channelFor, sharesHistory } from "@/places/channels/access.ts";
import type { ChannelRow } from "@/places/channels/schema.ts";
import { channelConversation, conversation, participantsOf } from "@/places/conversations/access.ts";
import { displayTopic, topicKey } from "@/places/topics/schema.ts";
import { sentence } from "@/text/language/tables.ts";
import { matchesIn } from "./highlighting.ts";
import {
  type Anchor,
  checkLength,
  fitting,
  nearestFirst,
  newestAnchor,
  type Page,
  pageOf,
  withoutFarthest,
} from "./page.ts";
import { messagesFrom, type Presenting, presentMessages } from "./presenting.ts";
import { readableIn, selectAmong, selectionOf } from "./selection.ts";
import { checkNarrowOfSpectator } from "./spectators.ts";
import * as store from "./store.ts";
import { answerWith, textsIn } from "./texts.ts";

/** Messages of a narrow around an anchor: an ID, "newest", "oldest", "first_unread" or, with a date, "date". */
export interface Narrowed {
  anchor: string;
  /** ISO 8601; without a time, midnight; without a zone, UTC. Only with the anchor "date". */
  anchor_date?: string | undefined;
  include_anchor: boolean;
  num_before: number;
  num_after: number;
  narrow: readonly NarrowTerm[];
}

const maxMessages = 5000;

const namedAnchors: Record<string, Anchor> = {
  newest: newestAnchor,
  oldest: 0,
  first_unread: "first_unread",
};

const withZone = { local: true, offset: true };
const isoDate = z.union([
  z.iso.date(),
  z.iso.datetime(withZone),
  z.iso.datetime({ ...withZone, precision: -1 }),
]);

function momentOf(date: string | undefined): Anchor {
  if (date === undefined || !isoDate.safeParse(date).success) fail("BAD_REQUEST", "Invalid anchor date");
  const hasZone = !date.includes("T") || /(?:Z|[+-]\d{2}:?\d{2})$/.test(date);
  return { since: Math.ceil(Date.parse(hasZone ? date : `${date}Z`) / 1000) };
}

function anchorOf(given: string, date: string | undefined): Anchor {
  if (given === "date") return momentOf(date);
  if (Object.hasOwn(namedAnchors, given)) return namedAnchors[given] as Anchor;
  if (!/^-?\d+$/.test(given)) fail("BAD_REQUEST", "Invalid anchor");
  return Math.min(Math.max(Number(given), 0), newestAnchor);
}

function pageAround(
  ctx: Ctx,
  narrow: Narrow,
  { anchor, anchor_date, ...counts }: Omit<Narrowed, "narrow">,
  { used, budget }: { used?: TimeUsed; budget?: Budget } = {},
): Promise<Page> {
  if (!counts.include_anchor && counts.num_before > 0 && counts.num_after > 0) {
    fail("BAD_REQUEST", "The anchor can only be excluded at an end of the range");
  }
  const around = { anchor: anchorOf(anchor, anchor_date), ...counts };
  return runInSlices(pageOf(ctx, selectionOf(ctx, narrow), around, budget), used, budget);
}

/** The IDs of a page. If the request exceeds the limit, each side gets at least half of it, if it asks for that much. */
export const selectIds = query(
  allow.user,
  async (ctx, input: Narrowed): Promise<Pick<Page, "ids" | "found_oldest" | "found_newest">> => {
    const half = maxMessages / 2;
    const num_before = Math.min(input.num_before, Math.max(maxMessages - input.num_after, half));
    const num_after = Math.min(input.num_after, maxMessages - num_before);
    const { anchor, include_anchor } = input;
    const where = { anchor, include_anchor, num_before, num_after };
    const { ids, found_oldest, found_newest } = await pageAround(ctx, narrowOf(ctx, input.narrow), where);
    return { ids, found_oldest, found_newest };
  },
);

export interface MessagesWanted extends Omit<Narrowed, "anchor">, MessageView {
  anchor?: string;
  /** Deprecated: the same as the anchor `first_unread`. Overrides the anchor. */
  use_first_unread_anchor: boolean;
  /** Replaces the anchor and the numbers. */
  message_ids?: number[];
}

export interface MessagesFound extends Omit<Page, "ids" | "anchor"> {
  messages: Message[];
  /** Absent if the messages were requested by ID. */
  anchor?: number;
  history_limited: boolean;
}

export const getMessages = query(
  allow.viewer,
  async (ctx, wanted: MessagesWanted): Promise<MessagesFound> => {
    const { page, presented, matches } = await messagesWanted(ctx, wanted, { present: presentMessages });
    const { ids, ...found } = page;
    const messages = ids.flatMap((id) => {
      const message = presented.get(id);
      return message ? { ...message, ...matches?.get(id) } : [];
    });
    return { ...found, messages, history_limited: false };
  },
);

/** The answer of `getMessages`, made from the texts that are kept of messages. */
export const answerMessages = query(
  allow.viewer,
  async (ctx, wanted: MessagesWanted): Promise<JsonAnswer> => {
    const used = new TimeUsed();
    const { page, presented, matches } = await messagesWanted(ctx, wanted, { present: textsIn, used });
    const { ids, ...found } = page;
    return runInSlices(answerWith(found, { ids, presented, matches }), used);
  },
);

type Presenter<P> = (
  ctx: Ctx,
  ids: readonly number[],
  presenting: Presenting,
) => Task<{ done: number; presented: ReadonlyMap<number, P> }>;

interface PageFound<P> {
  page: Omit<Page, "anchor"> & { anchor?: number };
  /** The messages that could still be read. */
  presented: ReadonlyMap<number, P>;
  /** Highlighted text by message ID; null without a search. */
  matches: ReadonlyMap<number, Match> | null;
}

async function messagesWanted<P>(
  ctx: Ctx,
  wanted: MessagesWanted,
  { present, used = new TimeUsed() }: { present: Presenter<P>; used?: TimeUsed },
): Promise<PageFound<P>> {
  if (ctx.actor.kind === "anonymous") checkNarrowOfSpectator(wanted.narrow);
  const narrow = narrowOf(ctx, wanted.narrow);
  return wanted.message_ids
    ? await pageOfIds(ctx, { narrow, wanted, present, used }, wanted.message_ids)
    : await pageWanted(ctx, { narrow, wanted, present, used });
}

interface PageRequest<P> {
  narrow: Narrow;
  wanted: MessagesWanted;
  present: Presenter<P>;
  used: TimeUsed;
}

/** CPU time for finding a page, and the same again for highlighting and for presenting it. The page is what is done by then. */
const maxMs = 1_000;

async function pageWanted<P>(ctx: Ctx, asked: PageRequest<P>): Promise<PageFound<P>> {
  const { narrow, wanted, present, used } = asked;
  const anchor = wanted.use_first_unread_anchor ? "first_unread" : wanted.anchor;
  if (anchor === undefined) fail("BAD_REQUEST", "Missing 'anchor' argument.");
  refuseTooMany(wanted.num_before + wanted.num_after);
  const { anchor_date, include_anchor, num_before, num_after } = wanted;
  const around = { anchor, anchor_date, include_anchor, num_before, num_after };
  const { changes } = ctx.db;
  const page = await pageAround(ctx, narrow, around, { used, budget: new Budget(maxMs) });
  const found = await runInSlices(fitting(ctx, page), used);
  const matches = narrow.searches ? await highlightPage(ctx, found, asked) : null;
  const matching = matches ? withoutFarthest(found, matches.size) : found;
  const budget = new Budget(maxMs);
  const steps = present(ctx, nearestFirst(matching), { view: wanted, changes, budget });
  const { done, presented } = await runInSlices(steps, used, budget);
  return {
    page: done < matching.ids.length ? withoutFarthest(matching, done) : matching,
    presented,
    matches,
  };
}

function highlightPage(
  ctx: Ctx,
  page: Page,
  { narrow, wanted, used }: Omit<PageRequest<unknown>, "present">,
): Promise<ReadonlyMap<number, Match>> {
  const budget = new Budget(maxMs);
  return runInSlices(matchesIn(ctx, nearestFirst(page), { narrow, view: wanted, budget }), used, budget);
}

function refuseTooMany(count: number): void {
  if (count > maxMessages) fail("BAD_REQUEST", `Too many messages requested (maximum ${maxMessages}).`);
}

/** Those of the messages that the actor may read and the narrow matches. Silently leaves out the others. */
async function pageOfIds<P>(
  ctx: Ctx,
  { narrow, wanted, present, used }: PageRequest<P>,
  ids: readonly number[],
): Promise<PageFound<P>> {
  refuseMixing(wanted);
  refuseTooMany(ids.length);
  const ascending = [...new Set(ids)].sort((a, b) => a - b);
  const { changes } = ctx.db;
  const shown = await runInSlices(selectAmong(ctx, selectionOf(ctx, narrow, false), ascending), used);
  await runInSlices(checkLength(ctx, shown), used);
  const page = { ids: shown, found_anchor: false, found_oldest: false, found_newest: false };
  const steps = narrow.searches ? matchesIn(ctx, shown, { narrow, view: wanted }) : null;
  const matches = steps && (await runInSlices(steps, used));
  const { presented } = await runInSlices(present(ctx, shown, { view: wanted, changes }), used);
  return { page, presented, matches };
}

function refuseMixing(wanted: MessagesWanted): void {
  const { anchor, use_first_unread_anchor, num_before, num_after } = wanted;
  const others = Object.entries({ anchor, use_first_unread_anchor, num_before, num_after });
  const sent = others.filter(([, value]) => value !== undefined && value !== false && value !== 0);
  if (sent.length === 0) return;
  const parameters = ["message_ids", ...sent.map(([name]) => name)].join(", ");
  fail("BAD_REQUEST", sentence("Unsupported parameter combination: {parameters}", { parameters }), {
    parameters,
  });
}

/** Those of these messages that match a narrow and that the actor may read, by ID. */
export const matchesNarrow = query(
  allow.user,
  async (ctx, wanted: { msg_ids: readonly number[]; narrow: readonly NarrowTerm[] }) => {
    refuseTooMany(wanted.msg_ids.length);
    const narrow = narrowOf(ctx, wanted.narrow);
    const used = new TimeUsed();
    const shown = await runInSlices(
      selectAmong(ctx, selectionOf(ctx, narrow), [...new Set(wanted.msg_ids)]),
      used,
    );
    await runInSlices(checkLength(ctx, shown), used);
    const view = { allow_empty_topic_name: false };
    const matches = await runInSlices(matchesIn(ctx, shown, { narrow, view }), used);
    const readable = readableIn(selectionOf(ctx, narrowOf(ctx, [])));
    const ids = new Set(
      findCandidates(ctx, shown)
        .filter(readable)
        .map((row) => row.id),
    );
    return { messages: Object.fromEntries([...matches].filter(([id]) => ids.has(id))) };
  },
);

export interface MessageWanted extends Omit<MessageView, "client_gravatar"> {
  message_id: number;
}

export const getMessage = query(allow.viewer, (ctx, { message_id, ...view }: MessageWanted) => {
  const row = messageFor(ctx, message_id);
  const [message] = runSync(messagesFrom(ctx, [row], { ...view, client_gravatar: false }));
  return { message, raw_content: row.content };
});

export interface Topic {
  name: string;
  max_id: number;
}

export interface TopicsWanted {
  channel_id: number;
  allow_empty_topic_name: boolean;
}

/** The topics of a channel, the one with the newest message first. */
export const listTopics = query(allow.viewer, (ctx, wanted: TopicsWanted): Topic[] => {
  const channel = channelFor(ctx, wanted.channel_id, "read");
  return topicsShown(ctx, channel)
    .sort((a, b) => b.max_id - a.max_id)
    .map(({ topic, max_id }) => ({ name: displayTopic(topic, wanted.allow_empty_topic_name), max_id }));
});

/** The `message` section of the initial state. */
export function* newestState(ctx: Ctx): Task<Record<string, unknown>> {
  return { max_message_id: yield* newestReceived(ctx) };
}

/** The ID of the newest message that the actor received, or 0. */
export function* newestReceived(ctx: Ctx): Task<number> {
  const around = { anchor: newestAnchor, include_anchor: false, num_before: 1, num_after: 0 };
  const { ids } = yield* pageOf(ctx, selectionOf(ctx, narrowOf(ctx, [])), around);
  return ids[0] ?? 0;
}

const maxConversations = 1000;

/** The user's direct conversations that have messages, ordered by the newest one. */
export function recentConversationsState(ctx: Ctx): Record<string, unknown> {
  const user = me(ctx).id;
  const recent_private_conversations = store.newestOfDirect(ctx, user, maxConversations).map((row) => ({
    max_message_id: row.max_id,
    user_ids: participantsOf(conversation(ctx, row.conversation_id)).filter((id) => id !== user),
  }));
  return { recent_private_conversations };
}

/** The topics in which the actor may see messages, in no order. */
function topicsShown(ctx: Ctx, channel: ChannelRow): store.TopicRow[] {
  const conversationId = channelConversation(ctx, channel.id);
  return sharesHistory(channel) ? store.findTopics(ctx, conversationId) : topicsReceived(ctx, conversationId);
}

/** For protected history: only topics in which messages reached the actor, with the newest of those. */
function topicsReceived(ctx: Ctx, conversationId: number): store.TopicRow[] {
  const selection = selectionOf(ctx, narrowOf(ctx, []));
  const own = store
    .listReceivedSpans(ctx, selection.userId)
    .filter(({ home_id }) => home_id === conversationId);
  const movedIn = store.findMovedInto(ctx, conversationId).filter(selection.isReached);
  const newest = new Map<string, store.TopicRow>();
  for (const row of [...own.flatMap((span) => store.findTopicsBetween(ctx, span)), ...movedIn]) {
    const key = topicKey(row.topic);
    if ((newest.get(key)?.max_id ?? 0) < row.max_id)
      newest.set(key, { topic: row.topic, max_id: row.max_id });
  }
  return [...newest.values()];
}
