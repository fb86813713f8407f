// Signing in at a real OpenID provider.
import { afterAll, describe, expect, test } from "bun:test";
import { setServerOptions } from "@/foundation/realm-administration/actions.ts";
import { updateRealm } from "@/foundation/realm-administration/actions-changes.ts";
import type { Log, LogFields } from "@/kernel/lib/log.ts";
import { learnIssuers } from "@/outside/single-sign-on/actions.ts";
import type { Provider } from "@/outside/single-sign-on/schema.ts";
import { startProvider, type TestProvider } from "../support/oidc.ts";
import type { Json } from "../support/requests.ts";
import { atProvider, comeBack, nameProvider, signIn, signOnScene, start, whoIs } from "../support/sign-on.ts";
import { givePassword, type WebClient, webClient } from "../support/web-session.ts";
import { type World, world } from "../support/world.ts";

const site = "https://chat.example.com";
const provider: TestProvider = await startProvider(site);
afterAll(() => provider.close());

/** As somebody whose address the provider knows. */
async function signInAtProvider(w: World, name: "olive" | "mel"): Promise<void> {
  const before = provider.person;
  provider.person = { sub: `${name}-1`, email: `${name}@example.com`, email_verified: true };
  expect((await signIn(w)).location).toBe("/");
  provider.person = before;
}

const scene = (more: Partial<Provider> = {}, onWarning?: Log["warn"]): Promise<World> =>
  signOnScene(provider, { more, onWarning });

describe("complete-sign-on", () => {
  test("signs in the user with the verified address, and later by the identity alone", async () => {
    const w = await scene();
    const first = await signIn(w);
    expect([first.status, first.location]).toEqual([302, "/"]);
    expect(await whoIs(first.browser)).toMatchObject({ email: "mel@example.com" });
    provider.person = { sub: "mel-1", email: "other@example.com", email_verified: false };
    const second = await signIn(w);
    expect(await whoIs(second.browser)).toMatchObject({ email: "mel@example.com" });
    expect((await second.browser.ask("POST", "/logout")).status).toBe(200);
    expect((await whoIs(second.browser)).code).toBe("UNAUTHORIZED");
  });

  test("creates an account by an invitation of the address, with its role", async () => {
    const w = await scene();
    await w.as("ada").post("/invites", { invitee_emails: "ann@example.org", stream_ids: [], invite_as: 300 });
    provider.person = { sub: "ann-1", email: "Ann@example.org", email_verified: true, name: "Ann `A` @Lee" };
    const { browser, location } = await signIn(w);
    expect(location).toBe("/");
    expect(await whoIs(browser)).toMatchObject({ full_name: "Ann A Lee", role: 300 });
  });

  test("creates no account without an invitation, unless the organization needs none", async () => {
    const w = await scene();
    provider.person = { sub: "bob-1", email: "bob@example.org", email_verified: true, name: "Bob" };
    const refused = await signIn(w);
    expect([refused.status, refused.text]).toEqual([
      403,
      expect.stringContaining("joining needs an invitation"),
    ]);
    expect((await w.as("olive").patch("/realm", { invite_required: false })).status).toBe(200);
    expect(await whoIs((await signIn(w)).browser)).toMatchObject({ full_name: "Bob", role: 400 });
  });

  test("creates an account in the browser's language, and says in it why it does not", async () => {
    const w = await scene();
    const client = webClient(w.app);
    const inJapanese: typeof client = {
      ...client,
      ask: (method, path, params) =>
        client.ask(method, path, params, { headers: { "accept-language": "ja, en;q=0.5" } }),
    };
    provider.person = { sub: "bob-1", email: "bob@example.org", email_verified: true, name: "Bob" };
    expect((await signIn(w, { browser: inJapanese })).text).toContain(
      "bob@example.org のアカウントはなく、参加するには招待が必要です。",
    );
    await w.as("olive").patch("/realm", { invite_required: false });
    const { browser } = await signIn(w, { browser: inJapanese });
    const { body } = await browser.ask("POST", "/json/register", { fetch_event_types: ["user_settings"] });
    expect(body.user_settings.default_language).toBe("ja");
  });

  test.each([
    ["an unverified address", { email: "mel@example.com", email_verified: false }, "has not verified"],
    ["no word about the address", { email: "mel@example.com" }, "has not verified"],
    ["no address", {}, "did not send your email address"],
    ["a deactivated account", { email: "dex@example.com", email_verified: true }, "deactivated"],
    ["a bot's address", { email: "bolt-bot@chat.example.com", email_verified: true }, ""],
  ])("refuses %s", async (_, claims, said) => {
    const logged: [string, LogFields | undefined][] = [];
    const w = await scene({}, (...line) => void logged.push(line as (typeof logged)[0]));
    provider.person = { sub: `x-${said}-${JSON.stringify(claims).length}`, ...claims };
    const { status, text, browser } = await signIn(w);
    expect([status, text]).toEqual([403, expect.stringContaining(said)]);
    const account = "email" in claims ? claims.email : null;
    const refusal = { operation: "complete-sign-on", account };
    expect(logged).toMatchObject([["login_refused", refusal]]);
    expect((await whoIs(browser)).code).toBe("UNAUTHORIZED");
  });

  test("refuses an unknown state, and one of another browser, used before, or too old", async () => {
    const w = await scene();
    const browser = webClient(w.app);
    const path = await atProvider(await start(browser));
    const wrong = path.replace(/state=\w+/, "state=somethingelse");
    expect((await comeBack(browser, wrong)).text).toContain("was started in another browser");
    expect((await comeBack(webClient(w.app), path)).status).toBe(403);
    expect((await comeBack(browser, path)).location).toBe("/");
    expect((await comeBack(browser, path)).status).toBe(403);
    const late = await atProvider(await start(browser));
    w.clock.advance(601);
    expect((await comeBack(browser, late)).status).toBe(403);
  });

  test("refuses a code of another sign-in, by its nonce and its verifier", async () => {
    const w = await scene();
    const [one, other] = [webClient(w.app), webClient(w.app)];
    const stolen = new URL(await atProvider(await start(one)), site).searchParams.get("code") ?? "";
    const path = await atProvider(await start(other));
    const { status, text } = await comeBack(other, path.replace(/code=[^&]+/, `code=${stolen}`));
    expect([status, text]).toEqual([403, expect.stringContaining("did not sign you in")]);
  });

  test("refuses tokens for another client, and a wrong secret", async () => {
    const w = await scene({ client_secret: "wrong" });
    expect((await signIn(w)).text).toContain("did not sign you in");
  });

  test("says so if the person changes their mind", async () => {
    const w = await scene();
    provider.person = { sub: "denied" };
    expect((await signIn(w)).text).toContain("You did not agree at Company");
  });

  test("gives and removes roles and user groups by the provider's groups", async () => {
    const w = await scene({ roles: { chiefs: "admin" }, groups: { art: "designers" } });
    const made = await w
      .as("ada")
      .post("/user_groups/create", { name: "designers", description: "", members: [] });
    expect(made.status).toBe(200);
    const members = async () =>
      (await w.as("ada").get(`/user_groups/${made.body.group_id}/members`)).body.members;
    provider.person = { ...provider.person, groups: ["art", "chiefs"] };
    const { browser } = await signIn(w);
    expect((await whoIs(browser)).role).toBe(200);
    expect(await members()).toEqual([w.user("mel").id]);
    provider.person = { ...provider.person, groups: [] };
    const again = await signIn(w);
    expect(await members()).toEqual([]);
    expect((await whoIs(again.browser)).role).toBe(400);
  });

  test("removes only roles that it gave, and keeps the only owner", async () => {
    const w = await scene({ roles: { chiefs: "admin", bosses: "owner", visitors: "guest" } });
    const roleAfter = async (name: "moss" | "gus" | "olive" | "ada", groups: string[]) => {
      const email = `${name}@example.com`;
      provider.person = { sub: name, email, email_verified: true, name, groups };
      return (await whoIs((await signIn(w)).browser)).role;
    };
    // No group gives this role: it was given by an administrator here.
    expect(await roleAfter("moss", [])).toBe(300);
    expect(await roleAfter("gus", [])).toBe(600);
    expect(await roleAfter("ada", ["chiefs", "visitors"])).toBe(200);
    expect(await roleAfter("ada", [])).toBe(400);
    expect(await roleAfter("olive", [])).toBe(100);
    expect(await roleAfter("olive", ["chiefs"])).toBe(100);
    expect(await roleAfter("moss", ["bosses"])).toBe(100);
    expect(await roleAfter("olive", ["chiefs"])).toBe(200);
  });

  test("accepts Entra's unverified addresses and its IDs of groups", async () => {
    const id = "aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee";
    const w = await scene({ verified_claim: "xms_edov", roles: { [id]: "admin" } });
    provider.person = { sub: "entra-1", email: "mel@example.com", name: "Mel" };
    expect((await signIn(w)).text).toContain("has not verified");
    provider.forge = (claims) => ({ ...claims, xms_edov: "1", groups: [id] });
    expect(await whoIs((await signIn(w)).browser)).toMatchObject({ email: "mel@example.com", role: 200 });
    provider.forge = null;
  });

  test("changes nothing if the provider leaves the groups out because there are too many", async () => {
    const w = await scene({ roles: { chiefs: "admin" } });
    provider.person = { ...provider.person, groups: ["chiefs"] };
    expect((await whoIs((await signIn(w)).browser)).role).toBe(200);
    const { groups: _, ...person } = provider.person;
    provider.person = person;
    provider.forge = (claims) => ({ ...claims, _claim_names: { groups: "src1" } });
    expect((await whoIs((await signIn(w)).browser)).role).toBe(200);
    provider.forge = null;
    expect((await whoIs((await signIn(w)).browser)).role).toBe(400);
  });

  test("gives a phone app its key, encrypted with the app's one-time pad", async () => {
    const w = await scene();
    const pad = "0123456789abcdef".repeat(4);
    const browser = webClient(w.app);
    const { location } = await comeBack(
      browser,
      await atProvider(await start(browser, `?mobile_flow_otp=${pad}`)),
    );
    const { searchParams, protocol, host } = new URL(location);
    expect([protocol, host, searchParams.get("email")]).toEqual(["zulip:", "login", "mel@example.com"]);
    const sealed = Buffer.from(searchParams.get("otp_encrypted_api_key") ?? "", "hex");
    const key = Buffer.from(sealed.map((byte, i) => byte ^ Buffer.from(pad, "hex")[i]!)).toString();
    expect((await w.login("mel@example.com", key).get("/users/me")).status).toBe(200);
    expect((await whoIs(browser)).code).toBe("UNAUTHORIZED");
    expect((await browser.ask("GET", "/login/oidc/company?mobile_flow_otp=xyz")).status).toBe(400);
  });
});

describe("identities", () => {
  test("belong to the issuer: another one under the same name opens nothing, and may link its own", async () => {
    const w = await scene();
    expect((await signIn(w)).location).toBe("/");
    const other = await startProvider(site);
    try {
      nameProvider(w, other);
      other.person = { sub: "mel-1", email: "mallory@example.com", email_verified: true, name: "Mallory" };
      const stranger = await signIn(w);
      expect([stranger.status, stranger.text]).toEqual([403, expect.stringContaining("needs an invitation")]);
      expect((await whoIs(stranger.browser)).code).toBe("UNAUTHORIZED");
      await w.as("ada").post("/invites", { invitee_emails: "mallory@example.com", stream_ids: [] });
      expect((await whoIs((await signIn(w)).browser)).full_name).toBe("Mallory");
    } finally {
      other.close();
    }
    nameProvider(w, provider);
    expect((await whoIs((await signIn(w)).browser)).full_name).toBe("Mel");
  });

  test.each(["", "  "])("are refused with the subject %p", async (sub) => {
    const w = await scene();
    provider.forge = (claims) => ({ ...claims, sub });
    const { status, browser } = await signIn(w);
    provider.forge = null;
    expect(status).toBe(403);
    expect((await whoIs(browser)).code).toBe("UNAUTHORIZED");
    expect(w.app.env.db.all("SELECT 1 FROM external_identities")).toEqual([]);
  });

  test("of older versions get the issuer that confab.toml names at the first start, and no other later", async () => {
    const w = await scene();
    const old = (name: string, subject: string, user: "mel" | "max") =>
      w.app.env.db.write(w.app.system, (tx) =>
        tx.run(
          "INSERT INTO external_identities (issuer, provider, subject, user_id, linked_at) VALUES (NULL, ?, ?, ?, ?)",
          name,
          subject,
          w.user(user).id,
          tx.now,
        ),
      );
    await old("company", "mel-old", "mel");
    await old("school", "max-old", "max");
    provider.person = { sub: "mel-old", email: "elsewhere@example.com", email_verified: true };
    expect((await signIn(w)).status).toBe(403);
    expect(await learnIssuers(w.app.system)).toBe(1);
    expect((await whoIs((await signIn(w)).browser)).full_name).toBe("Mel");
    // The school is named again later, and may be another one by now.
    nameProvider(w, provider, { name: "school" });
    expect(await learnIssuers(w.app.system)).toBe(0);
    nameProvider(w, provider);
    provider.person = { sub: "max-old", email: "elsewhere@example.com", email_verified: true };
    expect((await signIn(w)).status).toBe(403);
  });
});

describe("joining by a link", () => {
  const withoutPasswords = (w: World) =>
    updateRealm(w.app.system, { authentication_methods: { Email: false, "OpenID Connect": true } });
  const keyOf = (link: string) => link.split("/").at(-1) ?? "";
  const shown = async (w: World, key: string) =>
    (await w.anonymous.request(`/join/${key}`, { headers: { accept: "text/html" } })).text();

  test("creates an account with the invitation's role for a person who signs in at the provider", async () => {
    const w = await scene();
    const { body } = await w.as("ada").post("/invites/multiuse", { invite_as: 600 });
    const key = keyOf(body.invite_link);
    const page = await shown(w, key);
    expect(page).toContain(`<a class="provider" href="/login/oidc/company?invitation=${key}">Company</a>`);
    expect(page).toContain('type="password"');
    provider.person = { sub: "cleo-1", email: "cleo@example.org", email_verified: true, name: "Cleo" };
    expect((await signIn(w)).status).toBe(403);
    const { browser, location } = await signIn(w, { query: `?invitation=${key}` });
    expect(location).toBe("/");
    expect(await whoIs(browser)).toMatchObject({ full_name: "Cleo", role: 600 });
  });

  test("takes no password where passwords are off", async () => {
    const w = await scene();
    await withoutPasswords(w);
    const { body } = await w.as("ada").post("/invites/multiuse");
    const path = new URL(body.invite_link).pathname;
    const page = await shown(w, keyOf(path));
    expect(page).toContain(`/login/oidc/company?invitation=${keyOf(path)}`);
    expect(page).not.toContain("<form");
    const from = w.events.length;
    const person = { full_name: "Dan", email: "dan@example.org", password: "correct horse battery" };
    const sent = { method: "POST", body: new URLSearchParams(person) };
    const answer = await w.anonymous.request(path, sent);
    expect([answer.status, ((await answer.json()) as Json).code]).toEqual([401, "PASSWORD_AUTH_DISABLED"]);
    const asBrowser = await w.anonymous.request(path, { ...sent, headers: { accept: "text/html" } });
    expect([asBrowser.status, await asBrowser.text()]).toEqual([
      403,
      expect.stringContaining("does not use passwords"),
    ]);
    expect(w.events.slice(from)).toEqual([]);
    provider.person = { sub: "dan-1", email: "dan@example.org", email_verified: true, name: "Dan" };
    const { browser } = await signIn(w, { query: `?invitation=${keyOf(path)}` });
    expect(await whoIs(browser)).toMatchObject({ full_name: "Dan", role: 400 });
  });

  test.each([
    ["an unknown invitation", 404, "No such invitation", async () => "x".repeat(32)],
    [
      "a revoked one",
      410,
      "has been revoked",
      async (w: World) => {
        const { body } = await w.as("ada").post("/invites/multiuse");
        await w.as("ada").delete("/invites/multiuse/1");
        return keyOf(body.invite_link);
      },
    ],
    [
      "one for another address",
      400,
      "This invitation is for the address eve@example.org.",
      async (w: World) => {
        const invitation = { invitee_emails: "eve@example.org", stream_ids: [] };
        await w.as("ada").post("/invites", invitation);
        return keyOf((await w.as("ada").get("/invites")).body.invites[0].link_url);
      },
    ],
  ])("refuses %s, but signs people in who have an account", async (_, status, said, make) => {
    const w = await scene();
    const query = `?invitation=${await make(w)}`;
    expect(await whoIs((await signIn(w, { query })).browser)).toMatchObject({ email: "mel@example.com" });
    provider.person = { sub: `fay-${status}`, email: "fay@example.org", email_verified: true, name: "Fay" };
    const refused = await signIn(w, { query });
    expect([refused.status, refused.text]).toEqual([status, expect.stringContaining(said)]);
    expect((await whoIs(refused.browser)).code).toBe("UNAUTHORIZED");
  });
});

describe("start-sign-on", () => {
  test("asks for a code with PKCE, a state and a nonce", async () => {
    const w = await scene();
    const { searchParams } = new URL(await start(webClient(w.app)));
    expect(Object.fromEntries(searchParams)).toMatchObject({
      response_type: "code",
      client_id: "confab",
      redirect_uri: `${site}/complete/oidc/company`,
      code_challenge_method: "S256",
      state: expect.stringMatching(/^\w{32}$/),
      nonce: expect.stringMatching(/^\w{32}$/),
    });
  });

  test("says so if the provider is down, while passwords still work", async () => {
    const w = await scene({ issuer: "http://127.0.0.1:9" });
    await givePassword(w, "mel");
    const browser = webClient(w.app);
    const { status, body } = await browser.ask("GET", "/login/oidc/company");
    expect([status, body]).toEqual([403, expect.stringContaining("cannot be reached just now")]);
    expect((await browser.signIn("mel@example.com")).status).toBe(200);
  });

  test("refuses an unknown provider", async () => {
    const w = await scene();
    expect((await webClient(w.app).ask("GET", "/login/oidc/other")).status).toBe(404);
  });
});

describe("the ways to sign in", () => {
  test("are announced", async () => {
    const plain = (await world().anonymous.get("/server_settings")).body;
    expect([plain.authentication_methods["openid connect"], plain.external_authentication_methods]).toEqual([
      false,
      [],
    ]);
    const w = await scene();
    const { body } = await w.anonymous.get("/server_settings");
    expect(body).toMatchObject({
      authentication_methods: { password: true, email: true, "openid connect": true },
      external_authentication_methods: [
        {
          name: "oidc:company",
          display_name: "Company",
          display_icon: null,
          login_url: "/login/oidc/company",
        },
      ],
    });
  });

  test("can work without passwords, which only owners can decide", async () => {
    const w = await scene();
    await givePassword(w, "mel");
    const methods = { authentication_methods: { Email: false, "OpenID Connect": true } };
    expect((await w.as("ada").patch("/realm", methods)).status).toBe(400);
    await signInAtProvider(w, "olive");
    const { status, events } = await w.as("olive").patch("/realm", methods);
    expect(status).toBe(200);
    expect(events).toMatchObject([{ audience: "everyone", event: { type: "realm", op: "update_dict" } }]);
    const { state } = await w.queue("mel");
    expect(state).toMatchObject({ realm_email_auth_enabled: false, realm_password_auth_enabled: false });
    const refused = await webClient(w.app).signIn("mel@example.com");
    expect([refused.status, refused.body.code]).toEqual([401, "PASSWORD_AUTH_DISABLED"]);
    const login = { username: "mel@example.com", password: "correct horse battery" };
    expect((await w.anonymous.post("/fetch_api_key", login)).body.code).toBe("PASSWORD_AUTH_DISABLED");
    const { body } = await w.anonymous.get("/server_settings");
    expect([body.email_auth_enabled, body.authentication_methods.password]).toEqual([false, false]);
    expect((await signIn(w)).location).toBe("/");
  });

  test("are not turned off where no owner could sign in then, who are named", async () => {
    const w = await scene();
    const set = (who: "olive" | "ada", Email: boolean, provider: boolean) =>
      w.as(who).patch("/realm", { authentication_methods: { Email, "OpenID Connect": provider } });
    expect(await set("olive", false, true)).toMatchObject({
      status: 400,
      body: { code: "BAD_REQUEST", msg: expect.stringMatching(/none has signed in at a provider: Olive\./) },
      events: [],
    });
    expect(await set("olive", true, false)).toMatchObject({
      status: 400,
      body: { msg: expect.stringMatching(/none has a password: Olive\./) },
      events: [],
    });
    expect((await w.anonymous.get("/server_settings")).body.authentication_methods).toMatchObject({
      password: true,
      "openid connect": true,
    });
    // Another owner is enough; an administrator is not.
    await givePassword(w, "ada");
    expect((await set("olive", true, false)).status).toBe(400);
    await w.as("olive").patch(`/users/${w.user("ada").id}`, { role: 100 });
    expect((await set("olive", true, false)).status).toBe(200);
    expect((await set("olive", true, true)).status).toBe(200);
    await signInAtProvider(w, "olive");
    expect((await set("ada", false, true)).status).toBe(200);
  });

  test("cannot all be turned off, and only those that the server offers can be turned on", async () => {
    const w = world();
    for (const methods of [
      { Email: false },
      { Email: true, "OpenID Connect": true },
      { Email: true, LDAP: true },
    ]) {
      const answer = await w.as("olive").patch("/realm", { authentication_methods: methods });
      expect(answer).toMatchObject({ status: 400, events: [] });
    }
  });
});

describe("get-proved-page", () => {
  const proof = "/json/users/me/proof";
  const rotate = (browser: WebClient) => browser.ask("POST", "/json/users/me/api_key/regenerate");
  const prove = (w: World, browser: WebClient) => signIn(w, { browser, query: "?proof=true" });

  async function longSignedIn(w: World): Promise<WebClient> {
    const { browser } = await signIn(w);
    w.clock.advance(600);
    expect((await rotate(browser)).body.code).toBe("PROOF_REQUIRED");
    return browser;
  }

  test("is where somebody ends who has shown by another sign-in there that it is them", async () => {
    const w = await scene();
    const browser = await longSignedIn(w);
    const providers = [{ button: "Company", login_url: "/login/oidc/company?proof=true" }];
    const state = { is_needed: true, password: false, providers, mail: false };
    expect((await browser.ask("GET", proof)).body).toMatchObject(state);
    expect(await start(browser, "?proof=true")).toContain("prompt=login");
    const session = browser.cookies.get("__Host-sessionid");
    const { status, location } = await prove(w, browser);
    expect([status, location]).toEqual([302, "/login/proved"]);
    expect(browser.cookies.get("__Host-sessionid")).toBe(session);
    expect(await browser.ask("GET", location)).toMatchObject({ body: expect.stringContaining("It is you") });
    expect((await rotate(browser)).status).toBe(200);
  });

  test("is reached through a provider that has another name since", async () => {
    const w = await scene();
    const browser = await longSignedIn(w);
    nameProvider(w, provider, { name: "firm" });
    await setServerOptions(w.app.system, { sign_on: [{ name: "firm", button: "Company", icon: null }] });
    const providers = [{ button: "Company", login_url: "/login/oidc/firm?proof=true" }];
    expect((await browser.ask("GET", proof)).body).toMatchObject({ providers, mail: false });
    const other = await startProvider(site);
    try {
      nameProvider(w, other, { name: "firm" });
      expect((await browser.ask("GET", proof)).body).toMatchObject({ providers: [] });
    } finally {
      other.close();
    }
  });

  test("is not reached by somebody else's sign-in, which gives them no session either", async () => {
    const w = await scene();
    const browser = await longSignedIn(w);
    provider.person = { sub: "max-1", email: "max@example.com", email_verified: true, name: "Max" };
    const { status, text } = await prove(w, browser);
    expect([status, text]).toEqual([403, expect.stringContaining("somebody else")]);
    expect(await whoIs(browser)).toMatchObject({ email: "mel@example.com" });
    expect((await rotate(browser)).body.code).toBe("PROOF_REQUIRED");
  });

  test("is not reached where the provider has asked nobody lately", async () => {
    const w = await scene();
    const browser = await longSignedIn(w);
    provider.forge = (claims) => ({ ...claims, auth_time: w.clock.now() - 3600 });
    const { status, text } = await prove(w, browser);
    provider.forge = null;
    expect([status, text]).toEqual([403, expect.stringContaining("did not ask you who you are")]);
    expect((await rotate(browser)).body.code).toBe("PROOF_REQUIRED");
  });

  test("needs the session that asked: another browser's sign-in opens nothing", async () => {
    const w = await scene();
    const browser = await longSignedIn(w);
    expect((await webClient(w.app).ask("GET", "/login/oidc/company?proof=true")).status).toBe(403);
    const path = await atProvider(await start(browser, "?proof=true"));
    await browser.ask("POST", "/logout");
    expect((await comeBack(browser, path)).status).toBe(403);
    expect((await whoIs(browser)).code).toBe("UNAUTHORIZED");
  });

  test("a phone app's sign-in causes the mail about new logins, and its key is listed with the device", async () => {
    const w = await scene();
    const otp = "0".repeat(64);
    const { location } = await signIn(w, { query: `?mobile_flow_otp=${otp}` });
    expect(location).toStartWith("zulip://login?");
    const { keys } = (await w.as("mel").get("/users/me/keys")).body;
    expect(keys[0]).toMatchObject({ kind: "login", device: "Firefox on Linux" });
    expect(w.app.env.db.all("SELECT device FROM known_logins")).toEqual([{ device: "Firefox on Linux" }]);
  });
});
