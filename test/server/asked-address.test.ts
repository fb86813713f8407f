// A server that was not told its own address answers each client with the one that the client asked for.
import { describe, expect, test } from "bun:test";
import { setServerOptions } from "@/foundation/realm-administration/actions.ts";
import { runJob } from "../support/jobs.ts";
import { file, png } from "../support/pictures.ts";
import { basic } from "../support/requests.ts";
import { givePassword, password, webClient } from "../support/web-session.ts";
import { type CastName, type World, world } from "../support/world.ts";

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

  test("says at the asked address where to sign in", async () => {
    const w = unnamed();
    await givePassword(w, "mel");
    await w.as("olive").patch("/realm/two_step", { required: true });
    const params = { username: "mel@example.com", password };
    const refused = await asked(w, { host: "chat.lan", path: "/fetch_api_key", method: "POST", params });
    expect(refused).toMatchObject({
      code: "TWO_STEP_SETUP_REQUIRED",
      msg: expect.stringContaining("at http://chat.lan,"),
    });
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

describe("a trusted proxy", () => {
  test.each([
    [{ "x-forwarded-host": "chat.example.com" }, "http://chat.example.com"],
    [
      { "x-forwarded-host": "chat.example.com, inner:80", "x-forwarded-proto": "https" },
      "https://chat.example.com",
    ],
    [{ "x-forwarded-host": "evil.dev/path" }, own],
    [{ "x-forwarded-host": "" }, own],
  ])("that says %j leads clients to %s", async (headers, site) => {
    const trusting = world({ followsHost: true, site: own, isProxy: () => true });
    expect(await asked(trusting, { host: "127.0.0.1:9900", headers })).toMatchObject({ realm_url: site });
    expect(await asked(unnamed(), { host: "127.0.0.1:9900", headers })).toMatchObject({ realm_url: own });
  });
});

describe("a message's links to the address that its sender uses", () => {
  const rendered = async (w: World, content: string) =>
    (
      await asked(w, {
        host: "chat.lan",
        path: "/messages/render",
        method: "POST",
        who: "mel",
        params: { content },
      })
    ).rendered;

  test("are links within the organization", async () => {
    const w = unnamed();
    const content = `[a](http://chat.lan/#narrow/dm/1) [b](${own}/#narrow/dm/2) [c](http://other.lan/#narrow/dm/3)`;
    expect(await rendered(w, content)).toBe(
      '<p><a href="#narrow/dm/1">a</a> <a href="#narrow/dm/2">b</a> <a href="http://other.lan/#narrow/dm/3">c</a></p>',
    );
    expect(await rendered(world({ site: own }), "[a](http://chat.lan/#narrow/dm/1)")).toContain(
      "http://chat.lan",
    );
  });

  test("show uploaded pictures", async () => {
    const w = unnamed();
    const { url } = (await w.as("mel").upload("/user_uploads", file(png(20, 20), "a.png"))).body;
    expect(await rendered(w, `[a](http://chat.lan${url})`)).toContain("<img");
    expect(await rendered(w, `[a](http://other.lan${url})`)).not.toContain("<img");
  });
});

test("events lead each client to the address that it asked for its queue", async () => {
  const w = unnamed();
  await w.as("ada").post("/export/realm", { export_type: 1 });
  const params = { event_types: '["realm_export"]' };
  const queueAt = (host: string) => asked(w, { host, path: "/register", method: "POST", who: "ada", params });
  const queues = new Map<string, string>();
  for (const host of ["a.lan", "b.lan"]) queues.set(host, (await queueAt(host)).queue_id);
  await runJob(w, "write-exports");
  for (const [host, id] of queues) {
    const path = `/events?queue_id=${id}&last_event_id=-1&dont_block=true`;
    const { events } = await asked(w, { host, path, who: "ada" });
    expect(events.at(-1).exports[0].export_url).toStartWith(`http://${host}/exports/`);
  }
});

describe("mails", () => {
  const remark = "This address only works on the server's own machine: ";

  /** The mails that people get for what they do and miss, as text and as HTML. */
  async function mailed(site: string): Promise<{ subject: string; body: string; html: string }[]> {
    const w = world({ site });
    await setServerOptions(w.app.system, { sends_mail: true });
    await givePassword(w, "mel");
    w.clock.advance(3600);
    await webClient(w.app).signIn("mel@example.com");
    await w.anonymous.request("/password/reset", {
      method: "POST",
      body: new URLSearchParams({ email: "mel@example.com" }),
    });
    await w.as("ada").post("/invites", { invitee_emails: "ann@example.org", stream_ids: [] });
    await w.as("max").patch("/settings", { email: "maxi@example.com" });
    await w.as("olive").patch(`/users/${w.user("dex").id}`, { new_email: "dexter@example.com" });
    const newcomer = { email: "eve@example.org", password: "correct horse battery", full_name: "Eve" };
    await w.as("olive").post("/users", newcomer);
    await runJob(w, "missed-messages");
    await w
      .as("ada")
      .post("/messages", { type: "direct", to: [w.user("moss").id], content: "Are you there?" });
    await runJob(w, "missed-messages");
    w.clock.advance(120);
    await runJob(w, "missed-messages");
    const farewell = { deactivation_notification_comment: "Thank you!" };
    await w.as("ada").delete(`/users/${w.user("gus").id}`, farewell);
    // The mail with the link is queued after its answer, in the next turns of the event loop.
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    return w.app.env.db.all("SELECT subject, body, html FROM mails");
  }

  const kinds = [
    "New login to",
    "A new password for",
    "Invitation to",
    "Confirm your new address at",
    "has changed",
    "Welcome to",
    "Direct messages with",
    "has been deactivated",
  ];

  test("say so if their links only work on the server's own machine, each once", async () => {
    const all = await mailed(own);
    const subjects = all.map(({ subject }) => subject).join("\n");
    for (const kind of kinds) expect(subjects).toContain(kind);
    for (const { subject, body, html } of all) {
      const found = [body, html.replaceAll("&#39;", "'")].map((text) => text.split(remark).length - 1);
      expect([subject, ...found]).toEqual([subject, 1, 1]);
    }
  });

  test("say nothing of it if others can open them", async () => {
    const all = await mailed("https://chat.example.com");
    expect(all.length).toBeGreaterThanOrEqual(kinds.length);
    for (const { body } of all) expect(body).not.toContain("own machine");
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
