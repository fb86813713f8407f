// The `unread_msgs` of the initial state. What is asked for each message is little, since there may be 50,000.

import { me } from "@/foundation/permissions/access.ts";
import type { Ctx, StateRequest } from "@/kernel/context.ts";
import { JsonText } from "@/kernel/json-text.ts";
import { JsonWriter } from "@/kernel/json-writer.ts";
import type { Steps } from "@/kernel/steps.ts";
import { readableIn, selectionOf } from "@/messaging/message-pages/selection.ts";
import { messageBits } from "@/messaging/messages/schema.ts";
import { narrowOf } from "@/messaging/narrows/narrow.ts";
import { mentionsOf } from "@/messaging/receipts/access.ts";
import { type Spelling, spellingOf } from "@/messaging/receipts/kept-messages.ts";
import { type KeptUnread, keptUnread, maxKept, type UnreadHome } from "@/messaging/receipts/kept-unread.ts";
import type { Receipt } from "@/messaging/receipts/rows.ts";
import { newestUnread } from "@/messaging/receipts/unread.ts";
import { knownChannel } from "@/places/channels/access.ts";
import { knowsArchived } from "@/places/channels/schema.ts";
import { conversation, participantsOf } from "@/places/conversations/access.ts";
import type { Conversation } from "@/places/conversations/rows.ts";
import { shownTopic } from "@/places/topics/schema.ts";
import { visibilityOf } from "@/places/user-topics/access.ts";

/** Unread messages of one topic, or of one direct conversation. */
interface Group {
  place: Conversation;
  /** As the first message spells it. */
  spelling: Spelling;
  /** Ascending. */
  ids: readonly number[];
  /** Those that mention the whole channel. */
  toAll: readonly number[];
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
  const begin = `{"count":${count},`;
  const end = `,"mentions":[${mentions}],"old_unreads_missing":${unread.isCut}}`;
  const last = lastAnswers.get(unread.groups);
  if (last?.lists === lists && last.begin === begin && last.end === end) return last.json;
  const json = new JsonText(Buffer.concat([Buffer.from(begin), lists, Buffer.from(end)]));
  lastAnswers.set(unread.groups, { lists, begin, end, json });
  return json;
}

/** The answers made last of these groups. */
const lastAnswers = new WeakMap<
  readonly Group[],
  { lists: Uint8Array; begin: string; end: string; json: JsonText }
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
  let passed = 0;
  for (const home of homes)
    for (const one of home.others) {
      if (++passed % portion === 0) yield portion;
      const { conversation_id: id } = one.row;
      if (kept.isPresentIn(id) && isTold(id) && isReadable(one.row)) others.push(one);
    }
  const { named, inTopic } = kept;
  const from = [...shown, ...others];
  const last = lastMade.get(reader);
  if (last && areSame(last.from, from)) return { groups: last.groups, named, inTopic, isCut: false };
  const groups: Group[] = [];
  for (const home of shown) for (const group of groupsAt(ctx, home)) groups.push(group);
  addTo(groups, yield* groupedOthers(ctx, others));
  const sorted = inOrder(groups);
  lastMade.set(reader, { from, groups: sorted });
  return { groups: sorted, named, inTopic, isCut: false };
}

/** Sorts by first message: as numbers, which is several times quicker than with a function that compares. */
function inOrder(groups: readonly Group[]): Group[] {
  const step = groups.length;
  const keys = new Float64Array(step);
  for (let i = 0; i < step; i++) keys[i] = ((groups[i] as Group).ids[0] ?? 0) * step + i;
  keys.sort();
  return Array.from(keys, (key) => groups[key % step] as Group);
}

/** The groups of a home, as long as it does not change. */
const groupsOfHomes = new WeakMap<UnreadHome, readonly Group[]>();

function groupsAt(ctx: Ctx, home: UnreadHome): readonly Group[] {
  const known = groupsOfHomes.get(home);
  if (known) return known;
  const place = conversation(ctx, home.homeId);
  const groups = home.topics.map(({ spelling, ids, toAll }) => ({ place, spelling, ids, toAll }));
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
  if (places.size === 0) return;
  const keyOf = ({ place, spelling }: Group) => `${place.id}:${spelling.key}`;
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
  spelling: ((a.ids[0] ?? 0) < (b.ids[0] ?? 0) ? a : b).spelling,
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
    const spelling = spellingOf(row.topic);
    const { key } = spelling;
    const place = conversation(ctx, row.conversation_id);
    const group = byTopic.get(key) ?? { place, spelling, ids: [], toAll: [] };
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
  for (const [i, { place, spelling, ids, toAll }] of groups.entries()) {
    if (i % portion === portion - 1) yield portion;
    const isSilent = place.channel_id !== null && isMuted(place.channel_id, spelling.topic);
    if (!isSilent) count += ids.length;
    if (named.size > 0) for (const id of ids) if (named.has(id)) mentions.add(id);
    if (isSilent) continue;
    if (inTopic.size > 0) for (const id of ids) if (inTopic.has(id)) mentions.add(id);
    if (toAll.length > 0) for (const id of toAll) mentions.add(id);
  }
  return { count, mentions: [...mentions].sort(ascending) };
}

interface Lists {
  showsEmpty: boolean;
  bytes: Uint8Array;
}

/** The lists made last of these groups. */
const lastLists = new WeakMap<readonly Group[], Lists>();
/** Groups or messages handled in one step. */
const portion = 1000;
/** Of a group. */
const usualBytes = 90;

/** The members `streams`, `pms` and `huddles` as JSON. */
function* listsOf(ctx: Ctx, groups: readonly Group[], showsEmpty: boolean): Steps<Uint8Array> {
  const last = lastLists.get(groups);
  if (last?.showsEmpty === showsEmpty) return last.bytes;
  const user = me(ctx).id;
  const noTopic = middleOf("", showsEmpty);
  const streams = new JsonWriter(groups.length * usualBytes);
  const [pms, huddles] = [new JsonWriter(), new JsonWriter()];
  for (let i = 0; i < groups.length; i++) {
    if (i % portion === portion - 1) yield portion;
    const { place, spelling, ids } = groups[i] as Group;
    if (place.channel_id !== null) {
      streams.copy(streams.length === 0 ? parts.firstChannel : parts.nextChannel);
      streams.integer(place.channel_id);
      if (spelling.topic !== "") spelling.made ??= middleOf(spelling.topic, showsEmpty);
      streams.copy(spelling.made ?? noTopic);
      streams.integers(ids);
      continue;
    }
    const people = participantsOf(place);
    const list = people.length > 2 ? huddles : pms;
    const other = people.find((id) => id !== user) ?? user;
    const who =
      people.length > 2
        ? `"user_ids_string":"${people.join()}"`
        : `"other_user_id":${other},"sender_id":${other}`;
    list.text(`${list.length === 0 ? "" : endOfEntry}{${who}${beforeIds}`);
    list.integers(ids);
  }
  const all = new JsonWriter(streams.length + pms.length + huddles.length + usualBytes);
  for (const [name, list] of Object.entries({ streams, pms, huddles })) {
    all.text(`${all.length === 0 ? "" : ","}"${name}":[`);
    all.copy(list.end());
    all.text(list.length === 0 ? "]" : "]}]");
  }
  const bytes = all.end();
  lastLists.set(groups, { showsEmpty, bytes });
  return bytes;
}

const beforeIds = ',"unread_message_ids":[';
const endOfEntry = "]},";
const parts = {
  firstChannel: Buffer.from('{"stream_id":'),
  nextChannel: Buffer.from(`${endOfEntry}{"stream_id":`),
};

/** What is between the IDs of the channel and those of the messages. */
function middleOf(topic: string, showsEmpty: boolean): Uint8Array {
  return Buffer.from(`,"topic":${JSON.stringify(shownTopic(topic, showsEmpty))}${beforeIds}`);
}
