// The colours that people choose for channels are often too pale for a mark. Makes both themes' shades of one.

/** The minimum contrast that WCAG requires of marks, plus a margin for rounding. */
const least = 3.05;
/** The luminance of `--selected`, the surface in tokens.css with the least contrast to marks. */
const surfaces = { light: luminance([0xe4, 0xe7, 0xfa]), dark: luminance([0x2a, 0x30, 0x50]) };

const known = new Map<string, string>();

/** A CSS colour of the same hue with enough contrast in either theme. Takes "#rrggbb"; returns anything else as it is. */
export function markColor<T extends string | undefined>(color: T): T | string {
  if (color === undefined || !/^#[0-9a-f]{6}$/i.test(color)) return color;
  const found = known.get(color) ?? `light-dark(${shade(color, "light")}, ${shade(color, "dark")})`;
  known.set(color, found);
  return found;
}

/** Mixes the colour with black or white, by as little as is enough. */
function shade(color: string, theme: keyof typeof surfaces): string {
  const from = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
  const to = theme === "light" ? 0 : 255;
  for (let part = 0; part <= 1; part += 0.02) {
    const mixed = from.map((value) => Math.round(value + (to - value) * part));
    const [a, b] = [luminance(mixed), surfaces[theme]];
    if ((Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05) >= least)
      return `#${mixed.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
  }
  return theme === "light" ? "#000000" : "#ffffff";
}

function luminance(rgb: readonly number[]): number {
  const [r = 0, g = 0, b = 0] = rgb.map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
