// The last line: the keys that work now.
import { memo } from "react";
import type { Controller } from "../controller/controller.ts";
import { currentField, isOnLast } from "../controller/form.ts";
import { keyName, keyOf } from "../controller/keys.ts";
import {
  type Layer,
  listLinks,
  listTargetRows,
  mayEdit,
  positionOf,
  screenActions,
  screenOf,
} from "../controller/state.ts";
import { widthOf } from "../layout.ts";
import { Bar, Words } from "./words.tsx";
import { Zone } from "./zone.tsx";

type KeyHint = readonly [key: string, about: string];

const yesNo = { y: "yes", n: "no" };

/** What works in a layer, whatever is in it. */
const onLayers: Partial<Record<Layer["kind"], Readonly<Record<string, string>>>> = {
  ask: yesNo,
  leave: yesNo,
  picker: { " ": "choose", enter: "take these", esc: "back" },
  finder: { enter: "go there", down: "next", esc: "close" },
  secret: { y: "copy", enter: "close" },
  help: { down: "scroll", esc: "close" },
};
const onFilter = { enter: "apply the filter", esc: "clear the filter" };

function hints(controller: Controller): KeyHint[] {
  const { state } = controller;
  const top = state.layers.at(-1);
  if (state.batch) return [["esc", "stop"]];
  if (top?.kind === "form")
    return [
      ["enter", isOnLast(top.filling) ? "save" : "next"],
      ...(currentField(top.filling)?.field.picks ? ([["ctrl+o", "choose from a list"]] as const) : []),
      ...Object.entries({ "ctrl+s": "save", tab: "next field", esc: "cancel" }),
    ];
  const fixed = (top && onLayers[top.kind]) ?? (state.filtering ? onFilter : null);
  return fixed ? Object.entries(fixed) : onRows(controller, top !== undefined);
}

function onRows(controller: Controller, isOpen: boolean): KeyHint[] {
  const { state } = controller;
  const { marks, filter } = positionOf(state);
  const undo: KeyHint[] = state.notice?.undos ? [["u", "undo"]] : [];
  const mayGoBack = isOpen || filter !== "" || state.trail.length > 0;
  const end: KeyHint = marks.size > 0 ? ["esc", "unmark"] : mayGoBack ? ["esc", "back"] : ["q", "quit"];
  return [...undo, ...rowHints(controller, isOpen), [":", "go to"], ["?", "help"], end];
}

function rowHints({ state, session }: Controller, isOpen: boolean): KeyHint[] {
  const screen = screenOf(state);
  const [row] = listTargetRows(state);
  const found: KeyHint[] = [];
  const top = state.layers.at(-1);
  if (top?.kind === "details" && row !== undefined) {
    const links = listLinks(session, state, row);
    const to = links[top.link] ?? links[0];
    if (to) found.push(["enter", `to ${to.to.toLowerCase()}`]);
    if (links.length > 1) found.push(["right", "next link"]);
  } else if (!isOpen) {
    if (row !== undefined && (screen.facts || screen.leads)) found.push(["enter", "open"]);
    found.push(["/", "filter"]);
  }
  if (screen.create) found.push(["n", screen.create.title]);
  for (const { key, title } of screenActions(state)) found.push([key, title]);
  if (row === undefined) return found;
  if (mayEdit(screen, row)) found.push(["e", "edit"]);
  for (const rowAction of screen.rowActions ?? []) {
    const title = rowAction.title(row);
    if (title !== null) found.push([rowAction.key, title]);
  }
  if (screen.page?.(row)) found.push([keyOf("browse"), "browser"]);
  const text = screen.copies?.(row) ?? null;
  if (text !== null) found.push([keyOf("copy"), "copy"]);
  return found;
}

/** Always shows the last two hints, and as many others as fit; each can be clicked. */
export function Hints({ controller, columns }: { controller: Controller; columns: number }) {
  const kept = hints(controller);
  const width = () => kept.reduce((sum, [key, about]) => sum + widthOf(keyName(key)) + widthOf(about) + 3, 1);
  while (width() > columns && kept.length > 3) kept.splice(-4, 1);
  return (
    <Bar columns={columns}>
      {kept.map(([key, about]) => (
        <Hint key={key} name={key} about={about} />
      ))}
    </Bar>
  );
}

const Hint = memo(({ name, about }: { name: string; about: string }) => (
  <Zone at={{ kind: "key", key: name }} paddingLeft={1} paddingRight={1} flexShrink={0}>
    <Words
      line={[
        { text: keyName(name), tone: "accent", back: "bar" },
        { text: ` ${about}`, tone: "dim", back: "bar" },
      ]}
    />
  </Zone>
));
