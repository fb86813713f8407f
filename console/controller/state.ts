// The state of the console: the screen, its rows, and the layers on top.
import { AppError } from "@/kernel/lib/errors.ts";
import type { Line } from "../layout.ts";
import type {
  ActionOutcome,
  Jump,
  ListProgress,
  Pick,
  RowFacts,
  Screen,
  ScreenAction,
  ScreenScope,
} from "../screen.ts";
import type { ScreenSession } from "../session.ts";
import type { FormFilling } from "./form.ts";
import type { Stroke, TextField } from "./text-field.ts";

export interface Sorting {
  column: number;
  isDown: boolean;
}

export interface ListPosition {
  /** ID of the selected row, so that the selection stays when rows are added or removed. */
  selected: number | string | null;
  index: number;
  /** The row to select once it is read; moving about drops it. */
  wanted: { id: number | string; opens: boolean } | null;
  /** Whether the last row is wanted, while rows are still coming. */
  isAtEnd: boolean;
  filter: string;
  /** The first row of the page. */
  top: number;
  sorting: Sorting | null;
  marks: Set<number | string>;
  /** The scroll position of the details next to the list. */
  details: { top: number };
}

/** A result of ':': the screen that it opens, and the keys to press there. */
export interface Find {
  noun: string;
  name: string;
  about: string;
  to?: Jump;
  keys?: readonly string[];
  /** Another server to go to. */
  server?: string;
}

/** The state while choosing a form field's values. */
export interface Picking {
  kind: "picker";
  filling: FormFilling;
  name: string;
  /** What the list is narrowed to. */
  field: TextField;
  index: number;
  all: readonly Pick[];
  found: readonly Pick[];
  /** The texts in the field. */
  chosen: readonly string[];
}

export interface DetailsLayer {
  kind: "details";
  id: number | string;
  top: number;
  /** The selected one of the facts that lead somewhere. */
  link: number;
  /** Whether it was just selected, and must be in sight. */
  isSought: boolean;
}

export type Layer =
  | DetailsLayer
  | { kind: "form"; filling: FormFilling }
  | Picking
  /** `filling` is the form whose changes are asked about. */
  | { kind: "ask"; question: string; run: () => Promise<DoneOutcome>; filling?: FormFilling }
  | { kind: "leave" }
  | { kind: "secret"; title: string; facts: RowFacts; picture: readonly Line[]; remark: string }
  | { kind: "finder"; field: TextField; index: number; all: readonly Find[]; found: readonly Find[] }
  | { kind: "help"; top: number };

export interface StatusNotice {
  text: string;
  tone: "good" | "bad" | "plain";
  /** What undoes it, in this order: one for each row. */
  undos?: readonly Undo[];
  /** What is then undone. */
  undoes?: string;
}

export type Undo = NonNullable<ActionOutcome["undo"]>;

/** The outcome for one row or for many. */
export interface DoneOutcome extends ActionOutcome {
  undos?: StatusNotice["undos"];
  undoes?: StatusNotice["undoes"];
  tone?: StatusNotice["tone"];
  /** The rows that it did not reach; they stay marked. */
  left?: readonly unknown[];
}

/** How far a change of many rows is. */
export interface RowBatch {
  done: number;
  total: number;
  verb: "checked" | "done" | "undone";
  isStopped: boolean;
}

/** What the mouse meets. */
export type ClickTarget =
  | { kind: "row"; index: number }
  | { kind: "column"; index: number }
  | { kind: "screen"; at: number }
  | { kind: "details" }
  | { kind: "link"; index: number }
  | { kind: "field"; index: number }
  | { kind: "find"; index: number }
  | { kind: "pick"; index: number }
  | { kind: "key"; key: string }
  | { kind: "back"; steps: number };

/** Where the operator was, to return to. */
interface VisitedPlace {
  at: number;
  scope: ScreenScope | null;
  position: ListPosition;
  layers: Layer[];
  /** What the screen that was gone to had before. */
  replaced: ListPosition;
}

export interface ControllerState {
  screens: readonly Screen[];
  at: number;
  scope: ScreenScope | null;
  positions: ListPosition[];
  /** The places that led here, in order; empty if a screen was chosen directly. */
  trail: VisitedPlace[];
  rows: readonly unknown[];
  /** IDs of rows that were added or changed since the last key. */
  changed: Set<number | string>;
  /** The number of rows without the filter. */
  all: number;
  /** How much of the rows has come from elsewhere; null at the server's machine. */
  coming: ListProgress | null;
  /** Why the rows cannot be shown, if the operator may not read them. */
  refusal: string | null;
  filtering: TextField | null;
  layers: Layer[];
  notice: StatusNotice | null;
  busy: boolean;
  /** Keys that wait for an answer from elsewhere; Esc may end the waiting if nothing is changed. Null while keys act at once. */
  held: { keys: Stroke[]; mayEnd: boolean } | null;
  /** The change of many rows that runs; only Esc and Ctrl+C are keys then. */
  batch: RowBatch | null;
  /** Lines per page, as of the last drawing. */
  page: number;
  /** Whether details are shown next to the list. */
  isWide: boolean;
  isOver: boolean;
}

/** The name of a pressed key; empty for a text, which may read like one: "end", "tab". */
export function keyOf({ key, isText }: Stroke): string {
  return isText ? "" : key;
}

export interface Inside {
  session: ScreenSession;
  state: ControllerState;
  copy(text: string): void;
  /** Opens an address in a browser; false if this machine has no desktop. */
  browse(address: string): boolean;
  readonly servers: readonly { name: string; about: string }[];
  /** Goes to another server; fails if it does not answer. */
  goTo(server: { name: string }): Promise<void>;
  /** Runs the current action of a key, or of a typed text. */
  press(key: string, isText: boolean): void;
  notify(): void;
}

export function freshPosition(): ListPosition {
  return {
    selected: null,
    index: 0,
    wanted: null,
    isAtEnd: false,
    filter: "",
    top: 0,
    sorting: null,
    marks: new Set(),
    details: { top: 0 },
  };
}

export function screenOf({ screens, at }: ControllerState): Screen {
  return screens[at] as Screen;
}

export function positionOf({ positions, at }: ControllerState): ListPosition {
  return positions[at] as ListPosition;
}

export function findSelectedRow(state: ControllerState): unknown {
  return state.rows[positionOf(state).index];
}

export function rowOf(state: ControllerState, id: number | string): unknown {
  return state.rows.find((row) => screenOf(state).id(row) === id);
}

export function detailsLayer(id: number | string, top = 0): DetailsLayer {
  return { kind: "details", id, top, link: 0, isSought: false };
}

/** Where the facts of a row lead, in their order. */
export function listLinks(session: ScreenSession, state: ControllerState, row: unknown): Jump[] {
  try {
    return (screenOf(state).facts?.(session, row) ?? []).flatMap(([, , to]) => to ?? []);
  } catch (error) {
    if (error instanceof AppError) return [];
    throw error;
  }
}

/** What is shown once, while it is shown. */
export function secretOf({ layers }: ControllerState): (Layer & { kind: "secret" }) | null {
  const top = layers.at(-1);
  return top?.kind === "secret" ? top : null;
}

/** The actions of the whole screen that are offered now. */
export function screenActions(state: ControllerState): readonly ScreenAction[] {
  return (screenOf(state).actions ?? []).filter(({ isFor }) => isFor?.(state.scope) ?? true);
}

export function nameOfRow(screen: Screen, row: unknown): string {
  return (screen.name ?? screen.columns[0]?.value)?.(row) ?? "";
}

export function mayEdit({ edit, mayEdit: may }: Screen, row: unknown): boolean {
  return edit !== undefined && (may?.(row) ?? true);
}

/** The rows that the next action applies to: the marked ones, or else the one that is open or selected. */
export function listTargetRows(state: ControllerState): readonly unknown[] {
  const { marks } = positionOf(state);
  const screen = screenOf(state);
  if (marks.size > 0) return state.rows.filter((row) => marks.has(screen.id(row)));
  const top = state.layers.at(-1);
  const row = top?.kind === "details" ? rowOf(state, top.id) : findSelectedRow(state);
  return row === undefined ? [] : [row];
}
