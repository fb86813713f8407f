import { z } from "zod";
import {
  type LogFilter,
  type LogLine,
  logLine as lineShape,
  logLevels,
  logPage,
  maxLogLines,
} from "@/operations/server-log/schema.ts";
import { flag, option } from "../args.ts";
import { asking } from "../command.ts";
import { follow } from "../following.ts";
import { logLine } from "../log-format.ts";
import type { Server } from "../server.ts";
import { countTo } from "../values.ts";

const level = z.enum(logLevels);
const pageShape = z.object(logPage);
const found = z.object({ user: z.object({ user_id: z.int() }) });
/** Longer than the server waits for a line. */
const waitMs = 60_000;

export default [
  asking({
    name: "logs",
    summary: "Show the newest lines of the running server's log",
    about:
      "Shows the newest lines of the server's log, which it keeps in memory: the last 5,000 lines and the last 1,000 warnings " +
      "and errors, also those that --log-level keeps out of standard error. --follow goes on with new lines until Ctrl+C; with " +
      "--json it prints one document per line. Times are UTC. Only for administrators.",
    examples: [
      "confab logs",
      "confab logs --follow --level warn",
      "confab logs --operation send-message --user ada@example.com --json",
    ],
    args: {
      follow: flag(z.boolean().default(false), "go on with new lines as they come"),
      level: option("LEVEL", level.default("info"), `this level and above: ${level.options.join(", ")}`),
      operation: option("ID", z.string().max(100).optional(), "only this operation, such as send-message"),
      user: option("EMAIL", z.string().min(1).optional(), "only this user's requests and refused logins"),
      limit: option("N", countTo(maxLogLines).default(100), "how many of the newest lines"),
    },
    result: z.array(lineShape),
    async run(server, { follow: goesOn, user, limit, ...filter }, out) {
      const user_id = user === undefined ? undefined : await userIdOf(server, user);
      const asked = { ...filter, user_id };
      const first = await page(server, { ...asked, limit });
      if (!goesOn) {
        await out(first.lines, () => first.lines.map(formatLine).join("\n"));
        return;
      }
      const print = async (lines: readonly LogLine[]) => {
        for (const line of lines) if (!(await out(line, () => formatLine(line)))) return false;
        return true;
      };
      if (!(await print(first.lines))) return;
      let after = first.last_id;
      await follow(async (interrupted) => {
        const news = await page(server, { ...asked, after, limit: maxLogLines }, interrupted);
        after = news.last_id;
        return print(news.lines);
      });
    },
  }),
];

/** A page of lines. With `until`, waits for a line until that is aborted. */
function page(server: Server, filter: LogFilter, until?: AbortSignal): Promise<z.output<typeof pageShape>> {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...filter, wait: until !== undefined }))
    if (value !== undefined) query.set(name, String(value));
  return server.get(`/metrics/log?${query}`, pageShape, until ? { patienceMs: waitMs, signal: until } : {});
}

async function userIdOf(server: Server, email: string): Promise<number> {
  const { user } = await server.get(`/api/v1/users/${encodeURIComponent(email)}`, found);
  return user.user_id;
}

function formatLine({ time, level, event, fields }: LogLine): string {
  return logLine(time, level, event, fields);
}
