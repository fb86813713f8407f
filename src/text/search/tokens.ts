// The tokens that the full-text index holds of a text. The index splits tokens at blanks only; plain letters and digits
// are words, a leading `~` marks grams (parts of words) and a leading `_` facts.
import { folded, isUnspaced, keyOf, wordsIn } from "./words.ts";

/** The tokens of a text, each preceded by a blank: its words and their grams. */
export function tokensOf(text: string): string {
  const words = wordsIn(folded(text));
  let tokens = "";
  for (const word of words) if (!isUnspaced(word)) tokens += ` ${keyOf(word)}`;
  return tokens + gramsIn(words);
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
  let spaced = "";
  for (const word of words) {
    if (!isUnspaced(word)) spaced += spaced === "" ? word : `_${word}`;
    else {
      grams += triples(spaced) + pairs(word);
      spaced = "";
    }
  }
  return grams + triples(spaced);
}

const between = "_".charCodeAt(0);

function triples(text: string): string {
  let grams = "";
  for (let i = 0; i + 3 <= text.length; i++) {
    const isWithin = text.charCodeAt(i) !== between && text.charCodeAt(i + 2) !== between;
    if (isWithin) grams += ` ~${text.slice(i, i + 3)}`;
  }
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
