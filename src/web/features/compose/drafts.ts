// Drafts are saved on the server, by conversation, so that every device has them. Until the server has a draft, the browser
// keeps it.
import type { Draft } from "@/personal/drafts/schema.ts";
import type { Client } from "../../api/client.ts";
import { mayPass, Refusal } from "../../api/request.ts";
import { type Place, type PlaceKey, placeKey } from "../../state/places.ts";
import type { State } from "../../state/state.ts";

const saveAfter = 1500;
const retryAfter = 5000;
const minimum = 2;

/** A draft as the browser keeps it: `id` is that of the draft on the server that it changes. */
interface KeptDraft {
  place: Place;
  text: string;
  id: number | null;
}

const storageKey = (state: Pick<State, "self">, key: PlaceKey) => `draft ${state.self.user_id} ${key}`;

function readStoredDraft(name: string): KeptDraft | null {
  try {
    return JSON.parse(sessionStorage.getItem(name) ?? "null") as KeptDraft | null;
  } catch {
    return null;
  }
}

type DraftsOfSelf = Pick<State, "drafts" | "self">;

/** The drafts of a conversation, the newest first. */
function draftsAt(state: DraftsOfSelf, place: Place): Draft[] {
  const key = placeKey(place);
  const found = Object.values(state.drafts).filter((draft) => keyOf(state, draft) === key);
  return found.sort((a, b) => b.timestamp - a.timestamp);
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

/**
 * Whether a text changes this draft: perhaps the draft's request got no answer. Another text, written elsewhere, keeps a draft
 * of its own.
 */
function isVersion({ text, id }: Pick<KeptDraft, "text" | "id">, draft: Draft): boolean {
  return id === null ? text.startsWith(draft.content) : id === draft.id;
}

export interface DraftKeeper {
  text(): string;
  /**
   * Calls `show` when the text changes elsewhere: on another device, or after the composer that sent it was closed. Returns
   * the function that ends this; it saves pending changes at once.
   */
  open(show: (text: string) => void): () => void;
  /** Saves this text soon. */
  keep(text: string): void;
  /** The person took this message back: it comes before what they have written since. */
  takeBack(sent: string): void;
  /** This text was sent: removes it, unless it has been changed since. */
  discardSent(sent: string): void;
  /** Saves pending changes at once; resolves when the server has answered. */
  save(): Promise<void>;
}

/** What outlives the composers of a client. */
interface Drafts {
  /** Those with a text or with changes that the server does not know. */
  keepers: Map<PlaceKey, DraftKeeper>;
  /** Drafts that were deleted, although the event may not have arrived yet. */
  deleted: Set<number>;
}

const draftsOf = new WeakMap<Client, Drafts>();

/** The keeper of a conversation's draft: the same one as long as there is a draft, or changes under way. */
export function draftKeeper(client: Client, place: Place): DraftKeeper {
  const drafts = draftsOf.get(client) ?? { keepers: new Map(), deleted: new Set() };
  draftsOf.set(client, drafts);
  return drafts.keepers.get(placeKey(place)) ?? newKeeper(client, place, drafts);
}

/** Saves the pending changes of all drafts; resolves when the server has answered. */
export async function saveDrafts(client: Client): Promise<void> {
  const keepers = draftsOf.get(client)?.keepers.values() ?? [];
  await Promise.all(Array.from(keepers, (keeper) => keeper.save()));
}

/** Saves what this browser has kept since the page was closed, also of conversations that are not opened again. */
export function saveKeptDrafts(client: Client): void {
  const prefix = storageKey(client.store.get(), "");
  for (const name of Object.keys(sessionStorage)) {
    const kept = name.startsWith(prefix) ? readStoredDraft(name) : null;
    if (kept) draftKeeper(client, kept.place).keep(kept.text);
  }
}

function newKeeper(client: Client, place: Place, { keepers, deleted }: Drafts): DraftKeeper {
  const { store, connection } = client;
  const requests = requestsFor(client, place);
  const key = placeKey(place);
  const localKey = storageKey(store.get(), key);
  const isSynced = () => store.get().user_settings.enable_drafts_synchronization;

  /** The drafts that this keeper has seen. */
  let known = store.get().drafts;
  const kept = readStoredDraft(localKey);
  const first = draftsAt(store.get(), place).find(
    (draft) => !deleted.has(draft.id) && (kept === null || isVersion(kept, draft)),
  );
  /** What the server has, as far as known. */
  let [id, saved] = [first?.id ?? null, first?.content ?? ""];
  /** Whether an event has named the draft. */
  let isConfirmed = first !== undefined;
  /** What was saved under this ID, and has not come back as an event. */
  let echoes: string[] = [];
  let text = kept?.text ?? saved;

  let show: ((text: string) => void) | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let saving = Promise.resolve();
  let isSaving = false;
  let isDue = false;
  let hasFailed = false;

  /** Takes what another device has saved; null if it has sent or deleted the draft. A text that is not saved stays. */
  const adopt = (draft: Draft | null) => {
    const wasSaved = text === saved;
    [id, saved, isConfirmed, echoes] = [draft?.id ?? null, draft?.content ?? "", draft !== null, []];
    if (wasSaved && text !== saved) {
      text = saved;
      show?.(text);
    }
    settle();
  };

  const adoptChanges = () => {
    const { drafts } = store.get();
    if (isSaving || drafts === known) return;
    const before = known;
    known = drafts;
    const mine = id === null ? undefined : drafts[id];
    if (id === null) {
      const added = draftsAt(store.get(), place).find(
        (draft) => !(draft.id in before) && !deleted.has(draft.id),
      );
      if (added && (text === saved || isVersion({ text, id }, added))) adopt(added);
    } else if (!mine) {
      if (isConfirmed) adopt(null);
    } else if (mine !== before[id]) {
      isConfirmed = true;
      const echo = echoes.indexOf(mine.content);
      if (echo >= 0) echoes.splice(0, echo + 1);
      else if (mine.content !== saved) adopt(mine);
    }
  };

  const write = async () => {
    // The server would shorten it.
    const { max_message_length } = store.get().organization;
    const content = text.trim().length < minimum ? "" : text.slice(0, max_message_length);
    if (content === saved) return;
    if (content === "") {
      if (id !== null) {
        await requests.remove(id);
        deleted.add(id);
      }
      [id, echoes] = [null, []];
    } else if (id === null || !(await requests.replace(id, content))) {
      // Another device may have sent or deleted it.
      id = await requests.create(content);
      [isConfirmed, echoes] = [false, [content]];
    } else {
      echoes.push(content);
    }
    saved = content;
  };

  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    isDue = true;
    if (!isSaving) saving = saveQueued();
    return saving;
  };
  /** Saves one text after the other, so that a late answer does not overwrite a newer one. */
  const saveQueued = async () => {
    isSaving = true;
    while (isDue) {
      isDue = false;
      hasFailed = false;
      if (!isSynced()) continue;
      await write().catch((error: unknown) => {
        hasFailed = mayPass(error);
      });
    }
    isSaving = false;
    adoptChanges();
    settle();
  };
  const later = (milliseconds: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => void flush(), milliseconds);
  };

  /** After each change: keeps in the browser what the server does not have, and ends once there is nothing to keep. */
  const settle = () => {
    if (text === "" || text === saved) sessionStorage.removeItem(localKey);
    else sessionStorage.setItem(localKey, JSON.stringify({ place, text, id } satisfies KeptDraft));
    if (hasFailed && timer === undefined) later(retryAfter);
    if (show === null && !isSaving && text === "" && (saved === "" || !isSynced())) end();
  };

  let wasSynced = isSynced();
  const listen = () => {
    const begins = isSynced() && !wasSynced;
    wasSynced = isSynced();
    if (begins && text !== saved) void flush();
    if (!isSynced() && id !== null) {
      // The server has deleted the drafts, and this is the only copy.
      [id, saved, echoes] = [null, "", []];
      settle();
    }
    adoptChanges();
  };
  const reconnect = () => {
    if (hasFailed && connection.get() === "online") void flush();
  };
  /** Browsers may end a page that is hidden. */
  const hide = () => {
    if (document.hidden && timer !== undefined) void flush();
  };
  let stop: (() => void) | null = null;
  const begin = () => {
    if (stop) return;
    keepers.set(key, keeper);
    const ends = [store.subscribe(listen), connection.subscribe(reconnect)];
    document.addEventListener("visibilitychange", hide);
    stop = () => {
      for (const each of ends) each();
      document.removeEventListener("visibilitychange", hide);
      clearTimeout(timer);
    };
  };
  const end = () => {
    stop?.();
    stop = null;
    if (keepers.get(key) === keeper) keepers.delete(key);
  };

  const change = (next: string) => {
    begin();
    text = next;
    settle();
  };
  const keeper: DraftKeeper = {
    text: () => text,
    open: (shows) => {
      show = shows;
      begin();
      listen();
      shows(text);
      if (text !== saved) later(saveAfter);
      return () => {
        if (show === shows) show = null;
        void flush();
      };
    },
    keep: (next) => {
      change(next);
      later(saveAfter);
    },
    takeBack: (sent) => {
      change(text === "" ? sent : `${sent}\n${text}`);
      show?.(text);
      later(saveAfter);
    },
    discardSent: (sent) => {
      if (text !== sent) return;
      change("");
      show?.(text);
      void flush();
    },
    save: flush,
  };
  return keeper;
}

function requestsFor({ api }: Client, place: Place) {
  const draftOf = (content: string) => ({
    type: "user_ids" in place ? "private" : "stream",
    to: "user_ids" in place ? place.user_ids : [place.stream_id],
    topic: "user_ids" in place ? "" : place.topic,
    content,
    timestamp: Math.floor(Date.now() / 1000),
  });
  const isMissing = (error: unknown) => error instanceof Refusal && error.status === 404;
  return {
    /** Returns the draft's ID. */
    create: async (content: string): Promise<number | null> => {
      const { ids } = await api.post<{ ids: number[] }>("/drafts", { drafts: [draftOf(content)] });
      return ids[0] ?? null;
    },
    /** Returns whether the draft still exists. */
    replace: (id: number, content: string): Promise<boolean> =>
      api.patch(`/drafts/${id}`, { draft: draftOf(content) }).then(
        () => true,
        (error: unknown) => {
          if (isMissing(error)) return false;
          throw error;
        },
      ),
    remove: async (id: number): Promise<void> => {
      await api.delete(`/drafts/${id}`).catch((error: unknown) => {
        if (!isMissing(error)) throw error;
      });
    },
  };
}
