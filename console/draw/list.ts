import { AppError } from "@/kernel/lib/errors.ts";
import { type ControllerState, positionOf, screenOf } from "../controller/state.ts";
import {
  fit,
  fitColumns,
  joinCells,
  type Line,
  line,
  type Segment,
  sanitize,
  widthOf,
  withBack,
  wrap,
} from "../layout.ts";
import type { Column } from "../screen.ts";
import type { ConsoleSession } from "../session.ts";
import type { BoxArea } from "./box.ts";

const leastColumn = 6;
const maxMeasured = 500;

function widthsFor(columns: readonly Column<unknown>[], rows: readonly unknown[], width: number): number[] {
  const wanted = columns.map(({ title, value, grow, spare, whole, most = width }) => {
    const measured = rows.slice(0, maxMeasured).map((row) => widthOf(sanitize(value(row))));
    const widest = Math.min(most, Math.max(0, ...measured));
    // Room for the sign of the order behind the title.
    const needed = Math.max(widthOf(title) + 1, widest);
    return { needed, least: whole ? needed : Math.min(needed, leastColumn), grow, spare };
  });
  return fitColumns(wanted, width);
}

/** The first row of the page; it moves as little as possible, so that the list does not jump. */
function topFor(state: ControllerState, height: number): number {
  const position = positionOf(state);
  const most = Math.max(0, state.rows.length - height);
  position.top = Math.min(
    most,
    Math.max(position.index - height + 1, Math.min(position.top, position.index)),
  );
  return Math.max(0, position.top);
}

export function listTitle(state: ControllerState): Line {
  const { title, about } = screenOf(state);
  const position = positionOf(state);
  const filtered = state.rows.length !== state.all || position.filter !== "";
  const count = filtered ? `${state.rows.length} of ${state.all}` : String(state.all);
  const marked: Segment[] =
    position.marks.size > 0 ? [{ text: `  ${position.marks.size} marked`, tone: "second" }] : [];
  return [
    { text: title, tone: "title" },
    ...(state.scope ? [{ text: ` of ${sanitize(state.scope.name)}`, tone: "title" as const }] : []),
    { text: `  ${count}`, tone: "accent" },
    ...marked,
    { text: `  ${about}`, tone: "dim" },
  ];
}

/** If the rows may not be read, shows that once instead of an error for each part. */
function headOf(
  state: ControllerState,
  session: ConsoleSession,
  { width, height }: BoxArea,
): readonly Line[] {
  const { scope } = state;
  try {
    return (state.refusal === null && screenOf(state).head?.(session, { width, height, scope })) || [];
  } catch (error) {
    if (error instanceof AppError) return [line(error.message, "bad")];
    throw error;
  }
}

/** The rows as lines; notes where the mouse meets which row. */
export function listLines(state: ControllerState, session: ConsoleSession, area: BoxArea): Line[] {
  const { x, y, width, height } = area;
  const screen = screenOf(state);
  const head = headOf(state, session, area);
  const room = Math.max(1, height - 1 - head.length);
  state.page = room;
  if (state.rows.length === 0) return [...head, ...nothing(state, width)];
  const top = topFor(state, room);
  const rows = state.rows.slice(top, top + room);
  const widths = widthsFor(screen.columns, state.rows, width - 2);
  const right = screen.columns.map((column) => column.right === true);
  const firstY = y + head.length + 1;
  for (const i of rows.keys())
    state.zones.push({ x, y: firstY + i, width, height: 1, target: { kind: "row", index: top + i } });
  return [
    ...head,
    titlesLine(state, { widths, right, x, y: firstY - 1 }),
    ...rows.map((row, i) => rowLine(state, row, { widths, right, width, index: top + i })),
  ];
}

interface Places {
  widths: readonly number[];
  right: readonly boolean[];
  x: number;
  y: number;
}

function titlesLine(state: ControllerState, { widths, right, x, y }: Places): Line {
  const { columns } = screenOf(state);
  const { sorting } = positionOf(state);
  let at = x + 2;
  const titles = columns.map(({ title }, index): Segment => {
    const width = widths[index] ?? 0;
    if (width > 0) state.zones.push({ x: at, y, width, height: 1, target: { kind: "column", index } });
    at += width > 0 ? width + 2 : 0;
    if (sorting?.column !== index) return { text: title, tone: "dim" };
    return { text: `${title}${sorting.isDown ? "▾" : "▴"}`, tone: "accent" };
  });
  return [{ text: "  " }, ...joinCells(titles, widths, right)];
}

interface Placed {
  widths: readonly number[];
  right: readonly boolean[];
  width: number;
  index: number;
}

function rowLine(state: ControllerState, row: unknown, { widths, right, width, index }: Placed): Line {
  const screen = screenOf(state);
  const position = positionOf(state);
  const cells = screen.columns.map(({ value, tone }) => ({ text: value(row), tone: tone?.(row) }));
  const isSelected = index === position.index;
  const isMarked = position.marks.has(screen.id(row));
  const sign: Segment = { text: isSelected ? "▸" : " ", tone: "accent" };
  const mark: Segment = { text: isMarked ? "●" : " ", tone: "second" };
  const whole = fit([sign, mark, ...joinCells(cells, widths, right)], width);
  if (isSelected) return withBack(whole, "selected");
  return isMarked ? withBack(whole, "marked") : whole;
}

function nothing(state: ControllerState, width: number): Line[] {
  if (state.refusal !== null) return wrap(state.refusal, width).map((text) => line(text, "bad"));
  const isFiltered = state.all > 0;
  const message = isFiltered ? "Nothing here matches the filter." : screenOf(state).empty;
  return wrap(message, width).map((text) => line(text, "dim"));
}
