// What keys do in a list: moving, marking, ordering, filtering, opening.
import { anywhere, moves, moveTo, open, openDetails } from "./common.ts";
import { commandOf, type KeyCommand } from "./keys.ts";
import { back, show } from "./places.ts";
import { load, sortBy, sortByNext } from "./rows.ts";
import { type ControllerState, findSelectedRow, type Inside, keyOf, positionOf, screenOf } from "./state.ts";
import { type Stroke, type TextField, textField, typeText } from "./text-field.ts";

const onList: Partial<Record<KeyCommand, (inside: Inside) => void>> = {
  nextScreen: (inside) => show(inside, (inside.state.at + 1) % inside.state.screens.length),
  previousScreen: (inside) => {
    const { at, screens } = inside.state;
    show(inside, (at - 1 + screens.length) % screens.length);
  },
  filter: ({ state }) => {
    state.filtering = textField(positionOf(state).filter);
  },
  sort: sortByNext,
  reverse: (inside) => {
    const { sorting } = positionOf(inside.state);
    sortBy(inside, sorting ? { ...sorting, isDown: !sorting.isDown } : { column: 0, isDown: true });
  },
  mark: (inside) => {
    toggleMark(inside.state, findSelectedRow(inside.state));
    moveTo(inside, positionOf(inside.state).index + 1);
  },
  markAll: ({ state }) => {
    const { marks } = positionOf(state);
    if (marks.size > 0) marks.clear();
    else for (const row of state.rows) toggleMark(state, row);
  },
  open,
  other: openDetails,
};

function toggleMark(state: ControllerState, row: unknown): void {
  const screen = screenOf(state);
  const isUseful = screen.rowActions !== undefined || screen.edit !== undefined;
  if (row === undefined || !isUseful) return;
  const { marks } = positionOf(state);
  const id = screen.id(row);
  if (!marks.delete(id)) marks.add(id);
}

export function inList(inside: Inside, key: string): void {
  const { state } = inside;
  const command = commandOf(key);
  const moved = command && moves[command];
  const meant = command && onList[command];
  const position = positionOf(state);
  if (moved) {
    moveTo(inside, moved(position.index, state.page, state.rows.length));
    position.isAtEnd = command === "last" && state.coming?.isWhole === false;
  } else if (meant) meant(inside);
  else if (command === "back" || command === "leave") leaveList(inside, command === "leave");
  else anywhere(inside, key);
}

/** Clears the marks, else the filter, else goes back one step. Only `q` then asks whether to leave. */
function leaveList(inside: Inside, mayLeave: boolean): void {
  const { state } = inside;
  const position = positionOf(state);
  if (position.marks.size > 0) position.marks.clear();
  else if (position.filter !== "") {
    position.filter = "";
    load(inside);
  } else if (back(inside)) return;
  else if (mayLeave) state.layers.push({ kind: "leave" });
  else if (state.notice) state.notice = null;
  else if (state.at !== 0) show(inside, 0);
  else state.notice = { text: "This is where it begins. Press q to leave the console.", tone: "plain" };
}

export function inFilter(inside: Inside, field: TextField, stroke: Stroke): void {
  const key = keyOf(stroke);
  const { state } = inside;
  const position = positionOf(state);
  if (key === "enter") {
    position.filter = field.text;
    state.filtering = null;
  } else if (key === "esc") {
    position.filter = "";
    state.filtering = null;
  } else if (key === "up" || key === "down") {
    moveTo(inside, position.index + (key === "up" ? -1 : 1));
  } else state.filtering = typeText(field, stroke);
  load(inside);
}
