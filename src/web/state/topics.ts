import type { Place } from "./message-shape.ts";
import { topicKey } from "./places.ts";
import { withEntry, withoutEntries } from "./records.ts";
import type { Reducers, State, UserTopic, Visibility } from "./shape.ts";
import { visibility } from "./shape.ts";

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
};
