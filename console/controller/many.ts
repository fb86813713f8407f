// Changing many rows: what is asked before, how far it is, stopping it, and undoing what was done.
import type { Ctx } from "@/kernel/core/context.ts";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import { cut } from "../layout.ts";
import type { ActionOutcome, Field, RowAction, ScreenForm } from "../screen.ts";
import {
  allValues,
  type FormFilling,
  listChangedNames,
  type Many,
  saveForm,
  textsOf,
  valuesOf,
} from "./form.ts";
import { sentenceOf } from "./rows.ts";
import { type DoneOutcome, type Inside, nameOfRow, type RowBatch, screenOf, type Undo } from "./state.ts";

const maxNamed = 3;
const widestName = 24;
const widestText = 40;

/** Lets keys arrive and frames be drawn between two changes. */
const pause = () => new Promise<void>((resolve) => void setImmediate(resolve));

interface Run<R> {
  results: R[];
  error: { thrown: unknown } | null;
}

/** Runs one change after another; ends early if one fails, or if the operator stops it. */
async function oneByOne<T, R>(
  inside: Inside,
  { items, verb }: { items: readonly T[]; verb: RowBatch["verb"] },
  one: (item: T, index: number) => R | Promise<R>,
): Promise<Run<R>> {
  const { state } = inside;
  const batch: RowBatch = { done: 0, total: items.length, verb, isStopped: false };
  const results: R[] = [];
  if (items.length > 1) state.batch = batch;
  try {
    for (const [i, item] of items.entries()) {
      if (batch.isStopped) break;
      results.push(await one(item, i));
      batch.done++;
      inside.notify();
      if (items.length > 1) await pause();
    }
    return { results, error: null };
  } catch (thrown) {
    return { results, error: { thrown } };
  } finally {
    state.batch = null;
  }
}

/** Runs the same action for each row; returns the rows that are left when it ends early. */
export async function forAll<T>(
  inside: Inside,
  rows: readonly T[],
  one: (row: T, index: number) => Promise<ActionOutcome>,
): Promise<DoneOutcome> {
  const { results, error } = await oneByOne(inside, { items: rows, verb: "done" }, one);
  const [first] = results;
  if (!first) throw error?.thrown;
  if (rows.length === 1) return first;
  const count = `${results.length} of ${rows.length} done`;
  const left = rows.slice(results.length);
  if (error)
    return joinOutcomes(results, {
      message: `${count}, then: ${sentenceOf(error.thrown)}`,
      tone: "bad",
      left,
    });
  if (left.length > 0) return joinOutcomes(results, { message: `Stopped: ${count}.`, tone: "plain", left });
  return joinOutcomes(results, { message: `${results.length} done: ${first.message} …` });
}

function joinOutcomes(
  outcomes: readonly ActionOutcome[],
  said: Pick<DoneOutcome, "message" | "tone" | "left">,
): DoneOutcome {
  const undos = outcomes.flatMap(({ undo }) => (undo ? [undo] : [])).reverse();
  const secret = outcomes.flatMap((one) => one.secret ?? []);
  return {
    ...said,
    secret: secret.length > 0 ? secret : undefined,
    undos: undos.length < outcomes.length ? undefined : undos,
  };
}

/** Undoes what was done to each row, latest first; what is left when it ends early can be undone later. */
export async function undoAll(inside: Inside, undos: readonly Undo[], undoes: string): Promise<DoneOutcome> {
  const { results, error } = await oneByOne(inside, { items: undos, verb: "undone" }, (back) =>
    back(inside.session.ctx()),
  );
  const left = undos.slice(results.length);
  if (left.length === 0) return { message: `Undone: ${undoes}` };
  const count = `${results.length} of ${undos.length} undone`;
  if (!error) return { message: `Stopped: ${count}.`, tone: "plain", undos: left, undoes };
  const problem = sentenceOf(error.thrown);
  const message = results.length === 0 ? problem : `${count}, then: ${problem}`;
  return { message, tone: "bad", undos: left, undoes };
}

/** How many rows, and the names of the first: "3 users: Ada, Mel, Max". */
function countText(inside: Inside, rows: readonly unknown[], at = ""): string {
  const { title } = screenOf(inside.state);
  return `${rows.length} ${title.toLowerCase()}${at}: ${namesText(inside, rows)}`;
}

function namesText({ state }: Inside, rows: readonly unknown[]): string {
  const names = rows.slice(0, maxNamed).map((row) => cut(nameOfRow(screenOf(state), row), widestName));
  const more = rows.length > maxNamed ? ` and ${rows.length - maxNamed} more` : "";
  return `${names.join(", ")}${more}`;
}

/** What is asked before an action; many rows are never changed without a question. */
export function questionFor(
  inside: Inside,
  action: RowAction<unknown>,
  rows: readonly unknown[],
): string | null {
  const [first] = rows;
  if (rows.length === 1) return action.confirm?.(first) ?? null;
  const counts = new Map<string, number>();
  for (const row of rows) {
    const title = action.title(row) ?? "";
    counts.set(title, (counts.get(title) ?? 0) + 1);
  }
  const parts = [...counts].map(([title, count]) => `${title} ${count}`);
  const question = rows.map((row) => action.confirm?.(row) ?? null).find((one) => one !== null) ?? "";
  // Only the question names its row; what follows is true for all.
  const effect = question.slice(question.lastIndexOf("?") + 1);
  return `${capital(parts.join(", "))} at once: ${namesText(inside, rows)}?${effect}`;
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const asTheyAre = "as they are";

/**
 * The form for many rows: without what each of them has for itself, such as a name, and with fields that change
 * nothing until something is entered. Null if nothing is left of it.
 */
export function formForMany(inside: Inside, form: ScreenForm, { rows, what }: Many): ScreenForm | null {
  const fields = Object.entries(form.fields);
  const shared = fields.filter(([, { isOwn }]) => !isOwn);
  if (shared.length === 0 || (!form.changes && shared.length < fields.length)) return null;
  const keeping = ([name, field]: [string, Field]): [string, Field] => [
    name,
    form.changes ? { ...field, start: asTheyAre, keeps: asTheyAre } : field,
  ];
  return {
    ...form,
    title: `${capital(what)} ${countText(inside, rows)}`,
    fields: Object.fromEntries(shared.map(keeping)),
  };
}

/** Why a form cannot be for many rows. */
export function ownText(form: ScreenForm): string {
  const own = Object.values(form.fields).filter(({ isOwn }) => isOwn);
  const labels = own.map(({ label }) => label.toLowerCase()).join(", ");
  return `Each row has its own ${labels}: change one at a time. Esc unmarks.`;
}

/** Asks whether a form's changes are to be made for many rows. */
export function askForMany(inside: Inside, filled: FormFilling, many: Many): void {
  const { state, session } = inside;
  if (!allValues(session.ctx(), filled)) return;
  const { form } = filled;
  const names = form.changes ? listChangedNames(filled) : filled.names;
  if (names.length === 0) {
    state.layers.pop();
    state.notice = { text: "Nothing was changed.", tone: "plain" };
    return;
  }
  const all = textsOf(filled);
  const texts = Object.fromEntries(names.map((name) => [name, all[name] ?? ""]));
  const said = names
    .filter((name) => form.changes || texts[name] !== "")
    .map((name) => `${form.fields[name]?.label}: ${cut(texts[name] || "empty", widestText)}`);
  const question = `${capital(many.what)} ${countText(inside, many.rows, " at once")}? ${said.join(", ")}.`;
  state.layers.push({
    kind: "ask",
    question,
    run: () => submitAll(inside, many, texts),
    filling: filled,
  });
}

/** Reads the texts as each row's own form takes them, and changes nothing before all of them are right. */
async function submitAll(
  inside: Inside,
  { rows, make }: Many,
  texts: Readonly<Record<string, string>>,
): Promise<DoneOutcome> {
  const { state, session } = inside;
  const read = async (row: unknown) => readFor(session.ctx(), await make(session.ctx(), row), texts);
  const { results, error } = await oneByOne(inside, { items: rows, verb: "checked" }, read);
  if (error) {
    const name = nameOfRow(screenOf(state), rows[results.length]);
    return fail("BAD_REQUEST", `Nothing was changed. ${name}: ${sentenceOf(error.thrown)}`);
  }
  // As a refusal, so that the form stays.
  if (results.length < rows.length) return fail("BAD_REQUEST", "Stopped: nothing was changed.");
  return forAll(inside, rows, (_, i) => {
    const { form, values } = results[i] as Awaited<ReturnType<typeof readFor>>;
    return saveForm(session.ctx(), form, values);
  });
}

async function readFor(ctx: Ctx, form: ScreenForm, texts: Readonly<Record<string, string>>) {
  await form.check?.(texts);
  return { form, values: valuesOf(ctx, form, texts) };
}
