// Arguments as data: their names, rules and error messages.
import type { z } from "zod";
import { wordingAfter } from "@/kernel/lib/wording.ts";

export interface Arg<T = unknown> {
  readonly kind: "option" | "options" | "flag" | "operand" | "operands";
  readonly rule: z.ZodType<T>;
  readonly placeholder: string;
  readonly about: string;
  /** What completion offers, if the rule does not say. */
  readonly choices?: readonly string[];
  /** The environment variable to use if the option is not given. */
  readonly env?: string;
}

export type Args = Record<string, Arg>;
export type ArgValues<A extends Args> = { [K in keyof A]: A[K] extends Arg<infer T> ? T : never };

const arg =
  (kind: Arg["kind"]) =>
  <T>(placeholder: string, rule: z.ZodType<T>, about: string): Arg<T> => ({ kind, placeholder, rule, about });

/** `--name VALUE`; required unless its rule accepts undefined. */
export const option = arg("option");
/** `--name VALUE…`; its rule reads the list. */
export const options = arg("options");
/** A positional value. */
export const operand = arg("operand");
/** All remaining positional values; its rule reads the list. */
export const operands = arg("operands");

/** An argument for which completion offers these words; its rule decides what it takes. */
export function choosing<T>(row: Arg<T>, choices: readonly string[]): Arg<T> {
  return { ...row, choices };
}

/** `--name` without a value; its rule reads true or undefined. */
export function flag(rule: z.ZodType<boolean>, about: string): Arg<boolean> {
  return { kind: "flag", placeholder: "", rule, about };
}

/** Gives each option an environment variable: `log_level` reads CONFAB_LOG_LEVEL. */
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

/** The text that help shows next to the argument's name. */
export function description(given: Arg): string {
  const { data } = given.rule.safeParse(undefined);
  const notes = [
    !isOperand(given) && isNeeded(given) ? "needed" : "",
    (typeof data === "string" && data !== "") || typeof data === "number" ? `default: ${data}` : "",
    given.env ? `or ${given.env}` : "",
  ].filter((note) => note !== "");
  return notes.length === 0 ? given.about : `${given.about} (${notes.join("; ")})`;
}

export type ReadValues<A extends Args> = { values: ArgValues<A> } | { problem: string };

/** Parses each argument by its rule. Words the first problem for the person who typed the command. */
export function read<A extends Args>(
  args: A,
  given: Record<string, unknown>,
  file: Record<string, string> = {},
): ReadValues<A> {
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
  return { values: values as ArgValues<A> };
}

export interface Origin {
  value: unknown;
  from: "flag" | "environment" | "file" | "default";
  /** The name of the value at its source. */
  name: string;
}

/** Where an argument's value comes from: the command line, else the environment, else the settings file. */
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
