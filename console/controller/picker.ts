// Fills a field by choosing from a list: people, groups, channels.
import type { Ctx } from "@/kernel/core/context.ts";
import { partsOf } from "../names.ts";
import type { Pick } from "../screen.ts";
import { currentField, type FormFilling, textsOf } from "./form.ts";
import { type Inside, keyOf, type Picking } from "./state.ts";
import { type Stroke, textField, typeText, withWords } from "./text-field.ts";
import { whenHere } from "./waiting.ts";

/** Opens the list of the current field; does nothing if it has none. */
export function openPicker(inside: Inside, filling: FormFilling): void {
  const found = currentField(filling);
  const offered = found?.field.picks?.(inside.session.ctx());
  if (found && offered) whenHere(inside, offered, (all) => offer(inside, filling, found, all));
}

function offer(
  { state }: Inside,
  filling: FormFilling,
  found: NonNullable<ReturnType<typeof currentField>>,
  offered: readonly Pick[],
): void {
  const text = filling.fields[found.name]?.text ?? "";
  const chosen = text === found.field.keeps ? [] : partsOf(text);
  const all = withUnknown(offered, chosen);
  state.layers.push({
    kind: "picker",
    filling,
    name: found.name,
    field: textField(),
    index: 0,
    all,
    found: all,
    chosen,
  });
}

const isSame = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();

/** Chosen entries come first, even if the list does not offer them: otherwise a save could remove them unnoticed. */
function withUnknown(offered: readonly Pick[], chosen: readonly string[]): Pick[] {
  const isChosen = ({ text }: Pick) => chosen.some((one) => isSame(one, text));
  const unknown = chosen
    .filter((one) => !offered.some(({ text }) => isSame(one, text)))
    .map((text): Pick => ({ noun: "", name: text, about: "", text }));
  return [...unknown, ...offered.filter(isChosen), ...offered.filter((pick) => !isChosen(pick))];
}

export function isPicked({ chosen }: Picking, { text }: Pick): boolean {
  return chosen.some((one) => isSame(one, text));
}

/** The field's text for the current choice. */
function textOfPicked({ chosen }: Picking): string {
  return chosen.join(", ");
}

export function togglePick(top: Picking, index: number): void {
  const pick = top.found[index];
  top.index = index;
  if (!pick) return;
  const alone = new Set(top.all.filter(({ isAlone }) => isAlone).map(({ text }) => text));
  if (isPicked(top, pick)) top.chosen = top.chosen.filter((one) => !isSame(one, pick.text));
  else if (pick.isAlone) top.chosen = [pick.text];
  else top.chosen = [...top.chosen.filter((one) => !alone.has(one)), pick.text];
}

export function inPicker({ state }: Inside, top: Picking, stroke: Stroke): void {
  const key = keyOf(stroke);
  const last = top.found.length - 1;
  if (key === "esc") state.layers.pop();
  else if (key === "enter") {
    top.filling.fields[top.name] = textField(textOfPicked(top));
    top.filling.problem = null;
    state.layers.pop();
  } else if (stroke.key === " ") togglePick(top, top.index);
  else if (key === "down" || key === "tab") top.index = Math.min(last, top.index + 1);
  else if (key === "up" || key === "shift+tab") top.index = Math.max(0, top.index - 1);
  else {
    top.field = typeText(top.field, stroke);
    top.found = withWords(top.all, top.field.text, ({ noun, name, about }) => `${noun} ${name} ${about}`);
    top.index = 0;
  }
}

/** The meaning of the field with the current choice; empty if it has none. */
export function meaningOfPicked(top: Picking, ctx: Ctx): string {
  if (top.chosen.length === 0) return "";
  const { form } = top.filling;
  const text = textOfPicked(top);
  const asked = { texts: { ...textsOf(top.filling), [top.name]: text }, current: top.name, checked: [] };
  return form.remarks?.(asked).means ?? form.fields[top.name]?.means?.(ctx, text) ?? "";
}
