import type { MarkdownIt, StateInline } from "markdown-it";
import { pushElement } from "@/rendering/elements.ts";

// Without a limit, many beginnings and no end would take quadratic time.
const syntax = /<time:([^>\n]{0,100})>/y;

/** `<time:2026-06-05 14:30>`, which clients show in each reader's own zone. */
export function timestamps(md: MarkdownIt): void {
  md.inline.ruler.push("timestamp", timestamp);
}

function timestamp(state: StateInline, dryRun: boolean): boolean {
  if (state.src.charCodeAt(state.pos) !== 60 /* < */) return false;
  syntax.lastIndex = state.pos;
  const [typed, text] = syntax.exec(state.src) ?? [];
  if (typed === undefined || text === undefined || syntax.lastIndex > state.posMax) return false;
  if (!dryRun) pushTime(state, text);
  state.pos += typed.length;
  return true;
}

function pushTime(state: StateInline, text: string): void {
  const time = parseTime(text.trim());
  const datetime = time === null ? null : wireTime(time);
  if (datetime === null) {
    const error = `Invalid time format: ${text}`;
    pushElement(state, { tag: "span", attrs: { class: "timestamp-error" }, text: error });
  } else pushElement(state, { tag: "time", attrs: { datetime }, text });
}

function wireTime(milliseconds: number): string | null {
  const date = new Date(milliseconds);
  const year = date.getUTCFullYear();
  return year >= 1 && year <= 9999 ? date.toISOString().replace(/\.\d+Z$/, "Z") : null;
}

const unix = /^-?\d{1,12}(?:\.\d{1,9})?$/;
const iso =
  /^(\d{4})-?(\d\d)-?(\d\d)(?:[T ](\d\d):?(\d\d)(?::?(\d\d)(?:[.,]\d{1,9})?)?)? ?(Z|[+-]\d\d(?::?\d\d)?)?$/i;
const zone = /(?:\b(?:Z|UTC|GMT|E[SD]T|C[SD]T|M[SD]T|P[SD]T)|(?:\b(?:UTC|GMT) ?)?[+-]\d\d?(?::?\d\d)?)$/i;
const date =
  /\b\d{4}\b.*\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec).*\b\d{4}\b|\b\d{1,4}[/-]\d{1,2}[/-]\d{1,4}\b/i;

/** Milliseconds since 1970; a time without a zone is in UTC. */
function parseTime(text: string): number | null {
  if (unix.test(text)) return Number(text) * 1000;
  const parts = iso.exec(text);
  if (parts) return parseIso(parts);
  return date.test(text) ? parseWritten(text) : null;
}

function parseIso([
  ,
  year,
  month,
  day,
  hour = "00",
  minute = "00",
  second = "00",
  zone = "Z",
]: RegExpExecArray) {
  const [, hours = "", minutes = "00"] = /^([+-]\d\d):?(\d\d)?$/.exec(zone) ?? [];
  const offset = hours === "" ? "Z" : `${hours}:${minutes}`;
  return existing(`${year}-${month}-${day}T${hour}:${minute}:${second}`, offset, "Z");
}

function parseWritten(text: string): number | null {
  const tidy = text
    .replace(/(\d)(?:st|nd|rd|th)\b/gi, "$1")
    .replace(
      /\b(\d\d?)((?::\d\d)*) ?([ap])\.?m\b\.?/gi,
      (_typed, hour, minutes, half) => `${hour}${minutes || ":00"} ${half}m`,
    );
  const [offset = ""] = zone.exec(tidy) ?? [];
  return existing(tidy.slice(0, tidy.length - offset.length), ` ${offset || "UTC"}`, " UTC");
}

/** Null for a day its month does not have, which `Date` would take for one of the next month. */
function existing(local: string, offset: string, utc: string): number | null {
  const there = new Date(local + utc);
  const numbers = local.match(/\d+/g)?.map(Number) ?? [];
  if (Number.isNaN(there.getTime()) || !numbers.includes(there.getUTCDate())) return null;
  const time = new Date(local + offset).getTime();
  return Number.isNaN(time) ? null : time;
}
