// A single-line text field: its text and cursor.

import { harmless } from "@/kernel/harmless.ts";

export interface TextField {
  text: string;
  /** The cursor's position, in graphemes. */
  at: number;
}

const graphemes = new Intl.Segmenter();

export function signsOf(text: string): string[] {
  return [...graphemes.segment(text)].map(({ segment }) => segment);
}

export function textField(text = ""): TextField {
  return { text, at: signsOf(text).length };
}

type Edit = (signs: string[], at: number) => [signs: string[], at: number];

const edits: Record<string, Edit> = {
  left: (signs, at) => [signs, Math.max(0, at - 1)],
  right: (signs, at) => [signs, Math.min(signs.length, at + 1)],
  home: (signs) => [signs, 0],
  "ctrl+a": (signs) => [signs, 0],
  end: (signs) => [signs, signs.length],
  "ctrl+e": (signs) => [signs, signs.length],
  backspace: (signs, at) => (at === 0 ? [signs, 0] : [signs.toSpliced(at - 1, 1), at - 1]),
  delete: (signs, at) => [signs.toSpliced(at, 1), at],
  "ctrl+u": (signs, at) => [signs.slice(at), 0],
  "ctrl+k": (signs, at) => [signs.slice(0, at), at],
  "ctrl+w": (signs, at) => {
    const kept = signs
      .slice(0, at)
      .join("")
      .replace(/\S*\s*$/, "");
    const from = signsOf(kept).length;
    return [[...signs.slice(0, from), ...signs.slice(at)], from];
  },
};

/** The field after a key; null if the key does nothing in a field. */
export function edited({ text, at }: TextField, key: string): TextField | null {
  const edit = edits[key];
  if (edit) {
    const [signs, to] = edit(signsOf(text), at);
    return { text: signs.join(""), at: to };
  }
  return null;
}

/** The field after typing or pasting; line breaks become spaces. */
export function inserted({ text, at }: TextField, typed: string): TextField {
  const clean = harmless(typed);
  const signs = signsOf(text);
  const before = signs.slice(0, at).join("") + clean;
  return { text: before + signs.slice(at).join(""), at: signsOf(before).length };
}
