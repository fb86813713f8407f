// JSON Schemas of zod's rules for an OpenAPI document; schemas that occur often become components.
import { z } from "zod";
import type { Task } from "@/kernel/lib/tasks.ts";

export type Schema = { [key: string]: unknown };

/** The schema of a rule, for requests (`input`) or responses. */
export function schemaOf(rule: z.ZodType, io: "input" | "output"): Schema {
  const {
    $schema,
    "~standard": _,
    ...schema
  } = z.toJSONSchema(rule, { io, unrepresentable: "any" }) as Schema;
  return schema;
}

/** Schemas shorter than this are written out wherever they occur. */
const minLength = 200;

type Sink = (text: string, field: string) => void;

/**
 * Replaces object schemas that occur several times in `document` by references; returns them by name. Each is named
 * after the field or operation where it occurs first.
 */
export function* hoist<D extends object>(
  document: D,
): Task<{ document: D; components: Record<string, Schema> }> {
  const seen = new Map<string, { count: number; field: string }>();
  const note: Sink = (text, field) => {
    const known = seen.get(text);
    if (known) known.count++;
    else seen.set(text, { count: 1, field });
  };
  yield* walk(document, "", note);
  const names = new Map<string, string>();
  const taken = new Set(["Done", "Failure", "Event"]);
  for (const [text, { count, field }] of seen) {
    if (count > 1) names.set(text, freeName(field, taken));
  }
  const components: Record<string, Schema> = {};
  const whole = (yield* replaceShared(document, false, { names, components })) as D;
  return { document: whole, components };
}

interface Naming {
  names: ReadonlyMap<string, string>;
  components: Record<string, Schema>;
}

function* replaceShared(value: unknown, isTop: boolean, naming: Naming): Task<unknown> {
  if (value === null || typeof value !== "object") return value;
  yield 1;
  if (Array.isArray(value)) {
    const made: unknown[] = [];
    for (const one of value) made.push(yield* replaceShared(one, false, naming));
    return made;
  }
  const name = isTop || !isObjectSchema(value) ? undefined : naming.names.get(JSON.stringify(value));
  if (name !== undefined) {
    naming.components[name] ??= (yield* replaceShared(value, true, naming)) as Schema;
    return { $ref: `#/components/schemas/${name}` };
  }
  const made: Schema = {};
  for (const [key, one] of Object.entries(value)) made[key] = yield* replaceShared(one, false, naming);
  return made;
}

/** Keys of a document's structure, which never give a schema its name. */
const keywords =
  /^(\d+|items|anyOf|oneOf|schema|properties|additionalProperties|content|responses|requestBody|parameters|.*\/.*|get|post|put|patch|delete)$/;

function* walk(value: unknown, field: string, note: Sink): Task<void> {
  if (value === null || typeof value !== "object") return;
  yield 1;
  if (Array.isArray(value)) {
    for (const one of value) yield* walk(one, field, note);
    return;
  }
  if (isObjectSchema(value)) {
    const text = JSON.stringify(value);
    if (text.length >= minLength) note(text, field);
  }
  const under = "operationId" in value ? String(value.operationId) : field;
  for (const [key, one] of Object.entries(value)) {
    yield* walk(one, keywords.test(key) ? under : key, note);
  }
}

function isObjectSchema(value: object): boolean {
  return "properties" in value && "type" in value && value.type === "object";
}

function freeName(field: string, taken: Set<string>): string {
  const words = field.match(/[A-Za-z0-9]+/g) ?? ["Shape"];
  const base = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
  for (let number = 1; ; number++) {
    const name = number === 1 ? base : `${base}${number}`;
    if (taken.has(name)) continue;
    taken.add(name);
    return name;
  }
}
