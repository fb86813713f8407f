// Highlights search matches in HTML. Only text between tags changes, so the result is as safe as the input.
import { atOnce, type Steps } from "@/kernel/steps.ts";
import { type Search, together } from "./search.ts";
import { folded, isUnspaced, keyOf, plain, wordPlaces, wordsIn } from "./words.ts";

/** Start and end (exclusive), in UTF-16 units. */
type Range = readonly [number, number];

const mark = ['<span class="highlight">', "</span>"] as const;
const formula = { start: "<math", end: "</math>" };

/** As `highlighter`, at once. */
export function highlighted(html: string, searches: readonly Search[]): string {
  return atOnce(highlighter(searches)(html));
}

/**
 * Wraps all that the searches look for, in linear time and in one pass whatever their number; formulas, whose inside is
 * not for readers, stay whole.
 */
export function highlighter(searches: readonly Search[]): (html: string) => Steps<string> {
  const placesIn = finder(together(searches));
  return function* (html) {
    let result = "";
    for (let at = 0; at < html.length; ) {
      const tag = html.indexOf("<", at);
      const textEnd = tag < 0 ? html.length : tag;
      result += highlightedText(html.slice(at, textEnd), placesIn);
      yield Math.ceil((textEnd - at) / charactersPerRow);
      at = tag < 0 ? html.length : tagEnd(html, tag);
      result += html.slice(textEnd, at);
    }
    return result;
  };
}

/** How much text costs as much as a row that is read. */
const charactersPerRow = 50;

/** Where a tag ends, or a whole formula; a `>` within an attribute's quotes ends nothing. */
function tagEnd(html: string, start: number): number {
  if (html.startsWith(formula.start, start)) {
    const end = html.indexOf(formula.end, start);
    return end < 0 ? html.length : end + formula.end.length;
  }
  let quote = "";
  for (let at = start; at < html.length; at++) {
    const character = html[at] as string;
    if (quote !== "") quote = character === quote ? "" : quote;
    else if (character === '"' || character === "'") quote = character;
    else if (character === ">") return at + 1;
  }
  return html.length;
}

function highlightedText(html: string, placesIn: (text: string) => Range[]): string {
  if (html.trim() === "") return html;
  const { text, origin } = decoded(html);
  const ranges = joined(placesIn(text));
  let result = "";
  let done = 0;
  for (const [from, to] of ranges) {
    result += html.slice(done, origin(from)) + mark[0] + html.slice(origin(from), origin(to)) + mark[1];
    done = origin(to);
  }
  return result + html.slice(done);
}

const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: "\u00a0" };
/** Replaces entities that are not decoded here. */
const unknown = "\u0000";

/** The text as readers see it, and the position of each of its characters in the HTML. */
function decoded(html: string): { text: string; origin: (at: number) => number } {
  if (!html.includes("&")) return { text: html, origin: (at) => at };
  const origins: number[] = [];
  let text = "";
  for (const { 0: piece, 1: entity, index } of html.matchAll(/&(#?\w+);|[^&]+|&/g)) {
    const characters = entity === undefined ? piece : characterOf(entity);
    for (let i = 0; i < characters.length; i++) origins.push(entity === undefined ? index + i : index);
    text += characters;
  }
  return { text, origin: (at) => origins[at] ?? html.length };
}

function characterOf(entity: string): string {
  const code = /^#x/i.test(entity) ? Number.parseInt(entity.slice(2), 16) : Number(entity.slice(1));
  if (!entity.startsWith("#")) return entities[entity] ?? unknown;
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : unknown;
}

const mostRemembered = 20_000;

/** Finds what a search looks for in one text after another; a word that comes again is not folded again. */
function finder(search: Search): (text: string) => Range[] {
  const remembered = new Map<string, readonly Range[]>();
  const placesInWord = (word: string): readonly Range[] => {
    const known = remembered.get(word);
    if (known) return known;
    const found = [...placesWithin(search, word)];
    if (remembered.size >= mostRemembered) remembered.clear();
    remembered.set(word, found);
    return found;
  };
  const hasWords = search.words.size + search.runs.size > 0;
  return (text) => {
    const places = hasWords ? [...wordPlaces(text)] : [];
    const inWords = places.flatMap(([from, to]) =>
      placesInWord(text.slice(from, to)).map(([first, last]): Range => [from + first, from + last]),
    );
    return search.phrases.size > 0 ? [...inWords, ...partsOf(text, search.phrases, plain)] : inWords;
  };
}

function* placesWithin(search: Search, word: string): Generator<Range> {
  const parts = wordsIn(folded(word));
  if (parts.some((part) => !isUnspaced(part) && search.words.has(keyOf(part)))) yield [0, word.length];
  else if (search.runs.size > 0) yield* partsOf(word, search.runs, folded);
}

/** Where the parts occur in the text, after `alike` has normalized both. */
function* partsOf(text: string, parts: Iterable<string>, alike: (text: string) => string): Generator<Range> {
  const whole = alike(text);
  const { same, origin } = whole.length === text.length ? unchanged(whole) : pieceByPiece(text, alike);
  for (const part of parts) {
    for (let at = same.indexOf(part); at >= 0; at = same.indexOf(part, at + part.length)) {
      yield [origin(at), origin(at + part.length - 1, "end")];
    }
  }
}

interface Alike {
  same: string;
  /** Where the original of this character starts or ends. */
  origin: (at: number, side?: "end") => number;
}

function unchanged(same: string): Alike {
  return { same, origin: (at, side) => (side === "end" ? at + 1 : at) };
}

function pieceByPiece(text: string, alike: (text: string) => string): Alike {
  const starts: number[] = [];
  const ends: number[] = [];
  let same = "";
  let at = 0;
  for (const character of text) {
    const piece = alike(character);
    for (let i = 0; i < piece.length; i++) {
      starts.push(at);
      ends.push(at + character.length);
    }
    same += piece;
    at += character.length;
  }
  return { same, origin: (i, side) => (side === "end" ? ends[i] : starts[i]) ?? text.length };
}

/** Merges overlapping ranges, in order. */
function joined(ranges: Range[]): Range[] {
  const sorted = ranges.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const result: [number, number][] = [];
  for (const [from, to] of sorted) {
    const last = result.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else result.push([from, to]);
  }
  return result;
}
