// The messages that were fetched or have arrived, and the newest of each direct conversation.
import type * as edits from "@/messaging/message-edits/schema.ts";
import type * as schema from "@/messaging/messages/schema.ts";
import type { WireReaction } from "@/messaging/messages/schema.ts";
import type * as reactions from "@/messaging/reactions/schema.ts";
import type * as receipts from "@/messaging/receipts/schema.ts";
import type * as submessages from "@/messaging/submessages/schema.ts";
import { type Channels, changeChannels } from "./channels.ts";
import type { EventsOf, StateNoun } from "./noun.ts";
import type { Self } from "./people.ts";
import { directPlace, type PlaceKey, placeKey } from "./places.ts";
import { changeEntry, withEntry, withoutEntries } from "./records.ts";

export interface Message extends Omit<schema.Message, "flags"> {
  flags: readonly string[];
  /** Its ID in the outbox, if this client sent it. */
  local_id?: string;
}

export interface Messages {
  messages: Record<number, Message>;
  max_message_id: number;
  /** The newest message of each direct conversation. */
  recent: Record<PlaceKey, number>;
}

/** What happens to messages; several nouns follow it. */
export type MessageEvents = EventsOf<typeof schema> & EventsOf<typeof edits> & EventsOf<typeof receipts>;

interface OwnEvents {
  "client/known": { messages: Message[] };
}

type Others = Channels & { self: Self };
type Known = Messages & Others;

interface Registered {
  max_message_id: number;
  recent_private_conversations: { user_ids: number[]; max_message_id: number }[];
  user_id: number;
}

export const messages: StateNoun<
  Registered,
  Messages,
  MessageEvents & EventsOf<typeof reactions> & EventsOf<typeof submessages> & OwnEvents,
  Others
> = {
  takes: ["max_message_id", "recent_private_conversations"],
  initial: ({ max_message_id, recent_private_conversations, user_id }) => ({
    messages: {},
    max_message_id,
    recent: Object.fromEntries(
      recent_private_conversations.map((one) => [
        placeKey(directPlace(one.user_ids, user_id)),
        one.max_message_id,
      ]),
    ),
  }),
  reducers: {
    "client/known": (state, { messages }) => ({
      ...state,
      messages: { ...state.messages, ...Object.fromEntries(messages.map((one) => [one.id, one])) },
    }),
    message: addMessage,
    update_message: updateMessages,
    delete_message: (state, { message_id, message_ids = [message_id ?? 0] }) => ({
      ...state,
      messages: withoutEntries(state.messages, message_ids),
    }),
    "update_message_flags/add": (state, { flag, messages, all }) =>
      changeFlag(state, all ? Object.keys(state.messages).map(Number) : messages, (flags) =>
        flags.includes(flag) ? flags : [...flags, flag],
      ),
    "update_message_flags/remove": (state, { flag, messages }) =>
      changeFlag(state, messages, (flags) => flags.filter((one) => one !== flag)),
    "reaction/add": (state, event) =>
      changeMessage(state, event.message_id, (message) => ({
        ...message,
        reactions: [...message.reactions.filter((one) => !sameReaction(one, event)), reactionOf(event)],
      })),
    "reaction/remove": (state, event) =>
      changeMessage(state, event.message_id, (message) => ({
        ...message,
        reactions: message.reactions.filter((one) => !sameReaction(one, event)),
      })),
    submessage: (state, { message_id, submessage_id, sender_id, msg_type, content }) =>
      changeMessage(state, message_id, (message) => ({
        ...message,
        submessages: [
          ...message.submessages.filter(({ id }) => id !== submessage_id),
          { id: submessage_id, message_id, sender_id, msg_type, content },
        ],
      })),
  },
};

function addMessage(
  state: Known,
  { message, flags, local_message_id: local_id }: MessageEvents["message"],
): Known {
  const after = {
    ...state,
    max_message_id: Math.max(state.max_message_id, message.id),
    messages: withEntry(state.messages, message.id, { ...message, flags, ...(local_id && { local_id }) }),
  };
  if (message.type === "stream") {
    return changeChannels(after, [message.stream_id as number], ({ first_message_id }) => ({
      first_message_id: first_message_id ?? message.id,
      is_recently_active: true,
    }));
  }
  const people = (message.display_recipient as schema.Recipient[]).map(({ id }) => id);
  const key = placeKey(directPlace(people, state.self.user_id));
  return { ...after, recent: withEntry(state.recent, key, message.id) };
}

function updateMessages(state: Known, event: MessageEvents["update_message"]): Known {
  const messages = { ...state.messages };
  const { message_id, message_ids, content, rendered_content, new_stream_id, subject } = event;
  for (const id of message_ids) {
    const before = messages[id];
    if (!before || (subject === undefined && new_stream_id === undefined)) continue;
    messages[id] = {
      ...before,
      subject: subject ?? before.subject,
      stream_id: new_stream_id ?? before.stream_id,
      display_recipient:
        new_stream_id === undefined
          ? before.display_recipient
          : (state.streams[new_stream_id]?.name ?? before.display_recipient),
      last_moved_timestamp: event.edit_timestamp,
    };
  }
  const edited = messages[message_id];
  if (edited && rendered_content !== undefined) {
    messages[message_id] = {
      ...edited,
      content: rendered_content,
      is_me_message: event.is_me_message ?? edited.is_me_message,
      flags: [...new Set([...edited.flags.filter(isOwn), ...event.flags])],
      ...(event.rendering_only || content === undefined ? {} : { last_edit_timestamp: event.edit_timestamp }),
    };
  }
  return { ...state, messages };
}

const ownFlags = ["read", "starred", "collapsed", "historical"];
const isOwn = (flag: string) => ownFlags.includes(flag);

function changeFlag<State extends Messages>(
  state: State,
  ids: readonly number[],
  change: (flags: readonly string[]) => readonly string[],
): State {
  const known = ids.flatMap((id) => state.messages[id] ?? []);
  if (known.length === 0) return state;
  const entries = known.map((message) => [message.id, { ...message, flags: change(message.flags) }]);
  return { ...state, messages: { ...state.messages, ...Object.fromEntries(entries) } };
}

const sameReaction = (a: WireReaction, b: WireReaction) =>
  a.emoji_code === b.emoji_code && a.reaction_type === b.reaction_type && a.user_id === b.user_id;

type Reacted = WireReaction & { message_id: number };

function reactionOf({ emoji_name, emoji_code, reaction_type, user_id }: Reacted): WireReaction {
  return { emoji_name, emoji_code, reaction_type, user_id };
}

function changeMessage<State extends Messages>(
  state: State,
  id: number,
  change: (message: Message) => Message,
): State {
  const messages = changeEntry(state.messages, id, change);
  return messages === state.messages ? state : { ...state, messages };
}
