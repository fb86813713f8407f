// Changing many by one command: each by itself, so that one that fails does not keep the others from theirs.
import { z } from "zod";
import { AppError, failInEnglish as fail } from "@/kernel/lib/errors.ts";
import { namesText } from "./confirm.ts";
import { progressLine } from "./progress.ts";
import { isRemote } from "./prompts.ts";

export const failedShape = z.array(z.object({ name: z.string(), reason: z.string() }));
type Failed = z.infer<typeof failedShape>;

const asList = (given: unknown) => (typeof given === "string" ? [given] : given);
const words = z.array(z.string().min(1));

/** Names; also one alone, as older programs send it to a server. */
export const oneOrMore = z.preprocess(asList, words.min(1));
export const anyNumber = z.preprocess(asList, words.default([]));

/** The result of a command for many: those that it changed, those that were so before, and those that could not be changed. */
export function manyShape<S extends z.ZodType>(one: S) {
  return z.object({ changed: z.array(one), unchanged: z.array(one), failed: failedShape });
}

interface Work<T, R> {
  items: readonly T[];
  /** As the progress shows it: "Deactivating". */
  doing: string;
  nameOf: (item: T) => string;
  change: (item: T) => Promise<R>;
}

export async function changeEach<T, R>({ items, doing, nameOf, change }: Work<T, R>) {
  const { report, end } = isRemote() ? { report: () => {}, end: () => {} } : progressLine();
  const changed: R[] = [];
  const failed: Failed = [];
  try {
    for (const [done, item] of items.entries()) {
      if (items.length > 1) report({ doing, done, of: items.length, unit: "" });
      try {
        changed.push(await change(item));
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        failed.push({ name: nameOf(item), reason: error.message });
      }
    }
  } finally {
    end();
  }
  return { changed, failed };
}

/** Says which could not be changed, and why; null if all were. */
export function failureText({
  changed,
  failed,
}: {
  changed: readonly unknown[];
  failed: Failed;
}): string | null {
  const [first] = failed;
  if (!first) return null;
  if (changed.length === 0 && failed.length === 1) return first.reason;
  const all = (changed.length + failed.length).toLocaleString("en");
  return `${failed.length.toLocaleString("en")} of ${all} could not be changed: ${reasonsText(failed)}.`;
}

const maxReasons = 10;

/** The first names with their reasons, and how many more there are. */
export function reasonsText(failed: Failed): string {
  const first = failed.slice(0, maxReasons);
  const shown = first.map(({ name, reason }) => `${name}: ${reason.replace(/\.$/, "")}`);
  const more = failed.length - maxReasons;
  const rest = more > 0 ? [`and ${more.toLocaleString("en")} more`] : [];
  return [...shown, ...rest].join("; ");
}

/** Finds each by its name; if some are unknown, the error names all of these, and nothing is changed. */
export async function findEach<T>(
  names: readonly NamedOperand[],
  { find, what }: { find: (name: string) => T | null; what: string },
): Promise<T[]> {
  const found = new Set<T>();
  const unknown: string[] = [];
  for (const [i, { name, line }] of names.entries()) {
    const one = find(name);
    if (one !== null) found.add(one);
    else unknown.push(line === null ? `'${name}'` : `'${name}' (line ${line})`);
    if (i % 200 === 199) await new Promise<void>((resolve) => void setImmediate(resolve));
  }
  if (unknown.length === 0) return [...found];
  const ending = names.length > 1 ? " Nothing was changed." : "";
  return fail("BAD_REQUEST", `There is no ${what} ${namesText(unknown, 20)}.${ending}`);
}

/** A name as typed, or with its line in a file. */
export interface NamedOperand {
  name: string;
  line: number | null;
}

const maxLines = 50_000;

/** The names in a text, one on each line; empty lines and those that begin with # are left out. */
export function namesIn(bytes: Uint8Array, file: string): NamedOperand[] {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return fail("BAD_REQUEST", `${file} is no text in UTF-8.`);
  }
  const names = text
    .split(/\r?\n/)
    .map((line, i) => ({ name: line.trim(), line: i + 1 }))
    .filter(({ name }) => name !== "" && !name.startsWith("#"));
  if (names.length === 0) fail("BAD_REQUEST", `${file} names nobody.`);
  if (names.length > maxLines)
    fail("BAD_REQUEST", `${file} has more than ${maxLines.toLocaleString("en")} lines with names.`);
  return names;
}
