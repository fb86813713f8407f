// What a search asks for, and whether a text matches it.
import { gramsOf } from "./tokens.ts";
import { fold, isUnspaced, keyOf, plain, wordsIn } from "./words.ts";

export interface Search {
  /** Keys of words (see `keyOf`), in any order. */
  readonly words: ReadonlySet<string>;
  /** Folded parts of text that is written without spaces. */
  readonly runs: ReadonlySet<string>;
  /** Parts of the text as quoted, including punctuation and spaces. */
  readonly phrases: ReadonlySet<string>;
}

/** A text in the forms in which searches compare it; each form is computed on first use. */
export class SearchedText {
  private plainText: string | undefined;
  private foldedText: string | undefined;
  private wordKeys: ReadonlySet<string> | undefined;

  constructor(private readonly text: string) {}

  get plain(): string {
    this.plainText ??= plain(this.text);
    return this.plainText;
  }

  get folded(): string {
    this.foldedText ??= fold(this.text);
    return this.foldedText;
  }

  /** Keys of its words. */
  get keys(): ReadonlySet<string> {
    this.wordKeys ??= new Set(wordsIn(this.folded).map(keyOf));
    return this.wordKeys;
  }
}

/** The texts to search: a word may be in any of them, a phrase must be in one. */
export type Texts = readonly SearchedText[];

/** Reads words, and phrases in quotes. Searches for punctuation only if there is nothing else. */
export function parseSearch(text: string): Search {
  const quoted: string[] = [];
  const rest = text.replaceAll(/"([^"]+)"/g, (_, phrase: string) => {
    quoted.push(phrase);
    return " ";
  });
  const words = wordsIn(fold(rest));
  const phrases = quoted.filter((phrase) => phrase.trim() !== "").map(plain);
  const signs = rest
    .replaceAll('"', " ")
    .split(/\s+/)
    .filter((sign) => sign !== "");
  const isWordless = words.length === 0 && phrases.length === 0;
  return {
    words: new Set(words.filter((word) => !isUnspaced(word)).map(keyOf)),
    runs: new Set(words.filter(isUnspaced)),
    phrases: new Set(isWordless ? signs.map(plain) : phrases),
  };
}

/** One search for all that any of these looks for. */
export function together(searches: readonly Search[]): Search {
  const all = (name: keyof Search) => new Set(searches.flatMap((search) => [...search[name]]));
  return { words: all("words"), runs: all("runs"), phrases: all("phrases") };
}

/** How many words and phrases it has. */
export function sizeOf({ words, runs, phrases }: Search): number {
  return words.size + runs.size + phrases.size;
}

export function finds(search: Search, texts: Texts): boolean {
  return hasPhrases(search, texts) && hasWords(search, texts);
}

function hasPhrases({ phrases }: Search, texts: Texts): boolean {
  return all(phrases, (phrase) => texts.some((text) => text.plain.includes(phrase)));
}

function hasWords({ words, runs }: Search, texts: Texts): boolean {
  return (
    all(runs, (run) => texts.some((text) => text.folded.includes(run))) &&
    all(words, (word) => texts.some((text) => text.keys.has(word)))
  );
}

function all(parts: Iterable<string>, holds: (part: string) => boolean): boolean {
  for (const part of parts) if (!holds(part)) return false;
  return true;
}

/** As many as a search may want to choose from. */
const maxTokens = 10;

/**
 * Tokens that the index holds for every matching text, the most selective first: trigrams across word boundaries are
 * rarer than the words themselves. Empty if the index cannot help with this search.
 */
export function tokensFor({ words, runs, phrases }: Search): string[] {
  const seams = [...phrases].flatMap(gramsOf).filter((gram) => gram.includes("_"));
  const thirds = [...phrases].flatMap((phrase) => wordsIn(fold(phrase)).flatMap(coverOf));
  const pairs = [...runs].flatMap((run) => longest(gramsOf(run)));
  const byLength = [...words].sort((a, b) => b.length - a.length);
  return [...new Set([...byLength, ...pairs, ...seams, ...thirds])].slice(0, maxTokens);
}

/** Few grams that together hold every character of a word. */
function coverOf(word: string): string[] {
  const grams = gramsOf(word);
  return grams.filter((_, i) => i % 3 === 0 || i === grams.length - 1);
}

/** The longest ASCII text that every match contains, ignoring case, or null. */
export function literalFor({ phrases }: Search): string | null {
  const parts = [...phrases].flatMap((phrase) => phrase.match(/[\x01-\x7f]+/g) ?? []);
  return parts.reduce<string | null>((best, part) => (part.length > (best?.length ?? 0) ? part : best), null);
}

/** Drops single characters where there are pairs, which contain them. */
function longest(grams: string[]): string[] {
  const pairs = grams.filter((gram) => [...gram].length > 1);
  return pairs.length > 0 ? pairs : grams;
}
