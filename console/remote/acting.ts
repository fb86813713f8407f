// Forms and actions of a console elsewhere: described, filled in, run and undone.
import type { Ctx } from "@/kernel/core/context.ts";
import { AppError, failInEnglish as fail } from "@/kernel/lib/errors.ts";
import { recordChanges } from "../change.ts";
import { makeChange, titleOf } from "../changes.ts";
import { choicesFor, fieldValue, limitsOf, remarksOf, saveForm, startOf } from "../controller/form.ts";
import type { ActionOutcome, Field, ScreenForm } from "../screen.ts";
import { isOffered, needOf, readLoaded, refuse, rowFor, type Serving, screenFor } from "./request.ts";
import type { ActionPlace, ActRequest, Asked, FormAnswer, OutcomeAnswer } from "./schema.ts";

/** The action at a place, with its row; refused unless it is offered. */
async function actionAt(serving: Serving, place: ActionPlace) {
  const one = screenFor(serving, place.screen);
  const { of, id } = place;
  if (typeof of === "string") return refuse();
  const action = "row" in of ? one.rowActions?.[of.row] : one.actions?.[of.screen];
  if (!action || !isOffered(serving.ctx, needOf(action))) return refuse();
  if ("screen" in of) return { onScreen: one.actions?.[of.screen], onRow: null, row: null };
  const onRow = one.rowActions?.[of.row];
  const row = id === null ? refuse() : await rowFor(serving, one, { scope: place.scope, id });
  if (onRow?.title(row) === null) return fail("BAD_REQUEST", "It has changed: this does not apply any more.");
  return { onScreen: null, onRow, row };
}

export async function makeForm(serving: Serving, place: ActionPlace): Promise<ScreenForm> {
  const { ctx, session } = serving;
  const { of, id, scope } = place;
  const one = screenFor(serving, place.screen);
  if (of === "create") {
    const { create } = one;
    if (!create || !isOffered(ctx, create.need ?? "admin")) return refuse();
    return readLoaded(serving, () => create.form(ctx, scope));
  }
  if (of === "edit") {
    const { edit } = one;
    if (!edit || id === null || !isOffered(ctx, one.editNeed ?? "admin")) return refuse();
    const row = await rowFor(serving, one, { scope, id });
    if (one.mayEdit?.(row) === false) return fail("BAD_REQUEST", "It cannot be edited.");
    return readLoaded(serving, () => edit(ctx, row));
  }
  const { onRow, onScreen, row } = await actionAt(serving, place);
  const made = await readLoaded(serving, () => onRow?.form?.(ctx, row) ?? onScreen?.form?.(session));
  return made ?? refuse();
}

export async function describeForm({
  title,
  changes,
  picksFirst = false,
  fields,
}: ScreenForm): Promise<FormAnswer> {
  return {
    title,
    changes,
    picksFirst,
    fields: Object.entries(fields).map(([name, field]) => [name, describeField(field)]),
  };
}

function describeField(field: Field): FormAnswer["fields"][number][1] {
  const { label, about, secret = false, isOwn = false, isFile = false, usual = null, picks } = field;
  return {
    label,
    about,
    start: startOf(field),
    choices: choicesFor(field)?.slice() ?? null,
    secret,
    isOwn,
    isFile,
    usual,
    takes: limitsOf(field),
    hasPicks: picks !== undefined,
  };
}

export async function listPicks(serving: Serving, { field, ...place }: Asked<"picks">) {
  const form = await makeForm(serving, place);
  const picks = form.fields[field]?.picks ?? refuse();
  return readLoaded(serving, () => picks(serving.ctx));
}

export async function remark(
  serving: Serving,
  { texts, current, checked: names, ...place }: Asked<"remarks">,
) {
  const form = await makeForm(serving, place);
  return readLoaded(serving, () => remarksOf(serving.ctx, form, { texts, current, checked: names }));
}

export async function submit(
  serving: Serving,
  { texts, ...place }: Extract<ActRequest, { act: "submit" }>,
): Promise<ActionOutcome> {
  const { ctx, host } = serving;
  const form = await makeForm(serving, place);
  const names = Object.keys(texts);
  if (!form.changes && Object.keys(form.fields).some((name) => !names.includes(name)))
    fail("BAD_REQUEST", "The form has fields that your console does not send: it is of another version.");
  const values = await readLoaded(serving, () =>
    Object.fromEntries(
      names.map((name) => {
        const field = form.fields[name] ?? fail("BAD_REQUEST", "It has other fields.");
        // Never a path of this machine that a person elsewhere has typed.
        const found = fieldValue(ctx, field, field.isFile ? host.file() : (texts[name] ?? ""));
        return [
          name,
          "value" in found ? found.value : fail("BAD_REQUEST", `${field.label}: ${found.problem}`),
        ];
      }),
    ),
  );
  return saveForm(ctx, form, values);
}

export async function runAction(serving: Serving, place: ActionPlace): Promise<ActionOutcome> {
  const { ctx, session } = serving;
  const { onRow, onScreen, row } = await actionAt(serving, place);
  if (onRow?.run) return onRow.run(ctx, row, session);
  return onScreen?.run ? onScreen.run(session) : refuse();
}

export async function describeOutcome(
  serving: Serving,
  before: Record<string, string>,
  outcome: ActionOutcome,
): Promise<OutcomeAnswer> {
  const { session } = serving;
  const after = Object.fromEntries(session.chosen);
  const { message, secret, picture = [], remark: said = null, undo: back } = outcome;
  return {
    message,
    secret: secret?.map(([label, value]): [string, string] => [label, value]) ?? null,
    picture: picture.map((one) => [...one]),
    remark: said,
    undo: back ? await describeUndo(serving, back) : null,
    chosen: changedIn(before, after),
  };
}

/** What is chosen now and was not before; an empty text for what is no longer. */
function changedIn(before: Record<string, string>, after: Record<string, string>): Record<string, string> {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return Object.fromEntries(
    [...names].filter((name) => before[name] !== after[name]).map((name) => [name, after[name] ?? ""]),
  );
}

async function describeUndo(
  { ctx, session }: Serving,
  back: NonNullable<ActionOutcome["undo"]>,
): Promise<OutcomeAnswer["undo"]> {
  const before = Object.fromEntries(session.chosen);
  try {
    const changes = await recordChanges(ctx, back);
    return {
      changes: changes.map(({ change, input }) => ({ change: titleOf(change), input })),
      chosen: changedIn(before, Object.fromEntries(session.chosen)),
      refusal: null,
    };
  } catch (error) {
    if (error instanceof AppError) return { changes: [], chosen: {}, refusal: error.message };
    throw error;
  }
}

export async function undo(
  ctx: Ctx,
  changes: Extract<ActRequest, { act: "undo" }>["changes"],
): Promise<Record<string, never>> {
  const picture = () => fail("BAD_REQUEST", "A picture cannot be undone.");
  for (const { change, input } of changes) await makeChange(ctx, { title: change, given: input, picture });
  return {};
}
