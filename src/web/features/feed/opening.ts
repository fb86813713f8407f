// Opens a feed: what to fetch, and where its first unread message is.
import { useCallback, useEffect, useRef, useState } from "react";
import { type Client, useClient, useSelect } from "../../api/client.ts";
import { mayPass, Refusal, reasonOf } from "../../api/request.ts";
import { t } from "../../lib/texts.ts";
import { narrowKey, type Term } from "../../state/narrows.ts";
import { placeKey } from "../../state/places.ts";
import type { State } from "../../state/state.ts";
import { placeOfTerms } from "../../ui/routes/route.ts";

interface Problem {
  text: string;
  /** Whether it stays, however often one tries. */
  isLasting: boolean;
}

/** Where a feed opens. */
export interface Start {
  /** At this message. */
  near?: number | undefined;
  /** At the first message of this day, as "2026-11-20". */
  date?: string | undefined;
  /** At the first of all messages rather than the last: for results of a search. */
  fromOldest?: boolean;
}

interface Opening {
  /** The message at which it opens, if not at the first unread one. */
  near: number | undefined;
  /** Whether there is something to show. */
  isReady: boolean;
  /** The message below the unread line, which stays until the person leaves. */
  firstUnread: number | null;
  problem: Problem | null;
  again: () => void;
  /** Replaces the known messages by the newest or oldest ones; rejects if they cannot be fetched. */
  jump: (to: "newest" | "oldest") => Promise<void>;
}

/** The first unread message of a narrow; undefined if it may be outside the known range. */
function firstUnreadOf(state: State, terms: readonly Term[], isSearch: boolean): number | null | undefined {
  const window = state.windows[narrowKey(terms)];
  if (!window || window.is_stale) return undefined;
  if (isSearch) return window.found_newest ? null : undefined;
  const place = placeOfTerms(terms);
  if (place) {
    const first = state.unread[placeKey(place)]?.ids[0];
    if (first === undefined) return window.found_newest ? null : undefined;
    return window.ids.includes(first) ? first : undefined;
  }
  const found = window.ids.find((id) => state.messages[id] && !state.messages[id].flags.includes("read"));
  if (found === undefined) return window.found_newest ? null : undefined;
  return window.found_oldest || found !== window.ids[0] ? found : undefined;
}

interface Opened {
  firstUnread: number | null;
  near: number | undefined;
}

async function fetchStart(
  client: Client,
  terms: readonly Term[],
  { near, date, fromOldest }: Start,
  isSearch: boolean,
): Promise<Opened> {
  const usual = fromOldest ? "oldest" : isSearch ? "newest" : "first_unread";
  const anchor = await client.fetching.open(terms, near ?? (date ? { since: midnight(date) } : usual));
  const { windows, messages } = client.store.get();
  const ids = windows[narrowKey(terms)]?.ids ?? [];
  const firstOfDay = ids.find((id) => id >= (anchor ?? 0)) ?? ids.at(-1);
  const firstUnread = ids.find((id) => messages[id] && !messages[id].flags.includes("read")) ?? null;
  return {
    firstUnread: isSearch ? null : firstUnread,
    near: near ?? (date ? firstOfDay : fromOldest ? ids[0] : undefined),
  };
}

/** When the day begins where the person is. */
const midnight = (date: string) => new Date(`${date}T00:00`).toISOString();

/** Replaces the server's error for unknown places, which is written for programs. */
function inWords(error: unknown): Problem {
  if (error instanceof Refusal && error.code === "BAD_NARROW") {
    const text = t("The address leads to something that does not exist, or that you may not see.");
    return { text, isLasting: true };
  }
  return { text: reasonOf(error), isLasting: !mayPass(error) };
}

export function useOpening(
  terms: readonly Term[],
  { near, date, fromOldest = false }: Start,
  isSearch: boolean,
): Opening {
  const client = useClient();
  const key = narrowKey(terms);
  const view = `${key}\n${near ?? date ?? (fromOldest ? "oldest" : "")}`;
  const known = useRef<(Opened & { view: string }) | null>(null);
  const [, redraw] = useState(0);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [attempt, setAttempt] = useState(0);
  const isStale = useSelect((state) => state.windows[key]?.is_stale === true);

  if (known.current?.view !== view) {
    const state = client.store.get();
    const holdsNear = near === undefined || state.windows[key]?.ids.includes(near) === true;
    const firstUnread =
      holdsNear && date === undefined && !fromOldest ? firstUnreadOf(state, terms, isSearch) : undefined;
    known.current = firstUnread === undefined ? null : { view, firstUnread, near };
  }
  const isReady = known.current !== null;

  useEffect(() => {
    if (known.current?.view === view && attempt === 0) return;
    let isLeft = false;
    setProblem(null);
    fetchStart(client, terms, { near, date, fromOldest }, isSearch).then(
      (opened) => {
        // Messages on screen may have been read in the meantime.
        if (isLeft || known.current?.view === view) return;
        known.current = { view, ...opened };
        redraw((count) => count + 1);
      },
      (error) => !isLeft && setProblem(inWords(error)),
    );
    return () => {
      isLeft = true;
    };
  }, [client, terms, near, date, fromOldest, isSearch, view, attempt]);

  // What could not be fetched without a connection is fetched once it is back.
  useEffect(() => {
    if (!problem || problem.isLasting) return;
    return client.connection.subscribe(() => {
      if (client.connection.get() === "online") setAttempt((count) => count + 1);
    });
  }, [client, problem]);

  // What was shown before the connection was lost stays in its place while it is fetched again.
  useEffect(() => {
    if (!isStale || !known.current) return;
    const shown = document.querySelector("[data-feed] [data-message]")?.getAttribute("data-message");
    client.fetching.renew(terms, shown ? Number(shown) : null).catch(() => {});
  }, [client, terms, isStale]);

  const jump = useCallback(
    async (to: "newest" | "oldest") => {
      await client.fetching.open(terms, to);
    },
    [client, terms],
  );
  return {
    isReady,
    near: known.current?.near,
    firstUnread: known.current?.firstUnread ?? null,
    problem,
    again: () => setAttempt((count) => count + 1),
    jump,
  };
}
