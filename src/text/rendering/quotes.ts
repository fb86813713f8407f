// Where this dialect's `>` quotes differ from CommonMark's.
import type { MarkdownIt, StateBlock } from "markdown-it";
import { type BlockRule, lineStart, maxDepth, maxWaste, ruleOf } from "./blocks.ts";
import { scopeOf } from "./scope.ts";

export function quotes(md: MarkdownIt): void {
  md.block.ruler.at("blockquote", quote, { alt: ruleOf(md, "blockquote").alt });
}

/**
 * A quote takes the following lines up to a blank one before it finds that they do not continue its paragraph. Once a text
 * has wasted too much work this way, its quotes take only lines that begin with `>`.
 */
const quote: BlockRule = (state, line, endLine, dryRun) => {
  if (state.level >= maxDepth || !opensQuote(state, line, endLine)) return false;
  if (dryRun) return true;
  const scope = scopeOf(state.env);
  const end = scope.wastedLines > maxWaste ? findUnmarkedLine(state, line, endLine) : endLine;
  const taken = takeLines(state, line, end);
  const { blkIndent, lineMax, parentType } = state;
  state.blkIndent = 0;
  state.lineMax = line + taken.length;
  state.parentType = "blockquote";
  state.push("blockquote_open", "blockquote", 1);
  state.md.block.tokenize(state, line, state.lineMax);
  state.push("blockquote_close", "blockquote", -1);
  Object.assign(state, { blkIndent, lineMax, parentType });
  taken.forEach((marks, index) => {
    setMarks(state, line + index, marks);
  });
  for (let next = state.line; next < end && !state.isEmpty(next); next++) scope.wastedLines++;
  return true;
};

/** Lines with nothing but `>` are as typed, unless other lines follow before the next blank one. */
function opensQuote(state: StateBlock, line: number, endLine: number): boolean {
  if (!isMarked(state, line) || (state.sCount[line] ?? 0) - state.blkIndent >= 4) return false;
  const scope = scopeOf(state.env);
  const end = scope.wastedLines > maxWaste ? Math.min(endLine, line + 2) : endLine;
  for (let next = line; next < end && !state.isEmpty(next); next++) {
    if (!isBare(state, next)) return true;
    if (next > line) scope.wastedLines++;
  }
  return false;
}

/** Gives the lines of a quote the marks of what is in it. Returns their marks from before. */
function takeLines(state: StateBlock, line: number, endLine: number): Marks[] {
  const ends = state.md.block.ruler.getRules("blockquote");
  const { parentType } = state;
  state.parentType = "blockquote";
  const taken: Marks[] = [];
  let isAfterEmpty = false;
  for (let next = line; next < endLine && !state.isEmpty(next); next++) {
    const marks = marksOf(state, next);
    if (isMarked(state, next) && marks.sCount >= state.blkIndent) {
      setMarks(state, next, inside(state, marks, state.eMarks[next] ?? 0));
      isAfterEmpty = state.isEmpty(next);
    } else {
      // A line outside the list item that holds the quote can continue a paragraph, but begin none.
      const isOutside = marks.sCount >= 0 && marks.sCount < state.blkIndent;
      if (isAfterEmpty && isOutside) break;
      if (ends.some((rule) => rule(state, next, endLine, true))) break;
      // Less than no indent: it continues a paragraph, or is not of the quote.
      const sCount = isAfterEmpty ? Math.max(0, marks.sCount - state.blkIndent) : -1;
      setMarks(state, next, { ...marks, sCount });
      isAfterEmpty = false;
    }
    taken.push(marks);
  }
  state.parentType = parentType;
  return taken;
}

/** Where a line begins for the rules of blocks, as markdown-it keeps it. */
interface Marks {
  bMarks: number;
  tShift: number;
  sCount: number;
  bsCount: number;
}

function marksOf({ bMarks, tShift, sCount, bsCount }: StateBlock, line: number): Marks {
  return {
    bMarks: bMarks[line] ?? 0,
    tShift: tShift[line] ?? 0,
    sCount: sCount[line] ?? 0,
    bsCount: bsCount[line] ?? 0,
  };
}

function setMarks(state: StateBlock, line: number, { bMarks, tShift, sCount, bsCount }: Marks): void {
  state.bMarks[line] = bMarks;
  state.tShift[line] = tShift;
  state.sCount[line] = sCount;
  state.bsCount[line] = bsCount;
}

/** The marks of a line after its `>` and one column of space, which may be a part of a tab. */
function inside({ src }: StateBlock, { bMarks, tShift, sCount, bsCount }: Marks, end: number): Marks {
  let column = sCount + 1;
  let start = bMarks + tShift + 1;
  const first = src[start];
  const isWholeTab = first === "\t" && (bsCount + column) % 4 === 3;
  const isSpaced = first === " " || first === "\t";
  if (first === " " || isWholeTab) {
    start++;
    column++;
  }
  const cut = isSpaced && start === bMarks + tShift + 1 ? 1 : 0;
  const from = column;
  let text = start;
  for (; text < end && (src[text] === " " || src[text] === "\t"); text++) {
    column += src[text] === "\t" ? 4 - ((column + bsCount + cut) % 4) : 1;
  }
  const begin = sCount + 1 + (isSpaced ? 1 : 0);
  return { bMarks: start, tShift: text - start, sCount: column - from, bsCount: begin };
}

function isMarked(state: StateBlock, line: number): boolean {
  return state.src.charCodeAt(lineStart(state, line)) === 62 /* > */;
}

/** Whether a line is `>` alone. */
function isBare(state: StateBlock, line: number): boolean {
  return isMarked(state, line) && state.skipSpaces(lineStart(state, line) + 1) >= (state.eMarks[line] ?? 0);
}

/** Finds the first line that does not begin with `>`. */
function findUnmarkedLine(state: StateBlock, line: number, endLine: number): number {
  let end = line + 1;
  while (end < endLine && isMarked(state, end)) end++;
  return end;
}
