// Markdown that holds a text of somebody else's, whatever the text is.

/** A text in a block of quotation that ends where the text does, whatever fences it holds. */
export function quoted(text: string): string {
  return quotedWithin(text, Number.POSITIVE_INFINITY, (whole) => whole);
}

/** As `quoted`, of at most `most` characters; `cut` makes the text as short as it is told to. */
export function quotedWithin(
  text: string,
  most: number,
  cut: (text: string, most: number) => string,
): string {
  const runs = text.match(/`{3,}/g) ?? [];
  const fence = "`".repeat(runs.reduce((longest, run) => Math.max(longest, run.length + 1), 3));
  const begin = `${fence}quote\n`;
  const end = `\n${fence}`;
  return begin + cut(text, most - begin.length - end.length) + end;
}
