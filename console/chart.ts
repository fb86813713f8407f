// Curves over time in braille: two points by four in each character.
import { type Line, pad, type Segment, type Tone, widthOf } from "./layout.ts";

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

/** A chart with its title and scale; the height counts the title. */
export function chartLines(
  { title, now, curves, least, words }: Chart,
  width: number,
  height: number,
): Line[] {
  const most = Math.max(least, ...curves.flatMap(({ values }) => values.map((value) => value ?? 0)));
  const scale = words(most);
  const tone = curves.at(-1)?.tone ?? "accent";
  const free = width - widthOf(title) - widthOf(now) - 1;
  const hasScale = free > widthOf(scale);
  return [
    [
      { text: `${title} `, tone: "dim" },
      { text: now, tone },
      ...(hasScale ? [{ text: pad(scale, free, true), tone: "faint" as const }] : []),
    ],
    ...plot(curves, { width, height: height - 1, most }),
  ];
}

const label = 24;
const value = 17;

/** Characters for the curve of a chart in one line. */
export function shortRoom(width: number): number {
  return Math.max(8, width - label - value);
}

/** The same in one line: title, curve, value. */
export function chartLine({ title, now, curves, least }: Chart, width: number): Line {
  const most = Math.max(least, ...curves.flatMap(({ values }) => values.map((one) => one ?? 0)));
  const [drawn = []] = plot(curves, { width: shortRoom(width), height: 1, most });
  return [
    { text: pad(title, label), tone: "dim" },
    ...drawn,
    { text: `  ${now}`, tone: curves.at(-1)?.tone ?? "accent" },
  ];
}
