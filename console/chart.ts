// Curves over time in braille: two points by four in each character.
import type { Line, Segment, Tone } from "./layout.ts";

const dots = [
  [0x40, 0x04, 0x02, 0x01],
  [0x80, 0x20, 0x10, 0x08],
] as const;

export interface Curve {
  /** One value for each point of the width, two per character; null where nothing was measured. */
  values: readonly (number | null)[];
  tone: Tone;
}

/** Areas below curves, from the bottom; of curves that overlap, the last one gives its colour. */
export function plot(
  curves: readonly Curve[],
  { width, height, most }: { width: number; height: number; most: number },
): Line[] {
  const filled = curves.map(({ values }) =>
    values.map((value) =>
      value === null || value <= 0 ? 0 : Math.max(1, Math.round((Math.min(value, most) / most) * height * 4)),
    ),
  );
  return Array.from({ length: height }, (_, y): Line => {
    const below = (height - 1 - y) * 4;
    const cells: Segment[] = [];
    for (let x = 0; x < width; x++) {
      let code = 0;
      let tone: Tone = "faint";
      for (const [i, { tone: own }] of curves.entries()) {
        const lit = cellOf(filled[i] ?? [], x, below);
        if (lit > 0) tone = own;
        code |= lit;
      }
      // A base line for zero, a blank where nothing was measured.
      const sign =
        code > 0 ? String.fromCharCode(0x2800 + code) : y === height - 1 && isMeasured(curves, x) ? "⣀" : " ";
      const last = cells.at(-1);
      const shownTone: Tone = code === 0 ? "faint" : tone;
      if (last && last.tone === shownTone) last.text += sign;
      else cells.push({ text: sign, tone: shownTone });
    }
    return cells;
  });
}

function isMeasured(curves: readonly Curve[], x: number): boolean {
  return curves.some(({ values }) => values[2 * x] != null || values[2 * x + 1] != null);
}

/** The dots of a character whose lowest dots are the ones after `below`. */
function cellOf(filled: readonly number[], x: number, below: number): number {
  let code = 0;
  for (const [side, column] of dots.entries()) {
    const count = Math.min(4, (filled[2 * x + side] ?? 0) - below);
    for (let i = 0; i < count; i++) code |= column[i] ?? 0;
  }
  return code;
}

export interface Chart {
  title: string;
  /** The present value in words. */
  now: string;
  curves: readonly Curve[];
  /** The minimum value for the full height, so that small changes look small. */
  least: number;
  /** A value in words, for the scale. */
  words: (value: number) => string;
}

/** Charts of the same size: in columns or, if one has but a line, below each other. */
export interface ChartGrid {
  charts: readonly Chart[];
  columns: number;
  /** Lines for each. */
  each: number;
  /** Lines for all. */
  height: number;
}

/** Between charts next to each other. */
export const chartGap = 3;

export function chartWidth(width: number, columns: number): number {
  return Math.floor((width - chartGap * (columns - 1)) / columns);
}

/** The widest title of a chart in one line, and its widest value with the space before it. */
export const [shortTitle, shortValue] = [24, 17];

/** Characters for the curve of a chart in one line. */
export function shortRoom(width: number): number {
  return Math.max(8, width - shortTitle - shortValue);
}

/** The value at the full height. */
export function mostOf({ least, curves }: Chart): number {
  return Math.max(least, ...curves.flatMap(({ values }) => values.map((value) => value ?? 0)));
}
