// Text in terminal cells: sanitizing, width, cutting and wrapping.
import { harmless } from "@/kernel/harmless.ts";

export type Tone = "plain" | "dim" | "good" | "bad" | "warn" | "accent" | "title";

export interface Segment {
  text: string;
  tone?: Tone;
  /** Whether the cursor is here. */
  cursor?: boolean;
}
export type Line = readonly Segment[];

export function line(text: string, tone?: Tone): Line {
  return [{ text, tone }];
}

const graphemes = new Intl.Segmenter();

export function widthOf(text: string): number {
  return Bun.stringWidth(text);
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

export function padded(text: string, width: number, right = false): string {
  const blanks = " ".repeat(Math.max(0, width - widthOf(text)));
  return right ? blanks + text : text + blanks;
}

/** Text padded or cut to exactly this width. */
export function cell(text: string, width: number, right = false): string {
  return padded(cut(harmless(text), width), width, right);
}

export function wrap(text: string, width: number): string[] {
  return text.split("\n").flatMap((one) => wrapLine(harmless(one), Math.max(1, width)));
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
    current = word;
    while (widthOf(current) > width) {
      const head = headOf(current, width);
      lines.push(head);
      current = current.slice(head.length);
    }
  }
  return [...lines, current.trimEnd()];
}

function headOf(text: string, width: number): string {
  let head = "";
  for (const { segment } of graphemes.segment(text)) {
    if (head !== "" && widthOf(head + segment) > width) break;
    head += segment;
  }
  return head;
}

export interface Wanted {
  least: number;
  needed: number;
  /** Takes the remaining width. */
  grow?: boolean;
  /** Hidden first if there is too little room. */
  spare?: boolean;
}

const gap = 2;

/** Column widths that fit into the room; columns that would shrink below their minimum are hidden, from the right. */
export function fitted(columns: readonly Wanted[], room: number): number[] {
  const widths = columns.map(({ needed, least }) => Math.max(needed, least));
  const total = () => widths.reduce((sum, width) => sum + (width > 0 ? width + gap : 0), -gap);
  for (const [i, { spare }] of columns.entries()) if (spare && total() > room) widths[i] = 0;
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
  const spare = room - total();
  const growing = columns.findLastIndex(({ grow }, i) => grow && (widths[i] ?? 0) > 0);
  if (spare > 0 && growing >= 0) widths[growing] = (widths[growing] ?? 0) + spare;
  return widths;
}

/** Joins the cells of a row at these widths, leaving out those of width 0. */
export function joined(
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

const bars = "▁▂▃▄▅▆▇█";

/** One character per value, for the last values that fit. */
export function sparkline(values: readonly number[], width: number): string {
  const shown = values.slice(-width);
  const most = Math.max(1, ...shown);
  return shown
    .map((value) =>
      value === 0 ? bars[0] : bars[Math.max(1, Math.ceil((value / most) * (bars.length - 1)))],
    )
    .join("");
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

export function duration(seconds: number): string {
  if (seconds < 60) return `${Math.floor(seconds)} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
  return `${Math.floor(seconds / 86_400)} d ${Math.floor((seconds % 86_400) / 3600)} h`;
}
