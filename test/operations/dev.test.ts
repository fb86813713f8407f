// `serve --dev`: a sample organization for this machine only.

import { afterAll, describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { openDatabaseOf } from "../support/database.ts";
import { call, confab, newFolder, newOrganization, type Server, serve } from "../support/executable.ts";
import { freePort } from "../support/ports.ts";
import type { Json } from "../support/requests.ts";
import { world } from "../support/world.ts";

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function folder(): string {
  const made = newFolder();
  folders.push(made);
  return made;
}

describe("dev-fetch-api-key", () => {
  test("gives a key for an address alone, in the query as well", async () => {
    const { anonymous, login, user } = world({ isDevelopment: true });
    const { status, body } = await anonymous.post("/dev_fetch_api_key", { username: " MEL@example.com " });
    expect([status, body.email, body.user_id]).toEqual([200, "mel@example.com", user("mel").id]);
    expect((await login("mel@example.com", body.api_key).get("/users/me")).body.full_name).toBe("Mel");
    const init = { method: "POST" };
    const asked = await anonymous.request("/api/v1/dev_fetch_api_key?username=max%40example.com", init);
    expect(((await asked.json()) as Json).user_id).toBe(user("max").id);
  });

  test("keeps people's existing keys", async () => {
    const { anonymous, as } = world({ isDevelopment: true });
    await anonymous.post("/dev_fetch_api_key", { username: "mel@example.com" });
    expect((await as("mel").get("/users/me")).status).toBe(200);
  });

  test.each([
    ["somebody unknown", "nobody@example.com", 401, "AUTHENTICATION_FAILED"],
    ["somebody who has left", "dex@example.com", 401, "USER_DEACTIVATED"],
  ])("refuses %s", async (_, username, status, code) => {
    const { anonymous } = world({ isDevelopment: true });
    const answer = await anonymous.post("/dev_fetch_api_key", { username });
    expect(answer).toMatchObject({ status, body: { result: "error", code }, events: [] });
  });

  test("is refused for every address if the server is not in development mode", async () => {
    const { anonymous } = world();
    for (const username of ["mel@example.com", "nobody@example.com"]) {
      const { status, body } = await anonymous.post("/dev_fetch_api_key", { username });
      expect([status, body]).toEqual([
        400,
        {
          result: "error",
          msg: "Only servers started with --dev let people in without a password.",
          code: "BAD_REQUEST",
        },
      ]);
    }
  });

  test("is announced in the server's settings and at registration", async () => {
    for (const isDevelopment of [true, false]) {
      const { anonymous, queue } = world({ isDevelopment });
      const { authentication_methods } = (await anonymous.get("/server_settings")).body;
      expect(authentication_methods.dev).toBe(isDevelopment);
      expect((await queue("mel")).state.development_environment).toBe(isDevelopment);
    }
  });
});

describe("serve --dev", () => {
  test("fills an empty folder once, lists its people, and lets them in", async () => {
    const data = folder();
    const first = await serve(data, ["--dev"]);
    const { stdout } = first.printed();
    expect(stdout).toContain("for development on this machine");
    for (const role of ["owner", "admin", "moderator", "member", "guest", "bot"])
      expect(stdout).toContain(role);
    const found = await lookAround(first);
    expect(await first.end("SIGTERM")).toBe(0);

    const again = await serve(data, ["--dev"]);
    expect(await lookAround(again)).toEqual(found);
    expect(await again.end("SIGTERM")).toBe(0);

    const plain = await serve(data);
    const key = await fetch(`${plain.url}/api/v1/dev_fetch_api_key?username=ines@example.com`, {
      method: "POST",
    });
    expect(key.status).toBe(400);
    expect(await plain.end("SIGTERM")).toBe(0);
  });

  test("refuses every request that names another host, such as that of a page whose name was made to lead here", async () => {
    const server = await serve(folder(), ["--dev"]);
    const { port } = new URL(server.url);
    const asked = (host: string, path = "/api/v1/dev_fetch_api_key?username=ines@example.com") =>
      requestAs(Number(port), { host, path });
    for (const host of [
      `rebind.example:${port}`,
      "rebind.example",
      "127.0.0.1.example",
      "localhost.example",
      "0.0.0.0",
    ]) {
      for (const path of [undefined, "/api/v1/server_settings", "/", "/nowhere"]) {
        const { status, body } = await asked(host, path);
        expect([host, path, status]).toEqual([host, path, 403]);
        expect(body).not.toContain("api_key");
      }
    }
    for (const host of [
      `127.0.0.1:${port}`,
      `localhost:${port}`,
      `LOCALHOST:${port}`,
      `[::1]:${port}`,
      "127.0.0.1",
    ])
      expect([host, (await asked(host)).status]).toEqual([host, 200]);
    expect(await server.end("SIGTERM")).toBe(0);
  });

  test("refuses a folder that holds an organization of one's own, and changes nothing there", async () => {
    const { data } = await newOrganization(folder());
    const before = new Bun.CryptoHasher("sha256").update(readFileSync(join(data, "confab.db"))).digest("hex");
    const { status, stderr } = await confab([
      "serve",
      "--dev",
      "--data",
      data,
      "--port",
      String(await freePort()),
    ]);
    expect([status, stderr]).toEqual([1, expect.stringContaining("Name an empty folder with --data.")]);
    const after = new Bun.CryptoHasher("sha256").update(readFileSync(join(data, "confab.db"))).digest("hex");
    expect(after).toBe(before);
    const { stdout } = await confab(["user", "list", "--data", data, "--json"]);
    expect(JSON.parse(stdout)).toMatchObject([{ email: "olive@example.com" }]);
  });

  test("says what a damaged database is, and that an organization is not marked as a sample", async () => {
    const start = async (data: string) =>
      confab(["serve", "--dev", "--data", data, "--port", String(await freePort())]);
    const damaged = folder();
    mkdirSync(damaged, { recursive: true });
    writeFileSync(join(damaged, "confab.db"), "This is no database. ".repeat(1000));
    const { status, stderr } = await start(damaged);
    expect([status, stderr]).toEqual([1, expect.stringMatching(/cannot be used|not a database/)]);
    expect(stderr).not.toContain("bug");

    const former = folder();
    await (await serve(former, ["--dev"])).end("SIGTERM");
    const database = openDatabaseOf(former);
    database.run("DELETE FROM settings WHERE scope = 'sample'");
    database.close();
    expect((await start(former)).stderr).toContain("earlier versions did not mark theirs");
  });

  test("has the same content whenever it is filled", async () => {
    const filled = async () => {
      const server = await serve(folder(), ["--dev"]);
      const found = await lookAround(server);
      await server.end("SIGTERM");
      return found;
    };
    expect(await filled()).toEqual(await filled());
  });

  test.each([
    ["on an address others reach", ["--host", "0.0.0.0"], "only listens on this machine"],
    ["under an address others reach", ["--site", "https://chat.example.com"], "only listens on this machine"],
    ["behind a proxy", ["--trusted-proxy", "10.0.0.1"], "only listens on this machine"],
    ["with an organization of one's own", ["--org", "Ours"], "--dev creates its own organization"],
    ["with an owner of the usual name", ["--owner-name", "Owner"], "--dev creates its own organization"],
  ])("is refused %s", async (_, args, sentence) => {
    const { status, stderr } = await confab(["serve", "--dev", "--data", folder(), ...args]);
    expect(status).toBe(1);
    expect(stderr).toContain(sentence);
  });
});

/** Sends a POST for a path of the API, otherwise a GET, with this Host. */
function requestAs(
  port: number,
  { host, path }: { host: string; path: string },
): Promise<{ status: number | undefined; body: string }> {
  const method = path.includes("dev_fetch") ? "POST" : "GET";
  return new Promise((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port, path, method, headers: { host } }, (response) => {
      let body = "";
      response.on("data", (chunk) => {
        body += chunk;
      });
      response.on("end", () => resolve({ status: response.statusCode, body }));
    });
    sent.on("error", reject);
    sent.end();
  });
}

/** What the owner of the sample organization sees, without what differs between two runs. */
async function lookAround(server: Server): Promise<Json> {
  const { url } = server;
  const answer = await fetch(`${url}/api/v1/dev_fetch_api_key?username=ines@example.com`, { method: "POST" });
  const { email, api_key } = (await answer.json()) as Json;
  const ask = async (method: string, path: string, params: Record<string, string> = {}): Promise<Json> =>
    (await call(server, { email, api_key }, [method, path], params)).body;
  const state = await ask("POST", "/register", {
    client_capabilities: JSON.stringify({ linkifier_url_template: true }),
  });
  const narrow = JSON.stringify([{ operator: "channels", operand: "public" }]);
  const { messages } = await ask("GET", "/messages", { anchor: "newest", num_before: "500", narrow });
  expect(state.development_environment).toBe(true);
  expect(state.realm_non_active_users).toHaveLength(1);
  for (const section of ["drafts", "saved_snippets", "scheduled_messages", "reminders", "alert_words"]) {
    expect(state[section].length).toBeGreaterThan(0);
  }
  for (const section of ["channel_folders", "navigation_views", "realm_linkifiers", "user_topics"]) {
    expect(state[section].length).toBeGreaterThan(0);
  }
  const { reports } = await ask("GET", "/reports");
  expect(reports.map((one: Json) => [one.report_type, one.handled_at === null, one.is_dismissed])).toEqual([
    ["spam", true, false],
    ["other", false, true],
  ]);
  const days = new Set(messages.map((one: Json) => Math.floor(one.timestamp / 86_400)));
  expect(days.size).toBeGreaterThan(2);
  expect(messages.some((one: Json) => one.submessages.length > 1)).toBe(true);
  expect(messages.some((one: Json) => one.subject.startsWith("✔ "))).toBe(true);
  const html = messages.map((one: Json) => one.content).join("\n");
  for (const sign of ["<table>", "codehilite", "katex", "user-mention", "spoiler-block", "<del>", "<time "]) {
    expect(html).toContain(sign);
  }
  return {
    people: state.realm_users.map((one: Json) => [one.full_name, one.role]),
    channels: state.streams.map((one: Json) => [one.name, one.invite_only, one.subscriber_count]),
    unread: state.unread_msgs.count,
    messages: messages.map((one: Json) => [
      one.sender_full_name,
      one.display_recipient,
      one.subject,
      one.content.replaceAll(/<time .*?<\/time>/g, "<time>"),
      one.reactions.length,
    ]),
  };
}
