// What a text area does with formatted text from the clipboard.
import type { State } from "../../state/state.ts";
import { importOnce } from "../../ui/on-demand.tsx";
import { replaceRange } from "./text-area.ts";

const loadPastedHtml = importOnce(() => import("./pasted-html.ts"));

interface PastedText {
  plain: string;
  html: string;
}

/**
 * Inserts the plain text, and then its Markdown in its place, so that undoing brings back the plain text. The person may go
 * on writing in between.
 */
export async function pasteFormatted(
  field: HTMLTextAreaElement,
  { plain, html }: PastedText,
  { state, maxLength }: { state: State; maxLength: number },
): Promise<void> {
  const { selectionStart: from, selectionEnd: to } = field;
  const raw = plain.replace(/\r\n?/g, "\n");
  replaceRange(field, from, to, raw);
  const { markdownOf } = await loadPastedHtml();
  const markdown = markdownOf(html, state);
  if (markdown === null || markdown === raw.trim()) return;
  const isThere = field.isConnected && field.value.startsWith(raw, from);
  if (!isThere || document.activeElement !== field) return;
  const text = onLinesOfItsOwn(markdown, field.value.slice(0, from), field.value.slice(from + raw.length));
  if (field.value.length - raw.length + text.length > maxLength) return;
  const { selectionStart, selectionEnd } = field;
  const move = (at: number) => (at >= from + raw.length ? at - raw.length + text.length : at);
  replaceRange(field, from, from + raw.length, text);
  field.setSelectionRange(move(selectionStart), move(selectionEnd));
}

const block = /^(?:- |\d+\. |#{1,6} |>|```|\|)/;

/** Lists, tables and the like begin and end a line. */
function onLinesOfItsOwn(markdown: string, before: string, after: string): string {
  const lastLine = markdown.slice(markdown.lastIndexOf("\n") + 1);
  const head = block.test(markdown) && before !== "" && !before.endsWith("\n") ? "\n" : "";
  const tail = block.test(lastLine.trimStart()) && after !== "" && !after.startsWith("\n") ? "\n" : "";
  return head + markdown + tail;
}
