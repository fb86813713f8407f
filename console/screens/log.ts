import { z } from "zod";
import { getUserByEmail, listUsers } from "@/foundation/accounts/queries.ts";
import { addressOf } from "@/foundation/users/schema.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { type LogLine, type LogPage, logLevels } from "@/operations/server-log/schema.ts";
import { toAccount } from "../jumps.ts";
import { line, type Segment, type Tone } from "../layout.ts";
import { addresses, userNames } from "../names.ts";
import { type ActionOutcome, form, type ScreenForm, screen } from "../screen.ts";
import type { ConsoleSession } from "../session.ts";
import type { PolledSource } from "../source.ts";

const lookEveryMs = 1000;
const maxLines = 1000;

type Level = LogLine["level"];

interface Filter {
  level: Level;
  /** Empty for all. */
  operation: string;
  /** Null for all. */
  user_id: number | null;
}

interface Row extends LogLine {
  operation: string;
  /** Name of the person, or the address that was refused. */
  person: string;
}

/** What the console itself asks for every few seconds. */
const own = new Set(["get-metrics", "get-metrics-history", "get-server-log"]);

const stopKey = "log stopped";
const isStopped = ({ chosen }: ConsoleSession) => chosen.has(stopKey);

const tones: Readonly<Record<Level, Tone>> = { info: "dim", warn: "warn", error: "bad" };

/** The names under which the session keeps what is shown. */
const keys = { level: "log level", operation: "log operation", user_id: "log person" } as const;

function filterOf({ chosen }: ConsoleSession): Filter {
  const user = chosen.get(keys.user_id) ?? "";
  return {
    level: logLevels.find((one) => one === chosen.get(keys.level)) ?? "info",
    operation: chosen.get(keys.operation) ?? "",
    user_id: user === "" ? null : Number(user),
  };
}

function choose({ chosen }: ConsoleSession, { level, operation, user_id }: Partial<Filter>): void {
  if (level !== undefined) chosen.set(keys.level, level);
  if (operation !== undefined) chosen.set(keys.operation, operation);
  if (user_id !== undefined) chosen.set(keys.user_id, user_id === null ? "" : String(user_id));
}

interface Shown {
  /** Newest first. */
  readonly lines: readonly LogLine[];
  /** The last that the server was asked for. */
  lastId: number;
}

/** The newest lines; null where no server runs. Asks only for those that are new. */
function linesOf(session: ConsoleSession): PolledSource<Shown | null> {
  const { sources, server } = session;
  const { level, operation, user_id } = filterOf(session);
  const query = new URLSearchParams({
    level,
    limit: String(maxLines),
    ...(operation === "" ? {} : { operation }),
    ...(user_id === null ? {} : { user_id: String(user_id) }),
  });
  return sources.get<Shown | null>(`log ${query}`, lookEveryMs, async (before: Shown | null) => {
    // What comes meanwhile is asked for when it goes on.
    if (before && isStopped(session)) return before;
    const answer = await server.request(`/metrics/log?${query}${before ? `&after=${before.lastId}` : ""}`);
    if (!answer) return null;
    const page = (await answer.json()) as Partial<LogPage> & { msg?: string };
    if (!page.lines || page.last_id === undefined)
      throw new Error(page.msg ?? "The server does not show its log.");
    const found = page.lines.filter(({ fields }) => !own.has(String(fields.operation))).reverse();
    if (before && found.length === 0) {
      before.lastId = page.last_id;
      return before;
    }
    return { lines: [...found, ...(before?.lines ?? [])].slice(0, maxLines), lastId: page.last_id };
  });
}

function rows(session: ConsoleSession): Row[] {
  const nameOf = userNames(session.ctx());
  return (linesOf(session).value?.lines ?? []).map((one) => {
    const { operation = "", account = "" } = one.fields;
    const person = nameOf(personOf(one)) || String(account ?? "");
    return { ...one, operation: String(operation ?? ""), person };
  });
}

const personOf = ({ fields: { user_id } }: LogLine) => (typeof user_id === "number" ? user_id : null);

function textOf({ fields }: LogLine): string {
  return Object.entries(fields)
    .filter(([name]) => name !== "operation" && name !== "user_id")
    .map(([name, value]) => `${name}=${value}`)
    .join(" ");
}

function filterForm(session: ConsoleSession): ScreenForm {
  const { level, operation, user_id } = filterOf(session);
  const people = () => addresses(session.ctx());
  const known = (linesOf(session).value?.lines ?? []).map(({ fields }) => String(fields.operation ?? ""));
  return form({
    title: "Which lines to show",
    fields: {
      level: {
        label: "Level",
        about: "This level and above.",
        rule: z.enum(logLevels),
        start: level,
      },
      operation: {
        label: "Operation",
        about: "Such as 'send-message'. Empty: all.",
        rule: z.string().trim().max(100, "An operation has at most 100 characters."),
        choices: [...new Set(known)].filter((one) => one !== "").sort(),
        open: true,
        start: operation,
      },
      user_id: {
        label: "Person",
        about: "Email address: their requests, and refused logins with their address. Empty: everyone.",
        rule: z.int().nullable(),
        choices: people,
        open: true,
        read: (ctx: Ctx, text: string) =>
          text.trim() === "" ? null : getUserByEmail(ctx, { email: text.trim() }).user_id,
        start: user_id === null ? "" : addressOfId(session, user_id),
      },
    },
    submit(_, chosen) {
      choose(session, chosen);
      return Promise.resolve({ message: `Showing ${filterText(session)}.` });
    },
  });
}

function addressOfId({ ctx }: ConsoleSession, id: number): string {
  const found = listUsers(ctx(), { user_ids: [id] })[0];
  return found ? addressOf(found) : "";
}

function filterText(session: ConsoleSession): string {
  const { level, operation, user_id } = filterOf(session);
  return [
    level === "info" ? "all levels" : `${level} and above`,
    ...(operation === "" ? [] : [`only ${operation}`]),
    ...(user_id === null ? [] : [`only ${userNames(session.ctx())(user_id)}`]),
  ].join(", ");
}

/** Shows only lines like this one. */
function only(session: ConsoleSession, given: Partial<Filter>): Promise<ActionOutcome> {
  const before = filterOf(session);
  choose(session, given);
  return Promise.resolve({
    message: `Showing ${filterText(session)}.`,
    undo: async () => choose(session, before),
  });
}

export const log = screen<Row>({
  key: "L",
  title: "Log",
  need: "admin",
  everySeconds: 2,
  area: "Server",
  about: "what the server notes, newest first",
  empty: "No lines.",
  follows: true,
  rows,
  isStopped,
  id: ({ id }) => id,
  name: ({ event, id }) => `${event} ${id}`,
  head: (session) => {
    const { value, problem, isLoading } = linesOf(session);
    if (problem !== null) return [line(problem, "bad"), []];
    if (value === null && !isLoading) return [line("No server runs on this data folder.", "warn"), []];
    const counts = logLevels.map(
      (level) => [level, (value?.lines ?? []).filter((one) => one.level === level).length] as const,
    );
    const counted = counts.flatMap(([level, count]): Segment[] => [
      { text: `${count} `, tone: count === 0 ? "faint" : tones[level] },
      { text: `${level}   `, tone: "dim" },
    ]);
    const stopped: Segment[] = isStopped(session) ? [{ text: "   stopped, s goes on", tone: "warn" }] : [];
    return [[...counted, { text: filterText(session), tone: "accent" }, ...stopped], []];
  },
  copies: ({ operation: _, person: __, ...row }) => JSON.stringify(row),
  columns: [
    { title: "TIME (UTC)", value: ({ time }) => time.slice(11, 19), whole: true },
    { title: "LEVEL", value: ({ level }) => level, tone: ({ level }) => tones[level] },
    { title: "EVENT", value: ({ event }) => event, tone: () => "accent" },
    { title: "OPERATION", value: ({ operation }) => operation },
    { title: "PERSON", value: ({ person }) => person, most: 14 },
    { title: "DETAILS", value: textOf, grow: true, spare: true, most: 16, tone: () => "dim" },
  ],
  facts: ({ ctx }, row) => [
    ["Time", row.time],
    ["Level", row.level],
    ["Event", row.event],
    ...(row.person === "" ? [] : [["Person", row.person, toAccount(ctx(), personOf(row))] as const]),
    ...Object.entries(row.fields).map(
      ([name, value]) =>
        [
          name,
          String(value),
          name === "operation" ? { to: "Requests", select: String(value) } : null,
        ] as const,
    ),
  ],
  actions: [
    { key: "f", title: "which lines", form: filterForm },
    {
      key: "t",
      title: "level",
      run(session) {
        const { level } = filterOf(session);
        const next = logLevels[(logLevels.indexOf(level) + 1) % logLevels.length] ?? "info";
        choose(session, { level: next });
        return Promise.resolve({ message: `Showing ${filterText(session)}.` });
      },
    },
    {
      key: "s",
      title: "stop, go on",
      async run(session) {
        if (!session.chosen.delete(stopKey)) session.chosen.set(stopKey, "yes");
        return { message: isStopped(session) ? "The list stands still." : "New lines are shown again." };
      },
    },
    {
      key: "x",
      title: "all lines",
      run(session) {
        choose(session, { level: "info", operation: "", user_id: null });
        return Promise.resolve({ message: "Showing all lines." });
      },
    },
  ],
  rowActions: [
    {
      key: "w",
      title: ({ operation }) => (operation === "" ? null : "only its operation"),
      run: (_, { operation }, session) => only(session, { operation }),
    },
    {
      key: "i",
      title: (row) => (personOf(row) === null ? null : "only its person"),
      run: (_, row, session) => only(session, { user_id: personOf(row) }),
    },
  ],
});
