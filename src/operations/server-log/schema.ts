import { z } from "zod";
import type { LogLevel } from "@/kernel/lib/log.ts";

export const operationId = "get-server-log";

export const logLevels = ["info", "warn", "error"] as const satisfies readonly LogLevel[];
export type KeptLevel = (typeof logLevels)[number];
const keptLevel = z.enum(logLevels);

export function isAtLeast(level: KeptLevel, least: KeptLevel): boolean {
  return logLevels.indexOf(level) >= logLevels.indexOf(least);
}

/** Lines in one answer. */
export const maxLogLines = 1000;

/** A line of the server's log. */
export const logLine = z.object({
  /** Ascending, also across restarts. */
  id: z.int(),
  /** UTC, in ISO 8601. */
  time: z.string(),
  level: keptLevel,
  /** What happened, such as `request` or `login_refused`. */
  event: z.string(),
  fields: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
});
export type LogLine = z.infer<typeof logLine>;

/** The newest lines, oldest first. `last_id` is where the next request continues, even if no line was found. */
export const logPage = { lines: z.array(logLine), last_id: z.int() };
export type LogPage = { lines: LogLine[]; last_id: number };

export const logFilter = {
  /** Only this level and above. */
  level: keptLevel.default("info"),
  /** Only of this operation. */
  operation: z.string().max(100).optional(),
  /** Only of this user: their requests, and refused logins with their address. */
  user_id: z.int().optional(),
  /** Only lines after this one. */
  after: z.int().optional(),
  limit: z.int().min(1).max(maxLogLines).default(100),
};

export interface LogFilter {
  level?: KeptLevel | undefined;
  operation?: string | undefined;
  user_id?: number | undefined;
  after?: number | undefined;
  limit?: number | undefined;
}
