// The join page for invited people, and the same for programs.
import { describe, expect, test } from "bun:test";
import { changeRole, deactivateUser } from "@/foundation/accounts/actions.ts";
import { listAudit } from "@/foundation/audit/queries.ts";
import { file, png } from "../support/pictures.ts";
import type { Json } from "../support/requests.ts";
import { webClient } from "../support/web-session.ts";
import { type CastName, type World, world } from "../support/world.ts";

const ann = { full_name: "Ann", email: "ann@example.org", password: "correct horse" };
const browser = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

async function link(w: World, who: CastName, params = {}): Promise<string> {
  const { body } = await w.as(who).post("/invites/multiuse", params);
  return new URL(body.invite_link).pathname;
}

async function mailed(w: World, who: CastName, email: string, params = {}): Promise<string> {
  await w.as(who).post("/invites", { invitee_emails: email, stream_ids: [], ...params });
  const [invite] = (await w.as(who).get("/invites")).body.invites;
  return new URL(invite.link_url).pathname;
}

interface Came {
  status: number;
  body: Json;
  events: World["events"];
}

/** Joins as a program does. */
async function join(w: World, path: string, person: Record<string, string> = ann): Promise<Came> {
  const from = w.events.length;
  const response = await post(w, path, person);
  return { status: response.status, body: await response.json(), events: w.events.slice(from) };
}

function post(w: World, path: string, person: Record<string, string>, headers = {}): Promise<Response> {
  return w.anonymous.request(path, { method: "POST", body: new URLSearchParams(person), headers });
}

const typesOf = (events: World["events"]) => events.map(({ event }) => event.type);
const people = async (w: World) => (await w.as("ada").get("/users")).body.members.length;

async function channel(w: World, name: string, more = {}): Promise<number> {
  const made = { name, subscribers: [w.user("ada").id], ...more };
  return (await w.as("ada").post("/channels/create", made)).body.id;
}

describe("get-join-page", () => {
  test("is one page without scripts, protected by a content security policy", async () => {
    const w = world();
    const response = await w.anonymous.request(await link(w, "ada"), { headers: browser });
    expect(response.status).toBe(200);
    const policy = response.headers.get("content-security-policy") ?? "";
    expect(policy).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/]+=*'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
    );
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
    });
    const text = await response.text();
    expect(text).toContain("<h1>Join Test Organization</h1>");
    expect(text).not.toMatch(/<script|javascript:|Ada|ada@/i);
    const [, sheet = ""] = /<style>([\s\S]*?)<\/style>/.exec(text) ?? [];
    const hash = new Bun.CryptoHasher("sha256").update(sheet).digest("base64");
    expect(policy).toContain(`'sha256-${hash}'`);
  });

  test("fixes the invited address, and shows the role", async () => {
    const w = world();
    const path = await mailed(w, "ada", "ann@example.org", { invite_as: 600 });
    const text = await (await w.anonymous.request(path, { headers: browser })).text();
    expect(text).toContain("invited as a guest");
    expect(text).toMatch(/<input id="email"[^>]* value="ann@example.org" readonly/);
    const described = await (await w.anonymous.request(path)).json();
    expect(described).toMatchObject({
      realm_name: "Test Organization",
      realm_url: "https://chat.example.com",
      invited_as: 600,
      email: "ann@example.org",
    });
  });

  test("shows the organization's icon, as the client and the page for a new password do", async () => {
    const w = world();
    const path = await link(w, "ada");
    const page = async () => await (await w.anonymous.request(path, { headers: browser })).text();
    const { body: before } = await w.anonymous.get("/server_settings");
    expect(await page()).toContain(`<img class="sign" src="${before.realm_icon}"`);
    const { body } = await w.as("ada").upload("/realm/icon", file(png(120, 120), "icon.png"));
    for (const shown of [
      await page(),
      await (await w.anonymous.request("/password/reset", { headers: browser })).text(),
    ])
      expect(shown).toContain(`<img class="sign" src="${body.icon_url}"`);
    expect((await w.anonymous.request(body.icon_url)).status).toBe(200);
  });

  test("escapes user content", async () => {
    const w = world();
    await w.as("ada").patch("/realm", { name: `<b>"R&D'</b>` });
    const text = await (await w.anonymous.request(await link(w, "ada"), { headers: browser })).text();
    expect(text).toContain("<h1>Join &lt;b&gt;&quot;R&amp;D&#39;&lt;/b&gt;</h1>");
    expect(text).not.toContain("<b>");
  });

  test("says only why a link has ended", async () => {
    const w = world();
    const seen = async (path: string) => {
      const page = await w.anonymous.request(path, { headers: browser });
      const text = await page.text();
      expect(text).not.toMatch(/Test Organization|example/);
      const json = await w.anonymous.request(path);
      expect(json.status).toBe(page.status);
      return [page.status, /<p class="lead">(.*?)<\/p>/.exec(text)?.[1], ((await json.json()) as Json).code];
    };
    const [expired, revoked, used] = [
      await link(w, "ada", { invite_expires_in_minutes: 1 }),
      await link(w, "ada"),
      await mailed(w, "ada", ann.email),
    ];
    await w.as("ada").delete("/invites/multiuse/2");
    await join(w, used);
    w.clock.advance(60);
    const unknown = "No such invitation. Please check that the link is complete.";
    expect(await seen(expired)).toEqual([410, "This invitation has expired.", "BAD_REQUEST"]);
    expect(await seen(revoked)).toEqual([410, "This invitation has been revoked.", "BAD_REQUEST"]);
    expect(await seen(used)).toEqual([410, "This invitation has already been used.", "BAD_REQUEST"]);
    expect(await seen(`/join/${"x".repeat(32)}`)).toEqual([404, unknown, "BAD_REQUEST"]);
  });

  test("is closed while the organization is deactivated", async () => {
    const w = world();
    const path = await link(w, "ada");
    await w.as("olive").post("/realm/deactivate");
    const page = await w.anonymous.request(path, { headers: browser });
    expect([page.status, await page.text()]).toEqual([403, expect.stringContaining("has been deactivated")]);
    expect((await join(w, path)).body.code).toBe("REALM_DEACTIVATED");
  });

  test("limits attempts to guess keys, and never the right one", async () => {
    const w = world();
    const path = await link(w, "ada");
    for (let i = 0; i < 40; i++) expect((await w.anonymous.request(path)).status).toBe(200);
    for (let i = 0; i < 30; i++) expect((await w.anonymous.request(`/join/${i}`)).status).toBe(404);
    const page = await w.anonymous.request("/join/30", { headers: browser });
    expect([page.status, page.headers.get("retry-after")]).toEqual([429, "1800"]);
    expect((await w.anonymous.post("/fetch_api_key", { username: "a", password: "guessed" })).status).toBe(
      401,
    );
    expect((await w.anonymous.request(path)).status).toBe(200);
    expect((await join(w, path)).status).toBe(200);
    w.clock.advance(1800);
    expect((await w.anonymous.request("/join/30")).status).toBe(404);
  });

  test("works where passwords were guessed", async () => {
    const w = world();
    const path = await link(w, "ada");
    const guess = (i: number) =>
      w.anonymous.post("/fetch_api_key", { username: `${i}@example.com`, password: "guessed" });
    for (let i = 0; i < 30; i++) expect((await guess(i)).status).toBe(401);
    expect((await guess(31)).status).toBe(429);
    expect((await w.anonymous.request(path)).status).toBe(200);
  });
});

describe("join", () => {
  test("creates an account that works at once, and emits it to everyone", async () => {
    const w = world();
    const path = await link(w, "ada");
    const { status, body, events } = await join(w, path);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      email: ann.email,
      full_name: "Ann",
      realm_url: "https://chat.example.com",
      realm_name: "Test Organization",
    });
    expect(events[0]).toMatchObject({
      audience: "everyone",
      event: { type: "realm_user", op: "add", person: { user_id: body.user_id, role: 400 } },
    });
    const own = (await w.login(body.email, body.api_key).get("/users/me")).body;
    expect(own).toMatchObject({ user_id: body.user_id, role: 400, is_admin: false });
    const login = { username: ann.email, password: ann.password };
    expect((await w.anonymous.post("/fetch_api_key", login)).status).toBe(200);
    const [accepted] = listAudit(w.ctx("olive"), { limit: 1, event: "invitation_accepted" });
    expect(accepted).toMatchObject({ actor_id: null, data: { kind: "link", user_id: body.user_id } });
    // A link works for many people.
    expect((await join(w, path, { ...ann, email: "bob@example.org" })).status).toBe(200);
  });

  test("gives the invitation's role, channels and groups, and default channels if requested", async () => {
    const w = world();
    const [common, own, secret, gone] = [
      await channel(w, "common"),
      await channel(w, "own"),
      await channel(w, "secret", { invite_only: true }),
      await channel(w, "gone"),
    ];
    await w.as("ada").post("/default_streams", { stream_id: common });
    const crew = { name: "crew", description: "", members: [w.user("max").id] };
    const group = (await w.as("ada").post("/user_groups/create", crew)).body.group_id;
    const terms = { invite_as: 300, stream_ids: [own, secret, gone], group_ids: [group] };
    const [plain, full] = [
      await link(w, "ada", terms),
      await link(w, "ada", { ...terms, include_realm_default_subscriptions: true }),
    ];
    await w.as("ada").delete(`/streams/${gone}`);
    const namesOf = async (path: string, email: string) => {
      const { body } = await join(w, path, { ...ann, email });
      const me = w.login(email, body.api_key);
      const { subscriptions } = (await me.get("/users/me/subscriptions")).body;
      const { members } = (await me.get(`/user_groups/${group}/members`)).body;
      expect(members).toContain(body.user_id);
      expect((await me.get("/users/me")).body.role).toBe(300);
      return subscriptions.map(({ name }: { name: string }) => name).sort();
    };
    expect(await namesOf(plain, "a@example.org")).toEqual(["own", "secret"]);
    expect(await namesOf(full, "b@example.org")).toEqual(["common", "own", "secret"]);
  });

  test("applies the organization's default settings, and only to the new user", async () => {
    const w = world();
    await w.as("ada").patch("/realm/user_settings_defaults", { twenty_four_hour_time: true });
    const { body } = await join(w, await link(w, "ada"));
    const settings = async (email: string, key: string) =>
      (await w.login(email, key).post("/register", { client_capabilities: { user_settings_object: true } }))
        .body.user_settings.twenty_four_hour_time;
    expect(await settings(body.email, body.api_key)).toBe(true);
    expect(await settings(w.user("mel").email, w.user("mel").key)).toBe(false);
  });

  test("sends the welcome text of the invitation, or else of the organization", async () => {
    const w = world();
    await w.as("ada").patch("/realm", { welcome_message_custom_text: "House *rules*" });
    const welcomed = async (params: Record<string, unknown>, email: string, who: CastName = "ada") => {
      const { body } = await join(w, await link(w, who, params), { ...ann, email });
      const asked = { anchor: "newest", num_before: 10, num_after: 0, narrow: [] };
      const { messages } = (await w.login(email, body.api_key).get("/messages", asked)).body;
      return messages.map((one: Json) => [one.sender_full_name, one.content]);
    };
    expect(await welcomed({ welcome_message_custom_text: "Hi **you**" }, "a@example.org")).toEqual([
      ["Welcome Bot", "<p>Hi <strong>you</strong></p>"],
    ]);
    const usual = [["Welcome Bot", "<p>House <em>rules</em></p>"]];
    expect(await welcomed({}, "b@example.org")).toEqual(usual);
    expect(await welcomed({ welcome_message_custom_text: null }, "c@example.org")).toEqual(usual);
    expect(await welcomed({ welcome_message_custom_text: "" }, "d@example.org")).toEqual([]);
    const everyMember = w.app.env.db.get<{ id: number }>(
      "SELECT id FROM user_groups WHERE name = 'role:members'",
    );
    await w.as("olive").patch("/realm", { create_multiuse_invite_group: { new: everyMember?.id } });
    expect(await welcomed({ welcome_message_custom_text: "mine" }, "e@example.org", "mel")).toEqual(usual);
  });

  test("announces the new user if the organization has a channel for that", async () => {
    const w = world();
    const hall = await channel(w, "hall");
    await w.as("ada").patch("/realm", { signup_announcements_stream_id: hall });
    const path = await link(w, "ada");
    const { body, events } = await join(w, path);
    expect(events.filter(({ event }) => event.type === "message")).toMatchObject([
      { audience: ["ada"], event: { message: { stream_id: hall, subject: "new people" } } },
    ]);
    const { message } = events.find(({ event }) => event.type === "message")!.event;
    expect(message.content).toContain(`data-user-id="${body.user_id}"`);
  });

  test("ends the invitation of an address, and notifies its inviter if requested", async () => {
    const w = world();
    const path = await mailed(w, "mel", ann.email);
    const { events, body } = await join(w, path, { full_name: "Ann", password: ann.password });
    expect(body.email).toBe(ann.email);
    expect(typesOf(events).slice(-2)).toEqual(["invites_changed", "message"]);
    expect(events.at(-2)?.audience).toEqual(["olive", "ada", "mel"]);
    expect(events.at(-1)?.audience).toEqual([expect.any(Number), "mel"]);
    expect(events.at(-1)?.event.message.content).toContain("accepted your invitation");
    expect((await w.as("mel").get("/invites")).body.invites).toEqual([]);
    expect(await join(w, path, { ...ann, email: "other@example.org" })).toMatchObject({
      status: 410,
      events: [],
    });
    const quiet = await mailed(w, "mel", "bob@example.org", { notify_referrer_on_join: false });
    expect(typesOf((await join(w, quiet, { ...ann, email: "BOB@example.org" })).events)).not.toContain(
      "message",
    );
  });

  test("creates one account for two concurrent requests with the same invitation", async () => {
    const w = world();
    const path = await mailed(w, "mel", ann.email);
    const before = await people(w);
    const both = await Promise.all([join(w, path), join(w, path, { ...ann, full_name: "Anna" })]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 410]);
    expect(await people(w)).toBe(before + 1);
  });

  test("ends all invitations of the address, however the user joined", async () => {
    const w = world();
    await mailed(w, "mel", ann.email);
    await mailed(w, "max", "ANN@example.org");
    const { events } = await join(w, await link(w, "ada"));
    const received = events.filter(({ event }) => event.type === "invites_changed");
    expect(received).toMatchObject([{ audience: ["olive", "ada", "mel", "max"] }]);
    expect((await w.as("ada").get("/invites")).body.invites).toMatchObject([{ is_multiuse: true }]);
  });

  test("ends when its inviter loses the right to give its role", async () => {
    const w = world();
    const [admin, member] = [await link(w, "ada", { invite_as: 200 }), await link(w, "ada")];
    await changeRole(w.ctx("olive"), { user_id: w.user("ada").id, role: 400 });
    expect(await join(w, admin)).toMatchObject({ status: 410, events: [] });
    expect((await join(w, member)).status).toBe(200);
    await deactivateUser(w.ctx("olive"), w.user("ada").id);
    expect(await join(w, member, { ...ann, email: "b@example.org" })).toMatchObject({
      status: 410,
      events: [],
    });
  });

  test.each([
    ["a taken address", { email: "MAX@example.com" }, "Email 'MAX@example.com' already in use"],
    ["that of a deactivated account", { email: "dex@example.com" }, /already in use/],
    ["a bad address", { email: "ann" }, "Enter a valid email address."],
    ["a disposable address", { email: "a@sub.mailinator.com" }, /is a disposable address and may not join/],
    ["a short name", { full_name: "A" }, "Name too short!"],
    ["a name that breaks mentions", { full_name: "A*n*n" }, "Invalid characters in name!"],
    ["a short password", { password: "12345" }, "A password has at least 6 characters."],
    ["a password without end", { password: "x".repeat(101) }, "A password has at most 100 characters."],
    ["a common password", { password: "qwertyuiop" }, /^This password is easy to guess/],
    ["a password from one's name", { full_name: "Annabeth Klein", password: "htebannA" }, /easy to guess/],
  ] as const)("refuses %s, and nothing happens", async (_, wrong, msg) => {
    const w = world();
    const path = await link(w, "ada");
    const before = await people(w);
    const answer = await join(w, path, { ...ann, ...wrong });
    expect(answer).toMatchObject({ status: 400, body: { msg: expect.stringMatching(msg) }, events: [] });
    expect(await people(w)).toBe(before);
  });

  test("applies the organization's rules", async () => {
    const w = world();
    const path = await link(w, "ada");
    await w.as("ada").patch("/realm", { require_unique_names: true });
    expect((await join(w, path, { ...ann, full_name: "mel" })).body.msg).toMatch(/name is already in use/);
    await w.as("olive").post("/realm/domains", { domain: "example.com", allow_subdomains: false });
    await w.as("olive").patch("/realm", { emails_restricted_to_domains: true });
    expect((await join(w, path)).body.msg).toMatch(/^Only addresses of this organization's domains/);
    expect((await join(w, path, { full_name: "Ann" })).body.code).toBe("REQUEST_VARIABLE_MISSING");
  });

  test("refuses an address other than the invited one", async () => {
    const w = world();
    const path = await mailed(w, "mel", "bob@example.org");
    expect(await join(w, path)).toMatchObject({
      status: 400,
      body: { msg: "This invitation is for the address bob@example.org." },
      events: [],
    });
  });

  test("keeps typed values on the page, except the password", async () => {
    const w = world();
    const person = { full_name: `Ann "O'Neil" <script>`, email: ann.email, password: "hunter2hunter2" };
    const response = await post(w, await link(w, "ada"), person, browser);
    const text = await response.text();
    expect(response.status).toBe(400);
    expect(text).toContain('role="alert" id="refusal">Invalid characters in name!</p>');
    expect(text).toContain('value="Ann &quot;O&#39;Neil&quot; &lt;script&gt;"');
    expect(text).toContain('value="ann@example.org"');
    expect(text).toMatch(/<input id="full_name"[^>]* aria-invalid="true"/);
    expect(text).not.toMatch(/hunter2|<script/);
  });

  test("says on the page that a password is easy to guess, next to its field", async () => {
    const w = world();
    const response = await post(w, await link(w, "ada"), { ...ann, password: "iloveyou" }, browser);
    const text = await response.text();
    expect(response.status).toBe(400);
    expect(text).toContain('role="alert" id="refusal">This password is easy to guess.');
    expect(text).toMatch(/<input id="password"[^>]* aria-invalid="true"/);
    expect(text).not.toContain("iloveyou");
  });

  test("ends in the client, signed in, in a browser", async () => {
    const w = world();
    const client = webClient(w.app);
    const person = { ...ann, email: "o'neil@example.org", full_name: "Ann & Co" };
    const { status, headers } = await client.ask("POST", await link(w, "ada"), person, { headers: browser });
    expect([status, headers.get("location"), headers.get("cache-control")]).toEqual([303, "/", "no-store"]);
    expect((await client.ask("GET", "/json/users/me")).body.full_name).toBe("Ann & Co");
  });

  describe("gives the language of the page, if it is not the organization's", () => {
    const languageOf = async (w: World, accepted: string, accept = "text/html") => {
      const client = webClient(w.app);
      const headers = { accept, "accept-language": accepted };
      const came = await client.ask("POST", await link(w, "ada"), ann, { headers });
      const own = { authorization: `Basic ${btoa(`${ann.email}:${came.body.api_key}`)}` };
      const { body } =
        accept === "text/html"
          ? await client.ask("POST", "/json/register", { fetch_event_types: ["user_settings"] })
          : await client.ask("POST", "/api/v1/register", {}, { headers: own });
      return body.user_settings.default_language;
    };

    test.each([
      ["ja", "ja"],
      ["de-AT, ja;q=0.5", "de"],
      ["pl", "en"],
      ["en-GB, ja;q=0.5", "en"],
    ])("to a browser that likes %s: %s", async (accepted, language) => {
      expect(await languageOf(world(), accepted)).toBe(language);
    });

    test.each([
      ["de", "de-at"],
      ["pl", "de-at"],
      ["en", "en"],
    ])("to a browser that likes %s, in an organization that speaks de-at: %s", async (accepted, language) => {
      const w = world();
      await w.as("olive").patch("/realm", { default_language: "de-at" });
      expect(await languageOf(w, accepted)).toBe(language);
    });

    test("to no program", async () => {
      expect(await languageOf(world(), "ja", "application/json")).toBe("en");
    });
  });

  test("signs nobody in if a browser's form is refused", async () => {
    const w = world();
    const client = webClient(w.app);
    const path = await link(w, "ada");
    expect((await client.ask("POST", path, { ...ann, password: "1" }, { headers: browser })).status).toBe(
      400,
    );
    expect(client.cookies.size).toBe(0);
  });

  test("says on the page that a link ended while the form was filled in", async () => {
    const w = world();
    const path = await link(w, "ada", { invite_expires_in_minutes: 1 });
    w.clock.advance(60);
    const response = await post(w, path, { ...ann, password: "1" }, browser);
    expect([response.status, await response.text()]).toEqual([410, expect.stringContaining("has expired")]);
  });

  test("counts only failures against the network address", async () => {
    const w = world();
    const path = await link(w, "ada");
    for (let i = 0; i < 29; i++) expect((await join(w, path, { ...ann, email: "no" })).status).toBe(400);
    expect((await join(w, path)).status).toBe(200);
    expect((await join(w, path)).status).toBe(400);
    const limited = await post(w, path, { ...ann, email: "b@example.org" }, browser);
    expect([limited.status, limited.headers.get("retry-after")]).toEqual([429, "1800"]);
  });
});
