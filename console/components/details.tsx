// What is known of one row, and pairs of labels and values in general.
import { AppError } from "@/kernel/lib/errors.ts";
import { type ControllerState, nameOfRow, rowOf, screenOf } from "../controller/state.ts";
import { type Line, line, pad, sanitize, widthOf, wrap } from "../layout.ts";
import type { RowFacts } from "../screen.ts";
import type { ConsoleSession } from "../session.ts";
import { type Area, Panel, within } from "./panel.tsx";
import { Lines, wrapped } from "./words.tsx";
import { Zone } from "./zone.tsx";

export function factLines(facts: RowFacts, width: number): Line[] {
  const labels = Math.min(Math.floor(width * 0.45), Math.max(0, ...facts.map(([label]) => widthOf(label))));
  return facts.flatMap(([label, value]) => {
    const names = wrap(label, labels);
    const values = wrap(value === "" ? "–" : value, Math.max(10, width - labels - 2));
    return Array.from(
      { length: Math.max(names.length, values.length) },
      (_, i): Line => [{ text: `${pad(names[i] ?? "", labels)}  `, tone: "dim" }, { text: values[i] ?? "" }],
    );
  });
}

interface Scrolled {
  /** The first line that is shown; set to the last one that fills the panel, if it is beyond. */
  position: { top: number };
  lines: readonly Line[];
  title: Line;
  isFocused?: boolean;
}

/** Lines of which a panel shows a part. */
export function Scroll({ position, lines, title, isFocused = true, ...area }: Area & Scrolled) {
  const { height } = within(area);
  const top = Math.max(0, Math.min(position.top, lines.length - height));
  position.top = top;
  const foot = isFocused && top > 0 ? `line ${top + 1}` : "";
  return (
    <Zone at={{ kind: "details" }} width={area.width} height={area.height} flexShrink={0}>
      <Panel {...area} title={title} foot={foot} isFocused={isFocused}>
        <Lines lines={lines.slice(top, top + height)} />
      </Panel>
    </Zone>
  );
}

interface DetailsProps extends Area {
  state: ControllerState;
  session: ConsoleSession;
  id: number | string;
  position: { top: number };
  isFocused: boolean;
}

export function Details({ state, session, id, ...scroll }: DetailsProps) {
  const row = rowOf(state, id);
  const name = row === undefined ? "" : sanitize(nameOfRow(screenOf(state), row));
  const lines = row === undefined ? [] : detailLines(state, session, row, within(scroll).width);
  return <Scroll {...scroll} title={line(name, "title")} lines={lines} />;
}

function detailLines(state: ControllerState, session: ConsoleSession, row: unknown, width: number): Line[] {
  const screen = screenOf(state);
  try {
    const facts = screen.facts?.(session, row) ?? [];
    const text = screen.text?.(session, row) ?? "";
    const picture = screen.picture?.(session, row) ?? [];
    return [
      ...factLines(facts, width),
      ...(text === "" ? [] : [[], ...wrapped(text, width)]),
      ...(picture.length === 0 ? [] : [[], ...picture]),
    ];
  } catch (error) {
    if (error instanceof AppError) return wrapped(error.message, width, "bad");
    throw error;
  }
}
