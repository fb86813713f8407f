// What is unread, by conversation.
import type { Message, Place } from "./message-shape.ts";
import { directPlace, placeKey, placeOf } from "./places.ts";
import { union, without } from "./records.ts";
import type { Reducers, State, Unread } from "./shape.ts";
import { isMuted } from "./topics.ts";

interface Detail {
  type: "private" | "stream";
  mentioned?: boolean;
  user_ids?: number[];
  stream_id?: number;
  topic?: string;
}

interface Note {
  id: number;
  place: Place;
  isMention: boolean;
}

function added(unread: State["unread"], notes: readonly Note[]): State["unread"] {
  const after = { ...unread };
  for (const { id, place, isMention } of notes) {
    const key = placeKey(place);
    const { ids = [], mentions = [] } = after[key] ?? {};
    after[key] = {
      place,
      ids: union(ids, [id]),
      mentions: isMention ? union(mentions, [id]) : without(mentions, [id]),
    };
  }
  return after;
}

function removed(unread: State["unread"], ids: readonly number[]): State["unread"] {
  const after = { ...unread };
  const gone = new Set(ids);
  for (const [key, one] of Object.entries(unread)) {
    if (!one.ids.some((id) => gone.has(id))) continue;
    const rest = one.ids.filter((id) => !gone.has(id));
    if (rest.length === 0) delete after[key];
    else after[key] = { ...one, ids: rest, mentions: one.mentions.filter((id) => !gone.has(id)) };
  }
  return after;
}

function where(unread: State["unread"], id: number): Unread | undefined {
  return Object.values(unread).find(({ ids }) => ids.includes(id));
}

export interface ReceivedMessage {
  message: Message;
  flags: readonly string[];
  local_message_id?: string;
}

const isNamed = (flags: readonly string[]) => flags.includes("mentioned");

function noteMessage(state: State, { message, flags }: ReceivedMessage): State {
  if (flags.includes("read")) return state;
  const place = placeOf(message, state.self.user_id);
  const isWide = message.type === "stream" && flags.includes("wildcard_mentioned") && !isMuted(state, place);
  const note = { id: message.id, place, isMention: isNamed(flags) || isWide };
  return { ...state, unread: added(state.unread, [note]) };
}

export interface Updated {
  message_id: number;
  message_ids: number[];
  flags: string[];
  user_id: number | null;
  rendering_only: boolean;
  edit_timestamp: number;
  stream_id?: number;
  new_stream_id?: number;
  subject?: string;
  content?: string;
  rendered_content?: string;
  is_me_message?: boolean;
}

function moveUnread(state: State, event: Updated): State {
  const { message_ids, message_id, stream_id = 0, new_stream_id = stream_id, subject, content } = event;
  const isMoved = subject !== undefined || event.new_stream_id !== undefined;
  let unread = state.unread;
  if (isMoved) {
    const moved = message_ids.flatMap((id) => {
      const from = where(unread, id);
      if (!from || "user_ids" in from.place) return [];
      const place = { stream_id: new_stream_id, topic: subject ?? from.place.topic };
      return [{ id, place, isMention: from.mentions.includes(id) }];
    });
    unread = removed(
      unread,
      moved.map(({ id }) => id),
    );
    // Nothing is unread in a channel without a subscription.
    if (state.subscriptions[new_stream_id]) unread = added(unread, moved);
  }
  const edited = content === undefined ? undefined : where(unread, message_id);
  if (edited) {
    const isMention = isNamed(event.flags) || event.flags.includes("wildcard_mentioned");
    unread = added(unread, [{ id: message_id, place: edited.place, isMention }]);
  }
  return unread === state.unread ? state : { ...state, unread };
}

/** The form of the initial state. */
export interface UnreadMessages {
  count: number;
  mentions: number[];
  streams: { stream_id: number; topic: string; unread_message_ids: number[] }[];
  pms: { other_user_id: number; unread_message_ids: number[] }[];
  huddles: { user_ids_string: string; unread_message_ids: number[] }[];
}

export function unreadFrom(given: UnreadMessages, self: number): State["unread"] {
  const mentions = new Set(given.mentions);
  const unread: State["unread"] = {};
  const put = (place: Place, ids: number[]) => {
    unread[placeKey(place)] = { place, ids, mentions: ids.filter((id) => mentions.has(id)) };
  };
  for (const one of given.streams)
    put({ stream_id: one.stream_id, topic: one.topic }, one.unread_message_ids);
  for (const one of given.pms) put(directPlace([one.other_user_id], self), one.unread_message_ids);
  for (const one of given.huddles)
    put(directPlace(one.user_ids_string.split(",").map(Number), self), one.unread_message_ids);
  return unread;
}

/** The number of unread messages in unmuted places. */
export function unreadTotal(state: Pick<State, "unread" | "user_topics" | "subscriptions">): number {
  const shown = Object.values(state.unread).filter(({ place }) => !isMuted(state, place));
  return shown.reduce((sum, { ids }) => sum + ids.length, 0);
}

export const unread: Reducers = {
  message: noteMessage,
  update_message: moveUnread,
  delete_message: (state, { message_id, message_ids = [message_id ?? 0] }: Deleted) => ({
    ...state,
    unread: removed(state.unread, message_ids),
  }),
  "update_message_flags/add": (
    state,
    { flag, messages, all }: { flag: string; messages: number[]; all: boolean },
  ) => (flag !== "read" ? state : { ...state, unread: all ? {} : removed(state.unread, messages) }),
  "update_message_flags/remove": (
    state,
    {
      flag,
      messages,
      message_details = {},
    }: { flag: string; messages: number[]; message_details?: Record<number, Detail> },
  ) => {
    if (flag !== "read") return state;
    const notes = messages.flatMap((id) => {
      const { type, user_ids = [], stream_id = 0, topic = "", mentioned = false } = message_details[id] ?? {};
      if (!type) return [];
      const place = type === "private" ? directPlace(user_ids, state.self.user_id) : { stream_id, topic };
      return [{ id, place, isMention: mentioned }];
    });
    return { ...state, unread: added(state.unread, notes) };
  },
};

export interface Deleted {
  message_id?: number;
  message_ids?: number[];
}
