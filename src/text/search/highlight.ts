// Highlights search matches in HTML. Only text between tags changes, so the result is as safe as the input.
import { runSync, type Task } from "@/kernel/lib/tasks.ts";
import { decodeText, htmlParts, isTag, tagName } from "@/text/html/html-parts.ts";
import { type Search, together } from "./search.ts";
import { fold, isUnspaced, keyOf, plain, wordPlaces, wordsIn } from "./words.ts";

/** Start and end (exclusive), in UTF-16 units. */
type Range = readonly [number, number];

const mark = ['<span class="highlight">', "</span>"] as const;

/** As `highlighter`, at once. */
export function highlight(html: string, searches: readonly Search[]): string {
  return runSync(highlighter(searches)(html));
}

/**
 * Wraps all that the searches look for, in linear time and in one pass whatever their number; formulas, whose inside is
 * not for readers, stay whole.
 */
export function highlighter(searches: readonly Search[]): (html: string) => Task<string> {
  const placesIn = finder(together(searches));
  return function* (html) {
    let result = "";
    let isFormula = false;
    for (const part of htmlParts(html)) {
      if (isTag(part)) isFormula = isFormula ? part !== "</math>" : tagName(part) === "math";
      const isText = !isFormula && !isTag(part);
      result += isText ? highlightText(part, placesIn) : part;
      yield Math.ceil(part.length / charactersPerRow);
    }
    return result;
  };
}

/** How much text costs as much as a row that is read. */
const charactersPerRow = 50;

function highlightText(html: string, placesIn: (text: string) => Range[]): string {
  if (html.trim() === "") return html;
  const { text, origin } = decodeText(html);
  const ranges = joinRanges(placesIn(text));
  let result = "";
  let done = 0;
  for (const [from, to] of ranges) {
    result += html.slice(done, origin(from)) + mark[0] + html.slice(origin(from), origin(to)) + mark[1];
    done = origin(to);
  }
  return result + html.slice(done);
}

const maxRemembered = 20_000;

/** Finds what a search looks for in one text after another; a word that comes again is not folded again. */
function finder(search: Search): (text: string) => Range[] {
  const remembered = new Map<string, readonly Range[]>();
  const placesInWord = (word: string): readonly Range[] => {
    const known = remembered.get(word);
    if (known) return known;
    const found = [...placesWithin(search, word)];
    if (remembered.size >= maxRemembered) remembered.clear();
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
  const parts = wordsIn(fold(word));
  if (parts.some((part) => !isUnspaced(part) && search.words.has(keyOf(part)))) yield [0, word.length];
  else if (search.runs.size > 0) yield* partsOf(word, search.runs, fold);
}

/** Where the parts occur in the text, after `alike` has normalized both. */
function* partsOf(text: string, parts: Iterable<string>, alike: (text: string) => string): Generator<Range> {
  const whole = alike(text);
  const { same, origin } = whole.length === text.length ? keepSame(whole) : pieceByPiece(text, alike);
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

function keepSame(same: string): Alike {
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
function joinRanges(ranges: Range[]): Range[] {
  const sorted = ranges.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const result: [number, number][] = [];
  for (const [from, to] of sorted) {
    const last = result.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else result.push([from, to]);
  }
  return result;
}
