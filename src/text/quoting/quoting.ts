// Markdown that quotes other people's text safely, whatever it contains.

/** Puts a text in a quote block; fences inside the text cannot close it. */
export function quoted(text: string): string {
  return quotedWithin(text, Number.POSITIVE_INFINITY, (whole) => whole);
}

/** As `quoted`, with at max `max` characters in all; `cut(length)` returns the text shortened to that length. */
export function quotedWithin(text: string, max: number, cut: (text: string, max: number) => string): string {
  // A text that begins with a very long fence is cut until both fences around it leave room for it.
  for (let kept = text; ; kept = cut(kept, Math.floor(kept.length / 2))) {
    const fence = "`".repeat(fenceLength(kept));
    const [begin, end] = [`${fence}quote\n`, `\n${fence}`];
    const room = max - begin.length - end.length;
    if (room >= Math.min(kept.length, max / 2)) return begin + cut(kept, room) + end;
  }
}

/** Longer than each fence in the text; only at the start of a line could one close the block. */
function fenceLength(text: string): number {
  return text
    .matchAll(/^[\s>]*(`{3,})/gm)
    .reduce((length, [, run = ""]) => Math.max(length, run.length + 1), 3);
}
