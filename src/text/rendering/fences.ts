import type { MarkdownIt, StateBlock } from "markdown-it";
import { type BlockRule, lineStart, ruleOf } from "./blocks.ts";

export interface Fence {
  marks: string;
  label: string;
}

// The text after an opening fence names a language, so `~~~ words ~~~` is not a fence.
const fenceLine = /(`{3,}(?!`)|~{3,}(?!~))([^`~\n]*)$/my;

/** Code between fences. It ends at a fence of the same length; CommonMark's ends at longer ones, too. */
export function fences(md: MarkdownIt): void {
  md.block.ruler.at("fence", fence, { alt: ruleOf(md, "fence").alt });
}

const fence: BlockRule = (state, line, endLine, dryRun) => {
  const opening = fenceAt(state, line);
  if (!opening) return false;
  if (dryRun) return true;
  let end = line + 1;
  while (end < endLine && !isOutside(state, end) && !closes(fenceAt(state, end), opening)) end++;
  const isClosed = end < endLine && !isOutside(state, end);
  const token = state.push("fence", "code", 0);
  token.info = opening.label;
  token.markup = opening.marks;
  token.content = state.getLines(line + 1, end, state.sCount[line] ?? 0, true);
  state.line = isClosed ? end + 1 : end;
  return true;
};

/** The fence of a line, or null if the line is none. */
export function fenceAt(state: StateBlock, line: number): Fence | null {
  if ((state.sCount[line] ?? 0) - state.blkIndent >= 4) return null;
  fenceLine.lastIndex = lineStart(state, line);
  const [, marks, label = ""] = fenceLine.exec(state.src) ?? [];
  return marks === undefined ? null : { marks, label: label.trim() };
}

function closes(fence: Fence | null, opening: Fence): boolean {
  return fence !== null && fence.label === "" && fence.marks === opening.marks;
}

/** Whether a line is outside the list item or quote that holds the fence. */
function isOutside(state: StateBlock, line: number): boolean {
  return !state.isEmpty(line) && (state.sCount[line] ?? 0) < state.blkIndent;
}
