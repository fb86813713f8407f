// Patterns of administrators: Python's syntax, on an engine whose time is linear in the text.

import type { RE2JS } from "re2js";
import { isSpent, type LinkWork } from "@/text/rendering/link-work.ts";
import { type Translation, translate } from "./python.ts";

/**
 * `python` is what patterns are written in. Those stored before Python's rules were kept to were read as RE2 reads
 * them, and are so until somebody changes them.
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
  /** What its named groups matched; those that matched nothing are missing. */
  values: Record<string, string>;
}

// Only what stands apart from words matches: of "T-12", never "T-1".
const before = "(?:^|[^\\pL\\pN_])";
const after = "(?:$|[^\\pL\\pN_])";
const largestProgram = 400;

let engine: typeof RE2JS | undefined;

function load(): typeof RE2JS {
  // Loaded at first use: rendering is synchronous, hence `require`.
  engine ??= (require("re2js") as typeof import("re2js")).RE2JS;
  return engine;
}

/** The pattern ready to search with, or what is wrong with it in words for who wrote it. */
export function compilePattern(source: string, dialect: Dialect): Pattern | { problem: string } {
  const compiler = load();
  try {
    const { re2, names } = dialect === "python" ? translate(source) : read(compiler, source);
    const whole = compiler.compile(`${before}(${re2})${after}`);
    // The first group is the match itself, without what stands around it.
    const groups = new Map([...names].map(([name, number]) => [name, number + 1]));
    if (whole.programSize() <= largestProgram) return { groups, whole };
    return { problem: "This regular expression is too complicated: repeat less in it." };
  } catch (error) {
    const reason = String((error as Error).message).replace(/^error parsing regexp: /, "");
    return { problem: `Bad regular expression: ${reason}` };
  }
}

function read(compiler: typeof RE2JS, source: string): Translation {
  return { re2: source, names: new Map(Object.entries(compiler.compile(source).namedGroups())) };
}

/** Matches in order and without overlaps. */
export function matchesOf(pattern: Pattern, text: string, work: LinkWork): PatternMatch[] {
  const found: PatternMatch[] = [];
  for (const stretch of stretchesOf(text)) {
    if (isSpent(work, stretch.text.length * pattern.whole.programSize())) break;
    if (pattern.whole.test(stretch.text)) matchesIn(pattern, stretch, found, work);
  }
  return found;
}

interface Stretch {
  text: string;
  /** Where it begins in the whole text. */
  at: number;
}

const longestStretch = 1000;

/** A long text by pieces, cut after blanks, each with the character on either side: a search never looks far ahead. */
function* stretchesOf(text: string): Generator<Stretch> {
  let from = 0;
  while (text.length - from > longestStretch) {
    const blank = text.lastIndexOf(" ", from + longestStretch - 1);
    const to = blank > from ? blank + 1 : from + longestStretch;
    yield pieceOf(text, from, to);
    from = to;
  }
  yield pieceOf(text, from, text.length);
}

function pieceOf(text: string, from: number, to: number): Stretch {
  const at = Math.max(0, from - 1);
  return { text: text.slice(at, to + 1), at };
}

function matchesIn(pattern: Pattern, { text, at }: Stretch, found: PatternMatch[], work: LinkWork): void {
  const matcher = pattern.whole.matcher(text);
  // What follows a match comes before the next one, so the search goes on from the match's own end.
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
