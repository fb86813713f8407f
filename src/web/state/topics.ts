// Topics: how visible they are, and the lists of those of the channels that were opened, newest first.
import type { UserTopic } from "@/places/user-topics/schema.ts";
import type { Message, Place, TopicEntry } from "./message-shape.ts";
import { topicKey } from "./places.ts";
import { withEntry, withoutEntries } from "./records.ts";
import { type Reducers, type State, type Visibility, visibility } from "./shape.ts";

/** The person's own visibility policy for a topic. */
export function visibilityOf(
  state: Pick<State, "user_topics">,
  channelId: number,
  topic: string,
): Visibility {
  return state.user_topics[topicKey(channelId, topic)]?.visibility_policy ?? visibility.inherited;
}

/** Whether a topic is muted: left out of totals and of the combined feed. */
export function isMuted(state: Pick<State, "user_topics" | "subscriptions">, place: Place): boolean {
  if ("user_ids" in place) return false;
  const policy = visibilityOf(state, place.stream_id, place.topic);
  if (policy === visibility.inherited) return state.subscriptions[place.stream_id]?.is_muted === true;
  return policy === visibility.muted;
}

function bumped(entries: readonly TopicEntry[], message: Message): readonly TopicEntry[] {
  const key = message.subject.toLowerCase();
  const rest = entries.filter(({ name }) => name.toLowerCase() !== key);
  return [{ name: message.subject, max_id: message.id }, ...rest];
}

/** A moved or deleted message may have been a topic's newest, so the list must be fetched again. */
function forget(state: State, channels: readonly (number | undefined)[]): State {
  const known = channels.filter((id): id is number => id !== undefined && id in state.topic_lists);
  return known.length === 0 ? state : { ...state, topic_lists: withoutEntries(state.topic_lists, known) };
}

export const topics: Reducers = {
  user_topic: (state, { type, id, ...topic }: UserTopic & { type: string; id?: number }) => {
    const key = topicKey(topic.stream_id, topic.topic_name);
    return {
      ...state,
      user_topics:
        topic.visibility_policy === visibility.inherited
          ? withoutEntries(state.user_topics, [key])
          : withEntry(state.user_topics, key, topic),
    };
  },
  "client/topics": (state, { channel, topics }: { channel: number; topics: TopicEntry[] }) => ({
    ...state,
    topic_lists: withEntry(state.topic_lists, channel, topics),
  }),
  message: (state, { message }: { message: Message }) => {
    const { stream_id = 0 } = message;
    const entries = state.topic_lists[stream_id];
    if (!entries) return state;
    return { ...state, topic_lists: withEntry(state.topic_lists, stream_id, bumped(entries, message)) };
  },
  update_message: (
    state,
    { stream_id, new_stream_id, subject }: { stream_id?: number; new_stream_id?: number; subject?: string },
  ) =>
    subject === undefined && new_stream_id === undefined ? state : forget(state, [stream_id, new_stream_id]),
  delete_message: (state, { stream_id }: { stream_id?: number }) => forget(state, [stream_id]),
};
