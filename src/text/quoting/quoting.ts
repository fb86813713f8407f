// Markdown that quotes other people's text safely, whatever it contains.

/** Puts a text in a quote block; fences inside the text cannot close it. */
export function quote(text: string): string {
  return quoteWithin(text, Number.POSITIVE_INFINITY, (whole) => whole);
}

/** Shortens a text to a length. */
type Cut = (text: string, max: number) => string;

/** As `quote`, with at most `max` characters in all. */
export function quoteWithin(text: string, max: number, cut: Cut): string {
  return fenceWithin(text, { kind: "quote", max }, cut);
}

/** A text in a fenced block: a quote, or code of a language. */
export function fenceWithin(text: string, { kind, max }: { kind: string; max: number }, cut: Cut): string {
  // A text that begins with a very long fence is cut until both fences around it leave room for it.
  for (let kept = text; ; kept = cut(kept, Math.floor(kept.length / 2))) {
    const fence = "`".repeat(fenceLength(kept));
    const [begin, end] = [`${fence}${kind}\n`, `\n${fence}`];
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
