// Arguments as data: what may be given, by which rule it is read, and how a wrong one is worded.
import type { z } from "zod";
import { wordingAfter } from "@/kernel/wording.ts";

export interface Arg<T = unknown> {
  readonly kind: "option" | "options" | "flag" | "operand" | "operands";
  readonly rule: z.ZodType<T>;
  readonly placeholder: string;
  readonly about: string;
  /** The environment variable that stands in where the option is not given. */
  readonly env?: string;
}

export type Args = Record<string, Arg>;
export type Values<A extends Args> = { [K in keyof A]: A[K] extends Arg<infer T> ? T : never };

const arg =
  (kind: Arg["kind"]) =>
  <T>(placeholder: string, rule: z.ZodType<T>, about: string): Arg<T> => ({ kind, placeholder, rule, about });

/** `--name VALUE`; needed unless its rule accepts nothing. */
export const option = arg("option");
/** `--name VALUE…`; the rule reads the list. */
export const options = arg("options");
/** A value given by its place. */
export const operand = arg("operand");
/** All values from its place on; the rule reads the list. */
export const operands = arg("operands");

/** `--name` alone; the rule reads true, or nothing. */
export function flag(rule: z.ZodType<boolean>, about: string): Arg<boolean> {
  return { kind: "flag", placeholder: "", rule, about };
}

/** Each of them may come from the environment: `log_level` from CONFAB_LOG_LEVEL. */
export function orEnvironment<A extends Args>(args: A): A {
  const rows = Object.entries(args).map(([key, row]) => [
    key,
    { ...row, env: `CONFAB_${key.toUpperCase()}` },
  ]);
  return Object.fromEntries(rows) as A;
}

export function optionName(key: string): string {
  return `--${key.replaceAll("_", "-")}`;
}

export function isOperand({ kind }: Arg): boolean {
  return kind === "operand" || kind === "operands";
}

export function isNeeded({ rule }: Arg): boolean {
  return !rule.safeParse(undefined).success;
}

/** What help says of an argument beside its name. */
export function description(given: Arg): string {
  const { data } = given.rule.safeParse(undefined);
  const notes = [
    !isOperand(given) && isNeeded(given) ? "needed" : "",
    (typeof data === "string" && data !== "") || typeof data === "number" ? `default: ${data}` : "",
    given.env ? `or ${given.env}` : "",
  ].filter((note) => note !== "");
  return notes.length === 0 ? given.about : `${given.about} (${notes.join("; ")})`;
}

export type Read<A extends Args> = { values: Values<A> } | { problem: string };

/** Reads what was given by each argument's rule; the first that is wrong is worded for who typed it. */
export function read<A extends Args>(
  args: A,
  given: Record<string, unknown>,
  file: Record<string, string> = {},
): Read<A> {
  const values: Record<string, unknown> = {};
  for (const [key, row] of Object.entries(args)) {
    const { value, name } = originOf(key, row, { given, file });
    const result = row.rule.safeParse(value);
    if (!result.success) {
      if (value === undefined) return { problem: `${name} is missing` };
      return { problem: wordingAfter(name, result.error.issues[0]) };
    }
    values[key] = result.data;
  }
  return { values: values as Values<A> };
}

export interface Origin {
  value: unknown;
  from: "flag" | "environment" | "file" | "default";
  /** What it is called there. */
  name: string;
}

/** Where an argument's value comes from: what was typed, else the environment, else the settings file. */
export function originOf(
  key: string,
  row: Arg,
  { given, file }: { given: Record<string, unknown>; file: Record<string, string> },
): Origin {
  if (given[key] !== undefined) return { value: given[key], from: "flag", name: nameOf(key, row) };
  const fromEnv = row.env ? process.env[row.env] || undefined : undefined;
  if (row.env && fromEnv !== undefined) return { value: fromEnv, from: "environment", name: row.env };
  if (row.env && file[key] !== undefined)
    return { value: file[key], from: "file", name: `${key} in confab.toml` };
  return { value: undefined, from: "default", name: nameOf(key, row) };
}

function nameOf(key: string, row: Arg): string {
  return isOperand(row) ? row.placeholder : optionName(key);
}
