// What each key, text and click does to the console's state. Knows nothing of drawing.
import type { Screen } from "../screen.ts";
import type { Session } from "../session.ts";
import { begin, carryOut, edit, openForm, save, undo } from "./actions.ts";
import { allFinds, findsFor } from "./finds.ts";
import { type Filling, isOnLast, move, typeInto } from "./form.ts";
import { commandOf, type KeyCommand } from "./keys.ts";
import { back, go, show } from "./places.ts";
import { load, note, sortBy, sortByNext } from "./rows.ts";
import {
  type DeskState,
  freshPosition,
  type Inside,
  type Layer,
  positionOf,
  rowOf,
  screenOf,
  selectedRow,
  type Target,
} from "./state.ts";
import { edited, inserted, type TextField, textField } from "./text-field.ts";

export interface Pointer {
  action: "press" | "up" | "down";
  x: number;
  y: number;
}

export interface Desk {
  readonly state: DeskState;
  readonly session: Session;
  /** A key by name, or typed text if `isText`. */
  press(key: string, isText?: boolean): void;
  /** Pasted text only goes into fields; its letters are not commands. */
  paste(text: string): void;
  point(pointer: Pointer): void;
  /** Called after each change. */
  watch(notice: () => void): void;
}

export interface DeskOptions {
  /** Puts a text onto the clipboard. */
  copy?: (text: string) => void;
}

export function openDesk(
  session: Session,
  screens: readonly Screen[],
  { copy = () => {} }: DeskOptions = {},
): Desk {
  const listeners = new Set<() => void>();
  const state: DeskState = {
    screens,
    at: 0,
    scope: null,
    positions: screens.map(freshPosition),
    trail: [],
    rows: [],
    all: 0,
    refusal: null,
    filtering: null,
    layers: [],
    notice: null,
    busy: false,
    page: 10,
    isWide: false,
    zones: [],
    isOver: false,
  };
  const inside: Inside = {
    session,
    state,
    copy,
    changed() {
      for (const notice of listeners) notice();
    },
  };
  session.watch(() => {
    load(inside);
    inside.changed();
  });
  screenOf(state).start?.(session, null);
  load(inside);
  return {
    state,
    session,
    press(key, isText = false) {
      pressed(inside, key, isText);
      inside.changed();
    },
    paste(text) {
      if (isTyped(state)) pressed(inside, text, true);
      else state.notice = { text: "There is no field to paste into.", tone: "plain" };
      inside.changed();
    },
    point(pointer) {
      pointed(inside, pointer);
      inside.changed();
    },
    watch: (notice) => void listeners.add(notice),
  };
}

function pressed(inside: Inside, key: string, isText: boolean): void {
  const { state } = inside;
  const top = state.layers.at(-1);
  if (key === "ctrl+c") state.isOver = true;
  else if (top?.kind === "form") inForm(inside, top.filling, { key, isText });
  else if (top?.kind === "finder") inFinder(inside, top, { key, isText });
  else if (state.filtering && top === undefined) inFilter(inside, state.filtering, { key, isText });
  else if (isText && [...key].length > 1) {
    // Fast typing arrives as one text; outside of fields every character is a key.
    for (const one of key) pressed(inside, one, isText);
  } else if (top?.kind === "ask") inQuestion(inside, top, key);
  else if (top?.kind === "leave") inLeaving(state, key);
  else if (top?.kind === "secret") inSecret(inside, top, key);
  else if (commandOf(key) === "find") openFinder(inside);
  else if (top?.kind === "help") inHelp(state, top, key);
  else if (top) inDetails(inside, top, key);
  else inList(inside, key);
}

/** Whether a text field has the focus. */
function isTyped({ layers, filtering }: DeskState): boolean {
  const top = layers.at(-1);
  return top?.kind === "form" || top?.kind === "finder" || (filtering !== null && top === undefined);
}

interface Stroke {
  key: string;
  isText: boolean;
}

const moves: Partial<Record<KeyCommand, (index: number, page: number, count: number) => number>> = {
  up: (index) => index - 1,
  down: (index) => index + 1,
  pageUp: (index, page) => index - page,
  pageDown: (index, page) => index + page,
  first: () => 0,
  last: (_, __, count) => count - 1,
};

function moveTo({ state }: Inside, wanted: number): void {
  const position = positionOf(state);
  position.index = Math.max(0, Math.min(wanted, state.rows.length - 1));
  note(state);
}

const onList: Partial<Record<KeyCommand, (inside: Inside) => void>> = {
  nextScreen: (inside) => show(inside, (inside.state.at + 1) % inside.state.screens.length),
  previousScreen: (inside) => {
    const { at, screens } = inside.state;
    show(inside, (at - 1 + screens.length) % screens.length);
  },
  filter: ({ state }) => {
    state.filtering = textField(positionOf(state).filter);
  },
  sort: sortByNext,
  reverse: (inside) => {
    const { sorting } = positionOf(inside.state);
    sortBy(inside, sorting ? { ...sorting, isDown: !sorting.isDown } : { column: 0, isDown: true });
  },
  mark: (inside) => {
    toggleMark(inside.state, selectedRow(inside.state));
    moveTo(inside, positionOf(inside.state).index + 1);
  },
  markAll: ({ state }) => {
    const { marks } = positionOf(state);
    if (marks.size > 0) marks.clear();
    else for (const row of state.rows) toggleMark(state, row);
  },
  open,
  other: openDetails,
};

function toggleMark(state: DeskState, row: unknown): void {
  const screen = screenOf(state);
  const isUseful = screen.rowActions !== undefined || screen.edit !== undefined;
  if (row === undefined || !isUseful) return;
  const { marks } = positionOf(state);
  const id = screen.id(row);
  if (!marks.delete(id)) marks.add(id);
}

/** Goes where the row leads, or shows its details. */
function open(inside: Inside): void {
  const { state } = inside;
  const row = selectedRow(state);
  const leads = row === undefined ? null : (screenOf(state).leads?.(row) ?? null);
  if (leads) go(inside, leads);
  else openDetails(inside);
}

function openDetails({ state }: Inside): void {
  const { facts, id } = screenOf(state);
  const row = selectedRow(state);
  if (row !== undefined && facts)
    state.layers.push({ kind: "details", id: id(row), top: positionOf(state).detailTop });
}

function inList(inside: Inside, key: string): void {
  const { state } = inside;
  const command = commandOf(key);
  const moved = command && moves[command];
  const meant = command && onList[command];
  const position = positionOf(state);
  if (moved) moveTo(inside, moved(position.index, state.page, state.rows.length));
  else if (meant) meant(inside);
  else if (command === "back" || command === "leave") leaveList(inside, command === "leave");
  else anywhere(inside, key);
}

/** Takes back the marks, else the filter, else the last step; only `q` goes on to ask whether to leave. */
function leaveList(inside: Inside, mayLeave: boolean): void {
  const { state } = inside;
  const position = positionOf(state);
  if (position.marks.size > 0) position.marks.clear();
  else if (position.filter !== "") {
    position.filter = "";
    load(inside);
  } else if (back(inside)) return;
  else if (mayLeave) state.layers.push({ kind: "leave" });
  else if (state.notice) state.notice = null;
  else if (state.at !== 0) show(inside, 0);
  else state.notice = { text: "This is where it begins. Press q to leave the console.", tone: "plain" };
}

function inDetails(inside: Inside, top: Layer & { kind: "details" }, key: string): void {
  const { state } = inside;
  const command = commandOf(key);
  const moved = command && moves[command];
  if (moved) top.top = Math.max(0, moved(top.top, state.page, 1_000_000));
  else if (command === "open") {
    const row = rowOf(state, top.id);
    const leads = row === undefined ? null : (screenOf(state).leads?.(row) ?? null);
    if (leads) go(inside, leads);
    else closeDetails(inside, top);
  } else if (command === "back" || command === "leave" || command === "other") closeDetails(inside, top);
  else anywhere(inside, key);
}

function closeDetails({ state }: Inside, top: Layer & { kind: "details" }): void {
  positionOf(state).detailTop = top.top;
  state.layers.pop();
}

function inHelp(state: DeskState, top: Layer & { kind: "help" }, key: string): void {
  const command = commandOf(key);
  const moved = command && moves[command];
  if (moved) top.top = Math.max(0, moved(top.top, state.page, 1000));
  else if (command === "back" || command === "leave" || command === "help" || command === "open")
    state.layers.pop();
}

const common: Partial<Record<KeyCommand, (inside: Inside) => void>> = {
  help: ({ state }) => void state.layers.push({ kind: "help", top: 0 }),
  undo,
  edit,
  copy: copySelected,
  create: (inside) => {
    const { create } = screenOf(inside.state);
    if (create) openForm(inside, create.form(inside.session.ctx(), inside.state.scope));
  },
};

/** Keys that mean the same in lists and in details. */
function anywhere(inside: Inside, key: string): void {
  const { state } = inside;
  const numbered = state.screens.findIndex((one) => one.key === key);
  const command = commandOf(key);
  const meant = command && common[command];
  if (numbered >= 0) show(inside, numbered);
  else if (meant) meant(inside);
  else begin(inside, key);
}

function copySelected({ state, copy }: Inside): void {
  const row = selectedRow(state);
  const text = row === undefined ? null : (screenOf(state).copies?.(row) ?? null);
  if (text === null) return;
  copy(text);
  state.notice = { text: `Copied: ${text}`, tone: "good" };
}

function inSecret({ state, copy }: Inside, top: Layer & { kind: "secret" }, key: string): void {
  const command = commandOf(key);
  if (key === "y" || key === "c") {
    const text = top.facts.at(-1)?.[1] ?? "";
    copy(text);
    state.notice = { text: `Copied: ${top.facts.at(-1)?.[0] ?? ""}.`, tone: "good" };
  } else if (command === "open" || command === "back" || command === "leave") state.layers.pop();
}

function inFilter(inside: Inside, field: TextField, { key, isText }: Stroke): void {
  const { state } = inside;
  const position = positionOf(state);
  if (key === "enter") {
    position.filter = field.text;
    state.filtering = null;
  } else if (key === "esc") {
    position.filter = "";
    state.filtering = null;
  } else if (key === "up" || key === "down") {
    moveTo(inside, position.index + (key === "up" ? -1 : 1));
  } else state.filtering = edited(field, key) ?? (isText ? inserted(field, key) : field);
  load(inside);
}

function openFinder({ session, state }: Inside): void {
  const all = allFinds(session, state);
  state.layers.push({ kind: "finder", field: textField(), index: 0, all, found: findsFor(all, "") });
}

function inFinder(inside: Inside, top: Layer & { kind: "finder" }, { key, isText }: Stroke): void {
  const { state } = inside;
  const last = top.found.length - 1;
  if (key === "esc") state.layers.pop();
  else if (key === "enter") take(inside, top);
  else if (key === "down" || key === "tab") top.index = Math.min(last, top.index + 1);
  else if (key === "up" || key === "shift+tab") top.index = Math.max(0, top.index - 1);
  else {
    top.field = edited(top.field, key) ?? (isText ? inserted(top.field, key) : top.field);
    top.found = findsFor(top.all, top.field.text);
    top.index = 0;
  }
}

function take(inside: Inside, top: Layer & { kind: "finder" }): void {
  const find = top.found[top.index];
  if (!find) return;
  inside.state.layers = inside.state.layers.filter((layer) => layer !== top);
  if (find.to) go(inside, find.to);
  for (const key of find.keys ?? []) pressed(inside, key, true);
}

function inQuestion(inside: Inside, top: Layer & { kind: "ask" }, key: string): void {
  const { state } = inside;
  if (!["y", "Y", "n", "N", "q", "esc"].includes(key)) return;
  state.layers.pop();
  if (key === "y" || key === "Y") void carryOut(inside, top.run);
}

function inLeaving(state: DeskState, key: string): void {
  if (["y", "Y", "enter", "q"].includes(key)) state.isOver = true;
  else if (["n", "N", "esc"].includes(key)) state.layers.pop();
}

function inForm(inside: Inside, state: Filling, { key, isText }: Stroke): void {
  if (state.busy) return;
  if (key === "esc") inside.state.layers.pop();
  else if (key === "ctrl+s" || (key === "enter" && isOnLast(state))) void save(inside, state);
  else if (key === "enter" || key === "tab" || key === "down") move(state, 1);
  else if (key === "shift+tab" || key === "up") move(state, -1);
  else typeInto(state, key, isText);
}

/** The wheel moves what is below it; a click selects, a second one opens. */
function pointed(inside: Inside, { action, x, y }: Pointer): void {
  const { state } = inside;
  const zone = state.zones.findLast(
    (one) => x >= one.x && x < one.x + one.width && y >= one.y && y < one.y + one.height,
  );
  if (!zone) return;
  if (action === "press") click(inside, zone.target);
  else scroll(inside, zone.target, action);
}

function scroll(inside: Inside, target: Target, way: "up" | "down"): void {
  const { state } = inside;
  const by = way === "up" ? -3 : 3;
  const top = state.layers.at(-1);
  if (top?.kind === "details" || top?.kind === "help") top.top = Math.max(0, top.top + by);
  else if (top?.kind === "finder" || top?.kind === "form") pressed(inside, way, false);
  else if (top) return;
  else if (target.kind === "details")
    positionOf(state).detailTop = Math.max(0, positionOf(state).detailTop + by);
  else moveTo(inside, positionOf(state).index + by);
}

function click(inside: Inside, target: Target): void {
  const top = inside.state.layers.at(-1);
  if (target.kind === "key") pressed(inside, target.key, false);
  else if (top?.kind === "form") {
    if (target.kind === "field") move(top.filling, target.index - top.filling.current);
  } else if (top?.kind === "finder") {
    if (target.kind !== "find") return;
    top.index = target.index;
    take(inside, top);
  } else if (!top || top.kind === "details" || top.kind === "help") clickPlace(inside, target);
}

function clickPlace(inside: Inside, target: Target): void {
  const { state } = inside;
  if (target.kind === "screen") show(inside, target.at);
  else if (target.kind === "back") back(inside, target.steps);
  else if (target.kind === "column") {
    const { sorting } = positionOf(state);
    const isDown = sorting?.column === target.index && !sorting.isDown;
    sortBy(inside, { column: target.index, isDown });
  } else if (target.kind === "row") clickRow(inside, target.index);
  else if (target.kind === "details" && state.layers.length === 0) openDetails(inside);
}

function clickRow(inside: Inside, index: number): void {
  const { state } = inside;
  const position = positionOf(state);
  const wasOpen = state.layers.length > 0;
  const isAgain = position.index === index && !wasOpen;
  state.layers = [];
  moveTo(inside, index);
  if (isAgain) open(inside);
}
