import type { Client } from "../client.ts";
import { mayEdit, whyNotEdited } from "../message/permissions.ts";
import type { Message, Place } from "../state/message-shape.ts";
import { placeKey, placeOf } from "../state/places.ts";
import type { State } from "../state/shape.ts";
import type { Store } from "../state/watched.ts";
import { showToast } from "../ui/toasts.tsx";
import { editedMessage } from "./editing.ts";
import { takeBackHeld } from "./holding.ts";

/**
 * Starts editing the newest message that the person wrote in a conversation and may edit. If it is still being sent, that
 * waits for its event. If it is held back or could not be sent, its text goes back to the composer by `takeBack`. If they may
 * edit none of their messages, says why. Returns false if they wrote none.
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
  const own = ownMessages(store.get(), key);
  const editable = own.find((message) => mayEdit(store.get(), message));
  if (editable) editedMessage.set(editable.id);
  else if (own[0]) refuse(store.get(), own[0]);
  return own.length > 0;
}

/** The person's known messages in a conversation, the newest first. */
function ownMessages({ messages, self }: State, key: string): Message[] {
  return Object.values(messages)
    .filter((one) => one.sender_id === self.user_id && placeKey(placeOf(one, self.user_id)) === key)
    .sort((a, b) => b.id - a.id);
}

function refuse(state: State, message: Message): void {
  showToast({ text: `Your last message cannot be edited. ${whyNotEdited(state, message)}` });
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
    if (!arrived) return;
    if (mayEdit(store.get(), arrived)) editedMessage.set(arrived.id);
    else refuse(store.get(), arrived);
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
