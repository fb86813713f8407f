// A console's session with a server elsewhere: what has come of each list, when it is read again, and whether the server answers.
import type { Ctx } from "@/kernel/core/context.ts";
import { AppError, englishOnly } from "@/kernel/lib/errors.ts";
import { type EventTail, eventTail } from "../event-tail.ts";
import { timeText } from "../layout.ts";
import type { ScreenScope } from "../screen.ts";
import { type ScreenSession, ServerAway, type ServerStatus } from "../session.ts";
import { openSources } from "../source.ts";
import type { Connection } from "./connection.ts";
import {
  type Asked,
  type DetailsAnswer,
  detailsAnswer,
  maxPages,
  type RemotePage,
  type RowsAnswer,
  rowsAnswer,
  type Welcome,
} from "./schema.ts";

/** A list of the server as far as it has come. */
export interface RemoteList {
  readonly rows: readonly RemoteListRow[];
  readonly total: number | null;
  readonly isWhole: boolean;
  readonly head: RowsAnswer["head"];
  /** Why the person may not read it. */
  readonly refusal: string | null;
}

/** A row with the texts of its actions. */
export type RemoteListRow = RemotePage["rows"][number] & { page_acts: RemotePage["acts"] };

export interface RemoteSession extends ScreenSession {
  readonly connection: Connection;
  readonly events: EventTail;
  list(screen: string, scope: ScreenScope | null, everySeconds: number): RemoteList;
  /** Says for which room the head is made. */
  fit(size: { width: number; height: number }): void;
  /** The details of a row; null until they have come. */
  details(asked: Omit<Asked<"details">, "ask" | "chosen">): DetailsAnswer | null;
  /** Notes what an action has chosen. */
  choose(chosen: Readonly<Record<string, string>>): void;
  /** Has the screen drawn again. */
  notify(): void;
}

interface KeptList extends RemoteList {
  rows: RemoteListRow[];
  total: number | null;
  isWhole: boolean;
  head: RowsAnswer["head"];
  refusal: string | null;
  pages: { digest: string; rows: RemoteListRow[] }[];
  isStopped: boolean;
  /** Counts what has come, so that details are read again. */
  version: number;
  /** The size of the head that has come. */
  size: string;
}

interface KeptDetails {
  value: DetailsAnswer | null;
  version: number;
  at: number;
  isLoading: boolean;
}

const freshList = (): KeptList => ({
  rows: [],
  total: null,
  isWhole: false,
  head: [],
  refusal: null,
  pages: [],
  isStopped: false,
  version: 0,
  size: "",
});

const mostLists = 60;
const mostDetails = 200;
/** A row that is selected for less is only passed by. */
const passedByMs = 80;
const detailsMs = 15_000;
/** What changes often is read again at most so often. */
const newsMs = 500;
const settleMs = 5_000;
const [leastPauseMs, mostPauseMs] = [1_000, 30_000];

/** Events about messages and presence change none of the lists but these. */
const quiet =
  /^(message|update_message|delete_message|reaction|submessage|typing|presence|user_status|heartbeat)/;
const ofMessages = new Set(["Messages", "Overview"]);

export function openRemoteSession(connection: Connection, { who, site }: Welcome): RemoteSession {
  const { name, address, request } = connection.place;
  const listeners = new Set<() => void>();
  const notify = () => {
    for (const notice of listeners) notice();
  };
  const sources = openSources(notify);
  const chosen = new Map<string, string>();
  const lists = new Map<string, KeptList>();
  const known = new Map<string, KeptDetails>();
  /** The list that is shown, and the details that were asked for last. */
  let shown = { name: "", screen: "" };
  let wantedDetails = "";
  let size = { width: 80, height: 24 };
  let away: { since: number; until: number; pauseMs: number; error: ServerAway } | null = null;
  let refusal: string | null = null;
  let newsTimer: ReturnType<typeof setTimeout> | undefined;
  let awayTimer: ReturnType<typeof setTimeout> | undefined;
  let isClosed = false;

  /** While the server is away, fails at once until it is time to try again. */
  async function trying<T>(ask: () => Promise<T>): Promise<T> {
    if (away && performance.now() < away.until) throw away.error;
    try {
      const found = await ask();
      if (away || refusal !== null) {
        away = null;
        refusal = null;
        notify();
      }
      return found;
    } catch (error) {
      if (error instanceof ServerAway) noteAway(error);
      else if (error instanceof AppError && /does not accept your key/.test(error.message)) {
        refusal = "key refused";
        notify();
      }
      throw error;
    }
  }

  function noteAway(error: ServerAway): void {
    const pauseMs = Math.min(mostPauseMs, away ? away.pauseMs * 2 : leastPauseMs);
    away = { since: away?.since ?? Date.now() / 1000, until: performance.now() + pauseMs, pauseMs, error };
    clearTimeout(awayTimer);
    if (!isClosed) awayTimer = setTimeout(() => sources.refresh(shown.name), pauseMs + 1);
    notify();
  }

  async function readList(
    list: KeptList,
    asked: Omit<Asked<"rows">, "ask" | "known" | "from" | "width" | "height">,
  ) {
    if (list.isStopped && list.isWhole) return list;
    // Once the list is whole, all of it is read again; until then, what is missing.
    let from = list.isWhole ? 0 : list.pages.length;
    for (;;) {
      const { width, height } = size;
      const digests = list.pages.map(({ digest }) => digest).slice(0, maxPages);
      const answer = await trying(() =>
        connection.look({ ask: "rows", ...asked, known: digests, from, width, height }, rowsAnswer),
      ).catch((error) => {
        if (!(error instanceof AppError)) throw error;
        list.refusal = error.message;
        list.isWhole = true;
        return null;
      });
      if (!answer) return list;
      if (merge(list, answer, `${width}×${height}`)) notify();
      if (!answer.hasMore || isClosed) return list;
      from = Math.max(from, answer.next);
    }
  }

  function listName(screen: string, scope: ScreenScope | null): string {
    return JSON.stringify([screen, scope?.id, scope?.near, Object.fromEntries(sentChoices())]);
  }

  /** Which columns are hidden is the console's own matter. */
  function sentChoices(): [string, string][] {
    return [...chosen].filter(([key]) => !key.startsWith("hidden columns "));
  }

  const events = eventTail({ request: (path, init) => request(path, init) });
  let lastEvent = 0;
  events.watch(() => {
    notify();
    const news = events.newest.filter(({ number }) => number > lastEvent);
    lastEvent = events.newest[0]?.number ?? lastEvent;
    const matters = news.some(({ type }) => !quiet.test(type) || ofMessages.has(shown.screen));
    if (!matters || newsTimer || isClosed) return;
    newsTimer = setTimeout(() => {
      newsTimer = undefined;
      sources.refresh(shown.name);
    }, newsMs);
  });
  events.start();

  return {
    connection,
    events,
    chosen,
    who,
    site,
    get status(): ServerStatus {
      const where = name === "" ? address : `${name} ${address}`;
      if (refusal !== null) return { text: `○ ${where}, ${refusal}`, tone: "bad" };
      if (!away) return { text: `● ${where}`, tone: "good" };
      return { text: `○ ${where}, no answer since ${timeText(away.since).slice(11)}`, tone: "bad" };
    },
    // Screens of a server elsewhere are read there.
    ctx: () => ({}) as Ctx,
    list(screen, scope, everySeconds) {
      const named = listName(screen, scope);
      const list = lists.get(named) ?? freshList();
      lists.delete(named);
      lists.set(named, list);
      dropOldest(lists, mostLists);
      const asked = { chosen: Object.fromEntries(sentChoices()), screen, scope };
      shown = { name: named, screen };
      sources.get(named, everySeconds * 1000, () => readList(list, asked));
      return list;
    },
    fit(wanted) {
      if (wanted.width === size.width && wanted.height === size.height) return;
      size = wanted;
      const list = lists.get(shown.name);
      if (list && list.size !== "") sources.refresh(shown.name);
    },
    details(asked) {
      const key = JSON.stringify([asked.screen, asked.id]);
      const version = lists.get(listName(asked.screen, asked.scope))?.version ?? 0;
      const kept = known.get(key) ?? { value: null, version: -1, at: 0, isLoading: false };
      known.delete(key);
      known.set(key, kept);
      dropOldest(known, mostDetails);
      wantedDetails = key;
      const isOld = kept.version !== version || performance.now() - kept.at > detailsMs;
      if (isOld && !kept.isLoading) {
        kept.isLoading = true;
        const load = async () => {
          await Bun.sleep(kept.value ? newsMs : passedByMs);
          if (wantedDetails !== key || isClosed) return;
          const request = { ask: "details" as const, chosen: Object.fromEntries(sentChoices()), ...asked };
          kept.value = await trying(() => connection.look(request, detailsAnswer));
          kept.version = version;
          kept.at = performance.now();
        };
        void load()
          .catch((error: Error) => {
            kept.version = version;
            kept.at = performance.now();
            kept.value ??= { facts: [["", error.message, null]], text: "", picture: [] };
          })
          .finally(() => {
            kept.isLoading = false;
            if (wantedDetails === key) notify();
          });
      }
      return kept.value;
    },
    choose(changed) {
      for (const [key, text] of Object.entries(changed))
        if (text === "") chosen.delete(key);
        else chosen.set(key, text);
    },
    async settle() {
      const refreshed = sources.refreshed(shown.name);
      await Promise.race([refreshed, Bun.sleep(settleMs)]);
    },
    leave: () => sources.leave(),
    notify,
    watch: (notice) => void listeners.add(notice),
    async close() {
      isClosed = true;
      clearTimeout(newsTimer);
      clearTimeout(awayTimer);
      listeners.clear();
      sources.close();
      await events.close();
    },
  };
}

/** Takes what has come; says whether anything changed. */
function merge(
  list: KeptList,
  { pages, count, total, hasMore, head, isStopped }: RowsAnswer,
  size: string,
): boolean {
  const isSame =
    pages.length === 0 &&
    count === list.pages.length &&
    total === list.total &&
    list.refusal === null &&
    list.isWhole === !hasMore &&
    Bun.deepEquals(head, list.head);
  Object.assign(list, { total, isStopped, size, refusal: null });
  if (isSame) return false;
  for (const { at, digest, acts, rows } of pages)
    list.pages[at] = { digest, rows: rows.map((row) => ({ ...row, page_acts: acts })) };
  list.pages.length = Math.min(list.pages.length, count);
  list.rows = list.pages.flatMap(({ rows }) => rows);
  list.isWhole = !hasMore;
  list.head = head;
  list.version++;
  return true;
}

function dropOldest(all: Map<string, unknown>, most: number): void {
  for (const key of all.keys()) {
    if (all.size <= most) return;
    all.delete(key);
  }
}

/** Throws why a list may not be read. */
export function checkReadable({ refusal }: RemoteList): void {
  if (refusal !== null) throw new AppError("BAD_REQUEST", englishOnly(refusal));
}
