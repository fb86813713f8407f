// Sends every endpoint likely and absurd parameters: no request may cause an internal error, no response or event may
// break its schema (the world checks each), and refused requests may change nothing.
import { expect, test } from "bun:test";
import { z } from "zod";
import { domains } from "@/domains.ts";
import type { Endpoint } from "@/kernel/endpoint.ts";
import { type CastName, type Client, type World, world } from "./support/world.ts";

const seed = Number(process.env.CONFAB_TEST_SEED ?? 20261121);
const rounds = Number(process.env.CONFAB_TEST_ROUNDS ?? 5);
const endpoints = domains.flatMap(({ endpoints = [] }) => endpoints);

/** These would end the run: they deactivate the organization, the own account or keys, or end the waiting poll. */
const left =
  /^(deactivate-own-user|deactivate-realm|regenerate-own-api-key|regenerate-bot-api-key|get-events|dev-.*)$/;

type Random = <T>(choices: readonly [T, ...T[]]) => T;

/** Mulberry32. */
function randomFrom(seed: number): Random {
  let state = seed;
  return (choices) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return choices[((t ^ (t >>> 14)) >>> 0) % choices.length] as (typeof choices)[0];
  };
}

interface Schema {
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
  return random(texts);
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

function requestFor({ method, path, params }: Endpoint, random: Random): Sent {
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

function send(client: Client, { method, path, params }: Sent) {
  const name = method.toLowerCase() as "get" | "post" | "patch" | "delete" | "put";
  return client[name](path, params);
}

/** Something of everything to name by its number. */
async function furnish(w: World): Promise<void> {
  const everyone = [w.user("olive").id, w.user("ada").id, w.user("mel").id, w.user("gus").id];
  for (const [name, is_private] of [
    ["general", false],
    ["design", false],
    ["board", true],
  ] as const) {
    await w.as("ada").post("/channels/create", { name, is_private, subscribers: everyone });
  }
  await w.as("ada").post("/user_groups/create", { name: "crew", description: "", members: everyone });
  await w.as("ada").post("/channel_folders/create", { name: "Projects", description: "" });
  for (const topic of ["tea", "cake", ""]) {
    for (const to of ["general", "board"]) {
      await w.as("mel").post("/messages", { type: "channel", to, topic, content: `About ${topic}` });
    }
  }
  await w.as("mel").post("/messages", { type: "direct", to: [w.user("max").id], content: "Psst" });
  await w.as("mel").post("/saved_snippets", { title: "Hello", content: "Hello there" });
  await w.as("mel").post("/drafts", { drafts: [{ type: "", to: [], topic: "", content: "One" }] });
  await w
    .as("ada")
    .post("/realm/linkifiers", { pattern: "#(?P<id>[0-9]+)", url_template: "https://x.org/{id}" });
  await w.as("ada").post("/realm/profile_fields", { name: "Team", field_type: 1 });
}

const senders: [CastName | null, ...(CastName | null)[]] = [
  "olive",
  "ada",
  "moss",
  "mel",
  "mel",
  "gus",
  "bolt",
  null,
];

/** Of all that is stored; without the counter of transactions in the file's header. */
function hashOfStore(w: World): bigint | number {
  const bytes = w.app.env.db.sqlite.serialize();
  bytes.fill(0, 24, 28).fill(0, 92, 96);
  return Bun.hash(bytes);
}

test(`${rounds} rounds of random requests (CONFAB_TEST_SEED=${seed}) meet no bug and break no shape`, async () => {
  const random = randomFrom(seed);
  const statuses = new Map<number, number>();
  for (let round = 0; round < rounds; round++) {
    const w = world();
    await furnish(w);
    const queue = await w.queue("mel", { all_public_streams: true });
    for (const endpoint of endpoints) {
      if (left.test(endpoint.id) || endpoint.root || endpoint.body) continue;
      const who = random(senders);
      const request = requestFor(endpoint, random);
      const about = `${endpoint.id} as ${who}: ${JSON.stringify(request).slice(0, 600)}`;
      try {
        const before = hashOfStore(w);
        const { status, body, events } = await send(who ? w.as(who) : w.anonymous, request);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        if (status >= 500) throw new Error(`answered ${status} ${JSON.stringify(body)}`);
        if (status >= 400) {
          expect(body).toMatchObject({ result: "error", msg: expect.any(String), code: expect.any(String) });
          expect(events).toEqual([]);
          expect(hashOfStore(w)).toBe(before);
        }
      } catch (error) {
        throw new Error(`${about}\n${(error as Error).stack}`);
      }
    }
    await queue.poll().catch(() => {});
  }
  expect(statuses.get(200) ?? 0).toBeGreaterThan(rounds * 20);
  expect(statuses.get(400) ?? 0).toBeGreaterThan(rounds * 20);
}, 300_000);
