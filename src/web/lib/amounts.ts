// Formats amounts for people, in the page's language.
import { locale } from "./texts.ts";

const units = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const;

/** "12.3 MB" */
export function formatBytes(bytes: number): string {
  const step = bytes < 1000 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1);
  const form = { style: "unit", unit: units[step], maximumFractionDigits: bytes < 1e6 ? 0 : 1 } as const;
  return new Intl.NumberFormat(locale, form).format(bytes / 1000 ** step);
}

/** "12,345.6" */
export const formatNumber = (value: number) =>
  new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }).format(value);
