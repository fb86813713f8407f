import type { MarkdownIt, StateBlock } from "markdown-it";
import { maxDepth } from "./blocks.ts";
import { type Fence, fenceAt } from "./fences.ts";

const spoilerLabel = /^spoiler(?:\s+(.*))?$/;

/** "```quote" and "```spoiler" blocks. They hold Markdown, including other fences. */
export function containerFences(md: MarkdownIt): void {
  md.block.ruler.before("fence", "container_fence", containerFence, {
    alt: ["paragraph", "reference", "blockquote", "list"],
  });
  const { rules } = md.renderer;
  rules.spoiler_open = () => '<div class="spoiler-block"><div class="spoiler-header">\n';
  rules.spoiler_content = () => '</div><div class="spoiler-content" aria-hidden="true">\n';
  rules.spoiler_close = () => "</div></div>\n";
}

function containerFence(state: StateBlock, startLine: number, endLine: number, dryRun: boolean): boolean {
  const opening = fenceAt(state, startLine);
  if (!opening || !isContainer(opening) || state.level >= maxDepth) return false;
  if (dryRun) return true;

  const closing = closingLine(state, opening, startLine + 1, endLine);
  const { lineMax, parentType } = state;
  state.lineMax = closing;
  state.parentType = "blockquote";
  if (isQuote(opening)) {
    state.push("blockquote_open", "blockquote", 1);
    state.md.block.tokenize(state, startLine + 1, closing);
    state.push("blockquote_close", "blockquote", -1);
  } else {
    state.push("spoiler_open", "div", 1);
    pushHeader(state, spoilerLabel.exec(opening.label)?.[1] ?? "");
    state.push("spoiler_content", "div", 0);
    state.md.block.tokenize(state, startLine + 1, closing);
    state.push("spoiler_close", "div", -1);
  }
  state.lineMax = lineMax;
  state.parentType = parentType;
  state.line = Math.min(closing + 1, endLine);
  return true;
}

function pushHeader(state: StateBlock, header: string): void {
  if (header === "") return;
  state.push("paragraph_open", "p", 1);
  const inline = state.push("inline", "", 0);
  inline.content = header;
  inline.children = [];
  state.push("paragraph_close", "p", -1);
}

function isContainer(fence: Fence): boolean {
  return isQuote(fence) || spoilerLabel.test(fence.label);
}

function isQuote({ label }: Fence): boolean {
  return label === "quote" || label === "quoted";
}

/** The line of the closing fence, or the line after the last one if the fence is not closed. */
function closingLine(state: StateBlock, opening: Fence, from: number, endLine: number): number {
  const open = [opening];
  for (let line = from; line < endLine; line++) {
    if (state.isEmpty(line)) continue;
    if ((state.sCount[line] ?? 0) < state.blkIndent) return line - 1;
    const fence = fenceAt(state, line);
    const last = open.at(-1);
    if (!fence || !last) continue;
    const closed = fence.label === "" ? indexOfClosed(fence, open) : -1;
    if (closed >= 0) open.length = closed;
    else if (isContainer(last)) open.push(fence);
    if (open.length === 0) return line;
  }
  return endLine;
}

/**
 * Index of the open fence that a bare line of marks ends, together with all fences inside it: the innermost with exactly
 * these marks, so that a quote ends at its own fence even if the quoted text leaves one open. Code only ends at its own
 * marks, or at longer ones that end what it is in. Other marks open code.
 */
function indexOfClosed({ marks }: Fence, open: readonly Fence[]): number {
  const last = open.at(-1);
  const same = open.findLastIndex((fence) => fence.marks === marks);
  if (!last || isContainer(last) || marks === last.marks) return same;
  return marks.length > last.marks.length ? same : -1;
}
