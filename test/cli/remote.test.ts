// Commands against a remote server, over TLS, with a certificate that the server signed itself; on the executable where its process,
// environment or terminal matters.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { queueLetter } from "@/foundation/mail/actions.ts";
import { listUnsentMails } from "@/foundation/mail/queries.ts";
import { inEnglish } from "@/text/language/tables.ts";
import { isNeeded, isOperand } from "../../cli/args.ts";
import { allCommands } from "../../cli/loaders.ts";
import { certificate } from "../support/certificate.ts";
import { jsonHere, runHere } from "../support/command-line.ts";
import { openDatabaseOf } from "../support/database.ts";
import { checkDocument } from "../support/documents.ts";
import {
  cleanUp,
  confab,
  executable,
  type Finished,
  type Founded,
  inTerminal,
  newFolder,
  newOrganization,
  type Server,
  serve,
} from "../support/executable.ts";
import { png as picture } from "../support/pictures.ts";
import { basic } from "../support/requests.ts";
import { until } from "../support/waiting.ts";
import { world } from "../support/world.ts";

let founded: Founded;
let server: Server;
let home = "";
let cert = "";
let mel = { email: "mel@example.com", api_key: "" };

beforeAll(async () => {
  founded = await newOrganization();
  const made = ["user", "create", "--email", mel.email, "--name", "Mel", "--data", founded.data];
  mel = await jsonHere(made);
  home = newFolder();
  const pair = await certificate(home, "self");
  cert = pair.cert;
  server = await serve(founded.data, ["--tls-cert", cert, "--tls-key", pair.key]);
  for (const [name, { email, api_key }] of [
    ["work", founded.owner],
    ["member", mel],
  ] as const) {
    const added = ["profile", "add", name, "--address", server.url, "--email", email, "--ca", cert];
    expect(await away([...added], `${api_key}\n`)).toMatchObject({ status: 0, stderr: "" });
  }
});
beforeEach(async () => {
  server = await server.revived();
});
afterAll(() => cleanUp());

/** Runs a command with an empty home folder, away from the data folder. */
function away(args: readonly string[], input = ""): Promise<Finished> {
  return runHere(args, input, { XDG_CONFIG_HOME: home, HOME: home });
}
const atWork = (args: readonly string[], input?: string) => away(["--profile", "work", ...args], input);

/** A command as another program might send it, without our program's checks. */
async function sendCommand(command: string, given: object): Promise<{ msg: string; misused?: boolean }> {
  const body = new URLSearchParams({ command, given: JSON.stringify(given) });
  const headers = { authorization: basic(founded.owner.email, founded.owner.api_key) };
  const tls = { rejectUnauthorized: false };
  const answer = await fetch(`${server.url}/api/v1/command`, { method: "POST", body, headers, tls });
  return (await answer.json()) as { msg: string; misused?: boolean };
}

/** Waits until a queue is open and polled; returns its ID. */
async function openQueue(): Promise<string> {
  for (;;) {
    const [queue] = (await documentOf(["queue", "list"])) as { queue_id: string; is_connected: boolean }[];
    if (queue?.is_connected) return queue.queue_id;
  }
}

/** Reads messages as they are printed; returns a function that waits for a number of them and returns their texts. */
function linesOf(stream: ReadableStream<Uint8Array>): (count: number) => Promise<string[]> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let text = "";
  return async (count) => {
    while (text.split("\n").length <= count) {
      const { value, done } = await reader.read();
      if (done) break;
      text += decoder.decode(value, { stream: true });
    }
    return text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).content);
  };
}

async function documentOf(args: readonly string[], input?: string): Promise<unknown> {
  const { status, stdout, stderr } = await atWork([...args, "--json"], input);
  expect([args, status, stderr]).toEqual([args, 0, ""]);
  const document = JSON.parse(stdout);
  checkDocument([...args], document);
  return document;
}

/** A document with its numbers left out, which change meanwhile. */
function shapeOf(document: unknown): unknown {
  return JSON.parse(JSON.stringify(document), (_, value) => (typeof value === "number" ? 0 : value));
}

/** A server that answers every request alike. */
async function answering(
  status: number,
  body: string,
  headers: Record<string, string>,
): Promise<{ url: string; stop(): void }> {
  const server = createServer((_, response) => response.writeHead(status, headers).end(body));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, stop: () => void server.close() };
}

describe("run-command", () => {
  test("says the same of reading and of changing while the server cannot save, or no node leads", async () => {
    const notNow = {
      result: "error",
      code: "SERVER_NOT_READY",
      msg: "The server could not save this just now. Please try again.",
    };
    const headers = { "content-type": "application/json", "retry-after": "1" };
    const notLed = await answering(503, JSON.stringify(notNow), headers);
    const key = join(newFolder(), "key");
    writeFileSync(key, mel.api_key, { mode: 0o600 });
    const at = ["--server", notLed.url, "--as", mel.email, "--key-file", key];
    for (const command of [
      ["user", "list"],
      ["channel", "create", "attic"],
    ]) {
      const { status, stderr } = await away([...at, ...command]);
      expect([status, stderr]).toEqual([
        1,
        expect.stringContaining(
          "is not ready: it cannot save just now, or no node of its cluster leads. Please try again.",
        ),
      ]);
    }
    notLed.stop();
  });

  test("refuses anonymous requests, and does nothing in a process that runs no commands", async () => {
    const w = world();
    const line = { command: "user list", given: {} };
    expect(await w.anonymous.post("/command", line)).toMatchObject({ status: 401, events: [] });
    expect(await w.as("mel").post("/command", line)).toMatchObject({
      status: 400,
      body: { msg: "This process runs no commands." },
      events: [],
    });
    expect((await w.as("mel").post("/command", { command: "user list", given: { kind: 7 } })).status).toBe(
      400,
    );
  });

  test("runs no command that needs the data folder, and checks every value again", async () => {
    const { email } = founded.owner;
    for (const name of ["user login-link", "user password", "user api-key", "backup", "serve", "nothing"])
      expect((await sendCommand(name, { email })).msg).toBe(
        `This server does not run the command '${name}' for remote programs.`,
      );
    expect(await sendCommand("user list", { role: "king" })).toMatchObject({ misused: true });
    expect(await sendCommand("user role", { email })).toMatchObject({
      msg: "EMAIL|ROLE is missing",
      misused: true,
    });
  });
});

describe("a profile", () => {
  test("is stored with its key in a file that only its owner can read, and listed without it", async () => {
    const folder = join(home, "confab");
    expect(readdirSync(join(folder, "keys")).sort()).toEqual(["member", "work"]);
    expect(statSync(join(folder, "keys", "work")).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, "keys")).mode & 0o777).toBe(0o700);
    const listed = await away(["profile", "list"]);
    expect(listed.stdout).toMatch(/^NAME +SERVER +EMAIL\n/);
    expect(listed.stdout).toMatch(/^work +https:\/\/127\.0\.0\.1:\d+ +olive@example\.com +current$/m);
    const seen = listed.stdout + readFileSync(join(folder, "profiles.json"), "utf8");
    expect(seen).not.toContain(founded.owner.api_key);
  });

  test("is refused with a wrong key, an unknown certificate, plain HTTP and a key that others may read", async () => {
    const add = (...more: string[]) => ["profile", "add", "bad", "--email", "olive@example.com", ...more];
    const trusted = ["--address", server.url, "--ca", cert];
    const refusedBy = async (args: string[], input = "") => {
      const { status, stderr } = await away(args, input);
      expect(status).toBeGreaterThan(0);
      expect(stderr).not.toContain(founded.owner.api_key);
      return stderr;
    };
    expect(await refusedBy(add(...trusted), "wrong-key-of-olive")).toContain("does not accept");
    expect(await refusedBy(add(...trusted), "")).toContain("holds no API key");
    const { api_key } = founded.owner;
    expect(await refusedBy(add("--address", server.url), api_key)).toMatch(/certificate|self.signed/i);
    expect(await refusedBy(add("--address", "http://chat.example.com"), api_key)).toContain("could be read");
    const open = join(home, "open.key");
    writeFileSync(open, api_key);
    chmodSync(open, 0o644);
    expect(await refusedBy(add(...trusted, "--key-file", open))).toContain(`chmod 600 ${open}`);
    chmodSync(open, 0o600);
    expect(await away(add(...trusted, "--key-file", open))).toMatchObject({ status: 0 });
    expect(await away(["profile", "remove", "bad", "--yes"])).toMatchObject({ status: 0 });
    expect(existsSync(join(home, "confab", "keys", "bad"))).toBe(false);
    expect(await refusedBy(["--profile", "bad", "user", "list"])).toContain("There is no profile 'bad'");
    expect(await refusedBy(["profile", "use", "bad"])).toContain("There is no profile 'bad'");
  });
});

describe("a command elsewhere", () => {
  test("prints the same as next to the data folder", async () => {
    await jsonHere(["channel", "create", "design", "--data", founded.data]);
    // The server saves every half minute who was active; until then, it alone knows of it.
    const saved = openDatabaseOf(founded.data, { readonly: true });
    const active = saved.query("SELECT count(*) AS count FROM user_activity");
    await until(() => (active.get() as { count: number }).count === 2, "the server has saved who was active");
    saved.close();
    for (const args of [
      ["user", "list"],
      ["user", "show", mel.email],
      ["channel", "list"],
      ["group", "list"],
      ["realm", "settings"],
      ["realm", "permissions"],
      ["settings", "list"],
      ["invite", "list"],
      ["default", "channels"],
      ["webhook", "list"],
    ]) {
      const local = [...args, "--data", founded.data];
      const print = async () => ({
        here: [await runHere(local), await jsonHere(local)],
        there: [await atWork(args), await documentOf(args)],
      });
      let printed = await print();
      // After midnight, the server alone knows for half a minute that this is a day of activity, too.
      const isSame = async () => {
        if (Bun.deepEquals(printed.here, printed.there)) return true;
        printed = await print();
        return false;
      };
      await until(isSame, "both print the same").catch(() => {});
      expect([args, printed.there]).toEqual([args, printed.here]);
      expect(printed.here[0]).toMatchObject({ status: 0 });
    }
  });

  test("changes things there, as the account, under the same rules", async () => {
    expect(await documentOf(["user", "update", mel.email, "--name", "Melanie"])).toMatchObject({
      full_name: "Melanie",
    });
    expect(await jsonHere(["user", "show", mel.email, "--data", founded.data])).toMatchObject({
      full_name: "Melanie",
    });
    const asMember = (...args: string[]) => away(["--profile", "member", ...args]);
    const refused = await asMember("user", "role", mel.email, "owner");
    const there = await runHere([
      "user",
      "role",
      mel.email,
      "owner",
      "--as",
      mel.email,
      "--data",
      founded.data,
    ]);
    expect([refused.status, refused.stderr]).toEqual([1, there.stderr]);
    expect(await jsonHere(["user", "show", mel.email, "--data", founded.data])).toMatchObject({
      role: "member",
    });
    const unknown = await atWork(["user", "show", "nobody@example.com"]);
    expect(unknown).toMatchObject({ status: 1, stderr: expect.stringContaining("nobody@example.com") });
    expect(await atWork(["user", "list", "--role", "king"])).toMatchObject({ status: 2, stdout: "" });
    expect(await atWork(["user", "update", mel.email])).toEqual({
      status: 2,
      stdout: "",
      stderr: "confab: name a change: --name or --email. See 'confab user update --help'.\n",
    });
  });

  test("takes no administrator's word that an address is proved", async () => {
    const person = ["--email", "chief@example.com", "--name", "Chief"];
    expect(await documentOf(["user", "create", ...person])).toMatchObject({ email: "chief@example.com" });
    const asked = ["user", "address", "chief@example.com"];
    expect(await documentOf(asked)).toMatchObject({ address_proof: null });
    expect(await atWork([...asked, "--proved"])).toMatchObject({
      status: 1,
      stderr: "confab: Only the operator may do this, at the server's machine\n",
    });
    expect(await documentOf(asked)).toMatchObject({ address_proof: null });
    const shown = await away(["--profile", "member", "user", "show", "chief@example.com"]);
    expect([shown.status, shown.stdout.includes("Address")]).toEqual([0, false]);
    const there = await jsonHere([...asked, "--proved", "--data", founded.data]);
    expect(there).toMatchObject({ address_proof: { kind: "operator" } });
  });

  test("reads standard input and passwords on this side, and asks for confirmation here", async () => {
    const to = ["message", "send", "--to", "design", "--topic", "colours"];
    const { id } = (await documentOf([...to, "-"], "Blue it is.\n")) as { id: number };
    expect(await documentOf(["message", "show", String(id)])).toMatchObject({ content: "Blue it is." });
    const make = ["user", "create", "--email", "max@example.com", "--name", "Max", "--password-stdin"];
    await documentOf(make, "long and hard to guess, surely");
    expect(await atWork(["message", "delete", String(id)])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("Add --yes to confirm"),
    });
    expect(await documentOf(["message", "delete", String(id), "--yes"])).toEqual({ id });
  });

  test("sends the file that it names, and never opens a path on the server", async () => {
    const folder = newFolder();
    const [image, event] = [join(folder, "parrot.png"), join(folder, "alert.json")];
    writeFileSync(image, picture(20, 20));
    writeFileSync(event, JSON.stringify({ title: "Disk full", message: "on lab-3" }));
    expect(await documentOf(["emoji", "add", "parrot", image])).toMatchObject({
      name: "parrot",
      is_active: true,
    });
    const { url } = (await documentOf(["realm", "set-picture", "icon", image])) as { url: string };
    const tls = { rejectUnauthorized: false };
    const shown = await fetch(new URL(url, server.url), { tls });
    expect([shown.status, shown.headers.get("content-type")]).toEqual([200, "image/webp"]);
    const refusedBy = async (...args: string[]) => (await atWork(args)).stderr;
    expect(await refusedBy("webhook", "try", "json", event)).toContain("this command takes no server");
    expect(await refusedBy("emoji", "add", "gone", join(folder, "gone.png"))).toContain("There is no file");
    expect(await refusedBy("emoji", "add", "text", event)).toMatch(/picture|image/i);
    const big = join(folder, "big.png");
    writeFileSync(big, Buffer.alloc(6_000_000));
    expect(await refusedBy("emoji", "add", "big", big)).toContain("larger than the maximum of 5 MiB");
    expect((await sendCommand("emoji add", { name: "own", file: image })).msg).toBe(
      "The command came without the file that it reads.",
    );
    const left = readdirSync(join(founded.data, "files", "incoming"), {
      recursive: true,
      withFileTypes: true,
    });
    expect(left.filter((one) => one.isFile())).toEqual([]);
  });

  test("covers two-step sign-in, the user's own sessions and the server's health", async () => {
    expect(await documentOf(["user", "two-step", mel.email])).toEqual({ email: mel.email, is_on: false });
    expect(await documentOf(["user", "sessions", "olive@example.com"])).toMatchObject({ sessions: [] });
    expect(await atWork(["user", "sessions", mel.email])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("only your own sessions"),
    });
    expect(await away(["--profile", "member", "user", "two-step", mel.email])).toMatchObject({ status: 1 });
    expect(await documentOf(["health"])).toMatchObject({ status: "ok" });
    expect(await away(["--server", server.url, "health"])).toMatchObject({ status: 0 });
    const key = ["--profile", "work", "--key-file", join(home, "none"), "health"];
    expect(await away(key)).toMatchObject({ status: 2, stderr: expect.stringContaining("needs no key") });
  });

  test("follows messages by an event queue, which is replaced without a gap", async () => {
    const say = (content: string, to = "news") =>
      documentOf(["message", "send", "--to", to, "--topic", "today", content]);
    await documentOf(["channel", "create", "news"]);
    await say("before");
    const child = Bun.spawn(
      [...executable, "--profile", "work", ...["message", "tail", "--channel", "news", "--follow", "--json"]],
      { stdout: "pipe", env: { XDG_CONFIG_HOME: home, HOME: home, PATH: process.env.PATH ?? "" } },
    );
    const seen = linesOf(child.stdout);
    expect(await seen(1)).toEqual(["before"]);
    const queue = await openQueue();
    await say("elsewhere", "design");
    await say("while the queue is open");
    expect(await seen(2)).toEqual(["before", "while the queue is open"]);

    const { email, api_key } = founded.owner;
    const ended = await fetch(`${server.url}/api/v1/events?queue_id=${queue}`, {
      method: "DELETE",
      headers: { authorization: basic(email, api_key) },
      tls: { rejectUnauthorized: false },
    });
    expect(ended.status).toBe(200);
    await say("just after it ended");
    expect(await seen(3)).toEqual(["before", "while the queue is open", "just after it ended"]);
    const again = await openQueue();
    expect(again).not.toBe(queue);
    child.kill("SIGINT");
    expect(await child.exited).toBe(0);
    expect(await documentOf(["queue", "list"])).toEqual([]);
  });

  test("asks the server for its queues and its log, and calls the API", async () => {
    expect(await documentOf(["queue", "list"])).toEqual([]);
    expect(await documentOf(["logs", "--operation", "run-command", "--limit", "1"])).toHaveLength(1);
    expect(await documentOf(["api", "GET", "/users/me"])).toMatchObject({ email: "olive@example.com" });
    expect(await atWork(["api", "POST", "/register"])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("polled by nobody"),
    });
    const member = await away(["--profile", "member", "logs"]);
    expect([member.status, member.stderr]).toEqual([1, expect.stringContaining("administrator")]);
  });

  test("shows sizes, mails and files to administrators alone", async () => {
    const shows = [["stats"], ["mail", "list"], ["files", "show"]];
    for (const args of shows) {
      const here = await jsonHere([...args, "--data", founded.data]);
      const there = await documentOf(args);
      expect([args, shapeOf(there)]).toEqual([args, shapeOf(here)]);
      expect(await away(["--profile", "member", ...args])).toEqual({
        status: 1,
        stdout: "",
        stderr: "confab: Must be an organization administrator\n",
      });
    }
    expect(await documentOf(["files", "show"])).toEqual(
      await jsonHere(["files", "show", "--data", founded.data]),
    );
    const acting = ["files", "show", "--data", founded.data, "--as", mel.email];
    expect(await runHere(acting)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("--as goes with --server"),
    });
  });

  test("adds the people of a file that is here, all or nobody, and the audit log names it", async () => {
    const file = join(newFolder(), "people.csv");
    const people = Array.from({ length: 60 }, (_, i) => `new${i}@example.com,New ${i}`);
    const write = (...lines: string[]) => writeFileSync(file, ["email,name", ...lines].join("\n"));
    const addresses = async () =>
      ((await documentOf(["user", "list"])) as { email: string }[]).map(({ email }) => email);
    const before = await addresses();

    write(...people, "olive@example.com,Olive");
    expect(await atWork(["user", "import", file])).toMatchObject({
      status: 1,
      stderr:
        "confab: Nobody was added: line 62: olive@example.com: Email 'olive@example.com' already in use.\n",
    });
    await documentOf(["realm", "set", "require_unique_names", "true"]);
    write(...people, "newest@example.com,new 7");
    expect((await atWork(["user", "import", file])).stderr).toContain(
      "line 62: newest@example.com: This name",
    );
    await documentOf(["realm", "set", "require_unique_names", "false"]);
    write(...people);
    expect(await documentOf(["user", "import", file, "--dry-run"])).toMatchObject({ count: 60, people: [] });
    const member = await away(["--profile", "member", "user", "import", file]);
    expect([member.status, member.stderr]).toEqual([1, "confab: Must be an organization administrator\n"]);
    expect(await addresses()).toEqual(before);

    const added = (await documentOf(["user", "import", file])) as { people: { email: string }[] };
    expect(added.people.map(({ email }) => email)).toEqual(people.map((line) => line.split(",")[0] ?? ""));
    expect(await addresses()).toEqual([...before, ...added.people.map(({ email }) => email)]);
    const entries = (await documentOf(["audit", "--event", "command_run"])) as {
      data: { command: string };
    }[];
    expect(entries.filter(({ data }) => data.command === "user import")).toHaveLength(1);
  });

  test("hides the subjects of mails about messages, which only the operator sees", async () => {
    const w = world();
    const { app } = w;
    await app.env.db.write(app.system, (tx) => {
      for (const list of [null, { id: "channel-1", name: "secrets" }])
        queueLetter(tx, {
          recipient: "mel@example.com",
          letter: { translator: inEnglish, subject: "secrets > plans", heading: "x", blocks: [], footer: "" },
          sender_id: w.user("mel").id,
          reader_id: w.user("mel").id,
          ...(list && { list }),
        });
    });
    const subjects = (isOperator: boolean) =>
      listUnsentMails(app.ctx({ kind: "user", id: w.user("ada").id, client: "confab", isOperator })).map(
        ({ subject }) => subject,
      );
    expect(subjects(true)).toEqual(["secrets > plans", "secrets > plans"]);
    expect(subjects(false)).toEqual(["secrets > plans", "(about messages)"]);
  });

  test("exports what one person has, for owners, if the person has agreed", async () => {
    const folder = newFolder();
    const file = join(folder, "mel.json");
    const command = ["export", "user", mel.email, file];
    expect(await atWork(command)).toMatchObject({
      status: 1,
      stderr: "confab: This person has not agreed to the export of their private data.\n",
    });
    const agree = ["settings", "set", "allow_private_data_export", "yes"];
    expect(await away(["--profile", "member", ...agree])).toMatchObject({ status: 0 });
    const { rows } = (await documentOf(command)) as { rows: Record<string, number> };
    const document = JSON.parse(readFileSync(file, "utf8"));
    expect(document.user).toMatchObject([{ email: mel.email }]);
    expect(rows).toMatchObject({ user: 1, messages: document.messages.length });
    expect(await away(["--profile", "member", ...command, "--yes"])).toMatchObject({
      status: 1,
      stderr: "confab: Must be an organization owner\n",
    });
    expect(readdirSync(folder)).toEqual(["mel.json"]);
    expect(await runHere([...command, "--data", founded.data, "--as", mel.email])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("goes with --server"),
    });
  });

  test("exports what administrators may know, into a file that is here", async () => {
    const folder = newFolder();
    const file = join(folder, "crew.json");
    const secret = ["message", "send", "--to", "olive@example.com", "between the two of us"];
    expect(await away(["--profile", "member", ...secret])).toMatchObject({ status: 0 });
    await documentOf(["channel", "create", "exported"]);
    await documentOf(["message", "send", "--to", "exported", "--topic", "plans", "for everybody"]);
    const { rows } = (await documentOf(["export", "organization", file])) as {
      rows: Record<string, number>;
    };
    const document = JSON.parse(readFileSync(file, "utf8"));
    const sections = Object.entries(document).filter(([, found]) => Array.isArray(found));
    expect(rows).toEqual(Object.fromEntries(sections.map(([name, found]) => [name, (found as []).length])));
    expect(rows.messages).toBeGreaterThan(0);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const seen = JSON.stringify(document);
    expect([seen.includes("for everybody"), seen.includes("between the two of us")]).toEqual([true, false]);

    expect(await atWork(["export", "organization", file])).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/This overwrites 1 file .* Add --yes to confirm/),
    });
    expect(await atWork(["export", "organization", file, "--yes", "--private"])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("At least one organization owner must allow"),
    });
    await documentOf(["settings", "set", "allow_private_data_export", "yes"]);
    await documentOf(["export", "organization", file, "--yes", "--private"]);
    expect(readFileSync(file, "utf8")).toContain("between the two of us");
    const other = join(folder, "other.json");
    expect(await away(["--profile", "member", "export", "organization", other])).toMatchObject({
      status: 1,
      stderr: "confab: Must be an organization administrator\n",
    });
    expect(readdirSync(folder)).toEqual(["crew.json"]);
    for (const wrong of [["--private"], ["--as", mel.email]])
      expect(
        await runHere(["export", "organization", other, "--data", founded.data, ...wrong]),
      ).toMatchObject({
        status: 2,
        stderr: expect.stringContaining("goes with --server"),
      });
  });

  test("has the server look at itself, and says what only its machine shows", async () => {
    interface Findings {
      findings: { check: string; verdict: string; finding: string }[];
    }
    const { findings } = (await documentOf(["doctor"])) as Findings;
    const here = (await jsonHere(["doctor", "--data", founded.data])) as Findings;
    const checks = ({ findings }: Findings) =>
      findings
        .map(({ check, verdict }) => `${check}: ${verdict}`)
        .filter((one) => !one.startsWith("Database:"));
    expect(checks({ findings })).toEqual([...checks(here), "Only on its machine: note"]);
    expect(here.findings.some(({ check }) => check === "Database")).toBe(true);
    expect((await atWork(["doctor"])).stdout).toMatch(
      /^· Only on its machine: The server looked at itself\./m,
    );
    expect(await atWork(["doctor", "--deep"])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("--deep works only on the machine of the server"),
    });
    expect(await away(["--profile", "member", "doctor"])).toEqual({
      status: 1,
      stdout: "",
      stderr: "confab: Must be an organization administrator\n",
    });

    const settings = join(founded.data, "confab.toml");
    writeFileSync(settings, 'smtp_url = "hush-hush-hush"\n');
    const broken = await atWork(["doctor", "--json"]);
    rmSync(settings);
    expect(broken).toMatchObject({ status: 1, stderr: "confab: there are 2 problems.\n" });
    expect(JSON.parse(broken.stdout).findings).toContainEqual(
      expect.objectContaining({ check: "Settings", verdict: "problem" }),
    );
    expect(broken.stdout).not.toMatch(/hush|smtp|BAD_REQUEST/);
  });

  test("that works only on the server's machine says so, and names no server", async () => {
    for (const args of [
      ["backup", "x.tar.gz"],
      ["user", "login-link", mel.email],
      ["files", "move", "--to", "s3"],
    ])
      expect(await atWork(args)).toMatchObject({
        status: 2,
        stdout: "",
        stderr: expect.stringMatching(
          /^confab: confab [a-z -]+ works only on the machine of the server: run it there, without --server and --profile\. See/,
        ),
      });
    expect(await atWork(["licenses"])).toMatchObject({ status: 2 });
    expect(await atWork(["user", "list", "--data", founded.data])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("choose one: --data or a remote server"),
    });
  });

  test("works on the server's machine alone: exactly these do", async () => {
    const here = (await allCommands()).filter((one) => !one.runsRemotely && !one.isApart);
    expect(here.map(({ name }) => name).sort()).toEqual(
      [
        ...[
          "backup",
          "backup list",
          "backup now",
          "backup rehearse",
          "cluster init",
          "cluster join",
          "cluster leave",
          "cluster recover",
          "cluster replace",
          "cluster upgrade",
          "config",
        ],
        "files move",
        ...["import confab", "import mattermost", "import slack", "import zulip", "init", "mail test"],
        ...["realm reactivate", "realm upload-limits", "restore", "serve", "setup"],
        ...["user api-key", "user login-link", "user password", "user reset-link"],
      ].sort(),
    );
  });

  test("with a current profile runs there or says by name that it cannot: none acts on the folder here", async () => {
    const place = newFolder();
    const decoy = join(place, "confab-data");
    mkdirSync(decoy);
    const env = { XDG_CONFIG_HOME: home, HOME: home, PATH: process.env.PATH ?? "" };
    const run = (...args: string[]) => {
      const { exitCode, stdout, stderr } = Bun.spawnSync([...executable, ...args], {
        cwd: place,
        env,
        stdin: new Uint8Array(),
      });
      return { status: exitCode, stdout: stdout.toString(), stderr: stderr.toString() };
    };
    const commands = (await allCommands()).filter(({ isApart }) => !isApart);
    for (const { name, args } of commands.filter(({ runsRemotely }) => !runsRemotely)) {
      const operands = Object.values(args).filter((row) => isOperand(row) && isNeeded(row));
      const { status, stdout, stderr } = run(...name.split(" "), ...operands.map(() => "x"));
      expect([name, status, stdout, stderr]).toEqual([
        name,
        2,
        "",
        `confab: confab ${name} works only on the machine of the server (the current profile is 'work', ${server.url}): ` +
          `run it there, or pass --data ./confab-data. See 'confab ${name} --help'.\n`,
      ]);
    }
    expect(readdirSync(decoy)).toEqual([]);
    const remark = `confab: this is about ${server.url}, by the profile 'work'; --data ./confab-data is for the folder here.\n`;
    expect(run("user", "show", mel.email, "--json")).toMatchObject({ status: 0, stderr: remark });
    expect(run("health")).toMatchObject({ status: 0, stderr: remark });
    expect(run("user", "list", "--data", "./confab-data").stderr).toContain("There is no organization in");
    expect(run("profile", "list")).toMatchObject({ status: 0, stderr: "" });
    const byVariable = Bun.spawnSync([...executable, "config", "--json"], {
      cwd: place,
      env: { ...env, CONFAB_DATA: founded.data },
    });
    expect(JSON.parse(byVariable.stdout.toString()).file).toBe(join(founded.data, "confab.toml"));
    rmSync(decoy, { recursive: true });
    expect(run("stats")).toMatchObject({ status: 0, stderr: "" });
    expect(run("init").stderr).toContain("or pass --data and a folder of this machine.");
    expect(readdirSync(place)).toEqual([]);
  });

  test("is chosen by --server and --as, by the current profile, or by a key file", async () => {
    const named = ["--server", `${server.url}/`, "--as", "OLIVE@example.com", "user", "list"];
    expect(await away(named)).toMatchObject({ status: 0 });
    const ambiguous = await away(["--server", server.url, "user", "list"]);
    expect([ambiguous.status, ambiguous.stderr]).toEqual([2, expect.stringContaining("--as EMAIL")]);
    const stranger = await away(["--server", server.url, "--as", "max@example.com", "user", "list"]);
    expect([stranger.status, stranger.stderr]).toEqual([2, expect.stringContaining("--key-file")]);
    const key = join(home, "mel.key");
    writeFileSync(key, mel.api_key, { mode: 0o600 });
    const byFile = ["--server", server.url, "--as", mel.email, "--key-file", key, "api", "GET", "/users/me"];
    expect(JSON.parse((await away(byFile)).stdout)).toMatchObject({ email: mel.email });

    const place = newFolder();
    const run = (...args: string[]) =>
      Bun.spawnSync([...executable, ...args], {
        cwd: place,
        env: { XDG_CONFIG_HOME: home, PATH: process.env.PATH ?? "" },
      });
    expect(run("api", "GET", "/users/me").stdout.toString()).toContain("olive@example.com");
  });

  test("prompts for a key without showing it", async () => {
    const question = "API key of max@example.com: ";
    const args = ["--server", server.url, "--as", "max@example.com", "user", "list"];
    const { seen, status } = await inTerminal(args, {
      columns: 100,
      answers: [[question, "hush-hush-hush"]],
    });
    expect(seen).toContain(question);
    expect([status, seen.includes("hush")]).toEqual([1, false]);
  });

  test("is in no argument, environment or log", async () => {
    const child = Bun.spawn([...executable, "--profile", "work", "logs", "--follow"], {
      stdout: "pipe",
      env: { XDG_CONFIG_HOME: home, HOME: home, PATH: process.env.PATH ?? "" },
    });
    await child.stdout.getReader().read();
    if (process.platform === "linux") {
      const seen =
        readFileSync(`/proc/${child.pid}/cmdline`, "utf8") +
        readFileSync(`/proc/${child.pid}/environ`, "utf8");
      expect(seen).not.toContain(founded.owner.api_key);
    }
    child.kill("SIGINT");
    await child.exited;
    const logs = (await atWork(["logs", "--limit", "1000"])).stdout + server.printed().stderr;
    expect(logs).toContain("run-command");
    for (const { api_key } of [founded.owner, mel]) expect(logs).not.toContain(api_key);
  });

  test.each([
    ["JSON of another program", 200, "application/json", `{"ok":true}`],
    ["an answer that breaks off", 200, "application/json", `{"result":"succ`],
    ["a page", 200, "text/html", "<h1>Welcome</h1>"],
    ["the page of a proxy that wants a password", 401, "text/html", "<h1>Who are you?</h1>"],
    ["the page of a proxy that refuses", 403, "text/html", "<h1>No</h1>"],
    ["an error of another program", 400, "application/json", `{"msg":7}`],
  ])("names the address if %s comes from there", async (_, status, type, text) => {
    const other = await answering(status, text, { "content-type": type });
    const key = join(newFolder(), "key");
    writeFileSync(key, mel.api_key, { mode: 0o600 });
    const how = status === 200 ? "" : `, but with status ${status}`;
    const sentence =
      `confab: The server at ${other.url} does not answer as a Confab server does${how}. Check the address: a proxy or another ` +
      "program may answer there. If it is a Confab server, it is of another version than this program: update the older one.\n";
    for (const command of [
      ["user", "list"],
      ["channel", "create", "attic"],
      ["queue", "list"],
      ["node", "drain"],
      ["health"],
    ]) {
      const at = [
        "--server",
        other.url,
        ...(command[0] === "health" ? [] : ["--as", mel.email, "--key-file", key]),
      ];
      expect([command, await away([...at, ...command])]).toEqual([
        command,
        { status: 1, stdout: "", stderr: sentence },
      ]);
    }
    const added = ["profile", "add", "other", "--address", other.url, "--email", mel.email];
    expect(await away(added, `${mel.api_key}\n`)).toEqual({ status: 1, stdout: "", stderr: sentence });
    other.stop();
  });

  test("names the address if it redirects", async () => {
    const other = await answering(301, "", { location: "https://chat.example.com/" });
    expect(await away(["--server", other.url, "health"])).toMatchObject({
      status: 1,
      stderr: `confab: The server at ${other.url} redirects to another address. Give the address to which it redirects, if that is the Confab server.\n`,
    });
    other.stop();
  });

  test("says so if no server answers", async () => {
    const nowhere = [
      "--server",
      "https://127.0.0.1:9",
      "--as",
      mel.email,
      "--key-file",
      join(home, "mel.key"),
    ];
    expect(await away([...nowhere, "user", "list"])).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/^confab: The server at https:\/\/127\.0\.0\.1:9 cannot be reached/),
    });
  });
});

describe("an unknown variable CONFAB_*", () => {
  test("is named, with the one that was probably meant", async () => {
    const env = { CONFAB_PROT: "1", CONFAB_SOMETHING_ELSE: "1", CONFAB_PORT: "9901" };
    const { stderr, status } = await confab(["config", "--data", founded.data], { env });
    expect([status, stderr]).toEqual([
      0,
      "confab: the environment variable CONFAB_PROT means nothing here: is CONFAB_PORT meant?\n" +
        "confab: the environment variable CONFAB_SOMETHING_ELSE means nothing here.\n",
    ]);
  });
});

test("a terminal without a size shows whole tables", async () => {
  const { seen } = await inTerminal(["user", "list", "--data", founded.data], { columns: 0 });
  expect(seen).toMatch(/olive@example\.com +Olive +owner/);
});
