// Messages of narrows, fetched once and kept current by events.
import type { Message } from "../state/messages.ts";
import { narrowKey, type Term, term } from "../state/narrows.ts";
import type { Store } from "../state/state.ts";
import type { TopicEntry } from "../state/topics.ts";
import type { Api } from "./request.ts";

interface Page {
  messages: Message[];
  anchor?: number;
  found_oldest: boolean;
  found_newest: boolean;
}

/** A message, or the first one since a moment (an ISO date). */
export type FetchAnchor = number | "first_unread" | "newest" | "oldest" | { since: string };

const firstPage = { num_before: 40, num_after: 40 };
const lastPage = { num_before: 80, num_after: 0 };
const nextPage = 100;

/** The form of a narrow in requests. */
export function encodeNarrow(terms: readonly Term[]): object[] {
  return terms.map(({ operator, operand, negated }) => {
    const isPeople = operator === "dm" && /^\d+(,\d+)*$/.test(operand);
    const isId =
      ["channel", "sender", "dm-including", "id", "with"].includes(operator) && /^\d+$/.test(operand);
    return {
      operator,
      operand: isPeople ? operand.split(",").map(Number) : isId ? Number(operand) : operand,
      negated,
    };
  });
}

const onTheWeb = term("channels", "web-public");

/** Limits a narrow to what visitors may read. */
function visitorsNarrow(terms: readonly Term[]): object[] {
  return [onTheWeb, ...encodeNarrow(terms.filter(({ operator }) => operator !== "in"))];
}

export function fetchingOf(api: Api, store: Store, isVisitor: boolean) {
  const narrowOf = isVisitor ? visitorsNarrow : encodeNarrow;
  const underWay = new Map<string, Promise<number | null>>();

  const fetchPage = async (terms: readonly Term[], params: object, side: "older" | "newer" | "fresh") => {
    const page = await api.get<Page>("/messages", {
      narrow: narrowOf(terms),
      client_gravatar: false,
      allow_empty_topic_name: true,
      ...params,
    });
    const { found_oldest, found_newest, anchor } = page;
    const messages = page.messages.map((message) => ({ ...message, flags: message.flags ?? [] }));
    const answer = { key: narrowKey(terms), terms, messages, found_oldest, found_newest, side };
    store.change("client/fetched", answer);
    return anchor ?? null;
  };

  /** Fetches messages that belong to no known range. */
  const fetchAlone = async (params: object) => {
    const asked = { client_gravatar: false, allow_empty_topic_name: true, ...params };
    const { messages } = await api.get<Page>("/messages", asked);
    const whole = messages.map((message) => ({ ...message, flags: message.flags ?? [] }));
    store.change("client/known", { messages: whole });
  };

  /** One request of a kind at a time. */
  const once = (key: string, fetch: () => Promise<number | null>) => {
    const running = underWay.get(key) ?? fetch().finally(() => underWay.delete(key));
    underWay.set(key, running);
    return running;
  };

  return {
    /** Fetches the messages around an anchor and replaces the known ones; returns the anchor's ID. */
    open: (terms: readonly Term[], anchor: FetchAnchor) =>
      once(`${narrowKey(terms)}\n${JSON.stringify(anchor)}`, () =>
        fetchPage(
          terms,
          {
            ...(typeof anchor === "object"
              ? { anchor: "date", anchor_date: anchor.since }
              : { anchor: String(anchor) }),
            ...(anchor === "newest" ? lastPage : firstPage),
          },
          "fresh",
        ),
      ),
    /** After missed events: fetches the messages on screen again, from `shown` on. */
    renew: (terms: readonly Term[], shown: number | null) =>
      once(`${narrowKey(terms)}\nrenew`, () =>
        fetchPage(
          terms,
          { anchor: shown === null ? "newest" : String(shown), num_before: 80, num_after: 200 },
          "fresh",
        ),
      ),
    older: (terms: readonly Term[]) =>
      once(`${narrowKey(terms)}\nolder`, async () => {
        const first = store.get().windows[narrowKey(terms)]?.ids[0];
        if (first === undefined) return null;
        const params = { anchor: String(first), include_anchor: false, num_before: nextPage, num_after: 0 };
        return fetchPage(terms, params, "older");
      }),
    newer: (terms: readonly Term[]) =>
      once(`${narrowKey(terms)}\nnewer`, async () => {
        const last = store.get().windows[narrowKey(terms)]?.ids.at(-1);
        if (last === undefined) return fetchPage(terms, { anchor: "newest", ...lastPage }, "fresh");
        const params = { anchor: String(last), include_anchor: false, num_before: 0, num_after: nextPage };
        return fetchPage(terms, params, "newer");
      }),
    /** The newest messages of all conversations. */
    lately: () =>
      once("lately", () => fetchPage([], { anchor: "newest", num_before: 400, num_after: 0 }, "fresh")),
    topics: (channel: number) =>
      once(`topics ${channel}`, async () => {
        const params = { allow_empty_topic_name: true };
        const { topics } = await api.get<{ topics: TopicEntry[] }>(`/users/me/${channel}/topics`, params);
        store.change("client/topics", { channel, topics });
        return null;
      }),
    /** Fetches the last messages that somebody wrote in a narrow. */
    lastOf: async (sender: number, terms: readonly Term[]) => {
      const narrow = narrowOf([...terms, term("sender", sender)]);
      await fetchAlone({ narrow, anchor: "newest", num_before: 5, num_after: 0 });
    },
    /** Fetches messages by ID, except those that are known. */
    byIds: async (ids: readonly number[]) => {
      const { messages } = store.get();
      const missing = ids.filter((id) => !messages[id]);
      if (missing.length > 0)
        await fetchAlone({ message_ids: missing, ...(isVisitor && { narrow: narrowOf([]) }) });
    },
  };
}
