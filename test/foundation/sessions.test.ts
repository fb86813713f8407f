// Sessions of browsers: signing in and out, what ends a session, and what a session may not do.
import { describe, expect, test } from "bun:test";
import { deactivateUser, reactivateUser, setPassword } from "@/foundation/accounts/actions.ts";
import { makeLoginLink } from "@/foundation/sessions/actions-links.ts";
import { saveSeen } from "@/foundation/sessions/seen.ts";
import type { Json } from "../support/requests.ts";
import { givePassword, password, signedIn, webClient } from "../support/web-session.ts";
import { type CastName, type World, world } from "../support/world.ts";

const day = 86_400;
const mel = "mel@example.com";
const page = { accept: "text/html" };

async function withMel(options: Parameters<typeof world>[0] = {}): Promise<World> {
  const made = world(options);
  await givePassword(made, "mel");
  return made;
}

const unauthorized = { status: 401, body: { code: "UNAUTHORIZED" } };
const forged = { status: 403, body: { code: "CSRF_FAILED" } };

describe("sign-in", () => {
  test("opens a session that works under /json as a key does under /api/v1", async () => {
    const w = await withMel();
    const browser = webClient(w.app);
    expect(await browser.signIn(mel)).toMatchObject({
      status: 200,
      body: { result: "success", user_id: w.user("mel").id, email: mel },
    });
    expect((await browser.ask("GET", "/json/users/me")).body.full_name).toBe("Mel");
    const sent = { type: "direct", to: [w.user("max").id], content: "hello" };
    const { status, body } = await browser.ask("POST", "/json/messages", sent);
    expect(status).toBe(200);
    expect((await w.as("max").get(`/messages/${body.id}`)).body.message.content).toBe("<p>hello</p>");
  });

  test("sets cookies that neither scripts nor other sites nor plain HTTP can use", async () => {
    const { headers } = await webClient((await withMel()).app).signIn(mel);
    const [session = "", csrf = ""] = headers.getSetCookie();
    expect(session).toMatch(/^__Host-sessionid=[A-Za-z0-9]{32};/);
    expect(session.toLowerCase().split("; ")).toEqual(
      expect.arrayContaining(["path=/", "secure", "httponly", "samesite=lax", `max-age=${90 * day}`]),
    );
    expect(csrf).toMatch(/^__Host-csrftoken=[\w-]{43};/);
    expect(csrf.toLowerCase()).not.toContain("httponly");
    expect(headers.getSetCookie().join().toLowerCase()).not.toContain("domain");
  });

  test("sets cookies that browsers take where there is no TLS", async () => {
    const w = await withMel({ site: "http://chat.local:9900" });
    const browser = webClient(w.app);
    const { headers } = await browser.signIn(mel);
    expect([...browser.cookies.keys()]).toEqual(["sessionid", "csrftoken", "knownbrowser"]);
    expect(headers.getSetCookie().join().toLowerCase()).not.toContain("secure");
    expect((await browser.ask("GET", "/json/users/me")).status).toBe(200);
  });

  test("stores only the token's hash", async () => {
    const w = await withMel();
    const browser = await signedIn(w, "mel");
    const rows = JSON.stringify(w.app.env.db.all("SELECT hex(hash) AS hash, device FROM sessions"));
    for (const value of browser.cookies.values()) expect(rows).not.toContain(value);
    expect(rows).toContain("Firefox on Linux");
  });

  test("refuses a wrong password and an unknown address in the same words, and limits attempts", async () => {
    const w = await withMel();
    const browser = webClient(w.app);
    const wrong = await browser.signIn(mel, "wrong");
    const unknown = await browser.signIn("nobody@example.com", "wrong");
    expect([wrong.status, wrong.body]).toEqual([unknown.status, unknown.body]);
    expect(wrong).toMatchObject({ status: 401, body: { code: "AUTHENTICATION_FAILED" } });
    expect(browser.cookies.size).toBe(0);
    for (let n = 0; n < 4; n++) await browser.signIn(mel, "wrong");
    expect(await browser.signIn(mel)).toMatchObject({ status: 429, body: { code: "RATE_LIMIT_HIT" } });
    // Keys and sessions share the limit, so using both gives no additional guesses.
    const key = await w.anonymous.post("/fetch_api_key", { username: mel, password });
    expect(key.status).toBe(429);
  });

  test("never reuses a token that the browser sent", async () => {
    const w = await withMel();
    const browser = webClient(w.app);
    const planted = "A".repeat(32);
    browser.cookies.set("__Host-sessionid", planted);
    await browser.signIn(mel);
    expect(browser.cookies.get("__Host-sessionid")).not.toBe(planted);
    const attacker = webClient(w.app);
    attacker.cookies.set("__Host-sessionid", planted);
    expect(await attacker.ask("GET", "/json/users/me")).toMatchObject(unauthorized);
  });

  test("ends the session that the browser had", async () => {
    const w = await withMel();
    const browser = await signedIn(w, "mel");
    const old = new Map(browser.cookies);
    await browser.signIn(mel);
    const other = webClient(w.app);
    for (const [name, value] of old) other.cookies.set(name, value);
    expect(await other.ask("GET", "/json/users/me")).toMatchObject(unauthorized);
  });

  test("is refused to a form of another site", async () => {
    const w = await withMel();
    const senders: Record<string, string>[] = [
      { "sec-fetch-site": "cross-site" },
      { origin: "https://evil.example" },
    ];
    for (const headers of senders) {
      const params = { username: mel, password };
      expect(await webClient(w.app).ask("POST", "/login", params, { headers })).toMatchObject(forged);
    }
  });

  test("keeps a person's fifty most recently used sessions", async () => {
    const w = await withMel();
    const first = await signedIn(w, "mel");
    w.clock.advance(1);
    const last = await signedIn(w, "mel");
    const insert =
      "INSERT INTO sessions (user_id, hash, device, address, created_at, last_seen_at) VALUES (?, randomblob(32), '', '', ?, ?)";
    for (let n = 0; n < 48; n++)
      w.app.env.db.sqlite.run(insert, [w.user("mel").id, w.clock.now(), w.clock.now()]);
    const another = await signedIn(w, "mel");
    expect(await first.ask("GET", "/json/users/me")).toMatchObject(unauthorized);
    for (const one of [last, another]) expect((await one.ask("GET", "/json/users/me")).status).toBe(200);
  });
});

describe("sign-out", () => {
  test("ends the session, so that a stolen cookie is worth nothing", async () => {
    const w = await withMel();
    const browser = await signedIn(w, "mel");
    const thief = webClient(w.app);
    for (const [name, value] of browser.cookies) thief.cookies.set(name, value);
    expect((await thief.ask("GET", "/json/users/me")).status).toBe(200);

    expect((await browser.ask("POST", "/logout")).status).toBe(200);
    expect([...browser.cookies.keys()]).toEqual(["__Host-knownbrowser"]);
    const { headers, ...refused } = await thief.ask("GET", "/json/users/me");
    expect(refused).toMatchObject(unauthorized);
    expect(headers.get("www-authenticate")).toStartWith("Session ");
    // The browser drops cookies that are of no use.
    expect([...thief.cookies.keys()]).toEqual(["__Host-knownbrowser"]);
  });

  test("needs the token against forgery, as every write does", async () => {
    const w = await withMel();
    const browser = await signedIn(w, "mel");
    expect(await browser.ask("POST", "/logout", {}, { headers: { "x-csrftoken": "" } })).toMatchObject(
      forged,
    );
    expect((await browser.ask("GET", "/json/users/me")).status).toBe(200);
  });
});

describe("a write under /json", () => {
  const write = ["PATCH", "/json/settings", { full_name: "Forged" }] as const;

  test.each([
    ["no token", ""],
    ["a wrong one", "x".repeat(43)],
    ["one of another length", "x"],
  ])("is refused with %s", async (_, given) => {
    const w = await withMel();
    const browser = await signedIn(w, "mel");
    expect(await browser.ask(...write, { headers: { "x-csrftoken": given } })).toMatchObject(forged);
    expect((await w.as("mel").get("/users/me")).body.full_name).toBe("Mel");
  });

  test("is refused with the token of another session, even where its cookie was planted", async () => {
    const w = await withMel();
    const browser = await signedIn(w, "mel");
    const attacker = await signedIn(w, "mel");
    browser.cookies.set("__Host-csrftoken", attacker.cookies.get("__Host-csrftoken") ?? "");
    expect(await browser.ask(...write)).toMatchObject(forged);
  });

  test("is refused when it comes from another site, token or not", async () => {
    const browser = await signedIn(await withMel(), "mel");
    expect(await browser.ask(...write, { headers: { origin: "https://evil.example" } })).toMatchObject(
      forged,
    );
  });
});

describe("a session", () => {
  test("does not open /api/v1, and a key does not open /json", async () => {
    const w = await withMel();
    const browser = await signedIn(w, "mel");
    expect(await browser.ask("GET", "/api/v1/users/me")).toMatchObject(unauthorized);
    expect((await w.as("mel").request("/json/users/me")).status).toBe(401);
  });

  test("opens uploaded files, as pictures in messages need", async () => {
    const w = await withMel();
    const { url } = (await w.as("mel").upload("/user_uploads", new File(["a feather"], "feather.txt"))).body;
    const browser = await signedIn(w, "mel");
    expect((await browser.ask("GET", url)).body).toBe("a feather");
    expect((await webClient(w.app).ask("GET", url)).status).not.toBe(200);
  });

  test("lives for two weeks after its last use, and for ninety days at most", async () => {
    const w = await withMel();
    const browser = await signedIn(w, "mel");
    const use = async () => (await browser.ask("GET", "/json/users/me")).status;
    for (let n = 0; n < 6; n++) {
      w.clock.advance(13 * day);
      expect(await use()).toBe(200);
      await saveSeen(w.ctx("system"));
    }
    w.clock.advance(12 * day);
    expect(await use()).toBe(401);
    const idle = await signedIn(w, "mel");
    w.clock.advance(14 * day);
    expect((await idle.ask("GET", "/json/users/me")).status).toBe(401);
  });

  test("writes nothing to the database when it is used", async () => {
    const batches: unknown[] = [];
    const w = await withMel({ onBatch: (written) => batches.push(...written) });
    const browser = await signedIn(w, "mel");
    w.clock.advance(3600);
    batches.length = 0;
    for (let n = 0; n < 5; n++) await browser.ask("GET", "/json/users/me");
    expect(batches).toEqual([]);
    await saveSeen(w.ctx("system"));
    expect(batches.length).toBeGreaterThan(0);
  });

  test("ends when its user is deactivated, and stays ended when they come back", async () => {
    const w = await withMel();
    const browser = await signedIn(w, "mel");
    await deactivateUser(w.ctx("ada"), w.user("mel").id);
    expect(await browser.ask("GET", "/json/users/me")).toMatchObject(unauthorized);
    await reactivateUser(w.ctx("ada"), w.user("mel").id);
    expect(await browser.ask("GET", "/json/users/me")).toMatchObject(unauthorized);
  });

  test("ends when an administrator sets the person's password", async () => {
    const w = await withMel();
    const browser = await signedIn(w, "mel");
    await setPassword(w.ctx("olive"), { user_id: w.user("mel").id, password: "another long horse" });
    expect(await browser.ask("GET", "/json/users/me")).toMatchObject(unauthorized);
  });

  test("is replaced when its own user changes the password, and all others end", async () => {
    const w = await withMel();
    const [browser, other] = [await signedIn(w, "mel"), await signedIn(w, "mel")];
    const before = new Map(browser.cookies);
    const change = { old_password: password, new_password: "another long horse" };
    expect((await browser.ask("PATCH", "/json/settings", change)).status).toBe(200);
    expect((await browser.ask("GET", "/json/users/me")).status).toBe(200);
    expect(await other.ask("GET", "/json/users/me")).toMatchObject(unauthorized);
    const thief = webClient(w.app);
    for (const [name, value] of before) thief.cookies.set(name, value);
    expect(await thief.ask("GET", "/json/users/me")).toMatchObject(unauthorized);
  });

  test("is refused while the organization is deactivated", async () => {
    const w = await withMel();
    const browser = await signedIn(w, "mel");
    await w.as("olive").post("/realm/deactivate");
    expect((await browser.ask("GET", "/json/users/me")).status).toBe(401);
  });
});

describe("a wait for events", () => {
  /** A browser with a waiting request; `waited` is the answer. */
  async function waiting(w: World) {
    const browser = await signedIn(w, "mel");
    const { body } = await browser.ask("POST", "/json/register", { event_types: ["message"] });
    const { queue_id, last_event_id } = body;
    const poll = () => browser.ask("GET", "/json/events", { queue_id, last_event_id });
    const waited = poll();
    // Until it waits.
    while (!w.app.env.queues.all.get(queue_id)?.waiter) await Bun.sleep(1);
    return { browser, poll, waited };
  }

  const write = (w: World) =>
    w.as("max").post("/messages", { type: "direct", to: [w.user("mel").id], content: "for Mel alone" });

  const ends: [string, (w: World, browser: Awaited<ReturnType<typeof signedIn>>) => Promise<unknown>][] = [
    ["at sign-out", (_, browser) => browser.ask("POST", "/logout")],
    ["when it is revoked", (w) => w.as("mel").delete("/users/me/sessions")],
    ["when the person is deactivated", (w) => deactivateUser(w.ctx("ada"), w.user("mel").id)],
    [
      "when the password is set",
      (w) => setPassword(w.ctx("olive"), { user_id: w.user("mel").id, password: "another long horse" }),
    ],
  ];
  test.each(ends)("ends at once %s, and hears nothing of what is sent after", async (_, end) => {
    const w = await withMel();
    const { browser, poll, waited } = await waiting(w);
    const stolen = new Map(browser.cookies);
    await end(w, browser);
    await write(w);
    expect(await waited).toMatchObject({ status: 200, body: { events: [] } });
    for (const [name, value] of stolen) browser.cookies.set(name, value);
    expect(await poll()).toMatchObject(unauthorized);
  });

  test("continues for the browser that changed the password, without missing events", async () => {
    const w = await withMel();
    const { browser, poll, waited } = await waiting(w);
    const change = { old_password: password, new_password: "another long horse" };
    await Promise.all([browser.ask("PATCH", "/json/settings", change), write(w)]);
    expect((await waited).status).toBe(200);
    expect((await poll()).body.events.map(({ message }: Json) => message.content)).toEqual(["for Mel alone"]);
  });

  test("by a key ends when the key does", async () => {
    const w = await withMel();
    const { queue_id, last_event_id } = (await w.as("mel").post("/register", {})).body;
    const waited = w.as("mel").get("/events", { queue_id, last_event_id });
    while (!w.app.env.queues.all.get(queue_id)?.waiter) await Bun.sleep(1);
    await w.as("mel").post("/users/me/api_key/regenerate");
    expect((await waited).body.events).toEqual([]);
  });
});

describe("get-sessions", () => {
  test("lists devices with when and where they were last seen, and which one asks", async () => {
    const w = await withMel();
    const chrome = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36";
    await signedIn(w, "mel", { userAgent: chrome });
    w.clock.advance(60);
    const browser = await signedIn(w, "mel");
    const { sessions } = (await browser.ask("GET", "/json/users/me/sessions")).body;
    const now = w.clock.now();
    expect(sessions).toMatchObject([
      { device: "Firefox on Linux", is_current: true, last_seen_at: now, created_at: now, address: "local" },
      { device: "Chrome on Windows", is_current: false, expires_at: now - 60 + 14 * day },
    ]);
    expect((await w.as("max").get("/users/me/sessions")).body.sessions).toEqual([]);
    const byKey = (await w.as("mel").get("/users/me/sessions")).body.sessions;
    expect(byKey.map((one: { is_current: boolean }) => one.is_current)).toEqual([false, false]);
  });
});

describe("end-session", () => {
  test("ends one and leaves the others", async () => {
    const w = await withMel();
    const [browser, lost] = [await signedIn(w, "mel"), await signedIn(w, "mel")];
    const { sessions } = (await browser.ask("GET", "/json/users/me/sessions")).body;
    const { id } = sessions.find((one: { is_current: boolean }) => !one.is_current);
    expect((await browser.ask("DELETE", `/json/users/me/sessions/${id}`)).status).toBe(200);
    expect(await lost.ask("GET", "/json/users/me")).toMatchObject(unauthorized);
    expect((await browser.ask("GET", "/json/users/me")).status).toBe(200);
  });

  test("answers for another user's session as if it did not exist", async () => {
    const w = await withMel();
    const browser = await signedIn(w, "mel");
    const [{ id }] = (await browser.ask("GET", "/json/users/me/sessions")).body.sessions;
    const others = await w.as("max").delete(`/users/me/sessions/${id}`);
    const none = await w.as("max").delete("/users/me/sessions/999");
    expect([others.status, others.body]).toEqual([none.status, none.body]);
    expect(others).toMatchObject({ status: 400, body: { msg: "No such session" } });
  });
});

describe("end-other-sessions", () => {
  test("ends all except that of the requesting browser", async () => {
    const w = await withMel();
    const [browser, other] = [await signedIn(w, "mel"), await signedIn(w, "mel")];
    expect((await browser.ask("DELETE", "/json/users/me/sessions")).body.ended).toBe(1);
    expect((await browser.ask("GET", "/json/users/me")).status).toBe(200);
    expect(await other.ask("GET", "/json/users/me")).toMatchObject(unauthorized);
  });

  test("ends all if the request has a key", async () => {
    const w = await withMel();
    const browser = await signedIn(w, "mel");
    expect((await w.as("mel").delete("/users/me/sessions")).body.ended).toBe(1);
    expect(await browser.ask("GET", "/json/users/me")).toMatchObject(unauthorized);
  });
});

describe("get-login-link", () => {
  test("shows who is signed in, without using the link", async () => {
    const w = world();
    const { path } = await makeLoginLink(w.ctx("olive"), w.user("mel").id);
    for (let n = 0; n < 2; n++) {
      const { status, body, headers } = await webClient(w.app).ask("GET", path, {}, { headers: page });
      expect([status, headers.get("cache-control")]).toEqual([200, "no-store"]);
      expect(body).toContain("<h1>Sign in as Mel</h1>");
    }
    expect((await webClient(w.app).ask("POST", path)).status).toBe(200);
  });

  test("limits wrong ones, and never the right one", async () => {
    const w = world();
    const { path } = await makeLoginLink(w.ctx("olive"), w.user("mel").id);
    for (let n = 0; n < 30; n++) {
      expect((await webClient(w.app).ask("GET", `/login/link/${n}`)).status).toBe(410);
    }
    expect((await webClient(w.app).ask("GET", "/login/link/30")).status).toBe(429);
    expect((await webClient(w.app).ask("POST", path)).status).toBe(200);
  });
});

describe("follow-login-link", () => {
  test("signs in once, in the client", async () => {
    const w = world();
    const { path } = await makeLoginLink(w.ctx("olive"), w.user("mel").id);
    const browser = webClient(w.app);
    const { status, headers } = await browser.ask("POST", path, {}, { headers: page });
    expect([status, headers.get("location")]).toEqual([303, "/"]);
    expect((await browser.ask("GET", "/json/users/me")).body.full_name).toBe("Mel");

    const late = webClient(w.app);
    expect(await late.ask("POST", path)).toMatchObject({ status: 410 });
    const shown = await late.ask("POST", path, {}, { headers: page });
    expect([shown.status, shown.body]).toEqual([
      410,
      expect.stringContaining("You cannot sign in with this link"),
    ]);
    expect(late.cookies.size).toBe(0);
  });

  test("signs in only one of two that use it at the same time", async () => {
    const w = world();
    const { path } = await makeLoginLink(w.ctx("olive"), w.user("mel").id);
    const both = await Promise.all([webClient(w.app).ask("POST", path), webClient(w.app).ask("POST", path)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 410]);
  });

  test("works for an hour, or until the next one is made", async () => {
    const w = world();
    const first = await makeLoginLink(w.ctx("olive"), w.user("mel").id);
    const second = await makeLoginLink(w.ctx("olive"), w.user("mel").id);
    expect((await webClient(w.app).ask("POST", first.path)).status).toBe(410);
    w.clock.advance(3600);
    expect((await webClient(w.app).ask("POST", second.path)).status).toBe(410);
  });

  test("is made for people whose secrets the actor may replace, and stored as a hash", async () => {
    const w = world();
    const make = (who: CastName, target: CastName) => makeLoginLink(w.ctx(who), w.user(target).id);
    expect(make("mel", "max")).rejects.toThrow("Must be an organization administrator");
    expect(make("ada", "olive")).rejects.toThrow();
    expect(make("mel", "bolt")).rejects.toThrow("Bots have no browser");
    expect(make("olive", "dex")).rejects.toThrow("Account is deactivated");
    const { path } = await make("mel", "mel");
    const key = path.split("/").at(-1) ?? "";
    expect(JSON.stringify(w.app.env.db.all("SELECT * FROM login_links"))).not.toContain(key);
  });

  test("lets a person without a password choose one", async () => {
    const w = world();
    const { path } = await makeLoginLink(w.ctx("olive"), w.user("mel").id);
    const browser = webClient(w.app);
    await browser.ask("POST", path);
    const chosen = await browser.ask("PATCH", "/json/settings", { new_password: password });
    expect(chosen.status).toBe(200);
    expect((await webClient(w.app).signIn(mel)).status).toBe(200);
    const again = await browser.ask("PATCH", "/json/settings", { new_password: "another long horse" });
    expect(again).toMatchObject({
      status: 400,
      body: { msg: "To change the password, also give the old one." },
    });
  });
});

describe("dev-sign-in", () => {
  test("signs in without a password in development mode, and nowhere else", async () => {
    const open = webClient(world({ isDevelopment: true }).app, { site: "http://localhost:9900" });
    expect((await open.ask("POST", "/login/dev", { username: mel })).status).toBe(200);
    expect((await open.ask("GET", "/json/users/me")).body.full_name).toBe("Mel");
    const closed = webClient(world().app);
    expect((await closed.ask("POST", "/login/dev", { username: mel })).status).toBe(400);
    expect(closed.cookies.size).toBe(0);
  });
});
