// A single-line text field: its text and cursor.
import { stripControlCharacters } from "@/kernel/lib/control-characters.ts";
import { graphemes, signsOf } from "../layout.ts";

export interface TextField {
  text: string;
  /** The cursor's position, in UTF-16 units, so that nothing counts through a long text. */
  at: number;
}

/** A key by name, or typed text. */
export interface Stroke {
  key: string;
  isText: boolean;
}

export function textField(text = ""): TextField {
  return { text, at: text.length };
}

/** Where the character before the position begins. */
function startBefore(text: string, at: number): number {
  return graphemes.segment(text).containing(at - 1)?.index ?? 0;
}

/** Where the character at the position ends. */
function endAfter(text: string, at: number): number {
  const found = graphemes.segment(text).containing(at);
  return found ? found.index + found.segment.length : text.length;
}

function wordBefore(text: string, at: number): number {
  let from = text.slice(0, at).trimEnd().length;
  while (from > 0 && !/\s/.test(text.charAt(from - 1))) from--;
  return from;
}

function without(text: string, from: number, to: number): TextField {
  return { text: text.slice(0, from) + text.slice(to), at: from };
}

const edits: Record<string, (text: string, at: number) => TextField> = {
  left: (text, at) => ({ text, at: startBefore(text, at) }),
  right: (text, at) => ({ text, at: endAfter(text, at) }),
  home: (text) => ({ text, at: 0 }),
  "ctrl+a": (text) => ({ text, at: 0 }),
  end: (text) => textField(text),
  "ctrl+e": (text) => textField(text),
  backspace: (text, at) => without(text, startBefore(text, at), at),
  delete: (text, at) => without(text, at, endAfter(text, at)),
  "ctrl+u": (text, at) => without(text, 0, at),
  "ctrl+k": (text, at) => without(text, at, text.length),
  "ctrl+w": (text, at) => without(text, wordBefore(text, at), at),
};

/** The field after typed text, which may also be the name of a key, or after a key; the same field if the key does nothing there. */
export function typeText(field: TextField, { key, isText }: Stroke): TextField {
  if (isText) return insertText(field, key);
  return edits[key]?.(field.text, field.at) ?? field;
}

/** The field after typing or pasting; line breaks become spaces. */
export function insertText({ text, at }: TextField, typed: string): TextField {
  const before = text.slice(0, at) + stripControlCharacters(typed);
  return { text: before + text.slice(at), at: before.length };
}

/** Those of which the text has all the words that were typed, and none of those behind a "!". */
export function withWords<T>(all: readonly T[], typed: string, textOf: (one: T) => string): readonly T[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return all;
  return all.filter((one) => {
    const text = textOf(one).toLowerCase();
    return words.every((word) =>
      word.startsWith("!") ? word === "!" || !text.includes(word.slice(1)) : text.includes(word),
    );
  });
}

/** The characters around the cursor: at most so many units before and behind it, however long the text is. */
export function aroundCursor({ text, at }: TextField, most: number) {
  const end = endAfter(text, at);
  const from = startBefore(text, Math.max(1, at - most));
  return {
    before: signsOf(text.slice(from, at)),
    sign: text.slice(at, end),
    after: signsOf(text.slice(end, end + most)),
  };
}
