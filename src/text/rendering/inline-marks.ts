// Where this dialect's inline code and strikethrough differ from markdown-it's.
import type { MarkdownIt, StateInline } from "markdown-it";
import { pushText } from "@/text/html/elements.ts";

export function inlineMarks(md: MarkdownIt): void {
  const backticks = md.inline.ruler.__rules__.find(({ name }) => name === "backticks")?.fn;
  if (!backticks) throw new Error("markdown-it has no inline rule backticks");
  md.inline.ruler.at("backticks", (state, dryRun) => {
    const { pos: start } = state;
    const before = state.tokens.length;
    if (!backticks(state, dryRun)) return false;
    const token = state.tokens.at(-1);
    if (token?.type === "code_inline" && state.tokens.length > before && state.pending === "") {
      const marks = token.markup.length;
      // Unlike markdown-it, keeps blanks at both ends, as clients show them while somebody types.
      token.content = state.src.slice(start + marks, state.pos - marks).replaceAll("\n", " ");
    }
    return true;
  });
  md.inline.ruler.at("strikethrough", strike);
}

const run = /~+/y;

/** Exactly two tildes strike through the text between them, including blanks at its ends. */
function strike(state: StateInline, dryRun: boolean): boolean {
  const start = state.pos;
  if (dryRun || state.src.charCodeAt(start) !== 126 /* ~ */) return false;
  run.lastIndex = start;
  const [typed = ""] = run.exec(state.src) ?? [];
  pushText(state, typed);
  state.pos += typed.length;
  if (typed.length !== 2) return true;
  const token = state.tokens.length - 1;
  const close = !followsMarks(state.src, start);
  state.delimiters.push({ marker: 126, length: 0, token, end: -1, open: true, close });
  return true;
}

/** Whether only blanks lie between these marks and the next ones: they would strike through nothing. */
function followsMarks(src: string, at: number): boolean {
  let end = at;
  while (/\s/.test(src.charAt(end - 1))) end--;
  return src.charAt(end - 1) === "~";
}
