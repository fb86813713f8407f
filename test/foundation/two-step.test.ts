// Two-step sign-in: setting it up, signing in with it, what it protects, and who may turn it off.
import { afterAll, describe, expect, test } from "bun:test";
import { generateSync } from "otplib";
import { decodeQR } from "qr/decode.js";
import { listAudit } from "@/foundation/audit/queries.ts";
import { setMailServer } from "@/foundation/mail/host.ts";
import { setServerOptions } from "@/foundation/realm-administration/actions.ts";
import { makeResetLink } from "@/foundation/recovery/actions.ts";
import { makeLoginLink } from "@/foundation/sessions/actions-links.ts";
import { runJob } from "../support/jobs.ts";
import { type MailServer, startMailServer } from "../support/smtp.ts";
import { givePassword, password, signedIn, type WebClient, webClient } from "../support/web-session.ts";
import { type CastName, type World, world } from "../support/world.ts";

const mel = "mel@example.com";
const page = { accept: "text/html" };
const mine = "/users/me/two_step";

async function withMel(): Promise<World> {
  const w = world();
  await givePassword(w, "mel");
  return w;
}

const codeFor = (w: World, secret: string, steps = 0) =>
  generateSync({ secret, epoch: w.clock.now() + 30 * steps });

interface Protected {
  secret: string;
  recovery_codes: string[];
}

/** Turns two-step sign-in on; this uses the code of the current step. */
async function protect(w: World, name: CastName = "mel"): Promise<Protected> {
  const begun = await w.as(name).post(mine, { password });
  expect(begun.status).toBe(200);
  const { secret } = begun.body;
  const { status, body } = await w.as(name).post(`${mine}/confirm`, { code: codeFor(w, secret) });
  expect(status).toBe(200);
  return { secret, recovery_codes: body.recovery_codes };
}

const login = (browser: WebClient, code?: string) =>
  browser.ask("POST", "/login", { username: mel, password, ...(code !== undefined && { code }) });

const wrong = { status: 400, body: { code: "WRONG_CODE" } };
const wanted = { status: 403, body: { code: "TWO_STEP_REQUIRED" } };
const toSetUp = { status: 403, body: { code: "TWO_STEP_SETUP_REQUIRED" } };

/** What a QR code's SVG says. Like a phone, it looks from several distances: at each, the decoder misses one code of some hundreds. */
function readQr(url: string): string {
  const misses: unknown[] = [];
  for (const pixels of [5, 6, 8]) {
    try {
      return decodeQR(drawn(url, pixels));
    } catch (error) {
      misses.push(error);
    }
  }
  throw new AggregateError(misses, "No distance shows what the code says.");
}

/** The dark modules in a QR code's SVG, as a picture with so many pixels per module. */
function drawn(url: string, pixels: number) {
  const svg = decodeURIComponent(url.slice(url.indexOf(",") + 1));
  const modules = Number(/viewBox="0 0 (\d+)/.exec(svg)?.[1]);
  const size = modules * pixels;
  const data = new Uint8Array(size * size * 4).fill(255);
  let [x, y] = [0, 0];
  for (const [, kind, a = "0", b = "0"] of svg.matchAll(/([Mm])(-?\d+)[ ,]?(-?\d+)h1/g)) {
    [x, y] = kind === "M" ? [Number(a), Number(b)] : [x + Number(a), y + Number(b)];
    for (let row = y * pixels; row < y * pixels + pixels; row++) {
      for (let column = x * pixels; column < x * pixels + pixels; column++)
        data.fill(0, (row * size + column) * 4, (row * size + column) * 4 + 3);
    }
  }
  return { width: size, height: size, data };
}

describe("begin-two-step", () => {
  test("gives a secret as text, as a URL and as a QR code, and turns nothing on yet", async () => {
    const w = await withMel();
    const { body } = await w.as("mel").post(mine, { password });
    expect(body.secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(body.uri).toBe(
      `otpauth://totp/Test%20Organization:mel%40example.com?secret=${body.secret}&issuer=Test%20Organization`,
    );
    expect(readQr(body.qr)).toBe(body.uri);
    expect((await w.as("mel").get(mine)).body).toMatchObject({ is_on: false, recovery_codes_left: 0 });
    expect((await login(webClient(w.app))).status).toBe(200);
  });

  test("requires the password, so that a stolen key or session cannot lock its owner out", async () => {
    const w = await withMel();
    expect((await w.as("mel").get(mine)).body.needs_password).toBe(true);
    for (const params of [{}, { password: "wrong" }]) {
      expect(await w.as("mel").post(mine, params)).toMatchObject({
        status: 400,
        body: { msg: "Wrong password!" },
        events: [],
      });
    }
    expect((await w.as("max").get(mine)).body.needs_password).toBe(false);
    expect((await w.as("max").post(mine)).status).toBe(200);
  });

  test("is refused to bots, to anonymous requests, and to people who have it already", async () => {
    const w = await withMel();
    expect(await w.as("bolt").post(mine)).toMatchObject({ status: 400, events: [] });
    expect(await w.anonymous.post(mine)).toMatchObject({ status: 401 });
    await protect(w);
    expect(await w.as("mel").post(mine, { password })).toMatchObject({
      status: 400,
      body: { msg: "Two-step sign-in is on already." },
      events: [],
    });
  });

  test("replaces the previous secret", async () => {
    const w = await withMel();
    const first = await w.as("mel").post(mine, { password });
    await w.as("mel").post(mine, { password });
    const code = codeFor(w, first.body.secret);
    expect(await w.as("mel").post(`${mine}/confirm`, { code })).toMatchObject(wrong);
  });
});

describe("confirm-two-step", () => {
  test("turns it on and gives ten recovery codes, of which only hashes are stored", async () => {
    const w = await withMel();
    const { recovery_codes } = await protect(w);
    expect(new Set(recovery_codes).size).toBe(10);
    for (const code of recovery_codes) expect(code).toMatch(/^[2-9a-z]{4}-[2-9a-z]{4}-[2-9a-z]{4}$/);
    expect((await w.as("mel").get(mine)).body).toMatchObject({ is_on: true, recovery_codes_left: 10 });
    const stored = JSON.stringify(w.app.env.db.all("SELECT recovery_hashes FROM two_step"));
    for (const code of recovery_codes) expect(stored).not.toContain(code.replaceAll("-", ""));
    expect(stored).toMatch(/[0-9a-f]{64}/);
  });

  test("refuses a wrong code, one before the beginning, and a second time", async () => {
    const w = await withMel();
    const confirm = (code: string) => w.as("mel").post(`${mine}/confirm`, { code });
    expect(await confirm("123456")).toMatchObject({ status: 400, events: [] });
    const { body } = await w.as("mel").post(mine, { password });
    for (const code of ["", "12345", "abcdef", codeFor(w, body.secret, 5)]) {
      expect(await confirm(code)).toMatchObject({ ...wrong, events: [] });
    }
    expect((await w.as("mel").get(mine)).body.is_on).toBe(false);
    expect((await confirm(codeFor(w, body.secret))).status).toBe(200);
    expect(await confirm(codeFor(w, body.secret, 1))).toMatchObject({ status: 400, events: [] });
  });
});

describe("get-two-step", () => {
  test("shows people only their own", async () => {
    const w = await withMel();
    await protect(w);
    expect((await w.as("mel").get(mine)).body).toMatchObject({
      is_on: true,
      is_required: false,
      needs_password: true,
    });
    expect((await w.as("max").get(mine)).body).toMatchObject({ is_on: false });
    expect((await w.anonymous.get(mine)).status).toBe(401);
  });
});

describe("sign-in with two steps", () => {
  test("asks for a code after the right password alone, and opens no session before", async () => {
    const w = await withMel();
    const { secret } = await protect(w);
    const browser = webClient(w.app);
    expect(await login(browser)).toMatchObject(wanted);
    expect(browser.cookies.size).toBe(0);
    expect(await browser.signIn(mel, "wrong")).toMatchObject({ status: 401 });
    w.clock.advance(60);
    const code = codeFor(w, secret);
    const answer = await login(browser, ` ${code.slice(0, 3)} ${code.slice(3)} `);
    expect(answer).toMatchObject({ status: 200, body: { email: mel } });
    expect(answer.body).not.toHaveProperty("recovery_codes");
    expect((await browser.ask("GET", "/json/users/me")).body.full_name).toBe("Mel");
  });

  test("takes codes of one step before and after, and none further away", async () => {
    const w = await withMel();
    const { secret } = await protect(w);
    const at = async (steps: number) => {
      w.clock.advance(300);
      return (await login(webClient(w.app), codeFor(w, secret, steps))).status;
    };
    expect([await at(-2), await at(-1), await at(0), await at(1), await at(2)]).toEqual([
      400, 200, 200, 200, 400,
    ]);
  });

  test("takes the codes of now after the clock was set back, each once", async () => {
    const w = await withMel();
    const { secret } = await protect(w);
    const browser = webClient(w.app);
    const used = codeFor(w, secret, 1);
    expect((await login(browser, used)).status).toBe(200);
    w.clock.step(-10 * 86_400);
    const now = codeFor(w, secret);
    expect(await login(browser, used)).toMatchObject(wrong);
    expect((await login(browser, now)).status).toBe(200);
    expect(await login(browser, now)).toMatchObject(wrong);
    expect(await login(browser, codeFor(w, secret, -1))).toMatchObject(wrong);
    expect((await login(browser, codeFor(w, secret, 1))).status).toBe(200);
  });

  test("takes each code once, and none older than one that was used", async () => {
    const w = await withMel();
    const { secret } = await protect(w);
    // The code that turned it on.
    expect(await login(webClient(w.app), codeFor(w, secret))).toMatchObject(wrong);
    w.clock.advance(90);
    const [old, now] = [codeFor(w, secret, -1), codeFor(w, secret)];
    expect((await login(webClient(w.app), now)).status).toBe(200);
    expect(await login(webClient(w.app), now)).toMatchObject(wrong);
    expect(await login(webClient(w.app), old)).toMatchObject(wrong);
  });

  test("takes a code once where two send it at the same time", async () => {
    const w = await withMel();
    const { secret } = await protect(w);
    w.clock.advance(60);
    const code = codeFor(w, secret);
    const both = await Promise.all([login(webClient(w.app), code), login(webClient(w.app), code)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 400]);
  });

  test("takes each recovery code once, however it is typed", async () => {
    const w = await withMel();
    const { recovery_codes } = await protect(w);
    const [first = "", second = ""] = recovery_codes;
    expect((await login(webClient(w.app), first)).status).toBe(200);
    expect(await login(webClient(w.app), first)).toMatchObject(wrong);
    expect((await login(webClient(w.app), ` ${second.toUpperCase().replaceAll("-", " ")}`)).status).toBe(200);
    expect((await w.as("mel").get(mine)).body.recovery_codes_left).toBe(8);
  });

  test("limits guesses together with those of the password, and a right password does not reset them", async () => {
    const w = await withMel();
    const { secret } = await protect(w);
    w.clock.advance(60);
    const browser = webClient(w.app);
    for (let n = 0; n < 5; n++) {
      expect(await login(browser)).toMatchObject(wanted);
      expect(await login(browser, "000000")).toMatchObject(wrong);
      // This confirms the password by a key, which must not reset the count of wrong codes.
      if (n < 4) await w.as("mel").patch("/settings", { old_password: password, new_password: password });
    }
    const refused = { status: 429, body: { code: "RATE_LIMIT_HIT" } };
    expect(await login(browser, codeFor(w, secret))).toMatchObject(refused);
    w.clock.advance(1801);
    expect((await login(browser, codeFor(w, secret))).status).toBe(200);
  });

  test("does not count asking for the code as an attempt of the network", async () => {
    const w = await withMel();
    await protect(w);
    for (let n = 0; n < 35; n++) expect(await login(webClient(w.app))).toMatchObject(wanted);
  });

  test("does not open a deactivated account", async () => {
    const w = await withMel();
    const { secret } = await protect(w);
    w.clock.advance(60);
    await w.as("ada").delete(`/users/${w.user("mel").id}`);
    expect(await login(webClient(w.app), codeFor(w, secret))).toMatchObject({ status: 401 });
  });
});

describe("keys by password", () => {
  test("are refused to an account with two steps; the error says where to make keys", async () => {
    const w = await withMel();
    const { secret } = await protect(w);
    w.clock.advance(60);
    const answer = await w.anonymous.post("/fetch_api_key", {
      username: mel,
      password,
      code: codeFor(w, secret),
    });
    expect(answer).toMatchObject({ ...wanted, events: [] });
    expect(answer.body.msg).toContain('make a key in the settings under "Account"');
    expect(answer.body.msg).toContain("https://chat.example.com");
    const bad = await w.anonymous.post("/fetch_api_key", { username: mel, password: "wrong" });
    expect(bad).toMatchObject({ status: 401, body: { code: "AUTHENTICATION_FAILED" } });
    // Existing keys still work, and the browser gets a new session.
    expect((await w.as("mel").get("/users/me")).status).toBe(200);
    const browser = webClient(w.app);
    await login(browser, codeFor(w, secret));
    expect((await browser.ask("POST", "/json/users/me/api_key/regenerate")).body.api_key).toBeString();
  });

  test("are refused if the organization demands two steps", async () => {
    const w = await withMel();
    await w.as("olive").patch("/realm/two_step", { required: true });
    expect(await w.anonymous.post("/fetch_api_key", { username: mel, password })).toMatchObject(toSetUp);
  });
});

describe("links with two steps", () => {
  const linkFor = async (w: World) => (await makeLoginLink(w.ctx("olive"), w.user("mel").id)).path;

  test("a link for signing in takes a code, and still works after a wrong one", async () => {
    const w = await withMel();
    const { secret } = await protect(w);
    w.clock.advance(60);
    const [path, browser] = [await linkFor(w), webClient(w.app)];
    expect(await browser.ask("POST", path)).toMatchObject(wanted);
    const asked = await browser.ask("POST", path, {}, { headers: page });
    expect([asked.status, asked.body]).toEqual([403, expect.stringContaining("<h1>Enter your code</h1>")]);
    const missed = await browser.ask("POST", path, { code: "000000" }, { headers: page });
    expect([missed.status, missed.body]).toEqual([400, expect.stringContaining("This code is wrong")]);
    expect(browser.cookies.size).toBe(0);
    const entered = await browser.ask("POST", path, { code: codeFor(w, secret) }, { headers: page });
    expect([entered.status, entered.headers.get("location")]).toEqual([303, "/"]);
    expect((await browser.ask("POST", path)).status).toBe(410);
  });

  test("wrong codes at a link are limited, apart from those of logins", async () => {
    const w = await withMel();
    const { secret } = await protect(w);
    w.clock.advance(60);
    const path = await linkFor(w);
    for (let n = 0; n < 5; n++) await webClient(w.app).ask("POST", path, { code: "000000" });
    const code = codeFor(w, secret);
    expect(await webClient(w.app).ask("POST", path, { code })).toMatchObject({ status: 429 });
    expect(await login(webClient(w.app), code)).toMatchObject({ status: 200 });
  });

  test("a link leads to setting it up if the organization demands it", async () => {
    const w = await withMel();
    await w.as("olive").patch("/realm/two_step", { required: true });
    const [path, browser] = [await linkFor(w), webClient(w.app)];
    const shown = await browser.ask("POST", path, {}, { headers: page });
    expect([shown.status, shown.body]).toEqual([403, expect.stringContaining("Set up two-step sign-in")]);
    const secret = /class="key" dir="ltr">(\w{32})</.exec(String(shown.body))?.[1] ?? "";
    expect(browser.cookies.size).toBe(0);
    const done = await browser.ask("POST", path, { code: codeFor(w, secret) }, { headers: page });
    expect([done.status, done.body]).toEqual([200, expect.stringContaining("Keep your recovery codes")]);
    expect((await browser.ask("GET", "/json/users/me")).body.full_name).toBe("Mel");
  });

  test("a new password by a link keeps the second step", async () => {
    const w = await withMel();
    await protect(w);
    const { path } = await makeResetLink(w.ctx("olive"), w.user("mel").id);
    expect((await webClient(w.app).ask("POST", path, { password: "another horse staple" })).status).toBe(200);
    expect(await webClient(w.app).signIn(mel, "another horse staple")).toMatchObject(wanted);
  });
});

describe("end-two-step", () => {
  test("takes a code of the app or a recovery code, and the password is enough again", async () => {
    const w = await withMel();
    for (const use of ["app", "recovery"] as const) {
      const { secret, recovery_codes } = await protect(w);
      w.clock.advance(60);
      for (const code of ["", "000000"]) {
        expect(await w.as("mel").delete(mine, { code })).toMatchObject({ ...wrong, events: [] });
      }
      const code = use === "app" ? codeFor(w, secret) : recovery_codes[0];
      expect((await w.as("mel").delete(mine, { code })).status).toBe(200);
      expect((await w.as("mel").get(mine)).body.is_on).toBe(false);
      expect((await login(webClient(w.app))).status).toBe(200);
      w.clock.advance(60);
    }
    expect(await w.as("mel").delete(mine, { code: "000000" })).toMatchObject({ status: 400, events: [] });
  });

  test("is refused if the organization demands it", async () => {
    const w = await withMel();
    const { secret } = await protect(w);
    await w.as("olive").patch("/realm/two_step", { required: true });
    w.clock.advance(60);
    const answer = await w.as("mel").delete(mine, { code: codeFor(w, secret) });
    expect(answer).toMatchObject({ status: 400, events: [] });
    expect(answer.body.msg).toContain("demands two-step sign-in");
    // It did not use up the code.
    expect((await login(webClient(w.app), codeFor(w, secret))).status).toBe(200);
  });
});

describe("renew-recovery-codes", () => {
  test("replaces them, for a code", async () => {
    const w = await withMel();
    const { secret, recovery_codes } = await protect(w);
    w.clock.advance(60);
    const renew = (code: string) => w.as("mel").post(`${mine}/recovery_codes`, { code });
    expect(await renew("000000")).toMatchObject({ ...wrong, events: [] });
    const { body } = await renew(codeFor(w, secret));
    expect(body.recovery_codes).toHaveLength(10);
    expect(await login(webClient(w.app), recovery_codes[0])).toMatchObject(wrong);
    expect((await login(webClient(w.app), body.recovery_codes[0])).status).toBe(200);
    expect(await w.as("max").post(`${mine}/recovery_codes`, { code: "000000" })).toMatchObject({
      status: 400,
    });
  });
});

describe("get-user-two-step", () => {
  test("tells administrators who has it, and nobody else", async () => {
    const w = await withMel();
    await protect(w);
    const path = `/users/${w.user("mel").id}/two_step`;
    expect((await w.as("ada").get(path)).body.is_on).toBe(true);
    expect((await w.as("ada").get(`/users/${w.user("max").id}/two_step`)).body.is_on).toBe(false);
    expect(await w.as("max").get(path)).toMatchObject({
      status: 400,
      body: { code: "UNAUTHORIZED_PRINCIPAL" },
    });
    expect(await w.as("ada").get("/users/99999/two_step")).toMatchObject({ status: 400 });
  });
});

describe("reset-two-step", () => {
  test("lets a person in again by their password", async () => {
    const w = await withMel();
    await protect(w);
    expect((await w.as("ada").delete(`/users/${w.user("mel").id}/two_step`)).status).toBe(200);
    expect((await login(webClient(w.app))).status).toBe(200);
    expect(await w.as("ada").delete(`/users/${w.user("mel").id}/two_step`)).toMatchObject({
      status: 400,
      body: { msg: "Mel does not use two-step sign-in." },
      events: [],
    });
  });

  test("is for administrators; only owners may do it for owners", async () => {
    const w = await withMel();
    await givePassword(w, "olive");
    await protect(w);
    await protect(w, "olive");
    const reset = (who: CastName, whose: CastName) => w.as(who).delete(`/users/${w.user(whose).id}/two_step`);
    for (const who of ["max", "moss", "gus", "mel"] as const) {
      expect(await reset(who, "mel")).toMatchObject({ status: 400, events: [] });
    }
    expect(await reset("ada", "olive")).toMatchObject({ status: 400, events: [] });
    expect((await w.as("mel").get(mine)).body.is_on).toBe(true);
    expect((await w.as("olive").get(mine)).body.is_on).toBe(true);
  });
});

describe("set-two-step-demand", () => {
  test("makes people set it up at their next sign-in, before anything else", async () => {
    const w = await withMel();
    const before = await signedIn(w, "mel");
    const { status, events } = await w.as("olive").patch("/realm/two_step", { required: true });
    const event = { type: "realm", op: "update", property: "two_step_required", value: true };
    expect([status, events]).toMatchObject([200, [{ audience: "everyone", event }]]);
    expect((await w.queue("mel")).state.realm_two_step_required).toBe(true);
    // Existing sessions stay open.
    expect((await before.ask("GET", "/json/users/me")).status).toBe(200);
    expect((await w.as("mel").get(mine)).body.is_required).toBe(true);

    const browser = webClient(w.app);
    const { body, ...refused } = await login(browser);
    expect({ body, ...refused }).toMatchObject(toSetUp);
    expect(readQr(body.qr)).toBe(body.uri);
    expect(await login(browser, codeFor(w, body.secret, 4))).toMatchObject(wrong);
    expect(browser.cookies.size).toBe(0);
    const entered = await login(browser, codeFor(w, body.secret));
    expect(entered.body.recovery_codes).toHaveLength(10);
    expect((await browser.ask("GET", "/json/users/me")).body.full_name).toBe("Mel");
    // From now on, the usual second step is required.
    expect(await login(webClient(w.app))).toMatchObject(wanted);
    expect(await login(webClient(w.app), codeFor(w, body.secret))).toMatchObject(wrong);
  });

  test("is for owners, and recorded", async () => {
    const w = await withMel();
    for (const who of ["ada", "moss", "mel", "gus"] as const) {
      expect(await w.as(who).patch("/realm/two_step", { required: true })).toMatchObject({
        status: 400,
        events: [],
      });
    }
    expect(await w.as("olive").patch("/realm/two_step", { required: "perhaps" })).toMatchObject({
      status: 400,
      events: [],
    });
    await w.as("olive").patch("/realm/two_step", { required: true });
    await w.as("olive").patch("/realm/two_step", { required: true });
    const entries = listAudit(w.ctx("olive"), { limit: 9, event: "realm_setting_changed" });
    expect(entries.map(({ data }) => data)).toEqual([{ name: "two_step_required", from: false, to: true }]);
    await w.as("olive").patch("/realm/two_step", { required: false });
    expect((await login(webClient(w.app))).status).toBe(200);
  });

  test("asks new users to sign in, and set it up", async () => {
    const w = await withMel();
    await w.as("olive").patch("/realm/two_step", { required: true });
    const { body } = await w.as("olive").post("/invites/multiuse", { stream_ids: [], invite_as: 400 });
    const { pathname } = new URL(body.invite_link);
    const browser = webClient(w.app);
    const given = { full_name: "Ann New", email: "ann@example.com", password };
    const joined = await browser.ask("POST", pathname, given, { headers: page });
    expect([joined.status, joined.body]).toEqual([200, expect.stringContaining("Your account is made")]);
    expect(browser.cookies.size).toBe(0);
    expect(await browser.signIn("ann@example.com")).toMatchObject(toSetUp);
  });
});

describe("get-two-step-demand", () => {
  test("tells administrators how many people have not set it up", async () => {
    const w = await withMel();
    const state = async () => (await w.as("ada").get("/realm/two_step")).body;
    const { people_without } = await state();
    expect((await state()).required).toBe(false);
    await protect(w);
    expect((await state()).people_without).toBe(people_without - 1);
    expect((await w.as("max").get("/realm/two_step")).status).toBe(400);
  });
});

describe("what is kept of it", () => {
  test("the audit log has every change and its author", async () => {
    const w = await withMel();
    const first = await protect(w);
    w.clock.advance(60);
    await w.as("mel").post(`${mine}/recovery_codes`, { code: codeFor(w, first.secret) });
    w.clock.advance(60);
    await w.as("mel").delete(mine, { code: codeFor(w, first.secret) });
    await protect(w);
    await w.as("ada").delete(`/users/${w.user("mel").id}/two_step`);
    const about = { kind: "user", id: w.user("mel").id } as const;
    const entries = listAudit(w.ctx("ada"), { limit: 5, about }).map(({ event, actor_id }) => [
      event,
      actor_id,
    ]);
    const [ada, melId] = [w.user("ada").id, w.user("mel").id];
    expect(entries).toEqual([
      ["user_two_step_reset", ada],
      ["user_two_step_enabled", melId],
      ["user_two_step_disabled", melId],
      ["user_recovery_codes_replaced", melId],
      ["user_two_step_enabled", melId],
    ]);
    const log = JSON.stringify(listAudit(w.ctx("ada"), { limit: 50 }));
    expect(log).not.toContain(first.secret);
  });
});

const server: MailServer = await startMailServer();
afterAll(() => server.close());

describe("mails about two-step sign-in", () => {
  test("tell the person of each change, without a secret", async () => {
    const w = await withMel();
    setMailServer(w.app.env, { url: server.url, from: "noreply@chat.example.com" });
    await setServerOptions(w.app.system, { sends_mail: true });
    const mails = async () => {
      await runJob(w, "mail");
      return server.taken
        .splice(0)
        .map(({ to, mail }) => ({ to, subject: mail.subject, text: mail.text ?? "" }));
    };
    const { secret, recovery_codes } = await protect(w);
    const [on] = await mails();
    expect(on).toMatchObject({ to: mel, subject: "Two-step sign-in at Test Organization is on" });
    expect(on?.text).not.toContain(secret);
    for (const code of recovery_codes) expect(on?.text).not.toContain(code);

    w.clock.advance(60);
    await w.as("mel").post(`${mine}/recovery_codes`, { code: recovery_codes[0] });
    const both = await mails();
    expect(both.map(({ subject }) => subject)).toEqual([
      "A recovery code was used at Test Organization",
      "New recovery codes at Test Organization",
    ]);
    expect(both[0]?.text).toContain("9 recovery codes are left");
    await w.as("mel").delete(mine, { code: codeFor(w, secret) });
    expect((await mails()).map(({ subject }) => subject)).toEqual([
      "Two-step sign-in at Test Organization is off",
    ]);
    w.clock.advance(60);
    await protect(w);
    await w.as("ada").delete(`/users/${w.user("mel").id}/two_step`);
    expect((await mails()).map(({ subject }) => subject)).toEqual([
      "Two-step sign-in at Test Organization is on",
      "Two-step sign-in at Test Organization was reset",
    ]);
  });
});
