// The screens of a server elsewhere, made of what it says of them. Their rows are data; their forms and actions run there.
import { statSync } from "node:fs";
import { basename } from "node:path";
import { z } from "zod";
import { AppError, englishOnly, failInEnglish as fail } from "@/kernel/lib/errors.ts";
import { maxSentMib } from "@/operations/command-line/schema.ts";
import type { TailedEvent } from "../event-tail.ts";
import { seeAlso } from "../jumps.ts";
import type {
  ActionOutcome,
  Column,
  Field,
  FormRemarks,
  HeadPart,
  Jump,
  RemarksRequest,
  RowAction,
  Screen,
  ScreenAction,
  ScreenForm,
  ScreenScope,
} from "../screen.ts";
import { events as eventScreen } from "../screens/events.ts";
import {
  type ActionPlace,
  type FormAnswer,
  formAnswer,
  nameSign,
  type OutcomeAnswer,
  outcomeAnswer,
  picksAnswer,
  type RemarksAnswer,
  type RemoteHeadPart,
  type RemoteUndo,
  remarksAnswer,
  type ScreenDescription,
} from "./schema.ts";
import { checkReadable, type RemoteListRow, type RemoteSession } from "./session.ts";

type Row = RemoteListRow;

/** Everything about one screen that its parts need. */
interface Made {
  session: RemoteSession;
  described: ScreenDescription;
  /** What the screen is limited to now: rows do not know it. */
  scope: ScreenScope | null;
  /** The titles of all screens that are offered. */
  titles: ReadonlySet<string>;
}

/** The screens that the person is offered. */
export function remoteScreens(session: RemoteSession, all: readonly ScreenDescription[]): Screen[] {
  const titles = new Set(all.map(({ title }) => title));
  return all.map((described) => {
    const made: Made = { session, described, scope: null, titles };
    return (described.title === eventScreen.title ? eventsFor(made) : screenFor(made)) as unknown as Screen;
  });
}

const nameOf = ({ name, cells }: Row) => name ?? textOf(cells[0]);
const textOf = (cell: Row["cells"][number] | undefined) =>
  cell === undefined ? "" : typeof cell === "string" ? cell : cell[0];

function screenFor(made: Made): Screen<Row> {
  const { session, described } = made;
  const { title, has, create, everySeconds } = described;
  const listed = (scope: ScreenScope | null) => {
    made.scope = scope;
    return session.list(title, scope, everySeconds);
  };
  return {
    ...commonOf(described),
    rows(_, scope) {
      const list = listed(scope);
      checkReadable(list);
      return list.rows;
    },
    progress: (_, scope) => listed(scope),
    id: ({ id }) => id,
    name: nameOf,
    columns: described.columns.map(columnAt),
    ...(has.head
      ? {
          head: (
            _: unknown,
            { width, height, scope }: { width: number; height: number; scope: ScreenScope | null },
          ) => {
            session.fit({ width, height });
            return listed(scope).head.map(headPart);
          },
        }
      : {}),
    ...(has.facts ? detailsOf(made) : {}),
    ...(has.copies ? { copies: ({ copies }: Row) => copies ?? null } : {}),
    ...(has.page ? { page: ({ page }: Row) => page ?? null } : {}),
    ...(has.leads ? { leads: ({ leads }: Row) => reachable(made, leads ?? null) } : {}),
    ...(create === null
      ? {}
      : {
          create: {
            title: create,
            form: (_: unknown, scope: ScreenScope | null) =>
              askForm(made, { ...placeOf(made), scope, of: "create" }),
          },
        }),
    ...(has.edit
      ? { edit: (_: unknown, row: Row) => askForm(made, { ...placeOf(made, row), of: "edit" }) }
      : {}),
    mayEdit: ({ isFixed }) => isFixed !== true,
    rowActions: described.rowActions
      .map((one, i) => rowAction(made, one, i))
      .filter(({ opens }) => opens === undefined || made.titles.has(opens)),
    actions: described.actions.map((one) => screenAction(made, one)),
  };
}

function commonOf({ key, title, area, about, noun, empty, listShare, follows }: ScreenDescription) {
  return { key, title, area, about, noun, empty, listShare, follows };
}

/** The events that the console's own queue gets. The server says what they name. */
function eventsFor(made: Made): Screen<TailedEvent> {
  const { session, described } = made;
  const local = eventScreen as unknown as Screen<TailedEvent, RemoteSession>;
  const found = ({ number, at, type, event }: TailedEvent) =>
    session.details({
      screen: described.title,
      scope: null,
      id: number,
      event: { at, type, event },
    });
  return {
    ...(local as Screen<TailedEvent>),
    facts: (_, row) => factsOf(made, found(row)),
  };
}

function columnAt(described: ScreenDescription["columns"][number], at: number): Column<Row> {
  const whole = (row: Row) => {
    const cell = row.cells[at];
    return cell === undefined || typeof cell === "string" ? null : cell;
  };
  return {
    ...described,
    value: ({ cells }) => textOf(cells[at]),
    tone: (row) => whole(row)?.[1] ?? "plain",
    brief: (row) => whole(row)?.[2] ?? textOf(row.cells[at]),
    order: (row) => whole(row)?.[3] ?? textOf(row.cells[at]),
  };
}

function headPart(part: RemoteHeadPart): HeadPart {
  if (Array.isArray(part)) return part;
  return { ...part, charts: part.charts.map(({ scale, ...chart }) => ({ ...chart, words: () => scale })) };
}

const reading: FormlessFact[] = [["", "Reading …"]];
type FormlessFact = [label: string, value: string];

function factsOf(made: Made, found: ReturnType<RemoteSession["details"]>) {
  if (!found) return reading;
  return found.facts
    .map(([label, value, to]) => [label, value, reachable(made, to)] as const)
    .filter(([label, , to]) => label !== seeAlso || to !== null);
}

function detailsOf(made: Made): Pick<Screen<Row>, "facts" | "text" | "picture"> {
  const { session, described } = made;
  const found = ({ id }: Row) => session.details({ screen: described.title, scope: made.scope, id });
  return {
    facts: (_, row) => factsOf(made, found(row)),
    text: (_, row) => found(row)?.text ?? "",
    picture: (_, row) => found(row)?.picture ?? [],
  };
}

/** A place among the screens that are offered. */
function reachable({ titles }: Made, to: Jump | null): Jump | null {
  return to && titles.has(to.to) ? to : null;
}

const nowhere = { of: "create" as ActionPlace["of"] };

function placeOf({ session, described, scope }: Made, row: Row | null = null): ActionPlace {
  const chosen = Object.fromEntries(
    [...session.chosen].filter(([key]) => !key.startsWith("hidden columns ")),
  );
  return { chosen, screen: described.title, scope, id: row?.id ?? null, ...nowhere };
}

function rowAction(
  made: Made,
  { at, key, kind, isForOne }: ScreenDescription["rowActions"][number],
  i: number,
): RowAction<Row> {
  const words = (row: Row, which: 0 | 1) =>
    row.page_acts[row.acts]?.[i]?.[which]?.replaceAll(nameSign, () => nameOf(row)) ?? null;
  const placeFor = (row: Row): ActionPlace => ({ ...placeOf(made, row), of: { row: at } });
  const common = { key, isForOne, title: (row: Row) => words(row, 0), confirm: (row: Row) => words(row, 1) };
  if (kind === "form") return { ...common, form: (_, row) => askForm(made, placeFor(row)) };
  if (kind === "run") return { ...common, run: (_, row) => run(made, placeFor(row)) };
  return { ...common, opens: kind.opens };
}

function screenAction(
  made: Made,
  { at, key, title, kind, confirm, isFor }: ScreenDescription["actions"][number],
): ScreenAction {
  const here = (): ActionPlace => ({ ...placeOf(made), of: { screen: at } });
  const common = {
    key,
    title,
    confirm: () => confirm,
    isFor: (scope: ScreenScope | null) => isFor[scope === null ? 0 : 1],
  };
  return kind === "form"
    ? { ...common, form: () => askForm(made, here()) }
    : { ...common, run: () => run(made, here()) };
}

async function run(made: Made, place: ActionPlace): Promise<ActionOutcome> {
  const { session } = made;
  return outcomeOf(session, await session.connection.act({ act: "run", ...place }, outcomeAnswer));
}

function outcomeOf(session: RemoteSession, answer: OutcomeAnswer): ActionOutcome {
  const { message, secret, picture, remark, undo, chosen } = answer;
  session.choose(chosen);
  return {
    message,
    secret: secret ?? undefined,
    picture,
    remark: remark ?? undefined,
    undo: undo ? () => carryBack(session, undo) : undefined,
  };
}

async function carryBack(session: RemoteSession, { changes, chosen, refusal }: RemoteUndo): Promise<void> {
  if (refusal !== null) throw new AppError("BAD_REQUEST", englishOnly(refusal));
  if (changes.length > 0) await session.connection.act({ act: "undo", changes }, z.object({}));
  session.choose(chosen);
}

async function askForm(made: Made, place: ActionPlace): Promise<ScreenForm> {
  const answer = await made.session.connection.look({ ask: "form", ...place }, formAnswer);
  return formAt(made, place, answer);
}

function formAt(made: Made, place: ActionPlace, answer: FormAnswer): ScreenForm {
  const { connection } = made.session;
  const { title, changes, picksFirst, fields } = answer;
  const remarks = remarksFor(made.session, place, answer);
  return {
    title,
    changes,
    picksFirst,
    fields: Object.fromEntries(fields.map(([name, one]) => [name, fieldAt(made, place, name, one)])),
    remarks,
    async submit(_, values) {
      const sent = textsToSend(answer, values);
      const done = await connection.act(
        { act: "submit", ...place, texts: sent.texts },
        outcomeAnswer,
        sent.file,
      );
      return outcomeOf(made.session, done);
    },
    forRow: (row) => formAt(made, { ...place, id: (row as Row).id }, answer),
    async check(texts) {
      const checked = Object.keys(texts);
      const asked = { ask: "remarks" as const, ...place, texts: { ...texts }, current: "", checked };
      const { problems } = await connection.look(asked, remarksAnswer);
      const [first] = Object.values(problems);
      if (first !== undefined) fail("BAD_REQUEST", first);
    },
  };
}

const anyText = z.string();

function fieldAt(
  { session }: Made,
  place: ActionPlace,
  name: string,
  { choices, usual, hasPicks, ...described }: FormAnswer["fields"][number][1],
): Field {
  return {
    ...described,
    // The server checks the text.
    rule: anyText,
    open: choices === null,
    ...(choices === null ? {} : { choices }),
    ...(usual === null ? {} : { usual }),
    ...(hasPicks
      ? {
          picks: async () =>
            (await session.connection.look({ ask: "picks", ...place, field: name }, picksAnswer)).picks,
        }
      : {}),
  };
}

/** The texts of the fields, and the file that one of them names. */
function textsToSend({ fields }: FormAnswer, values: Record<string, unknown>) {
  const texts = Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : [])),
  );
  const named = fields.find(([name, { isFile }]) => isFile && texts[name] !== undefined)?.[0];
  if (named === undefined) return { texts, file: undefined };
  const path = (texts[named] ?? "").trim();
  const found = path === "" ? undefined : statSync(path, { throwIfNoEntry: false });
  if (!found?.isFile()) return fail("BAD_REQUEST", `There is no file ${path} on this machine.`);
  if (found.size > maxSentMib * 1_048_576)
    return fail("BAD_REQUEST", `${path} is larger than the maximum of ${maxSentMib} MiB.`);
  return { texts: { ...texts, [named]: basename(path) }, file: { path } };
}

const typingMs = 150;
const nothingSaid: RemarksAnswer = { problems: {}, means: "", hints: [], differs: {}, preview: [] };

/** What the server says of the texts, which it is asked about once nobody has typed for a moment. Secrets are not sent for that. */
function remarksFor(session: RemoteSession, place: ActionPlace, { fields }: FormAnswer) {
  const secrets = new Set(fields.filter(([, { secret, isFile }]) => secret || isFile).map(([name]) => name));
  let known = { key: "", said: nothingSaid };
  let wanted = "";
  return ({ texts, current, checked }: RemarksRequest): FormRemarks => {
    const sent = Object.fromEntries(Object.entries(texts).filter(([name]) => !secrets.has(name)));
    const key = JSON.stringify([sent, current, checked]);
    if (key !== wanted) {
      wanted = key;
      void ask(key, { ask: "remarks", ...place, texts: sent, current, checked: [...checked] });
    }
    return known.key === key ? known.said : { ...known.said, means: "", hints: [] };
  };

  async function ask(key: string, asked: Parameters<RemoteSession["connection"]["look"]>[0]): Promise<void> {
    await Bun.sleep(typingMs);
    if (wanted !== key) return;
    try {
      const said = await session.connection.look(asked, remarksAnswer);
      if (wanted !== key) return;
      known = { key, said };
    } catch {
      // Saving says what is wrong; the first line of the screen says that the server is away.
      return;
    }
    session.notify();
  }
}
