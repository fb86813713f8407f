// Builds requests from the rules of an endpoint's parameters: random, likely, absurd, and the largest.
import { z } from "zod";
import type { Endpoint } from "@/kernel/http/endpoint.ts";
import type { Client } from "./world.ts";

export type Random = <T>(choices: readonly [T, ...T[]]) => T;

/** Mulberry32: gives the same choices for the same seed. */
export function randomFrom(seed: number): Random {
  let state = seed;
  return (choices) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return choices[((t ^ (t >>> 14)) >>> 0) % choices.length] as (typeof choices)[0];
  };
}

interface Schema {
  format?: string;
  maxLength?: number;
  maxItems?: number;
  maximum?: number;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  prefixItems?: Schema[];
}

const texts: [string, ...string[]] = [
  "general",
  "design",
  "tea",
  "✔ tea",
  "",
  " ",
  "(no topic)",
  "general chat",
  "mel@example.com",
  "olive@example.com",
  "@**all** :tea: [x](/user_uploads/1/ab/c.txt) ~~~\n> ```quote",
  "null\u0000byte",
  "\u202eright to left",
  "💬".repeat(40),
  "a".repeat(11_000),
  "__proto__",
  "unicode_emoji",
  "1f389",
  "tada",
  "[1]",
  "%",
  "'; DROP TABLE users; --",
];
const addresses: [string, ...string[]] = [
  "https://example.com",
  "https://example.com/a?b=c#d",
  "http://127.0.0.1:9900/",
  "javascript:alert(1)",
  "example.com",
];
const likely = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 100];
const numbers: [number, ...number[]] = [1, ...likely, ...likely, ...likely, 0, -1, 99, 2 ** 31, 2 ** 53, 1.5];

function valueFor(schema: Schema, random: Random, depth = 0): unknown {
  if (random(numbers) === 1.5) return random<unknown>([null, true, 7, "x", [], {}, [[1]], { a: 1 }]);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum?.length) return random(schema.enum as [unknown]);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices?.length) return valueFor(random(choices as [Schema]), random, depth);
  const type = random([schema.type ?? random(["string", "integer"])].flat() as [string]);
  if (type === "integer" || type === "number") return random(numbers);
  if (type === "boolean") return random([true, false]);
  if (type === "null") return null;
  if (type === "array") {
    if (schema.prefixItems) return schema.prefixItems.map((one) => valueFor(one, random, depth + 1));
    const length = random([0, 1, 1, 2, 3]);
    return Array.from({ length }, () => valueFor(schema.items ?? {}, random, depth + 1));
  }
  if (type === "object" && depth < 4) {
    const fields = Object.entries(
      schema.properties ?? ({ "1": schema.additionalProperties || {} } as Record<string, Schema>),
    );
    const kept = fields.filter(() => random([true, true, true, false]));
    return Object.fromEntries(kept.map(([name, one]) => [name, valueFor(one as Schema, random, depth + 1)]));
  }
  return random(schema.format === "uri" ? addresses : texts);
}

const schemas = new WeakMap<z.ZodType, Schema>();

function schemaOf(rule: z.ZodType): Schema {
  const known = schemas.get(rule);
  if (known) return known;
  const schema = z.toJSONSchema(rule, { io: "input", unrepresentable: "any" }) as Schema;
  schemas.set(rule, schema);
  return schema;
}

interface Sent {
  method: Endpoint["method"];
  path: string;
  params: Record<string, unknown>;
}

export function requestFor({ method, path, params }: Endpoint, random: Random): Sent {
  const given = Object.fromEntries(
    Object.entries(params)
      .filter(() => random(numbers) !== 0)
      .map(([name, rule]) => [name, valueFor(schemaOf(rule), random)]),
  );
  const filled = path.replaceAll(/\{(\w+)(:[^}]+)?\}/g, (_, name: string) => {
    const rule = params[name];
    const value = rule ? valueFor(schemaOf(rule), random) : random(numbers);
    delete given[name];
    return encodeURIComponent(typeof value === "string" ? value.slice(0, 100) || "x" : JSON.stringify(value));
  });
  return { method, path: filled, params: given };
}

export function send(client: Client, { method, path, params }: Sent) {
  const name = method.toLowerCase() as "get" | "post" | "patch" | "delete" | "put";
  return client[name](path, params);
}

const maxText = 10_000;
const maxItems = 1_000;

/** The largest value that a rule accepts, as far as it can be found. */
function largestFor(schema: Schema, depth = 0): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum?.length) return schema.enum.at(-1);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices?.length) return choices.map((one) => largestFor(one, depth)).find((value) => value !== null);
  const type = [schema.type ?? "string"].flat()[0];
  if (type === "integer" || type === "number") return Math.min(schema.maximum ?? 1, 2 ** 31);
  if (type === "boolean") return true;
  if (type === "null") return null;
  if (type === "array") {
    if (schema.prefixItems) return schema.prefixItems.map((one) => largestFor(one, depth + 1));
    const length = depth > 0 ? 3 : Math.min(schema.maxItems ?? maxItems, maxItems);
    return Array.from({ length }, () => largestFor(schema.items ?? {}, depth + 1));
  }
  if (type === "object" && depth < 4) {
    const fields = Object.entries(schema.properties ?? {});
    return Object.fromEntries(fields.map(([name, one]) => [name, largestFor(one, depth + 1)]));
  }
  const length = Math.min(schema.maxLength ?? maxText, maxText);
  if (schema.format === "uri") return "https://example.com/".padEnd(length, "a");
  return "wörter ".repeat(maxText / 7).slice(0, length);
}

/** A request with the largest parameters; its path names the first object of each kind. */
export function largestRequest({ method, path, params }: Endpoint): Sent {
  const given = Object.fromEntries(
    Object.entries(params)
      .filter(([name]) => !path.includes(`{${name}`))
      .map(([name, rule]) => [name, largestFor(schemaOf(rule))]),
  );
  return { method, path: path.replaceAll(/\{\w+(:[^}]+)?\}/g, "1"), params: given };
}
