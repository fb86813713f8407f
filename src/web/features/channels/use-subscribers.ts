import { useCallback, useEffect, useState } from "react";
import { useClient, useSelect } from "../../api/client.ts";
import { channelOf } from "../../state/selectors.ts";
import { showFailure } from "../../ui/toasts.tsx";

/** The subscribers of a channel; null until they are loaded. Fetched again when somebody joins or leaves. */
export function useSubscribers(channel: number): { ids: readonly number[] | null; load: () => void } {
  const { api } = useClient();
  const count = useSelect((state) => channelOf(state, channel)?.subscriber_count ?? -1);
  const [known, setKnown] = useState<{ channel: number; ids: readonly number[] } | null>(null);
  const load = useCallback(() => {
    api
      .get<{ subscribers: number[] }>(`/streams/${channel}/members`)
      .then(({ subscribers }) => setKnown({ channel, ids: subscribers }), showFailure);
  }, [api, channel]);
  useEffect(() => {
    if (count >= 0) load();
  }, [load, count]);
  return { ids: known?.channel === channel ? known.ids : null, load };
}
