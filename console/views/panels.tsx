// Panels over a list: details of a row, secrets, help.
import { AppError } from "@/kernel/errors.ts";
import { type DeskState, type Layer, rowOf, screenOf } from "../desk.ts";
import { fieldKeys, keyName, keyTable } from "../keys.ts";
import { type Line, line, padded, widthOf, wrap } from "../layout.ts";
import type { Facts } from "../screen.ts";
import type { Session } from "../session.ts";
import { Rows } from "./lines.tsx";

interface Size {
  width: number;
  height: number;
}

function factLines(facts: Facts, width: number): Line[] {
  const labels = Math.min(34, Math.max(0, ...facts.map(([label]) => widthOf(label))));
  return facts.flatMap(([label, value]) =>
    wrap(value === "" ? "–" : value, Math.max(10, width - labels - 2)).map(
      (text, i): Line => [{ text: `${padded(i === 0 ? label : "", labels)}  `, tone: "dim" }, { text }],
    ),
  );
}

export function Details(
  props: Size & { state: DeskState; session: Session; layer: Layer & { kind: "details" } },
) {
  const { state, session, layer, width, height } = props;
  const lines = detailLines(state, session, { id: layer.id, width });
  layer.top = Math.max(0, Math.min(layer.top, lines.length - height));
  state.page = height;
  return <Rows lines={lines.slice(layer.top)} height={height} />;
}

function detailLines(
  state: DeskState,
  session: Session,
  { id, width }: { id: number | string; width: number },
): Line[] {
  const screen = screenOf(state);
  const row = rowOf(state, id);
  if (row === undefined) return [];
  try {
    const facts = screen.facts?.(session, row) ?? [];
    const text = screen.text?.(session, row) ?? "";
    const title = screen.columns[0]?.value(row) ?? "";
    return [
      [
        { text: `${screen.title} › `, tone: "dim" },
        { text: wrap(title, width)[0] ?? "", tone: "title" },
      ],
      [],
      ...factLines(facts, width),
      ...(text === "" ? [] : [[], ...wrap(text, width).map((one) => line(one))]),
    ];
  } catch (error) {
    if (error instanceof AppError) return [line(error.message, "bad")];
    throw error;
  }
}

export function Secret({ title, facts, width, height }: Size & { title: string; facts: Facts }) {
  const lines = [
    line(title, "title"),
    [],
    ...factLines(facts, width),
    [],
    line("This is not shown again: only its hash is stored. Copy it now.", "warn"),
  ];
  return <Rows lines={lines} height={height} />;
}

export function Help({
  state,
  layer,
  width,
  height,
}: Size & { state: DeskState; layer: Layer & { kind: "help" } }) {
  const screen = screenOf(state);
  const rowActions = [
    ...new Map((screen.rowActions ?? []).map((rowAction) => [rowAction.key, rowAction])).values(),
  ];
  const own = rowActions.map(({ key }) => [keyName(key), rowActionNames(state, key)] as const);
  const lines = [
    ...(own.length === 0
      ? []
      : [line(`Only on ${screen.title.toLowerCase()}`, "title"), ...factLines(own, width), []]),
    line("Everywhere", "title"),
    ...factLines(
      keyTable
        .filter(({ command }) => isHere(state, command))
        .map(({ keys, about }) => [keys.map(keyName).join("  "), about] as const),
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
  layer.top = Math.max(0, Math.min(layer.top, lines.length - height));
  state.page = height;
  return <Rows lines={lines.slice(layer.top)} height={height} />;
}

function isHere(state: DeskState, command: string): boolean {
  const screen = screenOf(state);
  if (command === "create") return screen.create !== undefined;
  if (command === "edit") return screen.edit !== undefined;
  return command !== "open" || screen.facts !== undefined;
}

/** The names that an action's key can have on this screen, for any row. */
function rowActionNames(state: DeskState, key: string): string {
  const titles = (screenOf(state).rowActions ?? [])
    .filter((rowAction) => rowAction.key === key)
    .flatMap((rowAction) => state.rows.slice(0, 200).map((row) => rowAction.title(row)))
    .filter((title) => title !== null);
  return [...new Set(titles)].join(", or ") || "not available here";
}
