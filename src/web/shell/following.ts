// When the topic on screen is renamed or moved, the view follows it.
import { useEffect } from "react";
import { useClient } from "../api/client.ts";
import { useLatest } from "../lib/use-latest.ts";
import type { Place } from "../state/message-shape.ts";
import { placeKey, topicKey } from "../state/places.ts";
import { placeName } from "../state/selectors.ts";
import type { ServerEvent } from "../state/shape.ts";
import { goTo, linkTo } from "../ui/routes/navigation.ts";
import { placeOfTerms, placeRoute, type Route } from "../ui/routes/route.ts";
import { showToast } from "../ui/toasts.tsx";

interface Moved extends ServerEvent {
  stream_id: number;
  new_stream_id?: number;
  orig_subject: string;
  subject?: string;
  propagate_mode: string;
}

const isWhole = (event: ServerEvent): event is Moved =>
  event.type === "update_message" && (event as Moved).propagate_mode === "change_all";

export function useFollowing(route: Route): void {
  const client = useClient();
  const here = useLatest(route.view === "messages" ? placeOfTerms(route.terms) : null);
  useEffect(
    () =>
      client.heard.subscribe(() => {
        const place = here.current;
        if (!place || "user_ids" in place) return;
        const moved = client.heard
          .get()
          .filter(isWhole)
          .find(({ stream_id, orig_subject }) => topicKey(stream_id, orig_subject) === placeKey(place));
        if (!moved) return;
        const next: Place = {
          stream_id: moved.new_stream_id ?? moved.stream_id,
          topic: moved.subject ?? moved.orig_subject,
        };
        const state = client.store.get();
        const follow = () => goTo(linkTo(placeRoute(next), state), { replace: true });
        const isWriting = document.querySelector<HTMLTextAreaElement>("[data-composer]")?.value;
        if (!isWriting) follow();
        else
          showToast({
            text: `This topic is ${placeName(state, next)} now.`,
            action: { label: "Go there", run: follow },
          });
      }),
    [client, here],
  );
}
