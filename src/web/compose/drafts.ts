// Drafts are saved on the server, by conversation, so that every device has them. Until the server has a draft, the browser
// keeps it.
import type { Client } from "../client.ts";
import type { Place } from "../state/message-shape.ts";
import { placeKey } from "../state/places.ts";
import type { Draft, State } from "../state/shape.ts";

const saveAfter = 1500;
const minimum = 2;

/** The draft of a conversation; the newest, if there are several. */
function draftAt(state: Pick<State, "drafts" | "self">, place: Place): Draft | null {
  const key = placeKey(place);
  const found = Object.values(state.drafts).filter((draft) => keyOf(state, draft) === key);
  return found.sort((a, b) => b.timestamp - a.timestamp)[0] ?? null;
}

/** The conversation of a draft; null if it names none. */
function placeOfDraft(state: Pick<State, "self">, { type, to, topic }: Draft): Place | null {
  if (type === "stream") return to[0] === undefined ? null : { stream_id: to[0], topic };
  if (type === "") return null;
  const others = to.filter((id) => id !== state.self.user_id).sort((a, b) => a - b);
  return { user_ids: others.length > 0 ? others : [state.self.user_id] };
}

function keyOf(state: Pick<State, "self">, draft: Draft): string | null {
  const place = placeOfDraft(state, draft);
  return place && placeKey(place);
}

export interface DraftKeeper {
  /** The text to begin with. */
  initial: string;
  /** Saves this text soon. */
  keep(text: string): void;
  /** Saves pending changes at once; call it when the composer closes. */
  flush(): void;
  /** The message was sent: removes its draft. */
  done(): void;
}

export function draftKeeper(client: Client, place: Place): DraftKeeper {
  const { api, store } = client;
  const localKey = `draft ${store.get().self.user_id} ${placeKey(place)}`;
  const isSynced = () => store.get().user_settings.enable_drafts_synchronization;
  let id = draftAt(store.get(), place)?.id ?? null;
  let saved = draftAt(store.get(), place)?.content ?? "";
  let text = sessionStorage.getItem(localKey) ?? saved;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let writing: Promise<void> = Promise.resolve();
  const initial = text;

  const body = (content: string) => ({
    type: "user_ids" in place ? "private" : "stream",
    to: "user_ids" in place ? place.user_ids : [place.stream_id],
    topic: "user_ids" in place ? "" : place.topic,
    content,
    timestamp: Math.floor(Date.now() / 1000),
  });

  const write = async (content: string) => {
    if (!isSynced() || content === saved) return;
    if (content.trim().length < minimum) {
      if (id !== null) await api.delete(`/drafts/${id}`).catch(() => {});
      id = null;
    } else if (id === null) {
      const { ids } = await api.post<{ ids: number[] }>("/drafts", { drafts: [body(content)] });
      id = ids[0] ?? null;
    } else {
      const draft = body(content);
      // Another device may have sent or deleted it in the meantime.
      await api.patch(`/drafts/${id}`, { draft }).catch(async () => {
        const { ids } = await api.post<{ ids: number[] }>("/drafts", { drafts: [draft] });
        id = ids[0] ?? null;
      });
    }
    saved = content;
    if (text === content) sessionStorage.removeItem(localKey);
  };

  /** Saves one after the other, so that a late answer does not overwrite a newer text. */
  const flush = () => {
    clearTimeout(timer);
    const content = text;
    writing = writing.then(() => write(content)).catch(() => {});
  };

  return {
    initial,
    keep(next) {
      text = next;
      sessionStorage.setItem(localKey, next);
      clearTimeout(timer);
      timer = setTimeout(flush, saveAfter);
    },
    flush,
    done() {
      text = "";
      sessionStorage.removeItem(localKey);
      flush();
    },
  };
}
