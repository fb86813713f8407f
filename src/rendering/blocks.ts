// Where this flavor's blocks differ from CommonMark's.
import type { MarkdownIt, StateBlock } from "markdown-it";

/** Containers nested deeper than this are shown as typed; it bounds what nesting can cost. */
export const maxDepth = 24;

const heading = /#{1,6}[ \t]+(?!#*[ \t]*$)\S/my;
const listItem = /(?:[*+-]|\d{1,9}\.)[ \t]+\S/y;
const quote = />[> \t]*(?:[^>\s]|\n[ \t]*>)/y;

export function blocks(md: MarkdownIt): void {
  only(md, "heading", (state, line) => startsWith(state, line, heading));
  only(md, "blockquote", (state, line) => state.level < maxDepth && startsWith(state, line, quote));
  only(md, "list", (state, line, endLine, dryRun) => {
    if (state.level >= maxDepth || !startsWith(state, line, listItem)) return false;
    if (!dryRun) acceptTwoSpaces(state, line, endLine);
    return true;
  });
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

type BlockTest = (state: StateBlock, line: number, endLine: number, dryRun: boolean) => boolean;

/** Leaves to the paragraph what one of markdown-it's rules would take too eagerly. */
function only(md: MarkdownIt, name: string, accepts: BlockTest): void {
  // Its public interface replaces rules but does not hand them out.
  const rule = md.block.ruler.__rules__.find((each) => each.name === name);
  if (!rule) throw new Error(`markdown-it has no block rule ${name}`);
  const { fn, alt } = rule;
  md.block.ruler.at(name, (...args) => accepts(...args) && fn(...args), { alt });
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
 * So what stands under a wide one is moved right, in the columns only.
 */
function acceptTwoSpaces(state: StateBlock, startLine: number, endLine: number): void {
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
      if (indent < column || item.kind !== kind) return;
      shift = missingIndent(state, line, endLine, item.width);
    }
  }
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
