// What the full-text index holds of a text. Its table splits tokens at blanks and knows nothing else; letters and digits
// are words, a leading `~` marks what else there is.
import { folded, isUnspaced, keyOf, wordsIn } from "./words.ts";

/** Tokens of a text, joined by blanks: words, and what finds parts of words (`gramsOf`). */
export function tokensOf(text: string): string {
  const all = wordsIn(folded(text));
  let tokens = "";
  for (const word of all) if (!isUnspaced(word)) tokens += ` ${keyOf(word)}`;
  for (const gram of gramsOf(all)) tokens += ` ${gram}`;
  return tokens;
}

/**
 * Every three characters in a row, those between two words included: `~ing`, `~s_i`. Of scripts without spaces, every
 * character and every two. All grams of a part of a text are among those of the text.
 */
export function* gramsOf(words: readonly string[]): Generator<string> {
  let spaced: string[] = [];
  for (const word of words) {
    if (!isUnspaced(word)) spaced.push(word);
    else {
      yield* triples(spaced.join("_"));
      spaced = [];
      yield* pairs(word);
    }
  }
  yield* triples(spaced.join("_"));
}

function* triples(text: string): Generator<string> {
  for (let i = 0; i + 3 <= text.length; i++) {
    if (text[i] !== "_" && text[i + 2] !== "_") yield `~${text.slice(i, i + 3)}`;
  }
}

function* pairs(text: string): Generator<string> {
  let before = "";
  for (const character of text) {
    yield character;
    if (before !== "") yield before + character;
    before = character;
  }
}

/** The token of a fact about a message, such as the channel it is in. */
export function factToken(kind: string, value: string | number = ""): string {
  return `~${kind}_${folded(String(value)).replaceAll(/[^\p{L}\p{N}]/gu, "_")}`;
}
