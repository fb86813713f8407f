// The words of a text, in whatever script: what the index holds, what a search asks for and what is highlighted all
// come from here.
import { stem } from "./stem.ts";

const ascii = /^[\x00-\x7f]*$/;
/** Accents, vowel signs of Hebrew and Arabic, and what only chooses between shapes of a character; no sounds of kana. */
const marks = /[[\p{Mn}&&[\p{sc=Zinh}\p{sc=Hebr}\p{sc=Arab}]]--[\u3099\u309a]]|\u0640/gv;
const ligatures: Record<string, string> = { ß: "ss", æ: "ae", œ: "oe", ø: "o", đ: "d", ł: "l", ı: "i" };

/** The text without what people leave out when they search: case, accents, widths of characters. */
export function folded(text: string): string {
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

/** The text as quoted phrases compare it: without regard to case alone. */
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

/** Words of folded text; of scripts that write words without spaces, and of symbols, whole stretches. */
export function wordsIn(text: string): string[] {
  return text.match(ascii.test(text) ? asciiWords : words) ?? [];
}

/** Whether a word of `wordsIn` is a stretch in which each part may be one. */
export function isUnspaced(word: string): boolean {
  return word.charCodeAt(0) > 0x7f && unspaced.test(word);
}

const longestWord = 64;

/** What two words must share to count as the same. */
export function keyOf(word: string): string {
  return stem(word.length > longestWord ? word.slice(0, longestWord) : word);
}

/** Where the words of a text as written stand, combining marks behind them included. */
export function* wordPlaces(text: string): Generator<readonly [number, number]> {
  for (const { 0: word, index } of text.matchAll(ascii.test(text) ? asciiWordsAsWritten : wordsAsWritten)) {
    yield [index, index + word.length];
  }
}
