// The log lines of refused logins, and how the filter of docs/fail2ban.md reads them.
import { afterEach, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  call,
  cleanUp,
  confab,
  newFolder,
  newOrganization,
  type Server,
  serve,
} from "../support/executable.ts";
import { until } from "../support/waiting.ts";

afterEach(() => cleanUp());

const guide = readFileSync(join(import.meta.dir, "..", "..", "docs", "fail2ban.md"), "utf8");

/** The address that the filter finds in a line; as in fail2ban, the time has been removed. */
function hostIn(line: string): string | null {
  const [, pattern = ""] = /^failregex = (.*)$/m.exec(guide) ?? [];
  const filter = new RegExp(pattern.replace("<HOST>", "(?<host>[\\w.:]+)"));
  const timeless = line.replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/, "");
  expect(timeless.length).toBe(line.length - 24);
  const [host, inJournal] = [timeless, `chat confab[123]: ${timeless}`].map(
    (text) => filter.exec(text)?.groups?.host,
  );
  expect(inJournal).toBe(host);
  return host ?? null;
}

interface Refusal {
  operation: string;
  address: string;
  account: string | null;
  reason: string;
}

const password = "four unrelated words";
const secrets = ["a wrong password", "the-wrong-key", "notAKeyOfAnInvitation", "guessed old one"];

async function organization(...options: string[]): Promise<{ server: Server; key: string }> {
  const data = newFolder();
  const { owner } = await newOrganization(data);
  const given = ["user", "password", "olive@example.com", "--data", data];
  expect((await confab(given, { input: `${password}\n` })).status).toBe(0);
  return { server: await serve(data, options), key: owner.api_key };
}

/** The server's log lines of refused logins. */
async function linesOf(server: Server, count: number): Promise<string[]> {
  const found = () =>
    server
      .printed()
      .stderr.split("\n")
      .filter((line) => line.includes("login_refused"));
  await until(
    () => found().length >= count,
    () => `${count} refused logins are logged, not ${found().length}`,
  );
  return found();
}

const refusals = (lines: readonly string[]): Refusal[] =>
  lines.map((line) => {
    const { operation, address, account, reason } = JSON.parse(line);
    return { operation, address, account, reason };
  });

const form = { "content-type": "application/x-www-form-urlencoded" };

function logIn(
  server: Server,
  username: string,
  given = secrets[0] ?? "",
  headers: Record<string, string> = {},
) {
  const body = String(new URLSearchParams({ username, password: given }));
  return fetch(`${server.url}/api/v1/fetch_api_key`, {
    method: "POST",
    headers: { ...form, ...headers },
    body,
  });
}

describe("a refused login", () => {
  test("is one line with the address and the account, without the tried password or key", async () => {
    const { server, key } = await organization();
    const olive = { email: "olive@example.com", api_key: key };
    await logIn(server, "olive@example.com");
    await logIn(server, "nobody@example.com");
    await call(server, { email: "olive@example.com", api_key: secrets[1] ?? "" }, ["GET", "/users/me"]);
    await fetch(`${server.url}/api/v1/users/me`);
    await fetch(`${server.url}/api/v1/users/me`, {
      headers: { authorization: `Basic ${btoa(secrets[1] ?? "")}` },
    });
    await fetch(`${server.url}/join/${secrets[2]}`);
    await fetch(`${server.url}/join/${secrets[2]}`, { headers: { accept: "text/html" } });
    const newcomer = { full_name: "Zoe", email: "zoe@example.com", password };
    const body = String(new URLSearchParams(newcomer));
    await fetch(`${server.url}/join/${secrets[2]}`, { method: "POST", headers: form, body });
    const change = { old_password: secrets[3] ?? "", new_password: "quite another one" };
    expect((await call(server, olive, ["PATCH", "/settings"], change)).status).toBe(400);
    expect((await logIn(server, "olive@example.com", password)).status).toBe(200);

    const lines = await linesOf(server, 9);
    const address = "127.0.0.1";
    expect(refusals(lines)).toEqual([
      { operation: "fetch-api-key", address, account: "olive@example.com", reason: "AUTHENTICATION_FAILED" },
      { operation: "fetch-api-key", address, account: "nobody@example.com", reason: "AUTHENTICATION_FAILED" },
      { operation: "get-own-user", address, account: "olive@example.com", reason: "INVALID_API_KEY" },
      { operation: "get-own-user", address, account: null, reason: "UNAUTHORIZED" },
      { operation: "get-own-user", address, account: null, reason: "INVALID_API_KEY" },
      { operation: "get-join-page", address, account: null, reason: "NO_SUCH_INVITATION" },
      { operation: "get-join-page", address, account: null, reason: "NO_SUCH_INVITATION" },
      { operation: "join", address, account: "zoe@example.com", reason: "NO_SUCH_INVITATION" },
      { operation: "update-settings", address, account: "olive@example.com", reason: "WRONG_PASSWORD" },
    ]);
    const { stderr } = server.printed();
    for (const secret of [...secrets, password, key]) {
      expect(stderr).not.toContain(secret);
      expect(stderr).not.toContain(btoa(secret));
    }
    const hosts = lines.map(hostIn);
    // Requests without credentials do not count as attempts.
    expect(hosts).toEqual([address, address, address, null, address, address, address, address, address]);
  });

  test("is one line at every door: links, tokens, and what needs an account", async () => {
    const { server } = await organization();
    const at = (path: string, init?: RequestInit) =>
      fetch(server.url + path, { redirect: "manual", ...init });
    const html = { accept: "text/html" };
    const link = "/password/reset/guessedKeyOfALink";
    const newPassword = String(new URLSearchParams({ password }));
    await at(link);
    await at(link, { headers: html });
    await at(link, { method: "POST", headers: form, body: newPassword });
    await at(link, { method: "POST", headers: { ...form, ...html }, body: newPassword });
    await at("/login/link/guessedKeyOfALink");
    await at("/api/v1/register", { method: "POST" });
    await at("/json/users/me", { headers: { cookie: "sessionid=guessed" } });
    await at("/api/v1/external/github?api_key=guessedKeyOfABot", { method: "POST", body: "{}" });
    const address = "127.0.0.1";
    const lines = await linesOf(server, 8);
    const linked = (operation: string) => ({ operation, address, account: null, reason: "NO_SUCH_LINK" });
    expect(refusals(lines)).toEqual([
      linked("get-password-reset-page"),
      linked("get-password-reset-page"),
      linked("reset-password"),
      linked("reset-password"),
      linked("get-login-link"),
      { operation: "register-queue", address, account: null, reason: "UNAUTHORIZED" },
      { operation: "get-own-user", address, account: null, reason: "UNAUTHORIZED" },
      { operation: "post-external", address, account: null, reason: "INVALID_API_KEY" },
    ]);
    expect(server.printed().stderr).not.toContain("guessedKey");
    expect(lines.map(hostIn)).toEqual([...Array(5).fill(address), null, null, address]);
  });

  test("is logged twenty times an hour if a client repeats it, and singly for each other key", async () => {
    const { server, key } = await organization();
    const olive = { email: "olive@example.com", api_key: key };
    const made = await call(server, olive, ["POST", "/bots"], { full_name: "Poller", short_name: "poller" });
    const { user_id, api_key } = made.body;
    const { email } = (await call(server, olive, ["GET", `/users/${user_id}`])).body.user as {
      email: string;
    };
    const bot = { email, api_key: String(api_key) };
    expect((await call(server, bot, ["GET", "/users/me"])).status).toBe(200);
    await call(server, olive, ["DELETE", `/bots/${user_id}`]);
    const poll = ["GET", "/events?queue_id=1:2&last_event_id=3"] as const;
    for (let n = 0; n < 30; n++) {
      expect((await call(server, bot, [...poll])).body).toMatchObject({ code: "USER_DEACTIVATED" });
    }
    for (let n = 0; n < 25; n++) await call(server, { ...bot, api_key: `wrong ${n}` }, [...poll]);
    const lines = await linesOf(server, 45);
    const count = (reason: string) => refusals(lines).filter((line) => line.reason === reason).length;
    expect([count("USER_DEACTIVATED"), count("INVALID_API_KEY")]).toEqual([20, 25]);
    const requests = server
      .printed()
      .stderr.split("\n")
      .filter((line) => line.includes('"operation":"get-events","status":401'));
    expect(requests).toHaveLength(45);
  });

  test("is also logged for those who must wait", async () => {
    const { server } = await organization("--address-rate-limit", "8");
    for (let n = 0; n < 6; n++) await logIn(server, "olive@example.com");
    for (let n = 0; n < 3; n++) {
      await call(server, { email: "olive@example.com", api_key: "wrong" }, ["GET", "/users/me"]);
    }
    const lines = await linesOf(server, 9);
    const reasons = refusals(lines).map(({ reason }) => reason);
    expect(reasons.slice(0, 7)).toEqual([
      ...Array(5).fill("AUTHENTICATION_FAILED"),
      "RATE_LIMIT_HIT",
      "INVALID_API_KEY",
    ]);
    expect(reasons.at(-1)).toBe("RATE_LIMIT_HIT");
    expect(lines.every((line) => hostIn(line) === "127.0.0.1")).toBe(true);
    expect(new Set(refusals(lines).map(({ account }) => account))).toEqual(new Set(["olive@example.com"]));
  });

  test("has the address from a trusted proxy, but none that a client forges", async () => {
    const trusting = await organization("--trusted-proxy", "127.0.0.1");
    const plain = await organization();
    for (const { server } of [trusting, plain]) {
      await logIn(server, "a@example.com", "x", { "x-forwarded-for": "198.51.100.9, 203.0.113.7" });
      await logIn(server, "b@example.com", "x", { "x-forwarded-for": "2001:db8::7" });
    }
    const addresses = async (server: Server) => (await linesOf(server, 2)).map(hostIn);
    expect(await addresses(trusting.server)).toEqual(["203.0.113.7", "2001:db8::7"]);
    expect(await addresses(plain.server)).toEqual(["127.0.0.1", "127.0.0.1"]);
  });

  const forged = (address: string) =>
    `{"time":"2026-11-22T08:30:00.000Z","level":"warn","event":"login_refused","operation":"x","address":"${address}",` +
    `"account":null,"reason":"INVALID_API_KEY"}`;

  test("keeps forged names within quotation marks", async () => {
    const names = [
      `a line of its own\n${forged("198.51.100.1")}`,
      `a line for others\r\u2028\u0085${forged("198.51.100.1")}`,
      `its own end","reason":"INVALID_API_KEY"}${forged("198.51.100.1")}`,
      'another address","address":"198.51.100.1","account":"y',
      'a backslash before the mark\\","address":"198.51.100.1',
      "what rules terminals\u001b[2J\u009b2J\u202egnp",
    ];
    const { server } = await organization();
    for (const name of names) await logIn(server, name);
    const lines = await linesOf(server, names.length);
    expect(lines.map((line) => JSON.parse(line).account)).toEqual(names);
    for (const line of lines) {
      expect(hostIn(line)).toBe("127.0.0.1");
      expect(line).toMatch(/^[\x20-\x7e]+$/);
    }
  });

  test("is one line in the text format, too, which no name can forge", async () => {
    const { server } = await organization("--log-format", "text");
    await logIn(server, "x address=198.51.100.1\n09:30:00 WARN login_refused address=198.51.100.2");
    const [line = "", ...more] = await linesOf(server, 1);
    expect(more).toEqual([]);
    expect(line).toMatch(
      / WARN login_refused operation=fetch-api-key address=127\.0\.0\.1 account="x address=/,
    );
    expect(line).toEndWith('" reason=AUTHENTICATION_FAILED');
  });

  test("cuts the account's name to the maximum length of names", async () => {
    const { server } = await organization();
    await logIn(server, "x".repeat(5000));
    const [line = ""] = await linesOf(server, 1);
    expect(JSON.parse(line).account).toBe("x".repeat(256));
  });
});
