// The user's own changes of flags and reactions: shown at once, undone if the server refuses.
import type { WireReaction } from "@/messaging/messages/schema.ts";
import { createStore } from "../lib/observable.ts";
import type { Message } from "../state/messages.ts";
import type { Term } from "../state/narrows.ts";
import { type Place, placeOf } from "../state/places.ts";
import type { State, Store } from "../state/state.ts";
import type { Visibility } from "../state/topics.ts";
import { encodeNarrow } from "./fetching.ts";
import { type Api, mayPass } from "./request.ts";

/** Shows the error, and offers to try again where that may help. */
export type ReportFailure = (error: unknown, again: () => void) => void;

/** Whether marking as read is paused, because the person has marked something as unread; until they leave the view. */
export const readingPaused = createStore(false);

/** After the server was not reached. */
const retryPause = 3_000;
const readPause = 120;
/** How many messages one request marks. */
const maxMarked = 1000;

/** What the server answers when it has marked a part of a narrow. */
interface Marked {
  first_processed_id: number | null;
  last_processed_id: number | null;
  found_oldest: boolean;
  found_newest: boolean;
}

/** The server's answer about messages that become unread again. */
function details(state: State, ids: readonly number[]) {
  return Object.fromEntries(
    ids.flatMap((id) => {
      const message = state.messages[id];
      return message ? [[id, detail(state, message)] as const] : [];
    }),
  );
}

function detail({ self }: State, message: Message) {
  const mentioned = message.flags.includes("mentioned");
  const place = placeOf(message, self.user_id);
  return "user_ids" in place
    ? { type: "private", user_ids: place.user_ids, mentioned }
    : { type: "stream", ...place, mentioned };
}

export function flaggingOf(api: Api, store: Store, report: ReportFailure) {
  const flagEvent = (op: "add" | "remove", flag: string, messages: readonly number[]) => ({
    type: "update_message_flags",
    op,
    flag,
    messages,
    all: false,
    ...(op === "remove" ? { message_details: details(store.get(), messages) } : {}),
  });

  const setFlag = async (op: "add" | "remove", flag: string, ids: readonly number[]) => {
    const undo = op === "add" ? "remove" : "add";
    store.apply(flagEvent(op, flag, ids));
    try {
      await api.post("/messages/flags", { messages: ids, op, flag });
    } catch (error) {
      store.apply(flagEvent(undo, flag, ids));
      report(error, () => void setFlag(op, flag, ids));
    }
  };

  let seen = new Set<number>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Settles when the server has the read messages. */
  let acknowledged = Promise.resolve();
  const sendSeen = () => {
    const ids = [...seen];
    seen = new Set();
    timer = undefined;
    // Messages that were not marked will be marked when they are seen again, so show no error.
    const sent = api.post("/messages/flags", { messages: ids, op: "add", flag: "read" }).then(
      () => {},
      (error) => {
        if (!mayPass(error)) return store.apply(flagEvent("remove", "read", ids));
        for (const id of ids) seen.add(id);
        timer ??= setTimeout(sendSeen, retryPause);
      },
    );
    acknowledged = Promise.all([acknowledged, sent]).then(() => {});
  };
  const flush = (): Promise<void> => {
    clearTimeout(timer);
    if (timer !== undefined) sendSeen();
    return acknowledged;
  };

  /**
   * Marks the messages of a narrow, a thousand at a time: as read up to this one, because nobody has seen those that come meanwhile; or as
   * unread from this one on. Returns whether all are marked; what failed is shown.
   */
  const markNarrow = async (terms: readonly Term[], op: "add" | "remove", id: number) => {
    const isRead = op === "add";
    const range = isRead ? { num_before: maxMarked, num_after: 0 } : { num_before: 0, num_after: maxMarked };
    const params = { narrow: encodeNarrow(terms), include_anchor: true, ...range, op, flag: "read" };
    try {
      let anchor: number | null = id;
      while (anchor !== null) {
        const done: Marked = await api.post("/messages/flags/narrow", { ...params, anchor });
        if (isRead ? done.found_oldest : done.found_newest) return true;
        anchor = isRead ? done.first_processed_id : done.last_processed_id;
      }
      return true;
    } catch (error) {
      report(error, () => void markNarrow(terms, op, id));
      return false;
    }
  };

  /** Marks these messages as unread again. */
  const markUnread = async (ids: readonly number[]) => {
    for (let from = 0; from < ids.length; from += maxMarked) {
      const messages = ids.slice(from, from + maxMarked);
      try {
        await api.post("/messages/flags", { messages, op: "remove", flag: "read" });
      } catch (error) {
        return report(error, () => void markUnread(ids.slice(from)));
      }
    }
  };

  const react = async (id: number, reaction: Omit<WireReaction, "user_id">, isAdded: boolean) => {
    const { user_id, email, full_name } = store.get().self;
    const added = { message_id: id, user_id, user: { user_id, email, full_name }, ...reaction };
    const change = (op: "add" | "remove") => store.change(`reaction/${op}`, added);
    change(isAdded ? "add" : "remove");
    try {
      const path = `/messages/${id}/reactions`;
      await (isAdded ? api.post(path, reaction) : api.delete(path, reaction));
    } catch (error) {
      change(isAdded ? "remove" : "add");
      report(error, () => void react(id, reaction, isAdded));
    }
  };

  const setVisibility = async (place: Extract<Place, { topic: string }>, visibility_policy: Visibility) => {
    try {
      await api.post("/user_topics", { stream_id: place.stream_id, topic: place.topic, visibility_policy });
    } catch (error) {
      report(error, () => void setVisibility(place, visibility_policy));
    }
  };

  const setSubscription = async (stream_id: number, property: string, value: unknown) => {
    try {
      await api.post("/users/me/subscriptions/properties", {
        subscription_data: [{ stream_id, property, value }],
      });
    } catch (error) {
      report(error, () => void setSubscription(stream_id, property, value));
    }
  };

  return {
    /** Messages that were read on screen: marked at once here, and together on the server. */
    see: (ids: readonly number[]) => {
      const { messages } = store.get();
      const unread = ids.filter((id) => messages[id] && !messages[id].flags.includes("read"));
      if (unread.length === 0) return;
      for (const id of unread) seen.add(id);
      store.apply(flagEvent("add", "read", unread));
      timer ??= setTimeout(sendSeen, readPause);
    },
    /** Sends the read marks at once, because the page is being left; resolves once the server has answered. */
    flush,
    markReadUntil: (terms: readonly Term[], id: number) => markNarrow(terms, "add", id),
    /** Sends pending read marks first, so that they do not arrive later. */
    markUnreadFrom: async (terms: readonly Term[], id: number) => {
      await flush();
      await markNarrow(terms, "remove", id);
    },
    markUnread,
    star: (id: number, isStarred: boolean) => setFlag(isStarred ? "add" : "remove", "starred", [id]),
    collapse: (id: number, isCollapsed: boolean) =>
      setFlag(isCollapsed ? "add" : "remove", "collapsed", [id]),
    react,
    setVisibility,
    setSubscription,
  };
}
