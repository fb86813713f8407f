import type { Ctx } from "@/kernel/core/context.ts";
import { maxCharacters, ruleText } from "@/kernel/http/rule-words.ts";
import { AppError } from "@/kernel/lib/errors.ts";
import {
  choicesFor,
  type FormFilling,
  fieldValue,
  listChangedNames,
  startOf,
  suggestions,
  textsOf,
} from "../controller/form.ts";
import type { ControllerState } from "../controller/state.ts";
import { aroundCursor, signsOf } from "../controller/text-field.ts";
import { cut, type Line, line, pad, type Segment, sanitize, widthOf, wrap } from "../layout.ts";
import type { Field } from "../screen.ts";
import type { BoxArea } from "./box.ts";

interface Drawn {
  filling: FormFilling;
  ctx: Ctx;
  width: number;
  height: number;
}

/** The fields that fit, among them the current one; notes where the mouse meets which field. */
export function formLines(
  state: ControllerState,
  filling: FormFilling,
  ctx: Ctx,
  { x, y, width, height }: BoxArea,
): Line[] {
  const { names } = filling;
  const blocks = names.map((name, i) =>
    fieldLines({ filling, ctx, width, height }, name, i === filling.current),
  );
  const tail: Line[] = [
    ...(filling.problem === null
      ? []
      : [[], ...wrap(filling.problem, width).map((text) => line(text, "bad"))]),
    ...changeLines(filling, ctx, width),
    ...previewLines(filling, ctx, width),
  ];
  const [from, to] = around(blocks, filling.current, Math.max(4, height - tail.length));
  let at = y;
  for (let index = from; index < to; index++) {
    const size = blocks[index]?.length ?? 0;
    state.zones.push({ x, y: at, width, height: size, target: { kind: "field", index } });
    at += size;
  }
  return [...blocks.slice(from, to).flat(), ...tail];
}

/** As many fields as fit, including the current one. */
function around(blocks: readonly Line[][], current: number, room: number): [from: number, to: number] {
  let [from, to] = [current, current + 1];
  let used = blocks[current]?.length ?? 0;
  const sizeOf = (i: number) => blocks[i]?.length ?? Number.POSITIVE_INFINITY;
  for (;;) {
    if (used + sizeOf(to) <= room) used += sizeOf(to++);
    else if (used + sizeOf(from - 1) <= room) used += sizeOf(--from);
    else return [from, to];
  }
}

const widestLabel = 32;

/** The width of the longest label, limited so that values keep most of the room. */
function labelWidthOf({ form, names }: FormFilling, width: number): number {
  const longest = Math.max(...names.map((name) => widthOf(form.fields[name]?.label ?? "")));
  return Math.min(longest, widestLabel, Math.floor(width / 2));
}

function fieldLines({ filling, ctx, width }: Drawn, name: string, isCurrent: boolean): Line[] {
  const field = filling.form.fields[name] as Field;
  const labelWidth = labelWidthOf(filling, width);
  const label: Segment = {
    text: `${isCurrent ? "▸ " : "  "}${pad(cut(field.label, labelWidth), labelWidth)}  `,
    tone: isCurrent ? "accent" : "dim",
  };
  const indent = " ".repeat(labelWidth + 4);
  const room = Math.max(8, width - indent.length);
  const text = filling.fields[name]?.text ?? "";
  const below =
    isCurrent || filling.left.has(name) ? remarks({ filling, ctx, field, text, isCurrent }, room) : [];
  const typed = isCurrent
    ? drawTyped(filling, { name, field, room })
    : [{ text: visibleText(field, text, room) }];
  return [[label, ...typed], ...below.map((one): Line => [{ text: indent }, ...one])];
}

function visibleText(field: Field, text: string, room: number): string {
  return cut(field.secret ? "•".repeat(signsOf(text).length) : sanitize(text), room);
}

/** UTF-16 units that are looked at for each cell of a field: enough for families of emoji. */
const mostUnits = 16;

/** The text scrolled so that its cursor is visible, or the choice between arrows. */
function drawTyped(
  filling: FormFilling,
  { name, field, room }: { name: string; field: Field; room: number },
): Line {
  const typed = filling.fields[name] ?? { text: "", at: 0 };
  if (choicesFor(field))
    return [
      { text: "‹ ", tone: "accent" },
      { text: cut(typed.text, room - 4), tone: "title" },
      { text: " ›", tone: "accent" },
    ];
  const drawSign = (sign: string) => (field.secret ? "•" : sanitize(sign));
  const { before, sign, after } = aroundCursor(typed, room * mostUnits);
  const signs = before.map(drawSign);
  let from = signs.length;
  let used = 0;
  while (from > 0 && used + widthOf(signs[from - 1] ?? "") <= room - 2) used += widthOf(signs[--from] ?? "");
  const rest = cut(after.map(drawSign).join(""), Math.max(0, room - used - 2));
  return [
    { text: signs.slice(from).join("") },
    { text: sign === "" ? " " : drawSign(sign), cursor: true },
    { text: rest },
  ];
}

interface Remarked {
  filling: FormFilling;
  ctx: Ctx;
  field: Field;
  text: string;
  isCurrent: boolean;
}

/** The lines below a field: its problem, its purpose, and what it accepts. */
function remarks({ filling, ctx, field, text, isCurrent }: Remarked, room: number): Line[] {
  const isTouched = text !== (field.start ?? "") || filling.left.size > 0;
  const read = fieldValue(ctx, field, text);
  const wrong = "problem" in read && isTouched ? wrap(read.problem, room).map((one) => line(one, "bad")) : [];
  if (!isCurrent) return wrong;
  const rule = field.read ? "" : ruleText(field.rule);
  const most = field.read || choicesFor(field) ? null : maxCharacters(field.rule);
  const count = most === null ? "" : ` · ${signsOf(text).length} of ${most}`;
  const usual = field.usual === undefined ? "" : `Default: ${field.usual}.`;
  const about = [usual, field.about, rule === "" ? "" : `Takes ${rule}${count}.`].filter((one) => one !== "");
  const offered = suggestions(field, text);
  const hint = offered.length === 0 ? [] : [line(cut(`→ ${offered.slice(0, 6).join("  ")}`, room), "accent")];
  const meaning = meaningOf(ctx, field, text);
  const means = meaning === "" ? [] : wrap(`= ${meaning}`, room).map((one) => line(one, "good"));
  return [
    ...wrong,
    ...means,
    ...hint,
    ...about.flatMap((one) => wrap(one, room)).map((one) => line(one, "dim")),
  ];
}

/** What the text means; nothing while it is not yet right. */
function meaningOf(ctx: Ctx, { means }: Field, text: string): string {
  try {
    return means?.(ctx, text) ?? "";
  } catch (error) {
    if (error instanceof AppError) return "";
    throw error;
  }
}

const maxChanges = 6;

/** What saving would change. */
function changeLines(filling: FormFilling, ctx: Ctx, width: number): Line[] {
  const { form, names, fields } = filling;
  if (!form.changes) return [];
  const changed = listChangedNames(filling);
  if (changed.length === 0) return [];
  const lines = changed.slice(0, maxChanges).flatMap((name): readonly Line[] => {
    const field = form.fields[name] as Field;
    const [before, after] = [startOf(field), fields[name]?.text ?? ""];
    return [
      changeLine({ field, before, after, width, isOnly: names.length === 1 }),
      ...differenceLines(ctx, field, before, after),
    ];
  });
  const more = changed.length - maxChanges;
  return [
    [],
    line("What changes", "title"),
    ...lines,
    ...(more > 0 ? [line(`and ${more} more`, "dim")] : []),
  ];
}

interface Change {
  field: Field;
  before: string;
  after: string;
  width: number;
  isOnly: boolean;
}

function changeLine({ field, before, after, width, isOnly }: Change): Line {
  const name = isOnly ? "" : `${field.label}  `;
  const room = Math.max(8, Math.floor((width - widthOf(name) - 6) / 2));
  const describeText = (text: string) => (text === "" ? "empty" : visibleText(field, text, room));
  return [
    { text: "  " },
    { text: name, tone: "dim" },
    { text: describeText(before), tone: "bad" },
    { text: "  →  ", tone: "faint" },
    { text: describeText(after), tone: "good" },
  ];
}

/** More of what a change means; nothing while the text is not right. */
function differenceLines(ctx: Ctx, { differs }: Field, before: string, after: string): readonly Line[] {
  try {
    return (differs?.(ctx, before, after) ?? []).map((one) => [{ text: "  " }, ...one]);
  } catch (error) {
    if (error instanceof AppError) return [];
    throw error;
  }
}

function previewLines(filling: FormFilling, ctx: Ctx, width: number): Line[] {
  const { preview } = filling.form;
  if (!preview) return [];
  const lines = preview(ctx, textsOf(filling));
  return lines.length === 0 ? [] : [line("─".repeat(Math.min(width, 40)), "dim"), ...lines];
}
