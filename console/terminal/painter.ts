// Brings lines onto the terminal: writes only what changed, and never more than a slow line carries.
import { isSteady, type Line, type Segment, widthOf } from "../layout.ts";
import { sgr, type Theme } from "./theme.ts";

const begin = "\x1b[?2026h";
const end = "\x1b[?2026l";

/**
 * The bytes that turn one frame into the next; empty if they are equal. Where terminals may disagree about a text's
 * width, what follows it is placed by its column.
 */
export function painted(before: readonly Line[], after: readonly Line[], theme: Theme): string {
  const changed = after.map((line, y) => paintLine(before[y], line, { y, theme })).join("");
  return changed === "" ? "" : `${begin}${changed}\x1b[0m${end}`;
}

function paintLine(before: Line | undefined, after: Line, { y, theme }: { y: number; theme: Theme }): string {
  if (before && isEqual(before, after)) return "";
  const isSure =
    after.every(({ text }) => isSteady(text)) && (before?.every(({ text }) => isSteady(text)) ?? false);
  const [from, to] = before && isSure ? difference(before, after) : [0, after.length];
  let column = after.slice(0, from).reduce((sum, { text }) => sum + widthOf(text), 0);
  let bytes = `\x1b[${y + 1};${column + 1}H${isSure ? "" : "\x1b[0m\x1b[2K"}`;
  for (const segment of after.slice(from, to)) {
    bytes += sgr(theme, segment) + segment.text;
    column += widthOf(segment.text);
    if (!isSteady(segment.text)) bytes += `\x1b[${column + 1}G`;
  }
  return bytes;
}

function isEqual(a: Line, b: Line): boolean {
  return a === b || (a.length === b.length && a.every((segment, i) => isSame(segment, b[i])));
}

function isSame(a: Segment | undefined, b: Segment | undefined): boolean {
  return a?.text === b?.text && a?.tone === b?.tone && a?.back === b?.back && a?.cursor === b?.cursor;
}

/** The range of segments to write: without those at the ends that are equal and stand in the same columns. */
function difference(before: Line, after: Line): [from: number, to: number] {
  let from = 0;
  while (from < after.length && isSame(before[from], after[from])) from++;
  let same = 0;
  while (same < after.length - from && isSame(before.at(-1 - same), after.at(-1 - same))) same++;
  return [from, after.length - same];
}

/** How many milliseconds to wait before more may be written, for a line that carries so many bytes a second. */
export function pacer(bytesPerSecond: number, burst: number, now: () => number) {
  let owed = 0;
  let at = now();
  const settle = () => {
    const time = now();
    owed = Math.max(0, owed - ((time - at) / 1000) * bytesPerSecond);
    at = time;
  };
  return {
    wrote(bytes: number) {
      settle();
      owed += bytes;
    },
    wait(): number {
      settle();
      return owed <= burst ? 0 : Math.ceil(((owed - burst) / bytesPerSecond) * 1000);
    },
  };
}
