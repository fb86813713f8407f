/** Text that cannot rule a terminal: controls, line separators and what turns the direction of writing become blanks. */
export function harmless(text: string): string {
  return text.replaceAll(
    /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u206a-\u206f\ufff9-\ufffb]+/gu,
    " ",
  );
}
