// The server's side of a console elsewhere: reads the same screens as that person, and runs their forms and actions.
import { z } from "zod";
import { getOwnUser } from "@/foundation/accounts/queries.ts";
import { readOwnGrant, readOwnRole } from "@/foundation/permissions/queries.ts";
import { roleNameOf, roles } from "@/foundation/permissions/schema.ts";
import { realmSettings } from "@/foundation/realm/schema.ts";
import { addressOf } from "@/foundation/users/schema.ts";
import type { Ctx, Db } from "@/kernel/core/context.ts";
import { AppError, failInEnglish as fail } from "@/kernel/lib/errors.ts";
import { sentenceOf } from "@/kernel/lib/wording.ts";
import type { Finding } from "@/operations/diagnosis/schema.ts";
import { listSamples, metrics } from "@/operations/metrics/queries.ts";
import { readServerLog } from "@/operations/server-log/queries.ts";
import { logFilter } from "@/operations/server-log/schema.ts";
import { recordChanges } from "../change.ts";
import { makeChange, titleOf } from "../changes.ts";
import { type ChartGrid, mostOf } from "../chart.ts";
import { choicesFor, fieldValue, limitsOf, remarksOf, saveForm, startOf } from "../controller/form.ts";
import type { EventTail, TailedEvent } from "../event-tail.ts";
import { readMetrics } from "../metrics.ts";
import { listPeopleInSlices, listPeopleLater, PeopleNotListed } from "../names.ts";
import type {
  ActionOutcome,
  Column,
  Fact,
  Field,
  HeadPart,
  Need,
  RowAction,
  Screen,
  ScreenAction,
  ScreenForm,
} from "../screen.ts";
import { screens } from "../screens.ts";
import type { ServerLink, ServerState } from "../server-link.ts";
import { type ConsoleSession, findings } from "../session.ts";
import { loadedOnce, type OnceLoaded } from "../source.ts";
import {
  type ActionPlace,
  type ActRequest,
  type Asked,
  actRequest,
  type DetailsAnswer,
  type FormAnswer,
  type LookRequest,
  lookRequest,
  nameSign,
  type OutcomeAnswer,
  type RemoteCell,
  type RemotePage,
  type RowActs,
  type RowsAnswer,
  type ScreenDescription,
  type Welcome,
} from "./schema.ts";

/** What only the server's process knows. */
export interface ServingHost {
  /** What the doctor finds from within the server. */
  examine(): Promise<Finding[]>;
  /** The file that came with the request; throws without one. */
  file(): string;
}

/** Answers what a console elsewhere asks as the actor; `asked` is not checked yet. */
export async function answerLook(ctx: Ctx, asked: unknown, host: ServingHost): Promise<unknown> {
  const request = checked(lookRequest, asked);
  if (request.ask === "screens") return welcomeFor(ctx, host);
  const serving = open(ctx, host, request.chosen, eventIn(request));
  if (request.ask === "rows") return readRows(serving, request);
  if (request.ask === "details") return readDetails(serving, request);
  if (request.ask === "form") return describeForm(await makeForm(serving, request));
  if (request.ask === "picks") return { picks: await listPicks(serving, request) };
  return remark(serving, request);
}

/** Changes something as the actor. */
export async function answerAct(ctx: Ctx, asked: unknown, host: ServingHost): Promise<unknown> {
  const request = checked(actRequest, asked);
  if (request.act === "undo") return undo(ctx, request.changes);
  const serving = open(ctx, host, request.chosen);
  const outcome =
    request.act === "submit" ? await submit(serving, request) : await runAction(serving, request);
  return describeOutcome(serving, request.chosen, outcome);
}

function checked<S extends z.ZodType>(rule: S, asked: unknown): z.output<S> {
  const read = rule.safeParse(asked);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  return fail("BAD_REQUEST", sentenceOf(issue?.path.join(".") || "The request", issue));
}

/** One request: the person's session, as screens need it. */
interface Serving {
  ctx: Ctx;
  host: ServingHost;
  session: ConsoleSession;
  sources: OnceLoaded;
}

type SentEvent = TailedEvent | undefined;

/** An event that only the console has, by the number that it has there. */
function eventIn(request: Exclude<LookRequest, { ask: "screens" }>): SentEvent {
  if (request.ask !== "details" || !request.event) return undefined;
  return { number: Number(request.id), ...request.event };
}

function open(origin: Ctx, host: ServingHost, chosen: Record<string, string>, event?: SentEvent): Serving {
  const ctx: Ctx = { ...origin };
  listPeopleLater(ctx);
  const sources = loadedOnce({
    refreshed(name) {
      if (name === findings) looks.delete(ctx.db);
    },
    madeAt: (name) => (name === findings ? (looks.get(ctx.db)?.at ?? null) : null),
  });
  const session: ConsoleSession = {
    ctx: () => ctx,
    who: "",
    site: siteFor(ctx),
    status: { text: "", tone: "plain" },
    chosen: new Map(Object.entries(chosen)),
    server: ownServer(ctx),
    events: sentEvents(event),
    sources,
    host: { dataDir: "", examine: () => lookedAt(ctx, host) },
    work: null,
    begin: () => fail("BAD_REQUEST", "This works only at the server's machine."),
    offers: (title) => screens.some((one) => one.title === title && isOffered(ctx, one.need ?? "anyone")),
    settle: async () => {},
    leave: () => {},
    watch: () => {},
    close: async () => {},
  };
  return { ctx, host, session, sources };
}

const looks = new WeakMap<Db, { at: number; findings: Promise<Finding[]> }>();
const lookEverySeconds = 300;

/** The doctor's findings, which take seconds to find: a few minutes old at the most. */
function lookedAt(ctx: Ctx, host: ServingHost): Promise<Finding[]> {
  // Which refuses everybody else.
  if (!isAdmin(ctx)) return host.examine();
  const kept = looks.get(ctx.db);
  if (kept && ctx.now - kept.at <= lookEverySeconds) return kept.findings;
  const found = { at: ctx.now, findings: host.examine() };
  looks.set(ctx.db, found);
  found.findings.catch(() => looks.delete(ctx.db));
  return found.findings;
}

/** The URL at which the person reaches the server. */
const siteFor = ({ actor, env }: Ctx) => actor.site ?? env.site;

const isAdmin = (ctx: Ctx) => readOwnRole(ctx) <= roles.admin;

/** The server itself, as the actor may see it. */
function ownServer(ctx: Ctx): ServerLink {
  return {
    get state() {
      return stateFor(ctx);
    },
    async request(path) {
      const { pathname, searchParams } = new URL(path, "http://localhost");
      if (pathname === "/metrics/history") return Response.json(listSamples(ctx));
      if (pathname !== "/metrics/log") return null;
      const asked = Object.fromEntries(searchParams);
      const numbers = Object.fromEntries(
        Object.entries(asked).map(([name, text]) => [name, /^\d+$/.test(text) ? Number(text) : text]),
      );
      const page = readServerLog(ctx, z.object(logFilter).parse(numbers));
      // Those of the console that asks.
      const isOwn = (fields: Record<string, unknown>) =>
        fields.operation === "run-command" && fields.user_id === ctx.actor.id;
      return Response.json({ ...page, lines: page.lines.filter(({ fields }) => !isOwn(fields)) });
    },
    watch: () => {},
    close: async () => {},
  };
}

function stateFor(ctx: Ctx): ServerState {
  try {
    return { kind: "running", metrics: readMetrics(metrics(ctx)), before: null };
  } catch (error) {
    if (error instanceof AppError) return { kind: "refused", reason: error.message };
    throw error;
  }
}

/** The console's own event queue gets events; of one of them it asks what it names. */
function sentEvents(event: SentEvent): EventTail {
  return {
    events: event ? [event] : [],
    newest: [],
    isStopped: false,
    waiting: 0,
    state: "",
    start: () => {},
    watch: () => {},
    close: async () => {},
  };
}

/** How long an answer waits for what must be loaded; without it, the screen says that it is being loaded. */
const loadMs = 1_000;

/** Reads something of a screen once all that it needs is there. */
async function read<T>({ ctx, sources }: Serving, from: () => T): Promise<T> {
  for (;;) {
    try {
      const found = from();
      const loading = sources.loading();
      if (!loading) return found;
      const isLoaded = await Promise.race([loading.then(() => true), Bun.sleep(loadMs).then(() => false)]);
      if (!isLoaded) return from();
    } catch (error) {
      if (!(error instanceof PeopleNotListed)) throw error;
      await listPeopleInSlices(ctx);
    }
  }
}

function isOffered(ctx: Ctx, need: Need): boolean {
  if (need === "machine") return false;
  if (need === "anyone") return true;
  if (need === "admin") return isAdmin(ctx);
  if (need === "moderator") return readOwnRole(ctx) <= roles.moderator;
  return readOwnGrant(ctx, need);
}

const needOf = ({ need, form, run }: RowAction<unknown> | ScreenAction): Need =>
  need ?? (form || run ? "admin" : "anyone");

/** Says the same of what does not exist and of what this person is not offered. */
function refuse(): never {
  fail("BAD_REQUEST", "This server does not offer you this on its screens.");
}

function screenFor({ ctx }: Serving, title: string): Screen {
  const found = screens.find((one) => one.title === title);
  return found && isOffered(ctx, found.need ?? "anyone") ? found : refuse();
}

async function welcomeFor(ctx: Ctx, host: ServingHost): Promise<Welcome> {
  const offered: Screen[] = [];
  for (const one of screens) if (await isReadable(open(ctx, host, {}), one)) offered.push(one);
  const own = await getOwnUser(ctx);
  const role = readOwnRole(ctx);
  const isAll = isAdmin(ctx);
  return {
    organization: realmSettings.read(ctx).name,
    who: addressOf(own),
    site: siteFor(ctx),
    remark: isAll
      ? null
      : `You are ${role === roles.moderator || role === roles.member ? "a" : "in the role"} ${roleNameOf(role)} there: these screens show what you may see. Administrators see more.`,
    screens: offered.map((one) => describeScreen(ctx, one)),
  };
}

/** Whether the person may read its rows; administrators may read all. */
async function isReadable(serving: Serving, { need = "anyone", rows }: Screen): Promise<boolean> {
  const { ctx, session } = serving;
  if (!isOffered(ctx, need)) return false;
  if (isAdmin(ctx)) return true;
  try {
    await read(serving, () => rows(session, null));
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

const usualSeconds = 15;

function describeScreen(ctx: Ctx, one: Screen): ScreenDescription {
  const { key, title, area, about, noun, empty, listShare, follows, everySeconds = usualSeconds } = one;
  const { create, edit, editNeed = "admin", rowActions = [], actions = [] } = one;
  const offered = <A extends RowAction<unknown> | ScreenAction>(all: readonly A[]) =>
    [...all.entries()].filter(([, action]) => isOffered(ctx, needOf(action)));
  return {
    key,
    title,
    area,
    about,
    noun,
    empty,
    listShare,
    follows,
    everySeconds,
    columns: one.columns.map(({ title: name, grow, spare, whole, right, most, flows }) => ({
      title: name,
      grow,
      spare,
      whole,
      right,
      most,
      flows,
    })),
    has: {
      head: one.head !== undefined,
      facts: one.facts !== undefined,
      copies: one.copies !== undefined,
      page: one.page !== undefined,
      leads: one.leads !== undefined,
      edit: edit !== undefined && isOffered(ctx, editNeed),
    },
    create: create && isOffered(ctx, create.need ?? "admin") ? create.title : null,
    rowActions: offered(rowActions).map(([at, action]) => ({
      at,
      key: action.key,
      kind: action.opens === undefined ? kindOf(action) : { opens: action.opens },
      isForOne: action.isForOne ?? false,
    })),
    actions: offered(actions).map(([at, action]) => ({
      at,
      key: action.key,
      title: action.title,
      kind: kindOf(action),
      confirm: null,
      isFor: [action.isFor?.(null) ?? true, action.isFor?.({ id: 0, name: "" }) ?? true],
    })),
  };
}

const kindOf = ({ form }: Pick<RowAction<unknown> | ScreenAction, "form">) => (form ? "form" : "run");

const firstRows = 200;
const pageRows = 2_000;
/** Rows in one answer, or a few more. */
const answerRows = 6_000;

async function readRows(serving: Serving, asked: Asked<"rows">): Promise<RowsAnswer> {
  const { ctx, session } = serving;
  const one = screenFor(serving, asked.screen);
  const { scope, known, from: firstPage, width, height } = asked;
  const all = await read(serving, () => one.rows(session, scope));
  const head = await read(serving, () => headOf(one, session, { width, height, scope }));
  const count = all.length <= firstRows ? 1 : 1 + Math.ceil((all.length - firstRows) / pageRows);
  const acts = (one.rowActions ?? []).filter((action) => isOffered(ctx, needOf(action)));
  const pages: RemotePage[] = [];
  const most = known.length === 0 ? 1 : answerRows;
  let sent = 0;
  let at = firstPage;
  for (; at < count && sent < most; at++) {
    const from = at === 0 ? 0 : firstRows + (at - 1) * pageRows;
    const rows = all.slice(from, from + (at === 0 ? firstRows : pageRows));
    const page = await pageOf(one, acts, rows);
    const digest = Bun.hash(JSON.stringify(page)).toString(36);
    if (known[at] === digest) continue;
    pages.push({ at, digest, ...page });
    sent += rows.length;
  }
  const isStopped = one.isStopped?.(session) ?? false;
  return { total: all.length, count, pages, hasMore: at < count, next: at, head, isStopped };
}

function headOf(
  { head }: Screen,
  session: ConsoleSession,
  size: { width: number; height: number; scope: Asked<"rows">["scope"] },
): RowsAnswer["head"] {
  try {
    return (head?.(session, size) ?? []).map(describeHead);
  } catch (error) {
    if (error instanceof AppError) return [[{ text: error.message, tone: "bad" }]];
    throw error;
  }
}

function describeHead(part: HeadPart): RowsAnswer["head"][number] {
  return "charts" in part ? describeCharts(part) : [...part];
}

const describeCharts = ({ charts, ...grid }: ChartGrid) => ({
  ...grid,
  charts: charts.map((chart) => ({
    title: chart.title,
    now: chart.now,
    least: chart.least,
    scale: chart.words(mostOf(chart)),
    curves: chart.curves.map(({ values, tone }) => ({ tone, values: [...values] })),
  })),
});

/** Other requests go on after so much work. */
const sliceMs = 2;

async function pageOf(
  one: Screen,
  actions: readonly RowAction<unknown>[],
  rows: readonly unknown[],
): Promise<Pick<RemotePage, "acts" | "rows">> {
  let began = performance.now();
  const acts = new Map<string, { at: number; texts: RowActs }>();
  const described: RemotePage["rows"] = [];
  for (const row of rows) {
    const cells = one.columns.map((column) => describeCell(column, row));
    const first = one.columns[0]?.value(row) ?? "";
    const name = one.name?.(row) ?? first;
    const texts = actions.map(({ title, confirm }): RowActs[number] => {
      const offered = title(row);
      return offered === null
        ? [null, null]
        : [withoutName(offered, name), withoutName(confirm?.(row) ?? null, name)];
    });
    const key = JSON.stringify(texts);
    const known = acts.get(key) ?? { at: acts.size, texts };
    acts.set(key, known);
    described.push({
      id: one.id(row),
      ...(name === first ? {} : { name }),
      cells,
      acts: known.at,
      ...present({ copies: one.copies?.(row), page: one.page?.(row) }),
      ...present({ leads: one.leads?.(row) }),
      ...(one.mayEdit?.(row) === false ? { isFixed: true as const } : {}),
    });
    if (performance.now() - began > sliceMs) {
      await new Promise<void>((resolve) => void setImmediate(resolve));
      began = performance.now();
    }
  }
  return { acts: [...acts.values()].map(({ texts }) => texts), rows: described };
}

/** Those that are something. */
function present<T>(given: Record<string, T | null | undefined>): Record<string, T> {
  const found = Object.entries(given).flatMap(([name, value]) =>
    value == null ? [] : [[name, value] as const],
  );
  return Object.fromEntries(found);
}

/** The text with a sign for the name, unless it has the sign already. */
function withoutName<T extends string | null>(text: T, name: string): T | string {
  if (text === null || name === "" || text.includes(nameSign)) return text;
  return text.replaceAll(name, nameSign);
}

function describeCell({ value, tone, brief, order }: Column<unknown>, row: unknown): RemoteCell {
  const text = value(row);
  const shown = tone?.(row) ?? "plain";
  const short = brief?.(row) ?? null;
  const rank = order?.(row) ?? null;
  return shown === "plain" && short === null && rank === null ? text : [text, shown, short, rank];
}

async function rowFor(
  serving: Serving,
  one: Screen,
  { scope, id }: Pick<ActionPlace, "scope"> & { id: number | string },
): Promise<unknown> {
  const { session } = serving;
  const gone = () => fail("BAD_REQUEST", "It is not listed any more.");
  if (one.find) return (await read(serving, () => one.find?.(session, id))) ?? gone();
  const rows = await read(serving, () => one.rows(session, scope));
  return rows.find((row) => one.id(row) === id) ?? gone();
}

async function readDetails(
  serving: Serving,
  { screen, scope, id }: Asked<"details">,
): Promise<DetailsAnswer> {
  const { session } = serving;
  const one = screenFor(serving, screen);
  const row = await rowFor(serving, one, { scope, id });
  return read(serving, () => ({
    facts: (one.facts?.(session, row) ?? []).map(
      ([label, value, to = null]: Fact): DetailsAnswer["facts"][number] => [
        label,
        value,
        to && { ...to, chosen: to.chosen && { ...to.chosen } },
      ],
    ),
    text: one.text?.(session, row) ?? "",
    picture: (one.picture?.(session, row) ?? []).map((one) => [...one]),
  }));
}

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

async function makeForm(serving: Serving, place: ActionPlace): Promise<ScreenForm> {
  const { ctx, session } = serving;
  const { of, id, scope } = place;
  const one = screenFor(serving, place.screen);
  if (of === "create") {
    const { create } = one;
    if (!create || !isOffered(ctx, create.need ?? "admin")) return refuse();
    return read(serving, () => create.form(ctx, scope));
  }
  if (of === "edit") {
    const { edit } = one;
    if (!edit || id === null || !isOffered(ctx, one.editNeed ?? "admin")) return refuse();
    const row = await rowFor(serving, one, { scope, id });
    if (one.mayEdit?.(row) === false) return fail("BAD_REQUEST", "It cannot be edited.");
    return read(serving, () => edit(ctx, row));
  }
  const { onRow, onScreen, row } = await actionAt(serving, place);
  const made = await read(serving, () => onRow?.form?.(ctx, row) ?? onScreen?.form?.(session));
  return made ?? refuse();
}

async function describeForm({ title, changes, picksFirst = false, fields }: ScreenForm): Promise<FormAnswer> {
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

async function listPicks(serving: Serving, { field, ...place }: Asked<"picks">) {
  const form = await makeForm(serving, place);
  const picks = form.fields[field]?.picks ?? refuse();
  return read(serving, () => picks(serving.ctx));
}

async function remark(serving: Serving, { texts, current, checked: names, ...place }: Asked<"remarks">) {
  const form = await makeForm(serving, place);
  return read(serving, () => remarksOf(serving.ctx, form, { texts, current, checked: names }));
}

async function submit(
  serving: Serving,
  { texts, ...place }: Extract<ActRequest, { act: "submit" }>,
): Promise<ActionOutcome> {
  const { ctx, host } = serving;
  const form = await makeForm(serving, place);
  const names = Object.keys(texts);
  if (!form.changes && Object.keys(form.fields).some((name) => !names.includes(name)))
    fail("BAD_REQUEST", "The form has fields that your console does not send: it is of another version.");
  const values = await read(serving, () =>
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

async function runAction(serving: Serving, place: ActionPlace): Promise<ActionOutcome> {
  const { ctx, session } = serving;
  const { onRow, onScreen, row } = await actionAt(serving, place);
  if (onRow?.run) return onRow.run(ctx, row, session);
  return onScreen?.run ? onScreen.run(session) : refuse();
}

async function describeOutcome(
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

async function undo(
  ctx: Ctx,
  changes: Extract<ActRequest, { act: "undo" }>["changes"],
): Promise<Record<string, never>> {
  const picture = () => fail("BAD_REQUEST", "A picture cannot be undone.");
  for (const { change, input } of changes) await makeChange(ctx, { title: change, given: input, picture });
  return {};
}
