// Output for the terminal: text, tables, errors.
import { stripControlCharacters } from "@/kernel/lib/control-characters.ts";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import { printable } from "@/kernel/lib/log.ts";
import { streams } from "./streams.ts";

const maxWidth = () => (process.stdout.isTTY ? process.stdout.columns || 80 : Number.POSITIVE_INFINITY);
const hasColor = () => process.stdout.isTTY === true && !process.env.NO_COLOR && process.env.TERM !== "dumb";
const gap = 2;
const least = 8;

const [boldBegins, boldEnds] = ["\x1b[1m", "\x1b[22m"];

export function bold(text: string): string {
  return hasColor() ? boldBegins + text + boldEnds : text;
}

/**
 * Makes every line safe for a terminal, because it may contain names that users chose; only our own emphasis remains.
 */
export function forPeople(text: string): string {
  const within = (part: string) => part.split(boldEnds).map(harmlessLines).join(boldEnds);
  return text.split(boldBegins).map(within).join(boldBegins);
}

/** One JSON document on one line. Characters that could control a terminal are escaped, which changes no value. */
export function forScripts(document: unknown): string {
  return printable(JSON.stringify(document));
}

/** Text of several lines without terminal control characters. */
export function harmlessLines(text: string): string {
  return text.split("\n").map(stripControlCharacters).join("\n");
}

/** Writes text and a line break to standard output; returns false if its reader has closed it. */
export async function write(text: string): Promise<boolean> {
  try {
    await streams().write(`${text}\n`);
    return true;
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    // EPIPE: the reader closed the pipe (`| head`), which is not a failure.
    if (code === "EPIPE") return false;
    fail("BAD_REQUEST", `the command succeeded, but its result could not be written: ${message}`);
  }
}

/** Writes synchronously. A reader that closed the pipe (`| head`) is not a failure. */
export function writeNow(text: string): void {
  try {
    streams().writeNow(text);
  } catch (error) {
    if ((error as { code?: string }).code !== "EPIPE") throw error;
  }
}

export function complain(sentence: string): void {
  streams().writeError(`confab: ${harmlessLines(sentence)}\n`);
}

/** Rows under headings, aligned. In a terminal, wide columns are cut so that each row fits on one line. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const clean = rows.map((row) => row.map(stripControlCharacters));
  const needed = headings.map((heading, i) =>
    Math.max(...[heading, ...clean.map((row) => row[i] ?? "")].map((cell) => Bun.stringWidth(cell))),
  );
  const widths = fitWidths(needed, maxWidth());
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, i) => pad(cut(cell, widths[i] ?? 0), widths[i] ?? 0))
      .join(" ".repeat(gap))
      .trimEnd();
  return [bold(line(headings)), ...clean.map(line)].join("\n");
}

/** Labels and values, one pair per line. */
export function facts(pairs: readonly (readonly [label: string, value: string])[]): string {
  const width = Math.max(...pairs.map(([label]) => Bun.stringWidth(label)));
  return pairs
    .map(([label, value]) => `${pad(label, width)}${" ".repeat(gap)}${stripControlCharacters(value)}`)
    .join("\n");
}

/** Quotes a text as one word for a shell. */
export function quote(text: string): string {
  return `'${stripControlCharacters(text).replaceAll("'", `'\\''`)}'`;
}

/** UNIX seconds as UTC date and time, to the minute. */
export function timeText(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 16).replace("T", " ");
}

/** Shrinks the widest column until all fit. */
function fitWidths(needed: readonly number[], room: number): number[] {
  const widths = [...needed];
  const total = () => widths.reduce((sum, width) => sum + width + gap, -gap);
  while (total() > room) {
    const widest = Math.max(...widths);
    if (widest <= least) break;
    widths[widths.indexOf(widest)] = widest - 1;
  }
  return widths;
}

function pad(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - Bun.stringWidth(text)));
}

function cut(text: string, width: number): string {
  if (Bun.stringWidth(text) <= width) return text;
  let kept = "";
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (Bun.stringWidth(kept + segment) > width - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}
