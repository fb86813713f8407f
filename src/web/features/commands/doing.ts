// What the commands of table.ts do.
import type { Client } from "../../api/client.ts";
import { moveInList } from "../../lib/roving.ts";
import type { Message } from "../../state/messages.ts";
import { combined, type Term, term } from "../../state/narrows.ts";
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

/** The messages on screen, or those of the channel whose topics are. */
export function termsAt({ route }: Where): readonly Term[] | null {
  if (route.view === "messages") return route.terms;
  if (route.view === "feed") return combined;
  return route.view === "topics" ? [term("channel", route.channel)] : null;
}

export function goToPlace({ client }: Where, place: Place, near?: number): void {
  goTo(linkTo(placeRoute(place, near), client.store.get()));
}

/** The next or previous conversation with something unread, in the inbox's order. */
export function nextUnread(
  where: Where,
  which: (place: Place) => boolean = () => true,
  by: 1 | -1 = 1,
): void {
  const state = where.client.store.get();
  const here = placeAt(where);
  const keys = inboxGroups(state).flatMap((group) => group.keys);
  const places = [...new Set(keys)].map((key) => placeFromKey(state, key)).filter(which);
  const at = here ? places.findIndex((place) => placeKey(place) === placeKey(here)) : -1;
  const next = places[at < 0 && by < 0 ? places.length - 1 : (at + by + places.length) % places.length];
  if (next && (!here || placeKey(next) !== placeKey(here))) goToPlace(where, next);
  else go({ view: "inbox" })();
}

/** The conversation or channel below or above in the sidebar. Who was writing goes on writing there. */
export function nextInSidebar(by: 1 | -1): void {
  const field = document.activeElement?.matches("[data-composer]") ? document.activeElement : null;
  const rows = [
    ...document.querySelectorAll<HTMLAnchorElement>("nav [data-conversation], nav [aria-current=page]"),
  ];
  // The address is ahead of what is drawn if the key is pressed again at once.
  const byAddress = rows.findIndex((row) => row.hash === location.hash);
  const at = byAddress < 0 ? rows.findIndex((row) => row.ariaCurrent === "page") : byAddress;
  const next = at < 0 && by < 0 ? rows.at(-1) : rows[at + by];
  if (!next || next.dataset.conversation === undefined) return;
  goTo(next.hash);
  next.scrollIntoView({ block: "nearest" });
  if (field) focusNext(field, 30);
}

/** Focuses the composer that replaces this one, within some frames. */
function focusNext(before: Element, frames: number): void {
  requestAnimationFrame(() => {
    const field = document.querySelector<HTMLElement>("[data-composer]");
    if (field && field !== before) field.focus();
    else if (frames > 0) focusNext(before, frames - 1);
  });
}

/** Moves the selection among the messages, or the focus among the rows of a list; otherwise scrolls. */
export function move(by: 1 | -1 | "first" | "last"): void {
  if (document.querySelector("[data-feed]")) moveSelection.set({ by });
  else if (!moveInList(by)) {
    const pane = findPane();
    if (by === "first") pane?.scrollTo({ top: 0 });
    else if (by === "last") pane?.scrollTo({ top: pane.scrollHeight });
    else pane?.scrollBy({ top: by * 60 });
  }
}

/** Scrolls the view by nearly its height. */
export function turnPage(by: 1 | -1): void {
  const pane = findPane();
  pane?.scrollBy({ top: by * Math.max(60, pane.clientHeight - 60) });
}

/** What scrolls in the view. */
function findPane(): Element | undefined {
  let level: Element[] = [...document.querySelectorAll("#view")];
  for (let depth = 0; depth < 4; depth++) {
    level = level.flatMap(({ children }) => [...children]).slice(0, 40);
    const found = level.find(
      (one) => one.scrollHeight > one.clientHeight + 1 && /auto|scroll/.test(getComputedStyle(one).overflowY),
    );
    if (found) return found;
  }
  return undefined;
}

/** Leaves the field for the message that is selected, or the newest one in sight. */
export function leaveField(): void {
  const field = document.activeElement;
  if (field instanceof HTMLElement) field.blur();
  if (document.querySelector("[data-feed]")) moveSelection.set({ by: 0 });
  else document.querySelector<HTMLElement>("#view")?.focus({ preventScroll: true });
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
