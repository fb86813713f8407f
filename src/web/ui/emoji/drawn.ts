// How wide the device draws an emoji. A sequence that its font has no picture for is drawn as several, one after another.
const widths = new Map<string, number>();
let canvas: CanvasRenderingContext2D | null | undefined;

function measure(text: string): number {
  canvas ??= document.createElement("canvas").getContext("2d");
  if (!canvas) return 0;
  canvas.font = `20px ${getComputedStyle(document.documentElement).getPropertyValue("--font-emoji")}`;
  return canvas.measureText(text).width;
}

/** Of how many pictures an emoji is drawn, as wide as one each. */
export function countPictures(emoji: string): number {
  // Only characters that are joined, and flags, can come apart.
  if (!/\u200D|\p{RI}|[\u{E0020}-\u{E007F}]/u.test(emoji)) return 1;
  const known = widths.get(emoji) ?? measure(emoji);
  widths.set(emoji, known);
  const one = widths.get("") ?? measure("\u{1F642}");
  widths.set("", one);
  return one > 0 ? Math.max(1, Math.round(known / one)) : 1;
}
