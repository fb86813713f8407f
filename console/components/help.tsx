import { fieldKeys, keyName, keyTable } from "../controller/keys.ts";
import { type ControllerState, type Layer, screenActions, screenOf } from "../controller/state.ts";
import { type Line, line } from "../layout.ts";
import type { RowFacts } from "../screen.ts";
import { factLines, Scroll } from "./details.tsx";
import { type Area, within } from "./panel.tsx";

interface HelpProps extends Area {
  state: ControllerState;
  layer: Layer & { kind: "help" };
}

export function Help({ state, layer, ...area }: HelpProps) {
  const inner = within(area);
  state.page = inner.height;
  return (
    <Scroll {...area} position={layer} title={line("Help", "title")} lines={helpLines(state, inner.width)} />
  );
}

function helpLines(state: ControllerState, width: number): Line[] {
  const screen = screenOf(state);
  const keys = [...new Set((screen.rowActions ?? []).map(({ key }) => key))];
  const parts: readonly (readonly [title: string, facts: RowFacts])[] = [
    [
      `Only on ${screen.title.toLowerCase()}`,
      [
        ...screenActions(state).map(({ key, title }) => [keyName(key), title] as const),
        ...keys.map((key) => [keyName(key), rowActionNames(state, key)] as const),
      ],
    ],
    [
      "Everywhere",
      keyTable
        .filter(({ command }) => isHere(state, command))
        .map(({ keys: some, about }) => [some.map(keyName).join("  "), about] as const),
    ],
    ["In forms", fieldKeys],
    ["Screens", state.screens.map(({ key, title, about }) => [key, `${title}: ${about}`] as const)],
  ];
  return parts
    .filter(([, facts]) => facts.length > 0)
    .flatMap(([title, facts], i) => [
      ...(i > 0 ? [[]] : []),
      line(title, "title"),
      ...factLines(facts, width),
    ]);
}

function isHere(state: ControllerState, command: string): boolean {
  const screen = screenOf(state);
  if (command === "create") return screen.create !== undefined;
  if (command === "edit") return screen.edit !== undefined;
  if (command === "browse") return screen.page !== undefined;
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
