import { Box } from "ink";
import type { Ctx } from "@/kernel/core/context.ts";
import {
  choicesFor,
  type FormFilling,
  limitsOf,
  listChangedNames,
  remarksOn,
  startOf,
} from "../controller/form.ts";
import { aroundCursor } from "../controller/text-field.ts";
import { cut, type Line, line, pad, sanitize, signsOf, widthOf, wrapLines } from "../layout.ts";
import type { Field, FormRemarks } from "../screen.ts";
import { type Area, Panel, within } from "./panel.tsx";
import { Lines, Words } from "./words.tsx";
import { Zone } from "./zone.tsx";

interface Filled {
  filling: FormFilling;
  ctx: Ctx;
}

interface FieldPlace {
  /** Of the field, in the form. */
  index: number;
  name: string;
  field: Field;
  isCurrent: boolean;
  /** Cells for its value. */
  room: number;
}

/** The fields that fit, among them the current one, and what saving would mean. */
export function Form({ filling, ctx, ...area }: Area & Filled) {
  const { width, height } = within(area);
  const { form, names, current, problem } = filling;
  const labels = labelWidthOf(filling, width);
  const said = remarksOn(ctx, filling);
  const fields = names.map((name, index) => {
    const place: FieldPlace = {
      index,
      name,
      field: form.fields[name] as Field,
      isCurrent: index === current,
      room: Math.max(8, width - labels - 4),
    };
    return {
      place,
      below: place.isCurrent || filling.left.has(name) ? remarkLines(filling, said, place) : [],
    };
  });
  const tail: Line[] = [
    ...(problem === null ? [] : [[], ...wrapLines(problem, width, "bad")]),
    ...changeLines(filling, said, width),
    ...previewLines(said, width),
  ];
  const sizes = fields.map(({ below }) => 1 + below.length);
  const [from, to] = around(sizes, current, Math.max(4, height - tail.length));
  return (
    <Panel {...area} title={line(sanitize(form.title), "title")}>
      <Box flexDirection="column" height={height} overflow="hidden">
        {fields.slice(from, to).map(({ place, below }) => (
          <FieldBox key={place.name} {...place} filling={filling} labels={labels} below={below} />
        ))}
        <Lines lines={tail} />
      </Box>
    </Panel>
  );
}

/** As many fields as fit, including the current one. */
function around(sizes: readonly number[], current: number, room: number): [from: number, to: number] {
  let [from, to] = [current, current + 1];
  let used = sizes[current] ?? 0;
  const sizeOf = (i: number) => sizes[i] ?? Number.POSITIVE_INFINITY;
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

interface FieldProps extends FieldPlace {
  filling: FormFilling;
  /** The width of all labels. */
  labels: number;
  below: readonly Line[];
}

function FieldBox({ filling, labels, below, ...place }: FieldProps) {
  const { index, name, field, isCurrent, room } = place;
  const label = `${isCurrent ? "▸ " : "  "}${pad(cut(field.label, labels), labels)}`;
  const value = isCurrent
    ? typedLine(filling, place)
    : line(visibleText(field, filling.fields[name]?.text ?? "", room));
  return (
    <Zone at={{ kind: "field", index }} flexShrink={0} columnGap={2}>
      <Words line={line(label, isCurrent ? "accent" : "dim")} />
      <Box width={room} flexShrink={0}>
        <Lines lines={[value, ...below]} />
      </Box>
    </Zone>
  );
}

function visibleText(field: Field, text: string, room: number): string {
  return cut(field.secret ? "•".repeat(signsOf(text).length) : sanitize(text), room);
}

/** UTF-16 units that are looked at for each cell of a field: enough for families of emoji. */
const mostUnits = 16;

/** The text scrolled so that its cursor is visible, or the choice between arrows. */
function typedLine({ fields }: FormFilling, { name, field, room }: FieldPlace): Line {
  const typed = fields[name] ?? { text: "", at: 0 };
  if (choicesFor(field))
    return [
      { text: "‹ ", tone: "accent" },
      { text: cut(typed.text, room - 4), tone: "title" },
      { text: " ›", tone: "accent" },
    ];
  const showSign = (sign: string) => (field.secret ? "•" : sanitize(sign));
  const { before, sign, after } = aroundCursor(typed, room * mostUnits);
  const signs = before.map(showSign);
  let from = signs.length;
  let used = 0;
  while (from > 0 && used + widthOf(signs[from - 1] ?? "") <= room - 2) used += widthOf(signs[--from] ?? "");
  const rest = cut(after.map(showSign).join(""), Math.max(0, room - used - 2));
  return [
    { text: signs.slice(from).join("") },
    { text: sign === "" ? " " : showSign(sign), cursor: true },
    { text: rest },
  ];
}

/** The lines below a field: its problem, its purpose, and what it accepts. */
function remarkLines(
  filling: FormFilling,
  { problems, means, hints }: FormRemarks,
  { name, field, isCurrent, room }: FieldPlace,
): Line[] {
  const text = filling.fields[name]?.text ?? "";
  const isTouched = text !== (field.start ?? "") || filling.left.size > 0;
  const problem = problems[name];
  const wrong = problem !== undefined && isTouched ? wrapLines(problem, room, "bad") : [];
  if (!isCurrent) return wrong;
  const limits = limitsOf(field);
  const count = limits.most === null ? "" : ` · ${signsOf(text).length} of ${limits.most}`;
  const usual = field.usual === undefined ? "" : `Default: ${field.usual}.`;
  const takes = limits.text === "" ? "" : `Takes ${limits.text}${count}.`;
  const about = [usual, field.about, takes].filter((one) => one !== "");
  const hint = hints.length === 0 ? [] : [line(cut(`→ ${hints.join("  ")}`, room), "accent")];
  const meaning = means === "" ? [] : wrapLines(`= ${means}`, room, "good");
  return [...wrong, ...meaning, ...hint, ...about.flatMap((one) => wrapLines(one, room, "dim"))];
}

const maxChanges = 6;

/** What saving would change. */
function changeLines(filling: FormFilling, { differs }: FormRemarks, width: number): Line[] {
  const { form, names, fields } = filling;
  const changed = form.changes ? listChangedNames(filling) : [];
  if (changed.length === 0) return [];
  const lines = changed.slice(0, maxChanges).flatMap((name): readonly Line[] => {
    const field = form.fields[name] as Field;
    const [before, after] = [startOf(field), fields[name]?.text ?? ""];
    return [
      changeLine(field, { before, after, width, isOnly: names.length === 1 }),
      ...(differs[name] ?? []).map((one) => [{ text: "  " }, ...one]),
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
  before: string;
  after: string;
  width: number;
  isOnly: boolean;
}

function changeLine(field: Field, { before, after, width, isOnly }: Change): Line {
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

function previewLines({ preview }: FormRemarks, width: number): readonly Line[] {
  return preview.length === 0 ? [] : [line("─".repeat(Math.min(width, 40)), "dim"), ...preview];
}
