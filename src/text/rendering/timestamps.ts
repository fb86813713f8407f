import type { MarkdownIt, StateInline } from "markdown-it";
import { pushElement, pushText } from "@/text/html/elements.ts";

// The length limit avoids quadratic time for many openings without an end.
const syntax = /<time:([^>\n]{0,100})>/y;

/** `<time:2026-06-05 14:30>`, which clients show in the reader's time zone. */
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
  if (datetime === null) pushText(state, `<time:${text}>`);
  else pushElement(state, { tag: "time", attrs: { datetime }, text });
}

function wireTime(milliseconds: number): string | null {
  const date = new Date(milliseconds);
  const year = date.getUTCFullYear();
  return year >= 1 && year <= 9999 ? date.toISOString().replace(/\.\d+Z$/, "Z") : null;
}

const unix = /^-?\d{1,12}(?:\.\d{1,9})?$/;
const iso =
  /^(?<date>\d{4}-?\d\d-?\d\d)(?:[T ](?<time>\d\d:?\d\d(?::?\d\d)?)(?:[.,]\d{1,9})?)? ?(?<offset>Z|[+-]\d\d(?::?\d\d)?)?$/i;
const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const month = new RegExp(`\\b(?:${months.join("|")})`, "i");
const year = /\b\d{4}\b/;
const numericDate = /\b(?:\d{4}([/-])\d\d?\1\d\d?|\d\d?([/-])\d\d?\2\d{4})\b/;
const clock = /T?\d\d?:\d\d(?::\d\d)?/;
const hour = /\b(\d\d?)((?::\d\d){0,2}) ?([ap])\.?m\b\.?/i;
// Time zone abbreviations and their UTC offsets; an ambiguous one has its most common meaning.
const zones: Readonly<Record<string, string>> = {
  ...{
    HST: "-10:00",
    AKST: "-09:00",
    AKDT: "-08:00",
    AST: "-04:00",
    ADT: "-03:00",
    NST: "-03:30",
    NDT: "-02:30",
  },
  ...{
    WET: "+00:00",
    WEST: "+01:00",
    BST: "+01:00",
    CET: "+01:00",
    CEST: "+02:00",
    EET: "+02:00",
    EEST: "+03:00",
  },
  ...{
    WAT: "+01:00",
    CAT: "+02:00",
    SAST: "+02:00",
    EAT: "+03:00",
    MSK: "+03:00",
    PKT: "+05:00",
    IST: "+05:30",
  },
  ...{
    WIB: "+07:00",
    HKT: "+08:00",
    SGT: "+08:00",
    AWST: "+08:00",
    JST: "+09:00",
    KST: "+09:00",
    ACST: "+09:30",
  },
  ...{ ACDT: "+10:30", AEST: "+10:00", AEDT: "+11:00", NZST: "+12:00", NZDT: "+13:00" },
};
const namedZone = new RegExp(`(?<![a-z])(?:${Object.keys(zones).join("|")})$`, "i");
// Accepts a bare offset only after a time of day; elsewhere it could be part of a date.
const zone =
  /(?:(?<![a-z])(?:(?:UTC|GMT)(?: ?[+-]\d\d?(?::?\d\d)?)?|Z|[ECMP][SD]T)|(?<=:\d\d ?|[ap]m ?)[+-]\d\d(?::?\d\d)?)$/i;
// `Date` skips what is in parentheses, so a zone there would be lost.
const inParentheses = / ?\(([^()]*)\)$/;

/** Milliseconds since 1970. Times without a zone are in UTC. */
function parseTime(text: string): number | null {
  if (unix.test(text)) return Number(text) * 1000;
  const parts = iso.exec(text)?.groups;
  if (parts) return parseIso(parts);
  const spaced = text.replace(/(?<=\d)T(?=\d\d?:)/i, " ");
  return numericDate.test(spaced) || (month.test(spaced) && year.test(spaced)) ? parseWritten(spaced) : null;
}

function parseIso({ date = "", time = "00:00", offset = "Z" }: Record<string, string>): number | null {
  const day = date.replaceAll("-", "").replace(/^(....)(..)(..)$/, "$1-$2-$3");
  const local = `${day}T${time
    .replaceAll(":", "")
    .padEnd(6, "0")
    .replace(/(..)(..)(..)/, "$1:$2:$3")}`;
  const [, hours, minutes = "00"] = /^([+-]\d\d):?(\d\d)?$/.exec(offset) ?? [];
  return existing(local, hours === undefined ? "Z" : `${hours}:${minutes}`, "Z");
}

function parseWritten(text: string): number | null {
  const tidy = withZoneLast(text)
    .replace(/(\d)(?:st|nd|rd|th)\b/gi, "$1")
    .replace(hour, (_typed, hours, rest, half) => `${hours}${rest || ":00"} ${half}m`)
    .replace(namedZone, (name) => `UTC${zones[name.toUpperCase()]}`);
  const [offset = "UTC"] = zone.exec(tidy) ?? [];
  const local = tidy.endsWith(offset) ? tidy.slice(0, -offset.length) : tidy;
  return existing(local, ` ${offset}`, " UTC");
}

/** Puts a zone's name in place of its parentheses, unless there is an offset before it: "GMT+0530 (India Standard Time)". */
function withZoneLast(text: string): string {
  const [typed = "", name = ""] = inParentheses.exec(text) ?? [];
  const rest = text.slice(0, text.length - typed.length);
  return typed === "" || zone.test(rest) || namedZone.test(rest) ? rest : `${rest} ${name}`;
}

/** Returns null for a day that its month does not have; `Date` would roll over into the next month. */
function existing(local: string, offset: string, utc: string): number | null {
  const there = new Date(local + utc);
  if (Number.isNaN(there.getTime())) return null;
  const date = local.replace(clock, " ");
  const numbers = date.match(/\d+/g)?.map(Number) ?? [];
  const [name] = month.exec(date) ?? [];
  const given = name === undefined ? numbers : [...numbers, months.indexOf(name.toLowerCase()) + 1];
  if (!given.includes(there.getUTCDate()) || !given.includes(there.getUTCMonth() + 1)) return null;
  const time = new Date(local + offset).getTime();
  return Number.isNaN(time) ? null : time;
}
