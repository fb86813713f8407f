// What keys do in the layers over a list: details, help, questions, secrets, forms.
import { carryOut, save } from "./actions.ts";
import { anywhere, copyOut, moves } from "./common.ts";
import { type FormFilling, isOnLast, move, typeInto } from "./form.ts";
import { commandOf } from "./keys.ts";
import { openPicker } from "./picker.ts";
import { go } from "./places.ts";
import {
  type ControllerState,
  type DetailsLayer,
  type Inside,
  keyOf,
  type Layer,
  listLinks,
  positionOf,
  rowOf,
  screenOf,
} from "./state.ts";
import type { Stroke } from "./text-field.ts";

export function inDetails(inside: Inside, top: DetailsLayer, key: string): void {
  const { state } = inside;
  const command = commandOf(key);
  const moved = command && moves[command];
  if (moved) top.top = Math.max(0, moved(top.top, state.page, 1_000_000));
  else if (command === "open") openLink(inside, top);
  else if (command === "nextScreen" || command === "previousScreen")
    selectLink(inside, top, command === "nextScreen" ? 1 : -1);
  else if (command === "back" || command === "leave" || command === "other") closeDetails(inside, top);
  else anywhere(inside, key);
}

/** Goes where the selected fact leads, or else where the row does; closes the details if there is no such place. */
function openLink(inside: Inside, top: DetailsLayer): void {
  const { state, session } = inside;
  const row = rowOf(state, top.id);
  const links = row === undefined ? [] : listLinks(session, state, row);
  const to = links[top.link] ?? links[0] ?? (row === undefined ? null : screenOf(state).leads?.(row));
  if (to) go(inside, to);
  else closeDetails(inside, top);
}

function selectLink({ state, session }: Inside, top: DetailsLayer, by: number): void {
  const row = rowOf(state, top.id);
  const count = row === undefined ? 0 : listLinks(session, state, row).length;
  if (count === 0) return;
  top.link = (Math.min(top.link, count - 1) + by + count) % count;
  top.isSought = true;
}

function closeDetails({ state }: Inside, top: DetailsLayer): void {
  positionOf(state).details.top = top.top;
  state.layers.pop();
}

export function inHelp(state: ControllerState, top: Layer & { kind: "help" }, key: string): void {
  const command = commandOf(key);
  const moved = command && moves[command];
  if (moved) top.top = Math.max(0, moved(top.top, state.page, 1000));
  else if (command === "back" || command === "leave" || command === "help" || command === "open")
    state.layers.pop();
}

export function inQuestion(inside: Inside, top: Layer & { kind: "ask" }, key: string): void {
  const { state } = inside;
  if (!["y", "Y", "n", "N", "q", "esc"].includes(key)) return;
  state.layers.pop();
  if (key === "y" || key === "Y") void carryOut(inside, top.run, top.filling);
}

export function inLeaving(state: ControllerState, key: string): void {
  if (["y", "Y", "enter", "q"].includes(key)) state.isOver = true;
  else if (["n", "N", "esc"].includes(key)) state.layers.pop();
}

export function inSecret(inside: Inside, top: Layer & { kind: "secret" }, key: string): void {
  const command = commandOf(key);
  if (key === "y" || key === "c") {
    const [label, text] = top.facts.at(-1) ?? ["", ""];
    copyOut(inside, text, `Copied: ${label}.`);
  } else if (command === "open" || command === "back" || command === "leave") inside.state.layers.pop();
}

export function inForm(inside: Inside, state: FormFilling, stroke: Stroke): void {
  const key = keyOf(stroke);
  if (state.busy) return;
  if (key === "esc") inside.state.layers.pop();
  else if (key === "ctrl+o") openPicker(inside, state);
  else if (key === "ctrl+s" || (key === "enter" && isOnLast(state))) void save(inside, state);
  else if (key === "enter" || key === "tab" || key === "down") move(state, 1);
  else if (key === "shift+tab" || key === "up") move(state, -1);
  else typeInto(state, stroke.key, stroke.isText);
}
