// Reads what follows a backslash in Python's patterns.
import { type PatternReader, peek, refuse, take } from "./python-reader.ts";

/** A character by its code, a class by its letter, or an anchor as RE2 spells it. */
export type Escape = { code: number } | { class: string } | { anchor: string };

const controls: Readonly<Record<string, number>> = { a: 7, f: 12, n: 10, r: 13, t: 9, v: 11, "\\": 92 };
// RE2's `\b` knows only ASCII words, and RE2 has no alternative.
const anchors: Readonly<Record<string, string>> = { A: "\\A", Z: "\\z", b: "\\b", B: "\\B" };
const hexDigits: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

/** Reads what follows the backslash. */
export function readEscape(reader: PatternReader, inBrackets: boolean): Escape {
  const letter = take(reader);
  if (letter === "") refuse("a backslash at the end", reader);
  if (inBrackets && letter === "b") return { code: 8 };
  const anchor = anchors[letter];
  if (anchor !== undefined && !inBrackets) return { anchor };
  if (/[dDsSwW]/.test(letter)) return { class: letter };
  const control = controls[letter];
  if (control !== undefined) return { code: control };
  const digits = hexDigits[letter];
  if (digits !== undefined) return { code: readHex(reader, letter, digits) };
  if (/[0-9]/.test(letter)) return { code: readOctal(reader, letter, inBrackets) };
  if (letter === "N") {
    refuse("characters by name are not supported: write the character, or its code as in \\u00e9", reader);
  }
  if (/[A-Za-z]/.test(letter)) refuse(`\\${letter} means nothing in Python's regular expressions`, reader);
  return { code: letter.codePointAt(0) ?? 0 };
}

function readHex(reader: PatternReader, letter: string, length: number): number {
  const digits = takeDigits(reader, /[0-9A-Fa-f]/, length);
  if (digits.length < length) refuse(`\\${letter} takes ${length} hexadecimal digits`, reader);
  const code = Number.parseInt(digits, 16);
  return code <= 0x10ffff ? code : refuse("there is no character of this code", reader);
}

/** `\0`, `\012` and `\101` are characters; other numbers refer to groups, which brackets do not allow. */
function readOctal(reader: PatternReader, first: string, inBrackets: boolean): number {
  const rest = reader.characters.slice(reader.at, reader.at + 2).join("");
  const isOctal =
    first === "0" || (inBrackets ? /[0-7]/ : /^[0-7]{3}$/).test(inBrackets ? first : first + rest);
  if (!isOctal) {
    if (inBrackets) refuse(`\\${first} means nothing in brackets`, reader);
    refuse(`backreferences such as \\${first} are not supported`, reader);
  }
  const code = Number.parseInt(first + takeDigits(reader, /[0-7]/, 2), 8);
  return code <= 0o377 ? code : refuse("an octal code is at most 377", reader);
}

function takeDigits(reader: PatternReader, digit: RegExp, max: number): string {
  let digits = "";
  while (digits.length < max && digit.test(peek(reader))) digits += take(reader);
  return digits;
}
