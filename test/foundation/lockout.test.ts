// A stranger who guesses stops nobody else: at every door, guesses are counted by account and network, and anyone who is known by
// more than a name has a count of their own.
import { describe, expect, test } from "bun:test";
import { generateSync } from "otplib";
import { setServerOptions } from "@/foundation/realm-administration/actions.ts";
import { makeResetLink } from "@/foundation/recovery/actions.ts";
import { makeLoginLink } from "@/foundation/sessions/actions-links.ts";
import { givePassword, password, signedIn, webClient } from "../support/web-session.ts";
import { type World, world } from "../support/world.ts";

const mel = "mel@example.com";
const stranger = "198.51.100.66";
const office = "203.0.113.7";
const limited = { status: 429, body: { code: "RATE_LIMIT_HIT" } };

async function scene(): Promise<World> {
  const w = world({ isProxy: (address) => address === "local" });
  await givePassword(w, "mel");
  return w;
}

const login = (w: World, from: string, secret = password, username = mel) =>
  webClient(w.app, { from }).signIn(username, secret);

const fetchKey = (w: World, from: string, secret = password) =>
  webClient(w.app, { from }).ask("POST", "/api/v1/fetch_api_key", { username: mel, password: secret });

/** Wrong passwords for an account from one network. */
async function guess(w: World, from: string, times = 5, username = mel): Promise<void> {
  for (let n = 0; n < times; n++)
    expect(await login(w, from, "guessed", username)).toMatchObject({ status: 401 });
}

/** As many as all strangers together may guess, each from a network of its own. */
async function guessFromEverywhere(w: World): Promise<void> {
  for (let n = 0; n < 20; n++) await guess(w, `198.51.100.${n}`);
}

describe("wrong passwords", () => {
  test("block the account for their network alone, at both doors", async () => {
    const w = await scene();
    await guess(w, stranger);
    expect(await login(w, stranger)).toMatchObject(limited);
    expect(await fetchKey(w, stranger)).toMatchObject(limited);
    expect(await login(w, office)).toMatchObject({ status: 200 });
    expect(await fetchKey(w, office)).toMatchObject({ status: 200 });
  });

  test("count by the /64 network of IPv6, and the mapped form of IPv4 as IPv4", async () => {
    const w = await scene();
    await guess(w, "2001:db8:1:2::5");
    expect(await login(w, "2001:db8:1:2:ffff::9")).toMatchObject(limited);
    expect(await login(w, "2001:db8:1:3::5")).toMatchObject({ status: 200 });
    await guess(w, `::ffff:${stranger}`);
    expect(await login(w, stranger)).toMatchObject(limited);
  });

  test("from many networks are limited together, and stop nobody who is known", async () => {
    const w = await scene();
    const browser = await signedIn(w, "mel", { from: office });
    await browser.ask("POST", "/logout");
    expect([...browser.cookies.keys()]).toEqual(["__Host-knownbrowser"]);
    await guessFromEverywhere(w);
    expect(await login(w, "203.0.113.8")).toMatchObject(limited);
    expect(await fetchKey(w, "203.0.113.8")).toMatchObject(limited);

    // The network from which the person has signed in.
    expect(await login(w, office)).toMatchObject({ status: 200 });
    // The person in their account.
    const new_password = "staple of another kind";
    const changed = await w.as("mel").patch("/settings", { old_password: password, new_password: password });
    expect(changed).toMatchObject({ status: 200 });
    expect(await w.as("mel").post("/users/me/two_step", { password })).toMatchObject({ status: 200 });
    // A link for a new password, which can be used where it was chosen.
    const { path } = await makeResetLink(w.ctx("olive"), w.user("mel").id);
    const chosen = webClient(w.app, { from: "203.0.113.9" });
    expect(await chosen.ask("POST", path, { password: new_password })).toMatchObject({ status: 200 });
    expect(await chosen.signIn(mel, new_password)).toMatchObject({ status: 200 });
    w.clock.advance(1801);
    expect(await login(w, "203.0.113.8", new_password)).toMatchObject({ status: 200 });
  });

  test("from many networks are limited for a name without an account, too", async () => {
    const w = await scene();
    for (let n = 0; n < 20; n++) await guess(w, `192.0.2.${n}`, 5, "nobody@example.com");
    expect(await login(w, office, "guessed", "nobody@example.com")).toMatchObject(limited);
  });

  test("from one network do not use up what others may try, however often it is refused", async () => {
    const w = await scene();
    await guess(w, stranger);
    for (let n = 0; n < 120; n++) expect(await login(w, stranger)).toMatchObject(limited);
    expect(await login(w, office)).toMatchObject({ status: 200 });
  });
});

describe("a browser that signed in before", () => {
  test("signs in whatever others try in its network, and has a limit of its own", async () => {
    const w = await scene();
    const browser = await signedIn(w, "mel", { from: office });
    await browser.ask("POST", "/logout");
    await guess(w, office);
    for (let n = 0; n < 25; n++) await login(w, office, "guessed", `${n}@example.com`);
    expect(await login(w, office, "guessed", "more@example.com")).toMatchObject(limited);

    expect(await browser.signIn(mel)).toMatchObject({ status: 200 });
    await browser.ask("POST", "/logout");
    for (let n = 0; n < 5; n++) expect(await browser.signIn(mel, "wrong")).toMatchObject({ status: 401 });
    expect(await browser.signIn(mel)).toMatchObject(limited);
  });

  test("is known for those who signed in in it alone, by a token that is stored as a hash and changes", async () => {
    const w = await scene();
    await givePassword(w, "max");
    const browser = await signedIn(w, "mel", { from: office });
    const first = browser.cookies.get("__Host-knownbrowser") ?? "";
    expect(first).toMatch(/^\w{32}$/);
    expect(JSON.stringify(w.app.env.db.all("SELECT hex(hash) AS hash FROM known_browsers"))).not.toContain(
      first,
    );
    await browser.ask("POST", "/logout");
    await guess(w, office, 5, "max@example.com");
    expect(await browser.signIn("max@example.com")).toMatchObject(limited);
    w.clock.advance(1801);
    expect(await browser.signIn("max@example.com")).toMatchObject({ status: 200 });
    expect(browser.cookies.get("__Host-knownbrowser")).not.toBe(first);
    await browser.ask("POST", "/logout");
    // Both are known now, and who planted or stole the first token has nothing.
    await guess(w, office);
    const thief = webClient(w.app, { from: office });
    thief.cookies.set("__Host-knownbrowser", first);
    expect(await thief.signIn(mel)).toMatchObject(limited);
    expect(await browser.signIn(mel)).toMatchObject({ status: 200 });
  });

  test("sets a cookie that scripts, other sites and plain HTTP cannot read", async () => {
    const { headers } = await login(await scene(), office);
    const cookie = headers.getSetCookie().find((one) => one.startsWith("__Host-knownbrowser=")) ?? "";
    expect(cookie.toLowerCase().split("; ")).toEqual(
      expect.arrayContaining(["path=/", "secure", "httponly", "samesite=lax", `max-age=${365 * 86_400}`]),
    );
  });

  test("is forgotten after a year, with a new password, and when the person signs all others out", async () => {
    const w = await scene();
    const [mine, other] = [
      await signedIn(w, "mel", { from: office }),
      await signedIn(w, "mel", { from: office }),
    ];
    const isKnown = async (browser: typeof mine) => {
      const { status } = await browser.signIn(mel);
      return status === 200;
    };
    await mine.ask("DELETE", "/json/users/me/sessions");
    await guess(w, office);
    expect([await isKnown(other), await isKnown(mine)]).toEqual([false, true]);
    await givePassword(w, "mel");
    expect(await isKnown(mine)).toBe(false);
    w.clock.advance(1801);
    expect(await isKnown(mine)).toBe(true);
    w.clock.advance(365 * 86_400);
    await guess(w, office);
    expect(await isKnown(mine)).toBe(false);
  });
});

describe("links", () => {
  test("work however many passwords and links were guessed from the same network", async () => {
    const w = await scene();
    const { path: toSignIn } = await makeLoginLink(w.ctx("olive"), w.user("mel").id);
    const { path: toReset } = await makeResetLink(w.ctx("olive"), w.user("mel").id);
    const { invite_link } = (await w.as("ada").post("/invites/multiuse", {})).body;
    const toJoin = new URL(invite_link).pathname;
    for (let n = 0; n < 30; n++) await login(w, office, "guessed", `${n}@example.com`);
    expect(await login(w, office, "guessed", "more@example.com")).toMatchObject(limited);
    const anyone = webClient(w.app, { from: office });
    for (const door of ["/join/", "/login/link/", "/password/reset/"])
      for (let n = 0; n < 11; n++) await anyone.ask("GET", `${door}guessed${n}`);
    expect(await anyone.ask("GET", "/password/reset/guessed")).toMatchObject(limited);

    for (const path of [toSignIn, toReset, toJoin])
      expect(await anyone.ask("GET", path)).toMatchObject({ status: 200 });
    expect(await webClient(w.app, { from: office }).ask("POST", toSignIn)).toMatchObject({ status: 200 });
    const person = { full_name: "Ann", email: "ann@example.org", password: "four unrelated words" };
    expect(await webClient(w.app, { from: office }).ask("POST", toJoin, person)).toMatchObject({
      status: 200,
    });
    const chosen = webClient(w.app, { from: office });
    expect(await chosen.ask("POST", toReset, { password: "staple of another kind" })).toMatchObject({
      status: 200,
    });
    // The new password can be used where it was chosen.
    expect(await chosen.signIn(mel, "staple of another kind")).toMatchObject({ status: 200 });
  });
});

describe("codes of the second step", () => {
  const codeFor = (w: World, secret: string) => generateSync({ secret, epoch: w.clock.now() });

  test("that somebody with the password guesses do not stop the person elsewhere", async () => {
    const w = await scene();
    const { secret } = (await w.as("mel").post("/users/me/two_step", { password })).body;
    await w.as("mel").post("/users/me/two_step/confirm", { code: codeFor(w, secret) });
    w.clock.advance(60);
    const signIn = (from: string, code: string) =>
      webClient(w.app, { from }).ask("POST", "/login", { username: mel, password, code });
    for (let n = 0; n < 5; n++) expect((await signIn(stranger, "000000")).body.code).toBe("WRONG_CODE");
    expect(await signIn(stranger, codeFor(w, secret))).toMatchObject(limited);
    expect(await signIn(office, codeFor(w, secret))).toMatchObject({ status: 200 });
    w.clock.advance(60);
    const { path } = await makeLoginLink(w.ctx("olive"), w.user("mel").id);
    for (let n = 0; n < 5; n++)
      await webClient(w.app, { from: stranger }).ask("POST", path, { code: "000000" });
    const code = codeFor(w, secret);
    expect(await webClient(w.app, { from: office }).ask("POST", path, { code })).toMatchObject({
      status: 200,
    });
  });

  test("are limited from all networks together, and asking for one ends no count", async () => {
    const w = await scene();
    const { secret } = (await w.as("mel").post("/users/me/two_step", { password })).body;
    await w.as("mel").post("/users/me/two_step/confirm", { code: codeFor(w, secret) });
    w.clock.advance(60);
    const signIn = (from: string, code?: string) =>
      webClient(w.app, { from }).ask("POST", "/login", { username: mel, password, ...(code && { code }) });
    for (let n = 0; n < 30; n++) {
      const from = `198.51.100.${n % 6}`;
      expect((await signIn(from)).body.code).toBe("TWO_STEP_REQUIRED");
      expect((await signIn(from, "000000")).body.code).toBe("WRONG_CODE");
    }
    expect(await signIn(office, codeFor(w, secret))).toMatchObject(limited);
  });

  test("are limited from all networks together for who has a link, and for who has a session, apart", async () => {
    const w = await scene();
    const browser = await signedIn(w, "mel", { from: office });
    const { secret } = (await w.as("mel").post("/users/me/two_step", { password })).body;
    await w.as("mel").post("/users/me/two_step/confirm", { code: codeFor(w, secret) });
    w.clock.advance(60);
    const { path } = await makeLoginLink(w.ctx("olive"), w.user("mel").id);
    const follow = (from: string, code: string) => webClient(w.app, { from }).ask("POST", path, { code });
    for (let n = 0; n < 30; n++)
      expect((await follow(`198.51.100.${n % 6}`, "000000")).body.code).toBe("WRONG_CODE");
    expect(await follow(office, codeFor(w, secret))).toMatchObject(limited);
    const end = (from: string, code: string) =>
      browser.ask("DELETE", "/json/users/me/two_step", { code }, { headers: { "x-forwarded-for": from } });
    for (let n = 0; n < 5; n++) expect((await end(`198.51.100.${n}`, "000000")).body.code).toBe("WRONG_CODE");
    expect(await end(office, codeFor(w, secret))).toMatchObject(limited);
    const signIn = { username: mel, password, code: codeFor(w, secret) };
    expect(await webClient(w.app, { from: office }).ask("POST", "/login", signIn)).toMatchObject({
      status: 200,
    });
  });
});

describe("asking for a new password", () => {
  test("is limited for those who ask too often, and not for a browser that signed in before", async () => {
    const w = await scene();
    await setServerOptions(w.app.system, { sends_mail: true });
    const browser = await signedIn(w, "mel", { from: office });
    const ask = (client = webClient(w.app, { from: office })) =>
      client.ask("POST", "/password/reset", { email: mel });
    const asStranger = (from: string) => ask(webClient(w.app, { from }));
    for (let n = 0; n < 3; n++) expect(await asStranger(stranger)).toMatchObject({ status: 200 });
    expect(await asStranger(stranger)).toMatchObject(limited);
    expect(await ask()).toMatchObject({ status: 200 });
    for (let n = 0; n < 6; n++) expect(await asStranger(`192.0.2.${n}`)).toMatchObject({ status: 200 });
    expect(await asStranger("192.0.2.100")).toMatchObject(limited);
    for (let n = 0; n < 3; n++) expect(await ask(browser)).toMatchObject({ status: 200 });
    expect(await ask(browser)).toMatchObject(limited);
  });
});
