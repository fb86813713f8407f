// What a search asks for, and whether a text matches it.
import { gramsOf } from "./tokens.ts";
import { folded, isUnspaced, keyOf, plain, wordsIn } from "./words.ts";

export interface Search {
  /** Keys of words, in any order. */
  readonly words: ReadonlySet<string>;
  /** Folded parts of stretches that are written without spaces. */
  readonly stretches: ReadonlySet<string>;
  /** Plain parts of a text, signs and blanks included. */
  readonly phrases: ReadonlySet<string>;
}

/** A text in the forms in which searches compare it; each is made once, when it is first asked for. */
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
    this.foldedText ??= folded(this.text);
    return this.foldedText;
  }

  /** Keys of its words. */
  get keys(): ReadonlySet<string> {
    this.wordKeys ??= new Set(wordsIn(this.folded).map(keyOf));
    return this.wordKeys;
  }
}

/** What is searched in: any of these may have a word, one of them a phrase. */
export type Texts = readonly SearchedText[];

/** Words, and phrases in quotes; signs by themselves are looked for only where there is nothing else. */
export function parseSearch(text: string): Search {
  const quoted: string[] = [];
  const rest = text.replaceAll(/"([^"]+)"/g, (_, phrase: string) => {
    quoted.push(phrase);
    return " ";
  });
  const words = wordsIn(folded(rest));
  const phrases = quoted.filter((phrase) => phrase.trim() !== "").map(plain);
  const signs = rest
    .replaceAll('"', " ")
    .split(/\s+/)
    .filter((sign) => sign !== "");
  const isWordless = words.length === 0 && phrases.length === 0;
  return {
    words: new Set(words.filter((word) => !isUnspaced(word)).map(keyOf)),
    stretches: new Set(words.filter(isUnspaced)),
    phrases: new Set(isWordless ? signs.map(plain) : phrases),
  };
}

/** One search for all that any of these looks for. */
export function together(searches: readonly Search[]): Search {
  const all = (name: keyof Search) => new Set(searches.flatMap((search) => [...search[name]]));
  return { words: all("words"), stretches: all("stretches"), phrases: all("phrases") };
}

/** How many words and phrases it has. */
export function sizeOf({ words, stretches, phrases }: Search): number {
  return words.size + stretches.size + phrases.size;
}

export function finds(search: Search, texts: Texts): boolean {
  return hasPhrases(search, texts) && hasWords(search, texts);
}

function hasPhrases({ phrases }: Search, texts: Texts): boolean {
  return all(phrases, (phrase) => texts.some((text) => text.plain.includes(phrase)));
}

function hasWords({ words, stretches }: Search, texts: Texts): boolean {
  return (
    all(stretches, (stretch) => texts.some((text) => text.folded.includes(stretch))) &&
    all(words, (word) => texts.some((text) => text.keys.has(word)))
  );
}

function all(parts: Iterable<string>, holds: (part: string) => boolean): boolean {
  for (const part of parts) if (!holds(part)) return false;
  return true;
}

/** The more, the fewer texts are looked at in vain, and the longer each look at the index takes. */
const mostTokens = 5;

/**
 * Tokens that the index has for every text that the search finds, the most telling first: what two words share where
 * they meet is rarer than either. None where the search has nothing that the index knows.
 */
export function tokensFor({ words, stretches, phrases }: Search): string[] {
  const grams = [...phrases].map(gramsOf);
  const seams = grams.flat().filter((gram) => gram.includes("_"));
  const thirds = grams.flatMap((list) => list.filter((gram, i) => !gram.includes("_") && i % 3 === 0));
  const pairs = [...stretches].flatMap((stretch) => longest(gramsOf(stretch)));
  const byLength = [...words].sort((a, b) => b.length - a.length);
  return [...new Set([...byLength, ...pairs, ...seams, ...thirds])].slice(0, mostTokens);
}

/** The longest ASCII text that everything the search finds contains, whatever the case; null where there is none. */
export function literalFor({ phrases }: Search): string | null {
  const parts = [...phrases].flatMap((phrase) => phrase.match(/[\x01-\x7f]+/g) ?? []);
  return parts.reduce<string | null>((best, part) => (part.length > (best?.length ?? 0) ? part : best), null);
}

/** Of the grams of a stretch, the pairs, which say all that the single characters do; of one character, itself. */
function longest(grams: string[]): string[] {
  const pairs = grams.filter((gram) => [...gram].length > 1);
  return pairs.length > 0 ? pairs : grams;
}
