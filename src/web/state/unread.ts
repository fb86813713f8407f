// What is unread, by conversation.
import type { ChannelEvents } from "./channels.ts";
import type { MessageEvents } from "./messages.ts";
import type { StateNoun } from "./noun.ts";
import type { Self } from "./people.ts";
import { directPlace, type Place, type PlaceKey, placeKey, placeOf } from "./places.ts";
import { union, without, withoutEntries } from "./records.ts";
import { isMuted, type Visibilities } from "./topics.ts";

export interface Unread {
  place: Place;
  /** Ascending. */
  ids: readonly number[];
  /** Those that mention the person, ascending. */
  mentions: readonly number[];
}

interface Unreads {
  unread: Record<PlaceKey, Unread>;
}

type Others = Visibilities & { self: Self };
type Known = Unreads & Others;

/** The form of the initial state. */
interface UnreadMessages {
  count: number;
  mentions: number[];
  streams: { stream_id: number; topic: string; unread_message_ids: number[] }[];
  pms: { other_user_id: number; unread_message_ids: number[] }[];
  huddles: { user_ids_string: string; unread_message_ids: number[] }[];
}

export const unread: StateNoun<
  { unread_msgs: UnreadMessages; user_id: number },
  Unreads,
  MessageEvents & ChannelEvents,
  Others
> = {
  takes: ["unread_msgs"],
  initial: ({ unread_msgs, user_id }) => ({ unread: unreadFrom(unread_msgs, user_id) }),
  reducers: {
    message: noteMessage,
    update_message: moveUnread,
    delete_message: (state, { message_id, message_ids = [message_id ?? 0] }) => ({
      ...state,
      unread: removeUnread(state.unread, message_ids),
    }),
    "update_message_flags/add": (state, { flag, messages, all }) =>
      flag !== "read" ? state : { ...state, unread: all ? {} : removeUnread(state.unread, messages) },
    "update_message_flags/remove": (state, { flag, messages, message_details = {} }) => {
      if (flag !== "read") return state;
      const notes = messages.flatMap((id) => {
        const {
          type,
          user_ids = [],
          stream_id = 0,
          topic = "",
          mentioned = false,
        } = message_details[id] ?? {};
        if (!type) return [];
        const place = type === "private" ? directPlace(user_ids, state.self.user_id) : { stream_id, topic };
        return [{ id, place, isMention: mentioned }];
      });
      return { ...state, unread: addUnread(state.unread, notes) };
    },
    "stream/delete": (state, { stream_ids }) => ({
      ...state,
      unread: withoutEntries(
        state.unread,
        Object.entries(state.unread).flatMap(([key, { place }]) =>
          "stream_id" in place && stream_ids.includes(place.stream_id) ? [key] : [],
        ),
      ),
    }),
  },
};

interface Note {
  id: number;
  place: Place;
  isMention: boolean;
}

function addUnread(unread: Unreads["unread"], notes: readonly Note[]): Unreads["unread"] {
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

function removeUnread(unread: Unreads["unread"], ids: readonly number[]): Unreads["unread"] {
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

function where(unread: Unreads["unread"], id: number): Unread | undefined {
  return Object.values(unread).find(({ ids }) => ids.includes(id));
}

const isNamed = (flags: readonly string[]) => flags.includes("mentioned");

function noteMessage(state: Known, { message, flags }: MessageEvents["message"]): Known {
  if (flags.includes("read")) return state;
  const place = placeOf(message, state.self.user_id);
  const isWide = message.type === "stream" && flags.includes("wildcard_mentioned") && !isMuted(state, place);
  const note = { id: message.id, place, isMention: isNamed(flags) || isWide };
  return { ...state, unread: addUnread(state.unread, [note]) };
}

function moveUnread(state: Known, event: MessageEvents["update_message"]): Known {
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
    unread = removeUnread(
      unread,
      moved.map(({ id }) => id),
    );
    // Nothing is unread in a channel without a subscription.
    if (state.subscriptions[new_stream_id]) unread = addUnread(unread, moved);
  }
  const edited = content === undefined ? undefined : where(unread, message_id);
  if (edited) {
    const isMention = isNamed(event.flags) || event.flags.includes("wildcard_mentioned");
    unread = addUnread(unread, [{ id: message_id, place: edited.place, isMention }]);
  }
  return unread === state.unread ? state : { ...state, unread };
}

function unreadFrom(given: UnreadMessages, self: number): Unreads["unread"] {
  const mentions = new Set(given.mentions);
  const unread: Unreads["unread"] = {};
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
export function unreadTotal(state: Unreads & Visibilities): number {
  const shown = Object.values(state.unread).filter(({ place }) => !isMuted(state, place));
  return shown.reduce((sum, { ids }) => sum + ids.length, 0);
}

/** The number of unread messages that mention the person. */
export function mentionTotal({ unread }: Unreads): number {
  return Object.values(unread).reduce((sum, { mentions }) => sum + mentions.length, 0);
}
