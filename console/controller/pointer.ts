// Mouse actions: the wheel scrolls what is under the pointer; a click selects, a second one opens.
import { moveTo, open, openDetails } from "./common.ts";
import { take } from "./finder.ts";
import { move } from "./form.ts";
import { togglePick } from "./picker.ts";
import { back, go, show } from "./places.ts";
import { sortBy } from "./rows.ts";
import { type ClickTarget, findSelectedRow, type Inside, listLinks, positionOf, rowOf } from "./state.ts";

export interface Pointer {
  action: "press" | "up" | "down";
  target: ClickTarget;
}

export function applyPointer(inside: Inside, { action, target }: Pointer): void {
  if (inside.state.batch && target.kind !== "key") return;
  if (action === "press") click(inside, target);
  else scroll(inside, target, action);
}

function scroll(inside: Inside, target: ClickTarget, way: "up" | "down"): void {
  const { state } = inside;
  const by = way === "up" ? -3 : 3;
  const top = state.layers.at(-1);
  if (top?.kind === "details" || top?.kind === "help") top.top = Math.max(0, top.top + by);
  else if (top?.kind === "finder" || top?.kind === "form" || top?.kind === "picker") inside.press(way, false);
  else if (top) return;
  else if (target.kind === "details" || target.kind === "link") {
    const { details } = positionOf(state);
    details.top = Math.max(0, details.top + by);
  } else moveTo(inside, positionOf(state).index + by);
}

function click(inside: Inside, target: ClickTarget): void {
  const top = inside.state.layers.at(-1);
  if (target.kind === "key") inside.press(target.key, false);
  else if (top?.kind === "form") {
    if (target.kind === "field") move(top.filling, target.index - top.filling.current);
  } else if (top?.kind === "picker") {
    if (target.kind === "pick") togglePick(top, target.index);
  } else if (top?.kind === "finder") {
    if (target.kind !== "find") return;
    top.index = target.index;
    take(inside, top);
  } else if (!top || top.kind === "details" || top.kind === "help") clickPlace(inside, target);
}

function clickPlace(inside: Inside, target: ClickTarget): void {
  const { state } = inside;
  if (target.kind === "screen") show(inside, target.at);
  else if (target.kind === "back") back(inside, target.steps);
  else if (target.kind === "column") {
    const { sorting } = positionOf(state);
    const isDown = sorting?.column === target.index && !sorting.isDown;
    sortBy(inside, { column: target.index, isDown });
  } else if (target.kind === "row") clickRow(inside, target.index);
  else if (target.kind === "link") clickLink(inside, target.index);
  else if (target.kind === "details" && state.layers.length === 0) openDetails(inside);
}

function clickLink(inside: Inside, index: number): void {
  const { state, session } = inside;
  const top = state.layers.at(-1);
  const row = top?.kind === "details" ? rowOf(state, top.id) : findSelectedRow(state);
  const to = row === undefined ? undefined : listLinks(session, state, row)[index];
  if (to) go(inside, to);
}

function clickRow(inside: Inside, index: number): void {
  const { state } = inside;
  const position = positionOf(state);
  const wasOpen = state.layers.length > 0;
  const isAgain = position.index === index && !wasOpen;
  state.layers = [];
  moveTo(inside, index);
  if (isAgain) open(inside);
}
