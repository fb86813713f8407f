import type { Client } from "../../api/client.ts";
import { t } from "../../lib/texts.ts";
import type { Message } from "../../state/messages.ts";
import { narrowKey, type Term } from "../../state/narrows.ts";
import { mayEdit, whyNotEdited } from "../../state/permissions.ts";
import { type Place, placeKey, placeOf } from "../../state/places.ts";
import type { State, Store } from "../../state/state.ts";
import { placeRoute } from "../../ui/routes/route.ts";
import { showToast } from "../../ui/toasts.tsx";
import { editMessage } from "./editing.ts";
import { takeBackHeld } from "./holding.ts";

type Editing = Pick<Client, "store" | "sending" | "fetching">;

/**
 * Starts editing the newest message that the person wrote in a conversation and may edit. If it is still being sent, that
 * waits for its event. If it is held back or could not be sent, its text goes back to the composer by `takeBack`. If they may
 * edit none of their messages, says why.
 */
export function editLastMessage(
  { store, sending, fetching }: Editing,
  place: Place,
  takeBack: (text: string) => void,
): void {
  const held = takeBackHeld(place);
  const key = placeKey(place);
  const outgoing = store.get().outbox.findLast((one) => placeKey(one.place) === key);
  if (held !== null) takeBack(held);
  else if (outgoing?.state === "failed") {
    sending.discard(outgoing.local_id);
    takeBack(outgoing.content);
  } else if (outgoing) editOnceSent(store, outgoing.local_id);
  else if (isNewestKnown(store.get(), place)) editNewest(store, place);
  else editOnceFetched({ store, fetching }, place);
}

/** Without a connection, edits the newest message that is known. */
function editOnceFetched({ store, fetching }: Pick<Client, "store" | "fetching">, place: Place): void {
  const isLeft = waitIdly();
  const edit = () => {
    if (isLeft()) return;
    stopWaiting();
    editNewest(store, place);
  };
  fetching.lastOf(store.get().self.user_id, termsOf(place)).then(edit, edit);
}

const termsOf = (place: Place): readonly Term[] => placeRoute(place).terms;

function editNewest(store: Store, place: Place): void {
  const own = ownMessages(store.get(), placeKey(place));
  const editable = own.find((message) => mayEdit(store.get(), message));
  if (editable) editMessage(store.get(), editable);
  else if (own[0]) refuse(store.get(), own[0]);
}

/** The person's known messages in a conversation, the newest first. */
function ownMessages({ messages, self }: State, key: string): Message[] {
  return Object.values(messages)
    .filter((one) => one.sender_id === self.user_id && placeKey(placeOf(one, self.user_id)) === key)
    .sort((a, b) => b.id - a.id);
}

/** Whether the person cannot have written a newer message in the conversation than those that are known. */
function isNewestKnown({ windows, messages, self }: State, place: Place): boolean {
  const window = windows[narrowKey(termsOf(place))];
  if (!window?.found_newest || window.is_stale) return false;
  return window.found_oldest || window.ids.some((id) => messages[id]?.sender_id === self.user_id);
}

function refuse(state: State, message: Message): void {
  const reason = whyNotEdited(state, message) ?? "";
  showToast({ text: t("Your last message cannot be edited. {reason}", { reason }) });
}

/** What else a person can do while the message is on its way. */
const interruptions = ["keydown", "input", "pointerdown", "hashchange"] as const;
/** The key that was pressed to edit, and keys that do nothing alone. */
const idleKeys = ["ArrowUp", "Shift", "Control", "Alt", "Meta"];

let stopWaiting = () => {};

/** Waits until the person does something else, or `stopWaiting` is called; then calls `end`. Returns whether that has happened. */
function waitIdly(end = () => {}): () => boolean {
  stopWaiting();
  let isOver = false;
  const interrupt = (event: Event) => {
    if (!(event instanceof KeyboardEvent && idleKeys.includes(event.key))) stopWaiting();
  };
  for (const name of interruptions) addEventListener(name, interrupt, true);
  stopWaiting = () => {
    isOver = true;
    for (const name of interruptions) removeEventListener(name, interrupt, true);
    stopWaiting = () => {};
    end();
  };
  return () => isOver;
}

/** Edits the message once its event has arrived, unless sending it fails or the person does something else. */
function editOnceSent(store: Store, localId: string): void {
  let id: number | undefined;
  const look = () => {
    const { messages, outbox } = store.get();
    const outgoing = outbox.find(({ local_id }) => local_id === localId);
    if (outgoing?.state === "failed") return stopWaiting();
    id = outgoing?.message_id ?? id;
    // Fetched messages have no ID in the outbox, as after registering again.
    const arrived =
      id === undefined ? Object.values(messages).find(({ local_id }) => local_id === localId) : messages[id];
    if (!arrived && (outgoing || id !== undefined)) return;
    stopWaiting();
    if (!arrived) return;
    if (mayEdit(store.get(), arrived)) editMessage(store.get(), arrived);
    else refuse(store.get(), arrived);
  };
  waitIdly(store.subscribe(look));
  look();
}
