import { Box } from "ink";
import { AppError } from "@/kernel/errors.ts";
import { type DeskState, positionOf, screenOf } from "../desk.ts";
import { fitted, joined, type Line, line, widthOf, wrap } from "../layout.ts";
import type { Column } from "../screen.ts";
import type { Session } from "../session.ts";
import { Row, Rows } from "./lines.tsx";

interface Size {
  width: number;
  height: number;
}

const leastColumn = 6;
const maxMeasured = 500;

function widthsFor(columns: readonly Column<unknown>[], rows: readonly unknown[], width: number): number[] {
  const wanted = columns.map(({ title, value, grow, spare, whole }) => {
    const widest = Math.max(0, ...rows.slice(0, maxMeasured).map((row) => widthOf(value(row))));
    const needed = Math.max(widthOf(title), widest);
    return { needed, least: whole ? needed : Math.min(needed, leastColumn), grow, spare };
  });
  return fitted(wanted, width);
}

/** The first row of the page; it moves as little as possible, so that the list does not jump. */
const tops = new WeakMap<object, number>();

function topFor(state: DeskState, height: number): number {
  const position = positionOf(state);
  const last = tops.get(position) ?? 0;
  const most = Math.max(0, state.rows.length - height);
  const top = Math.min(most, Math.max(position.index - height + 1, Math.min(last, position.index)));
  tops.set(position, top);
  return top;
}

function titleLine(state: DeskState): Line {
  const { title, about } = screenOf(state);
  const position = positionOf(state);
  const filtered = state.rows.length !== state.all || position.filter !== "";
  const count = filtered ? `${state.rows.length} of ${state.all}` : String(state.all);
  return [
    { text: title, tone: "title" },
    { text: `  ${count}`, tone: "accent" },
    { text: `  ${about}`, tone: "dim" },
  ];
}

/** If the rows may not be read, shows that once instead of an error for each part. */
function headOf(state: DeskState, session: Session, width: number): readonly Line[] {
  try {
    return (state.refusal === null && screenOf(state).head?.(session, width)) || [];
  } catch (error) {
    if (error instanceof AppError) return [line(error.message, "bad")];
    throw error;
  }
}

export function List({ state, session, width, height }: Size & { state: DeskState; session: Session }) {
  const screen = screenOf(state);
  const head = headOf(state, session, width);
  const { columns } = screen;
  const room = Math.max(1, height - 3 - head.length);
  state.page = room;
  const top = topFor(state, room);
  const shown = state.rows.slice(top, top + room);
  const widths = widthsFor(columns, state.rows, width - 2);
  const right = columns.map((column) => column.right === true);
  const titles = columns.map(({ title }) => ({ text: title, tone: "dim" as const }));
  return (
    <Box flexDirection="column">
      <Row line={titleLine(state)} />
      <Rows lines={[[], ...head]} height={head.length + 1} />
      {state.rows.length === 0 ? (
        <Rows lines={nothing(state, width)} height={room} />
      ) : (
        <>
          <Row line={[{ text: "  " }, ...joined(titles, widths, right)]} />
          {shown.map((row, i) => {
            const cells = columns.map(({ value, tone }) => ({ text: value(row), tone: tone?.(row) }));
            const isSelected = top + i === positionOf(state).index;
            const mark = { text: isSelected ? "▸ " : "  " };
            return (
              <Row key={screen.id(row)} line={[mark, ...joined(cells, widths, right)]} inverse={isSelected} />
            );
          })}
        </>
      )}
    </Box>
  );
}

function nothing(state: DeskState, width: number): Line[] {
  if (state.refusal !== null) return wrap(state.refusal, width).map((text) => line(text, "bad"));
  const isFiltered = state.all > 0;
  const message = isFiltered ? "Nothing here matches the filter." : screenOf(state).empty;
  return wrap(message, width).map((text) => line(text, "dim"));
}
