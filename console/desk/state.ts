// The state of the console: the screen, its rows, and the layers on top.
import type { Line } from "../layout.ts";
import type { Facts, Jump, Outcome, Pick, Scope, Screen, ScreenAction } from "../screen.ts";
import type { Session } from "../session.ts";
import type { Filling } from "./form.ts";
import type { TextField } from "./text-field.ts";

export interface Sorting {
  column: number;
  isDown: boolean;
}

export interface Position {
  /** ID of the selected row, so that the selection stays when rows are added or removed. */
  selected: number | string | null;
  index: number;
  filter: string;
  /** The first row of the page. */
  top: number;
  sorting: Sorting | null;
  marks: Set<number | string>;
  /** The scroll position of the details next to the list. */
  detailTop: number;
}

/** A result of ':': the screen that it opens, and the keys to press there. */
export interface Find {
  noun: string;
  name: string;
  about: string;
  to?: Jump;
  keys?: readonly string[];
}

/** The state while choosing a form field's values. */
export interface Picking {
  kind: "picker";
  filling: Filling;
  name: string;
  /** What the list is narrowed to. */
  field: TextField;
  index: number;
  all: readonly Pick[];
  found: readonly Pick[];
  /** The texts in the field. */
  chosen: readonly string[];
}

export type Layer =
  | { kind: "details"; id: number | string; top: number }
  | { kind: "form"; filling: Filling }
  | Picking
  /** `filling` is the form whose changes are asked about. */
  | { kind: "ask"; question: string; run: () => Promise<Done>; filling?: Filling }
  | { kind: "leave" }
  | { kind: "secret"; title: string; facts: Facts; picture: readonly Line[]; remark: string }
  | { kind: "finder"; field: TextField; index: number; all: readonly Find[]; found: readonly Find[] }
  | { kind: "help"; top: number };

export interface Notice {
  text: string;
  tone: "good" | "bad" | "plain";
  /** What undoes it, in this order: one for each row. */
  undos?: readonly Undo[];
  /** What is then undone. */
  undoes?: string;
}

export type Undo = NonNullable<Outcome["undo"]>;

/** The outcome for one row or for many. */
export interface Done extends Outcome {
  undos?: Notice["undos"];
  undoes?: Notice["undoes"];
  tone?: Notice["tone"];
  /** The rows that it did not reach; they stay marked. */
  left?: readonly unknown[];
}

/** How far a change of many rows is. */
export interface Batch {
  done: number;
  total: number;
  verb: "checked" | "done" | "undone";
  isStopped: boolean;
}

/** A rectangle of the screen, and its mouse action. */
export interface Zone {
  x: number;
  y: number;
  width: number;
  height: number;
  target: Target;
}

export type Target =
  | { kind: "row"; index: number }
  | { kind: "column"; index: number }
  | { kind: "screen"; at: number }
  | { kind: "details" }
  | { kind: "field"; index: number }
  | { kind: "find"; index: number }
  | { kind: "pick"; index: number }
  | { kind: "key"; key: string }
  | { kind: "back"; steps: number };

/** Where the operator was, to return to. */
interface Place {
  at: number;
  scope: Scope | null;
  position: Position;
  layers: Layer[];
}

export interface DeskState {
  screens: readonly Screen[];
  at: number;
  scope: Scope | null;
  positions: Position[];
  /** The places that led here, in order; empty if a screen was chosen directly. */
  trail: Place[];
  rows: readonly unknown[];
  /** The number of rows without the filter. */
  all: number;
  /** Why the rows cannot be shown, if the operator may not read them. */
  refusal: string | null;
  filtering: TextField | null;
  layers: Layer[];
  notice: Notice | null;
  busy: boolean;
  /** The change of many rows that runs; only Esc and Ctrl+C are keys then. */
  batch: Batch | null;
  /** Lines per page, as of the last drawing. */
  page: number;
  /** Whether details are shown next to the list. */
  isWide: boolean;
  zones: Zone[];
  isOver: boolean;
}

/** A key by name, or typed text. */
export interface Stroke {
  key: string;
  isText: boolean;
}

export interface Inside {
  session: Session;
  state: DeskState;
  copy(text: string): void;
  /** Runs the current action of a key, or of a typed text. */
  press(key: string, isText: boolean): void;
  changed(): void;
}

export function freshPosition(): Position {
  return {
    selected: null,
    index: 0,
    filter: "",
    top: 0,
    sorting: null,
    marks: new Set(),
    detailTop: 0,
  };
}

export function screenOf({ screens, at }: DeskState): Screen {
  return screens[at] as Screen;
}

export function positionOf({ positions, at }: DeskState): Position {
  return positions[at] as Position;
}

export function findSelectedRow(state: DeskState): unknown {
  return state.rows[positionOf(state).index];
}

export function rowOf(state: DeskState, id: number | string): unknown {
  return state.rows.find((row) => screenOf(state).id(row) === id);
}

/** What is shown once, while it is shown. */
export function secretOf({ layers }: DeskState): (Layer & { kind: "secret" }) | null {
  const top = layers.at(-1);
  return top?.kind === "secret" ? top : null;
}

/** The actions of the whole screen that are offered now. */
export function screenActions(state: DeskState): readonly ScreenAction[] {
  return (screenOf(state).actions ?? []).filter(({ isFor }) => isFor?.(state.scope) ?? true);
}

export function nameOfRow(screen: Screen, row: unknown): string {
  return (screen.name ?? screen.columns[0]?.value)?.(row) ?? "";
}

export function mayEdit({ edit, mayEdit: may }: Screen, row: unknown): boolean {
  return edit !== undefined && (may?.(row) ?? true);
}

/** The rows that the next action applies to: the marked ones, or else the one that is open or selected. */
export function listTargetRows(state: DeskState): readonly unknown[] {
  const { marks } = positionOf(state);
  const screen = screenOf(state);
  if (marks.size > 0) return state.rows.filter((row) => marks.has(screen.id(row)));
  const top = state.layers.at(-1);
  const row = top?.kind === "details" ? rowOf(state, top.id) : findSelectedRow(state);
  return row === undefined ? [] : [row];
}
