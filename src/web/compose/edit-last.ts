import type { Client } from "../client.ts";
import type { Place } from "../state/message-shape.ts";
import { placeKey, placeOf } from "../state/places.ts";
import type { State } from "../state/shape.ts";
import type { Store } from "../state/watched.ts";
import { editedMessage } from "./editing.ts";
import { takeBackHeld } from "./holding.ts";

/**
 * Starts editing the newest message that the person wrote in a conversation. If it is still being sent, that waits for its
 * event. If it is held back or could not be sent, its text goes back to the composer by `takeBack`. Returns false if the
 * person wrote none.
 */
export function editLastMessage(
  { store, sending }: Pick<Client, "store" | "sending">,
  place: Place,
  takeBack: (text: string) => void,
): boolean {
  const held = takeBackHeld(place);
  if (held !== null) {
    takeBack(held);
    return true;
  }
  const key = placeKey(place);
  const outgoing = store.get().outbox.findLast((one) => placeKey(one.place) === key);
  if (outgoing?.state === "failed") {
    sending.discard(outgoing.local_id);
    takeBack(outgoing.content);
    return true;
  }
  if (outgoing) {
    editOnceSent(store, outgoing.local_id);
    return true;
  }
  const last = newestOwn(store.get(), key);
  if (last !== null) editedMessage.set(last);
  return last !== null;
}

/** The person's newest known message in a conversation. */
function newestOwn({ messages, self }: State, key: string): number | null {
  let last = 0;
  for (const message of Object.values(messages)) {
    const isMine = message.sender_id === self.user_id && message.id > last;
    if (isMine && placeKey(placeOf(message, self.user_id)) === key) last = message.id;
  }
  return last === 0 ? null : last;
}

/** What else a person can do while the message is on its way. */
const interruptions = ["keydown", "input", "pointerdown", "hashchange"] as const;
/** The key that was pressed to edit, and keys that do nothing alone. */
const idleKeys = ["ArrowUp", "Shift", "Control", "Alt", "Meta"];

let stopWaiting = () => {};

/** Edits the message once its event has arrived, unless sending it fails or the person does something else. */
function editOnceSent(store: Store, localId: string): void {
  stopWaiting();
  let id: number | undefined;
  const look = () => {
    const { messages, outbox } = store.get();
    const outgoing = outbox.find(({ local_id }) => local_id === localId);
    if (outgoing?.state === "failed") return stopWaiting();
    id = outgoing?.message_id ?? id;
    // Fetched messages have no ID in the outbox, as after registering anew.
    const arrived =
      id === undefined ? Object.values(messages).find(({ local_id }) => local_id === localId) : messages[id];
    if (!arrived && (outgoing || id !== undefined)) return;
    stopWaiting();
    if (arrived) editedMessage.set(arrived.id);
  };
  const interrupt = (event: Event) => {
    if (!(event instanceof KeyboardEvent && idleKeys.includes(event.key))) stopWaiting();
  };
  const unsubscribe = store.subscribe(look);
  for (const name of interruptions) addEventListener(name, interrupt, true);
  stopWaiting = () => {
    unsubscribe();
    for (const name of interruptions) removeEventListener(name, interrupt, true);
    stopWaiting = () => {};
  };
  look();
}
