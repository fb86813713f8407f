// Unread messages by topic, or by direct conversation.

import type { Ctx } from "@/kernel/core/context.ts";
import type { Receipt } from "@/messaging/message-rows/schema.ts";
import { type Spelling, spellingOf } from "@/messaging/receipts/cached-messages.ts";
import type { UnreadHome } from "@/messaging/receipts/cached-unread.ts";
import { conversation } from "@/places/conversations/access.ts";
import type { Conversation } from "@/places/conversations/schema.ts";

/** Unread messages of one topic, or of one direct conversation. */
export interface UnreadGroup {
  place: Conversation;
  /** As the first message spells it. */
  spelling: Spelling;
  /** Ascending. */
  ids: readonly number[];
  /** Those that mention the whole channel. */
  toAll: readonly number[];
  /** What is known of all groups of its home, unless messages from elsewhere are in it. */
  home: HomeOfGroups | null;
  /** Where its entry begins and ends in the text of its home. */
  from: number;
  to: number;
}

/** Groups or messages handled in one step. */
export const portion = 1000;

/** Groups that are read together. */
export interface UnreadSource {
  groups: readonly UnreadGroup[];
  home: HomeOfGroups | null;
}

export interface HomeOfGroups {
  channelId: number | null;
  groups: readonly UnreadGroup[];
  /** Of messages. */
  count: number;
  toAll: readonly number[];
  /** The entries of its groups: written when they are first wanted. `showsEmpty` is null if it makes no difference. */
  text: { bytes: Buffer; showsEmpty: boolean | null } | null;
}

/** As long as the unread messages of a home do not change; many people may have the same ones. */
const known = new WeakMap<UnreadHome["topics"], UnreadSource & { home: HomeOfGroups }>();

export function sourceAt(ctx: Ctx, { homeId, topics }: UnreadHome): UnreadSource {
  const found = known.get(topics);
  if (found) return found;
  const place = conversation(ctx, homeId);
  const groups: UnreadGroup[] = [];
  const toAll: number[] = [];
  const home: HomeOfGroups = { channelId: place.channel_id, groups, count: 0, toAll, text: null };
  for (const topic of topics) {
    groups.push({
      place,
      spelling: topic.spelling,
      ids: topic.ids,
      toAll: topic.toAll,
      home,
      from: 0,
      to: 0,
    });
    home.count += topic.ids.length;
    for (const id of topic.toAll) toAll.push(id);
  }
  const source = { groups, home };
  known.set(topics, source);
  return source;
}

/** Sorts by first message: as numbers, which is several times quicker than with a function that compares. */
export function inOrder(groups: readonly UnreadGroup[]): UnreadGroup[] {
  const step = groups.length;
  const keys = new Float64Array(step);
  for (let i = 0; i < step; i++) keys[i] = ((groups[i] as UnreadGroup).ids[0] ?? 0) * step + i;
  keys.sort();
  const sorted: UnreadGroup[] = [];
  for (let i = 0; i < step; i++) sorted.push(groups[(keys[i] as number) % step] as UnreadGroup);
  return sorted;
}

/** Adds groups, or their messages to those of the same topics. */
export function addTo(groups: UnreadGroup[], added: readonly UnreadGroup[]): void {
  const places = new Set(added.map(({ place }) => place.id));
  if (places.size === 0) return;
  const keyOf = ({ place, spelling }: UnreadGroup) => `${place.id}:${spelling.key}`;
  const byKey = new Map<string, number>();
  for (const [at, group] of groups.entries()) if (places.has(group.place.id)) byKey.set(keyOf(group), at);
  for (const group of added) {
    const at = byKey.get(keyOf(group)) ?? groups.length;
    const known = groups[at];
    groups[at] = known ? joinGroups(known, group) : group;
  }
}

const joinGroups = (a: UnreadGroup, b: UnreadGroup): UnreadGroup => ({
  place: a.place,
  spelling: ((a.ids[0] ?? 0) < (b.ids[0] ?? 0) ? a : b).spelling,
  ids: [...a.ids, ...b.ids].sort((one, other) => one - other),
  toAll: [...a.toAll, ...b.toAll],
  ...apart,
});

const apart = { home: null, from: 0, to: 0 };

export interface OpenGroup extends UnreadGroup {
  ids: number[];
  toAll: number[];
}

/** Returns a function that finds the group of a message, or adds it to `groups`. */
export function grouping(ctx: Ctx, groups: OpenGroup[]): (row: Receipt) => OpenGroup {
  const byPlace = new Map<number, Map<string, OpenGroup>>();
  return (row) => {
    const byTopic = byPlace.get(row.conversation_id) ?? new Map<string, OpenGroup>();
    if (byTopic.size === 0) byPlace.set(row.conversation_id, byTopic);
    const known = byTopic.get(row.topic);
    if (known) return known;
    // Topics that differ by case alone are one; the map knows each spelling, and the key, which may be one of them.
    const spelling = spellingOf(row.topic);
    const { key } = spelling;
    const place = conversation(ctx, row.conversation_id);
    const group = byTopic.get(key) ?? { place, spelling, ids: [], toAll: [], ...apart };
    if (group.ids.length === 0) groups.push(group);
    byTopic.set(key, group).set(row.topic, group);
    return group;
  };
}
