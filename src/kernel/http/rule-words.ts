// Describes in words what a zod schema accepts, and turns typed text into its values.
import { z } from "zod";
import { wordingOf } from "@/kernel/lib/wording.ts";

interface JsonShape {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: JsonShape[];
  oneOf?: JsonShape[];
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  minLength?: number;
  maxLength?: number;
  format?: string;
  pattern?: string;
}

const shapes = new WeakMap<z.ZodType, JsonShape>();

function shapeOf(rule: z.ZodType): JsonShape {
  const known = shapes.get(rule);
  if (known) return known;
  const made = z.toJSONSchema(rule, { unrepresentable: "any", io: "input" }) as JsonShape;
  shapes.set(rule, made);
  return made;
}

function parts(shape: JsonShape): JsonShape[] {
  return (shape.anyOf ?? shape.oneOf)?.flatMap(parts) ?? [shape];
}

function scalars(shape: JsonShape): unknown[] | null {
  if (shape.enum) return shape.enum;
  if (shape.const !== undefined) return [shape.const];
  return shape.type === "boolean" ? [true, false] : null;
}

/** A value as text to edit. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "boolean") return value ? "yes" : "no";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** The values a schema lists; null if it accepts others too. */
export function choicesOf(rule: z.ZodType): string[] | null {
  const found = parts(shapeOf(rule)).map(scalars);
  if (found.length === 0 || found.some((values) => values === null)) return null;
  return found.flatMap((values) => values ?? []).map(textOf);
}

/** What the schema accepts, as a hint for the field. */
export function ruleText(rule: z.ZodType): string {
  const sorts = parts(shapeOf(rule)).map(sortText);
  return [...new Set(sorts.filter((sort) => sort !== ""))].join(", or ");
}

function sortText(shape: JsonShape): string {
  const values = scalars(shape);
  if (values) return values.map(textOf).join(", ");
  if (shape.type === "null") return "nothing";
  if (shape.type === "integer" || shape.type === "number") return numberText(shape);
  return shape.type === "string" ? lengthText(shape) : "";
}

function numberText({ minimum, exclusiveMinimum, maximum }: JsonShape): string {
  const least = minimum ?? (exclusiveMinimum === undefined ? undefined : exclusiveMinimum + 1);
  const from = least !== undefined && least > Number.MIN_SAFE_INTEGER ? least : null;
  const to = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER ? maximum : null;
  if (from !== null && to !== null) return `a number from ${from} to ${to}`;
  if (from !== null) return `a number from ${from}`;
  return to === null ? "a number" : `a number up to ${to}`;
}

/** Length limits that a refinement checks are in the rule's `.meta()`. */
function lengthText({ format, pattern, minLength = 0, maxLength }: JsonShape): string {
  if (format !== undefined || (pattern !== undefined && maxLength === undefined)) return "";
  if (maxLength === undefined) return minLength === 0 ? "text, may be empty" : "text";
  return minLength === 0 ? `up to ${maxLength} characters` : `${minLength} to ${maxLength} characters`;
}

/** The maximum length of a text; null if length is not limited. */
export function maxCharacters(rule: z.ZodType): number | null {
  return parts(shapeOf(rule)).find(({ maxLength }) => maxLength !== undefined)?.maxLength ?? null;
}

export type ReadValue = { value: unknown } | { problem: string };

/** The schema's value for a typed text: the text itself, or the number, boolean or null that it may mean. */
export function readText(rule: z.ZodType, text: string): ReadValue {
  const candidates = [text, ...meanings(text)];
  for (const candidate of candidates) {
    const result = rule.safeParse(candidate);
    if (result.success) return { value: result.data };
  }
  const failures = candidates.map((candidate) => rule.safeParse(candidate).error?.issues[0]);
  const apt = failures.findLast((issue) => issue?.code !== "invalid_type" && issue?.code !== "invalid_union");
  return { problem: problemOf(rule, apt ?? failures[0]) };
}

function meanings(text: string): unknown[] {
  const bare = text.trim();
  if (bare === "") return [null];
  if (/^-?\d{1,15}$/.test(bare)) return [Number(bare)];
  if (bare === "yes" || bare === "true") return [true];
  return bare === "no" || bare === "false" ? [false] : [];
}

/** What is wrong with a value, as a sentence for a form. */
export function problemOf(rule: z.ZodType, issue: z.core.$ZodIssue | undefined): string {
  const wording = issue && wordingOf(issue);
  if (wording?.isSentence) return wording.text;
  const wanted = ruleText(rule);
  return wanted === "" ? "This value is not valid." : `Enter ${wanted}.`;
}
