// The topics of channels, newest first, for the channels that were opened.
import type { Message, TopicEntry } from "./message-shape.ts";
import { withEntry, withoutEntries } from "./records.ts";
import type { Reducers, State } from "./shape.ts";

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

export const topicLists: Reducers = {
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
