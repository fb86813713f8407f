// Reads a pattern as Python's `re` does, and translates it to RE2's syntax.
import { type SetPart, spellCharacter, spellClass, spellSet } from "./python-classes.ts";
import { type Escape, readEscape } from "./python-escapes.ts";
import { readGroupStart } from "./python-groups.ts";
import { type Flags, type PatternReader, peek, refuse, take, takeIf } from "./python-reader.ts";

/** A part of a pattern that a repeat may follow. */
interface Item {
  re2: string;
  /** Anchors and repeats cannot be repeated. */
  kind: "anchor" | "repeat" | "other";
}

export interface Translation {
  re2: string;
  names: ReadonlyMap<string, number>;
}

/** Translates a pattern to RE2; throws an `Error` for what `re` rejects or RE2 does not support. */
export function translate(source: string): Translation {
  const reader: PatternReader = { characters: [...source], at: 0, groups: 0, names: new Map() };
  const flags = {
    ignoreCase: false,
    multiline: false,
    dotAll: false,
    ascii: false,
    unicode: false,
    verbose: false,
  };
  const re2 = readAlternatives(reader, flags, true);
  if (reader.at < reader.characters.length) refuse("unexpected )", reader);
  return { re2, names: reader.names };
}

/** Reads up to the end, or to the `)` or `|` that ends a sequence of the group. */
function readAlternatives(reader: PatternReader, flags: Flags, isWhole: boolean): string {
  const alternatives = [readSequence(reader, flags, isWhole)];
  while (takeIf(reader, "|")) alternatives.push(readSequence(reader, flags, false));
  return alternatives.join("|");
}

/** `mayTakeFlags`: flags such as `(?i)` apply to the whole pattern, so they must come first. */
function readSequence(reader: PatternReader, flags: Flags, mayTakeFlags: boolean): string {
  const items: Item[] = [];
  while (peek(reader) !== "" && !"|)".includes(peek(reader))) {
    const next = take(reader);
    if (flags.verbose && isSkipped(reader, next)) continue;
    const repeat = readRepeat(reader, next);
    if (repeat !== null) {
      items.push(repeatItem(reader, items.pop(), repeat));
      continue;
    }
    const item = readItem(reader, next, flags, mayTakeFlags && items.length === 0);
    if (item !== null) items.push(item);
  }
  return items.map(({ re2 }) => re2).join("");
}

/** True for blanks and comments of a verbose pattern. */
function isSkipped(reader: PatternReader, next: string): boolean {
  if (next === "#") {
    for (let c = take(reader); c !== "" && c !== "\n"; ) c = take(reader);
  }
  return "# \t\n\r\v\f".includes(next);
}

interface Repeat {
  min: number;
  /** Infinity for an unbounded repeat. */
  max: number;
}

const signs: Readonly<Record<string, Repeat>> = {
  "?": { min: 0, max: 1 },
  "*": { min: 0, max: Number.POSITIVE_INFINITY },
  "+": { min: 1, max: Number.POSITIVE_INFINITY },
};

function readRepeat(reader: PatternReader, next: string): Repeat | null {
  if (next !== "{") return signs[next] ?? null;
  const rest = reader.characters.slice(reader.at).join("");
  const [all, min, comma, max] = /^(?!\})([0-9]*)(,?)([0-9]*)\}/.exec(rest) ?? [];
  // Braces without counts are literal.
  if (all === undefined || min === undefined) return null;
  reader.at += all.length;
  const last = comma === "" ? min : (max ?? "");
  return { min: Number(min), max: last === "" ? Number.POSITIVE_INFINITY : Number(last) };
}

const largestCount = 1000;

function repeatItem(reader: PatternReader, item: Item | undefined, { min, max }: Repeat): Item {
  if (max < min) refuse("a repeat whose minimum is greater than its maximum", reader);
  if (min > largestCount || (max > largestCount && max !== Number.POSITIVE_INFINITY)) {
    refuse(`a repeat of more than ${largestCount} times`, reader);
  }
  if (item === undefined || item.kind === "anchor") refuse("nothing to repeat", reader);
  if (item.kind === "repeat") refuse("two repeats in a row", reader);
  const lazy = takeIf(reader, "?") ? "?" : "";
  if (lazy === "" && takeIf(reader, "+")) refuse("possessive repeats are not supported", reader);
  const upTo = max === Number.POSITIVE_INFINITY ? "" : max;
  return { re2: `(?:${item.re2}){${min},${upTo}}${lazy}`, kind: "repeat" };
}

const other = (re2: string): Item => ({ re2, kind: "other" });
const anchor = (re2: string): Item => ({ re2, kind: "anchor" });

/** Null for parts that match nothing: comments, and flags of the whole pattern. */
function readItem(reader: PatternReader, next: string, flags: Flags, mayTakeFlags: boolean): Item | null {
  switch (next) {
    case "(":
      return readGroup(reader, flags, mayTakeFlags);
    case "[":
      return other(readSet(reader, flags));
    case "\\":
      return spellEscape(readEscape(reader, false), flags);
    case ".":
      return other(flags.dotAll ? "(?s:.)" : "[^\\n]");
    case "^":
      return anchor(flags.multiline ? "(?m:^)" : "\\A");
    case "$":
      return anchor(flags.multiline ? "(?m:$)" : "\\z");
    default:
      return other(spellCharacter(next.codePointAt(0) ?? 0, flags));
  }
}

function readGroup(reader: PatternReader, flags: Flags, mayTakeFlags: boolean): Item | null {
  const start = readGroupStart(reader, flags, mayTakeFlags);
  if (start === null) return null;
  const body = readAlternatives(reader, start.flags, false);
  if (!takeIf(reader, ")")) refuse("missing closing )", reader);
  return other(`${start.captures ? "(" : "(?:"}${body})`);
}

function spellEscape(found: Escape, flags: Flags): Item {
  if ("anchor" in found) return anchor(found.anchor);
  return other("class" in found ? spellClass(found.class, flags) : spellCharacter(found.code, flags));
}

function readSet(reader: PatternReader, flags: Flags): string {
  const isNegated = takeIf(reader, "^");
  const parts: SetPart[] = [];
  do {
    const first = readMember(reader);
    if (peek(reader) !== "-" || reader.characters[reader.at + 1] === "]") {
      parts.push(first);
      continue;
    }
    take(reader);
    const last = readMember(reader);
    if (typeof first === "string" || typeof last === "string" || last[0] < first[0]) {
      refuse("a range in brackets must go from one character to a later one", reader);
    }
    parts.push([first[0], last[0]]);
  } while (!takeIf(reader, "]"));
  return spellSet(parts, isNegated, flags);
}

function readMember(reader: PatternReader): SetPart {
  const next = take(reader);
  if (next === "") refuse("missing closing ]", reader);
  if (next !== "\\") return [next.codePointAt(0) ?? 0, next.codePointAt(0) ?? 0];
  const found = readEscape(reader, true);
  if ("code" in found) return [found.code, found.code];
  return "class" in found ? found.class : refuse("an anchor cannot be in brackets", reader);
}
