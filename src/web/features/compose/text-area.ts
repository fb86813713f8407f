// Changing a text area so that the browser's own undo takes the change back.
import type { TextEdit } from "./markdown-edits.ts";

export function applyEdit(area: HTMLTextAreaElement, edit: TextEdit): void {
  replaceRange(area, edit.from, edit.to, edit.text);
  area.setSelectionRange(edit.selectFrom, edit.selectTo);
}

/** Replaces a range of the text, with an input event for React. */
export function replaceRange(area: HTMLTextAreaElement, from: number, to: number, text: string): void {
  area.focus();
  area.setSelectionRange(from, to);
  const command = text === "" ? "delete" : "insertText";
  if (from === to && text === "") return;
  if (!document.execCommand(command, false, text)) writeRange(area, from, to, text);
}

/** Replaces a range of the text without taking the focus; the browser's undo does not take it back. */
export function writeRange(area: HTMLTextAreaElement, from: number, to: number, text: string): void {
  area.setRangeText(text, from, to, "end");
  area.dispatchEvent(new InputEvent("input", { bubbles: true }));
}

/** Replaces the selection by text on lines of its own. */
export function insertBlock(area: HTMLTextAreaElement, text: string): void {
  const { selectionStart: from, selectionEnd: to, value } = area;
  const before = from > 0 && value[from - 1] !== "\n" ? "\n" : "";
  const after = text.endsWith("\n") ? "" : "\n";
  replaceRange(area, from, to, before + text + after);
}
