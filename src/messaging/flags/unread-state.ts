// The `unread_msgs` of the initial state. What is asked for each message is little, since there may be 50,000.

import { me } from "@/foundation/permissions/access.ts";
import type { Ctx, StateRequest } from "@/kernel/context.ts";
import { JsonText } from "@/kernel/json-text.ts";
import type { Steps } from "@/kernel/steps.ts";
import { readableIn, selectionOf } from "@/messaging/message-pages/selection.ts";
import { messageBits } from "@/messaging/messages/schema.ts";
import { narrowOf } from "@/messaging/narrows/narrow.ts";
import { mentionsOf } from "@/messaging/receipts/access.ts";
import { type KeptUnread, keptUnread, maxKept, type UnreadHome } from "@/messaging/receipts/kept-unread.ts";
import type { Receipt } from "@/messaging/receipts/rows.ts";
import { newestUnread } from "@/messaging/receipts/unread.ts";
import { knownChannel } from "@/places/channels/access.ts";
import { knowsArchived } from "@/places/channels/schema.ts";
import { conversation, participantsOf } from "@/places/conversations/access.ts";
import type { Conversation } from "@/places/conversations/rows.ts";
import { shownTopic, topicKey } from "@/places/topics/schema.ts";
import { visibilityOf } from "@/places/user-topics/access.ts";

/** Unread messages of one topic, or of one direct conversation. */
interface Group {
  place: Conversation;
  /** As the first message spells it. */
  topic: string;
  /** Ascending. */
  ids: readonly number[];
  /** Those that mention the whole channel. */
  toAll: readonly number[];
  /** As JSON, once it has been made; a group without a topic's name is shown in two ways. */
  text?: string;
}

interface Unread {
  /** In the order of their first messages. */
  groups: readonly Group[];
  /** The messages that mention the user by name, and those that mention the participants of their topic. */
  named: ReadonlySet<number>;
  inTopic: ReadonlySet<number>;
  /** Whether there are more. */
  isCut: boolean;
}

/** `unread_msgs`, if the client asks for both event types that keep it current. */
export function* unreadState(ctx: Ctx, request: StateRequest): Steps<Record<string, unknown>> {
  const { fetched } = request;
  return fetched && !fetched.has("message") ? {} : { unread_msgs: yield* unreadMessages(ctx, request) };
}

function* unreadMessages(ctx: Ctx, request: StateRequest): Steps<JsonText> {
  const kept = yield* keptUnread(ctx, me(ctx).id);
  const unread = yield* kept ? keptGroups(ctx, request, kept) : freshGroups(ctx, request);
  const showsEmpty = request.capabilities.has("empty_topic_name");
  const lists = yield* listsOf(ctx, unread.groups, showsEmpty);
  const { count, mentions } = yield* figuresOf(ctx, unread);
  const end = `"mentions":[${mentions}],"old_unreads_missing":${unread.isCut}`;
  const last = lastAnswers.get(unread.groups);
  if (last?.lists === lists && last.count === count && last.end === end) return last.json;
  const json = new JsonText(`{"count":${count},${lists},${end}}`);
  lastAnswers.set(unread.groups, { lists, count, end, json });
  return json;
}

/** The answers made last of these groups. */
const lastAnswers = new WeakMap<
  readonly Group[],
  { lists: string; count: number; end: string; json: JsonText }
>();

/** The groups made last from what is kept of a reader. */
const lastMade = new WeakMap<object, { from: readonly object[]; groups: readonly Group[] }>();

function* keptGroups(ctx: Ctx, request: StateRequest, { homes, reader, ...kept }: KeptUnread): Steps<Unread> {
  const selection = selectionOf(ctx, narrowOf(ctx, []));
  const isReadable = readableIn(selection);
  const isTold = toldTo(ctx, request);
  const shown = homes.filter(({ homeId, isPresent, topics }) => {
    return topics.length > 0 && isPresent && isTold(homeId) && selection.sightOf(homeId) !== "none";
  });
  const others: Other[] = [];
  for (const [i, one] of homes.flatMap((home) => home.others).entries()) {
    if (i % portion === portion - 1) yield portion;
    const { conversation_id: id } = one.row;
    if (kept.isPresentIn(id) && isTold(id) && isReadable(one.row)) others.push(one);
  }
  const { named, inTopic } = kept;
  const from = [...shown, ...others];
  const last = lastMade.get(reader);
  if (last && areSame(last.from, from)) return { groups: last.groups, named, inTopic, isCut: false };
  const groups = shown.flatMap((home) => groupsAt(ctx, home));
  addTo(groups, yield* groupedOthers(ctx, others));
  groups.sort((a, b) => (a.ids[0] ?? 0) - (b.ids[0] ?? 0));
  lastMade.set(reader, { from, groups });
  return { groups, named, inTopic, isCut: false };
}

/** The groups of a home, with their texts, as long as the home does not change. */
const groupsOfHomes = new WeakMap<UnreadHome, readonly Group[]>();

function groupsAt(ctx: Ctx, home: UnreadHome): readonly Group[] {
  const known = groupsOfHomes.get(home);
  if (known) return known;
  const place = conversation(ctx, home.homeId);
  const groups = home.topics.map(({ topic, ids, toAll }) => ({ place, topic, ids, toAll }));
  groupsOfHomes.set(home, groups);
  return groups;
}

function areSame(a: readonly object[], b: readonly object[]): boolean {
  return a.length === b.length && a.every((one, i) => one === b[i]);
}

const ascending = (a: number, b: number) => a - b;

type Other = UnreadHome["others"][number];

function* groupedOthers(ctx: Ctx, others: Other[]): Steps<readonly Group[]> {
  const groups: Open[] = [];
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

/** Adds groups, or their messages to those of the same topics. */
function addTo(groups: Group[], added: readonly Group[]): void {
  const places = new Set(added.map(({ place }) => place.id));
  const keyOf = ({ place, topic }: Group) => `${place.id}:${topicKey(topic)}`;
  const byKey = new Map<string, number>();
  for (const [at, group] of groups.entries()) if (places.has(group.place.id)) byKey.set(keyOf(group), at);
  for (const group of added) {
    const at = byKey.get(keyOf(group)) ?? groups.length;
    const known = groups[at];
    groups[at] = known ? joined(known, group) : group;
  }
}

const joined = (a: Group, b: Group): Group => ({
  place: a.place,
  topic: ((a.ids[0] ?? 0) < (b.ids[0] ?? 0) ? a : b).topic,
  ids: [...a.ids, ...b.ids].sort(ascending),
  toAll: [...a.toAll, ...b.toAll],
});

/** Reads all from the database, for people with very many unread messages. */
function* freshGroups(ctx: Ctx, request: StateRequest): Steps<Unread> {
  const user = me(ctx).id;
  const found = yield* newestUnread(ctx, user, maxKept + 1);
  const isTold = toldTo(ctx, request);
  const isReadable = readableIn(selectionOf(ctx, narrowOf(ctx, [])));
  const { byName, inTopic, toAll } = mentionsOf(ctx, user);
  const unread = { groups: [] as Open[], named: new Set<number>(), inTopic: new Set<number>() };
  const groupOf = grouping(ctx, unread.groups);
  for (const [i, row] of found.slice(-maxKept).entries()) {
    if (i % portion === 0) yield portion;
    if (!isTold(row.conversation_id) || !isReadable(row)) continue;
    const group = groupOf(row);
    group.ids.push(row.id);
    if (toAll(row)) group.toAll.push(row.id);
    if (byName(row)) unread.named.add(row.id);
    if (inTopic(row)) unread.inTopic.add(row.id);
  }
  return { ...unread, isCut: found.length > maxKept };
}

interface Open extends Group {
  ids: number[];
  toAll: number[];
}

/** Returns a function that finds the group of a message, or adds it to `groups`. */
function grouping(ctx: Ctx, groups: Open[]): (row: Receipt) => Open {
  const byPlace = new Map<number, Map<string, Open>>();
  return (row) => {
    const byTopic = byPlace.get(row.conversation_id) ?? new Map<string, Open>();
    if (byTopic.size === 0) byPlace.set(row.conversation_id, byTopic);
    const known = byTopic.get(row.topic);
    if (known) return known;
    // Topics that differ by case alone are one; the map knows each spelling, and the key, which may be one of them.
    const key = topicKey(row.topic);
    const place = conversation(ctx, row.conversation_id);
    const group = byTopic.get(key) ?? { place, topic: row.topic, ids: [], toAll: [] };
    if (group.ids.length === 0) groups.push(group);
    byTopic.set(key, group).set(row.topic, group);
    return group;
  };
}

/** Whether the client knows the channel of a conversation, if it is archived. */
function toldTo(ctx: Ctx, request: StateRequest): (conversationId: number) => boolean {
  if (knowsArchived(request)) return () => true;
  return (id) => {
    const { channel_id } = conversation(ctx, id);
    return channel_id === null || knownChannel(ctx, channel_id).is_archived === 0;
  };
}

/** How many messages count as unread, and which of them mention the user, ascending. */
function* figuresOf(
  ctx: Ctx,
  { groups, named, inTopic }: Unread,
): Steps<{ count: number; mentions: number[] }> {
  const { isMuted } = visibilityOf(ctx, me(ctx).id);
  const mentions = new Set<number>();
  let count = 0;
  for (const [i, { place, topic, ids, toAll }] of groups.entries()) {
    if (i % portion === portion - 1) yield portion;
    const isSilent = place.channel_id !== null && isMuted(place.channel_id, topic);
    if (!isSilent) count += ids.length;
    if (named.size > 0) for (const id of ids) if (named.has(id)) mentions.add(id);
    if (isSilent) continue;
    if (inTopic.size > 0) for (const id of ids) if (inTopic.has(id)) mentions.add(id);
    for (const id of toAll) mentions.add(id);
  }
  return { count, mentions: [...mentions].sort(ascending) };
}

interface Lists {
  showsEmpty: boolean;
  text: string;
}

/** The lists made last of these groups. */
const lastLists = new WeakMap<readonly Group[], Lists>();
/** Groups or messages handled in one step. */
const portion = 500;

/** The members `streams`, `pms` and `huddles` as JSON. */
function* listsOf(ctx: Ctx, groups: readonly Group[], showsEmpty: boolean): Steps<string> {
  const last = lastLists.get(groups);
  if (last?.showsEmpty === showsEmpty) return last.text;
  const user = me(ctx).id;
  const lists = { streams: [] as string[], pms: [] as string[], huddles: [] as string[] };
  for (const [i, group] of groups.entries()) {
    if (i % portion === portion - 1) yield portion;
    const { place, topic } = group;
    const text = group.text ?? textOf(group, user, showsEmpty);
    if (topic !== "" || place.channel_id === null) group.text = text;
    const isPair = place.channel_id === null && participantsOf(place).length <= 2;
    lists[place.channel_id !== null ? "streams" : isPair ? "pms" : "huddles"].push(text);
  }
  const text = Object.entries(lists)
    .map(([name, list]) => `"${name}":[${list.join()}]`)
    .join();
  lastLists.set(groups, { showsEmpty, text });
  return text;
}

function textOf({ place, topic, ids }: Group, user: number, showsEmpty: boolean): string {
  const end = `"unread_message_ids":[${ids.join()}]}`;
  if (place.channel_id !== null) {
    const shown = JSON.stringify(shownTopic(topic, showsEmpty));
    return `{"stream_id":${place.channel_id},"topic":${shown},${end}`;
  }
  const people = participantsOf(place);
  if (people.length > 2) return `{"user_ids_string":"${people.join()}",${end}`;
  const other = people.find((id) => id !== user) ?? user;
  return `{"other_user_id":${other},"sender_id":${other},${end}`;
}
