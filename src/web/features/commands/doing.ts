// What the commands of table.ts do.
import type { Client } from "../../api/client.ts";
import type { Message } from "../../state/messages.ts";
import { mayEdit } from "../../state/permissions.ts";
import { type Place, placeKey, placeOf } from "../../state/places.ts";
import { type Visibility, visibility, visibilityOf } from "../../state/topics.ts";
import { goTo, linkTo } from "../../ui/routes/navigation.ts";
import { hashOf, placeOfTerms, placeRoute, type Route } from "../../ui/routes/route.ts";
import { editedMessage } from "../compose/editing.ts";
import { answeredPlace } from "../compose/insertion.ts";
import { newMessage } from "../compose/new-message-opener.tsx";
import { moveSelection, selectedMessage } from "../feed/selection.ts";
import { inboxGroups } from "../inbox/inbox.tsx";
import { placeFromKey } from "../lists/place-row.tsx";

export interface Where {
  client: Client;
  route: Route;
}

export const go = (route: Route) => () => goTo(hashOf(route));

export function messageAt({ client }: Where): Message | undefined {
  const id = selectedMessage.get();
  return id === null ? undefined : client.store.get().messages[id];
}

/** The conversation on screen, or that of the selected message. */
export function placeAt(where: Where): Place | null {
  const { route, client } = where;
  const own = route.view === "messages" ? placeOfTerms(route.terms) : null;
  const message = messageAt(where);
  return own ?? (message ? placeOf(message, client.store.get().self.user_id) : null);
}

export function topicAt(where: Where): Extract<Place, { topic: string }> | null {
  const place = placeAt(where);
  return place && "stream_id" in place ? place : null;
}

export function goToPlace({ client }: Where, place: Place, near?: number): void {
  goTo(linkTo(placeRoute(place, near), client.store.get()));
}

/** The next conversation with something unread, in the inbox's order. */
export function nextUnread(where: Where, which: (place: Place) => boolean = () => true): void {
  const state = where.client.store.get();
  const here = placeAt(where);
  const keys = inboxGroups(state).flatMap((group) => group.keys);
  const places = [...new Set(keys)].map((key) => placeFromKey(state, key)).filter(which);
  const at = here ? places.findIndex((place) => placeKey(place) === placeKey(here)) : -1;
  const next = places[at + 1] ?? places[0];
  if (next && (!here || placeKey(next) !== placeKey(here))) goToPlace(where, next);
  else go({ view: "inbox" })();
}

function focusComposer(): void {
  document.querySelector<HTMLElement>("[data-composer]")?.focus();
}

/** Views of several conversations, where a reply goes to the selected message's. */
function isMixed({ route }: Where): boolean {
  return route.view === "feed" || (route.view === "messages" && !placeOfTerms(route.terms));
}

export function reply(where: Where): void {
  const message = messageAt(where);
  if (!isMixed(where)) write(where);
  else if (message) answeredPlace.set(placeOf(message, where.client.store.get().self.user_id));
  // Selects the current message first; the bottom bar then offers its conversation.
  else moveSelection.set({ by: 0 });
}

/** Asks where the message goes, if the view has no composer. */
export function write(where: Where): void {
  const { route } = where;
  if (document.querySelector("[data-composer]")) focusComposer();
  else newMessage.set(route.view === "topics" ? { channel: route.channel } : {});
}

export function toggle(where: Where, policy: Visibility): void {
  const place = topicAt(where);
  if (!place) return;
  const { store, flagging } = where.client;
  const now = visibilityOf(store.get(), place.stream_id, place.topic);
  void flagging.setVisibility(place, now === policy ? visibility.inherited : policy);
}

export const hasMessage = (where: Where) => messageAt(where) !== undefined;
export const onMessage = (act: (client: Client, message: Message) => unknown) => (where: Where) => {
  const message = messageAt(where);
  if (message) void act(where.client, message);
};
export const isEditable = (where: Where) => mayEdit(where.client.store.get(), messageAt(where));
export const edit = onMessage((_, { id }) => editedMessage.set(id));
/** Presses a button of the selected message. */
export function pressAt(label: string): void {
  document
    .querySelector<HTMLElement>(`[data-message="${selectedMessage.get()}"] [aria-label="${label}"]`)
    ?.click();
}
export const hasTopic = (where: Where) => topicAt(where) !== null;
export const thumbs = { emoji_name: "+1", emoji_code: "1f44d", reaction_type: "unicode_emoji" } as const;
