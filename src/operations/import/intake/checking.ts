// Reads JSON of exports and checks it.
import { createReadStream, existsSync, readFileSync, statSync } from "node:fs";
import { basename } from "node:path";
import { createInterface } from "node:readline";
import { z } from "zod";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import { wordingAfter } from "@/kernel/lib/wording.ts";

const mib = 1_048_576;
/** JSON files are parsed in memory, as a whole. */
const maxJson = 256 * mib;
const maxLine = 16 * mib;

/** Parses and checks a JSON file; null if it does not exist. */
export function readJson<T>(path: string, rule: z.ZodType<T>): T | null {
  if (!existsSync(path)) return null;
  const name = basename(path);
  if (statSync(path).size > maxJson) fail("BAD_REQUEST", `${name} is larger than ${maxJson / mib} MiB.`);
  return checkValue(parseJson(readFileSync(path, "utf8"), name), rule, name);
}

function parseJson(text: string, name: string): unknown {
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
export function checkValue<T>(value: unknown, rule: z.ZodType<T>, name: string): T {
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
    if (text.trim() !== "") yield { line, value: parseJson(text, `${name}, line ${line}`) };
  }
}

/** Accepts null and absent values as null. */
export function orNull<T>(rule: z.ZodType<T>) {
  return rule.nullish().transform((value) => value ?? null);
}

/** A text; exporters write some as numbers. */
export const text = z
  .union([z.string(), z.number().transform(String), z.boolean().transform(String)])
  .nullish()
  .transform((value) => value ?? "");

const numeral = /^\s*[+-]?\d+(\.\d+)?\s*$/;
const asNumber = (value: unknown) =>
  typeof value === "string" && numeral.test(value) ? Number(value) : value;
const isBlank = (value: unknown) => typeof value === "string" && value.trim() === "";

/** A number, which some exporters write as text. */
export const number = z.preprocess(asNumber, z.number());

/** The same where it may be missing or empty: null then. */
export const numberOrNull = z
  .preprocess((value) => (isBlank(value) ? null : asNumber(value)), z.number().nullish())
  .transform((value) => value ?? null);

/** Yes or no, which some exporters write as a number or as text. */
export const yesNo = z
  .union([
    z.boolean(),
    z.union([z.literal(0), z.literal(1)]).transform((value) => value === 1),
    z.enum(["true", "false", ""]).transform((value) => value === "true"),
  ])
  .nullish()
  .transform((value) => value ?? false);
