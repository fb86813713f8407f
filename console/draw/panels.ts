// Panels next to or over a list: details of a row, secrets, help, the finder.
import { AppError } from "@/kernel/lib/errors.ts";
import { fieldKeys, keyName, keyTable } from "../controller/keys.ts";
import {
  type ControllerState,
  type Layer,
  nameOfRow,
  rowOf,
  screenActions,
  screenOf,
} from "../controller/state.ts";
import {
  block,
  chop,
  fit,
  type Line,
  line,
  pad,
  placeSideBySide,
  type Segment,
  sanitize,
  widthOf,
  wrap,
} from "../layout.ts";
import type { RowFacts } from "../screen.ts";
import type { ConsoleSession } from "../session.ts";
import type { BoxArea } from "./box.ts";

function factLines(facts: RowFacts, width: number): Line[] {
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

export function detailTitle(state: ControllerState, id: number | string): Line {
  const row = rowOf(state, id);
  return [{ text: row === undefined ? "" : sanitize(nameOfRow(screenOf(state), row)), tone: "title" }];
}

/** The details of a row, from a line on; says by how much they can be scrolled. */
export function detailLines(
  state: ControllerState,
  session: ConsoleSession,
  { id, top, width, height }: { id: number | string; top: number; width: number; height: number },
): { lines: Line[]; top: number } {
  const all = allDetails(state, session, { id, width });
  const least = Math.max(0, Math.min(top, all.length - height));
  return { lines: all.slice(least), top: least };
}

function allDetails(
  state: ControllerState,
  session: ConsoleSession,
  { id, width }: { id: number | string; width: number },
): Line[] {
  const screen = screenOf(state);
  const row = rowOf(state, id);
  if (row === undefined) return [];
  try {
    const facts = screen.facts?.(session, row) ?? [];
    const text = screen.text?.(session, row) ?? "";
    const picture = screen.picture?.(session, row) ?? [];
    return [
      ...factLines(facts, width),
      ...(text === "" ? [] : [[], ...wrap(text, width).map((one) => line(one))]),
      ...(picture.length === 0 ? [] : [[], ...picture]),
    ];
  } catch (error) {
    if (error instanceof AppError) return wrap(error.message, width).map((one) => line(one, "bad"));
    throw error;
  }
}

const widestText = 76;
const isLink = (text: string) => /^https?:\/\/\S+$/.test(text);

/**
 * A secret that is shown once, over the whole width. A link begins in the first column and wraps to the next line, with
 * nothing next to it, so that it can be selected as a whole.
 */
export function secretLines(
  { title, facts, picture, remark }: Layer & { kind: "secret" },
  width: number,
): Line[] {
  const links = facts.filter(([, value]) => isLink(value));
  const others = facts.filter(([, value]) => !isLink(value));
  const wide = Math.max(0, ...picture.map((one) => one.reduce((sum, { text }) => sum + widthOf(text), 0)));
  const isBeside = wide > 0 && width - wide >= 32;
  const room = Math.min(isBeside ? width - wide - 4 : width - 2, widestText);
  const text: Line[] = [
    ...wrap(title, room).map((one) => line(one, "good")),
    ...(others.length === 0 ? [] : [[], ...factLines(others, room)]),
    [],
    ...wrap(remark, room).map((one) => line(one, "warn")),
  ];
  const height = Math.max(text.length, picture.length);
  const inset = (lines: readonly Line[]) => lines.map((one): Line => [{ text: " " }, ...one]);
  const below = !isBeside
    ? inset([...text, [], ...picture])
    : placeSideBySide(block(inset(text), room + 3, height), block(picture, wide, height));
  return [
    ...links.flatMap(([, value]): Line[] => [[], ...chop(value, width).map((one) => line(one, "link"))]),
    [],
    ...below,
  ];
}

export function helpLines(state: ControllerState, width: number): Line[] {
  const screen = screenOf(state);
  const whole = screenActions(state).map(({ key, title }) => [keyName(key), title] as const);
  const keys = [...new Set((screen.rowActions ?? []).map(({ key }) => key))];
  const own = [...whole, ...keys.map((key) => [keyName(key), rowActionNames(state, key)] as const)];
  return [
    ...(own.length === 0
      ? []
      : [line(`Only on ${screen.title.toLowerCase()}`, "title"), ...factLines(own, width), []]),
    line("Everywhere", "title"),
    ...factLines(
      keyTable
        .filter(({ command }) => isHere(state, command))
        .map(({ keys: some, about }) => [some.map(keyName).join("  "), about] as const),
      width,
    ),
    [],
    line("In forms", "title"),
    ...factLines(fieldKeys, width),
    [],
    line("Screens", "title"),
    ...factLines(
      state.screens.map(({ key, title, about }) => [key, `${title}: ${about}`] as const),
      width,
    ),
  ];
}

function isHere(state: ControllerState, command: string): boolean {
  const screen = screenOf(state);
  if (command === "create") return screen.create !== undefined;
  if (command === "edit") return screen.edit !== undefined;
  if (command === "copy") return screen.copies !== undefined;
  if (command === "other") return screen.facts !== undefined;
  return command !== "open" || screen.facts !== undefined || screen.leads !== undefined;
}

/** The names that an action's key can have on this screen, for any row. */
function rowActionNames(state: ControllerState, key: string): string {
  const titles = (screenOf(state).rowActions ?? [])
    .filter((rowAction) => rowAction.key === key)
    .flatMap((rowAction) => state.rows.slice(0, 200).map((row) => rowAction.title(row)))
    .filter((title) => title !== null);
  return [...new Set(titles)].join(", or ") || "not available here";
}

/** What ':' finds; notes where the mouse meets what. */
export function finderLines(
  state: ControllerState,
  { field, found, index }: Layer & { kind: "finder" },
  { x, y, width, height }: BoxArea,
): Line[] {
  const room = Math.max(1, height - 2);
  const top = Math.max(0, index - room + 1);
  const nouns = Math.max(0, ...found.map(({ noun }) => widthOf(noun)));
  const rows = found.slice(top, top + room).map(({ noun, name, about }, i): Line => {
    state.zones.push({ x, y: y + 2 + i, width, height: 1, target: { kind: "find", index: top + i } });
    const segments: Segment[] = [
      { text: top + i === index ? "▸ " : "  ", tone: "accent" },
      { text: `${pad(noun, nouns)}  `, tone: "second" },
      { text: `${sanitize(name)}  ` },
      { text: sanitize(about), tone: "dim" },
    ];
    return fit(segments, width, top + i === index ? "selected" : undefined);
  });
  const typed: Line = [
    { text: ": ", tone: "accent" },
    { text: sanitize(field.text) },
    { text: " ", cursor: true },
  ];
  return [typed, [], ...(rows.length === 0 ? [line("Nothing has such a name.", "dim")] : rows)];
}
