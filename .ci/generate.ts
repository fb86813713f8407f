// `npm run generate`: writes what follows from other files: the lists of migrations and of domains (folders with an api.ts), the rows
// of src/README.md for these, the sections in docs/export.md, the rows of new events and their state in the wire contract,
// the nouns of the client's state, and the catalogue of texts. A test misses what it has not written.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type CompiledMessage, compileMessageOrThrow } from "@lingui/message-utils/compileMessage";
import { Glob } from "bun";
import { z } from "zod";
import { listEventTypes } from "../src/kernel/core/events.ts";
import type { Domain } from "../src/kernel/http/domain.ts";
import { exportTypes } from "../src/operations/export/schema.ts";
import { organizationSections } from "../src/operations/export/sections.ts";
import { userSections } from "../src/operations/export/store-person.ts";
import { listSharedSections } from "../src/operations/export/store-shared.ts";
import { english, languages } from "../src/text/language/languages.ts";
import texts from "../src/text/language/texts.json";

const root = join(import.meta.dir, "..");
const src = join(root, "src");
const clientState = join(src, "web", "state");
const lists = [
  { path: join(src, "text", "language", "catalogue.ts"), renew: writeCatalogue },
  { path: join(src, "migrations", "all.ts"), renew: listMigrations },
  { path: join(src, "domains.ts"), renew: listDomains },
  { path: join(src, "README.md"), renew: listFolders },
  { path: join(root, "docs", "export.md"), renew: listSections },
  { path: join(root, "test", "support", "shapes.json"), renew: describeNew },
  { path: join(clientState, "state.ts"), renew: listNouns },
  ...languages
    .filter((one) => one !== english)
    .map(({ tag }) => ({ path: join(src, "text", "language", `${tag}.json`), renew: sortTranslations })),
];

/** The list of migrations: all files in order. A hash that is listed stays, so that a test finds a migration that was changed. */
function listMigrations(before: string): string {
  const known = new Map(
    [...before.matchAll(/^ {2}\[(\w+), "(\w+)"\],$/gm)].map(([, name, hash]) => [name, hash]),
  );
  const all = readdirSync(join(src, "migrations"))
    .filter((file) => file.endsWith(".sql"))
    .sort()
    .map((file) => {
      const name = camelCase(file.replace(/^\d+_|\.sql$/g, ""), "_");
      return { file, name, hash: known.get(name) ?? sha256(readFileSync(join(src, "migrations", file))) };
    });
  return `// Written by \`npm run generate\`.
${all.map(({ file, name }) => `import ${name} from "./${file}" with { type: "text" };`).join("\n")}

/** In the order in which they run, each with its SHA-256: one that has landed never changes, because data folders have run it. */
export const landed: readonly (readonly [sql: string, hash: string])[] = [
${all.map(({ name, hash }) => `  [${name}, "${hash}"],`).join("\n")}
];

export const migrations: readonly string[] = landed.map(([sql]) => sql);
`;
}

function camelCase(name: string, between: string): string {
  const [first, ...others] = name.split(between);
  return [first, ...others.map((word) => word[0]?.toUpperCase() + word.slice(1))].join("");
}

const sha256 = (content: Uint8Array) => createHash("sha256").update(content).digest("hex");

interface Found {
  folder: string;
  domain: Domain;
  /** Whether it is made of the others, because it documents them. */
  isMade: boolean;
}

async function findDomains(): Promise<Found[]> {
  const folders = [...new Glob("*/*/api.ts").scanSync(src)].map(dirname).sort();
  return Promise.all(
    folders.map(async (folder) => {
      const { default: found }: { default: Domain | ((others: () => Domain[]) => Domain) } = await import(
        join(src, folder, "api.ts")
      );
      const isMade = typeof found === "function";
      return { folder, domain: isMade ? found(() => []) : found, isMade };
    }),
  );
}

async function listDomains(): Promise<string> {
  const found = (await findDomains()).map((one) => ({
    ...one,
    name: `${camelCase(basename(one.folder), "-")}Domain`,
  }));
  const imports = found.map(({ folder, name }) => `${name} from "@/${folder}/api.ts";`);
  return `// Written by \`npm run generate\`.
${[...imports, 'type { Domain } from "@/kernel/http/domain.ts";']
  .sort(byPath)
  .map((one) => `import ${one}`)
  .join("\n")}

/** Every domain of the server; the order decides only between paths that match alike. */
export const domains: readonly Domain[] = [
${found.map(({ name, isMade }) => `  ${name}${isMade ? "(() => domains)" : ""},`).join("\n")}
];
`;
}

/** As Biome sorts imports: by their paths, part by part. */
function byPath(a: string, b: string): number {
  const folderIn = (line: string) => line.replace(/.* from |\/[^/]*$/g, "");
  return folderIn(a) < folderIn(b) ? -1 : 1;
}

/** The map of folders, with what domains say they are about; a new one comes last in its storey. Other rows stay. */
async function listFolders(map: string): Promise<string> {
  const table = /(?<=^\| folder \| holds \|\n\|---\|---\|\n)(\|.*\|\n)+/m;
  const rows = (table.exec(map)?.[0] ?? "").trimEnd().split("\n");
  for (const { folder, domain } of await findDomains()) {
    const row = `| ${folder} | ${domain.about} |`;
    const own = rows.findIndex((one) => one.startsWith(`| ${folder} |`));
    const last = rows.findLastIndex((one) => one.startsWith(`| ${dirname(folder)}/`));
    if (own < 0) rows.splice(last + 1, 0, row);
    else rows[own] = row;
  }
  return map.replace(table, () => `${rows.join("\n")}\n`);
}

/** The sections of exports, with those that public ones have. */
function listSections(page: string): string {
  const shared = new Set(listSharedSections(exportTypes.public, "all").map(({ name }) => name));
  const ofAll = organizationSections.map(
    ({ name, about }) => `| ${name} | ${about} | ${shared.has(name) ? "yes" : ""} |`,
  );
  const ofOne = userSections.map(({ name, about }) => `| ${name} | ${about} |`);
  const table = (heading: string) =>
    new RegExp(`(?<=^## ${heading}\\n\\n\\|.*\\|\\n\\|[-|]*\\n)(\\|.*\\|\\n)+`, "m");
  return page
    .replace(table("Of the organization"), () => `${ofAll.join("\n")}\n`)
    .replace(table("Of a person"), () => `${ofOne.join("\n")}\n`);
}

type Json = Record<string, unknown>;

/** A rule as a schema of types alone: without limits, as typed clients read it. */
function typesOf(rule: z.ZodType): Json {
  const limits = new Set([
    "$schema",
    "minimum",
    "maximum",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "pattern",
  ]);
  const strip = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(strip);
    if (typeof value !== "object" || value === null) return value;
    const kept = Object.entries(value).filter(([key]) => !limits.has(key) && key !== "format");
    return Object.fromEntries(kept.map(([key, one]) => [key, strip(one)]));
  };
  return strip(z.toJSONSchema(rule, { unrepresentable: "any" })) as Json;
}

/**
 * The wire contract with rows for events that it lacks, by their schemas; and for the part of the initial state that has an event's
 * name and that an endpoint returns by this name. What stands in it is never changed: a break of the contract is written by hand.
 */
async function describeNew(before: string): Promise<string> {
  const domains = (await findDomains()).map(({ domain }) => domain);
  const contract = JSON.parse(before) as {
    events: { type: string; op: string | null }[];
    register: Record<string, { types: string[] }>;
  };
  const lines = before.split("\n");
  const insert = (section: string, row: string, nameOf: (line: string) => string | undefined) => {
    const begin = lines.findIndex((line) => line.startsWith(section)) + 1;
    const name = nameOf(row) ?? "";
    let at = begin;
    while (lines[at]?.endsWith(",") && (nameOf(lines[at] ?? "") ?? "") <= name) at++;
    lines.splice(at, 0, `${row},`);
  };
  const types = new Set<string>();
  for (const { key, type, schema } of listEventTypes()) {
    const [, op = null] = key.split("/");
    if (key.startsWith("test_") || contract.events.some((one) => one.type === type && one.op === op))
      continue;
    const { properties = {}, required = [] } = typesOf(schema) as { properties?: Json; required?: string[] };
    const head: Json = {
      id: { type: "integer" },
      type: { const: type },
      ...(op === null ? {} : { op: { const: op } }),
    };
    const shape = {
      type: "object",
      required: [...Object.keys(head), ...required].sort(),
      properties: { ...head, ...properties },
      additionalProperties: false,
    };
    types.add(type);
    insert(
      '"events":[',
      JSON.stringify({ type, op, audience: "ours", schema: shape }),
      (line) => /^\{"type":"(\w+)"/.exec(line)?.[1],
    );
  }
  const returns: Record<string, z.ZodType> = Object.assign(
    {},
    ...domains.flatMap(({ endpoints = [] }) => endpoints.map((one) => one.returns)),
  );
  for (const type of types) {
    const rule = returns[type];
    if (contract.register[type] || !rule || !domains.some(({ state = {} }) => type in state)) continue;
    insert(
      '"register":{',
      `${JSON.stringify(type)}:${JSON.stringify({ types: [type], schema: typesOf(rule) })}`,
      (line) => /^"(\w+)"/.exec(line)?.[1],
    );
  }
  return lines.join("\n");
}

/** The nouns of the client's state: a new file that has one comes before `settings`. */
function listNouns(before: string): string {
  let text = before;
  for (const file of new Glob("*.ts").scanSync(clientState)) {
    const name = /^export const (\w+): StateNoun</m.exec(readFileSync(join(clientState, file), "utf8"))?.[1];
    if (!name || text.includes(`"./${file}"`)) continue;
    text = text
      .replace(/(?=^import \{ settings \})/m, `import { ${name} } from "./${file}";\n`)
      .replace(/(?=^ {2}settings,$)/m, `  ${name},\n`);
  }
  return text;
}

/** The arguments of a text in ICU form, by name with their types, and its marks such as <b>; throws if it is not in that form. */
export function describeText(text: string): { args: Map<string, string>; marks: string[] } {
  const args = new Map<string, string>();
  const marks = new Set<string>();
  const look = (message: CompiledMessage): void => {
    for (const token of message) {
      if (typeof token === "string") {
        for (const [, mark = ""] of token.matchAll(/<(\w+)>/g)) marks.add(mark);
        continue;
      }
      const [name, kind, cases] = token;
      const options = Object.entries((cases ?? {}) as Record<string, CompiledMessage>).filter(([, one]) =>
        Array.isArray(one),
      );
      if (kind === "select") args.set(name, options.map(([option]) => JSON.stringify(option)).join(" | "));
      else
        args.set(
          name,
          kind === undefined
            ? (args.get(name) ?? "string")
            : kind === "date" || kind === "time"
              ? "Date"
              : "number",
        );
      for (const [, one] of options) look(one);
    }
  };
  look(compileMessageOrThrow(text));
  return { args, marks: [...marks] };
}

/** A text without what says which of its senses is meant: "Owner|of a bot". */
function shown(text: string): string {
  return text.replace(/\|[^|{}]+$/, "");
}

/** The types of the texts' arguments; and compiled, the English of those that have any, marks or several senses. */
function writeCatalogue(): string {
  const all = Object.values(texts).flatMap((area) => Object.keys(area));
  const described = all.map((text) => ({ text, key: JSON.stringify(text), ...describeText(text) }));
  const literal = (names: readonly string[]) => names.map((name) => JSON.stringify(name)).join(" | ");
  const shapeOf = (args: ReadonlyMap<string, string>) =>
    args.size === 0 ? "null" : `{ ${[...args].map(([name, type]) => `${name}: ${type}`).join("; ")} }`;
  const rows = described.map(
    ({ key, args, marks }) => `  ${key}: { args: ${shapeOf(args)}; marks: ${literal(marks) || "never"} };`,
  );
  const compiled = described
    .filter(({ text, args, marks }) => args.size > 0 || marks.length > 0 || shown(text) !== text)
    .map(({ key, text }) => `  ${key}: ${JSON.stringify(compileMessageOrThrow(shown(text)))},`);
  return `// Written by \`npm run generate\` from texts.json.
import type { CompiledMessage } from "@lingui/message-utils/compileMessage";

export interface Texts {
${rows.join("\n")}
}

export const english: Readonly<Record<string, CompiledMessage>> = {
${compiled.join("\n")}
};
`;
}

/** A language's texts in the order of texts.json; what that does not have stays at the end, for a test to find. */
function sortTranslations(before: string): string {
  const order = Object.values(texts).flatMap((area) => Object.keys(area));
  const place = new Map(order.map((text, i) => [text, i]));
  const said: Record<string, string> = JSON.parse(before);
  const rows = Object.entries(said).sort(
    ([a], [b]) => (place.get(a) ?? order.length) - (place.get(b) ?? order.length),
  );
  return JSON.stringify(Object.fromEntries(rows));
}

function formatted(path: string, text: string): string {
  if (/\.md$|shapes\.json$/.test(path)) return text;
  const biome = Bun.spawnSync(["node_modules/.bin/biome", "format", `--stdin-file-path=${path}`], {
    cwd: join(src, ".."),
    stdin: Buffer.from(text),
  });
  if (!biome.success) throw new Error(`${path} cannot be formatted: ${biome.stderr}`);
  return biome.stdout.toString();
}

/** The paths of the lists that are not what they should be. */
export async function outdatedLists(write = false): Promise<string[]> {
  const outdated: string[] = [];
  for (const { path, renew } of lists) {
    const before = readFileSync(path, "utf8");
    const after = formatted(path, await renew(before));
    if (after === before) continue;
    outdated.push(path);
    if (write) writeFileSync(path, after);
  }
  return outdated;
}

if (import.meta.main) for (const path of await outdatedLists(true)) console.log(`Wrote ${path}.`);
