import { afterEach, describe, expect, test } from "bun:test";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { organizationSections } from "@/operations/export/sections.ts";
import { userSections } from "@/operations/export/store-person.ts";
import { jsonHere, runHere } from "../support/command-line.ts";
import { openDatabaseOf } from "../support/database.ts";
import { call, cleanUp, founding, newFolder, serve } from "../support/executable.ts";

afterEach(() => cleanUp());

interface Account {
  email: string;
  api_key: string;
  user_id: number;
}

/** Olive and Mel share a channel; Max writes only to Olive. */
async function organization(): Promise<{ data: string; olive: Account; mel: Account; max: Account }> {
  const data = newFolder();
  const at = ["--data", data];
  const { owner: olive } = await jsonHere<{ owner: Account }>(["init", ...at, ...founding]);
  const create = (name: string) =>
    jsonHere<Account>([
      "user",
      "create",
      "--email",
      `${name}@example.com`,
      "--name",
      name.toUpperCase(),
      ...at,
    ]);
  const [mel, max] = [await create("mel"), await create("max")];
  const server = await serve(data);
  const subscribers = JSON.stringify([olive.user_id, mel.user_id]);
  await call(server, olive, ["POST", "/channels/create"], { name: "lab", subscribers });
  const sent = { type: "channel", to: "lab", topic: "news" };
  await call(server, mel, ["POST", "/messages"], { ...sent, content: 'A "quoted" line\nand ☃' });
  const direct = { type: "direct", to: JSON.stringify([olive.user_id]) };
  await call(server, max, ["POST", "/messages"], { ...direct, content: "For Olive" });
  await call(server, mel, ["POST", "/saved_snippets"], { title: "Hi", content: "Hello" });
  await server.end("SIGTERM");
  return { data, olive, mel, max };
}

const read = (file: string) => JSON.parse(readFileSync(file, "utf8"));
const contents = (rows: { content: string }[]) => rows.map(({ content }) => content);

describe("export organization", () => {
  test("writes every section, and no secrets", async () => {
    const { data, mel } = await organization();
    const file = join(newFolder(), "crew.json");
    const { rows } = await jsonHere<{ rows: Record<string, number> }>([
      "export",
      "organization",
      file,
      "--data",
      data,
    ]);
    const document = read(file);
    expect(Object.keys(document)).toEqual([
      "format",
      "version",
      "exported_at",
      ...organizationSections.map(({ name }) => name),
    ]);
    expect(rows).toMatchObject({ users: 5, channels: 1 });
    expect(document.users.find((user: Account) => user.email === mel.email)).toMatchObject({
      user_id: mel.user_id,
      full_name: "MEL",
      is_active: true,
      is_bot: false,
    });
    expect(contents(document.messages)).toContain('A "quoted" line\nand ☃');
    expect(contents(document.messages)).toContain("For Olive");
    expect(document.settings).toContainEqual({ name: "name", value: "Crew" });
    expect(readFileSync(file, "utf8")).not.toMatch(/password|hash|api_key/);
    expect(statSync(file).mode & 0o077).toBe(0);
  });
});

describe("export user", () => {
  test("writes only that person's data", async () => {
    const { data, mel } = await organization();
    const file = join(newFolder(), "mel.json");
    await jsonHere(["export", "user", mel.email, file, "--data", data]);
    const document = read(file);
    expect(Object.keys(document).slice(3)).toEqual(userSections.map(({ name }) => name));
    expect(document.user).toMatchObject([{ user_id: mel.user_id, email: mel.email }]);
    expect(contents(document.messages)).toEqual(['A "quoted" line\nand ☃']);
    expect(document.saved_snippets).toMatchObject([{ title: "Hi", content: "Hello" }]);
    expect(document.subscriptions).toMatchObject([{ name: "lab" }]);
  });

  test("holds direct messages that others sent them", async () => {
    const { data, olive } = await organization();
    const file = join(newFolder(), "olive.json");
    await jsonHere(["export", "user", olive.email, file, "--data", data]);
    expect(contents(read(file).messages)).toContain("For Olive");
  });

  test("refuses unknown users, and to overwrite", async () => {
    const { data } = await organization();
    const file = join(newFolder(), "x.json");
    const absent = await runHere(["export", "user", "nobody@example.com", file, "--data", data]);
    expect(absent).toMatchObject({
      status: 1,
      stderr: "confab: There is no user with the address nobody@example.com.\n",
    });
    expect(existsSync(file)).toBe(false);
    writeFileSync(file, "precious");
    const refused = await runHere(["export", "organization", file, "--data", data]);
    expect(refused).toMatchObject({ status: 2, stderr: expect.stringContaining("overwrites 1 file of 8 B") });
    expect(readFileSync(file, "utf8")).toBe("precious");
    expect((await runHere(["export", "organization", file, "--yes", "--data", data])).status).toBe(0);
  });
});

test("each table is exported, or listed as left out on the page", async () => {
  const { data } = await organization();
  const database = openDatabaseOf(data, { readonly: true });
  const named = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'";
  const tables = database.query<{ name: string }, []>(named).all();
  database.close();
  // Internal tables of a full-text index.
  const own = tables.filter(({ name }) => !/^message_index_/.test(name)).map(({ name }) => name);
  const exported = new Set(organizationSections.flatMap(({ from }) => from.match(/\w+/) ?? []));
  const page = readFileSync(join(import.meta.dir, "..", "..", "docs", "export.md"), "utf8");
  const [, part = ""] = /### What is left out\n([\s\S]*?)\n## /.exec(page) ?? [];
  const leftOut = part
    .split("\n")
    .filter((line) => line.startsWith("| "))
    .flatMap((line) => line.split("|")[2]?.match(/\w+/g) ?? [])
    .filter((name) => name !== "tables");
  expect(own.length).toBeGreaterThan(60);
  const missing = own.filter((name) => !exported.has(name) && !leftOut.includes(name));
  expect(
    missing,
    "add a section to src/operations/export/sections.ts, or a reason to docs/export.md",
  ).toEqual([]);
  expect(leftOut.filter((name) => exported.has(name) || !own.includes(name))).toEqual([]);
});
