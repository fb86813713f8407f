// Landed migrations never change, and data folders of earlier versions can be opened.
import { afterAll, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { extract } from "tar";
import { type App, open } from "@/app.ts";
import { migrations } from "@/migrations/all.ts";
import { type Asking, answersOf, type Kept, keptFile } from "../folders/answers.ts";
import { openBeside } from "../support/database.ts";
import { call, cleanUp, confab, serve } from "../support/executable.ts";
import { basic, type Json, requestOf } from "../support/requests.ts";

/** SHA-256 of each migration, in the order in which they run. */
const landed = {
  "0001_initial.sql": "bccf8bc3ab838ac244518e9bb115deece06c3b50bdf027492723efdd23b12491",
  "0002_reactions.sql": "38ce40d3eee6a82891d30834865ac937190234008a3b43ebc0a8dfeafab002a4",
  "0003_linkifiers.sql": "5d7fff1046b6192e70ab2bdb1e799cf4467fbc295e4d832c8f6b51a9631f60b0",
  "0004_personal.sql": "518527af1a7fb73952a3444167b9e6c260e906c216edda3a958d71e9c4e71be6",
  "0005_uploads.sql": "dd0b083e6da6d9c01848c6aba74c09aa19ae745b0df6cf7fff2e4bea0a0ab1c1",
  "0006_groups.sql": "6b2e6605b018736f6d15d9f21bacbf1dbba4d9c803f50424876f3691767445c9",
  "0007_channels.sql": "392685376234c3fb39f9d94637bc7fcd9c95b1eecb39dd9f137c7195a6ab87ea",
  "0008_personal_lists.sql": "4fbf2551d36fc3490a4c3ac90a4b8a4aae307f01889c7793eef647225dc79b8f",
  "0009_presence.sql": "6b056c89f8bc8c36ae38a79a03d014bdbcbc052b802435936ea9cd25bbaa2c6d",
  "0010_edits.sql": "84832faa2e2c00fb91ef64ff674c7d7227753d1616422cbd20fddf9a0d5fdc69",
  "0011_widgets.sql": "4173a79692e6b7e9ff13d678aa438ae53af36da74548cb3c6dbeb88a06cf6f3f",
  "0012_audit.sql": "5a404a4563e09f6c75a196d910417313e0d5311b4696486a49aff0d197a84102",
  "0013_people.sql": "bc56370022305afc491b10b2c107be8596d504b71534d70fd5069b78e0f94c46",
  "0013_reports.sql": "5ea5598876e24c342091698d3fbaff44e1492af3e378b8c6289e8c774db179fa",
  "0014_invitations.sql": "28dbfcfa6e120b4bde6ed71c04f63cbcfc2fb0e546457ce946d152e0cbada783",
  "0015_exports.sql": "67fe4092796d3d78c73176fad7f1994b2b8943ed546078ccc32597cc6f386288",
  "0016_linkifier_dialects.sql": "35552605d7b010e9d80008708df6cac8c76ae98e10dd375a5ddf8407d17634bc",
  "0017_sessions.sql": "462bede7f958b2ce0398c1f9deed3ecad7618300c091680d848c3b264185b660",
  "0018_index_merges.sql": "8bb4964cbc60acde0e870c1f40756c452c86c9ecd6fe3783983a7499a4282445",
  "0019_webhook_secrets.sql": "7e27df3ff29ad199d13257d8e1d44f14ac8779db5fb1c2997e35c96e327a85bb",
  "0020_mail.sql": "065ccc768fd24c7c484f1c82c48466121ac099bc80edcecbadc2eb618a1bb6b6",
  "0021_web_push.sql": "1d2ee984aec45876c541ee641d1ad2bdab471769902e4cb5b51d4a16c204e1dc",
  "0022_recovery.sql": "0197387932e5900f0048bc95fb3123358066af6dbd3e8ee081ff335867f44628",
  "0023_handled_reports.sql": "5939e583736032acd649bd3ec0f59a3c623d2e80efadc50ad0256f245e43be60",
  "0024_subscriber_counts.sql": "9884850e88049db80a55de4d232c109d88335efe9173cb605b7fb64a31ba3463",
  "0025_topic_work.sql": "8d73157459051bfb9d4ed714e8ecaf170c23415fbc6c663b2671a8cf794f533e",
  "0026_sender_index.sql": "6f2551749b9f79735e7b71bbb18bc896c7cfda5247feb75e1c2a32f8a6843659",
  "0027_stale_reminders.sql": "c27cc467c44f6cd7bed7a3b1c436255d778a2fc944cd0d962b397df99a5d1d36",
  "0028_messages_to_index.sql": "7ec29405c87fab645e459958ac2c35a2128999d3cf95cca1e4e05d3e951236e3",
  "0029_known_browsers.sql": "4480bfe535ad695d5b3653a7301927858015ae3420b443c1d2f304ea5e0a01e2",
  "0030_audit_names.sql": "f8e80243641f7e84a790c086863dbce20f929231212373e8ff727ffd5bb32e1f",
  "0031_address_proofs.sql": "3274ab3f02d750039ad6a7c4fbf0531016ae7a37d5552271868afff53771c854",
  "0032_whose_account.sql": "11aa1943e95981c638c5f4b0c335dea68428d1ce0b5d063aeca656fb07d4c459",
  "0033_retention_holds.sql": "37d771d666c8fa6d8b74905661e056b6d19736e2b8e03db4c19c453f9e5e16e8",
  "0034_keys.sql": "3c0ef5310f6d2de0610fb1d81a5afb960412846831f10dd3e63eb1f7d5534f37",
  "0035_departures.sql": "4f3a3d20f400128cec958a8a9e07685eb4dfa943a2aac399cfc5a45c39cc4cdc",
  "0036_mail_readers.sql": "fb388f7e7c80ba34a03df5d64c5c3b173d6f9cd4c1be892d771555c5bfe4b207",
  "0037_watching.sql": "ceaf49e467ccbfcc0c41db24d13027ee25db9119211cd75baf9fdfbd70c58c0d",
};

const root = join(import.meta.dir, "..", "..");
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
    const folder = join(root, "src", "migrations");
    const files = readdirSync(folder).filter((name) => name.endsWith(".sql"));
    const hashes = files.sort().map((name) => [name, sha256(readFileSync(join(folder, name)))]);
    // Add each new migration here with its hash; correct a listed one by another migration.
    expect(Object.fromEntries(hashes)).toEqual(landed);
  });

  test("give the same rows wherever they run: each node of several runs them itself", () => {
    const chance = /\brandom(blob)?\s*\(|'now'|\bCURRENT_(TIME|DATE|TIMESTAMP)\b|\bunixepoch\s*\(\s*\)/i;
    expect(migrations.filter((sql) => chance.test(sql))).toEqual([]);
    expect("INSERT INTO realm (salt) VALUES (hex(randomblob(8)))").toMatch(chance);
  });

  test("run in the order of this list, all of them", () => {
    expect(migrations.map((sql) => sha256(Buffer.from(sql)))).toEqual(Object.values(landed));
  });

  test("are tested on at least two stored folders", () => {
    expect(folders.slice(0, 2)).toEqual(["schema-14.tgz", "schema-15.tgz"]);
  });

  test("are tested on a folder of the last one or, until that has landed, of the one before", () => {
    const numberIn = (name = "") => Number(/\d+/.exec(name)?.[0]);
    const last = numberIn(Object.keys(landed).at(-1));
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
    const database = openBeside(dataDir);
    expect(database.query("PRAGMA integrity_check").values()).toEqual([["ok"]]);
    expect(database.query("PRAGMA foreign_key_check").values()).toEqual([]);
    database.close();
  });

  test("lets its users continue: read, send, edit, upload, search and receive events", async () => {
    const { app, kept } = await opened(name);
    const { call: ask, bytes } = askingOf(app, kept);
    const [hugo = "", mei = ""] = peopleOf(kept).slice(3);
    const told: Json[] = kept.answers[hugo].messages;
    const stream_id = told.findLast((message) => message.stream_id !== undefined).stream_id;
    const queue = (await ask(mei, "POST", "/register")).body;

    const sent = { type: "channel", to: stream_id, topic: "after", content: "the curlew came back" };
    const { id } = (await ask(hugo, "POST", "/messages", sent)).body;
    expect(id).toBeGreaterThan(Math.max(...told.map((message) => message.id)));
    const own = told.find((message) => message.content.includes("**grey** heron"));
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
  const database = openBeside(dataDir);
  const rows = database.query<[string, string | null], []>("SELECT name, sql FROM sqlite_schema").values();
  database.close();
  return Object.fromEntries(rows.map(([name, sql]) => [name, String(sql).replaceAll(/\s+/g, " ")]));
}
