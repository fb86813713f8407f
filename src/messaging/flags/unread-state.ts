// The `unread_msgs` of the initial state. What is asked for each message is little, since there may be 50,000.

import { me } from "@/foundation/permissions/access.ts";
import type { Ctx, StateRequest } from "@/kernel/core/context.ts";
import { JsonText } from "@/kernel/lib/json-text.ts";
import type { Task } from "@/kernel/lib/tasks.ts";
import { readableIn, selectionOf } from "@/messaging/message-pages/selection.ts";
import { messageBits } from "@/messaging/message-rows/schema.ts";
import { narrowOf } from "@/messaging/narrows/narrow.ts";
import { mentionsOf } from "@/messaging/receipts/access.ts";
import {
  type CachedUnread,
  maxKept,
  readCachedUnread,
  type UnreadHome,
} from "@/messaging/receipts/cached-unread.ts";
import { newestUnread } from "@/messaging/receipts/unread.ts";
import { existingChannel } from "@/places/channels/access.ts";
import { knowsArchived } from "@/places/channels/schema.ts";
import { conversation } from "@/places/conversations/access.ts";
import { visibilityOf } from "@/places/user-topics/access.ts";
import {
  addTo,
  grouping,
  inOrder,
  type OpenGroup,
  portion,
  sourceAt,
  type UnreadGroup,
  type UnreadSource,
} from "./unread-groups.ts";
import { type Lists, listsOf } from "./unread-lists.ts";

interface Unread {
  /** In the order of their first messages. */
  groups: readonly UnreadGroup[];
  /** The same messages, by home where possible. */
  sources: readonly UnreadSource[];
  /** The messages that mention the user by name, and those that mention the participants of their topic. */
  named: ReadonlySet<number>;
  inTopic: ReadonlySet<number>;
  /** Whether there are more. */
  isCut: boolean;
}

/** `unread_msgs`, if the client asks for both event types that keep it current. */
export function* unreadState(ctx: Ctx, request: StateRequest): Task<Record<string, unknown>> {
  const { fetched } = request;
  return fetched && !fetched.has("message") ? {} : { unread_msgs: yield* unreadMessages(ctx, request) };
}

function* unreadMessages(ctx: Ctx, request: StateRequest): Task<JsonText> {
  const kept = yield* readCachedUnread(ctx, me(ctx).id);
  const unread = yield* kept ? groupCached(ctx, request, kept) : freshGroups(ctx, request);
  const showsEmpty = request.capabilities.has("empty_topic_name");
  const lists = yield* listsOf(me(ctx).id, unread.groups, showsEmpty);
  const { count, mentions } = yield* figuresOf(ctx, unread);
  const begin = `{"count":${count},`;
  const end = `,"mentions":[${mentions}],"old_unreads_missing":${unread.isCut}}`;
  const last = lastAnswers.get(unread.groups);
  if (last?.lists === lists && last.begin === begin && last.end === end) return last.json;
  const json = new JsonText(Buffer.concat([Buffer.from(begin), ...lists, Buffer.from(end)]));
  lastAnswers.set(unread.groups, { lists, begin, end, json });
  return json;
}

/** The answers made last of these groups. */
const lastAnswers = new WeakMap<
  readonly UnreadGroup[],
  { lists: Lists; begin: string; end: string; json: JsonText }
>();

type Sorted = Pick<Unread, "groups" | "sources">;

/** What was made last from what is kept of a reader. */
const lastMade = new WeakMap<object, { from: readonly object[]; made: Sorted }>();

function* groupCached(
  ctx: Ctx,
  request: StateRequest,
  { homes, reader, ...kept }: CachedUnread,
): Task<Unread> {
  const selection = selectionOf(ctx, narrowOf(ctx, []));
  const isReadable = readableIn(selection);
  const isIncluded = knownChannelTest(ctx, request);
  const shown = homes.filter(({ homeId, isPresent, topics }) => {
    return topics.length > 0 && isPresent && isIncluded(homeId) && selection.sightOf(homeId) !== "none";
  });
  const others: Other[] = [];
  let passed = 0;
  for (const home of homes)
    for (const one of home.others) {
      if (++passed % portion === 0) yield portion;
      const { conversation_id: id } = one.row;
      if (kept.isPresentIn(id) && isIncluded(id) && isReadable(one.row)) others.push(one);
    }
  const { named, inTopic } = kept;
  const from = [...shown, ...others];
  const last = lastMade.get(reader);
  if (last && areSame(last.from, from)) return { ...last.made, named, inTopic, isCut: false };
  const sources: UnreadSource[] = [];
  const groups: UnreadGroup[] = [];
  for (const home of shown) {
    const source = sourceAt(ctx, home);
    sources.push(source);
    for (const group of source.groups) groups.push(group);
  }
  const added = yield* groupOthers(ctx, others);
  addTo(groups, added);
  const made = { groups: inOrder(groups), sources: [...sources, { groups: added, home: null }] };
  lastMade.set(reader, { from, made });
  return { ...made, named, inTopic, isCut: false };
}

function areSame(a: readonly object[], b: readonly object[]): boolean {
  return a.length === b.length && a.every((one, i) => one === b[i]);
}

type Other = UnreadHome["others"][number];

function* groupOthers(ctx: Ctx, others: Other[]): Task<readonly UnreadGroup[]> {
  const groups: OpenGroup[] = [];
  const groupOf = grouping(ctx, groups);
  others.sort((a, b) => a.row.id - b.row.id);
  for (const [i, { row, isReceived }] of others.entries()) {
    if (i % portion === portion - 1) yield portion;
    const group = groupOf(row);
    group.ids.push(row.id);
    if (isReceived && (row.bits & messageBits.channelWildcard) !== 0) group.toAll.push(row.id);
  }
  return groups;
}

/** Reads all from the database, for people with very many unread messages. */
function* freshGroups(ctx: Ctx, request: StateRequest): Task<Unread> {
  const user = me(ctx).id;
  const found = yield* newestUnread(ctx, user, maxKept + 1);
  const isIncluded = knownChannelTest(ctx, request);
  const isReadable = readableIn(selectionOf(ctx, narrowOf(ctx, [])));
  const { byName, inTopic, toAll } = mentionsOf(ctx, user);
  const groups: OpenGroup[] = [];
  const unread = {
    groups,
    sources: [{ groups, home: null }],
    named: new Set<number>(),
    inTopic: new Set<number>(),
  };
  const groupOf = grouping(ctx, groups);
  for (const [i, row] of found.slice(-maxKept).entries()) {
    if (i % portion === 0) yield portion;
    if (!isIncluded(row.conversation_id) || !isReadable(row)) continue;
    const group = groupOf(row);
    group.ids.push(row.id);
    if (toAll(row)) group.toAll.push(row.id);
    if (byName(row)) unread.named.add(row.id);
    if (inTopic(row)) unread.inTopic.add(row.id);
  }
  return { ...unread, isCut: found.length > maxKept };
}

/** Whether the client knows the channel of a conversation, if it is archived. */
function knownChannelTest(ctx: Ctx, request: StateRequest): (conversationId: number) => boolean {
  if (knowsArchived(request)) return () => true;
  return (id) => {
    const { channel_id } = conversation(ctx, id);
    return channel_id === null || existingChannel(ctx, channel_id).is_archived === 0;
  };
}

/** How many messages count as unread, and which of them mention the user, ascending. */
function* figuresOf(
  ctx: Ctx,
  { sources, named, inTopic }: Unread,
): Task<{ count: number; mentions: number[] }> {
  const { isMuted, showsAll } = visibilityOf(ctx, me(ctx).id);
  const mentions = new Set<number>();
  const add = (ids: readonly number[], mentioned: ReadonlySet<number>) => {
    if (mentioned.size > 0) for (const id of ids) if (mentioned.has(id)) mentions.add(id);
  };
  let count = 0;
  let passed = 0;
  for (const { groups, home } of sources) {
    if (home && named.size + inTopic.size === 0 && (home.channelId === null || showsAll(home.channelId))) {
      count += home.count;
      for (const id of home.toAll) mentions.add(id);
      continue;
    }
    for (const { place, spelling, ids, toAll } of groups) {
      if (++passed % portion === 0) yield portion;
      add(ids, named);
      if (place.channel_id !== null && isMuted(place.channel_id, spelling.topic)) continue;
      count += ids.length;
      add(ids, inTopic);
      for (const id of toAll) mentions.add(id);
    }
  }
  return { count, mentions: [...mentions].sort((a, b) => a - b) };
}

const nothingUnread = {
  count: 0,
  pms: [],
  streams: [],
  huddles: [],
  mentions: [],
  old_unreads_missing: false,
};

/** The same for people without an account. */
export function unreadOfSpectators(_: Ctx, { fetched }: StateRequest): object {
  return fetched && !fetched.has("message") ? {} : { unread_msgs: nothingUnread };
}
