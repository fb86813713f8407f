// Carrying out what a key means for rows, or for the screen as a whole.
import type { Ctx } from "@/kernel/context.ts";
import type { Form, Outcome, RowAction, ScreenAction } from "../screen.ts";
import { type Filling, filling, submitted } from "./form.ts";
import { openPicker } from "./picker.ts";
import { go } from "./places.ts";
import { load, sentenceOf } from "./rows.ts";
import { type Inside, mayEdit, meantRows, nameOfRow, positionOf, screenActions, screenOf } from "./state.ts";

export function openForm(inside: Inside, form: Form): void {
  const { state } = inside;
  state.notice = null;
  const filled = filling(form);
  state.layers.push({ kind: "form", filling: filled });
  if (form.picksFirst) openPicker(inside, filled);
}

/** Runs the key of a row's action or of the screen; false if the key has no meaning here. */
export function begin(inside: Inside, key: string): boolean {
  const { state } = inside;
  const whole = screenActions(state).find((one) => one.key === key);
  if (whole) {
    beginScreenAction(inside, whole);
    return true;
  }
  const actions = screenOf(state).rowActions?.filter((one) => one.key === key) ?? [];
  for (const action of actions) {
    const rows = meantRows(state).filter((row) => action.title(row) !== null);
    if (rows.length > 0) {
      beginAction(inside, action, rows);
      return true;
    }
  }
  return false;
}

function beginScreenAction(inside: Inside, { form, run, confirm }: ScreenAction): void {
  const { session, state } = inside;
  if (form) openForm(inside, form(session));
  if (!run) return;
  const question = confirm?.(session) ?? null;
  const carried = () => run(session);
  if (question !== null) state.layers.push({ kind: "ask", question, run: carried });
  else void carryOut(inside, carried);
}

function beginAction(inside: Inside, action: RowAction<unknown>, rows: readonly unknown[]): void {
  const { state, session } = inside;
  const [first] = rows;
  const { run, form, go: leads } = action;
  if (leads) go(inside, leads(first));
  if (form) openForm(inside, formFor(inside, rows, form));
  if (!run) return;
  const carried = () => forAll(rows, (row) => run(session.ctx(), row, session));
  const question = questionFor(inside, action, rows);
  if (question !== null) state.layers.push({ kind: "ask", question, run: carried });
  else void carryOut(inside, carried);
}

function questionFor({ state }: Inside, action: RowAction<unknown>, rows: readonly unknown[]): string | null {
  const [first] = rows;
  const question = action.confirm?.(first) ?? null;
  if (question === null || rows.length === 1) return question;
  const names = rows.slice(0, 3).map((row) => nameOfRow(screenOf(state), row));
  const more = rows.length > 3 ? ` and ${rows.length - 3} more` : "";
  return `${capital(action.title(first) ?? "")} ${rows.length} at once: ${names.join(", ")}${more}?`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function edit(inside: Inside): void {
  const screen = screenOf(inside.state);
  const rows = meantRows(inside.state).filter((row) => mayEdit(screen, row));
  if (screen.edit && rows.length > 0) openForm(inside, formFor(inside, rows, screen.edit));
}

/** One form for several rows: its changes apply to each of them. */
function formFor(
  { session, state }: Inside,
  rows: readonly unknown[],
  make: (ctx: Ctx, row: unknown) => Form,
): Form {
  const first = make(session.ctx(), rows[0]);
  if (rows.length === 1) return first;
  return {
    ...first,
    title: `${first.title}, and ${rows.length - 1} more ${screenOf(state).title.toLowerCase()}`,
    submit: (ctx, values) => forAll(rows, (row) => make(ctx, row).submit(ctx, values)),
  };
}

/** Runs the same action for each row; stops at the first that fails. */
async function forAll(rows: readonly unknown[], one: (row: unknown) => Promise<Outcome>): Promise<Outcome> {
  const outcomes: Outcome[] = [];
  for (const row of rows) {
    try {
      outcomes.push(await one(row));
    } catch (error) {
      if (outcomes.length === 0) throw error;
      return joined(outcomes, `${outcomes.length} of ${rows.length} done, then: ${sentenceOf(error)}`);
    }
  }
  const [only] = outcomes;
  return outcomes.length === 1 && only
    ? only
    : joined(outcomes, `${outcomes.length} done: ${only?.message ?? ""} …`);
}

function joined(outcomes: readonly Outcome[], message: string): Outcome {
  const undos = outcomes.flatMap(({ undo }) => (undo ? [undo] : [])).reverse();
  const secret = outcomes.flatMap((one) => one.secret ?? []);
  return {
    message,
    secret: secret.length > 0 ? secret : undefined,
    undo:
      undos.length < outcomes.length
        ? undefined
        : async (ctx) => {
            for (const undo of undos) await undo(ctx);
          },
  };
}

export async function carryOut(inside: Inside, run: () => Promise<Outcome>): Promise<void> {
  const { state } = inside;
  if (state.busy) return;
  state.busy = true;
  try {
    const outcome = await run();
    await readAgain(inside);
    showOutcome(inside, outcome);
    positionOf(state).marks.clear();
  } catch (error) {
    state.notice = { text: sentenceOf(error), tone: "bad" };
  }
  state.busy = false;
  load(inside);
  inside.changed();
}

/** Reads the changed rows, so that they are shown together with the outcome. */
async function readAgain(inside: Inside): Promise<void> {
  load(inside);
  await inside.session.sources.settled();
}

const once = "This is not shown again: only its hash is stored. Copy it now.";

function showOutcome({ state }: Inside, { message, secret, undo, picture, remark }: Outcome): void {
  state.notice = { text: message, tone: "good", undo };
  if (!secret) return;
  state.layers.push({
    kind: "secret",
    title: message,
    facts: secret,
    picture: picture ?? [],
    remark: remark ?? once,
  });
}

export async function save(inside: Inside, form: Filling): Promise<void> {
  form.busy = true;
  try {
    const done = await submitted(inside.session.ctx(), form);
    if (done) {
      await readAgain(inside);
      inside.state.layers = inside.state.layers.filter(
        (layer) => layer.kind !== "form" || layer.filling !== form,
      );
      positionOf(inside.state).marks.clear();
      showOutcome(inside, done);
    }
  } catch (error) {
    form.problem = sentenceOf(error);
  }
  form.busy = false;
  load(inside);
  inside.changed();
}

export function undo(inside: Inside): void {
  const { notice } = inside.state;
  const back = notice?.undo;
  if (!back) return;
  void carryOut(inside, async () => {
    await back(inside.session.ctx());
    return { message: `Undone: ${notice.text}` };
  });
}
