import { createStore } from "../../lib/observable.ts";
import type { Message } from "../../state/messages.ts";
import { narrowKey, type Term } from "../../state/narrows.ts";
import { placeOf } from "../../state/places.ts";
import type { State } from "../../state/state.ts";
import { goTo, linkTo } from "../../ui/routes/navigation.ts";
import { placeRoute } from "../../ui/routes/route.ts";

/** The message that is being edited, or null. */
export const editedMessage = createStore<number | null>(null);

/** Edits that are not saved, for when the person scrolls away from the message or leaves its conversation. */
export const unsavedEdits = new Map<number, { source: string; text: string }>();

let shown: string | null = null;

/** Called by the feed on screen. Returns a function that unregisters it. */
export function offerFeed(terms: readonly Term[]): () => void {
  const key = narrowKey(terms);
  shown = key;
  return () => {
    if (shown === key) shown = null;
  };
}

/** Edits a message in the feed on screen; if that lacks it, opens its conversation at the message. */
export function editMessage(state: State, message: Message): void {
  // Also if it is edited already, and the person has scrolled away from it.
  editedMessage.set(null);
  editedMessage.set(message.id);
  if (shown !== null && state.windows[shown]?.ids.includes(message.id)) return;
  goTo(linkTo(placeRoute(placeOf(message, state.self.user_id), message.id), state));
}
