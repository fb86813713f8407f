// Decodes parameters that are only texts, whole numbers and true or false, as a poll's are, at a tenth of zod's cost.
import type { z } from "zod";

export interface SimpleField {
  readonly name: string;
  readonly kind: "text" | "whole" | "truth";
  /** The value of a parameter that is missing; `required` if it may not be, `optional` if it has none. */
  readonly missing: { readonly value: unknown } | "required" | "optional";
}

interface Def {
  type: string;
  check?: string;
  format?: string;
  checks?: readonly unknown[];
  innerType?: z.ZodType;
  defaultValue?: unknown;
}

const wholeNumber = /^(?:0|-?[1-9]\d{0,14})$/;

/** Whether a rule is a plain text, integer or boolean, perhaps optional or with a default; null if it is more. */
export function simpleField(name: string, rule: z.ZodType): SimpleField | null {
  const def = rule.def as unknown as Def;
  const kind = kindOf(def);
  if (kind) return { name, kind, missing: "required" };
  const inner = def.innerType && simpleField(name, def.innerType);
  if (inner?.missing !== "required") return null;
  if (def.type === "optional") return { ...inner, missing: "optional" };
  const value = def.type === "default" ? def.defaultValue : null;
  const isPlain = typeof value === "string" || typeof value === "number" || typeof value === "boolean";
  return isPlain ? { ...inner, missing: { value } } : null;
}

function kindOf({ type, check, format, checks = [] }: Def): SimpleField["kind"] | null {
  if (checks.length > 0) return null;
  if (type === "number") return check === "number_format" && format === "safeint" ? "whole" : null;
  if (check !== undefined) return null;
  return type === "string" ? "text" : type === "boolean" ? "truth" : null;
}

/** The values of all fields; null if one is not valid, or not written in the usual form. */
export function decodedSimply(
  fields: readonly SimpleField[],
  given: ReadonlyMap<string, string>,
): Record<string, unknown> | null {
  const decoded: Record<string, unknown> = {};
  for (const { name, kind, missing } of fields) {
    const text = given.get(name);
    if (text === undefined) {
      if (missing === "required") return null;
      if (missing !== "optional") decoded[name] = missing.value;
    } else if (kind === "text") decoded[name] = text;
    else if (kind === "whole" && wholeNumber.test(text)) decoded[name] = Number(text);
    else if (kind === "truth" && (text === "true" || text === "false")) decoded[name] = text === "true";
    else return null;
  }
  return decoded;
}
