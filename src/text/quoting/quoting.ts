// Markdown that quotes other people's text safely, whatever it contains.

/** Puts a text in a quote block; fences inside the text cannot close it. */
export function quoted(text: string): string {
  return quotedWithin(text, Number.POSITIVE_INFINITY, (whole) => whole);
}

/** As `quoted`, with at max `max` characters in all; `cut(length)` returns the text shortened to that length. */
export function quotedWithin(text: string, max: number, cut: (text: string, max: number) => string): string {
  const runs = text.match(/`{3,}/g) ?? [];
  const fence = "`".repeat(runs.reduce((longest, run) => Math.max(longest, run.length + 1), 3));
  const begin = `${fence}quote\n`;
  const end = `\n${fence}`;
  return begin + cut(text, max - begin.length - end.length) + end;
}
