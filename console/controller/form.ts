// A form that is being filled in: the text of each field, the current field, and problems.
import type { Ctx } from "@/kernel/core/context.ts";
import { choicesOf, maxCharacters, problemOf, readText, ruleText } from "@/kernel/http/rule-words.ts";
import { AppError, failInEnglish as fail } from "@/kernel/lib/errors.ts";
import type {
  ActionOutcome,
  Field,
  FieldLimits,
  FormRemarks,
  Later,
  RemarksRequest,
  ScreenForm,
} from "../screen.ts";
import { insertText, type Stroke, type TextField, textField, typeText } from "./text-field.ts";

/** The rows that a form changes together. */
export interface Many {
  rows: readonly unknown[];
  make: (ctx: Ctx, row: unknown) => Later<ScreenForm>;
  /** The action, as a verb. */
  what: string;
}

export interface FormFilling {
  form: ScreenForm;
  /** Null if the form is not for many rows. */
  many: Many | null;
  names: readonly string[];
  fields: Record<string, TextField>;
  /**
   * Fields whose problems are shown even when they are not current, because the operator left them or tried to save.
   */
  left: Set<string>;
  current: number;
  /** The error of the last attempt to save. */
  problem: string | null;
  busy: boolean;
}

export function filling(form: ScreenForm, many: Many | null = null): FormFilling {
  const names = Object.keys(form.fields);
  const fields = Object.fromEntries(names.map((name) => [name, textField(startOf(form.fields[name]))]));
  return { form, many, names, fields, left: new Set(), current: 0, problem: null, busy: false };
}

export function startOf(field: Field | undefined): string {
  if (field?.start !== undefined) return field.start;
  return (field && !field.open && choicesFor(field)?.[0]) || "";
}

function listChoices({ choices }: Field): readonly string[] | undefined {
  return typeof choices === "function" ? choices() : choices;
}

/** The only possible texts; null if any text may be typed. */
export function choicesFor(field: Field): readonly string[] | null {
  if (field.open) return null;
  const choices = listChoices(field) ?? choicesOf(field.rule);
  return choices && field.keeps !== undefined ? [field.keeps, ...choices] : choices;
}

/** Completions of the text, for fields with suggestions. */
function suggestions(field: Field, text: string): readonly string[] {
  if (!field.open) return [];
  const last = text.split(",").at(-1)?.trim().toLowerCase() ?? "";
  return (listChoices(field) ?? []).filter(
    (choice) => choice.toLowerCase().includes(last) && choice.toLowerCase() !== last,
  );
}

export function textsOf({ fields }: FormFilling): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([name, { text }]) => [name, text]));
}

export interface Problem {
  problem: string;
}

/** The field's value, or what is wrong with the text. */
export function fieldValue(ctx: Ctx, field: Field, text: string): { value: unknown } | Problem {
  if (text === field.keeps) return { value: undefined };
  if (!field.read) return readText(field.rule, text);
  try {
    const result = field.rule.safeParse(field.read(ctx, text));
    if (result.success) return { value: result.data };
    return { problem: problemOf(field.rule, result.error.issues[0]) };
  } catch (error) {
    return { problem: (error as Error).message };
  }
}

/** What the field takes, where no function reads its text. */
export function limitsOf(field: Field): FieldLimits {
  if (field.takes) return field.takes;
  if (field.read) return { text: "", most: null };
  return { text: ruleText(field.rule), most: choicesFor(field) ? null : maxCharacters(field.rule) };
}

/** What is to be said of the texts of a form. */
export function remarksOf(
  ctx: Ctx,
  form: ScreenForm,
  { texts, current, checked }: RemarksRequest,
): FormRemarks {
  const given = Object.entries(texts).flatMap(([name, text]) => {
    const field = form.fields[name];
    return field ? [{ name, field, text }] : [];
  });
  const problems = given.flatMap(({ name, field, text }) => {
    if (!checked.includes(name)) return [];
    const read = fieldValue(ctx, field, text);
    return "problem" in read ? [[name, read.problem] as const] : [];
  });
  const differs = given
    .filter(({ field, text }) => form.changes && text !== startOf(field))
    .map(
      ({ name, field, text }) =>
        [name, whileRight(() => field.differs?.(ctx, startOf(field), text)) ?? []] as const,
    );
  const field = form.fields[current];
  const text = texts[current] ?? "";
  return {
    problems: Object.fromEntries(problems),
    means: whileRight(() => field?.means?.(ctx, text)) ?? "",
    hints: field ? suggestions(field, text).slice(0, maxHints) : [],
    differs: Object.fromEntries(differs),
    preview: form.preview?.(ctx, { ...texts }) ?? [],
  };
}

const maxHints = 6;

/** What a text means; nothing while it is not yet right. */
function whileRight<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

/** What is to be said of the texts that are in a form now. */
export function remarksOn(ctx: Ctx, filling: FormFilling): FormRemarks {
  const asked = requestOf(filling);
  return filling.form.remarks?.(asked) ?? remarksOf(ctx, filling.form, asked);
}

function requestOf(filling: FormFilling): RemarksRequest {
  const { names, left } = filling;
  const current = names[filling.current] ?? "";
  const checked = names.filter((name) => name === current || left.has(name));
  return { texts: textsOf(filling), current, checked };
}

/** The field that keys go to, with its name. */
export function currentField(state: FormFilling): { name: string; field: Field } | null {
  const name = state.names[state.current];
  const field = name === undefined ? undefined : state.form.fields[name];
  return name !== undefined && field ? { name, field } : null;
}

export function isOnLast({ current, names }: FormFilling): boolean {
  return current === names.length - 1;
}

export function move(state: FormFilling, by: number): void {
  const name = state.names[state.current];
  if (name !== undefined) state.left.add(name);
  const count = state.names.length;
  state.current = (state.current + by + count) % count;
}

/** Handles a key, or typed text, in the current field. */
export function typeInto(state: FormFilling, key: string, isText: boolean): void {
  const found = currentField(state);
  const before = found && state.fields[found.name];
  if (!found || !before) return;
  state.problem = null;
  const choices = choicesFor(found.field);
  if (choices) {
    state.fields[found.name] = choose(choices, before, { key, isText });
    return;
  }
  if (before.text === found.field.keeps && (isText || removing.has(key))) {
    state.fields[found.name] = isText ? insertText(textField(), key) : textField();
    return;
  }
  const [first] = hintsFor(state, found.field, before.text);
  const atEnd = before.at === before.text.length;
  if (!isText && key === "right" && atEnd && first !== undefined) {
    const from = before.text.lastIndexOf(",") + 1;
    const blank = /^\s/.test(before.text.slice(from)) ? " " : "";
    state.fields[found.name] = textField(before.text.slice(0, from) + blank + first);
    return;
  }
  state.fields[found.name] = typeText(before, { key, isText });
}

/** Completions of the current field's text. */
function hintsFor(state: FormFilling, field: Field, text: string): readonly string[] {
  return state.form.remarks?.(requestOf(state)).hints ?? suggestions(field, text);
}

/** Keys that remove from a text; one that stands for others is removed as a whole. */
const removing = new Set(["backspace", "delete", "ctrl+u", "ctrl+k", "ctrl+w"]);

function choose(choices: readonly string[], { text }: TextField, { key, isText }: Stroke): TextField {
  const at = choices.indexOf(text);
  const count = choices.length;
  if (key === "left") return textField(choices[(at - 1 + count) % count]);
  if (key === "right" || key === " ") return textField(choices[(at + 1) % count]);
  const after = [...choices.slice(at + 1), ...choices.slice(0, at + 1)];
  const found = after.find((choice) => choice.toLowerCase().startsWith(key.toLowerCase()));
  return textField(isText && found !== undefined ? found : text);
}

/** Reads all fields. If one is wrong, moves to it and returns null. */
export function allValues(ctx: Ctx, state: FormFilling): Record<string, unknown> | null {
  const values: Record<string, unknown> = {};
  let wrong = -1;
  for (const [i, name] of state.names.entries()) {
    const field = state.form.fields[name] as Field;
    const read = fieldValue(ctx, field, state.fields[name]?.text ?? "");
    state.left.add(name);
    if ("value" in read) values[name] = read.value;
    else if (wrong < 0) wrong = i;
  }
  if (wrong < 0) return values;
  state.current = wrong;
  return null;
}

export function listChangedNames({ form, names, fields }: FormFilling): string[] {
  return names.filter((name) => fields[name]?.text !== startOf(form.fields[name]));
}

/** The values that these texts have in a form; throws if one of them is wrong there. */
export function valuesOf(
  ctx: Ctx,
  form: ScreenForm,
  texts: Readonly<Record<string, string>>,
): Record<string, unknown> {
  const entries = Object.entries(texts).map(([name, text]) => {
    const field = form.fields[name] ?? fail("BAD_REQUEST", "It has other fields.");
    const read = fieldValue(ctx, field, text);
    return [name, "value" in read ? read.value : fail("BAD_REQUEST", read.problem)] as const;
  });
  return Object.fromEntries(entries);
}

/** Submits a form; a form that changes something submits the old values to undo it. */
export async function saveForm(
  ctx: Ctx,
  form: ScreenForm,
  values: Record<string, unknown>,
): Promise<ActionOutcome> {
  if (!form.changes) return form.submit(ctx, values);
  const names = Object.keys(values);
  const before = Object.fromEntries(
    names.flatMap((name) => {
      const field = form.fields[name] as Field;
      const read = fieldValue(ctx, field, startOf(field));
      return "value" in read ? [[name, read.value]] : [];
    }),
  );
  const done = await form.submit(ctx, values);
  const isWhole = Object.keys(before).length === names.length;
  return { undo: isWhole ? (now) => form.submit(now, before) : undefined, ...done };
}

/** Saves the form; null if a field is wrong. */
export async function submitForm(ctx: Ctx, state: FormFilling): Promise<ActionOutcome | null> {
  const values = allValues(ctx, state);
  if (!values) return null;
  const { form } = state;
  if (!form.changes) return form.submit(ctx, values);
  const differing = listChangedNames(state);
  if (differing.length === 0) return { message: "Nothing was changed." };
  return saveForm(ctx, form, Object.fromEntries(differing.map((name) => [name, values[name]])));
}
