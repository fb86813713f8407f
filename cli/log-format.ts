import { type Log, type LogFields, type LogLevel, printable } from "@/kernel/lib/log.ts";

const levels: readonly LogLevel[] = ["debug", "info", "warn", "error"];

/** A log that drops lines below the level `least`. */
export function atLeast(least: LogLevel, log: Log): Log {
  const quiet = (level: LogLevel) => levels.indexOf(level) < levels.indexOf(least);
  const silence = () => {};
  return {
    ...log,
    ...(quiet("info") ? { info: silence } : {}),
    ...(quiet("warn") ? { warn: silence } : {}),
  };
}

/** A human-readable line: `09:30:00 INFO request operation=get-events status=200`. */
export function logLine(time: string, level: LogLevel, event: string, fields: LogFields = {}): string {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  const words = given.map(([name, value]) => `${name}=${readable(value)}`);
  return [time.slice(11, 19), level.toUpperCase(), event, ...words].join(" ");
}

function readable(value: LogFields[string]): string {
  const text = String(value);
  return /^[\w.:/@-]+$/.test(text) ? text : printable(JSON.stringify(text));
}
