// The newest lines of the server's log, which it keeps in memory for administrators.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { silentLog } from "@/kernel/lib/log.ts";
import { keepingLog, serverLogOf } from "@/operations/server-log/lines.ts";
import { jsonHere, runHere } from "../support/command-line.ts";
import { openDatabaseOf } from "../support/database.ts";
import {
  cleanUp,
  executable,
  type Founded,
  newOrganization,
  type Server,
  serve,
  surroundings,
} from "../support/executable.ts";
import { basic } from "../support/requests.ts";
import { type Client, type World, world } from "../support/world.ts";

interface Line {
  id: number;
  time: string;
  level: string;
  event: string;
  fields: Record<string, unknown>;
}

async function asked(client: Client, query = ""): Promise<{ lines: Line[]; last_id: number }> {
  const answer = await client.request(`/metrics/log?${query}`);
  expect(answer.status).toBe(200);
  return (await answer.json()) as { lines: Line[]; last_id: number };
}

const operationsOf = (lines: readonly Line[]) => lines.map(({ fields }) => fields.operation);
const logOf = ({ app }: World) => serverLogOf(app.env);

describe("get-server-log", () => {
  test("returns the newest lines, oldest first, and those after a line", async () => {
    const w = world();
    await w.as("mel").get("/users/me");
    await w.as("mel").get("/messages/99");
    const { lines, last_id } = await asked(w.as("ada"));
    expect(lines).toEqual([
      {
        id: last_id - 1,
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        level: "info",
        event: "request",
        fields: {
          operation: "get-own-user",
          status: 200,
          ms: expect.any(Number),
          user_id: w.user("mel").id,
        },
      },
      expect.objectContaining({ id: last_id, fields: expect.objectContaining({ status: 400 }) }),
    ]);
    expect(await asked(w.as("ada"), `after=${last_id}`)).toMatchObject({ lines: [], last_id });
    await w.anonymous.get("/server_settings");
    const news = await asked(w.as("ada"), `after=${last_id}`);
    expect(operationsOf(news.lines)).toEqual(["get-server-settings"]);
    expect(operationsOf((await asked(w.as("ada"), "limit=1")).lines)).toEqual(["get-server-settings"]);
    const oldest = await asked(w.as("ada"), `after=${last_id - 2}&limit=1`);
    expect(oldest).toMatchObject({ lines: [{ id: last_id - 1 }], last_id: last_id - 1 });
  });

  test("filters by level, operation and person", async () => {
    const w = world();
    await w.as("mel").get("/users/me");
    await w.as("max").get("/users");
    await w.login(w.user("mel").email.toUpperCase(), "wrong").get("/users");
    const found = async (query: string) => {
      const { lines } = await asked(w.as("ada"), query);
      return lines.map(({ level, event, fields }) => [level, event, fields.operation]);
    };
    expect(await found("level=warn")).toEqual([["warn", "login_refused", "get-users"]]);
    expect(await found("level=error")).toEqual([]);
    expect(await found("operation=get-own-user")).toEqual([["info", "request", "get-own-user"]]);
    expect(await found(`user_id=${w.user("mel").id}`)).toEqual([
      ["info", "request", "get-own-user"],
      ["warn", "login_refused", "get-users"],
    ]);
    expect(await found(`user_id=${w.user("max").id}&level=warn`)).toEqual([]);
  });

  test("refuses members, strangers, unknown users and wrong parameters", async () => {
    const w = world();
    const statusOf = async (client: Client, query = "") =>
      (await client.request(`/metrics/log?${query}`)).status;
    expect(await statusOf(w.as("moss"))).toBe(400);
    expect(await statusOf(w.as("mel"), "wait=true")).toBe(400);
    expect(await statusOf(w.anonymous)).toBe(401);
    for (const query of ["level=loud", "limit=0", "limit=1001", "user_id=99999", "after=x"])
      expect([query, await statusOf(w.as("ada"), query)]).toEqual([query, 400]);
  });

  test("waits for a line that passes the filter, and ends when the server stops", async () => {
    const w = world();
    const { last_id } = await asked(w.as("ada"));
    let isOver = false;
    const waiting = asked(w.as("ada"), `after=${last_id}&wait=true&operation=get-own-user`).then((page) => {
      isOver = true;
      return page;
    });
    await w.as("mel").get("/users");
    expect(isOver).toBe(false);
    await w.as("mel").get("/users/me");
    expect(operationsOf((await waiting).lines)).toEqual(["get-own-user"]);

    const second = asked(w.as("ada"), "wait=true&level=error");
    await w.as("mel").get("/users/me");
    logOf(w).stop();
    expect((await second).lines).toEqual([]);
    expect((await asked(w.as("ada"), "wait=true&level=error")).lines).toEqual([]);
  });

  test("does not list requests for the log", async () => {
    const w = world();
    await asked(w.as("ada"));
    expect((await asked(w.as("ada"))).lines).toEqual([]);
  });
});

describe("the memory of the log", () => {
  test("is bounded in lines, and requests do not push out warnings", () => {
    const { app } = world();
    const log = keepingLog(silentLog, () => app.env);
    log.warn("queues", { ended: 1 });
    for (let n = 0; n < 20_000; n++) log.info("request", { operation: "get-users", status: n });
    const kept = serverLogOf(app.env).after(0);
    expect([kept.length, kept[0]?.event, kept[1]?.fields.status, kept.at(-1)?.fields.status]).toEqual([
      5001,
      "queues",
      15_000,
      19_999,
    ]);
    for (let n = 0; n < 3000; n++) log.error("job", { name: String(n) });
    const errors = serverLogOf(app.env)
      .after(0)
      .filter(({ level }) => level !== "info");
    expect([errors.length, errors[0]?.fields.name]).toEqual([1000, "2000"]);
  });

  test("is bounded in bytes, however long the errors are", () => {
    const { app } = world();
    const log = keepingLog(silentLog, () => app.env);
    for (let n = 0; n < 1000; n++) log.error("unhandled_error", { error: "x".repeat(100_000), n });
    const kept = serverLogOf(app.env).after(0);
    const length = kept.reduce((sum, { fields }) => sum + String(fields.error).length, 0);
    expect(kept.at(-1)?.fields.n).toBe(999);
    expect(2 * length).toBeLessThan(2_000_000);
    expect(length).toBeGreaterThan(500_000);
  });

  test("contains no key, password or token, and neither does the written log", async () => {
    const written: string[] = [];
    const note = (event: string, fields = {}) => void written.push(JSON.stringify({ event, fields }));
    const { app } = world();
    const log = keepingLog({ info: note, warn: note, error: note, flush() {} }, () => app.env);
    const errors = [
      "connect ECONNREFUSED smtps://mailer:hush-hush@mail.example.com:465",
      "Error: 401 for Authorization: Basic b2xpdmU6aHVzaC1odXNo",
      "POST /hook?api_key=hush-hush&x=1 failed",
      `{"password":"hush-hush","token": "hush-hush"}`,
    ];
    for (const error of errors) log.error("job", { name: "mail", error });
    const kept = JSON.stringify(serverLogOf(app.env).after(0));
    for (const text of [kept, written.join("\n")]) {
      expect(text).not.toMatch(/hush|b2xpdmU6/);
      expect(text).toContain("smtps://***@mail.example.com:465");
      expect(text).toContain("api_key=***&x=1 failed");
    }

    const w = world();
    const { email, key } = w.user("mel");
    await w.login(email, `${key}x`).get("/users/me");
    await w.anonymous.post("/fetch_api_key", { username: email, password: "pass-of-mel" });
    await w.as("mel").request(`/api/v1/users/me?api_key=${key}`);
    await w.as("ada").patch(`/users/me`, { old_password: "was-hers", new_password: "is-hers-now" });
    const lines = JSON.stringify((await asked(w.as("ada"))).lines);
    expect(lines).toContain("login_refused");
    expect(lines).not.toMatch(new RegExp(`${key}|pass-of-mel|was-hers|is-hers-now`));
  });
});

describe("confab logs", () => {
  let founded: Founded;
  let server: Server;
  beforeAll(async () => {
    founded = await newOrganization();
    server = await serve(founded.data, ["--site", "https://chat.example.com", "--log-level", "error"]);
    const { email, api_key } = founded.owner;
    const mel = ["user", "create", "--email", "mel@example.com", "--name", "Mel"];
    await jsonHere([...mel, "--data", founded.data]);
    const as = (key: string) => ({ headers: { authorization: basic(email, key) } });
    await fetch(`${server.url}/api/v1/users/me`, as(api_key));
    await fetch(`${server.url}/api/v1/users/me`, as("wrong"));
  });
  afterAll(() => cleanUp());
  const here = (...args: string[]) => ["logs", "--data", founded.data, ...args];

  test("asks the folder's server at its local address, whatever its public name and log level", async () => {
    const { stdout, stderr } = await runHere(here("--operation", "get-own-user"));
    expect([stdout, stderr]).toEqual([
      expect.stringMatching(
        /^\d\d:\d\d:\d\d INFO request operation=get-own-user status=200 ms=[\d.]+ user_id=\d+\n/,
      ),
      "",
    ]);
    const lines = await jsonHere<Line[]>(here("--level", "warn", "--user", "olive@example.com"));
    expect(lines).toMatchObject([{ level: "warn", event: "login_refused" }]);
    expect(await jsonHere<Line[]>(here("--user", "mel@example.com"))).toEqual([]);
    expect(await jsonHere<Line[]>(here("--limit", "1"))).toHaveLength(1);
  });

  test("refuses members and unknown people", async () => {
    expect(await runHere(here("--as", "mel@example.com"))).toMatchObject({ status: 1, stdout: "" });
    const unknown = await runHere(here("--user", "nobody@example.com"));
    expect([unknown.status, unknown.stderr]).toEqual([1, expect.stringContaining("No such user")]);
    expect((await runHere(here("--level", "loud"))).status).toBe(2);
  });

  test("follows until it is interrupted, and revokes its key", async () => {
    const keys = () => {
      using db = openDatabaseOf(founded.data);
      return (db.query("SELECT COUNT(*) AS n FROM api_keys").get() as { n: number }).n;
    };
    const before = keys();
    const args = here("--follow", "--json", "--operation", "get-server-settings", "--limit", "1");
    const child = Bun.spawn([...executable, ...args], {
      env: surroundings(),
      stdout: "pipe",
      stderr: "pipe",
    });
    const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
    let seen = (await reader.read()).value ?? "";
    expect(JSON.parse(seen)).toMatchObject({ fields: { operation: "get-server-settings" } });
    await fetch(`${server.url}/api/v1/server_settings`);
    while (seen.trim().split("\n").length < 2) seen += (await reader.read()).value ?? "";
    const [first, second] = seen
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Line);
    expect(second?.id).toBeGreaterThan(first?.id ?? 0);
    expect(keys()).toBe(before + 1);
    const interrupted = performance.now();
    child.kill("SIGINT");
    expect(await child.exited).toBe(0);
    // A waiting request is answered after 30 s; the command does not wait for that.
    expect(performance.now() - interrupted).toBeLessThan(20_000);
    expect(keys()).toBe(before);
  });

  test("says so if no server runs, and while a followed one is away", async () => {
    const args = [...executable, ...here("--follow")];
    const child = Bun.spawn(args, { env: surroundings(), stdout: "pipe", stderr: "pipe" });
    await child.stdout.getReader().read();
    const complaints = child.stderr.pipeThrough(new TextDecoderStream()).getReader();
    await server.end("SIGTERM");
    expect((await complaints.read()).value).toMatch(
      /^confab: (No server runs|The server cannot) .*; waiting for it\.\n$/,
    );
    child.kill("SIGTERM");
    expect(await child.exited).toBe(0);
    const refused = await runHere(here());
    expect([refused.status, refused.stderr]).toEqual([1, `confab: No server runs on ${founded.data}.\n`]);
  });
});
