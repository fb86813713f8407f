// The lists of unread messages in the initial state, as JSON in bytes.

import { JsonWriter } from "@/kernel/lib/json-writer.ts";
import type { Task } from "@/kernel/lib/tasks.ts";
import { participantsOf } from "@/places/conversations/access.ts";
import { displayTopic } from "@/places/topics/schema.ts";
import { type HomeOfGroups, portion, type UnreadGroup } from "./unread-groups.ts";

/** Pieces of JSON, one after the other. */
export type Lists = readonly Uint8Array[];

/** The lists made last of these groups. */
const lastLists = new WeakMap<readonly UnreadGroup[], { showsEmpty: boolean; lists: Lists }>();
/** Of a group. */
const usualBytes = 90;

/** The members `streams`, `pms` and `huddles` for a user. */
export function* listsOf(userId: number, groups: readonly UnreadGroup[], showsEmpty: boolean): Task<Lists> {
  const last = lastLists.get(groups);
  if (last?.showsEmpty === showsEmpty) return last.lists;
  const streams = new JsonWriter(groups.length * usualBytes);
  const [pms, huddles] = [new JsonWriter(), new JsonWriter()];
  for (let i = 0; i < groups.length; i++) {
    if (i % portion === portion - 1) yield portion;
    const group = groups[i] as UnreadGroup;
    const { place, home } = group;
    if (place.channel_id === null) addDirect(userId, group, { pms, huddles });
    else if (home) streams.copyFrom(textOf(home, showsEmpty), group.from, group.to);
    else addTopic(streams, place.channel_id, group, showsEmpty);
  }
  const lists = [
    ...list('"streams":[', streams.end()),
    ...list(',"pms":[', pms.end()),
    ...list(',"huddles":[', huddles.end()),
  ];
  lastLists.set(groups, { showsEmpty, lists });
  return lists;
}

/** Each entry ends with a comma. */
function list(begin: string, entries: Uint8Array): Uint8Array[] {
  return [Buffer.from(begin), entries.subarray(0, Math.max(0, entries.length - 1)), endOfList];
}

const endOfList = Buffer.from("]");

/** The entries of all groups of a channel. */
function textOf(home: HomeOfGroups, showsEmpty: boolean): Buffer {
  if (home.text && (home.text.showsEmpty ?? showsEmpty) === showsEmpty) return home.text.bytes;
  const json = new JsonWriter(home.groups.length * usualBytes);
  for (const group of home.groups) {
    group.from = json.length;
    addTopic(json, home.channelId ?? 0, group, showsEmpty);
    group.to = json.length;
  }
  const hasEmpty = home.groups.some(({ spelling }) => spelling.topic === "");
  home.text = { bytes: Buffer.from(json.end()), showsEmpty: hasEmpty ? showsEmpty : null };
  return home.text.bytes;
}

function addTopic(
  streams: JsonWriter,
  channelId: number,
  { spelling, ids }: UnreadGroup,
  showsEmpty: boolean,
): void {
  streams.copy(beforeChannel);
  streams.integer(channelId);
  if (spelling.topic === "") streams.copy(middleOf("", showsEmpty));
  else {
    spelling.made ??= middleOf(spelling.topic, showsEmpty);
    streams.copy(spelling.made);
  }
  streams.integers(ids);
  streams.copy(endOfEntry);
}

/** What is between the IDs of the channel and those of the messages. */
function middleOf(topic: string, showsEmpty: boolean): Uint8Array {
  return Buffer.from(`,"topic":${JSON.stringify(displayTopic(topic, showsEmpty))}${beforeIds}`);
}

function addDirect(
  userId: number,
  { place, ids }: UnreadGroup,
  { pms, huddles }: { pms: JsonWriter; huddles: JsonWriter },
): void {
  const people = participantsOf(place);
  const json = people.length > 2 ? huddles : pms;
  const other = people.find((id) => id !== userId) ?? userId;
  const who =
    people.length > 2
      ? `"user_ids_string":"${people.join()}"`
      : `"other_user_id":${other},"sender_id":${other}`;
  json.text(`{${who}${beforeIds}`);
  json.integers(ids);
  json.copy(endOfEntry);
}

const beforeIds = ',"unread_message_ids":[';
const [beforeChannel, endOfEntry] = ['{"stream_id":', "]},"].map((text) => Buffer.from(text)) as [
  Buffer,
  Buffer,
];
