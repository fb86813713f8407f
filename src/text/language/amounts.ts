// Amounts as the reader's language writes them.

const units = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const;

/** "12.3 MB"; the language is a tag such as "en". */
export function formatBytesIn(tag: string, bytes: number): string {
  const step = bytes < 1000 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1);
  const form = { style: "unit", unit: units[step], maximumFractionDigits: bytes < 1e6 ? 0 : 1 } as const;
  return new Intl.NumberFormat(tag, form).format(bytes / 1000 ** step);
}

/** "85%", rounded down, so that it says 100 % of what is full alone. */
export const formatPartIn = (tag: string, part: number) =>
  new Intl.NumberFormat(tag, { style: "percent" }).format(Math.floor(part * 100) / 100);
