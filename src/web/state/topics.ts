// Topics: how visible they are, and the lists of those of the channels that were opened, newest first.
import type { Message } from "@/messaging/messages/schema.ts";
import type * as schema from "@/places/user-topics/schema.ts";
import type { Channels } from "./channels.ts";
import type { MessageEvents } from "./messages.ts";
import type { EventsOf, StateNoun } from "./noun.ts";
import { type Place, type PlaceKey, topicKey } from "./places.ts";
import { withEntry, withoutEntries } from "./records.ts";

/** How visible a topic is to the person. */
export const visibility = { inherited: 0, muted: 1, unmuted: 2, followed: 3 } as const satisfies Record<
  string,
  schema.Policy
>;
export type Visibility = (typeof visibility)[keyof typeof visibility];

/** Begins the names of topics that are resolved. */
export const resolvedSign = "✔ ";

/** A topic of a channel. */
export interface TopicEntry {
  name: string;
  /** Its newest message. */
  max_id: number;
}

interface Topics {
  user_topics: Record<PlaceKey, schema.UserTopic>;
  /** By channel, newest first; only of channels that the user has opened. */
  topic_lists: Record<number, readonly TopicEntry[]>;
}

/** What decides whether a topic is muted. */
export type Visibilities = Pick<Topics, "user_topics"> & Pick<Channels, "subscriptions">;

interface OwnEvents {
  "client/topics": { channel: number; topics: TopicEntry[] };
}

/** The person's own visibility policy for a topic. */
export function visibilityOf(
  state: Pick<Topics, "user_topics">,
  channelId: number,
  topic: string,
): Visibility {
  return state.user_topics[topicKey(channelId, topic)]?.visibility_policy ?? visibility.inherited;
}

/** Whether a topic is muted: left out of totals and of the combined feed. */
export function isMuted(state: Visibilities, place: Place): boolean {
  if ("user_ids" in place) return false;
  const policy = visibilityOf(state, place.stream_id, place.topic);
  if (policy === visibility.inherited) return state.subscriptions[place.stream_id]?.is_muted === true;
  return policy === visibility.muted;
}

function bumpTopic(
  entries: readonly TopicEntry[],
  message: Pick<Message, "id" | "subject">,
): readonly TopicEntry[] {
  const key = message.subject.toLowerCase();
  const rest = entries.filter(({ name }) => name.toLowerCase() !== key);
  return [{ name: message.subject, max_id: message.id }, ...rest];
}

/** A moved or deleted message may have been a topic's newest, so the list must be fetched again. */
function forget<State extends Topics>(state: State, channels: readonly (number | undefined)[]): State {
  const known = channels.filter((id): id is number => id !== undefined && id in state.topic_lists);
  return known.length === 0 ? state : { ...state, topic_lists: withoutEntries(state.topic_lists, known) };
}

export const topics: StateNoun<
  { user_topics: schema.UserTopic[] },
  Topics,
  EventsOf<typeof schema> & MessageEvents & OwnEvents
> = {
  takes: ["user_topics"],
  initial: ({ user_topics }) => ({
    user_topics: Object.fromEntries(user_topics.map((one) => [topicKey(one.stream_id, one.topic_name), one])),
    topic_lists: {},
  }),
  reducers: {
    user_topic: (state, { type, op, id, ...topic }) => {
      const key = topicKey(topic.stream_id, topic.topic_name);
      return {
        ...state,
        user_topics:
          topic.visibility_policy === visibility.inherited
            ? withoutEntries(state.user_topics, [key])
            : withEntry(state.user_topics, key, topic),
      };
    },
    "client/topics": (state, { channel, topics }) => ({
      ...state,
      topic_lists: withEntry(state.topic_lists, channel, topics),
    }),
    message: (state, { message }) => {
      const { stream_id = 0 } = message;
      const entries = state.topic_lists[stream_id];
      if (!entries) return state;
      return { ...state, topic_lists: withEntry(state.topic_lists, stream_id, bumpTopic(entries, message)) };
    },
    update_message: (state, { stream_id, new_stream_id, subject }) =>
      subject === undefined && new_stream_id === undefined
        ? state
        : forget(state, [stream_id, new_stream_id]),
    delete_message: (state, { stream_id }) => forget(state, [stream_id]),
  },
};
