// The tokens that the full-text index holds of a text. The index splits tokens at blanks only; plain letters and digits
// are words, a leading `~` marks grams (parts of words) and a leading `_` facts.
import { folded, isUnspaced, keyOf, wordsIn } from "./words.ts";

/** The tokens of a text, each preceded by a blank: its words and their grams. */
export function tokensOf(text: string): string {
  const tokens: string[] = [];
  let before = "";
  for (const word of wordsIn(folded(text))) {
    if (isUnspaced(word)) {
      tokens.push(pairs(word));
      before = "";
    } else {
      if (before !== "") tokens.push(across(before, word));
      tokens.push(tokensOfWord(word));
      before = word;
    }
  }
  // Joined and not added up: the engine copies a sum of many texts only when it is used, and more slowly.
  return tokens.join("");
}

const remembered = new Map<string, string>();
const maxRemembered = 20_000;
const maxRememberedLength = 24;

/** A word's key and the grams within it, remembered, because people repeat words. */
function tokensOfWord(word: string): string {
  const known = remembered.get(word);
  if (known !== undefined) return known;
  const tokens = [" ", keyOf(word), triples(word)].join("");
  if (word.length > maxRememberedLength) return tokens;
  if (remembered.size >= maxRemembered) remembered.clear();
  remembered.set(word, tokens);
  return tokens;
}

/** The grams that every text has which contains the given text. */
export function gramsOf(text: string): string[] {
  return gramsIn(wordsIn(folded(text)))
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
  const key = typeof value === "number" ? value : folded(value).replaceAll(/[^\p{L}\p{N}]/gu, "_");
  return `_${kind}_${key}`;
}
