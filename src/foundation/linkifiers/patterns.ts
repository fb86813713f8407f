// Patterns of administrators: in Python's syntax, on an engine whose time is linear in the text.

import type { RE2JS } from "re2js";
import { sentence } from "@/text/language/tables.ts";
import { isSpent, type LinkWork } from "@/text/links/link-work.ts";
import { type Translation, translate } from "./python.ts";
import type { Problem } from "./templates.ts";

/**
 * New patterns are `python`. Older patterns were stored when the server read them as RE2; they stay `re2` until
 * somebody changes them.
 */
export type Dialect = "python" | "re2";

export interface Pattern {
  /** The number of each named group in `whole`. */
  readonly groups: ReadonlyMap<string, number>;
  readonly whole: RE2JS;
}

export interface PatternMatch {
  start: number;
  end: number;
  /** The matches of its named groups, without groups that matched nothing. */
  values: Record<string, string>;
}

// A match must not touch other letters or digits: in "T-12", "T-1" does not match.
const before = "(?:^|[^\\pL\\pN_])";
const after = "(?:$|[^\\pL\\pN_])";
const largestProgram = 400;

let engine: typeof RE2JS | undefined;

function load(): typeof RE2JS {
  // Loaded on first use; with `require`, because rendering is synchronous.
  engine ??= (require("re2js") as typeof import("re2js")).RE2JS;
  return engine;
}

/** Compiles a pattern; returns the problem in words for its author if that fails. */
export function compilePattern(source: string, dialect: Dialect): Pattern | Problem {
  const compiler = load();
  try {
    const { re2, names } = dialect === "python" ? translate(source) : read(compiler, source);
    const whole = compiler.compile(`${before}(${re2})${after}`);
    // The first group is the match without its surroundings.
    const groups = new Map([...names].map(([name, number]) => [name, number + 1]));
    if (whole.programSize() <= largestProgram) return { groups, whole };
    return { problem: sentence("This regular expression is too complex. Use fewer repeats.") };
  } catch (error) {
    const reason = String((error as Error).message).replace(/^error parsing regexp: /, "");
    return { problem: sentence("Bad regular expression: {reason}", { reason }) };
  }
}

function read(compiler: typeof RE2JS, source: string): Translation {
  return { re2: source, names: new Map(Object.entries(compiler.compile(source).namedGroups())) };
}

/** Matches in order and without overlaps. */
export function matchesOf(pattern: Pattern, text: string, work: LinkWork): PatternMatch[] {
  const found: PatternMatch[] = [];
  for (const stretch of piecesOf(text)) {
    if (isSpent(work, stretch.text.length * pattern.whole.programSize())) break;
    if (pattern.whole.test(stretch.text)) matchesIn(pattern, stretch, found, work);
  }
  return found;
}

interface Piece {
  text: string;
  /** Its position in the whole text. */
  at: number;
}

const maxPieceLength = 1000;

/** Splits a long text after blanks, so that a search is short. Each piece includes the characters on either side. */
function* piecesOf(text: string): Generator<Piece> {
  let from = 0;
  while (text.length - from > maxPieceLength) {
    const blank = text.lastIndexOf(" ", from + maxPieceLength - 1);
    const to = blank > from ? blank + 1 : from + maxPieceLength;
    yield pieceOf(text, from, to);
    from = to;
  }
  yield pieceOf(text, from, text.length);
}

function pieceOf(text: string, from: number, to: number): Piece {
  const at = Math.max(0, from - 1);
  return { text: text.slice(at, to + 1), at };
}

function matchesIn(pattern: Pattern, { text, at }: Piece, found: PatternMatch[], work: LinkWork): void {
  const matcher = pattern.whole.matcher(text);
  // The character after a match may also be the one before the next, so the search continues at the match's end.
  let from = 0;
  while (from <= text.length && matcher.find(from)) {
    const start = at + matcher.start(1);
    const end = at + matcher.end(1);
    const isNew = start >= (found.at(-1)?.end ?? 0) && end > start;
    if (isNew) found.push({ start, end, values: valuesOf(pattern, (group) => matcher.group(group)) });
    if (isSpent(work, (text.length - from) * pattern.whole.programSize())) return;
    from = Math.max(from + 1, end - at);
  }
}

function valuesOf({ groups }: Pattern, read: (group: number) => string | null): Record<string, string> {
  const values: Record<string, string> = Object.create(null);
  for (const [name, group] of groups) {
    const value = read(group);
    if (value !== null) values[name] = value.toWellFormed();
  }
  return values;
}
