// The palette: what each tone looks like on dark and light backgrounds, and in terminals with few or no colours.
import type { Back, Line, Segment, Tone } from "../layout.ts";

export type Shade = "dark" | "light";
/** Bits of colour that the terminal shows; 0 without colour. */
export type ColorDepth = 0 | 4 | 8 | 24;

export interface Theme {
  shade: Shade;
  depth: ColorDepth;
}

type Colour = readonly [hex: string, of16: number];

interface Palette {
  tones: Partial<Record<Tone, Colour>>;
  backs: Record<Back, Colour>;
}

const palettes: Record<Shade, Palette> = {
  dark: {
    tones: {
      dim: ["#8b94a8", 37],
      faint: ["#4b5469", 90],
      good: ["#7dd492", 32],
      bad: ["#ff7a85", 91],
      warn: ["#f2c26b", 33],
      accent: ["#72c1ff", 36],
      second: ["#c8a2ff", 35],
      title: ["#f3f5fa", 97],
      link: ["#72c1ff", 36],
      ink: ["#ffffff", 97],
    },
    backs: { selected: ["#2a3856", 44], marked: ["#3c3154", 45], bar: ["#1b2130", 40] },
  },
  light: {
    tones: {
      dim: ["#5d6678", 90],
      faint: ["#b4bccb", 37],
      good: ["#1a7f37", 32],
      bad: ["#c4273b", 31],
      warn: ["#8f5e00", 33],
      accent: ["#0a5fb8", 34],
      second: ["#7a3fb0", 35],
      title: ["#141923", 30],
      link: ["#0a5fb8", 34],
      ink: ["#ffffff", 97],
    },
    backs: { selected: ["#cfe1fa", 46], marked: ["#e6daf7", 45], bar: ["#e9edf4", 47] },
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

/** The SGR codes that switch from the terminal's default style to a segment's. */
function codesOf(theme: Theme, { tone = "plain", back, cursor }: Segment): string[] {
  const codes: string[] = [];
  const isWeighed = theme.depth === 0 ? heavy.has(tone) : bold.has(tone);
  if (isWeighed) codes.push("1");
  if (tone === "link") codes.push("4");
  const { tones, backs } = palettes[theme.shade];
  // QR codes are light on dark in every theme.
  if (tone === "ink" && theme.depth > 0)
    codes.push(theme.depth === 24 ? "48;2;0;0;0" : theme.depth === 8 ? "48;5;16" : "40");
  if (theme.depth === 0) {
    if (pale.has(tone) && !back) codes.push("2");
    if (cursor || back === "selected") codes.push("7");
    if (back === "marked") codes.push("4");
    return codes;
  }
  if (cursor) codes.push("7");
  // With 16 colours, coloured text on a coloured background may be unreadable.
  if (theme.depth === 4 && back === "selected") codes.push("7");
  else {
    const colour = tones[tone];
    if (colour) codes.push(colourCode(theme.depth, colour, false));
    if (back && !(theme.depth === 4 && back === "bar"))
      codes.push(colourCode(theme.depth, backs[back], true));
  }
  return codes;
}

/** A line with its styles, each code in a separate sequence, as Ink expects. */
export function styleLine(theme: Theme, line: Line): string {
  let text = "";
  let look = "";
  for (const segment of line) {
    // Blanks without a background look the same in any colour.
    const isBlank = !segment.back && !segment.cursor && segment.tone !== "ink" && segment.text.trim() === "";
    const own = isBlank ? (hasGround(look) ? "" : look) : lookOf(theme, segment);
    if (own !== look) text += `${look === "" ? "" : "\x1b[0m"}${own}`;
    text += segment.text;
    look = own;
  }
  return look === "" ? text : `${text}\x1b[0m`;
}

/** Whether this style is visible on blanks. */
function hasGround(look: string): boolean {
  return /\x1b\[(?:4|7|4[0-8]|10[0-7])(?:;[\d;]*)?m/.test(look);
}

function lookOf(theme: Theme, segment: Segment): string {
  return codesOf(theme, segment)
    .map((code) => `\x1b[${code}m`)
    .join("");
}

function colourCode(depth: ColorDepth, [hex, of16]: Colour, isBack: boolean): string {
  if (depth === 4) return String(of16);
  const parts = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
  const kind = isBack ? 48 : 38;
  return depth === 24 ? `${kind};2;${parts.join(";")}` : `${kind};5;${nearest(parts)}`;
}

/** The nearest of the 256 colours: from the ramp of greys, or from the cube. */
function nearest(parts: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = parts;
  if (Math.max(...parts) - Math.min(...parts) < 24) {
    const grey = Math.round(((red + green + blue) / 3 - 8) / 10);
    return 232 + Math.max(0, Math.min(23, grey));
  }
  const step = (part: number) => (part < 48 ? 0 : part < 115 ? 1 : Math.min(5, Math.round((part - 55) / 40)));
  return 16 + 36 * step(red) + 6 * step(green) + step(blue);
}
