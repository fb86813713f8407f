import { useEffect, useRef } from "react";
import { useClient, useSelect } from "../../api/client.ts";
import type { TopicEntry } from "../../state/topics.ts";

/** The topics of a channel, newest first; null until they are loaded. Keeps the old list while it loads again. */
export function useTopics(channel: number): readonly TopicEntry[] | null {
  const { fetching } = useClient();
  const known = useSelect((state) => state.topic_lists[channel]);
  const shown = useRef<{ channel: number; topics: readonly TopicEntry[] } | null>(null);
  if (known) shown.current = { channel, topics: known };
  useEffect(() => {
    if (!known) fetching.topics(channel).catch(() => {});
  }, [known, channel, fetching]);
  return shown.current?.channel === channel ? shown.current.topics : null;
}
