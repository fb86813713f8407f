/** Controls, line separators, and what turns the direction of writing. */
export const unruly = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u206f\ufff9-\ufffb]/u;

const runs = new RegExp(`${unruly.source}+`, "gu");

/** Text that cannot rule a terminal: what could becomes blanks. */
export function harmless(text: string): string {
  return text.replaceAll(runs, " ");
}
