// Jumps to anything that has a name.
import { allFinds, findsFor } from "./finds.ts";
import { go } from "./places.ts";
import { type Inside, keyOf, type Layer } from "./state.ts";
import { type Stroke, textField, typeText } from "./text-field.ts";

export function openFinder({ session, state }: Inside): void {
  const all = allFinds(session, state);
  state.layers.push({ kind: "finder", field: textField(), index: 0, all, found: findsFor(all, "") });
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
  for (const key of find.keys ?? []) inside.press(key, false);
}
