import type { MarkdownIt, StateBlock } from "markdown-it";
import { lineStart, maxDepth } from "@/rendering/blocks";

interface Fence {
  marks: string;
  label: string;
}

const fenceLine = /(`{3,}|~{3,})[ \t]*([^`\n]*)$/my;

/** "```quote" blocks: a blockquote that may hold fences of its own. */
export function quoteFences(md: MarkdownIt): void {
  md.block.ruler.before("fence", "quote_fence", quoteFence, {
    alt: ["paragraph", "reference", "blockquote", "list"],
  });
}

function quoteFence(state: StateBlock, startLine: number, endLine: number, dryRun: boolean): boolean {
  const opening = fenceAt(state, startLine);
  if (!opening || !isQuote(opening) || state.level >= maxDepth) return false;
  if (dryRun) return true;

  const closing = closingLine(state, opening, startLine + 1, endLine);
  const { lineMax, parentType } = state;
  state.lineMax = closing;
  state.parentType = "blockquote";
  state.push("blockquote_open", "blockquote", 1);
  state.md.block.tokenize(state, startLine + 1, closing);
  state.push("blockquote_close", "blockquote", -1);
  state.lineMax = lineMax;
  state.parentType = parentType;
  state.line = Math.min(closing + 1, endLine);
  return true;
}

function isQuote({ label }: Fence): boolean {
  return label === "quote" || label === "quoted";
}

function fenceAt(state: StateBlock, line: number): Fence | null {
  if ((state.sCount[line] ?? 0) - state.blkIndent >= 4) return null;
  fenceLine.lastIndex = lineStart(state, line);
  const [, marks, label = ""] = fenceLine.exec(state.src) ?? [];
  return marks === undefined ? null : { marks, label: label.trim() };
}

/** The line of the closing fence, or the one after the last if nobody closed it. */
function closingLine(state: StateBlock, opening: Fence, from: number, endLine: number): number {
  const open = [opening];
  for (let line = from; line < endLine; line++) {
    if (state.isEmpty(line)) continue;
    if ((state.sCount[line] ?? 0) < state.blkIndent) return line - 1;
    const fence = fenceAt(state, line);
    const last = open.at(-1);
    if (!fence || !last) continue;
    if (fence.label === "" && fence.marks.startsWith(last.marks)) open.pop();
    else if (isQuote(last)) open.push(fence);
    if (open.length === 0) return line;
  }
  return endLine;
}
