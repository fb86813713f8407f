// Reading a screen's rows: filter, order, selection.
import { AppError } from "@/kernel/lib/errors.ts";
import { diskFault } from "@/operations/data-folder/schema.ts";
import type { Screen } from "../screen.ts";
import { ServerAway } from "../session.ts";
import {
  type ControllerState,
  detailsLayer,
  findSelectedRow,
  type Inside,
  positionOf,
  rowOf,
  type Sorting,
  screenOf,
} from "./state.ts";
import { withWords } from "./text-field.ts";

/** Reads the rows again and keeps the selection. */
export function load({ state, session }: Inside): void {
  const screen = screenOf(state);
  const position = positionOf(state);
  session.leave();
  try {
    const all = screen.rows(session, state.scope);
    state.coming = screen.progress?.(session, state.scope) ?? null;
    state.all = Math.max(all.length, state.coming?.total ?? 0);
    state.rows = sortRows(
      screen,
      withWords(all, state.filtering?.text ?? position.filter, (row) => textOf(screen, row)),
      position.sorting,
    );
    state.refusal = null;
  } catch (error) {
    state.rows = [];
    state.all = 0;
    state.coming = null;
    state.refusal = sentenceOf(error);
  }
  const { wanted } = position;
  const staysAtTop =
    screen.follows && position.index === 0 && position.sorting === null && position.marks.size === 0;
  const sought = wanted?.id ?? position.selected;
  const found = staysAtTop && !wanted ? 0 : state.rows.findIndex((row) => screen.id(row) === sought);
  position.index = found >= 0 ? found : Math.max(0, Math.min(position.index, state.rows.length - 1));
  if (position.isAtEnd) {
    position.index = Math.max(0, state.rows.length - 1);
    position.isAtEnd = state.coming?.isWhole === false;
  }
  forgetMarks(state);
  note(state);
  if (wanted && found >= 0) {
    position.wanted = null;
    if (wanted.opens && screen.facts && state.layers.length === 0) state.layers.push(detailsLayer(wanted.id));
  }
  const top = state.layers.at(-1);
  if (top?.kind === "details" && rowOf(state, top.id) === undefined) state.layers = [];
}

/** Reads the rows again, and notes which of those in sight are new or have changed. */
export function noticeChanges(state: ControllerState, read: () => void): void {
  const screen = screenOf(state);
  const before = state.rows;
  const inSight = () => {
    const { top } = positionOf(state);
    return state.rows.slice(top, top + state.page);
  };
  const lasting = { columns: screen.columns.filter(({ flows }) => !flows) };
  const texts = new Map(inSight().map((row) => [screen.id(row), textOf(lasting, row)]));
  read();
  if (before.length === 0) return;
  const known = new Set(before.map(screen.id));
  for (const row of inSight()) {
    const id = screen.id(row);
    const text = texts.get(id);
    if (!known.has(id) || (text !== undefined && text !== textOf(lasting, row))) state.changed.add(id);
  }
}

function textOf({ columns }: Pick<Screen, "columns">, row: unknown): string {
  return columns.map(({ value }) => value(row)).join("\n");
}

/** Removes the marks of rows that are no longer shown: an action must not reach those. */
function forgetMarks(state: ControllerState): void {
  const { marks } = positionOf(state);
  if (marks.size === 0) return;
  const ids = new Set(state.rows.map((row) => screenOf(state).id(row)));
  for (const id of marks) if (!ids.has(id)) marks.delete(id);
}

/** Notes which row is selected. */
export function note(state: ControllerState): void {
  const row = findSelectedRow(state);
  const position = positionOf(state);
  const id = row === undefined ? null : screenOf(state).id(row);
  if (id !== position.selected) position.details.top = 0;
  position.selected = id;
}

const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

function sortRows(screen: Screen, rows: readonly unknown[], sorting: Sorting | null): readonly unknown[] {
  const column = sorting && screen.columns[sorting.column];
  if (!sorting || !column) return rows;
  const by = column.order ?? column.value;
  const sign = sorting.isDown ? -1 : 1;
  const keyed = rows.map((row) => ({ row, key: by(row) }));
  return keyed.sort((a, b) => sign * compare(a.key, b.key)).map(({ row }) => row);
}

function compare(a: number | string, b: number | string): number {
  return typeof a === "number" && typeof b === "number" ? a - b : collator.compare(String(a), String(b));
}

/** Orders by the next column, or by none after the last one. */
export function sortByNext(inside: Inside): void {
  const position = positionOf(inside.state);
  const next = position.sorting ? position.sorting.column + 1 : 0;
  sortBy(inside, next < screenOf(inside.state).columns.length ? { column: next, isDown: false } : null);
}

export function sortBy(inside: Inside, sorting: Sorting | null): void {
  const { state } = inside;
  const position = positionOf(state);
  position.sorting = sorting;
  const title = sorting && screenOf(state).columns[sorting.column]?.title.toLowerCase();
  const text = title ? `Sorted by ${title}${sorting.isDown ? ", from the end" : ""}.` : "In the usual order.";
  state.notice = { text, tone: "plain" };
  load(inside);
}

export function sentenceOf(error: unknown): string {
  if (error instanceof AppError || error instanceof ServerAway) return error.message;
  const fault = diskFault(error);
  if (fault !== null) return `This could not be finished: ${fault}.`;
  return `This is a bug in Confab: ${error instanceof Error ? error.message : String(error)}`;
}
