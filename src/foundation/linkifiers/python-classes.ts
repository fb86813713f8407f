// Translates Python's character classes and sets to RE2.
import type { Flags } from "./python-reader.ts";

/** Code points from the first to the last. */
export type CodeRange = readonly [first: number, last: number];

/** A part of a set: a range, or the letter of a class such as `w`. */
export type SetPart = CodeRange | string;

const notLowLine =
  "\\p{Pd}\\p{Ps}\\p{Pe}\\p{Pi}\\p{Pf}\\p{Po}\\x{203f}\\x{2040}\\x{2054}\\x{fe33}\\x{fe34}\\x{fe4d}-\\x{fe4f}\\x{ff3f}";

// In RE2, `\d`, `\s` and `\w` are ASCII only. Each class is in the form used inside brackets.
const unicodeClasses: Readonly<Record<string, string>> = {
  d: "\\p{Nd}",
  D: "\\P{Nd}",
  s: "\\t-\\r\\x1c- \\x85\\xa0\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}",
  S:
    "\\x00-\\x08\\x0e-\\x1b!-\\x{84}\\x{86}-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}" +
    "\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{10ffff}",
  w: "\\pL\\pN_",
  W: `\\pM\\pS\\pZ\\pC${notLowLine}`,
};

const asciiClasses: Readonly<Record<string, string>> = {
  d: "0-9",
  D: "\\x00-/:-\\x{10ffff}",
  s: "\\t-\\r ",
  S: "\\x00-\\x08\\x0e-\\x1f!-\\x{10ffff}",
  w: "0-9A-Z_a-z",
  W: "\\x00-/:-@\\[-\\^`{-\\x{10ffff}",
};

/** Translates a class such as `\w` outside brackets, by its letter. */
export function spellClass(letter: string, flags: Flags): string {
  // Only this complement is also right for characters that are newer than the engine.
  return letter === "W" && !flags.ascii ? "[^\\pL\\pN_]" : `[${classWithin(letter, flags)}]`;
}

function classWithin(letter: string, flags: Flags): string {
  return (flags.ascii ? asciiClasses : unicodeClasses)[letter] ?? "";
}

export function spellSet(parts: readonly SetPart[], isNegated: boolean, flags: Flags): string {
  const spelled = parts.map((part) =>
    typeof part === "string" ? classWithin(part, flags) : withOtherCase(part, flags).map(spellRange).join(""),
  );
  const set = `[${isNegated ? "^" : ""}${spelled.join("")}]`;
  return flags.ignoreCase && !flags.ascii ? `(?i:${set})` : set;
}

export function spellCharacter(code: number, flags: Flags): string {
  if (!flags.ignoreCase) return spellCode(code);
  if (flags.ascii) return spellSet([[code, code]], false, flags);
  return `(?i:${spellCode(code)})`;
}

/** RE2 has no flag to ignore case for ASCII only, so the set contains both cases. */
function withOtherCase(range: CodeRange, { ignoreCase, ascii }: Flags): CodeRange[] {
  if (!ignoreCase || !ascii) return [range];
  return [range, ...shiftRange(range, "A", 32), ...shiftRange(range, "a", -32)];
}

function shiftRange([first, last]: CodeRange, letter: "A" | "a", by: number): CodeRange[] {
  const from = Math.max(first, letter.charCodeAt(0));
  const to = Math.min(last, letter.charCodeAt(0) + 25);
  return from <= to ? [[from + by, to + by]] : [];
}

function spellRange([first, last]: CodeRange): string {
  return first === last ? spellCode(first) : `${spellCode(first)}-${spellCode(last)}`;
}

function spellCode(code: number): string {
  const character = String.fromCodePoint(code);
  return /[A-Za-z0-9]/.test(character) ? character : `\\x{${code.toString(16)}}`;
}
