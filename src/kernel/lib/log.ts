// Structured log: one JSON line per event, buffered so that a busy server makes few system calls.
import { writeSync } from "node:fs";
import { controlCharacters } from "./control-characters.ts";

export type LogLevel = "debug" | "info" | "warn" | "error";
export type LogFields = Record<string, string | number | boolean | null | undefined>;

export interface Log {
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
  flush(): void;
}

const flushAfterMs = 50;
const flushAtLength = 32_768;

/** A log that writes to `write` (standard error by default). Callers never pass secrets or what people write. */
export function createLog(
  write: (text: string) => void = (text) => writeSync(2, text),
  lineOf = jsonLine,
): Log {
  let pending = "";
  let timer: ReturnType<typeof setTimeout> | null = null;

  const flush = () => {
    if (timer) clearTimeout(timer);
    timer = null;
    if (pending === "") return;
    const text = pending;
    pending = "";
    write(text);
  };
  const line = (level: LogLevel, event: string, fields?: LogFields) => {
    pending += `${lineOf(timeNow(), level, event, fields)}\n`;
    if (level === "error" || pending.length > flushAtLength) return flush();
    timer ??= setTimeout(flush, flushAfterMs);
  };

  return {
    info: (event, fields) => line("info", event, fields),
    warn: (event, fields) => line("warn", event, fields),
    error: (event, fields) => line("error", event, fields),
    flush,
  };
}

/** Formats an event as one line; `time` is in ISO 8601. */
function jsonLine(time: string, level: LogLevel, event: string, fields?: LogFields): string {
  let json = `{"time":"${time}","level":"${level}","event":"${event}"`;
  // Half the cost of JSON.stringify, which would need a copy of the fields.
  for (const name in fields) {
    const value = fields[name];
    if (value !== undefined)
      json += `,"${name}":${typeof value === "string" ? JSON.stringify(value) : jsonOf(value)}`;
  }
  return printable(`${json}}`);
}

function jsonOf(value: number | boolean | null): string {
  return typeof value === "number" && !Number.isFinite(value) ? "null" : String(value);
}

/** Escapes characters in JSON that could control a terminal or end a line: values may come from clients. */
export function printable(json: string): string {
  return controlCharacters.test(json)
    ? json.replaceAll(new RegExp(controlCharacters, "gu"), escapeSign)
    : json;
}

function escapeSign(sign: string): string {
  return `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

let lastMs = 0;
let lastTime = "";

/** The time in ISO 8601, cached because a busy server writes many lines in one millisecond. */
function timeNow(): string {
  const ms = Date.now();
  if (ms !== lastMs) lastTime = new Date(ms).toISOString();
  lastMs = ms;
  return lastTime;
}

export const silentLog: Log = { info() {}, warn() {}, error() {}, flush() {} };
