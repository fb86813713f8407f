// The newest lines of the running server's log, kept in memory for administrators.
import type { Reads } from "@/kernel/core/context.ts";
import { lowerBound } from "@/kernel/lib/binary-search.ts";
import type { Log, LogFields } from "@/kernel/lib/log.ts";
import { perApp } from "@/kernel/store/per-app.ts";
import { isAtLeast, type KeptLevel, operationId } from "./schema.ts";
import { withoutSecrets } from "./secrets.ts";

/** Limits. Warnings and errors are kept separately, so that requests do not push them out. */
const shelfLimits = {
  requests: { lines: 5000, bytes: 3_000_000 },
  warnings: { lines: 1000, bytes: 2_000_000 },
};
/** Longer values, such as the stack of an error, are cut. */
const maxValueLength = 4000;
/** The memory of a line without its text. */
const bytesPerLine = 200;

export interface KeptLine {
  /** Ascending, also across restarts of the server. */
  readonly id: number;
  readonly ms: number;
  readonly level: KeptLevel;
  readonly event: string;
  readonly fields: LogFields;
}

export interface ServerLog {
  /** The ID of the newest line, even if it is no longer kept; without lines, lower than all future IDs. */
  readonly lastId: number;
  /** The kept lines after `id`, oldest first. */
  after(id: number): KeptLine[];
  /** Calls the listener after each new line; returns the function to unsubscribe. */
  watch(listener: (line: KeptLine) => void): () => void;
  /** Ends all current and future waits for new lines, because the server stops. */
  stop(): void;
  /** Calls `end` when the server stops, or now if it is stopping; returns the function to unsubscribe. */
  onStop(end: () => void): () => void;
}

interface Shelf {
  readonly limits: { lines: number; bytes: number };
  /** Oldest first, from `begin`; earlier lines have been dropped. */
  lines: KeptLine[];
  begin: number;
  bytes: number;
}

interface Writable extends ServerLog {
  add(level: KeptLevel, event: string, fields: LogFields): void;
}

/** The log of the process that has this database open. */
export const serverLogOf: (reads: Reads) => ServerLog = (reads) => writableLogOf(reads);

const writableLogOf = perApp((db) => openLog(() => db.clock.ms()));

/** A log that also keeps what it writes. Values that look like secrets are masked in both. */
export function keepingLog(log: Log, reads: () => Reads): Log {
  const keep = (level: KeptLevel, event: string, fields: LogFields = {}) => {
    // Otherwise most lines would be about requests for the log.
    if (fields.operation === operationId && level === "info") return;
    writableLogOf(reads()).add(level, event, fields);
  };
  const maskingLog =
    (level: "warn" | "error"): Log["warn"] =>
    (event, fields) => {
      const clean = fields && withoutSecrets(fields);
      keep(level, event, clean);
      log[level](event, clean);
    };
  return {
    ...log,
    info(event, fields) {
      keep("info", event, fields);
      log.info(event, fields);
    },
    warn: maskingLog("warn"),
    error: maskingLog("error"),
  };
}

function openLog(now: () => number): Writable {
  const shelves = {
    requests: emptyShelf(shelfLimits.requests),
    warnings: emptyShelf(shelfLimits.warnings),
  };
  const listeners = new Set<(line: KeptLine) => void>();
  const ends = new Set<() => void>();
  let isStopping = false;
  // After a restart, IDs continue with higher numbers, because they start from the current time.
  let lastId = now() * 1000;
  return {
    get lastId() {
      return lastId;
    },
    add(level, event, fields) {
      const line = { id: ++lastId, ms: now(), level, event, fields: shortenFields(fields) };
      put(isAtLeast(level, "warn") ? shelves.warnings : shelves.requests, line);
      for (const listener of listeners) listener(line);
    },
    after: (id) => mergeLines(linesAfter(shelves.requests, id), linesAfter(shelves.warnings, id)),
    watch(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    stop() {
      isStopping = true;
      for (const end of ends) end();
    },
    onStop(end) {
      if (isStopping) end();
      ends.add(end);
      return () => void ends.delete(end);
    },
  };
}

function emptyShelf(limits: Shelf["limits"]): Shelf {
  return { limits, lines: [], begin: 0, bytes: 0 };
}

function shortenFields(fields: LogFields): LogFields {
  if (!hasLong(fields)) return fields;
  const cut = (v: LogFields[string]) =>
    typeof v === "string" && v.length > maxValueLength ? `${v.slice(0, maxValueLength)}…` : v;
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, cut(value)]));
}

function hasLong(fields: LogFields): boolean {
  for (const name in fields) {
    const value = fields[name];
    if (typeof value === "string" && value.length > maxValueLength) return true;
  }
  return false;
}

function put(shelf: Shelf, line: KeptLine): void {
  shelf.lines.push(line);
  shelf.bytes += sizeOf(line);
  const { limits } = shelf;
  while (shelf.lines.length - shelf.begin > limits.lines || shelf.bytes > limits.bytes) {
    shelf.bytes -= sizeOf(shelf.lines[shelf.begin++] as KeptLine);
  }
  // Moves the rest to the front only now and then, because doing so for every line would cost too much.
  if (shelf.begin <= limits.lines) return;
  shelf.lines = shelf.lines.slice(shelf.begin);
  shelf.begin = 0;
}

/** Approximate bytes of memory: text takes up to two per character. */
function sizeOf({ event, fields }: KeptLine): number {
  let length = event.length;
  for (const name in fields) {
    const value = fields[name];
    length += typeof value === "string" ? value.length : 8;
  }
  return bytesPerLine + 2 * length;
}

function linesAfter({ lines, begin }: Shelf, id: number): KeptLine[] {
  return lines.slice(lowerBound(lines, (line) => line.id <= id, begin));
}

function mergeLines(one: readonly KeptLine[], other: readonly KeptLine[]): KeptLine[] {
  return [...one, ...other].sort((a, b) => a.id - b.id);
}
