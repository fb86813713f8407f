// The tokens that the full-text index holds of a text. The index splits tokens at blanks only; plain letters and digits
// are words, a leading `~` marks grams (parts of words) and a leading `_` facts.
import { fold, isUnspaced, keyOf, wordsIn } from "./words.ts";

/** The tokens of a text, each preceded by a blank: its words and their grams. */
export function tokensOf(text: string): string {
  return tokensOfAscii(text.toLowerCase()) ?? tokensOfWords(wordsIn(fold(text)));
}

function tokensOfWords(words: readonly string[]): string {
  const tokens: string[] = [];
  let before = "";
  for (const word of words) {
    if (isUnspaced(word)) {
      tokens.push(pairs(word));
      before = "";
    } else {
      if (before !== "") tokens.push(across(before, word));
      tokens.push(keyAndTriples(word));
      before = word;
    }
  }
  // Joined and not added up: the engine copies a sum of many texts only when it is used, and more slowly.
  return tokens.join("");
}

const isInWords = new Uint8Array(128);
for (const sign of "abcdefghijklmnopqrstuvwxyz0123456789") isInWords[sign.charCodeAt(0)] = 1;

/** The tokens of a text as they are written: most texts are short. */
const usual = Buffer.allocUnsafe(65_536);
/** At most so many for a character: a gram within its word, one across two words, and its share of the word's key. */
const bytesPerCharacter = 16;

const blank = 0x20;
const tilde = 0x7e;
const underscore = 0x5f;

/** The tokens of a text in lower case, in one pass; null if it is not ASCII. */
function tokensOfAscii(text: string): string | null {
  const needed = (text.length + 1) * bytesPerCharacter;
  const bytes = needed <= usual.length ? usual : Buffer.allocUnsafe(needed);
  let at = 0;
  let start = -1;
  let hash = 0;
  let lastBefore = -1;
  texts++;
  for (let i = 0; i <= text.length; i++) {
    const code = i < text.length ? text.charCodeAt(i) : 0;
    if (code > 0x7f) return null;
    if (isInWords[code] === 1) {
      if (start < 0) {
        start = i;
        hash = 0;
      }
      hash = (Math.imul(hash, 31) + code) | 0;
    } else if (start >= 0) {
      if (lastBefore >= 0) {
        bytes[at++] = blank;
        bytes[at++] = tilde;
        bytes[at++] = lastBefore;
        bytes[at++] = underscore;
        bytes[at++] = text.charCodeAt(start);
      }
      const key = keyAt(text, start, i, hash);
      if (key !== null) at = writeWord(bytes, at, { text, start, end: i, key });
      lastBefore = text.charCodeAt(i - 1);
      start = -1;
    }
  }
  return bytes.toString("latin1", 0, at);
}

interface Word {
  text: string;
  start: number;
  end: number;
  key: string;
}

/** Writes a word's key and the grams within it, as `keyAndTriples`; returns where they end. */
function writeWord(bytes: Buffer, from: number, { text, start, end, key }: Word): number {
  let at = from;
  bytes[at++] = blank;
  for (let i = 0; i < key.length; i++) bytes[at++] = key.charCodeAt(i);
  for (let i = start; i + 3 <= end; i++) {
    bytes[at++] = blank;
    bytes[at++] = tilde;
    bytes[at++] = text.charCodeAt(i);
    bytes[at++] = text.charCodeAt(i + 1);
    bytes[at++] = text.charCodeAt(i + 2);
  }
  return at;
}

/** Words and their keys, because people repeat words; a word's hash says where. */
const maxRemembered = 16_384;
const remembered = {
  words: [] as string[],
  keys: [] as string[],
  /** The text in which each was found last. */
  texts: new Float64Array(maxRemembered),
};
/** Counts texts. */
let texts = 0;
const maxRememberedLength = 24;

/**
 * `keyOf` the word at this place in a text, or null if the text had the word before: the index only holds which tokens a message has. A
 * known word is compared in its place, without making a string of it.
 */
function keyAt(text: string, start: number, end: number, hash: number): string | null {
  const at = (hash ^ (hash >>> 15)) & (maxRemembered - 1);
  const known = remembered.words[at];
  if (known?.length === end - start && text.startsWith(known, start)) {
    if (remembered.texts[at] === texts) return null;
    remembered.texts[at] = texts;
    return remembered.keys[at] as string;
  }
  const word = text.slice(start, end);
  const key = keyOf(word);
  if (word.length <= maxRememberedLength) {
    // A copy, because a slice would keep the whole text in memory.
    remembered.words[at] = Buffer.from(word, "latin1").toString("latin1");
    remembered.keys[at] = key === word ? (remembered.words[at] as string) : key;
    remembered.texts[at] = texts;
  }
  return key;
}

/** A word's key and the grams within it. */
function keyAndTriples(word: string): string {
  return [" ", keyOf(word), triples(word)].join("");
}

/** The grams that every text has which contains the given text. */
export function gramsOf(text: string): string[] {
  return gramsIn(wordsIn(fold(text)))
    .split(" ")
    .slice(1);
}

/**
 * Every three characters in a row, also across two words: `~ing`, `~s_i`. For scripts without spaces, every single
 * character and every two.
 */
function gramsIn(words: readonly string[]): string {
  let grams = "";
  let before = "";
  for (const word of words) {
    if (isUnspaced(word)) grams += pairs(word);
    else grams += (before === "" ? "" : across(before, word)) + triples(word);
    before = isUnspaced(word) ? "" : word;
  }
  return grams;
}

/** The gram of the last character of a word and the first of the next. */
function across(word: string, next: string): string {
  return ` ~${word[word.length - 1]}_${next[0]}`;
}

function triples(word: string): string {
  let grams = "";
  for (let i = 0; i + 3 <= word.length; i++) grams += ` ~${word.slice(i, i + 3)}`;
  return grams;
}

function pairs(text: string): string {
  let grams = "";
  let before = "";
  for (const character of text) {
    grams += ` ${character}`;
    if (before !== "") grams += ` ${before}${character}`;
    before = character;
  }
  return grams;
}

/** The token of a fact about a message, such as its channel. */
export function factToken(kind: string, value: string | number = ""): string {
  const key = typeof value === "number" ? value : fold(value).replaceAll(/[^\p{L}\p{N}]/gu, "_");
  return `_${kind}_${key}`;
}
