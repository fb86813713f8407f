// Decodes parameters: strings are sent bare, everything else as JSON (docs/reference/http-api.md#conventions).
import { z } from "zod";
import { fail, type Sentence, wordedSentence } from "@/kernel/lib/errors.ts";
import { nearest, wordingOf, wordPredicate } from "@/kernel/lib/wording.ts";
import type { Params } from "./endpoint.ts";
import { tooMuchJson } from "./json-limits.ts";

interface WireMeta {
  /** Old names of the parameter that clients still send. */
  also?: readonly string[];
  /** Passes the raw text to the rule, JSON or not. */
  bare?: boolean;
}

const meta = new WeakMap<z.ZodType, WireMeta>();

/** Reads a parameter under old names too; the name in `params` wins. */
export function also<T extends z.ZodType>(rule: T, ...names: string[]): T {
  const named = rule.clone() as T;
  meta.set(named, { ...meta.get(rule), also: names });
  return named;
}

/** Passes the raw text to the rule, for parameters that clients send both bare and as JSON. */
export function bare<T extends z.ZodType>(rule: T): T {
  const named = rule.clone() as T;
  meta.set(named, { ...meta.get(rule), bare: true });
  return named;
}

/** Parses text as JSON; returns the text itself if it is not JSON, or would take too long to parse. */
export function looseJson(text: string): unknown {
  if (tooMuchJson(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

interface Field {
  name: string;
  names: readonly string[];
  text: boolean;
  parse: (name: string, text: string) => unknown;
}

export type Decoder = (given: ReadonlyMap<string, string>) => {
  params: Record<string, unknown>;
  ignored: string[];
};

/** Compiles the parameters of an endpoint; path parameters (`inPath`) are never reported as unsupported. */
export function decoder(params: Params, inPath: readonly string[]): Decoder {
  const fields = Object.entries(params).map(([name, rule]): Field => {
    const names = [name, ...(metaOf(rule).also ?? [])];
    const parse = names.some((one) => inPath.includes(one)) ? parseId : parseJson;
    return { name, names, text: isText(rule), parse };
  });
  const known = new Set([...fields.flatMap((field) => field.names), ...inPath]);
  const shape = z.object(params);

  return (given) => {
    const ignored: string[] = [];
    for (const name of given.keys()) if (!known.has(name)) ignored.push(name);
    const raw: Record<string, unknown> = {};
    for (const field of fields) {
      const name = field.names.find((candidate) => given.has(candidate));
      if (name === undefined) continue;
      const text = given.get(name) as string;
      raw[field.name] = field.text ? text : field.parse(field.name, text);
    }
    return { params: check(shape, raw), ignored };
  };
}

/** Validates values against a shape; throws an error for the user. */
export function check<S extends z.ZodObject>(shape: S, values: Record<string, unknown>): z.infer<S> {
  const result = shape.safeParse(values);
  if (result.success) return result.data;
  const [first] = result.error.issues;
  if (!first) return fail("BAD_REQUEST", "The request is not valid.");
  const issue = nearest(first);
  const name = String(issue.path[0] ?? "request");
  if (issue.path.length === 1 && values[name] === undefined) {
    return fail("REQUEST_VARIABLE_MISSING", missing(name), { var_name: name });
  }
  const wording = isAbsent(values, issue.path)
    ? wordPredicate({ text: "is missing", form: "{name} is missing" })
    : wordingOf(issue);
  const sentence = wording.of(placeOf(issue.path));
  if (wording.isSentence) return fail("BAD_REQUEST", sentence);
  return fail("REQUEST_VARIABLE_INVALID", sentence, { var_name: name });
}

function missing(name: string): Sentence {
  return wordedSentence(`Missing '${name}' argument`, "Missing ''{name}'' argument", { name });
}

/** Whether nothing was given at the end of the path. */
function isAbsent(values: unknown, path: readonly PropertyKey[]): boolean {
  let value = values;
  for (const part of path) value = (value as Record<PropertyKey, unknown> | null | undefined)?.[part];
  return value === undefined;
}

function placeOf(path: readonly PropertyKey[]): string {
  return path.map((part, i) => (i === 0 ? String(part) : `[${JSON.stringify(part)}]`)).join("");
}

/** Limited, because validation visits all values without a pause. */
const maxValues = 50_000;

function parseJson(name: string, text: string): unknown {
  const much = tooMuchJson(text);
  if (much)
    fail("REQUEST_VARIABLE_INVALID", wordedSentence(`${name} ${much}.`, `{name} ${much}.`, { name }), {
      var_name: name,
    });
  const value = looseJson(text);
  if (value === text)
    fail(
      "INVALID_JSON",
      wordedSentence(`Argument "${name}" is not valid JSON.`, 'Argument "{name}" is not valid JSON.', {
        name,
      }),
    );
  if (value === null || typeof value !== "object") return value;
  const size = Array.isArray(value) ? value.length : Object.keys(value).length;
  if (size <= maxValues) return value;
  const [sentence, form] = [
    `${name} has more than ${maxValues} values.`,
    `{name} has more than ${maxValues} values.`,
  ] as const;
  fail("REQUEST_VARIABLE_INVALID", wordedSentence(sentence, form, { name }), { var_name: name });
}

/** A number in a path, such as an ID, which is no JSON: "01" is no other way to write 1. */
function parseId(name: string, text: string): unknown {
  const value = looseJson(text);
  if (value !== text) return value;
  const said = wordedSentence(
    `${name} is not a number without leading zeros`,
    "{name} is not a number without leading zeros",
    { name },
  );
  fail("REQUEST_VARIABLE_INVALID", said, { var_name: name });
}

interface RuleDef {
  type: string;
  innerType?: z.ZodType;
  in?: z.ZodType;
  values?: unknown[];
}

const wrappers = ["optional", "nonoptional", "default", "nullable", "prefault", "readonly"];
const defOf = (rule: z.ZodType) => rule.def as unknown as RuleDef;

/** What `also` and `bare` set for a rule, before or after it was made optional. */
function metaOf(rule: z.ZodType): WireMeta {
  const { type, innerType } = defOf(rule);
  const within = wrappers.includes(type) && innerType ? metaOf(innerType) : {};
  return { ...within, ...meta.get(rule) };
}

/** Old names of a parameter that are still accepted. */
export function listAcceptedNames(rule: z.ZodType): readonly string[] {
  return metaOf(rule).also ?? [];
}

function isText(rule: z.ZodType): boolean {
  if (metaOf(rule).bare) return true;
  const { type, innerType, in: input, values } = defOf(rule);
  if (wrappers.includes(type) && innerType) return isText(innerType);
  if (type === "pipe" && input) return isText(input);
  if (type === "literal") return typeof values?.[0] === "string";
  return type === "string" || type === "enum";
}
