// The state of the console (screen, rows, layers on top) and what each key does to it. Knows nothing of drawing.
import { AppError } from "@/kernel/errors.ts";
import { type Filling, filling, isOnLast, move, submitted, typeInto } from "./form.ts";
import { commandOf, type KeyCommand } from "./keys.ts";
import type { Facts, Form, Outcome, RowAction, Screen } from "./screen.ts";
import type { Session } from "./session.ts";
import { edited, inserted, type TextField, textField } from "./text-field.ts";

export interface Position {
  /** ID of the selected row, so that the selection stays when rows are added or removed. */
  selected: number | string | null;
  index: number;
  filter: string;
}

export type Layer =
  | { kind: "details"; id: number | string; top: number }
  | { kind: "form"; filling: Filling }
  | { kind: "ask"; question: string; run: () => Promise<Outcome> }
  | { kind: "secret"; title: string; facts: Facts }
  | { kind: "help"; top: number };

export interface Notice {
  text: string;
  tone: "good" | "bad" | "plain";
  undo?: Outcome["undo"];
}

export interface DeskState {
  screens: readonly Screen[];
  at: number;
  positions: Position[];
  rows: readonly unknown[];
  /** The number of rows without the filter. */
  all: number;
  /** Why the rows cannot be shown, if the operator may not read them. */
  refusal: string | null;
  filtering: TextField | null;
  layers: Layer[];
  notice: Notice | null;
  busy: boolean;
  /** Rows per page, as of the last drawing. */
  page: number;
  isOver: boolean;
}

export interface Desk {
  readonly state: DeskState;
  readonly session: Session;
  /** A key by name, or typed text if `isText`. */
  press(key: string, isText?: boolean): void;
  /** Pasted text only goes into fields; its letters are not commands. */
  paste(text: string): void;
  reload(): void;
  /** Increases with each change. */
  readonly version: number;
  watch(notice: () => void): () => void;
}

interface Inside {
  session: Session;
  state: DeskState;
  changed(): void;
}

export function openDesk(session: Session, screens: readonly Screen[]): Desk {
  const listeners = new Set<() => void>();
  let version = 0;
  const state: DeskState = {
    screens,
    at: 0,
    positions: screens.map(() => ({ selected: null, index: 0, filter: "" })),
    rows: [],
    all: 0,
    refusal: null,
    filtering: null,
    layers: [],
    notice: null,
    busy: false,
    page: 10,
    isOver: false,
  };
  const inside: Inside = {
    session,
    state,
    changed() {
      version++;
      for (const notice of listeners) notice();
    },
  };
  const reload = () => {
    load(inside);
    inside.changed();
  };
  session.watch(reload);
  load(inside);
  return {
    state,
    session,
    reload,
    press(key, isText = false) {
      pressed(inside, key, isText);
      inside.changed();
    },
    paste(text) {
      if (isTyped(state)) pressed(inside, text, true);
      else state.notice = { text: "There is no field to paste into.", tone: "plain" };
      inside.changed();
    },
    get version() {
      return version;
    },
    watch(notice) {
      listeners.add(notice);
      return () => listeners.delete(notice);
    },
  };
}

export function screenOf({ screens, at }: DeskState): Screen {
  return screens[at] as Screen;
}

export function positionOf({ positions, at }: DeskState): Position {
  return positions[at] as Position;
}

export function selectedRow(state: DeskState): unknown {
  return state.rows[positionOf(state).index];
}

export function rowOf(state: DeskState, id: number | string): unknown {
  return state.rows.find((row) => screenOf(state).id(row) === id);
}

/** Reads the rows again and keeps the selection. */
function load({ state, session }: Inside): void {
  const screen = screenOf(state);
  const position = positionOf(state);
  try {
    const all = screen.rows(session);
    state.all = all.length;
    state.rows = matching(screen, all, state.filtering?.text ?? position.filter);
    state.refusal = null;
  } catch (error) {
    state.rows = [];
    state.all = 0;
    state.refusal = sentenceOf(error);
  }
  const staysAtTop = screen.follows && position.index === 0;
  const found = staysAtTop ? 0 : state.rows.findIndex((row) => screen.id(row) === position.selected);
  position.index = found >= 0 ? found : Math.max(0, Math.min(position.index, state.rows.length - 1));
  note(state);
  const top = state.layers.at(-1);
  if (top?.kind === "details" && rowOf(state, top.id) === undefined) state.layers = [];
}

function note(state: DeskState): void {
  const row = selectedRow(state);
  positionOf(state).selected = row === undefined ? null : screenOf(state).id(row);
}

function matching(screen: Screen, rows: readonly unknown[], filter: string): readonly unknown[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return rows;
  return rows.filter((row) => {
    const text = screen.columns
      .map(({ value }) => value(row))
      .join("\n")
      .toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

function sentenceOf(error: unknown): string {
  if (error instanceof AppError) return error.message;
  return `This is a bug in Confab: ${error instanceof Error ? error.message : String(error)}`;
}

function pressed(inside: Inside, key: string, isText: boolean): void {
  const { state } = inside;
  const top = state.layers.at(-1);
  if (key === "ctrl+c") state.isOver = true;
  else if (top?.kind === "form") inForm(inside, top.filling, { key, isText });
  else if (top?.kind === "ask") inQuestion(inside, top, key);
  else if (state.filtering) inFilter(inside, state.filtering, { key, isText });
  else if (top?.kind === "secret") inSecret(state, key);
  else if (isText && key.length > 1) {
    // Fast typing arrives as one text; outside of fields every character is a key.
    for (const one of key) pressed(inside, one, isText);
  } else if (top?.kind === "help") inHelp(state, top, key);
  else if (top) inDetails(inside, top, key);
  else inList(inside, key);
}

/** Whether a text field has the focus. */
function isTyped({ layers, filtering }: DeskState): boolean {
  const top = layers.at(-1);
  return top?.kind === "form" || (filtering !== null && top?.kind !== "ask");
}

function inSecret(state: DeskState, key: string): void {
  if (["enter", "q", "esc"].includes(key)) state.layers.pop();
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

const onList: Partial<Record<KeyCommand, (inside: Inside) => void>> = {
  nextScreen: (inside) => show(inside, (inside.state.at + 1) % inside.state.screens.length),
  previousScreen: (inside) => {
    const { at, screens } = inside.state;
    show(inside, (at - 1 + screens.length) % screens.length);
  },
  filter: ({ state }) => {
    state.filtering = textField(positionOf(state).filter);
  },
  back: leaveList,
  open: ({ state }) => {
    const { facts, id } = screenOf(state);
    const row = selectedRow(state);
    if (row !== undefined && facts) state.layers.push({ kind: "details", id: id(row), top: 0 });
  },
};

function inList(inside: Inside, key: string): void {
  const { state } = inside;
  const numbered = state.screens.findIndex((one) => one.key === key);
  const command = commandOf(key);
  const moved = command && moves[command];
  const meant = command && onList[command];
  if (numbered >= 0) show(inside, numbered);
  else if (moved) {
    const position = positionOf(state);
    const wanted = moved(position.index, state.page, state.rows.length);
    position.index = Math.max(0, Math.min(wanted, state.rows.length - 1));
    note(state);
  } else if (meant) meant(inside);
  else onRow(inside, key, selectedRow(state));
}

/** Closes the filter if there is one, else the console. */
function leaveList(inside: Inside): void {
  const position = positionOf(inside.state);
  if (position.filter === "") inside.state.isOver = true;
  position.filter = "";
  load(inside);
}

function show(inside: Inside, at: number): void {
  inside.state.at = at;
  inside.state.notice = null;
  screenOf(inside.state).start?.(inside.session);
  load(inside);
}

function inDetails(inside: Inside, top: Layer & { kind: "details" }, key: string): void {
  const { state } = inside;
  const command = commandOf(key);
  const moved = command && moves[command];
  if (moved) top.top = Math.max(0, moved(top.top, state.page, 1000));
  else if (command === "back" || command === "open") state.layers.pop();
  else onRow(inside, key, rowOf(state, top.id));
}

function inHelp(state: DeskState, top: Layer & { kind: "help" }, key: string): void {
  const command = commandOf(key);
  const moved = command && moves[command];
  if (moved) top.top = Math.max(0, moved(top.top, state.page, 100));
  else if (command === "back" || command === "help" || command === "open") state.layers.pop();
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
    const by = key === "up" ? -1 : 1;
    position.index = Math.max(0, Math.min(position.index + by, state.rows.length - 1));
    note(state);
  } else state.filtering = edited(field, key) ?? (isText ? inserted(field, key) : field);
  load(inside);
}

function inQuestion(inside: Inside, top: Layer & { kind: "ask" }, key: string): void {
  const { state } = inside;
  if (!["y", "Y", "n", "N", "q", "esc"].includes(key)) return;
  state.layers.pop();
  if (key === "y" || key === "Y") void carryOut(inside, top.run);
}

function inForm(inside: Inside, state: Filling, { key, isText }: Stroke): void {
  if (state.busy) return;
  if (key === "esc") inside.state.layers.pop();
  else if (key === "ctrl+s" || (key === "enter" && isOnLast(state))) void save(inside, state);
  else if (key === "enter" || key === "tab" || key === "down") move(state, 1);
  else if (key === "shift+tab" || key === "up") move(state, -1);
  else typeInto(state, key, isText);
}

async function save(inside: Inside, state: Filling): Promise<void> {
  state.busy = true;
  try {
    const done = await submitted(inside.session.ctx(), state);
    if (done) {
      inside.state.layers = inside.state.layers.filter(
        (layer) => layer.kind !== "form" || layer.filling !== state,
      );
      showOutcome(inside, done);
    }
  } catch (error) {
    state.problem = sentenceOf(error);
  }
  state.busy = false;
  load(inside);
  inside.changed();
}

/** Runs a key on a row, or on the screen as a whole. */
function onRow(inside: Inside, key: string, row: unknown): void {
  const { state, session } = inside;
  const screen = screenOf(state);
  const command = commandOf(key);
  if (command === "help") state.layers.push({ kind: "help", top: 0 });
  else if (command === "undo") undo(inside);
  else if (command === "create" && screen.create) openForm(inside, screen.create.form(session.ctx()));
  else if (row === undefined) return;
  else if (command === "edit") {
    if (screen.edit && mayEdit(screen, row)) openForm(inside, screen.edit(session.ctx(), row));
  } else {
    const rowAction = screen.rowActions?.find((one) => one.key === key && one.title(row) !== null);
    if (rowAction) begin(inside, rowAction, row);
  }
}

export function mayEdit({ edit, mayEdit: may }: Screen, row: unknown): boolean {
  return edit !== undefined && (may?.(row) ?? true);
}

function openForm({ state }: Inside, form: Form): void {
  state.notice = null;
  state.layers.push({ kind: "form", filling: filling(form) });
}

function begin(inside: Inside, rowAction: RowAction<unknown>, row: unknown): void {
  const { state, session } = inside;
  if (rowAction.form) openForm(inside, rowAction.form(session.ctx(), row));
  const { run } = rowAction;
  if (!run) return;
  const carried = () => run(session.ctx(), row);
  const question = rowAction.confirm?.(row) ?? null;
  if (question !== null) state.layers.push({ kind: "ask", question, run: carried });
  else void carryOut(inside, carried);
}

async function carryOut(inside: Inside, run: () => Promise<Outcome>): Promise<void> {
  const { state } = inside;
  if (state.busy) return;
  state.busy = true;
  try {
    showOutcome(inside, await run());
  } catch (error) {
    state.notice = { text: sentenceOf(error), tone: "bad" };
  }
  state.busy = false;
  load(inside);
  inside.changed();
}

function showOutcome({ state }: Inside, { message, secret, undo }: Outcome): void {
  state.notice = { text: message, tone: "good", undo };
  if (secret) state.layers.push({ kind: "secret", title: message, facts: secret });
}

function undo(inside: Inside): void {
  const { notice } = inside.state;
  const back = notice?.undo;
  if (!back) return;
  void carryOut(inside, async () => {
    await back(inside.session.ctx());
    return { message: `Undone: ${notice.text}` };
  });
}
