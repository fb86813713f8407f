// Reads the files of an unpacked export: their JSON by rules, their paths never outside of it.
import { createReadStream, existsSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { basename, join, relative, resolve, sep } from "node:path";
import { createInterface } from "node:readline";
import { z } from "zod";
import { fail } from "@/kernel/errors.ts";
import { wordingAfter } from "@/kernel/wording.ts";

const mib = 1_048_576;
/** All of a JSON file is in memory at once. */
const maxJson = 256 * mib;
const maxLine = 16 * mib;

/** The file at a path that the export names; null if it has none there. Throws if the path leads outside. */
export function fileIn(folder: string, path: string): string | null {
  const full = resolve(folder, path.replaceAll("\\", "/").replace(/^\/+/, ""));
  if (!isInside(folder, full)) {
    fail("BAD_REQUEST", `The export names a file outside of itself: ${JSON.stringify(path.slice(0, 200))}.`);
  }
  return existsSync(full) && statSync(full).isFile() && isInside(realpathSync(folder), realpathSync(full))
    ? full
    : null;
}

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`);
}

/** The folder in which a file lies: that of the export, or the only one in it. */
export function folderWith(folder: string, file: string): string {
  if (existsSync(join(folder, file))) return folder;
  const below = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const found = below.map(({ name }) => join(folder, name)).find((path) => existsSync(join(path, file)));
  return found ?? fail("BAD_REQUEST", `This is not such an export: it has no ${file}.`);
}

/** A JSON file by its rule; null if it is not there. */
export function readJson<T>(path: string, rule: z.ZodType<T>): T | null {
  if (!existsSync(path)) return null;
  const name = basename(path);
  if (statSync(path).size > maxJson) fail("BAD_REQUEST", `${name} is larger than ${maxJson / mib} MiB.`);
  return checked(parsed(readFileSync(path, "utf8"), name), rule, name);
}

function parsed(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    return fail(
      "BAD_REQUEST",
      `${name} is not complete JSON: ${(error as Error).message.replace(/\.$/, "")}.`,
    );
  }
}

/** A value by its rule; throws with the place of the first fault. */
export function checked<T>(value: unknown, rule: z.ZodType<T>, name: string): T {
  const result = rule.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const where = issue?.path.length ? `${issue.path.map(String).join(".")} in ${name}` : name;
  return fail("BAD_REQUEST", `${wordingAfter(where, issue).replace(/\.$/, "")}.`);
}

/** The lines of a file, each with its number and parsed. */
export async function* readLines(path: string): AsyncGenerator<{ line: number; value: unknown }> {
  const name = basename(path);
  let line = 0;
  for await (const text of createInterface({
    input: createReadStream(path),
    crlfDelay: Number.POSITIVE_INFINITY,
  })) {
    line++;
    if (text.length > maxLine)
      fail("BAD_REQUEST", `${name}, line ${line} is longer than ${maxLine / mib} MiB.`);
    if (text.trim() !== "") yield { line, value: parsed(text, `${name}, line ${line}`) };
  }
}

/** What JSON has where something is left out. */
export function orNull<T>(rule: z.ZodType<T>) {
  return rule.nullish().transform((value) => value ?? null);
}

export const text = z
  .string()
  .nullish()
  .transform((value) => value ?? "");
export const yesNo = z
  .boolean()
  .nullish()
  .transform((value) => value ?? false);
