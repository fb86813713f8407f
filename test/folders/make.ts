// `bun test/folders/make.ts CHECKOUT NAME` runs the server of CHECKOUT on a new folder, fills it through the API with an example
// of everything, and packs it with the answers that clients got into test/folders/NAME.tgz (README.md says when).

import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { create } from "tar";
import { openDatabaseOf, openFile } from "../support/database.ts";
import { freePort } from "../support/ports.ts";
import { basic, encode } from "../support/requests.ts";
import { answersOf, type Kept, keptFile } from "./answers.ts";
import { browsing, live, people, type Site } from "./life.ts";

const [checkout, name] = process.argv.slice(2);
if (!checkout || !name) throw new Error("Usage: bun test/folders/make.ts CHECKOUT NAME");
const folder = mkdtempSync(join(tmpdir(), "confab-folder-"));
const data = join(folder, "data");
try {
  await fill(resolve(checkout), data);
  const empty = emptyTables(join(data, "confab.db"));
  if (empty.length > 0) console.log(`Nothing is in ${empty.join(", ")}.`);
  const file = join(import.meta.dir, `${name}.tgz`);
  await create(
    { file, cwd: data, gzip: { level: 9 }, portable: true },
    readdirSync(data).filter((one) => one !== "confab.db-shm"),
  );
  console.log(`${file}: ${Bun.file(file).size} bytes`);
} finally {
  rmSync(folder, { recursive: true });
}

async function fill(root: string, dataDir: string): Promise<void> {
  const port = await freePort();
  const site = `http://127.0.0.1:${port}`;
  const script = [
    process.execPath,
    join(root, "cli", "main.ts"),
    "serve",
    "--dev",
    "--smtp-url",
    "smtp://127.0.0.1:1",
  ];
  const server = Bun.spawn([...script, "--data", dataDir, "--port", String(port), "--rate-limit", "0"], {
    cwd: root,
    stdout: "ignore",
    stderr: Bun.file(join(folder, "log")),
  });
  try {
    while (!(await fetch(`${site}/health`).catch(() => null))) await Bun.sleep(50);
    const keys = await keysOf(site);
    const reached = siteAt(site, keys);
    const bot = await live(reached);
    await signIn(site);
    await forget(site, "omar@example.com");
    const confab = (words: string) =>
      command([...script.slice(0, 2), ...words.split(" "), "--data", dataDir]);
    confab(`webhook secret ${bot}`);
    // The sample organization has reports, too.
    const [{ id }] = JSON.parse(confab("report list --state open --json"));
    confab(`report handle ${id} --note heard`);
    await Bun.sleep(35_000); // waits until jobs have indexed the messages, written the export and stored who is present
    const answers = await answersOf(reached, people, bot);
    server.kill("SIGTERM");
    await server.exited;
    const database = openDatabaseOf(dataDir);
    const { user_version } = database.query("PRAGMA user_version").get() as { user_version: number };
    database.close();
    const kept: Kept = { bot, user_version, at: Math.floor(Date.now() / 1000), site, keys, answers };
    writeFileSync(join(dataDir, keptFile), JSON.stringify(kept, null, 1));
  } finally {
    server.kill("SIGKILL");
  }
}

async function signIn(site: string): Promise<void> {
  const form = new URLSearchParams({ username: browsing.email, password: browsing.password });
  const { status } = await fetch(`${site}/login`, { method: "POST", body: form });
  if (status !== 200) throw new Error(`Signing in: ${status}`);
}

/** Asks for a link to choose a new password. */
async function forget(site: string, email: string): Promise<void> {
  const { status } = await fetch(`${site}/password/reset`, {
    method: "POST",
    body: new URLSearchParams({ email }),
  });
  if (status !== 200) throw new Error(`Asking for a new password: ${status}`);
}

/** Runs it; returns what it printed. */
function command(args: readonly string[]): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync([...args], { stdout: "pipe", stderr: "pipe" });
  if (exitCode !== 0) throw new Error(`${args.join(" ")}: ${stderr}`);
  return stdout.toString();
}

async function keysOf(site: string): Promise<Record<string, string>> {
  const keys: Record<string, string> = {};
  for (const username of people) {
    const answer = await fetch(`${site}/api/v1/dev_fetch_api_key?username=${username}`, { method: "POST" });
    keys[username] = ((await answer.json()) as { api_key: string }).api_key;
  }
  return keys;
}

function siteAt(site: string, keys: Record<string, string>): Site {
  const headersOf = (who: string) => ({ authorization: basic(who, keys[who] ?? "") });
  return {
    keys,
    async call(who, method, path, params = {}, more = {}) {
      const text = encode(params);
      const init = method === "GET" ? {} : { body: new URLSearchParams(text) };
      const url = `${site}/api/v1${path}${method === "GET" ? `?${text}` : ""}`;
      const answer = await fetch(url, { method, headers: { ...headersOf(who), ...more }, ...init });
      return { status: answer.status, body: await answer.json() };
    },
    async upload(who, path, file) {
      const body = new FormData();
      body.append("file", file);
      const answer = await fetch(`${site}/api/v1${path}`, { method: "POST", headers: headersOf(who), body });
      return { status: answer.status, body: await answer.json() };
    },
    async bytes(who, path) {
      const answer = await fetch(new URL(path, site), { headers: headersOf(who) });
      if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`);
      return answer.bytes();
    },
  };
}

function emptyTables(path: string): string[] {
  const database = openFile(path, { readonly: true });
  const tables = database
    .query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'table'")
    .all();
  const isEmpty = ({ name }: { name: string }) =>
    database.query(`SELECT 1 FROM "${name}" LIMIT 1`).get() === null;
  const empty = tables.filter(isEmpty).map(({ name }) => name);
  database.close();
  return empty;
}
