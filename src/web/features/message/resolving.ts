// Resolves and reopens topics, by a mark before the name.
import { Check } from "lucide-react";
import type { Client } from "../../api/client.ts";
import { t } from "../../lib/texts.ts";
import { mayResolve } from "../../state/permissions.ts";
import { type Place, placeKey } from "../../state/places.ts";
import { resolvedSign } from "../../state/topics.ts";
import type { MenuItem } from "../../ui/menu-item.ts";
import { goTo, linkTo } from "../../ui/routes/navigation.ts";
import { parseHash, placeOfTerms, placeRoute } from "../../ui/routes/route.ts";
import { showFailure } from "../../ui/toasts.tsx";

type TopicPlace = Extract<Place, { topic: string }>;

export function isResolved(topic: string): boolean {
  return topic.startsWith(resolvedSign);
}

/** The menu row that resolves or reopens a topic; absent if the person may not, or if the topic has no name. */
export function resolveItem(client: Client, place: TopicPlace, messageId: number): MenuItem[] {
  if (place.topic === "" || !mayResolve(client.store.get(), place.stream_id)) return [];
  const label = isResolved(place.topic) ? t("Mark the topic as open again") : t("Mark the topic as resolved");
  return [{ label, icon: Check, onSelect: () => void toggleResolved(client, place, messageId) }];
}

/** Takes any message of the topic. If the topic is open, follows it to its new name. */
async function toggleResolved(client: Client, place: TopicPlace, messageId: number): Promise<void> {
  const topic = isResolved(place.topic) ? place.topic.slice(resolvedSign.length) : resolvedSign + place.topic;
  try {
    await client.api.patch(`/messages/${messageId}`, {
      topic,
      propagate_mode: "change_all",
      send_notification_to_old_thread: false,
    });
  } catch (error) {
    showFailure(error);
    return;
  }
  const route = parseHash(location.hash);
  const here = route?.view === "messages" ? placeOfTerms(route.terms) : null;
  if (here && placeKey(here) === placeKey(place)) {
    const moved = placeRoute({ stream_id: place.stream_id, topic });
    goTo(linkTo(moved, client.store.get()), { replace: true });
  }
}
