// Text that other views insert into the composer: quotes, mentions, links.
import type { Client } from "../../api/client.ts";
import { createStore } from "../../lib/observable.ts";
import type { Message } from "../../state/messages.ts";
import { type Place, placeKey, placeOf } from "../../state/places.ts";
import { goTo, linkTo } from "../../ui/routes/navigation.ts";
import { placeRoute } from "../../ui/routes/route.ts";
import { quoteAsMarkdown } from "./markdown-edits.ts";

interface OpenComposer {
  key: string;
  insert: (text: string) => void;
}

let open: OpenComposer | null = null;
let waiting: { key: string; text: string } | null = null;

/** Called by the composer that is on screen. Returns a function that unregisters it. */
export function offerComposer(place: Place, insert: (text: string) => void): () => void {
  const mine: OpenComposer = { key: placeKey(place), insert };
  open = mine;
  if (waiting?.key === mine.key) insert(waiting.text);
  waiting = null;
  return () => {
    if (open === mine) open = null;
  };
}

/** In a view of several conversations, the one that the composer is open for; null if it is closed. */
export const answeredPlace = createStore<Place | null>(null);

let answering: ((place: Place) => void) | null = null;

/** Called by a view of several conversations, whose `open` opens the composer. Returns a function that unregisters it. */
export function offerAnswering(open: (place: Place) => void): () => void {
  answering = open;
  return () => {
    if (answering === open) answering = null;
  };
}

/** Inserts text into a conversation's composer; opens the conversation if it is not on screen. */
export function writeTo(client: Client, place: Place, text: string): void {
  if (open?.key === placeKey(place)) {
    open.insert(text);
    return;
  }
  waiting = { key: placeKey(place), text };
  if (answering) answering(place);
  else goTo(linkTo(placeRoute(place), client.store.get()));
}

/** Quotes a message in its conversation. Rejects with an error for the person if it cannot be read. */
export async function quoteMessage(client: Client, message: Message): Promise<void> {
  const { store } = client;
  const place = placeOf(message, store.get().self.user_id);
  const markdown = await sourceOf(client, message.id);
  const link = new URL(linkTo(placeRoute(place, message.id), store.get()), location.href).href;
  writeTo(
    client,
    place,
    quoteAsMarkdown({ name: message.sender_full_name, id: message.sender_id }, link, markdown),
  );
}

/** The Markdown of a message. */
export async function sourceOf({ api }: Client, messageId: number): Promise<string> {
  const params = { apply_markdown: false, allow_empty_topic_name: true };
  const { message } = await api.get<{ message: { content: string } }>(`/messages/${messageId}`, params);
  return message.content;
}
