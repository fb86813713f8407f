// Formats amounts for people, in the page's language.
import { formatBytesIn } from "@/text/language/amounts.ts";
import { locale } from "./texts.ts";

/** "12.3 MB" */
export const formatBytes = (bytes: number) => formatBytesIn(locale, bytes);

/** "12,345.6" */
export const formatNumber = (value: number) =>
  new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }).format(value);
