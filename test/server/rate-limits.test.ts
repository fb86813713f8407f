import { afterEach, describe, expect, test } from "bun:test";
import { addressList } from "@cli/addresses.ts";
import { cleanUp, confab, newFolder, serve } from "../support/executable.ts";
import { world } from "../support/world.ts";

const rateLimits = { user: 3, address: 2 };

function ratesOf(headers: Headers) {
  const read = (name: string) => headers.get(`x-ratelimit-${name}`);
  return { limit: read("limit"), remaining: read("remaining"), reset: read("reset") };
}

describe("a user's requests", () => {
  test("are counted in headers, refused beyond the limit, and allowed again later", async () => {
    const { as, clock, user } = world({ rateLimits });
    const now = clock.now();
    const first = await as("mel").get("/users/me");
    expect(ratesOf(first.headers)).toEqual({ limit: "3", remaining: "2", reset: String(now + 20) });
    await as("mel").get("/users/me");
    expect(ratesOf((await as("mel").get("/users/me")).headers).remaining).toBe("0");

    const sent = { type: "direct", to: [user("max").id], content: "one too many" };
    const refused = await as("mel").post("/messages", sent);
    expect(refused.status).toBe(429);
    expect(refused.body).toEqual({
      result: "error",
      msg: "API usage exceeded rate limit. Try again in 20 seconds.",
      code: "RATE_LIMIT_HIT",
      "retry-after": 20,
    });
    expect(refused.headers.get("retry-after")).toBe("20");
    expect(ratesOf(refused.headers)).toEqual({ limit: "3", remaining: "0", reset: String(now + 60) });
    expect(refused.events).toEqual([]);

    expect((await as("max").get("/users/me")).status).toBe(200);
    clock.advance(20);
    expect((await as("mel").post("/messages", sent)).status).toBe(200);
    expect((await as("mel").get("/users/me")).status).toBe(429);
  });

  test("do not count event polls and pictures", async () => {
    const { as } = world({ rateLimits });
    const { body } = await as("mel").post("/register", { event_types: ["message"] });
    for (let poll = 0; poll < 5; poll++) {
      const asked = { queue_id: body.queue_id, last_event_id: body.last_event_id, dont_block: true };
      const { status, headers } = await as("mel").get("/events", asked);
      expect(status).toBe(200);
      expect(ratesOf(headers).remaining).toBe("2");
    }
    for (let look = 0; look < 5; look++) {
      const picture = await as("mel").request("/avatar/mel@example.com", { redirect: "manual" });
      expect(picture.status).toBe(302);
    }
  });

  test("are counted when they fail, too", async () => {
    const { as } = world({ rateLimits });
    const { headers } = await as("mel").get("/messages/999");
    expect(ratesOf(headers).remaining).toBe("2");
  });
});

describe("requests without credentials", () => {
  test("are counted by address, including those with wrong keys", async () => {
    const { anonymous, as, login } = world({ rateLimits });
    expect(ratesOf((await anonymous.get("/server_settings")).headers)).toMatchObject({
      limit: "2",
      remaining: "1",
    });
    expect((await login("mel@example.com", "wrong").get("/users/me")).status).toBe(401);
    const refused = await login("mel@example.com", "wrong").get("/users/me");
    expect([refused.status, refused.body.code]).toEqual([429, "RATE_LIMIT_HIT"]);
    expect((await anonymous.get("/server_settings")).status).toBe(429);
    expect((await as("mel").get("/users/me")).status).toBe(200);
  });

  test("through a trusted proxy are counted by client address", async () => {
    const { anonymous } = world({ rateLimits, isProxy: (address) => /^(local|10\.)/.test(address) });
    const ask = async (forwarded: string) => {
      const headers = { "x-forwarded-for": forwarded };
      const { headers: got } = await anonymous.request("/api/v1/server_settings", { headers });
      return ratesOf(got).remaining;
    };
    expect(await ask("203.0.113.7, 10.0.0.2")).toBe("1");
    expect(await ask("203.0.113.8")).toBe("1");
    // Addresses before the nearest untrusted one may be forged.
    expect(await ask("198.51.100.1, 203.0.113.7")).toBe("0");
    expect(await ask("")).toBe("1");
  });

  test("are counted by peer address without trusted proxies", async () => {
    const { anonymous } = world({ rateLimits });
    for (const [forwarded, left] of [
      ["203.0.113.7", "1"],
      ["203.0.113.8", "0"],
    ] as const) {
      const headers = { "x-forwarded-for": forwarded };
      const { headers: got } = await anonymous.request("/api/v1/server_settings", { headers });
      expect(ratesOf(got).remaining).toBe(left);
    }
  });
});

test("without limits nothing is counted", async () => {
  const { as } = world();
  const { headers } = await as("mel").get("/users/me");
  expect(ratesOf(headers)).toEqual({ limit: null, remaining: null, reset: null });
});

describe("a list of addresses", () => {
  test.each([
    ["127.0.0.1", "127.0.0.1", true],
    ["127.0.0.1", "::ffff:127.0.0.1", true],
    ["127.0.0.1", "127.0.0.2", false],
    ["10.0.0.0/8, ::1", "10.9.8.7", true],
    ["10.0.0.0/8, ::1", "::1", true],
    ["10.0.0.0/8, ::1", "11.0.0.1", false],
    ["fd00::/8", "fd12::1", true],
    ["fd00::/8", "local", false],
  ])("%p on %p: %p", (list, address, expected) => {
    expect(addressList(list)?.(address)).toBe(expected);
  });

  test.each(["", "localhost", "10.0.0.0/33", "10.0.0.0/x", "::1/129", "127.0.0.1,,"])(
    "refuses %p",
    (list) => {
      expect(addressList(list)).toBeNull();
    },
  );
});

describe("serve", () => {
  afterEach(() => cleanUp());

  test("limits requests by its options, or to 200 and 100 a minute without them", async () => {
    const ask = async (args: string[]) => {
      const server = await serve(newFolder(), args);
      const { headers } = await fetch(`${server.url}/api/v1/server_settings`);
      return ratesOf(headers);
    };
    expect(await ask(["--address-rate-limit", "7"])).toMatchObject({ limit: "7" });
    expect(await ask([])).toMatchObject({ limit: null });
    const { stdout } = await confab(["serve", "--help"]);
    expect(stdout).toMatch(/--rate-limit <?N[\s\S]*200/);
    expect(stdout).toMatch(/--address-rate-limit <?N[\s\S]*100/);
  });

  test.each([
    [["--rate-limit", "many"], "a number of requests, such as 200"],
    [
      ["--trusted-proxy", "proxy"],
      "addresses or networks, separated by commas, such as 127.0.0.1,10.0.0.0/8",
    ],
  ])("refuses %p", async (args, reason) => {
    const { status, stderr } = await confab(["serve", "--data", newFolder(), ...args]);
    expect([status, stderr]).toEqual([2, expect.stringContaining(reason)]);
  });
});
