import { type LogLine, type LogPage, logLevels } from "@/operations/server-log/schema.ts";
import { line, type Tone } from "../layout.ts";
import { screen } from "../screen.ts";
import type { Session } from "../session.ts";
import type { Source } from "../source.ts";

const lookEveryMs = 1000;
const maxLines = 1000;
const levelKey = "log level";

/** What the console itself asks for every few seconds. */
const own = new Set(["get-metrics", "get-metrics-history", "get-server-log"]);

const tones: Readonly<Record<LogLine["level"], Tone>> = { info: "dim", warn: "warn", error: "bad" };

const levelOf = ({ chosen }: Session) => chosen.get(levelKey) ?? "info";

/** The newest lines, newest first; null where no server runs. */
function linesOf(session: Session): Source<LogLine[] | null> {
  const { sources, server } = session;
  const level = levelOf(session);
  return sources.get(`log ${level}`, lookEveryMs, async () => {
    const answer = await server.request(`/metrics/log?level=${level}&limit=${maxLines}`);
    if (!answer) return null;
    const page = (await answer.json()) as Partial<LogPage> & { msg?: string };
    if (!page.lines) throw new Error(page.msg ?? "The server does not show its log.");
    return page.lines.filter(({ fields }) => !own.has(String(fields.operation))).reverse();
  });
}

function textOf({ fields }: LogLine): string {
  return Object.entries(fields)
    .filter(([name]) => name !== "operation" && name !== "user_id")
    .map(([name, value]) => `${name}=${value}`)
    .join(" ");
}

const fieldText = ({ fields }: LogLine, name: string) => String(fields[name] ?? "");

export const log = screen<LogLine>({
  key: "L",
  title: "Log",
  area: "Server",
  about: "what the server notes, newest first",
  empty: "No lines.",
  follows: true,
  rows: (session) => linesOf(session).value ?? [],
  id: ({ id }) => id,
  name: ({ event, id }) => `${event} ${id}`,
  head: (session) => {
    const { value, problem, isLoading } = linesOf(session);
    const level: [string, Tone] = [`${levelOf(session)} and above`, "accent"];
    if (problem !== null) return [line(problem, "bad"), []];
    if (value === null && !isLoading) return [line("No server runs on this data folder.", "warn"), []];
    return [line(...level), []];
  },
  copies: (row) => JSON.stringify(row),
  columns: [
    { title: "TIME (UTC)", value: ({ time }) => time.slice(11, 19), whole: true },
    { title: "LEVEL", value: ({ level }) => level, tone: ({ level }) => tones[level] },
    { title: "EVENT", value: ({ event }) => event, tone: () => "accent" },
    { title: "OPERATION", value: (row) => fieldText(row, "operation") },
    { title: "PERSON", value: (row) => fieldText(row, "user_id"), right: true, spare: true },
    { title: "DETAILS", value: textOf, grow: true, spare: true, tone: () => "dim" },
  ],
  facts: (_, row) => [
    ["Time", row.time],
    ["Level", row.level],
    ["Event", row.event],
    ...Object.entries(row.fields).map(([name, value]) => [name, String(value)] as const),
  ],
  actions: [
    {
      key: "t",
      title: "level",
      async run(session) {
        const next =
          logLevels[(logLevels.indexOf(levelOf(session) as "info") + 1) % logLevels.length] ?? "info";
        session.chosen.set(levelKey, next);
        return { message: `Showing ${next} and above.` };
      },
    },
  ],
  rowActions: [
    {
      key: "p",
      title: ({ fields }) => (typeof fields.user_id === "number" ? "the person" : null),
      go: ({ fields }) => ({ to: "Users", select: Number(fields.user_id), opens: true }),
    },
  ],
});
