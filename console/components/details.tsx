// What is known of one row, and pairs of labels and values in general.
import { AppError } from "@/kernel/lib/errors.ts";
import { type ClickTarget, type ControllerState, nameOfRow, rowOf, screenOf } from "../controller/state.ts";
import { type Line, line, pad, sanitize, widthOf, wrap, wrapLines } from "../layout.ts";
import type { RowFacts } from "../screen.ts";
import type { ScreenSession } from "../session.ts";
import { type Area, Panel, within } from "./panel.tsx";
import { Lines } from "./words.tsx";
import { Zone } from "./zone.tsx";

/** A line, and which of the facts that lead somewhere it shows. */
interface FactLine {
  text: Line;
  link: number | null;
}

export function factLines(facts: RowFacts, width: number): Line[] {
  return linkedLines(facts, width, null).map(({ text }) => text);
}

function linkedLines(facts: RowFacts, width: number, selected: number | null): FactLine[] {
  let links = 0;
  const labels = Math.min(Math.floor(width * 0.45), Math.max(0, ...facts.map(([label]) => widthOf(label))));
  return facts.flatMap(([label, value, to]) => {
    const link = to ? links++ : null;
    const look = to ? ({ tone: "link", back: link === selected ? "selected" : undefined } as const) : {};
    const names = wrap(label, labels);
    const values = wrap(value === "" ? "–" : value, Math.max(10, width - labels - 2));
    return Array.from(
      { length: Math.max(names.length, values.length) },
      (_, i): FactLine => ({
        link,
        text: [
          { text: `${pad(names[i] ?? "", labels)}  `, tone: "dim" },
          { text: values[i] ?? "", ...look },
        ],
      }),
    );
  });
}

interface Scrolled {
  /** The first line that is shown; set to the last one that fills the panel, if it is beyond. */
  position: { top: number; isSought?: boolean };
  lines: readonly Line[];
  /** What is in each line from the first on, for the mouse. */
  links?: readonly (number | null)[];
  /** The line to be in sight. */
  sought?: number;
  title: Line;
  isFocused?: boolean;
}

/** Lines of which a panel shows a part. */
export function Scroll(props: Area & Scrolled) {
  const { position, lines, title, links = [], sought = -1, isFocused = true, ...area } = props;
  const { height } = within(area);
  if (position.isSought && sought >= 0)
    position.top = Math.min(sought, Math.max(position.top, sought - height + 1));
  position.isSought = false;
  const top = Math.max(0, Math.min(position.top, lines.length - height));
  position.top = top;
  const targetAt = (_: number, y: number): ClickTarget => {
    const index = links[top + y - 1] ?? null;
    return index === null ? { kind: "details" } : { kind: "link", index };
  };
  const foot = isFocused && top > 0 ? `line ${top + 1}` : "";
  return (
    <Zone at={targetAt} width={area.width} height={area.height} flexShrink={0}>
      <Panel {...area} title={title} foot={foot} isFocused={isFocused}>
        <Lines lines={lines.slice(top, top + height)} />
      </Panel>
    </Zone>
  );
}

interface DetailsProps extends Area {
  state: ControllerState;
  session: ScreenSession;
  id: number | string;
  position: { top: number; link?: number; isSought?: boolean };
  isFocused: boolean;
}

export function Details({ state, session, id, ...scroll }: DetailsProps) {
  const { position, isFocused } = scroll;
  const row = rowOf(state, id);
  const name = row === undefined ? "" : sanitize(nameOfRow(screenOf(state), row));
  const selected = isFocused ? (position.link ?? null) : null;
  const found = row === undefined ? [] : detailLines(state, session, row, { selected, ...within(scroll) });
  const links = found.map(({ link }) => link);
  const lines = found.map(({ text }) => text);
  const sought = selected === null ? -1 : links.indexOf(selected);
  return <Scroll {...scroll} title={line(name, "title")} lines={lines} links={links} sought={sought} />;
}

function detailLines(
  state: ControllerState,
  session: ScreenSession,
  row: unknown,
  { selected, width }: Area & { selected: number | null },
): FactLine[] {
  const screen = screenOf(state);
  const plain = (text: Line): FactLine => ({ text, link: null });
  try {
    const facts = screen.facts?.(session, row) ?? [];
    const text = screen.text?.(session, row) ?? "";
    const picture = screen.picture?.(session, row) ?? [];
    return [
      ...linkedLines(facts, width, selected),
      ...(text === "" ? [] : [[], ...wrapLines(text, width)]).map(plain),
      ...(picture.length === 0 ? [] : [[], ...picture]).map(plain),
    ];
  } catch (error) {
    if (error instanceof AppError) return wrapLines(error.message, width, "bad").map(plain);
    throw error;
  }
}
