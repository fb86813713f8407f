// Landed migrations never change, and data folders of earlier versions can be opened.
import { afterAll, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { extract } from "tar";
import { type App, open } from "@/app.ts";
import { landed, migrations } from "@/migrations/all.ts";
import { type Asking, answersOf, type Kept, keptFile } from "../folders/answers.ts";
import { openDatabaseOf } from "../support/database.ts";
import { call, cleanUp, confab, serve } from "../support/executable.ts";
import { basic, type Json, requestOf } from "../support/requests.ts";

const root = join(import.meta.dir, "..", "..");
const sources = join(root, "src", "migrations");
const files = readdirSync(sources)
  .filter((name) => name.endsWith(".sql"))
  .sort();
const folders = readdirSync(join(import.meta.dir, "..", "folders"))
  .filter((name) => name.endsWith(".tgz"))
  .sort();
const made: string[] = [];

afterAll(async () => {
  await cleanUp();
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

describe("migrations", () => {
  test("are unchanged once landed", () => {
    const hashes = files.map((name) => [name, sha256(readFileSync(join(sources, name)))]);
    // `npm run generate` lists a new migration in src/migrations/all.ts; a listed one is corrected by another migration.
    const listed = hashes.map(([name], i) => [name, landed[i]?.[1]]);
    expect(Object.fromEntries(hashes)).toEqual(Object.fromEntries(listed));
    expect(hashes).toHaveLength(landed.length);
  });

  test("give the same rows wherever they run: each node of several runs them itself", () => {
    const chance = /\brandom(blob)?\s*\(|'now'|\bCURRENT_(TIME|DATE|TIMESTAMP)\b|\bunixepoch\s*\(\s*\)/i;
    expect(migrations.filter((sql) => chance.test(sql))).toEqual([]);
    expect("INSERT INTO realm (salt) VALUES (hex(randomblob(8)))").toMatch(chance);
  });

  test("run in the order of this list, all of them", () => {
    expect(migrations.map((sql) => sha256(Buffer.from(sql)))).toEqual(landed.map(([, hash]) => hash));
  });

  test("are tested on at least two stored folders", () => {
    expect(folders.slice(0, 2)).toEqual(["schema-14.tgz", "schema-15.tgz"]);
  });

  test("are tested on a folder of the last one or, until that has landed, of the one before", () => {
    const numberIn = (name = "") => Number(/\d+/.exec(name)?.[0]);
    const last = numberIn(files.at(-1));
    expect(numberIn(folders.at(-1))).toBeWithin(last - 1, last + 1);
  });
});

describe.each(folders)("the stored folder %s", (name) => {
  test("returns the same state and answers as before", async () => {
    const { app, kept } = await opened(name);
    expect(await answersOf(askingOf(app, kept), peopleOf(kept), kept.bot)).toEqual(kept.answers);
    await app.close();
  });

  test("has the tables of a new folder, whole", async () => {
    const { app, dataDir } = await opened(name);
    await app.close();
    const fresh = temporary();
    await open(fresh).close();
    expect(schemaOf(dataDir)).toEqual(schemaOf(fresh));
    const database = openDatabaseOf(dataDir);
    expect(database.query("PRAGMA integrity_check").values()).toEqual([["ok"]]);
    expect(database.query("PRAGMA foreign_key_check").values()).toEqual([]);
    database.close();
  });

  test("lets its users continue: read, send, edit, upload, search and receive events", async () => {
    const { app, kept } = await opened(name);
    const { call: ask, bytes } = askingOf(app, kept);
    const [hugo = "", mei = ""] = peopleOf(kept).slice(3);
    const received: Json[] = kept.answers[hugo].messages;
    const stream_id = received.findLast((message) => message.stream_id !== undefined).stream_id;
    const queue = (await ask(mei, "POST", "/register")).body;

    const sent = { type: "channel", to: stream_id, topic: "after", content: "the curlew came back" };
    const { id } = (await ask(hugo, "POST", "/messages", sent)).body;
    expect(id).toBeGreaterThan(Math.max(...received.map((message) => message.id)));
    const own = received.find((message) => message.content.includes("**grey** heron"));
    const edited = await ask(hugo, "PATCH", `/messages/${own.id}`, { content: "a curlew" });
    const read = await ask(mei, "POST", "/messages/flags", { messages: [id], op: "add", flag: "read" });
    expect([edited.status, read.status]).toEqual([200, 200]);

    const poll = { queue_id: queue.queue_id, last_event_id: queue.last_event_id, dont_block: true };
    const { events } = (await ask(mei, "GET", "/events", poll)).body;
    expect(events.map((event: Json) => event.type)).toEqual(
      expect.arrayContaining(["message", "update_message", "update_message_flags"]),
    );
    const searched = { anchor: "newest", num_before: 9, num_after: 0, narrow: [["search", "curlew"]] };
    const found = (await ask(mei, "GET", "/messages", searched)).body.messages;
    expect(found.map((message: Json) => message.id)).toEqual([own.id, id]);

    const { url } = await upload(app, kept, hugo, new File(["a feather"], "feather.txt"));
    expect(new TextDecoder().decode(await bytes(hugo, url))).toBe("a feather");
    await app.close();
  });

  test("is served by the executable, with the keys people have, and doctor finds nothing wrong", async () => {
    const { dataDir, kept } = await unpacked(name);
    const server = await serve(dataDir);
    const [email = ""] = peopleOf(kept);
    const me = { email, api_key: kept.keys[email] ?? "" };
    expect(await call(server, me, ["GET", "/users/me"])).toMatchObject({ status: 200, body: { email } });
    const sent = { type: "direct", to: `["${email}"]`, content: "still here" };
    expect(await call(server, me, ["POST", "/messages"], sent)).toMatchObject({ status: 200 });
    const { status, stdout } = await confab(["doctor", "--data", dataDir]);
    // Where the folder was filled, there was no mail server.
    expect(
      stdout.match(/^✘ (?!Waiting mails: \d+ mails wait, because the mail server answered: ).*/gm),
    ).toBeNull();
    expect(status).toBe(stdout.includes("✘") ? 1 : 0);
    const ended = await server.end("SIGTERM");
    expect([ended, ended === 0 ? "" : server.printed().stderr]).toEqual([0, ""]);
  });
});

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), "confab-test-"));
  made.push(folder);
  return folder;
}

async function unpacked(name: string): Promise<{ dataDir: string; kept: Kept }> {
  const dataDir = temporary();
  await extract({ file: join(import.meta.dir, "..", "folders", name), cwd: dataDir });
  return { dataDir, kept: JSON.parse(readFileSync(join(dataDir, keptFile), "utf8")) };
}

/** The folder as its server left it; the clock shows the time of the recorded answers. */
async function opened(name: string): Promise<{ app: App; dataDir: string; kept: Kept }> {
  const { dataDir, kept } = await unpacked(name);
  const clock = { now: () => kept.at, ms: () => kept.at * 1000, steady: () => performance.now() };
  return { app: open(dataDir, { hosting: true, clock, site: kept.site }), dataDir, kept };
}

const peopleOf = ({ keys, bot }: Kept): string[] => Object.keys(keys).filter((email) => email !== bot);

const authorization = ({ keys }: Kept, who: string) => ({ authorization: basic(who, keys[who] ?? "") });

function askingOf(app: App, kept: Kept): Asking {
  return {
    async call(who, method, path, params) {
      const headers = authorization(kept, who);
      const answer = await app.fetch(requestOf(`${kept.site}/api/v1${path}`, method, { params, headers }));
      return { status: answer.status, body: await answer.json() };
    },
    async bytes(who, path) {
      const answer = await app.fetch(
        new Request(new URL(path, kept.site).href, { headers: authorization(kept, who) }),
      );
      if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`);
      return new Uint8Array(await answer.arrayBuffer());
    },
  };
}

async function upload(app: App, kept: Kept, who: string, file: File): Promise<Json> {
  const form = new FormData();
  form.append("file", file);
  const url = `${kept.site}/api/v1/user_uploads`;
  const encoded = new Response(form);
  const type = encoded.headers.get("content-type") ?? "";
  const body = await encoded.arrayBuffer();
  const sizes = { "content-type": type, "content-length": String(body.byteLength) };
  const headers = { ...authorization(kept, who), ...sizes };
  return (await app.fetch(new Request(url, { method: "POST", headers, body }))).json();
}

/** The SQL of every table and index, normalized after ALTER TABLE. */
function schemaOf(dataDir: string): Record<string, string> {
  const database = openDatabaseOf(dataDir);
  const rows = database.query<[string, string | null], []>("SELECT name, sql FROM sqlite_schema").values();
  database.close();
  return Object.fromEntries(rows.map(([name, sql]) => [name, String(sql).replaceAll(/\s+/g, " ")]));
}
