// Carrying out what a key means for rows, or for the screen as a whole.
import type { RowAction, ScreenAction, ScreenForm } from "../screen.ts";
import { type FormFilling, filling, type Many, submitForm } from "./form.ts";
import { askForMany, forAll, formForMany, ownText, questionFor, undoAll } from "./many.ts";
import { openPicker } from "./picker.ts";
import { go } from "./places.ts";
import { load, sentenceOf } from "./rows.ts";
import {
  type DoneOutcome,
  type Inside,
  listTargetRows,
  mayEdit,
  nameOfRow,
  positionOf,
  screenActions,
  screenOf,
} from "./state.ts";
import { hold, release, whenHere } from "./waiting.ts";

export function openForm(inside: Inside, form: ScreenForm, many: Many | null = null): void {
  const { state } = inside;
  state.notice = null;
  const filled = filling(form, many);
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
    const rows = listTargetRows(state).filter((row) => action.title(row) !== null);
    if (rows.length > 0) {
      beginAction(inside, action, rows);
      return true;
    }
  }
  return false;
}

function beginScreenAction(inside: Inside, { form, run, confirm }: ScreenAction): void {
  const { session, state } = inside;
  if (form) whenHere(inside, form(session), (made) => openForm(inside, made));
  if (!run) return;
  const question = confirm?.(session) ?? null;
  const perform = () => run(session);
  if (question !== null) state.layers.push({ kind: "ask", question, run: perform });
  else void carryOut(inside, perform);
}

function beginAction(inside: Inside, action: RowAction<unknown>, rows: readonly unknown[]): void {
  const { state, session } = inside;
  const [first] = rows;
  const { run, form, opens, isForOne } = action;
  const title = action.title(first) ?? "";
  if (isForOne && rows.length > 1) {
    state.notice = { text: `This is for one row at a time: ${title}. Esc unmarks.`, tone: "bad" };
    return;
  }
  if (opens !== undefined) {
    const screen = screenOf(state);
    go(inside, { to: opens, scope: { id: screen.id(first), name: nameOfRow(screen, first) } });
  }
  if (form) openFormFor(inside, { rows, make: form, what: title });
  if (!run) return;
  const perform = () => forAll(inside, rows, (row) => run(session.ctx(), row, session));
  const question = questionFor(inside, action, rows);
  if (question !== null) state.layers.push({ kind: "ask", question, run: perform });
  else void carryOut(inside, perform);
}

export function edit(inside: Inside): void {
  const screen = screenOf(inside.state);
  const rows = listTargetRows(inside.state).filter((row) => mayEdit(screen, row));
  if (screen.edit && rows.length > 0) openFormFor(inside, { rows, make: screen.edit, what: "edit" });
}

/** Opens the form of a row, or one form for several rows. */
function openFormFor(inside: Inside, many: Many): void {
  const { session, state } = inside;
  whenHere(inside, many.make(session.ctx(), many.rows[0]), (form) => {
    const isOne = many.rows.length === 1;
    const shared = isOne ? null : formForMany(inside, form, many);
    if (isOne) openForm(inside, form);
    else if (shared) openForm(inside, shared, { ...many, make: forRowOf(form) ?? many.make });
    else state.notice = { text: ownText(form), tone: "bad" };
  });
}

/** A form from elsewhere need not be asked for again for each row. */
function forRowOf({ forRow }: ScreenForm): Many["make"] | undefined {
  return forRow && ((_, row) => forRow(row));
}

/** Carries a change out, and closes the form that it came from. */
export async function carryOut(
  inside: Inside,
  run: () => Promise<DoneOutcome>,
  from?: FormFilling,
): Promise<void> {
  const { state } = inside;
  if (state.busy) return;
  state.busy = true;
  hold(inside);
  try {
    const outcome = await run();
    await readAgain(inside);
    if (from) close(inside, from);
    showOutcome(inside, outcome);
    positionOf(state).marks = new Set(outcome.left?.map(screenOf(state).id));
  } catch (error) {
    if (from) from.problem = sentenceOf(error);
    else state.notice = { text: sentenceOf(error), tone: "bad" };
  }
  state.busy = false;
  load(inside);
  release(inside);
  inside.notify();
}

function close({ state }: Inside, form: FormFilling): void {
  state.layers = state.layers.filter((layer) => layer.kind !== "form" || layer.filling !== form);
}

/** Reads the changed rows, so that they are shown together with the outcome. */
async function readAgain(inside: Inside): Promise<void> {
  load(inside);
  await inside.session.settle();
}

const once = "This is not shown again: only its hash is stored. Copy it now.";

function showOutcome({ state }: Inside, done: DoneOutcome): void {
  const { message, secret, undo: back, picture, remark, tone = "good", undoes = message } = done;
  const undos = done.undos ?? (back ? [back] : undefined);
  state.notice = { text: message, tone, undos, undoes };
  if (!secret) return;
  state.layers.push({
    kind: "secret",
    title: message,
    facts: secret,
    picture: picture ?? [],
    remark: remark ?? once,
  });
}

export async function save(inside: Inside, form: FormFilling): Promise<void> {
  if (form.many) return askForMany(inside, form, form.many);
  form.busy = true;
  hold(inside);
  try {
    const done = await submitForm(inside.session.ctx(), form);
    if (done) {
      await readAgain(inside);
      close(inside, form);
      positionOf(inside.state).marks.clear();
      showOutcome(inside, done);
    }
  } catch (error) {
    form.problem = sentenceOf(error);
  }
  form.busy = false;
  load(inside);
  release(inside);
  inside.notify();
}

export function undo(inside: Inside): void {
  const { notice } = inside.state;
  const { undos, text = "", undoes = text } = notice ?? {};
  if (undos && undos.length > 0) void carryOut(inside, () => undoAll(inside, undos, undoes));
}
