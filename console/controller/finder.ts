// Jumps to anything that has a name.
import { allFinds, findsFor } from "./finds.ts";
import { go } from "./places.ts";
import { type Inside, keyOf, type Layer } from "./state.ts";
import { type Stroke, textField, typeText } from "./text-field.ts";
import { whenHere } from "./waiting.ts";

export function openFinder(inside: Inside): void {
  const all = allFinds(inside);
  inside.state.layers.push({ kind: "finder", field: textField(), index: 0, all, found: findsFor(all, "") });
}

/** Finds what has come from a server elsewhere since it was opened. */
export function findAgain(inside: Inside): void {
  const top = inside.state.layers.at(-1);
  if (top?.kind !== "finder" || !inside.state.coming) return;
  top.all = allFinds(inside);
  top.found = findsFor(top.all, top.field.text);
  top.index = Math.max(0, Math.min(top.index, top.found.length - 1));
}

export function inFinder(inside: Inside, top: Layer & { kind: "finder" }, stroke: Stroke): void {
  const key = keyOf(stroke);
  const { state } = inside;
  const last = top.found.length - 1;
  if (key === "esc") state.layers.pop();
  else if (key === "enter") take(inside, top);
  else if (key === "down" || key === "tab") top.index = Math.min(last, top.index + 1);
  else if (key === "up" || key === "shift+tab") top.index = Math.max(0, top.index - 1);
  else {
    top.field = typeText(top.field, stroke);
    top.found = findsFor(top.all, top.field.text);
    top.index = 0;
  }
}

export function take(inside: Inside, top: Layer & { kind: "finder" }): void {
  const find = top.found[top.index];
  if (!find) return;
  inside.state.layers = inside.state.layers.filter((layer) => layer !== top);
  if (find.to) go(inside, find.to);
  if (find.server !== undefined) whenHere(inside, inside.goTo({ name: find.server }), () => {});
  for (const key of find.keys ?? []) inside.press(key, false);
}
