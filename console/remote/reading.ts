// Reads what a console elsewhere shows: descriptions of the screens, their rows and details.
import { getOwnUser } from "@/foundation/accounts/queries.ts";
import { readOwnRole } from "@/foundation/permissions/queries.ts";
import { roleNameOf, roles } from "@/foundation/permissions/schema.ts";
import { realmSettings } from "@/foundation/realm/schema.ts";
import { addressOf } from "@/foundation/users/schema.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { AppError } from "@/kernel/lib/errors.ts";
import { type ChartGrid, mostOf } from "../chart.ts";
import type { Column, Fact, HeadPart, RowAction, Screen, ScreenAction } from "../screen.ts";
import { screens } from "../screens.ts";
import type { ConsoleSession } from "../session.ts";
import {
  isAdmin,
  isOffered,
  needOf,
  openServing,
  readLoaded,
  rowFor,
  type Serving,
  type ServingHost,
  screenFor,
  siteFor,
} from "./request.ts";
import {
  type Asked,
  type DetailsAnswer,
  nameSign,
  type RemoteCell,
  type RemotePage,
  type RowActs,
  type RowsAnswer,
  type ScreenDescription,
  type Welcome,
} from "./schema.ts";

export async function welcomeFor(ctx: Ctx, host: ServingHost): Promise<Welcome> {
  const offered: Screen[] = [];
  for (const one of screens) if (await isReadable(openServing(ctx, host, {}), one)) offered.push(one);
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
    await readLoaded(serving, () => rows(session, null));
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

export async function readRows(serving: Serving, asked: Asked<"rows">): Promise<RowsAnswer> {
  const { ctx, session } = serving;
  const one = screenFor(serving, asked.screen);
  const { scope, known, from: firstPage, width, height } = asked;
  const all = await readLoaded(serving, () => one.rows(session, scope));
  const head = await readLoaded(serving, () => headOf(one, session, { width, height, scope }));
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

export async function readDetails(
  serving: Serving,
  { screen, scope, id }: Asked<"details">,
): Promise<DetailsAnswer> {
  const { session } = serving;
  const one = screenFor(serving, screen);
  const row = await rowFor(serving, one, { scope, id });
  return readLoaded(serving, () => ({
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
