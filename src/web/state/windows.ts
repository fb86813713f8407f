// The known messages of a narrow. Events keep the list complete between its first and last message.
import type { Message, MessageEvents, Messages } from "./messages.ts";
import { type Deciding, holds, type Term } from "./narrows.ts";
import type { StateNoun } from "./noun.ts";
import { union, without, withoutEntries } from "./records.ts";

/** A continuous range of the messages of a narrow. */
export interface Window {
  terms: readonly Term[];
  /** Ascending. */
  ids: readonly number[];
  found_oldest: boolean;
  found_newest: boolean;
  /** A message in the range is missing, so the window must be fetched again. */
  is_stale?: boolean;
  /** The HTML of messages with the words marked that this search has found in them. */
  matches?: Readonly<Record<number, string>>;
}

interface Windows {
  /** By the key of the narrow (`state/narrows.ts`). */
  windows: Record<string, Window>;
}

/** An answer of GET /messages. */
export interface Fetched {
  key: string;
  terms: readonly Term[];
  messages: readonly Message[];
  found_oldest: boolean;
  found_newest: boolean;
  /** Which side of the known messages it extends; `fresh` replaces them. */
  side: "older" | "newer" | "fresh";
}

interface OwnEvents {
  "client/fetched": Fetched;
  "client/forget": { key: string };
}

type Others = Pick<Messages, "messages"> & Deciding;
type Known = Windows & Others;

/** Longer windows drop messages at the end that was scrolled away from. Each change of the messages copies their index. */
const maxWindow = 600;
/** With more messages than this, windows that were fetched long ago are dropped, until half of it remains. */
const maxMessages = 3_000;

export const windows: StateNoun<unknown, Windows, MessageEvents & OwnEvents, Others> = {
  takes: [],
  initial: () => ({ windows: {} }),
  reducers: {
    message: addMessage,
    update_message: updateWindows,
    delete_message: (state, { message_id, message_ids = [message_id ?? 0] }) =>
      eachWindow(state, (window) => {
        const ids = without(window.ids, message_ids);
        return ids === window.ids ? window : { ...window, ids };
      }),
    "update_message_flags/add": (state, { flag, messages }) => {
      if (flag !== "starred") return state;
      // Unstarred messages stay in view until the person leaves it.
      const starred = messages.map((id) => {
        const before = state.messages[id];
        return before && { ...before, flags: [...before.flags, flag] };
      });
      return eachWindow(state, (window) =>
        window.terms.some(({ operand }) => operand === "starred")
          ? placeMessages(state, window, starred, messages)
          : window,
      );
    },
    "client/fetched": addFetched,
    "client/forget": (state, { key }) => {
      const { [key]: _, ...rest } = state.windows;
      return { ...state, windows: rest };
    },
  },
};

function eachWindow(state: Known, change: (window: Window) => Window): Known {
  let isChanged = false;
  const entries = Object.entries(state.windows).map(([key, window]) => {
    const after = change(window);
    isChanged ||= after !== window;
    return [key, after] as const;
  });
  return isChanged ? { ...state, windows: Object.fromEntries(entries) } : state;
}

/** Adds messages to a window, if it is known that they belong to its range. */
function placeMessages(
  state: Known,
  window: Window,
  messages: readonly (Message | undefined)[],
  ids: readonly number[],
): Window {
  let after = window;
  for (const [i, id] of ids.entries()) {
    const message = messages[i];
    const isHeld = after.ids.includes(id);
    const found = message ? holds(state, after.terms, message) : null;
    if (found === isHeld) continue;
    if (found === false) after = { ...after, ids: without(after.ids, [id]) };
    else if (isHeld || !isWithin(after, id)) continue;
    else if (found) after = { ...after, ids: union(after.ids, [id]) };
    else after = { ...after, is_stale: true };
  }
  return after;
}

/** Whether an ID is in the known range of the window. */
function isWithin({ ids, found_oldest, found_newest }: Window, id: number): boolean {
  const isAfterFirst = found_oldest || id > (ids[0] ?? Infinity);
  return isAfterFirst && (found_newest || id < (ids.at(-1) ?? -Infinity));
}

function addMessage(state: Known, { message, flags }: MessageEvents["message"]): Known {
  const whole = { ...message, flags };
  return eachWindow(state, (window) => {
    if (!window.found_newest) return window;
    const found = holds(state, window.terms, whole);
    if (found === null) return { ...window, found_newest: false };
    return found ? { ...window, ids: union(window.ids, [message.id]) } : window;
  });
}

function updateWindows(state: Known, event: MessageEvents["update_message"]): Known {
  const { message_id, message_ids, subject, new_stream_id, rendered_content } = event;
  // The words of an edited message are no longer those that were found.
  const after =
    rendered_content === undefined ? state : eachWindow(state, (window) => unmark(window, message_id));
  if (subject === undefined && new_stream_id === undefined) return after;
  const moved = message_ids.map((id) => {
    const before = state.messages[id];
    return (
      before && {
        ...before,
        subject: subject ?? before.subject,
        stream_id: new_stream_id ?? before.stream_id,
      }
    );
  });
  return eachWindow(after, (window) => placeMessages(state, window, moved, message_ids));
}

function unmark(window: Window, id: number): Window {
  if (window.matches?.[id] === undefined) return window;
  return { ...window, matches: withoutEntries(window.matches, [id]) };
}

function addFetched(state: Known, answer: Fetched): Known {
  const { key, terms, side } = answer;
  const messages = { ...state.messages };
  const found: Record<number, string> = {};
  for (const { match_content, match_subject: _, ...message } of answer.messages) {
    const local_id = messages[message.id]?.local_id;
    messages[message.id] = local_id === undefined ? message : { ...message, local_id };
    if (match_content !== undefined) found[message.id] = match_content;
  }
  const ids = answer.messages.map(({ id }) => id);
  const before = side === "fresh" ? undefined : state.windows[key];
  const matches = { ...before?.matches, ...found };
  const window: Window = {
    terms,
    ids: union(before?.ids ?? [], ids),
    found_oldest: side === "newer" ? (before?.found_oldest ?? false) : answer.found_oldest,
    found_newest: side === "older" ? (before?.found_newest ?? false) : answer.found_newest,
    ...(Object.keys(matches).length > 0 && { matches }),
  };
  const after = { ...state, messages };
  return trimWindow(
    { ...after, windows: { ...state.windows, [key]: withArrivals(after, window, side) } },
    key,
    side,
  );
}

/** Messages whose events arrived before the answer. */
function withArrivals(state: Known, window: Window, side: Fetched["side"]): Window {
  if (!window.found_newest || side === "older") return window;
  const last = window.ids.at(-1) ?? 0;
  const newer = Object.values(state.messages).filter(
    (message) => message.id > last && holds(state, window.terms, message) === true,
  );
  return newer.length > 0
    ? {
        ...window,
        ids: union(
          window.ids,
          newer.map(({ id }) => id),
        ),
      }
    : window;
}

/** Drops messages that were scrolled away from, and old windows once there are too many messages. */
function trimWindow(state: Known, key: string, side: Fetched["side"]): Known {
  const { [key]: window, ...others } = state.windows;
  if (!window) return state;
  const kept = cut(window, side);
  // The window that was fetched last is at the end.
  const after = { ...state, windows: { ...others, [key]: kept } };
  if (Object.keys(state.messages).length > maxMessages) return withoutOldWindows(after, key);
  if (kept === window) return after;
  const isKept = new Set([...kept.ids, ...Object.values(others).flatMap(({ ids }) => ids)]);
  const gone = window.ids.filter((id) => !isKept.has(id));
  return { ...after, messages: withoutEntries(state.messages, gone) };
}

function withoutOldWindows(state: Known, key: string): Known {
  const windows: [string, Window][] = [];
  const messages: Known["messages"] = {};
  let count = 0;
  for (const [name, window] of Object.entries(state.windows).toReversed()) {
    count += window.ids.length;
    if (count > maxMessages / 2 && name !== key) break;
    windows.unshift([name, window]);
    for (const id of window.ids) if (state.messages[id]) messages[id] = state.messages[id];
  }
  return { ...state, messages, windows: Object.fromEntries(windows) };
}

function cut(window: Window, side: Fetched["side"]): Window {
  if (window.ids.length <= maxWindow) return window;
  if (side === "older") return { ...window, ids: window.ids.slice(0, maxWindow), found_newest: false };
  return { ...window, ids: window.ids.slice(-maxWindow), found_oldest: false };
}
