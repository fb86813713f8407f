// Where this dialect's block syntax differs from CommonMark's.
import type { MarkdownIt, RendererRule, StateBlock, Token } from "markdown-it";
import { scopeOf } from "./scope.ts";

/** Limits the cost of nesting: containers nested deeper than this are shown as typed. */
export const maxDepth = 24;

const heading = /#{1,6}[ \t]+(?![ \t])(?!#*[ \t]*$)\S/my;
const listItem = /(?:[*+-]|\d{1,9}\.)[ \t]+\S/y;

export function blocks(md: MarkdownIt): void {
  only(md, "heading", (state, line) => startsWith(state, line, heading));
  md.block.ruler.at("list", joinLists(md), { alt: ruleOf(md, "list").alt });
  only(md, "table", isFilledTable);
  md.renderer.rules.thead_close = endOfHead;
  md.renderer.rules.th_open = md.renderer.rules.td_open = (tokens, index, options, _env, renderer) => {
    const cell = tokens[index];
    // Wire: `text-align: left;`, where markdown-it writes `text-align:left`.
    for (const attr of cell?.attrs ?? []) attr[1] = `${attr[1]};`.replace(":", ": ");
    return renderer.renderToken(tokens, index, options);
  };
  md.renderer.rules.s_open = () => "<del>";
  md.renderer.rules.s_close = () => "</del>";
}

/** Adds an empty body row to a table that has only a head. */
const endOfHead: RendererRule = (tokens, index) => {
  if (tokens[index + 1]?.type !== "table_close") return "</thead>\n";
  const head = tokens.findLastIndex(({ type }, at) => at < index && type === "thead_open");
  const columns = tokens.slice(head, index).filter(({ type }) => type === "th_open").length;
  return `</thead>\n<tbody>\n<tr>\n${"<td></td>\n".repeat(columns)}</tr>\n</tbody>\n`;
};

/** How many lines rules may scan without result; after that they scan only as far as they must. */
export const maxWaste = 1000;
const fewLines = 20;

function lists(md: MarkdownIt): BlockRule {
  const { fn } = ruleOf(md, "list");
  return (state, line, endLine, dryRun) => {
    if (state.level >= maxDepth || !startsWith(state, line, listItem)) return false;
    // Inside an item, a numbered list may begin with any number; only outside would it break a paragraph.
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

/** Puts bullets of all kinds in one list; CommonMark begins a new list when the bullet changes. */
function joinLists(md: MarkdownIt): BlockRule {
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

/** Removes the tokens that close one list and open the next, and makes all items loose if any of the lists is. */
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

export type BlockRule = (state: StateBlock, line: number, endLine: number, dryRun: boolean) => boolean;

/** Runs one of markdown-it's block rules only where `accepts` allows it. */
function only(md: MarkdownIt, name: string, accepts: BlockRule): void {
  const { fn, alt } = ruleOf(md, name);
  md.block.ruler.at(name, (...args) => accepts(...args) && fn(...args), { alt });
}

export function ruleOf(md: MarkdownIt, name: string) {
  // markdown-it's public interface can replace rules but not return them.
  const rule = md.block.ruler.__rules__.find((each) => each.name === name);
  if (!rule) throw new Error(`markdown-it has no block rule ${name}`);
  return rule;
}

export function startsWith(state: StateBlock, line: number, pattern: RegExp): boolean {
  pattern.lastIndex = lineStart(state, line);
  return pattern.test(state.src);
}

export function lineStart(state: StateBlock, line: number): number {
  return (state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0);
}

const maxCells = 5000;

/** markdown-it pads short rows; without this, a message of 10,000 characters could become 65,000 cells. */
function isFilledTable(state: StateBlock, line: number, endLine: number): boolean {
  if (line + 1 >= endLine || !"|-:".includes(state.src.charAt(lineStart(state, line + 1)))) return false;
  const columns = state.src.slice(lineStart(state, line), state.eMarks[line]).split("|").length;
  return columns > 1 && columns * (endLine - line) <= maxCells;
}

const marker = /(\d{1,9}\.|[*+-])[ \t]+/y;

/**
 * Lets two spaces nest under any marker; CommonMark requires the width of the marker. From the first such line of an item
 * on, its lines are shifted right (their columns only, not the text). Returns the line where it stopped.
 */
function acceptTwoSpaces(state: StateBlock, startLine: number, endLine: number): number {
  const column = state.sCount[startLine] ?? 0;
  let item = markerAt(state, startLine);
  const { kind } = item;
  let shift = 0;
  let isOver = false;
  for (let line = startLine; line < endLine; line++) {
    if (state.isEmpty(line)) continue;
    const indent = state.sCount[line] ?? 0;
    if (indent < column + 2) {
      // Stops at the end of this list; otherwise every following list would scan the same lines again.
      item = markerAt(state, line);
      if (indent < column || item.kind !== kind) return line;
      shift = 0;
      isOver = false;
    } else {
      const isNarrow = shift === 0 && indent < column + item.width;
      if (isNarrow) isOver ||= endsItem(state, line);
      if (isNarrow && !isOver && nests(state, line)) shift = item.width - 2;
      state.sCount[line] = indent + shift;
    }
  }
  return endLine;
}

/** Whether a line is more than the rest of a paragraph. */
function nests(state: StateBlock, line: number): boolean {
  return state.isEmpty(line - 1) || startsWith(state, line, listItem);
}

/** Code, quotes and headings keep their columns, where they end an item with a wider marker. */
function endsItem(state: StateBlock, line: number): boolean {
  return "`~>#".includes(state.src.charAt(lineStart(state, line)));
}

function markerAt(state: StateBlock, line: number): { kind: string; width: number } {
  marker.lastIndex = lineStart(state, line);
  const [whole = "", sign = ""] = marker.exec(state.src) ?? [];
  return { kind: sign.slice(-1), width: whole.length };
}
