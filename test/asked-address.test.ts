// A server that was not told its own address answers each client with the one that the client asked for.
import { describe, expect, test } from "bun:test";
import { basic } from "./support/requests.ts";
import { type CastName, type World, world } from "./support/world.ts";

const own = "http://127.0.0.1:9900";
const unnamed = () => world({ followsHost: true, site: own });

interface Asking {
  host?: string;
  path?: string;
  method?: string;
  who?: CastName;
  headers?: Record<string, string>;
  params?: Record<string, string>;
}

/** The JSON response for a `Host` header; the connection itself goes to `own`. */
async function asked(w: World, { host, path = "/server_settings", method, who, headers, params }: Asking) {
  const { email, key } = w.user(who ?? "mel");
  const answer = await w.app.fetch(
    new Request(`${own}/api/v1${path}`, {
      method: method ?? "GET",
      headers: {
        ...(host === undefined ? {} : { host }),
        ...(who ? { authorization: basic(email, key) } : {}),
        ...headers,
      },
      ...(params ? { body: new URLSearchParams(params) } : {}),
    }),
  );
  return JSON.parse(await answer.text());
}

describe("a server without an address of its own", () => {
  test.each([
    ["192.168.1.7:9900", "http://192.168.1.7:9900"],
    ["chat.lan", "http://chat.lan"],
    ["Chat.Example.COM:80", "http://chat.example.com"],
    ["[fd00::7]:9900", "http://[fd00::7]:9900"],
  ])("answers a request to %s with %s", async (host, site) => {
    const w = unnamed();
    expect(await asked(w, { host })).toMatchObject({ realm_url: site, realm_uri: site });
    const params = { fetch_event_types: '["realm"]' };
    const state = await asked(w, { host, path: "/register", method: "POST", who: "mel", params });
    expect(state).toMatchObject({ realm_url: site, realm_uri: site });
    expect(state.server_emoji_data_url).toStartWith(`${site}/`);
  });

  test("answers each client with the address it asked for", async () => {
    const w = unnamed();
    for (const host of ["a.lan", "b.lan", "a.lan"]) {
      const params = { fetch_event_types: '["realm"]' };
      const { realm_url } = await asked(w, { host, path: "/register", method: "POST", who: "mel", params });
      expect(realm_url).toBe(`http://${host}`);
    }
  });

  test.each([
    "evil.dev/path",
    "a@evil.dev",
    "a b",
    "evil.dev:99999",
    "evil.dev:x",
    "evil.dev?x",
    "evil.dev#x",
    "<script>",
    "-evil.dev",
    "evil..dev",
    "[::g]",
    `${"a.".repeat(200)}dev`,
  ])("ignores the host %j", async (host) => {
    expect(await asked(unnamed(), { host })).toMatchObject({ realm_url: own });
  });

  test("trusts only its own proxies about https", async () => {
    const headers = { "x-forwarded-proto": "https" };
    const trusting = world({ followsHost: true, site: own, isProxy: () => true });
    expect(await asked(trusting, { host: "chat.lan", headers })).toMatchObject({
      realm_url: "https://chat.lan",
    });
    expect(await asked(unnamed(), { host: "chat.lan", headers })).toMatchObject({
      realm_url: "http://chat.lan",
    });
    const odd = { "x-forwarded-proto": "javascript" };
    expect(await asked(trusting, { host: "chat.lan", headers: odd })).toMatchObject({
      realm_url: "http://chat.lan",
    });
  });

  test("shows invitation links with the asked address only to the asking client", async () => {
    const w = unnamed();
    const made = await asked(w, { host: "chat.lan", path: "/invites/multiuse", method: "POST", who: "ada" });
    expect(made.invite_link).toStartWith("http://chat.lan/");
    const links = async (host: string) => (await asked(w, { host, path: "/invites", who: "ada" })).invites;
    expect((await links("chat.lan"))[0].link_url).toBe(made.invite_link);
    expect((await links("other.lan"))[0].link_url).toStartWith("http://other.lan/");
    expect(JSON.stringify(w.events)).not.toContain("chat.lan");
  });

  test("stores and sends only links to its own address, and says that others cannot open them", async () => {
    const w = unnamed();
    const params = { invitee_emails: "new@example.com", stream_ids: "[]" };
    await asked(w, { host: "evil.dev", path: "/invites", method: "POST", who: "ada", params });
    const { content } = w.events.findLast(({ event }) => event.type === "message")?.event.message ?? {};
    expect(content).toContain(`${own}/`);
    expect(content).toContain("only works on the server's own machine");
    expect(JSON.stringify(w.events)).not.toContain("evil.dev");
  });
});

test("a server that knows its address returns it to everyone, without a remark", async () => {
  const w = world();
  expect(await asked(w, { host: "evil.dev" })).toMatchObject({ realm_url: w.app.env.site });
  const params = { invitee_emails: "new@example.com", stream_ids: "[]" };
  await asked(w, { host: "evil.dev", path: "/invites", method: "POST", who: "ada", params });
  const { content } = w.events.findLast(({ event }) => event.type === "message")?.event.message ?? {};
  expect(content).toContain(`${w.app.env.site}/`);
  expect(content).not.toContain("own machine");
});
