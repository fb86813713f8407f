// Attacks by strangers, other sites and members of the organization.
import { describe, expect, test } from "bun:test";
import { chmodSync, existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { open } from "@/app.ts";
import { setPassword } from "@/foundation/accounts/actions.ts";
import { networkOf } from "@/foundation/secrets/networks.ts";
import { temporaryFolders } from "../support/folder.ts";
import { basic, encode, type Json } from "../support/requests.ts";
import { type World, world } from "../support/world.ts";

const folder = temporaryFolders();
const form = { "content-type": "application/x-www-form-urlencoded" };

describe("a page of another site", () => {
  const send = async (w: World, site: string | null, method = "POST") => {
    const headers = site === null ? form : { ...form, "sec-fetch-site": site };
    const body = encode({ name: "Forged", description: "" });
    return w.as("ada").request("/api/v1/channel_folders/create", { method, headers, body });
  };

  test.each(["cross-site", "same-site"])(
    "changes nothing in the name of who is logged in: %s",
    async (site) => {
      const w = world();
      const refused = await send(w, site);
      expect(refused.status).toBe(403);
      expect(await refused.json()).toEqual({
        result: "error",
        msg: "Pages of other sites may not act in your name.",
        code: "CSRF_FAILED",
      });
      expect(refused.headers.get("x-content-type-options")).toBe("nosniff");
      expect(w.events).toEqual([]);
      expect((await w.as("ada").get("/channel_folders")).body.channel_folders).toEqual([]);
    },
  );

  test.each([null, "same-origin", "none"])(
    "is told from a client and from a page of our own: %p",
    async (site) => {
      const w = world();
      expect((await send(w, site)).status).toBe(200);
      expect(w.events).toHaveLength(1);
    },
  );

  test.each([
    ["of a browser that says only where its page lies", "https://evil.example.com"],
    ["of another port", "https://chat.example.com:8443"],
    ["that is sealed off, or a file", "null"],
    ["of an extension", "chrome-extension://chat.example.com"],
  ])("changes nothing if it is one %s", async (_, origin) => {
    const w = world();
    const headers = { ...form, origin };
    const body = encode({ name: "Forged", description: "" });
    const init = { method: "POST", headers, body };
    const refused = await w.as("ada").request("/api/v1/channel_folders/create", init);
    expect([refused.status, ((await refused.json()) as Json).code]).toEqual([403, "CSRF_FAILED"]);
    expect(w.events).toEqual([]);
  });

  test.each([
    ["the site", "https://chat.example.com", "http://127.0.0.1:9900"],
    [
      "the host that was asked, by a proxy that ends TLS",
      "https://elsewhere.example.com",
      "http://elsewhere.example.com",
    ],
    ["the host and port that were asked", "http://10.0.0.7:9900", "http://10.0.0.7:9900"],
    [
      "the host, its usual port written out",
      "https://elsewhere.example.com:443",
      "http://elsewhere.example.com",
    ],
  ])("is distinguished from one of %s", async (_, origin, asked) => {
    const w = world();
    const headers = { ...form, origin, authorization: basic(w.user("ada").email, w.user("ada").key) };
    const body = encode({ name: "Ours", description: "" });
    const length = { "content-length": String(body.length) };
    const url = `${asked}/api/v1/channel_folders/create`;
    const request = new Request(url, { method: "POST", headers: { ...headers, ...length }, body });
    expect((await w.app.fetch(request)).status).toBe(200);
  });

  test("may link to this server", async () => {
    const headers = { "sec-fetch-site": "cross-site" };
    expect((await world().as("mel").request("/api/v1/users/me", { headers })).status).toBe(200);
  });

  test("creates no account", async () => {
    const w = world();
    const { invite_link } = (await w.as("ada").post("/invites/multiuse", {})).body;
    const { pathname } = new URL(invite_link);
    const body = encode({ full_name: "Zoe", email: "zoe@example.com", password: "four unrelated words" });
    const init = { method: "POST", headers: { ...form, "sec-fetch-site": "cross-site" }, body };
    expect((await w.anonymous.request(pathname, init)).status).toBe(403);
    expect((await w.anonymous.request(pathname, { ...init, headers: form })).status).toBe(200);
  });
});

describe("what was answered to one person", () => {
  test("is not cached for others", async () => {
    const w = world();
    for (const answer of [
      await w.as("mel").get("/users/me"),
      await w.as("mel").get("/users/999"),
      await w.anonymous.get("/users/me"),
      await w.as("mel").get("/nowhere"),
      await w.anonymous.post("/fetch_api_key", { username: "mel@example.com", password: "wrong" }),
    ]) {
      expect(answer.headers.get("cache-control")).toBe("private, no-cache");
    }
  });
});

describe("attempts to log in", () => {
  const attempt = async (w: World, from: string, username: string) => {
    const headers = { ...form, "x-forwarded-for": from };
    const body = encode({ username, password: "a wrong password" });
    const answer = await w.anonymous.request("/api/v1/fetch_api_key", { method: "POST", headers, body });
    return answer.status;
  };

  test.each([
    [
      "network of IPv6",
      (n: number) => `2001:db8:1:2::${n.toString(16)}`,
      "2001:0db8:1:2:ffff::1",
      "2001:db8:1:3::1",
    ],
    [
      "address, whatever its port",
      (n: number) => `203.0.113.7:${4000 + n}`,
      "203.0.113.7",
      "203.0.113.8:4001",
    ],
  ])("from one %s count together", async (_, nth, same, other) => {
    const w = world({ isProxy: (address) => address === "local" });
    // After five attempts at an account, further ones are refused without checking the password, but still count.
    for (let n = 1; n <= 30; n++) await attempt(w, nth(n), "nobody@example.com");
    expect(await attempt(w, same, "somebody@example.com")).toBe(429);
    expect(await attempt(w, other, "somebody@example.com")).toBe(401);
  });

  test("at both addresses of an account count together", async () => {
    const w = world();
    await setPassword(w.ctx("mel"), { user_id: w.user("mel").id, password: "four unrelated words" });
    await w.as("mel").patch("/settings", { email_address_visibility: 5 });
    const received = (await w.as("max").get(`/users/${w.user("mel").id}`)).body.user.email;
    expect(received).not.toBe("mel@example.com");
    for (const username of ["mel@example.com", received, "MEL@example.com", received, "mel@example.com"]) {
      expect((await w.anonymous.post("/fetch_api_key", { username, password: "wrong" })).status).toBe(401);
    }
    const right = { username: received, password: "four unrelated words" };
    expect((await w.anonymous.post("/fetch_api_key", right)).status).toBe(429);
  });
});

test.each([
  ["203.0.113.7", "203.0.113.7"],
  ["203.0.113.7:80", "203.0.113.7"],
  ["::ffff:203.0.113.7", "203.0.113.7"],
  ["::1", "0:0:0:0::/64"],
  ["2001:DB8::1", "2001:db8:0:0::/64"],
  ["2001:db8:a:b:c:d:e:f", "2001:db8:a:b::/64"],
  ["[2001:db8:a:b::1]:443", "2001:db8:a:b::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["local", "local"],
  ["", ""],
  ["unknown ".repeat(900), "unknown ".repeat(6).slice(0, 45)],
])("an address counts by its network: %s", (address, network) => {
  expect(networkOf(address)).toBe(network);
});

describe("an event queue", () => {
  test("does not store unknown values, however many are sent", async () => {
    const w = world();
    const junk = Array.from({ length: 10_000 }, (_, n) => `junk${n}`);
    const client_capabilities = Object.fromEntries(
      [...junk, "archived_channels"].map((name) => [name, true]),
    );
    const types = [...junk, "channel_folder"];
    const queue = await w.queue("mel", { event_types: types, fetch_event_types: types, client_capabilities });
    const { traits } = w.app.env.queues.find(queue.id, w.user("mel").id);
    expect([...traits.capabilities]).toEqual(["archived_channels"]);
    expect([...new Set(traits.types)]).toEqual(["channel_folder"]);
    await w.as("ada").post("/channel_folders/create", { name: "Kept", description: "" });
    expect(await queue.poll()).toMatchObject([{ type: "channel_folder", op: "add" }]);
  });

  test("refuses texts in a narrow that are longer than any value", async () => {
    const { status, body, events } = await world()
      .as("mel")
      .post("/register", { narrow: [["topic", "x".repeat(501)]] });
    expect([status, body.msg]).toEqual([
      400,
      "An operand of a queue's narrow can have at most 500 characters.",
    ]);
    expect(events).toEqual([]);
  });
});

describe("parameters larger than anybody needs", () => {
  test("long lists and objects are refused before their values are checked", async () => {
    const w = world();
    const list = { messages: Array(50_001).fill("x"), op: "add", flag: "read" };
    const refused = await w.as("mel").post("/messages/flags", list);
    expect(refused).toMatchObject({
      status: 400,
      body: { msg: "messages has more than 50000 values.", code: "REQUEST_VARIABLE_INVALID" },
      events: [],
    });
    const object = Object.fromEntries(Array.from({ length: 20_001 }, (_, n) => [n, 1]));
    const { body } = await w.as("mel").post("/register", { client_capabilities: object });
    expect(body.msg).toBe("client_capabilities has more than 20000 named values.");
  });

  test("a narrow names at most a thousand people", async () => {
    const w = world();
    const narrowed = (count: number) =>
      w.as("mel").get("/messages", {
        narrow: [{ operator: "dm", operand: Array(count).fill(w.user("max").id) }],
        anchor: "newest",
        num_before: 1,
        num_after: 0,
      });
    expect((await narrowed(1_000)).status).toBe(200);
    expect((await narrowed(1_001)).status).toBe(400);
  });
});

test.each(["\u202eevil", "a\u2066b", "two\u2028lines", "two\u2029lines"])(
  "a name does not disturb the text around it: %j",
  async (full_name) => {
    const { status, body, events } = await world().as("mel").patch("/settings", { full_name });
    expect([status, body.msg, events]).toEqual([400, "Invalid characters in name!", []]);
  },
);

test("a name may contain combined characters, as in some scripts and emoji", async () => {
  const full_name = "می\u200cخواهم 👩\u200d💻";
  expect((await world().as("mel").patch("/settings", { full_name })).status).toBe(200);
});

test("a bot's defaults name no private channel that its owner has left", async () => {
  const w = world();
  const { max, mel, bolt } = { max: w.user("max").id, mel: w.user("mel").id, bolt: w.user("bolt").id };
  const hush = { name: "hush", subscribers: [max, mel], invite_only: true };
  const { id } = (await w.as("max").post("/channels/create", hush)).body;
  const chosen = { default_sending_stream: "hush", default_events_register_stream: "hush" };
  expect((await w.as("mel").patch(`/bots/${bolt}`, chosen)).body).toMatchObject(chosen);
  expect((await w.as("mel").get("/bots")).body.bots).toMatchObject([chosen]);

  await w.as("mel").delete("/users/me/subscriptions", { subscriptions: ["hush"] });
  await w.as("max").patch(`/streams/${id}`, { new_name: "merger" });
  const nothing = { default_sending_stream: null, default_events_register_stream: null };
  expect((await w.as("mel").get("/bots")).body.bots).toMatchObject([nothing]);
  const { body } = await w.as("mel").post("/register", { fetch_event_types: ["realm_bot"] });
  expect(body.realm_bots).toMatchObject([nothing]);
  expect((await w.as("mel").patch(`/bots/${bolt}`, { full_name: "Nut" })).body).toMatchObject(nothing);
});

test.skipIf(process.platform === "win32")("nobody else reads the database, wherever it lies", async () => {
  const dataDir = folder();
  chmodSync(dataDir, 0o755);
  const app = open(dataDir);
  const files = readdirSync(dataDir).filter((name) => name.startsWith("confab.db"));
  expect(files).toContain("confab.db-wal");
  for (const name of files) expect([name, statSync(join(dataDir, name)).mode & 0o077]).toEqual([name, 0]);
  await app.close();
  expect(existsSync(join(dataDir, "confab.db"))).toBe(true);
});
