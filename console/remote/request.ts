// One request of a console elsewhere: the session that screens need, for that person, and what the person is offered.
import { z } from "zod";
import { readOwnGrant, readOwnRole } from "@/foundation/permissions/queries.ts";
import { roles } from "@/foundation/permissions/schema.ts";
import type { Ctx, Db } from "@/kernel/core/context.ts";
import { AppError, failInEnglish as fail } from "@/kernel/lib/errors.ts";
import type { Finding } from "@/operations/diagnosis/schema.ts";
import { listSamples, metrics } from "@/operations/metrics/queries.ts";
import { readServerLog } from "@/operations/server-log/queries.ts";
import { logFilter } from "@/operations/server-log/schema.ts";
import type { EventTail, TailedEvent } from "../event-tail.ts";
import { readMetrics } from "../metrics.ts";
import { listPeopleInSlices, listPeopleLater, PeopleNotListed } from "../names.ts";
import type { Need, RowAction, Screen, ScreenAction } from "../screen.ts";
import { screens } from "../screens.ts";
import type { ServerLink, ServerState } from "../server-link.ts";
import { type ConsoleSession, findings } from "../session.ts";
import { loadedOnce, type OnceLoaded } from "../source.ts";
import type { ActionPlace, LookRequest } from "./schema.ts";

/** What only the server's process knows. */
export interface ServingHost {
  /** What the doctor finds from within the server. */
  examine(): Promise<Finding[]>;
  /** The file that came with the request; throws without one. */
  file(): string;
}

/** One request: the person's session, as screens need it. */
export interface Serving {
  ctx: Ctx;
  host: ServingHost;
  session: ConsoleSession;
  sources: OnceLoaded;
}

type SentEvent = TailedEvent | undefined;

/** An event that only the console has, by the number that it has there. */
export function eventIn(request: Exclude<LookRequest, { ask: "screens" }>): SentEvent {
  if (request.ask !== "details" || !request.event) return undefined;
  return { number: Number(request.id), ...request.event };
}

export function openServing(
  origin: Ctx,
  host: ServingHost,
  chosen: Record<string, string>,
  event?: SentEvent,
): Serving {
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
export const siteFor = ({ actor, env }: Ctx) => actor.site ?? env.site;

export const isAdmin = (ctx: Ctx) => readOwnRole(ctx) <= roles.admin;

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
export async function readLoaded<T>({ ctx, sources }: Serving, from: () => T): Promise<T> {
  for (;;) {
    try {
      const found = from();
      const loading = sources.loading();
      if (!loading) return found;
      const isLoaded = await Promise.race([loading.then(() => true), Bun.sleep(loadMs).then(() => false)]);
      if (!isLoaded) return from();
      // The first reading may have taken this turn; now everything is read again.
      await Bun.sleep(0);
    } catch (error) {
      if (!(error instanceof PeopleNotListed)) throw error;
      await listPeopleInSlices(ctx);
    }
  }
}

export function isOffered(ctx: Ctx, need: Need): boolean {
  if (need === "machine") return false;
  if (need === "anyone") return true;
  if (need === "admin") return isAdmin(ctx);
  if (need === "moderator") return readOwnRole(ctx) <= roles.moderator;
  return readOwnGrant(ctx, need);
}

export const needOf = ({ need, form, run }: RowAction<unknown> | ScreenAction): Need =>
  need ?? (form || run ? "admin" : "anyone");

/** Says the same of what does not exist and of what this person is not offered. */
export function refuse(): never {
  fail("BAD_REQUEST", "This server does not offer you this on its screens.");
}

export function screenFor({ ctx }: Serving, title: string): Screen {
  const found = screens.find((one) => one.title === title);
  return found && isOffered(ctx, found.need ?? "anyone") ? found : refuse();
}

export async function rowFor(
  serving: Serving,
  one: Screen,
  { scope, id }: Pick<ActionPlace, "scope"> & { id: number | string },
): Promise<unknown> {
  const { session } = serving;
  const gone = () => fail("BAD_REQUEST", "It is not listed any more.");
  if (one.find) return (await readLoaded(serving, () => one.find?.(session, id))) ?? gone();
  const rows = await readLoaded(serving, () => one.rows(session, scope));
  return rows.find((row) => one.id(row) === id) ?? gone();
}
