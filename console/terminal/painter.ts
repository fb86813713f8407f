// Writes frames to the terminal: only what changed, and never more than a slow line can carry.
import { isSteady, signsOf, widthOf } from "../layout.ts";

/** A text in one look: `look` holds the codes of SGR that turn it on, from the terminal's own look. */
export interface StyledText {
  text: string;
  look: string;
}
export type PaintedRow = readonly StyledText[];

const begin = "\x1b[?2026h";
const end = "\x1b[?2026l";

export const mouseOn = "\x1b[?1000h\x1b[?1006h";
export const mouseOff = "\x1b[?1006l\x1b[?1000l";
/** Takes the terminal: the alternate screen without cursor, pastes in brackets, the mouse; asks for the background. */
export const enter = `\x1b[?1049h\x1b[?25l\x1b[?2004h${mouseOn}\x1b]11;?\x1b\\`;
export const leave = `\x1b[0m${mouseOff}\x1b[?2004l\x1b[?25h\x1b[?1049l`;
export const wipe = "\x1b[0m\x1b[2J";

/** Puts a text onto the clipboard of the terminal's machine. */
export function copyText(text: string): string {
  return `\x1b]52;c;${Buffer.from(text).toString("base64")}\x07`;
}

type Part = "weight" | "underline" | "swap" | "front" | "back";
const ends: Record<number, Part> = { 22: "weight", 24: "underline", 27: "swap", 39: "front", 49: "back" };

function partOf(code: number): Part | undefined {
  if (code === 1 || code === 2) return "weight";
  if (code === 4) return "underline";
  if (code === 7) return "swap";
  if ((code >= 30 && code <= 38) || (code >= 90 && code <= 97)) return "front";
  return (code >= 40 && code <= 48) || (code >= 100 && code <= 107) ? "back" : undefined;
}

/** Of a colour, several numbers are one code. */
const singleCode = /[34]8;(?:2;\d+;\d+;\d+|5;\d+)|\d+/g;

/**
 * The rows of a frame that Ink wrote as one text, without blanks at their ends; each row begins and ends with the
 * terminal's own look.
 */
export function rowsOf(frame: string): PaintedRow[] {
  return frame.split("\n").map((row) => trimRow(styledTextsOf(row)));
}

function trimRow(row: PaintedRow): PaintedRow {
  const last = row.at(-1);
  if (last?.look !== "") return row;
  const text = last.text.trimEnd();
  return text === "" ? row.slice(0, -1) : [...row.slice(0, -1), { text, look: "" }];
}

/** Texts after each other, with the codes of their looks; begins and ends with the terminal's own look. */
export function writeStyledTexts(texts: readonly StyledText[]): string {
  let written = "";
  let now = "";
  for (const { text, look } of texts) {
    if (text === "") continue;
    if (look !== now) written += look === "" ? "\x1b[0m" : `\x1b[0;${look}m`;
    now = look;
    written += text;
  }
  return now === "" ? written : `${written}\x1b[0m`;
}

/** Takes a text apart. No escape character is left: what begins another code than one of SGR is text. */
export function styledTextsOf(row: string): StyledText[] {
  const [first = "", ...rest] = row.split("\x1b");
  const pieces: StyledText[] = first === "" ? [] : [{ text: first, look: "" }];
  let look = "";
  for (const part of rest) {
    const end = part.startsWith("[") ? part.indexOf("m") : -1;
    if (end > 0) look = lookAfter(look, part.slice(1, end));
    const text = part.slice(end + 1);
    if (text !== "") pieces.push({ text, look });
  }
  return pieces;
}

const knownChanges = new Map<string, string>();

/** What a look becomes by these codes. */
function lookAfter(look: string, codes: string): string {
  const change = `${look} ${codes}`;
  const known = knownChanges.get(change);
  if (known !== undefined) return known;
  const after = [...partsAfter(partsOf(look), codes || "0").values()].join(";");
  knownChanges.set(change, after);
  return after;
}

function partsAfter(before: ReadonlyMap<Part, string>, codes: string): ReadonlyMap<Part, string> {
  const parts = new Map(before);
  for (const [code] of codes.matchAll(singleCode)) {
    const number = Number.parseInt(code, 10);
    const ended = ends[number];
    const begun = partOf(number);
    if (number === 0) parts.clear();
    else if (ended) parts.delete(ended);
    else if (begun) parts.set(begun, code);
  }
  return parts;
}

/**
 * The bytes that turn one frame into the next; empty if they are equal. Where terminals may disagree about a text's
 * width, what follows it is placed by its column.
 */
export function paintChanges(
  before: readonly PaintedRow[],
  after: readonly PaintedRow[],
  columns: number,
): string {
  const height = Math.max(before.length, after.length);
  const pen = openPen();
  let changed = "";
  for (let y = 0; y < height; y++) {
    let end = y;
    while (goesOn(after[end], after[end + 1], columns)) end++;
    changed +=
      end === y
        ? paintRow(before[y], after[y] ?? [], y, pen)
        : paintWrapped(before.slice(y, end + 1), after.slice(y, end + 1), y, pen);
    y = end;
  }
  return changed === "" ? "" : `${begin}${changed}${pen.take("")}${end}`;
}

const isUnderlined = (piece: StyledText | undefined) =>
  piece !== undefined && /^(1;)?4(;|$)/.test(piece.look);

/** Whether a link fills the row and continues in the next one. */
function goesOn(row: PaintedRow | undefined, next: PaintedRow | undefined, columns: number): boolean {
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
function paintWrapped(
  before: readonly PaintedRow[],
  after: readonly PaintedRow[],
  y: number,
  pen: Pen,
): string {
  if (after.every((row, i) => before[i] !== undefined && isEqual(before[i], row))) return "";
  const [first] = after.flat();
  const cleared = pen.take("") + after.map((_, i) => `${at(y + i, 0)}\x1b[2K`).join("");
  const text = after
    .flat()
    .filter(isUnderlined)
    .map((piece) => piece.text)
    .join("");
  return `${cleared}${at(y, 0)}${pen.take(first?.look ?? "")}${text}${pen.take("")}`;
}

const widthOfRow = (row: PaintedRow) => row.reduce((sum, { text }) => sum + widthOf(text), 0);

function paintRow(before: PaintedRow | undefined, after: PaintedRow, y: number, pen: Pen): string {
  if (before ? isEqual(before, after) : after.length === 0) return "";
  const isSure = [...after, ...(before ?? [])].every(({ text }) => isSteady(text));
  const [from, to] = before && isSure ? difference(before, after) : [0, after.length];
  let column = widthOfRow(after.slice(0, from));
  let bytes = at(y, column);
  if (before && !isSure) bytes += `${pen.take("")}\x1b[2K`;
  for (const { text, look } of after.slice(from, to)) {
    bytes += pen.take(look);
    for (const run of runsOf(text)) {
      bytes += hasGround(look) ? run : run.replaceAll(wideBlanks, eraseText);
      column += widthOf(run);
      if (!isSteady(run)) bytes += `\x1b[${column + 1}G`;
    }
  }
  const isShorter = before !== undefined && isSure && widthOfRow(before) > widthOfRow(after);
  return isShorter ? `${bytes}${at(y, widthOfRow(after))}${pen.take("")}\x1b[K` : bytes;
}

const wideBlanks = / {12,}/g;

/** Erases cells instead of writing blanks. */
const eraseText = ({ length }: string) => `\x1b[${length}X\x1b[${length}C`;

/** Whether blanks show something of this look. */
function hasGround(look: string): boolean {
  const parts = partsOf(look);
  return parts.has("back") || parts.has("underline") || parts.has("swap");
}

const at = (y: number, x: number) => `\x1b[${y + 1};${x + 1}H`;

/** Remembers the look in which the terminal writes. */
interface Pen {
  /** What changes to another look. */
  take(look: string): string;
}

function openPen(): Pen {
  let now = "";
  return {
    take(look) {
      if (look === now) return "";
      const [had, wanted] = [partsOf(now), partsOf(look)];
      const isAdded = [...had.keys()].every((part) => wanted.has(part));
      const codes = [...wanted]
        .filter(([part, code]) => !isAdded || had.get(part) !== code)
        .map(([, code]) => code);
      now = look;
      return `\x1b[${isAdded ? "" : codes.length === 0 ? "" : "0;"}${codes.join(";")}m`;
    },
  };
}

const knownParts = new Map<string, ReadonlyMap<Part, string>>();

/** The codes of a look, by what they turn on. */
function partsOf(look: string): ReadonlyMap<Part, string> {
  const known = knownParts.get(look);
  if (known) return known;
  const parts = partsAfter(new Map(), look);
  knownParts.set(look, parts);
  return parts;
}

/** Splits a text where terminals begin or cease to agree about its width. */
function runsOf(text: string): string[] {
  if (isSteady(text)) return [text];
  const runs: string[] = [];
  for (const segment of signsOf(text)) {
    const last = runs.at(-1);
    if (last !== undefined && isSteady(last) === isSteady(segment)) runs[runs.length - 1] = last + segment;
    else runs.push(segment);
  }
  return runs;
}

function isEqual(a: PaintedRow, b: PaintedRow): boolean {
  return a.length === b.length && a.every((piece, i) => isSame(piece, b[i]));
}

function isSame(a: StyledText | undefined, b: StyledText | undefined): boolean {
  return a?.text === b?.text && a?.look === b?.look;
}

/** The range of pieces to write: leaves out those at the ends that are equal and in the same columns. */
function difference(before: PaintedRow, after: PaintedRow): [from: number, to: number] {
  let from = 0;
  while (from < after.length && isSame(before[from], after[from])) from++;
  if (widthOfRow(before) !== widthOfRow(after)) return [from, after.length];
  let same = 0;
  while (same < after.length - from && isSame(before.at(-1 - same), after.at(-1 - same))) same++;
  return [from, after.length - same];
}

/**
 * Limits output for a slow line: in any second, at most `bytesPerSecond` and the burst are written; one write that is
 * larger than the burst goes out at once.
 */
export function pacer(bytesPerSecond: number, burst: number, now: () => number) {
  let owed = 0;
  let settledAt = now();
  const settle = () => {
    const time = now();
    owed = Math.max(0, owed - ((time - settledAt) / 1000) * bytesPerSecond);
    settledAt = time;
  };
  return {
    wrote(bytes: number) {
      settle();
      owed += bytes;
    },
    /** Milliseconds to wait before this many bytes may be written. */
    wait(bytes: number): number {
      settle();
      const excess = Math.min(owed, owed + bytes - burst);
      return excess <= 0 ? 0 : Math.ceil((excess / bytesPerSecond) * 1000);
    },
  };
}
