// Reads the files of an unpacked export: checks their JSON, and that their paths stay inside the export.
import { createReadStream, existsSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { basename, join, relative, resolve, sep } from "node:path";
import { createInterface } from "node:readline";
import { z } from "zod";
import { fail } from "@/kernel/errors.ts";
import { wordingAfter } from "@/kernel/wording.ts";

const mib = 1_048_576;
/** JSON files are parsed in memory, as a whole. */
const maxJson = 256 * mib;
const maxLine = 16 * mib;

/** The file at a path that the export names; null if it does not exist. Throws if the path leads outside the export. */
export function fileIn(folder: string, path: string): string | null {
  const full = resolve(folder, path.replaceAll("\\", "/").replace(/^\/+/, ""));
  if (!isInside(folder, full)) {
    fail("BAD_REQUEST", `The export names a file outside itself: ${JSON.stringify(path.slice(0, 200))}.`);
  }
  return existsSync(full) && statSync(full).isFile() && isInside(realpathSync(folder), realpathSync(full))
    ? full
    : null;
}

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`);
}

/** The folder that contains a file: the unpacked one, or a folder directly in it. */
export function folderWith(folder: string, file: string): string {
  if (existsSync(join(folder, file))) return folder;
  const below = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const found = below.map(({ name }) => join(folder, name)).find((path) => existsSync(join(path, file)));
  return found ?? fail("BAD_REQUEST", `This is not an export of this kind: it has no ${file}.`);
}

/** Parses and checks a JSON file; null if it does not exist. */
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

/** Checks a value; the error names the place of the first problem. */
export function checked<T>(value: unknown, rule: z.ZodType<T>, name: string): T {
  const result = rule.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const where = issue?.path.length ? `${issue.path.map(String).join(".")} in ${name}` : name;
  return fail("BAD_REQUEST", `${wordingAfter(where, issue).replace(/\.$/, "")}.`);
}

/** The lines of a file, parsed as JSON, with their numbers. */
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

/** Accepts null and absent values as null. */
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
