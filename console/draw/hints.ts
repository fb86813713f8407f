// The last line: the keys that work now.
import { currentField, isOnLast } from "../controller/form.ts";
import { keyName, keyOf } from "../controller/keys.ts";
import {
  type ControllerState,
  listTargetRows,
  mayEdit,
  positionOf,
  screenActions,
  screenOf,
} from "../controller/state.ts";
import { type Line, type Segment, widthOf } from "../layout.ts";

type Hint = readonly [key: string, about: string];

function hints(state: ControllerState): Hint[] {
  const top = state.layers.at(-1);
  if (state.batch) return [["esc", "stop"]];
  const yesNo: Hint[] = [
    ["y", "yes"],
    ["n", "no"],
  ];
  if (top?.kind === "ask" || top?.kind === "leave") return yesNo;
  if (top?.kind === "form")
    return [
      ["enter", isOnLast(top.filling) ? "save" : "next"],
      ...(currentField(top.filling)?.field.picks ? ([["ctrl+o", "choose from a list"]] as const) : []),
      ["ctrl+s", "save"],
      ["tab", "next field"],
      ["esc", "cancel"],
    ];
  if (top?.kind === "picker")
    return [
      [" ", "choose"],
      ["enter", "take these"],
      ["esc", "back"],
    ];
  if (top?.kind === "finder")
    return [
      ["enter", "go there"],
      ["down", "next"],
      ["esc", "close"],
    ];
  if (top?.kind === "secret")
    return [
      ["y", "copy"],
      ["enter", "close"],
    ];
  if (top?.kind === "help")
    return [
      ["down", "scroll"],
      ["esc", "close"],
    ];
  if (state.filtering)
    return [
      ["enter", "apply the filter"],
      ["esc", "clear the filter"],
    ];
  return onRows(state, top !== undefined);
}

function onRows(state: ControllerState, isOpen: boolean): Hint[] {
  const { marks, filter } = positionOf(state);
  const undo: Hint[] = state.notice?.undos ? [["u", "undo"]] : [];
  const marked: Hint[] = marks.size > 0 ? [["esc", "unmark"]] : [];
  const mayGoBack = isOpen || filter !== "" || state.trail.length > 0;
  const end: Hint = mayGoBack ? ["esc", "back"] : ["q", "quit"];
  return [...undo, ...marked, ...rowHints(state, isOpen), [":", "go to"], ["?", "help"], end];
}

function rowHints(state: ControllerState, isOpen: boolean): Hint[] {
  const screen = screenOf(state);
  const [row] = listTargetRows(state);
  const found: Hint[] = [];
  if (!isOpen) {
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
  const text = screen.copies?.(row) ?? null;
  if (text !== null) found.push([keyOf("copy"), "copy"]);
  return found;
}

/** Always shows the last two hints, and as many others as fit; each can be clicked. */
export function hintLine(state: ControllerState, columns: number, y: number): Line {
  const all = hints(state);
  const wide = ([key, about]: Hint) => widthOf(keyName(key)) + widthOf(about) + 3;
  const width = (some: readonly Hint[]) => some.reduce((sum, hint) => sum + wide(hint), 1);
  const kept = [...all];
  while (width(kept) > columns && kept.length > 3) kept.splice(-4, 1);
  let x = 1;
  return [
    { text: " " },
    ...kept.flatMap((hint): Segment[] => {
      const [key, about] = hint;
      state.zones.push({ x, y, width: wide(hint) - 1, height: 1, target: { kind: "key", key } });
      x += wide(hint);
      return [
        { text: keyName(key), tone: "accent" },
        { text: ` ${about}  `, tone: "dim" },
      ];
    }),
  ];
}
