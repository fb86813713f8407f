// The palette: what each tone looks like on dark and light backgrounds, and in terminals with few or no colours.
import chalk, { type BackgroundColorName, type ChalkInstance, type ForegroundColorName } from "chalk";
import { createContext } from "react";
import type { Back, Segment, Tone } from "../layout.ts";
import { styledTextsOf } from "../terminal/painter.ts";

export type Shade = "dark" | "light";
/** Bits of colour that the terminal shows; 0 without colour. */
export type ColorDepth = 0 | 4 | 8 | 24;

export interface Theme {
  shade: Shade;
  depth: ColorDepth;
}

type Colour = readonly [hex: string, of16: ForegroundColorName];

interface Palette {
  tones: Partial<Record<Tone, Colour>>;
  backs: Record<Back, Colour>;
}

const palettes: Record<Shade, Palette> = {
  dark: {
    tones: {
      dim: ["#8b94a8", "white"],
      faint: ["#4b5469", "gray"],
      good: ["#7dd492", "green"],
      bad: ["#ff7a85", "redBright"],
      warn: ["#f2c26b", "yellow"],
      accent: ["#72c1ff", "cyan"],
      second: ["#c8a2ff", "magenta"],
      title: ["#f3f5fa", "whiteBright"],
      link: ["#72c1ff", "cyan"],
      ink: ["#ffffff", "whiteBright"],
    },
    backs: { selected: ["#2a3856", "blue"], marked: ["#3c3154", "magenta"], bar: ["#1b2130", "black"] },
  },
  light: {
    tones: {
      dim: ["#5d6678", "gray"],
      faint: ["#b4bccb", "white"],
      good: ["#1a7f37", "green"],
      bad: ["#c4273b", "red"],
      warn: ["#8f5e00", "yellow"],
      accent: ["#0a5fb8", "blue"],
      second: ["#7a3fb0", "magenta"],
      title: ["#141923", "black"],
      link: ["#0a5fb8", "blue"],
      ink: ["#ffffff", "whiteBright"],
    },
    backs: { selected: ["#cfe1fa", "cyan"], marked: ["#e6daf7", "magenta"], bar: ["#e9edf4", "white"] },
  },
};

const bold = new Set<Tone>(["title"]);
/** Without colours, tones differ only by weight. */
const heavy = new Set<Tone>(["title", "bad", "warn", "accent"]);
const pale = new Set<Tone>(["dim", "faint"]);

type Env = Readonly<Record<string, string | undefined>>;

/** Reads the environment as terminals and https://no-color.org set it. */
export function themeFor(env: Env): Theme {
  const ground = Number(env.COLORFGBG?.split(";").at(-1) ?? Number.NaN);
  return { shade: ground === 7 || ground === 15 ? "light" : "dark", depth: depthFor(env) };
}

function depthFor({ NO_COLOR, TERM = "", COLORTERM = "" }: Env): ColorDepth {
  if (NO_COLOR || TERM === "dumb") return 0;
  if (/truecolor|24bit/.test(COLORTERM) || /-direct$/.test(TERM)) return 24;
  return /256/.test(TERM) ? 8 : 4;
}

/** The shade of a background colour, by its perceived brightness; parts are from 0 to 1. */
export function shadeOf([red, green, blue]: readonly [number, number, number]): Shade {
  return 0.299 * red + 0.587 * green + 0.114 * blue > 0.5 ? "light" : "dark";
}

/** How a segment looks. */
export interface Look {
  /** For Ink's boxes, which take colours by name. */
  color: string | undefined;
  backgroundColor: string | undefined;
  isDim: boolean;
  /** Whether blanks show something of it. */
  hasGround: boolean;
  /** As the painter has it. */
  codes: string;
}

// Chalk and Ink, which styles by it, would look at this process's environment; the theme knows what the terminal shows.
chalk.level = 3;

export const ThemeContext = createContext<Theme>({ shade: "dark", depth: 24 });

const looks = new Map<string, Look>();

/** The look of a segment; the same object for the same look. */
export function lookOf(theme: Theme, { tone = "plain", back, cursor = false }: Omit<Segment, "text">): Look {
  const key = `${theme.shade} ${theme.depth} ${tone} ${back} ${cursor}`;
  const known = looks.get(key) ?? makeLook(theme, { tone, back, cursor });
  looks.set(key, known);
  return known;
}

function makeLook(
  { shade, depth }: Theme,
  { tone, back, cursor }: { tone: Tone; back: Back | undefined; cursor: boolean },
): Look {
  const { tones, backs } = palettes[shade];
  // With 16 colours, coloured text on a coloured background may be unreadable.
  const isSwapped = depth <= 4 && back === "selected";
  const isInverse = cursor || isSwapped;
  const isUnderlined = tone === "link" || (depth === 0 && back === "marked");
  const isDim = depth === 0 && pale.has(tone) && !back;
  const front = depth === 0 || isSwapped ? undefined : tones[tone];
  // QR codes are light on dark in every theme.
  const inked: Colour | undefined = tone === "ink" ? ["#000000", "black"] : undefined;
  const ground = back && !(depth === 4 && back === "bar") ? backs[back] : inked;
  const behind = depth === 0 || isSwapped ? undefined : ground;
  let pen = chalk;
  if ((depth === 0 ? heavy : bold).has(tone)) pen = pen.bold;
  if (isDim) pen = pen.dim;
  if (isUnderlined) pen = pen.underline;
  if (isInverse) pen = pen.inverse;
  if (front) pen = colourPen(pen, depth, front);
  if (behind) pen = groundPen(pen, depth, behind);
  return {
    color: front && colourFor(depth, front),
    backgroundColor: behind && colourFor(depth, behind),
    isDim,
    hasGround: behind !== undefined || isUnderlined || isInverse,
    codes: styledTextsOf(pen(" "))[0]?.look ?? "",
  };
}

function colourPen(pen: ChalkInstance, depth: ColorDepth, [hex, of16]: Colour): ChalkInstance {
  if (depth === 4) return pen[of16];
  return depth === 24 ? pen.hex(hex) : pen.ansi256(nearest(hex));
}

function groundPen(pen: ChalkInstance, depth: ColorDepth, [hex, of16]: Colour): ChalkInstance {
  if (depth === 4) return pen[`bg${of16.charAt(0).toUpperCase()}${of16.slice(1)}` as BackgroundColorName];
  return depth === 24 ? pen.bgHex(hex) : pen.bgAnsi256(nearest(hex));
}

/** A colour as Ink takes it. */
function colourFor(depth: ColorDepth, [hex, of16]: Colour): string {
  if (depth === 4) return of16;
  return depth === 24 ? hex : `ansi256(${nearest(hex)})`;
}

/** The nearest of the 256 colours: from the ramp of greys, or from the cube. */
function nearest(hex: string): number {
  const parts = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
  const [red = 0, green = 0, blue = 0] = parts;
  if (Math.max(...parts) - Math.min(...parts) < 24) {
    const grey = Math.round(((red + green + blue) / 3 - 8) / 10);
    return 232 + Math.max(0, Math.min(23, grey));
  }
  const step = (part: number) => (part < 48 ? 0 : part < 115 ? 1 : Math.min(5, Math.round((part - 55) / 40)));
  return 16 + 36 * step(red) + 6 * step(green) + step(blue);
}
