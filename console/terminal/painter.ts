// Brings frames onto the terminal: writes only what changed, and never more than a slow line carries.
import { isSteady, widthOf } from "../layout.ts";

/** A text in one look: `look` holds the codes of SGR that turn it on, from the terminal's own look. */
export interface Piece {
  text: string;
  look: string;
}
export type Row = readonly Piece[];

const begin = "\x1b[?2026h";
const end = "\x1b[?2026l";

type Part = "weight" | "underline" | "swap" | "front" | "back";
const ends: Record<number, Part> = { 22: "weight", 24: "underline", 27: "swap", 39: "front", 49: "back" };

function partOf(code: number): Part | undefined {
  if (code === 1 || code === 2) return "weight";
  if (code === 4) return "underline";
  if (code === 7) return "swap";
  if ((code >= 30 && code <= 38) || (code >= 90 && code <= 97)) return "front";
  return (code >= 40 && code <= 48) || (code >= 100 && code <= 107) ? "back" : undefined;
}

/** The rows of a frame that Ink wrote as one text; each row begins and ends with the terminal's own look. */
export function rowsOf(frame: string): Row[] {
  return frame.split("\n").map(piecesOf);
}

function piecesOf(row: string): Row {
  const pieces: Piece[] = [];
  const looks = new Map<Part, string>();
  for (const [, codes, text] of row.matchAll(/\x1b\[([\d;]*)m|([^\x1b]+)/g)) {
    if (text !== undefined) {
      pieces.push({ text, look: [...looks.values()].join(";") });
      continue;
    }
    const code = Number(codes?.split(";")[0]);
    const ended = ends[code];
    const begun = partOf(code);
    if (code === 0) looks.clear();
    else if (ended) looks.delete(ended);
    else if (begun) looks.set(begun, codes ?? "");
  }
  return pieces;
}

/**
 * The bytes that turn one frame into the next; empty if they are equal. Where terminals may disagree about a text's
 * width, what follows it is placed by its column.
 */
export function painted(before: readonly Row[], after: readonly Row[], columns: number): string {
  const height = Math.max(before.length, after.length);
  let changed = "";
  for (let y = 0; y < height; y++) {
    let end = y;
    while (goesOn(after[end], after[end + 1], columns)) end++;
    changed +=
      end === y
        ? paintRow(before[y], after[y] ?? [], y)
        : paintWrapped(before.slice(y, end + 1), after.slice(y, end + 1), y);
    y = end;
  }
  return changed === "" ? "" : `${begin}${changed}\x1b[0m${end}`;
}

const isUnderlined = (piece: Piece | undefined) => piece !== undefined && /^(1;)?4(;|$)/.test(piece.look);

/** Whether a link fills the row and goes on in the next one. */
function goesOn(row: Row | undefined, next: Row | undefined, columns: number): boolean {
  return (
    row !== undefined &&
    next !== undefined &&
    isUnderlined(row[0]) &&
    row.length === 1 &&
    isUnderlined(next[0]) &&
    widthOfRow(row) === columns
  );
}

/** Rows of a link, in one go: the terminal itself breaks them, and so takes them for one line when they are selected. */
function paintWrapped(before: readonly Row[], after: readonly Row[], y: number): string {
  if (after.every((row, i) => before[i] !== undefined && isEqual(before[i], row))) return "";
  const [first] = after.flat();
  const cleared = after.map((_, i) => `\x1b[${y + 1 + i};1H\x1b[0m\x1b[2K`).join("");
  const text = after
    .flat()
    .filter(isUnderlined)
    .map((piece) => piece.text)
    .join("");
  return `${cleared}\x1b[${y + 1};1H\x1b[0;${first?.look ?? ""}m${text}\x1b[0m`;
}

const widthOfRow = (row: Row) => row.reduce((sum, { text }) => sum + widthOf(text), 0);

function paintRow(before: Row | undefined, after: Row, y: number): string {
  if (before && isEqual(before, after)) return "";
  const isSure =
    after.every(({ text }) => isSteady(text)) && (before?.every(({ text }) => isSteady(text)) ?? false);
  const [from, to] = before && isSure ? difference(before, after) : [0, after.length];
  let column = widthOfRow(after.slice(0, from));
  let bytes = `\x1b[${y + 1};${column + 1}H${isSure ? "" : "\x1b[0m\x1b[2K"}`;
  for (const { text, look } of after.slice(from, to)) {
    bytes += `\x1b[${look === "" ? "0" : `0;${look}`}m`;
    for (const run of runsOf(text)) {
      bytes += run;
      column += widthOf(run);
      if (!isSteady(run)) bytes += `\x1b[${column + 1}G`;
    }
  }
  const isShorter = before !== undefined && isSure && widthOfRow(before) > widthOfRow(after);
  return isShorter ? `${bytes}\x1b[${y + 1};${widthOfRow(after) + 1}H\x1b[0m\x1b[K` : bytes;
}

const graphemes = new Intl.Segmenter();

/** Cuts a text between what every terminal agrees about and what not. */
function runsOf(text: string): string[] {
  if (isSteady(text)) return [text];
  const runs: string[] = [];
  for (const { segment } of graphemes.segment(text)) {
    const last = runs.at(-1);
    if (last !== undefined && isSteady(last) === isSteady(segment)) runs[runs.length - 1] = last + segment;
    else runs.push(segment);
  }
  return runs;
}

function isEqual(a: Row, b: Row): boolean {
  return a.length === b.length && a.every((piece, i) => isSame(piece, b[i]));
}

function isSame(a: Piece | undefined, b: Piece | undefined): boolean {
  return a?.text === b?.text && a?.look === b?.look;
}

/** The range of pieces to write: without those at the ends that are equal and stand in the same columns. */
function difference(before: Row, after: Row): [from: number, to: number] {
  let from = 0;
  while (from < after.length && isSame(before[from], after[from])) from++;
  if (widthOfRow(before) !== widthOfRow(after)) return [from, after.length];
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
