import type { Client } from "../client.ts";
import type { Place } from "../state/message-shape.ts";
import { placeKey, placeOf } from "../state/places.ts";
import { editedMessage } from "./editing.ts";

/** Starts editing the person's newest known message in a conversation. Returns false if there is none. */
export function editLastMessage({ store }: Pick<Client, "store">, place: Place): boolean {
  const { messages, self } = store.get();
  const key = placeKey(place);
  let last = 0;
  for (const message of Object.values(messages)) {
    const isMine = message.sender_id === self.user_id && message.id > last;
    if (isMine && placeKey(placeOf(message, self.user_id)) === key) last = message.id;
  }
  if (last === 0) return false;
  editedMessage.set(last);
  return true;
}
