// The console's state, and where each key, text and click goes. Does not draw.
import type { Screen } from "../screen.ts";
import type { ScreenSession } from "../session.ts";
import { maxPasted } from "../terminal/input.ts";
import { findAgain, inFinder, openFinder } from "./finder.ts";
import { commandOf } from "./keys.ts";
import { inDetails, inForm, inHelp, inLeaving, inQuestion, inSecret } from "./layers.ts";
import { inFilter, inList } from "./list.ts";
import { inPicker } from "./picker.ts";
import { applyPointer, type Pointer } from "./pointer.ts";
import { load, noticeChanges } from "./rows.ts";
import { type ControllerState, freshPosition, type Inside, keyOf, screenOf } from "./state.ts";
import type { Stroke } from "./text-field.ts";

export interface Controller {
  readonly state: ControllerState;
  readonly session: ScreenSession;
  /** A key by name, or typed text if `isText`. */
  press(key: string, isText?: boolean): void;
  /** Pasted text only goes into fields; its letters are not commands. */
  paste(text: string): void;
  point(pointer: Pointer): void;
  /** Called after each change. */
  watch(notice: () => void): void;
}

export interface ControllerOptions {
  /** Puts a text onto the clipboard. */
  copy?: (text: string) => void;
  browse?: Inside["browse"];
  /** The servers to which the console can go, and how. */
  servers?: Inside["servers"];
  goTo?: Inside["goTo"];
  /** What to say at first. */
  remark?: string | null;
}

export function openController(
  session: ScreenSession,
  screens: readonly Screen[],
  {
    copy = () => {},
    browse = () => false,
    servers = [],
    goTo = async () => {},
    remark = null,
  }: ControllerOptions = {},
): Controller {
  const listeners = new Set<() => void>();
  const state: ControllerState = {
    screens,
    at: 0,
    scope: null,
    positions: screens.map(freshPosition),
    trail: [],
    rows: [],
    changed: new Set(),
    all: 0,
    coming: null,
    refusal: null,
    filtering: null,
    layers: [],
    notice: remark === null ? null : { text: remark, tone: "plain" },
    busy: false,
    held: null,
    batch: null,
    page: 10,
    isWide: false,
    isOver: false,
  };
  const inside: Inside = {
    session,
    state,
    copy,
    browse,
    servers,
    goTo,
    press: (key, isText) => pressKey(inside, key, isText),
    notify() {
      for (const notice of listeners) notice();
    },
  };
  session.watch(() => {
    noticeChanges(state, () => load(inside));
    findAgain(inside);
    inside.notify();
  });
  screenOf(state).start?.(session, null);
  load(inside);
  return {
    state,
    session,
    press(key, isText = false) {
      state.changed.clear();
      if (!isHeld(state, { key, isText })) pressKey(inside, key, isText);
      inside.notify();
    },
    paste(text) {
      if (text.length > maxPasted)
        state.notice = { text: `At most ${maxPasted} characters can be pasted at once.`, tone: "bad" };
      else if (state.held) state.held.keys.push({ key: text, isText: true });
      else if (isTyped(state)) pressKey(inside, text, true);
      else state.notice = { text: "There is no field to paste into.", tone: "plain" };
      inside.notify();
    },
    point(pointer) {
      if (!state.held) applyPointer(inside, pointer);
      inside.notify();
    },
    watch: (notice) => void listeners.add(notice),
  };
}

/** Whether a key waits with others for an answer. */
function isHeld(state: ControllerState, stroke: Stroke): boolean {
  const { held, batch } = state;
  if (!held || batch || keyOf(stroke) === "ctrl+c") return false;
  if (held.mayEnd && keyOf(stroke) === "esc") state.held = null;
  else held.keys.push(stroke);
  return true;
}

function pressKey(inside: Inside, key: string, isText: boolean): void {
  const { state } = inside;
  const top = state.layers.at(-1);
  if (key === "ctrl+c" && !isText) state.isOver = true;
  else if (state.batch) state.batch.isStopped ||= key === "esc";
  else if (top?.kind === "form") inForm(inside, top.filling, { key, isText });
  else if (top?.kind === "picker") inPicker(inside, top, { key, isText });
  else if (top?.kind === "finder") inFinder(inside, top, { key, isText });
  else if (state.filtering && top === undefined) inFilter(inside, state.filtering, { key, isText });
  else if (isText && [...key].length > 1) {
    // Fast typing arrives as one text; outside of fields every character is a key.
    for (const one of key) pressKey(inside, one, isText);
  } else if (top?.kind === "ask") inQuestion(inside, top, key);
  else if (top?.kind === "leave") inLeaving(state, key);
  else if (top?.kind === "secret") inSecret(inside, top, key);
  else if (commandOf(key) === "find") openFinder(inside);
  else if (top?.kind === "help") inHelp(state, top, key);
  else if (top) inDetails(inside, top, key);
  else inList(inside, key);
}

/** Whether a text field has the focus. */
function isTyped({ layers, filtering }: ControllerState): boolean {
  const top = layers.at(-1);
  return (
    top?.kind === "form" ||
    top?.kind === "picker" ||
    top?.kind === "finder" ||
    (filtering !== null && top === undefined)
  );
}
