import { Box } from "ink";
import { memo } from "react";
import { AppError } from "@/kernel/lib/errors.ts";
import { hiddenColumns } from "../controller/columns.ts";
import { type ControllerState, positionOf, screenOf } from "../controller/state.ts";
import {
  type ColumnWidth,
  cut,
  fit,
  fitColumns,
  fitsWhole,
  joinCells,
  type Line,
  line,
  type Segment,
  sanitize,
  widthOf,
  withBack,
  wrapLines,
} from "../layout.ts";
import type { Column, HeadPart } from "../screen.ts";
import type { ScreenSession } from "../session.ts";
import { Charts } from "./chart.tsx";
import { type Area, Panel, within } from "./panel.tsx";
import { Lines, Words } from "./words.tsx";
import { Zone } from "./zone.tsx";

const leastColumn = 6;
const maxMeasured = 500;

interface ListProps extends Area {
  state: ControllerState;
  session: ScreenSession;
  isFocused: boolean;
}

/** The rows of a screen, below what it says about them all. */
export function List({ state, session, isFocused, ...area }: ListProps) {
  const inner = within(area);
  const { width, height } = inner;
  const { rows } = state;
  const head = headOf(state, session, inner);
  const room = Math.max(1, height - 1 - head.reduce((sum, part) => sum + heightOf(part), 0));
  state.page = room;
  const foot = rows.length === 0 ? "" : `${positionOf(state).index + 1}/${rows.length}`;
  return (
    <Panel {...area} title={listTitle(state)} foot={foot} isFocused={isFocused}>
      {[...head.entries()].map(([i, part]) =>
        "charts" in part ? <Charts key={i} {...part} width={width} /> : <Lines key={i} lines={[part]} />,
      )}
      {rows.length === 0 ? (
        <Lines lines={nothing(state, width)} />
      ) : (
        <Rows state={state} session={session} width={width} />
      )}
    </Panel>
  );
}

function listTitle(state: ControllerState): Line {
  const { title, about } = screenOf(state);
  const { filter, marks } = positionOf(state);
  const filtered = state.rows.length !== state.all || filter !== "";
  const of = state.scope ? ` of ${sanitize(state.scope.name)}` : "";
  return [
    { text: title + of, tone: "title" },
    { text: `  ${filtered ? `${state.rows.length} of ${state.all}` : state.all}`, tone: "accent" },
    { text: state.coming && !state.coming.isWhole ? "  more is coming …" : "", tone: "second" },
    { text: marks.size > 0 ? `  ${marks.size} marked` : "", tone: "second" },
    { text: `  ${about}`, tone: "dim" },
  ];
}

/** If the rows may not be read, shows that once instead of an error for each part. */
function headOf(state: ControllerState, session: ScreenSession, area: Area): readonly HeadPart[] {
  const { scope } = state;
  try {
    return (state.refusal === null && screenOf(state).head?.(session, { ...area, scope })) || [];
  } catch (error) {
    if (error instanceof AppError) return [line(error.message, "bad")];
    throw error;
  }
}

const heightOf = (part: HeadPart) => ("charts" in part ? part.height : 1);

function nothing(state: ControllerState, width: number): Line[] {
  if (state.refusal !== null) return wrapLines(state.refusal, width, "bad");
  if (state.coming && !state.coming.isWhole) return [line("Reading …", "dim")];
  const isFiltered = state.all > 0;
  return wrapLines(isFiltered ? "Nothing here matches the filter." : screenOf(state).empty, width, "dim");
}

/** One page of rows below the titles of their columns. A row is one Text: a box for each cell would be too slow. */
function Rows({ state, session, width }: Pick<ListProps, "state" | "session" | "width">) {
  const hidden = hiddenColumns(session, screenOf(state));
  const top = topFor(state);
  const rows = state.rows.slice(top, top + state.page);
  const { columns, widths } = placeColumns(screenOf(state).columns, state.rows, {
    shown: rows,
    width: width - 2,
    hidden,
  });
  return (
    <>
      <Titles state={state} widths={widths} />
      <Zone
        at={(_, y) => (y < rows.length ? { kind: "row", index: top + y } : null)}
        flexDirection="column"
        flexShrink={0}
      >
        {[...rows.entries()].map(([i, row]) => (
          <Words key={i} line={rowLine(state, row, { columns, widths, width, index: top + i })} />
        ))}
      </Zone>
    </>
  );
}

/** The first row of the page; it moves as little as possible, so that the list does not jump. */
function topFor(state: ControllerState): number {
  const position = positionOf(state);
  const most = Math.max(0, state.rows.length - state.page);
  const least = Math.max(position.index - state.page + 1, Math.min(position.top, position.index));
  position.top = Math.max(0, Math.min(most, least));
  return position.top;
}

/**
 * The width of the widest value among the first rows and those that were on the screen: to measure all of many thousand would take
 * too long. Rows that are read again are other rows.
 */
function widestOf(
  rows: readonly unknown[],
  shown: readonly unknown[],
  value: Column<unknown>["value"],
): number {
  const known = widest.get(rows) ?? new Map<Column<unknown>["value"], number>();
  widest.set(rows, known);
  const measure = (some: readonly unknown[], least: number) =>
    some.reduce<number>((most, row) => Math.max(most, widthOf(sanitize(value(row)))), least);
  const found = measure(shown, known.get(value) ?? measure(rows.slice(0, maxMeasured), 0));
  known.set(value, found);
  return found;
}

const widest = new WeakMap<readonly unknown[], Map<Column<unknown>["value"], number>>();

/** The columns with their widths; brief ones, if those that are needed would not fit. */
function placeColumns(
  columns: readonly Column<unknown>[],
  rows: readonly unknown[],
  { shown, width, hidden }: { shown: readonly unknown[]; width: number; hidden: ReadonlySet<string> },
): Pick<Placed, "columns" | "widths"> {
  const measure = ({ title, value, grow, spare, whole, most = width }: Column<unknown>): ColumnWidth => {
    if (hidden.has(title)) return { needed: 0, least: 0 };
    const widest = Math.min(most, widestOf(rows, shown, value));
    // Room for the sign of the order behind the title.
    const needed = Math.max(widthOf(title) + 1, widest);
    return { needed, least: whole ? needed : Math.min(needed, leastColumn), grow, spare };
  };
  const wanted = columns.map(measure);
  if (fitsWhole(wanted, width)) return { columns, widths: fitColumns(wanted, width) };
  const brief = columns.map((one) => (one.brief ? { ...one, value: one.brief } : one));
  return { columns: brief, widths: fitColumns(brief.map(measure), width) };
}

function Titles({ state, widths }: { state: ControllerState; widths: readonly number[] }) {
  const { columns } = screenOf(state);
  const { sorting } = positionOf(state);
  const sign = sorting?.isDown ? "▾" : "▴";
  return (
    <Box paddingLeft={2} columnGap={2} height={1} flexShrink={0}>
      {[...columns.entries()].map(([index, { title, right = false }]) => {
        const width = widths[index] ?? 0;
        const isOrder = sorting?.column === index;
        const text = cut(isOrder ? title + sign : title, width);
        return width > 0 && <Title key={index} {...{ index, text, isOrder, width, right }} />;
      })}
    </Box>
  );
}

interface TitleProps {
  index: number;
  text: string;
  isOrder: boolean;
  width: number;
  right: boolean;
}

const Title = memo(({ index, text, isOrder, width, right }: TitleProps) => (
  <Zone
    at={{ kind: "column", index }}
    width={width}
    height={1}
    flexShrink={0}
    justifyContent={right ? "flex-end" : "flex-start"}
  >
    <Words line={line(text, isOrder ? "accent" : "dim")} />
  </Zone>
));

interface Placed {
  columns: readonly Column<unknown>[];
  widths: readonly number[];
  width: number;
  index: number;
}

function rowLine(state: ControllerState, row: unknown, { columns, widths, width, index }: Placed): Line {
  const { id } = screenOf(state);
  const position = positionOf(state);
  const cells = columns.map(({ value, tone }) => ({ text: value(row), tone: tone?.(row) }));
  const right = columns.map((column) => column.right === true);
  const isSelected = index === position.index;
  const isMarked = position.marks.has(id(row));
  const isChanged = state.changed.has(id(row));
  const sign: Segment = {
    text: isSelected ? "▸" : isChanged ? "•" : " ",
    tone: isChanged ? "warn" : "accent",
  };
  const mark: Segment = { text: isMarked ? "●" : " ", tone: "second" };
  const whole = fit([sign, mark, ...joinCells(cells, widths, right)], width);
  if (isSelected) return withBack(whole, "selected");
  return isMarked ? withBack(whole, "marked") : whole;
}
