// When the topic on screen is renamed or moved, the view follows it.
import { useEffect } from "react";
import { useClient } from "../api/client.ts";
import { t } from "../lib/texts.ts";
import { useLatest } from "../lib/use-latest.ts";
import type { MessageEvents } from "../state/messages.ts";
import type { ServerEvent } from "../state/noun.ts";
import { type Place, placeKey } from "../state/places.ts";
import { placeName } from "../state/selectors.ts";
import { goTo, linkTo } from "../ui/routes/navigation.ts";
import { placeOfTerms, placeRoute, type Route } from "../ui/routes/route.ts";
import { showToast } from "../ui/toasts.tsx";

const isUpdate = (event: ServerEvent): event is MessageEvents["update_message"] =>
  event.type === "update_message";

/** Where the messages of a topic were that moved as a whole. */
function formerPlaceOf({
  propagate_mode,
  stream_id,
  orig_subject,
}: MessageEvents["update_message"]): Place | null {
  const isWhole = propagate_mode === "change_all" && stream_id !== undefined && orig_subject !== undefined;
  return isWhole ? { stream_id, topic: orig_subject } : null;
}

export function useFollowing(route: Route): void {
  const client = useClient();
  const here = useLatest(route.view === "messages" ? placeOfTerms(route.terms) : null);
  useEffect(
    () =>
      client.latestEvents.subscribe(() => {
        const place = here.current;
        if (!place || "user_ids" in place) return;
        const moved = client.latestEvents
          .get()
          .filter(isUpdate)
          .find((event) => {
            const from = formerPlaceOf(event);
            return from !== null && placeKey(from) === placeKey(place);
          });
        if (!moved) return;
        const next: Place = {
          stream_id: moved.new_stream_id ?? place.stream_id,
          topic: moved.subject ?? moved.orig_subject ?? place.topic,
        };
        const state = client.store.get();
        const follow = () => goTo(linkTo(placeRoute(next), state), { replace: true });
        const isWriting = document.querySelector<HTMLTextAreaElement>("[data-composer]")?.value;
        if (!isWriting) follow();
        else
          showToast({
            text: t("This topic is {topic} now.", { topic: placeName(state, next) }),
            action: { label: t("Go there"), run: follow },
          });
      }),
    [client, here],
  );
}
