/** Control characters, line separators, and characters that change the direction of text. */
export const controlCharacters =
  /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u206f\ufff9-\ufffb]/u;

const runs = new RegExp(`${controlCharacters.source}+`, "gu");

/** Replaces characters that could control a terminal by spaces. */
export function stripControlCharacters(text: string): string {
  return text.replaceAll(runs, " ");
}
