// Splits texts of any script into words. The index, searches and highlighting all use this.
import { stem } from "./stem.ts";

const ascii = /^[\x00-\x7f]*$/;
/** Accents, Hebrew and Arabic vowel signs, and characters that only select a glyph; not the voicing marks of kana. */
const marks = /[[\p{Mn}&&[\p{sc=Zinh}\p{sc=Hebr}\p{sc=Arab}]]--[\u3099\u309a]]|\u0640/gv;
const ligatures: Record<string, string> = { ß: "ss", æ: "ae", œ: "oe", ø: "o", đ: "d", ł: "l", ı: "i" };

/** The text without what people leave out when they search: case, accents, character widths. */
export function fold(text: string): string {
  const lower = text.toLowerCase();
  if (ascii.test(lower)) return lower;
  return lower
    .normalize("NFKD")
    .replace(marks, "")
    .normalize("NFC")
    .toLowerCase()
    .replaceAll("ς", "σ")
    .replaceAll(/[ßæœøđłı]/g, (letter) => ligatures[letter] ?? letter);
}

/** The text as quoted phrases are compared: ignoring case only. */
export function plain(text: string): string {
  const lower = text.toLowerCase();
  return ascii.test(lower) ? lower : lower.normalize("NFC").replaceAll("ς", "σ");
}

const asciiWords = /[a-z0-9]+/g;
const unspacedClass =
  "[[\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{sc=Hang}\\p{sc=Thai}\\p{sc=Laoo}\\p{sc=Khmr}\\p{sc=Mymr}]" +
  "&&[\\p{L}\\p{N}\\p{M}]]\\p{So}\\p{Extended_Pictographic}";
const words = new RegExp(`[${unspacedClass}]+|[[\\p{L}\\p{N}\\p{M}]--[${unspacedClass}]]+`, "gv");
const wordsAsWritten = new RegExp(
  `(?:[${unspacedClass}]\\p{M}*)+|[[\\p{L}\\p{N}\\p{M}]--[${unspacedClass}]]+`,
  "gv",
);
const asciiWordsAsWritten = /[a-z0-9]+/gi;
const unspaced = new RegExp(`^[${unspacedClass}]`, "v");

/** The words of folded text; for scripts without spaces and for symbols, whole runs. */
export function wordsIn(text: string): string[] {
  return text.match(ascii.test(text) ? asciiWords : words) ?? [];
}

/** Whether this item of `wordsIn` is a run of characters without spaces, in which any part may be a word. */
export function isUnspaced(word: string): boolean {
  return word.charCodeAt(0) > 0x7f && unspaced.test(word);
}

const maxWordLength = 64;

/** Words with the same key count as the same word. */
export function keyOf(word: string): string {
  return stem(word.length > maxWordLength ? word.slice(0, maxWordLength) : word);
}

/** The positions of the words in the original text, including combining marks that follow. */
export function* wordPlaces(text: string): Generator<readonly [number, number]> {
  for (const { 0: word, index } of text.matchAll(ascii.test(text) ? asciiWordsAsWritten : wordsAsWritten)) {
    yield [index, index + word.length];
  }
}
