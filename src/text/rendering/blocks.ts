// Where this flavor's blocks differ from CommonMark's.
import type { MarkdownIt, StateBlock } from "markdown-it";
import { scopeOf } from "./scope.ts";

/** Containers nested deeper than this are shown as typed; it bounds what nesting can cost. */
export const maxDepth = 24;

const heading = /#{1,6}[ \t]+(?![ \t])(?!#*[ \t]*$)\S/my;
const listItem = /(?:[*+-]|\d{1,9}\.)[ \t]+\S/y;
const quote = />[> \t]*(?:[^>\s]|\n[ \t]*>)/y;

export function blocks(md: MarkdownIt): void {
  only(md, "heading", (state, line) => startsWith(state, line, heading));
  quotes(md);
  lists(md);
  only(md, "table", isFilledTable);
  md.renderer.rules.th_open = md.renderer.rules.td_open = (tokens, index, options, _env, renderer) => {
    const cell = tokens[index];
    // Wire: `text-align: left;`, where markdown-it writes `text-align:left`.
    for (const attr of cell?.attrs ?? []) attr[1] = `${attr[1]};`.replace(":", ": ");
    return renderer.renderToken(tokens, index, options);
  };
  md.renderer.rules.s_open = () => "<del>";
  md.renderer.rules.s_close = () => "</del>";
}

/** Lines that rules may look at in vain before they look no further than they must. */
const maxWaste = 1000;
const fewLines = 20;

function lists(md: MarkdownIt): void {
  const { fn, alt } = ruleOf(md, "list");
  const rule: typeof fn = (state, line, endLine, dryRun) => {
    if (state.level >= maxDepth || !startsWith(state, line, listItem)) return false;
    if (dryRun) return fn(state, line, endLine, dryRun);
    const scope = scopeOf(state.env);
    const end = scope.wastedLines > maxWaste ? Math.min(endLine, line + fewLines) : endLine;
    const reached = acceptTwoSpaces(state, line, end);
    const isList = fn(state, line, endLine, dryRun);
    scope.wastedLines += Math.max(0, reached - state.line);
    return isList;
  };
  md.block.ruler.at("list", rule, { alt });
}

/**
 * markdown-it lets a quote take in the lines after it, up to a blank one, before it finds out that they do not continue
 * a paragraph of it. A text that makes it look so again and again soon gets quotes of marked lines alone.
 */
function quotes(md: MarkdownIt): void {
  const { fn, alt } = ruleOf(md, "blockquote");
  const rule: typeof fn = (state, line, endLine, dryRun) => {
    if (state.level >= maxDepth || !startsWith(state, line, quote)) return false;
    if (dryRun) return fn(state, line, endLine, dryRun);
    const scope = scopeOf(state.env);
    const end = scope.wastedLines > maxWaste ? endOfMarked(state, line, endLine) : endLine;
    const isQuote = fn(state, line, end, dryRun);
    for (let next = state.line; next < end && !state.isEmpty(next); next++) scope.wastedLines++;
    return isQuote;
  };
  md.block.ruler.at("blockquote", rule, { alt });
}

/** The first line that has no mark of a quote. */
function endOfMarked(state: StateBlock, line: number, endLine: number): number {
  let end = line + 1;
  while (end < endLine && state.src.charCodeAt(lineStart(state, end)) === 62 /* > */) end++;
  return end;
}

type BlockTest = (state: StateBlock, line: number, endLine: number, dryRun: boolean) => boolean;

/** Leaves to the paragraph what one of markdown-it's rules would take too eagerly. */
function only(md: MarkdownIt, name: string, accepts: BlockTest): void {
  const { fn, alt } = ruleOf(md, name);
  md.block.ruler.at(name, (...args) => accepts(...args) && fn(...args), { alt });
}

function ruleOf(md: MarkdownIt, name: string) {
  // Its public interface replaces rules but does not hand them out.
  const rule = md.block.ruler.__rules__.find((each) => each.name === name);
  if (!rule) throw new Error(`markdown-it has no block rule ${name}`);
  return rule;
}

function startsWith(state: StateBlock, line: number, pattern: RegExp): boolean {
  pattern.lastIndex = lineStart(state, line);
  return pattern.test(state.src);
}

export function lineStart(state: StateBlock, line: number): number {
  return (state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0);
}

const maxCells = 5000;

/** markdown-it completes short rows; a message of 10,000 characters must not become 65,000 cells. */
function isFilledTable(state: StateBlock, line: number, endLine: number): boolean {
  if (line + 1 >= endLine || !"|-:".includes(state.src.charAt(lineStart(state, line + 1)))) return false;
  const columns = state.src.slice(lineStart(state, line), state.eMarks[line]).split("|").length;
  return columns > 1 && columns * (endLine - line) <= maxCells;
}

const marker = /(\d{1,9}\.|[*+-])[ \t]+/y;

/**
 * Two spaces nest under any marker, where CommonMark wants the width of the marker.
 * So what stands under a wide one is moved right, in the columns only. Returns the line where it stopped.
 */
function acceptTwoSpaces(state: StateBlock, startLine: number, endLine: number): number {
  const column = state.sCount[startLine] ?? 0;
  const { kind } = markerAt(state, startLine);
  let shift = 0;
  for (let line = startLine; line < endLine; line++) {
    if (state.isEmpty(line)) continue;
    const indent = state.sCount[line] ?? 0;
    if (indent >= column + 2) state.sCount[line] = indent + shift;
    else {
      // Past the end of this list every look ahead would be paid for again by the next one.
      const item = markerAt(state, line);
      if (indent < column || item.kind !== kind) return line;
      shift = missingIndent(state, line, endLine, item.width);
    }
  }
  return endLine;
}

function markerAt(state: StateBlock, line: number): { kind: string; width: number } {
  marker.lastIndex = lineStart(state, line);
  const [whole = "", sign = ""] = marker.exec(state.src) ?? [];
  return { kind: sign.slice(-1), width: whole.length };
}

function missingIndent(state: StateBlock, line: number, endLine: number, width: number): number {
  const column = state.sCount[line] ?? 0;
  const next = state.skipEmptyLines(line + 1);
  const indent = state.sCount[next] ?? 0;
  const isNarrow = next < endLine && indent >= column + 2 && indent < column + width;
  return isNarrow && startsWith(state, next, listItem) ? width - 2 : 0;
}
