// What operators can see of a server: health, metrics, log, settings.

import { afterAll, afterEach, describe, expect, test } from "bun:test";
import { appendFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { logLine } from "@cli/log-format.ts";
import { quantile } from "@/operations/metrics/history.ts";
import { sampleFields } from "@/operations/metrics/schema.ts";
import { version } from "../../package.json";
import { jsonHere, runHere } from "../support/command-line.ts";
import { openDatabaseOf } from "../support/database.ts";
import {
  type Credentials,
  call,
  cleanUp,
  confab,
  founding,
  newFolder,
  serve,
} from "../support/executable.ts";
import { runJob } from "../support/jobs.ts";
import { freePort } from "../support/ports.ts";
import { basic, type Json } from "../support/requests.ts";
import { until } from "../support/waiting.ts";
import { world } from "../support/world.ts";

/** A small disk of its own, if this machine lets us have one. */
const disk = newFolder();
const mayMount = process.platform === "linux" && process.getuid?.() === 0 && Bun.which("mount") !== null;
const hasDisk = mayMount && Bun.spawnSync(["mount", "-t", "tmpfs", "-o", "size=24m", "tmpfs", disk]).success;
if (!hasDisk) console.warn("LEFT OUT: a test of a server on a full disk, which needs root and mount.");

afterEach(() => cleanUp(disk));
afterAll(async () => {
  if (hasDisk) Bun.spawnSync(["umount", disk]);
  await cleanUp();
});

describe("get-health", () => {
  test("answers anyone, and reveals nothing about the organization", async () => {
    const answer = await world().anonymous.request("/health");
    expect(answer.status).toBe(200);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(await answer.json()).toEqual({ status: "ok", version });
  });

  test("fails if the database cannot be read", async () => {
    const { app, anonymous } = world();
    app.env.db.sqlite.run("PRAGMA foreign_keys = OFF");
    app.env.db.sqlite.run("DROP TABLE realm");
    const answer = await anonymous.request("/health");
    const problem = "The database cannot be read.";
    expect([answer.status, await answer.json()]).toEqual([503, { status: "failing", version, problem }]);
  });

  test("fails after a failed write, until one succeeds", async () => {
    const w = world();
    const { sqlite } = w.app.env.db;
    const pages = (sqlite.query("PRAGMA page_count").get() as { page_count: number }).page_count;
    sqlite.run(`PRAGMA max_page_count = ${pages}`);
    const send = async () => {
      const message = { type: "direct", to: [w.user("max").id], content: "x".repeat(9000) };
      return (await w.as("mel").post("/messages", message)).status;
    };
    const healthOf = async () => {
      const answer = await w.anonymous.request("/health");
      return [answer.status, await answer.json()];
    };
    const statuses = [];
    for (let n = 0; n < 20 && statuses.at(-1) !== 500; n++) statuses.push(await send());
    expect(statuses.at(-1)).toBe(500);
    const problem = "The last write failed: the disk is full.";
    expect(await healthOf()).toEqual([503, { status: "failing", version, problem }]);

    sqlite.run("PRAGMA max_page_count = 1073741823");
    // Nothing writes now, but asking tries a write, and the next answer reports its result.
    await until(async () => (await healthOf())[0] === 200, "the server is well again");
    expect(await healthOf()).toEqual([200, { status: "ok", version }]);
    expect(await send()).toBe(200);
  });
});

describe("confab health", () => {
  test("asks the folder's server at its local address, whatever its public one", async () => {
    const data = newFolder();
    const server = await serve(data, ["--site", "https://chat.example.com"]);
    expect(await jsonHere(["health", "--data", data])).toEqual({ status: "ok", version });
    expect(await runHere(["health", "--data", data])).toMatchObject({
      status: 0,
      stdout: `Confab ${version}: ok\n`,
    });
    await server.end("SIGTERM");
    expect(await runHere(["health", "--data", data])).toEqual({
      status: 1,
      stdout: "",
      stderr: `confab: no server runs on ${data}.\n`,
    });
  });

  test.skipIf(!hasDisk)("fails as long as the disk is full, though small writes succeed", async () => {
    const data = join(disk, "data");
    const { owner } = await jsonHere<{ owner: Credentials }>(["init", "--data", data, ...founding]);
    const server = await serve(data);
    const send = async () => {
      const message = { type: "direct", to: JSON.stringify([owner.email]), content: "x".repeat(9000) };
      return (await call(server, owner, ["POST", "/messages"], message)).status;
    };
    expect(await send()).toBe(200);
    // Until no page is left: what is free changes while the server tidies up.
    const page = new Uint8Array(4096);
    expect(() => {
      for (;;) appendFileSync(join(disk, "ballast"), page);
    }).toThrow("ENOSPC");
    for (let n = 0; n < 100 && (await send()) === 200; n++);
    expect(await send()).toBe(500);
    // Each question tries a small write, which succeeds.
    for (let n = 0; n < 5; n++) {
      const { status, problem } = (await (await fetch(`${server.url}/health`)).json()) as Json;
      expect([status, problem]).toEqual(["failing", expect.stringContaining("disk is full")]);
    }
    expect((await runHere(["health", "--data", data])).status).toBe(1);
    rmSync(join(disk, "ballast"));
    expect(await send()).toBe(200);
    expect((await runHere(["health", "--data", data])).status).toBe(0);
    await server.end("SIGTERM");
  });

  test("fails if the last write failed", async () => {
    const data = newFolder();
    const server = await serve(data);
    const key = /API key +(\w+)/.exec(server.printed().stdout)?.[1] ?? "";
    const owner = { email: "owner@localhost", api_key: key };
    const write = async () =>
      (await call(server, owner, ["POST", "/messages"], { type: "direct", to: "[]", content: "x" })).status;
    // Makes every commit that contains a message fail, as a full disk does.
    const other = openDatabaseOf(data);
    other.run("CREATE TABLE dangling (id INTEGER REFERENCES users (id) DEFERRABLE INITIALLY DEFERRED)");
    other.run("CREATE TRIGGER fail AFTER INSERT ON messages BEGIN INSERT INTO dangling VALUES (999); END");
    // A job may write something else, and succeed, before the command asks.
    const asked = await until(async () => {
      expect(await write()).toBe(500);
      const said = await runHere(["health", "--data", data]);
      return said.status === 0 ? null : said;
    }, "no job writes between the message and the question");
    expect([asked.status, asked.stderr]).toEqual([1, "confab: The last write failed.\n"]);
    other.run("DROP TRIGGER fail");
    other.close();
    expect(await write()).toBe(200);
    expect(await jsonHere(["health", "--data", data])).toEqual({ status: "ok", version });
  });
});

describe("get-queues", () => {
  test("lists open queues, only for administrators", async () => {
    const { as, anonymous, user } = world();
    const { body } = await as("mel").post("/register", { event_types: ["message"] });
    const { queue_id } = body;
    await as("max").post("/register", {});
    await as("ada").post("/messages", { type: "direct", to: [user("mel").id], content: "Hi" });
    const mine = {
      queue_id,
      user_id: user("mel").id,
      event_types: ["message"],
      waiting: 1,
      is_connected: false,
      last_connected: expect.any(Number),
    };
    expect(await (await as("ada").request("/metrics/queues")).json()).toEqual({
      result: "success",
      msg: "",
      queues: [mine, expect.objectContaining({ user_id: user("max").id, event_types: null, waiting: 0 })],
    });

    for (const who of [as("mel"), anonymous]) {
      expect((await who.request("/metrics/queues")).status).toBeGreaterThanOrEqual(400);
    }
  });
});

describe("get-server-state", () => {
  test("tells owners what the server does, and nobody else", async () => {
    const { as, anonymous } = world();
    const state = (await (await as("olive").request("/metrics/server")).json()) as Json;
    expect(state).toMatchObject({ version: expect.any(String), last_backup_age: null, sends_mail: false });
    expect(state.memory_bytes).toBeGreaterThan(1e6);
    expect(state.services.map(({ service }: Json) => service)).toEqual(["mail", "push", "webhooks"]);
    expect((await as("ada").request("/metrics/server")).status).toBe(400);
    expect((await anonymous.request("/metrics/server")).status).toBe(401);
  });
});

describe("get-metrics-history", () => {
  test("contains what was counted since the previous sample", async () => {
    const there = world();
    const { as, anonymous, user, clock } = there;
    await runJob(there, "sample-metrics");
    await as("mel").post("/messages", { type: "direct", to: [user("max").id], content: "Hi" });
    await anonymous.post("/fetch_api_key", { username: user("mel").email, password: "wrong" });
    clock.advance(60);
    await runJob(there, "sample-metrics");
    const { fields, recent, minutes } = (await (await as("ada").request("/metrics/history")).json()) as Json;
    const named = (sample: number[]) =>
      Object.fromEntries(fields.map((name: string, i: number) => [name, sample[i]]));
    for (const samples of [recent, minutes]) {
      expect(samples.map(named)).toMatchObject([
        { at: clock.now(), messages: 1, requests: 2, failed_logins: 1, queues: 0, mails_waiting: 0 },
      ]);
      expect(named(samples[0]).send_p99).toBeGreaterThan(0);
    }
    await runJob(there, "sample-metrics");
    clock.advance(5);
    await runJob(there, "sample-metrics");
    const later = (await (await as("ada").request("/metrics/history")).json()) as Json;
    const idle = { at: clock.now(), messages: 0, requests: 0, failed_logins: 0, send_p50: 0, send_p99: 0 };
    expect(named(later.recent.at(-1))).toMatchObject(idle);
    // The first of these three was taken in the same second as the request for the history.
    expect(later.recent.map((sample: number[]) => named(sample).requests)).toEqual([2, 1, 0]);
  });

  test("interpolates quantiles within their bucket", () => {
    expect(quantile([0.01, 0.02], [10, 10], 0.5)).toBe(10);
    expect(quantile([0.01, 0.02], [10, 10], 0.75)).toBe(15);
    expect(quantile([0.01, 0.02], [0, 0], 0.5)).toBe(0);
  });

  test("is for administrators", async () => {
    const { as, anonymous } = world();
    expect((await as("moss").request("/metrics/history")).status).toBe(400);
    expect((await anonymous.request("/metrics/history")).status).toBe(401);
  });
});

describe("get-metrics", () => {
  test("counts requests, durations, commits and objects", async () => {
    const { as, anonymous, user } = world();
    await as("mel").post("/messages", { type: "direct", to: [user("max").id], content: "Hi" });
    await as("mel").get("/messages/99");
    await as("mel").post("/register", { event_types: ["message"] });
    await anonymous.get("/nowhere");

    const answer = await as("ada").request("/metrics");
    expect(answer.headers.get("content-type")).toStartWith("text/plain; version=0.0.4");
    const lines = (await answer.text()).split("\n");
    for (const line of [
      'confab_requests_total{operation="send-message",status="200"} 1',
      'confab_requests_total{operation="get-message",status="400"} 1',
      'confab_requests_total{operation="none",status="404"} 1',
      "# TYPE confab_request_duration_seconds histogram",
      'confab_request_duration_seconds_bucket{operation="send-message",le="+Inf"} 1',
      'confab_request_duration_seconds_count{operation="send-message"} 1',
      'confab_commit_size_bucket{le="1"} 1',
      "confab_commit_size_count 1",
      "confab_event_queues 1",
      "confab_last_message_id 1",
      "confab_users 6",
      "confab_bots 1",
      `confab_build_info{version="${version}"} 1`,
    ]) {
      expect(lines).toContain(line);
    }
    expect(lines.filter((line) => !/^(#|[a-z_]+(\{[^{}]*\})? -?[\d.e+]+$|$)/.test(line))).toEqual([]);
  });

  test("counts refused requests that the log only counts", async () => {
    const { as, login } = world();
    for (let n = 0; n < 30; n++) await login("mel@example.com", "wrong").get("/users/me");
    const lines = (await (await as("ada").request("/metrics")).text()).split("\n");
    expect(lines).toContain('confab_requests_total{operation="get-own-user",status="401"} 30');
  });

  test("is only for administrators", async () => {
    const { as, anonymous } = world();
    expect((await as("moss").request("/metrics")).status).toBe(400);
    expect((await anonymous.request("/metrics")).status).toBe(401);
  });
});

describe("the log for people", () => {
  test("is one line per event, with quotes where necessary", () => {
    const fields = { operation: "get-events", status: 200, user_id: undefined, error: 'no "way"\nout' };
    expect(logLine("2026-11-21T09:30:00.123Z", "info", "request", fields)).toBe(
      '09:30:00 INFO request operation=get-events status=200 error="no \\"way\\"\\nout"',
    );
  });

  test("and its level are settings of the server", async () => {
    const texts = await serve(newFolder(), ["--log-format", "text"]);
    await fetch(`${texts.url}/health`);
    expect(await texts.end("SIGTERM")).toBe(0);
    expect(texts.printed().stderr).toMatch(
      /^\d\d:\d\d:\d\d INFO request operation=get-health status=200 ms=/m,
    );

    const quiet = await serve(newFolder(), ["--log-level", "warn"]);
    await fetch(`${quiet.url}/health`);
    expect(await quiet.end("SIGTERM")).toBe(0);
    expect(quiet.printed().stderr).toBe("");
  });
});

describe("confab.toml", () => {
  test("sets what neither flag nor environment sets", async () => {
    const data = newFolder();
    writeFileSync(
      join(data, "confab.toml"),
      'site = "https://chat.example.com"\naddress_rate_limit = 7\nsmtp_url = "smtps://u:hush@mail.test"\ncluster = "nats://u:hush@n1,nats://u:hush@n2"\ntrusted_proxy = ["127.0.0.1", "::1"]\n',
    );
    const port = await freePort();
    const env = { CONFAB_PORT: String(port), CONFAB_RATE_LIMIT: "9" };
    const shown = await confab(["config", "--data", data, "--json"], { env });
    const { file, settings } = JSON.parse(shown.stdout);
    expect(file).toBe(join(data, "confab.toml"));
    const of = (name: string) => settings.find((row: { name: string }) => row.name === name);
    expect(of("site")).toEqual({ name: "site", value: "https://chat.example.com", from: "file" });
    expect(of("trusted_proxy")).toMatchObject({ value: "127.0.0.1,::1", from: "file" });
    expect(of("smtp_url")).toMatchObject({ value: "smtps://u:***@mail.test" });
    expect(of("cluster")).toMatchObject({ value: "nats://u:***@n1,nats://u:***@n2" });
    expect(of("port")).toEqual({ name: "port", value: String(port), from: "environment" });
    expect(of("host")).toEqual({ name: "host", value: null, from: "default" });
    expect(of("tls_cert")).toEqual({ name: "tls_cert", value: null, from: "default" });

    const table = await confab(["config", "--data", data], { env });
    expect(table.stdout).toMatch(/^rate_limit +9 +CONFAB_RATE_LIMIT$/m);
    expect(table.stdout).toMatch(/^site +https:\/\/chat\.example\.com +confab\.toml$/m);

    const toml = join(data, "confab.toml");
    writeFileSync(toml, readFileSync(toml, "utf8").replace(/^cluster.*\n/m, ""));
    const server = await serve(data, ["--address-rate-limit", "11"]);
    expect(server.printed().stdout).toContain("https://chat.example.com");
    const { headers } = await fetch(`${server.url}/api/v1/server_settings`);
    expect(headers.get("x-ratelimit-limit")).toBe("11");
  });

  test.each([
    ["colour = 1", 1, "contains an unknown setting 'colour'; 'confab serve --help' lists all settings."],
    ["[site]\na = 1", 1, "'site' must be one value, or a list of them."],
    ["site = ", 1, "cannot be read:"],
    ["port = 99999", 2, "port in confab.toml: a port must be a number from 1 to 65535"],
  ])("refuses %p", async (text, status, sentence) => {
    const data = newFolder();
    writeFileSync(join(data, "confab.toml"), text);
    const refused = await confab(["serve", "--data", data]);
    expect([refused.status, refused.stderr]).toEqual([status, expect.stringContaining(sentence)]);
  });

  test("is shown by config, with the reason why the server cannot start", async () => {
    const data = newFolder();
    const { stdout: absent } = await runHere(["config", "--data", data]);
    expect(absent).toContain(`Settings file: ${join(data, "confab.toml")} (does not exist)\n`);
    expect(absent).not.toContain("does not start");
    writeFileSync(join(data, "confab.toml"), "port = 99999");
    const { stdout } = await runHere(["config", "--data", data]);
    expect(stdout).toEndWith(
      "confab.toml\n\nThe server cannot start with these settings: port in confab.toml: a port must be a number from 1 to 65535.\n",
    );
  });
});

test("metrics of a running server are read with an administrator's key", async () => {
  const data = newFolder();
  const founding = ["--org", "Crew", "--owner-email", "olive@example.com", "--owner-name", "Olive"];
  const { owner } = await jsonHere<{ owner: { email: string; api_key: string } }>([
    "init",
    "--data",
    data,
    ...founding,
  ]);
  // Figures that an earlier server measured.
  const earlier = sampleFields.map((_, i) => 1000 + i);
  const kept = { fields: sampleFields, recent: [], minutes: [earlier] };
  writeFileSync(join(data, "confab.history"), JSON.stringify(kept));
  const server = await serve(data);
  const headers = { authorization: basic(owner.email, owner.api_key) };
  const history = (await (await fetch(`${server.url}/metrics/history`, { headers })).json()) as Json;
  expect(history.minutes[0]).toEqual(earlier);
  const text = await (await fetch(`${server.url}/metrics`, { headers })).text();
  const bytes = Number(text.match(/^confab_database_bytes (\d+)$/m)?.[1]);
  expect(bytes).toBeGreaterThan(4096);
});
