import type { StateInline } from "markdown-it";

export type Attributes = Record<string, string | number>;

/** Adds `<tag …>text</tag>`; `more` may add tokens before the closing tag. */
export function pushElement(
  state: StateInline,
  element: { tag: string; attrs: Attributes; text: string },
  more?: () => void,
): void {
  state.push("element_open", element.tag, 1).attrs = Object.entries(element.attrs);
  pushText(state, element.text);
  more?.();
  state.push("element_close", element.tag, -1);
}

export function pushText(state: StateInline, text: string): void {
  state.push("text", "", 0).content = text;
}

/** A start tag; an attribute without a value is null. */
export function tag(name: string, attrs: Record<string, string | null>): string {
  let html = `<${name}`;
  for (const [key, value] of Object.entries(attrs)) {
    html += value === null ? ` ${key}` : ` ${key}="${escapeHtml(value)}"`;
  }
  return `${html}>`;
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

/**
 * Mentions and channel links must begin a word: at the start, after white space, after an opening bracket or quote, or after
 * the sign that isolates a name in a text that runs from right to left.
 */
export function beginsWord(state: StateInline): boolean {
  return state.pos === 0 || /[\s'"({[/<\u2066-\u2068]/.test(state.src.charAt(state.pos - 1));
}
