// Where this flavor's blocks differ from CommonMark's.
import type { MarkdownIt, RendererRule, StateBlock, Token } from "markdown-it";
import { scopeOf } from "./scope.ts";

/** Containers nested deeper than this are shown as typed; it bounds what nesting can cost. */
export const maxDepth = 24;

// What follows the marks names a language: `~~~ words ~~~` is text.
const fence = /(?:`{3,}|~{3,})[^`~\n]*$/my;
const heading = /#{1,6}[ \t]+(?![ \t])(?!#*[ \t]*$)\S/my;
const listItem = /(?:[*+-]|\d{1,9}\.)[ \t]+\S/y;
const quote = />[> \t]*(?:[^>\s]|\n[ \t]*>)/y;

export function blocks(md: MarkdownIt): void {
  only(md, "heading", (state, line) => startsWith(state, line, heading));
  quotes(md);
  md.block.ruler.at("list", joinedLists(md), { alt: ruleOf(md, "list").alt });
  only(md, "table", isFilledTable);
  md.renderer.rules.thead_close = endOfHead;
  only(md, "fence", (state, line) => startsWith(state, line, fence));
  md.renderer.rules.th_open = md.renderer.rules.td_open = (tokens, index, options, _env, renderer) => {
    const cell = tokens[index];
    // Wire: `text-align: left;`, where markdown-it writes `text-align:left`.
    for (const attr of cell?.attrs ?? []) attr[1] = `${attr[1]};`.replace(":", ": ");
    return renderer.renderToken(tokens, index, options);
  };
  md.renderer.rules.s_open = () => "<del>";
  md.renderer.rules.s_close = () => "</del>";
}

/** A table of a head alone has an empty row below it. */
const endOfHead: RendererRule = (tokens, index) => {
  if (tokens[index + 1]?.type !== "table_close") return "</thead>\n";
  const head = tokens.findLastIndex(({ type }, at) => at < index && type === "thead_open");
  const columns = tokens.slice(head, index).filter(({ type }) => type === "th_open").length;
  return `</thead>\n<tbody>\n<tr>\n${"<td></td>\n".repeat(columns)}</tr>\n</tbody>\n`;
};

/** Lines that rules may look at in vain before they look no further than they must. */
const maxWaste = 1000;
const fewLines = 20;

function lists(md: MarkdownIt): BlockRule {
  const { fn } = ruleOf(md, "list");
  return (state, line, endLine, dryRun) => {
    if (state.level >= maxDepth || !startsWith(state, line, listItem)) return false;
    // Under an item, numbers may begin with any; a paragraph might only have been broken before one.
    if (dryRun && state.listIndent >= 0 && (state.sCount[line] ?? 0) >= state.blkIndent) return true;
    if (dryRun) return fn(state, line, endLine, dryRun);
    const scope = scopeOf(state.env);
    const end = scope.wastedLines > maxWaste ? Math.min(endLine, line + fewLines) : endLine;
    const reached = acceptTwoSpaces(state, line, end);
    const isList = fn(state, line, endLine, dryRun);
    scope.wastedLines += Math.max(0, reached - state.line);
    return isList;
  };
}

const bullet = /(?!([*-])(?:[ \t]*\1){2,}[ \t]*$)[*+-][ \t]+\S/my;

/** Bullets of all kinds make one list, where CommonMark begins another with each kind. */
function joinedLists(md: MarkdownIt): BlockRule {
  const one = lists(md);
  return (state, line, endLine, dryRun) => {
    const start = state.tokens.length;
    if (!one(state, line, endLine, dryRun)) return false;
    if (dryRun || !startsWith(state, line, bullet)) return true;
    const joints: number[] = [];
    let isLoose = false;
    while (state.line < endLine && isAligned(state) && startsWith(state, state.line, bullet)) {
      const next = state.tokens.length;
      isLoose ||= state.isEmpty(state.line - 1);
      if (!one(state, state.line, endLine, false)) break;
      joints.push(next);
    }
    if (joints.length > 0) join(state, start, joints, isLoose);
    return true;
  };
}

function isAligned({ sCount, line, blkIndent }: StateBlock): boolean {
  const indent = (sCount[line] ?? 0) - blkIndent;
  return indent >= 0 && indent < 4;
}

/** Takes out where a list closes and the next one opens, and shows paragraphs in all items if any list does. */
function join(state: StateBlock, start: number, joints: readonly number[], isLoose: boolean): void {
  const dropped = new Set(joints.flatMap((joint) => [joint - 1, joint]));
  const tokens = state.tokens.splice(start).filter((_, index) => !dropped.has(start + index));
  const isOwn = (token: Token | undefined) =>
    token?.level === state.level + 2 && token.type.startsWith("paragraph");
  if (isLoose || tokens.some((token) => isOwn(token) && !token.hidden)) {
    tokens.forEach((token, index) => {
      if (isOwn(token)) token.hidden = false;
      else if (token.type === "inline" && isOwn(tokens[index - 1])) token.hidden = false;
    });
  }
  for (const token of tokens) state.tokens.push(token);
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

type BlockRule = (state: StateBlock, line: number, endLine: number, dryRun: boolean) => boolean;

/** Leaves to the paragraph what one of markdown-it's rules would take too eagerly. */
function only(md: MarkdownIt, name: string, accepts: BlockRule): void {
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
  for (let next = state.skipEmptyLines(line + 1); next < endLine && !state.isEmpty(next); next++) {
    const indent = state.sCount[next] ?? 0;
    const isNarrow = indent >= column + 2 && indent < column + width;
    if (isNarrow && startsWith(state, next, listItem)) return width - 2;
    // Text of the item may come before its list; other blocks keep their columns.
    if (!isNarrow || "`~>".includes(state.src.charAt(lineStart(state, next)))) return 0;
  }
  return 0;
}
