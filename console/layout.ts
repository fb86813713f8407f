// Text in terminal cells: sanitizing, width, cutting and wrapping.
import { eastAsianWidth } from "get-east-asian-width";
import { stripControlCharacters } from "@/kernel/lib/control-characters.ts";

export const tones = [
  "plain",
  "dim",
  "faint",
  "good",
  "bad",
  "warn",
  "accent",
  "second",
  "title",
  "link",
  "ink",
] as const;
export type Tone = (typeof tones)[number];
/** The background of a text: the selected row, a marked one, the bars at the edges. */
export const backs = ["selected", "marked", "bar"] as const;
export type Back = (typeof backs)[number];

export interface Segment {
  text: string;
  tone?: Tone;
  back?: Back;
  /** Whether the cursor is in this text. */
  cursor?: boolean;
}
export type Line = readonly Segment[];

/** The size of a terminal, in cells. */
export interface Size {
  columns: number;
  rows: number;
}

export const leastSize: Size = { columns: 60, rows: 16 };

/** Whether a terminal is too small to show what keys would do. */
export function isTooSmall({ columns, rows }: Size): boolean {
  return columns < leastSize.columns || rows < leastSize.rows;
}

export function line(text: string, tone?: Tone): Line {
  return [{ text, tone }];
}

/** Made once: it takes some milliseconds of the start. */
export const graphemes = new Intl.Segmenter();

/** What a reader takes for one sign each. */
export function signsOf(text: string): string[] {
  return [...graphemes.segment(text)].map(({ segment }) => segment);
}

const isPlain = /^[\x20-\x7e\u00a1-\u02ff\u2013-\u2026\u2190-\u21ff\u2500-\u25ff\u2800-\u28ff]*$/;
const isNarrow = /^[\x20-\x7e]*$/;
const noWidth = /^[\p{Nonspacing_Mark}\p{Enclosing_Mark}\p{Default_Ignorable_Code_Point}\p{Control}]$/u;

/** Whether every terminal agrees about this text's width. */
export function isSteady(text: string): boolean {
  return isPlain.test(text);
}

/** Cells that a text takes, counted by code points as terminals do. */
export function widthOf(text: string): number {
  if (isNarrow.test(text)) return text.length;
  let width = 0;
  for (const sign of text) {
    const code = sign.codePointAt(0) ?? 0;
    // Regional indicators come in pairs, which are one flag of two cells.
    if (code >= 0x1f1e6 && code <= 0x1f1ff) width += 1;
    else if (code < 0x7f || !noWidth.test(sign)) width += eastAsianWidth(code);
  }
  return width;
}

const families = /\u200d\p{Extended_Pictographic}[\ufe0f\u{1f3fb}-\u{1f3ff}]*/gu;
const variants = /[\ufe0e\ufe0f\u20e3]|(?<=\p{Extended_Pictographic})[\u{1f3fb}-\u{1f3ff}]/gu;

/**
 * An untrusted text made safe for terminals: no controls, and only the base of each emoji, since terminals disagree
 * about how wide variants, skin tones and families are.
 */
export function sanitize(text: string): string {
  const safe = stripControlCharacters(text);
  return isPlain.test(safe) ? safe : safe.replaceAll(families, "").replaceAll(variants, "");
}

export function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  if (width <= 0) return "";
  let kept = "";
  let used = 0;
  for (const { segment } of graphemes.segment(text)) {
    const wide = widthOf(segment);
    if (used + wide > width - 1) break;
    kept += segment;
    used += wide;
  }
  return `${kept}…`;
}

export function pad(text: string, width: number, right = false): string {
  const blanks = " ".repeat(Math.max(0, width - widthOf(text)));
  return right ? blanks + text : text + blanks;
}

/** Text padded or cut to exactly this width. */
export function cell(text: string, width: number, right = false): string {
  return pad(cut(sanitize(text), width), width, right);
}

export function wrap(text: string, width: number): string[] {
  return text.split("\n").flatMap((one) => wrapLine(sanitize(one), Math.max(1, width)));
}

/** A sentence in as many lines as it needs. */
export function wrapLines(text: string, width: number, tone?: Tone): Line[] {
  return wrap(text, width).map((one) => line(one, tone));
}

function wrapLine(text: string, width: number): string[] {
  const lines: string[] = [];
  let current = "";
  for (const word of text.split(/(?<= )/)) {
    if (widthOf((current + word).trimEnd()) <= width) {
      current += word;
      continue;
    }
    if (current !== "") lines.push(current.trimEnd());
    const parts = piecesOf(word, width);
    lines.push(...parts.slice(0, -1));
    current = parts.at(-1) ?? "";
  }
  return [...lines, current.trimEnd()];
}

/** A text cut into lines of this width, even within words, as terminals do. */
export function chop(text: string, width: number): string[] {
  return piecesOf(sanitize(text), width);
}

/** A text in pieces that fit into the width, unless one character alone is wider. */
function piecesOf(text: string, width: number): string[] {
  const pieces: string[] = [];
  let piece = "";
  let used = 0;
  for (const { segment } of graphemes.segment(text)) {
    const wide = widthOf(segment);
    if (piece !== "" && used + wide > width) {
      pieces.push(piece);
      piece = "";
      used = 0;
    }
    piece += segment;
    used += wide;
  }
  return piece === "" ? pieces : [...pieces, piece];
}

export interface ColumnWidth {
  least: number;
  needed: number;
  /** Takes the remaining width. */
  grow?: boolean;
  /** Shortened first if there is too little room, and then hidden. */
  spare?: boolean;
}

const gap = 2;
/** Less of a text says nothing. */
const leastSpare = 12;

/** Whether all columns that are never hidden have the width that they need. */
export function fitsWhole(columns: readonly ColumnWidth[], room: number): boolean {
  const kept = columns.filter(({ needed, spare }) => needed > 0 && !spare);
  return kept.reduce((sum, { needed }) => sum + needed + gap, -gap) <= room;
}

/**
 * Column widths that fit into the room; columns that would shrink below their minimum are hidden, from the right. What
 * a hidden column leaves goes to those that were shortened for it.
 */
export function fitColumns(columns: readonly ColumnWidth[], room: number): number[] {
  const widths = columns.map(({ needed, least }) => Math.max(needed, least));
  const total = () => widths.reduce((sum, width) => sum + (width > 0 ? width + gap : 0), -gap);
  const spare = [...columns.entries()].filter((entry) => entry[1].spare).reverse();
  for (const [i, { least, needed }] of spare)
    widths[i] = Math.max(least, Math.min(needed, leastSpare), (widths[i] ?? 0) - Math.max(0, total() - room));
  for (const [i] of spare) if (total() > room) widths[i] = 0;
  while (total() > room) {
    const shrinkable = columns.map(({ least }, i) => ((widths[i] ?? 0) > least ? (widths[i] ?? 0) : 0));
    const widest = Math.max(...shrinkable);
    if (widest > 0) widths[shrinkable.indexOf(widest)] = widest - 1;
    else {
      const last = widths.findLastIndex((width) => width > 0);
      if (last <= 0) break;
      widths[last] = 0;
    }
  }
  let left = room - total();
  for (const [i, { needed }] of columns.entries()) {
    const width = widths[i] ?? 0;
    const more = width === 0 ? 0 : Math.max(0, Math.min(left, needed - width));
    widths[i] = width + more;
    left -= more;
  }
  const growing = columns.findLastIndex(({ grow }, i) => grow && (widths[i] ?? 0) > 0);
  if (left > 0 && growing >= 0) widths[growing] = (widths[growing] ?? 0) + left;
  return widths;
}

/** Joins the cells of a row at these widths, leaving out those of width 0. */
export function joinCells(
  cells: readonly Segment[],
  widths: readonly number[],
  right: readonly boolean[],
): Line {
  return cells.flatMap(({ text, tone }, i): Segment[] => {
    const width = widths[i] ?? 0;
    if (width === 0) return [];
    const isLast = widths.slice(i + 1).every((other) => other === 0);
    return [{ text: cell(text, width, right[i]) + (isLast ? "" : " ".repeat(gap)), tone }];
  });
}

/** A line cut or padded to exactly this width. */
export function fit(segments: Line, width: number, back?: Back): Line {
  const kept: Segment[] = [];
  let used = 0;
  for (const segment of segments) {
    if (used >= width) break;
    const wide = widthOf(segment.text);
    const text = used + wide > width ? cut(segment.text, width - used) : segment.text;
    kept.push({ ...segment, text, back: segment.back ?? back });
    used += widthOf(text);
  }
  if (used < width) kept.push({ text: " ".repeat(width - used), back });
  return kept;
}

/** The line with something behind it. */
export function withBack(segments: Line, back: Back): Line {
  return segments.map((segment) => ({ ...segment, back: segment.back ?? back }));
}

const units = ["B", "KB", "MB", "GB", "TB"];

export function bytes(count: number): string {
  let value = count;
  let unit = 0;
  for (; value >= 1000 && unit < units.length - 1; unit++) value /= 1000;
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}

/** Time in UTC, as the commands print it. */
export function timeText(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 16).replace("T", " ");
}

export function secondsText(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 19).replace("T", " ");
}

export function duration(seconds: number): string {
  if (seconds < 60) return `${Math.floor(seconds)} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
  return `${Math.floor(seconds / 86_400)} d ${Math.floor((seconds % 86_400) / 3600)} h`;
}
