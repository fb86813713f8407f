// A session that has been open for a while is asked who uses it before it hands out what opens the account.
import { afterAll, describe, expect, test } from "bun:test";
import { generateSync } from "otplib";
import { setMailServer } from "@/foundation/mail/host.ts";
import { setServerOptions } from "@/foundation/realm-administration/actions.ts";
import { makeLoginLink } from "@/foundation/sessions/actions-links.ts";
import { runJob } from "../support/jobs.ts";
import type { Method, Params } from "../support/requests.ts";
import { startMailServer, type Taken } from "../support/smtp.ts";
import { givePassword, password, signedIn, type WebClient, webClient } from "../support/web-session.ts";
import { type CastName, type World, world } from "../support/world.ts";

const server = await startMailServer();
afterAll(() => server.close());

const refusal = {
  status: 403,
  body: { code: "PROOF_REQUIRED", msg: "Show first that it is you, and try again." },
};

/** A browser that signed in ten minutes ago. */
async function longSignedIn(w: World, name: CastName): Promise<WebClient> {
  await givePassword(w, name);
  const browser = await signedIn(w, name);
  w.clock.advance(600);
  return browser;
}

/** A browser of somebody without a password, who came by a link. */
async function longWithoutPassword(w: World, name: CastName): Promise<WebClient> {
  const { path } = await makeLoginLink(w.ctx("olive"), w.user(name).id);
  const browser = webClient(w.app);
  await browser.ask("POST", path);
  w.clock.advance(600);
  return browser;
}

async function mailing(w: World): Promise<() => Promise<Taken[]>> {
  setMailServer(w.app.env, { url: server.url, from: "noreply@chat.example.com" });
  await setServerOptions(w.app.system, { sends_mail: true });
  return async () => {
    await runJob(w, "mail");
    return server.taken.splice(0);
  };
}

const proof = "/json/users/me/proof";
const rotate = (browser: WebClient) => browser.ask("POST", "/json/users/me/api_key/regenerate");

describe("ten minutes after signing in, a session", () => {
  const asked: [what: string, who: CastName, request: (w: World) => readonly [Method, string, Params?]][] = [
    ["making a key", "mel", () => ["POST", "/users/me/api_key/regenerate"]],
    ["making a key of one's bot", "mel", (w) => ["POST", `/bots/${w.user("bolt").id}/api_key/regenerate`]],
    ["changing the address", "mel", () => ["PATCH", "/settings", { email: "melody@example.com" }]],
    [
      "changing somebody's address",
      "olive",
      (w) => ["PATCH", `/users/${w.user("max").id}`, { new_email: "maxim@example.com" }],
    ],
  ];
  test.each(asked)("is asked before %s, and goes on after the password", async (_, who, request) => {
    const w = world();
    await setServerOptions(w.app.system, { sends_mail: true });
    const browser = await longSignedIn(w, who);
    const [method, path, params] = request(w);
    const ask = () => browser.ask(method, `/json${path}`, params);
    expect(await ask()).toMatchObject(refusal);
    expect((await w.as("bolt").get("/users/me")).status).toBe(200);
    expect((await browser.ask("POST", proof, { password })).status).toBe(200);
    expect((await ask()).status).toBe(200);
    w.clock.advance(600);
    expect((await rotate(browser)).body.code).toBe("PROOF_REQUIRED");
  });

  test("is not asked before that, nor for what opens nothing", async () => {
    const w = world();
    await givePassword(w, "mel");
    const browser = await signedIn(w, "mel");
    w.clock.advance(599);
    expect((await rotate(browser)).status).toBe(200);
    w.clock.advance(1);
    expect((await browser.ask("PATCH", "/json/settings", { full_name: "Melody" })).status).toBe(200);
    const same = { email: "mel@example.com" };
    expect((await browser.ask("PATCH", "/json/settings", same)).status).toBe(200);
    const { keys } = (await browser.ask("GET", "/json/users/me/keys")).body;
    expect((await browser.ask("DELETE", `/json/users/me/keys/${keys[0].id}`)).status).toBe(200);
  });

  test("is asked before a second factor is set up, replaced or turned off", async () => {
    const w = world();
    const browser = await longSignedIn(w, "mel");
    const path = "/json/users/me/two_step";
    // Setting it up takes the password itself.
    const { secret } = (await browser.ask("POST", path, { password })).body;
    const code = () => generateSync({ secret, epoch: w.clock.now() });
    expect((await browser.ask("POST", `${path}/confirm`, { code: code() })).status).toBe(200);
    w.clock.advance(60);
    expect(await browser.ask("POST", `${path}/recovery_codes`, { code: code() })).toMatchObject(refusal);
    expect(await browser.ask("DELETE", path, { code: code() })).toMatchObject(refusal);
    await browser.ask("POST", proof, { password });
    expect((await browser.ask("DELETE", path, { code: code() })).status).toBe(200);

    const olive = await longSignedIn(w, "olive");
    const others = `/json/users/${w.user("mel").id}/two_step`;
    expect(await olive.ask("DELETE", others)).toMatchObject(refusal);
  });

  test("without a password is asked before it sets up a second factor, or a first password", async () => {
    const w = world();
    const browser = await longWithoutPassword(w, "mel");
    expect(await browser.ask("POST", "/json/users/me/two_step")).toMatchObject(refusal);
    const first = { new_password: password };
    expect(await browser.ask("PATCH", "/json/settings", first)).toMatchObject(refusal);
    expect(await browser.ask("PATCH", "/json/users/me/password", first)).toMatchObject(refusal);
  });

  test("changes the address with the password in the same request", async () => {
    const w = world();
    const browser = await longSignedIn(w, "mel");
    const change = {
      email: "melody@example.com",
      old_password: password,
      new_password: "staple of another kind",
    };
    expect((await browser.ask("PATCH", "/json/settings", change)).status).toBe(200);
  });

  test("is asked even if the request names a key, which a session's path does not read", async () => {
    const w = world();
    const browser = await longSignedIn(w, "mel");
    const headers = { authorization: `Basic ${btoa(`mel@example.com:${w.user("mel").key}`)}` };
    const path = "/json/users/me/api_key/regenerate";
    expect(await browser.ask("POST", path, {}, { headers })).toMatchObject(refusal);
  });
});

test("an API key is never asked", async () => {
  const w = world();
  await givePassword(w, "mel");
  w.clock.advance(86_400);
  const change = { email: "melody@example.com", old_password: password };
  expect((await w.as("mel").patch("/settings", change)).status).toBe(200);
  const renamed = w.login("melody@example.com", w.user("mel").key);
  expect((await renamed.post("/users/me/api_key/regenerate")).status).toBe(200);
});

describe("get-proof", () => {
  test("says whether one is needed, and by what", async () => {
    const w = world();
    const browser = await longSignedIn(w, "mel");
    const by = { password: true, providers: [], mail: false };
    expect((await browser.ask("GET", proof)).body).toMatchObject({ is_needed: true, ...by });
    await browser.ask("POST", proof, { password });
    expect((await browser.ask("GET", proof)).body).toMatchObject({ is_needed: false, ...by });
    expect((await w.as("mel").get("/users/me/proof")).body).toMatchObject({ is_needed: false, ...by });
  });

  test("names nothing where the server sends no mail: then the operator can help", async () => {
    const w = world();
    const browser = await longWithoutPassword(w, "mel");
    const nothing = { is_needed: true, password: false, providers: [], mail: false };
    expect((await browser.ask("GET", proof)).body).toMatchObject(nothing);
    expect((await browser.ask("POST", `${proof}/mail`)).status).toBe(400);
    const { path } = await makeLoginLink(w.ctx("olive"), w.user("mel").id);
    await browser.ask("POST", path);
    expect((await rotate(browser)).status).toBe(200);
  });
});

describe("give-proof", () => {
  test("counts for this session alone", async () => {
    const w = world();
    const browser = await longSignedIn(w, "mel");
    const other = await signedIn(w, "mel");
    w.clock.advance(600);
    await browser.ask("POST", proof, { password });
    await other.ask("POST", proof, { password: "wrong" });
    expect(await rotate(other)).toMatchObject(refusal);
    expect((await rotate(browser)).status).toBe(200);
  });

  test("refuses a wrong password, and after five of them the right one", async () => {
    const w = world();
    const browser = await longSignedIn(w, "mel");
    for (let n = 0; n < 5; n++) {
      const answer = await browser.ask("POST", proof, { password: `guess ${n}` });
      expect(answer).toMatchObject({ status: 400, body: { msg: "Wrong password!" } });
    }
    expect((await browser.ask("POST", proof, { password })).status).toBe(429);
    expect(await rotate(browser)).toMatchObject(refusal);
  });

  test.each([
    ["nothing", {}, "Give either the password or the code from the mail."],
    ["both", { password, code: "x" }, "Give either the password or the code from the mail."],
    [
      "a code where none was mailed",
      { code: "ABCD-EFGH" },
      "This code is not right, or older than ten minutes.",
    ],
  ])("refuses %s", async (_, params, msg) => {
    const w = world();
    const browser = await longSignedIn(w, "mel");
    expect(await browser.ask("POST", proof, params)).toMatchObject({ status: 400, body: { msg } });
    expect(await rotate(browser)).toMatchObject(refusal);
  });

  test("is for browsers", async () => {
    const w = world();
    await givePassword(w, "mel");
    const msg = "Only browsers that are signed in have to show who uses them.";
    expect(await w.as("mel").post("/users/me/proof", { password })).toMatchObject({
      status: 400,
      body: { msg },
    });
  });
});

describe("mail-proof", () => {
  test("mails a code to somebody without a password, which works once within ten minutes", async () => {
    const w = world();
    const mails = await mailing(w);
    const browser = await longWithoutPassword(w, "mel");
    expect((await browser.ask("GET", proof)).body).toMatchObject({ password: false, mail: true });
    expect((await browser.ask("POST", `${proof}/mail`)).status).toBe(200);
    const sent = (await mails()).find(({ mail }) => mail.subject?.startsWith("Your code"));
    expect(sent?.to).toBe("mel@example.com");
    const code = /[2-9A-Z]{4}-[2-9A-Z]{4}/.exec(sent?.mail.text ?? "")?.[0] ?? "";

    expect((await browser.ask("POST", proof, { code: "2222-2222" })).body.code).toBe("WRONG_CODE");
    const other = await longWithoutPassword(w, "max");
    expect((await other.ask("POST", proof, { code })).body.code).toBe("WRONG_CODE");
    expect((await browser.ask("POST", proof, { code })).body.code).toBe("WRONG_CODE");

    await browser.ask("POST", `${proof}/mail`);
    const again = (await mails()).find(({ mail }) => mail.subject?.startsWith("Your code"));
    const newer = /[2-9A-Z]{4}-[2-9A-Z]{4}/.exec(again?.mail.text ?? "")?.[0] ?? "";
    const typed = ` ${newer.toLowerCase().replace("-", " ")} `;
    expect((await browser.ask("POST", proof, { code: typed })).status).toBe(200);
    expect((await rotate(browser)).status).toBe(200);
    expect((await browser.ask("POST", proof, { code: newer })).body.code).toBe("WRONG_CODE");
  });

  test("mails three an hour, and none to people with a password", async () => {
    const w = world();
    await mailing(w);
    const browser = await longWithoutPassword(w, "mel");
    for (let n = 0; n < 3; n++) expect((await browser.ask("POST", `${proof}/mail`)).status).toBe(200);
    expect((await browser.ask("POST", `${proof}/mail`)).status).toBe(429);
    const max = await longSignedIn(w, "max");
    expect((await max.ask("POST", `${proof}/mail`)).status).toBe(400);
  });
});

describe("mails tell", () => {
  const mailOf = (mails: Taken[], subject: string) => mails.find(({ mail }) => mail.subject === subject);

  test("of a changed password what has ended, and what to do", async () => {
    const w = world();
    const mails = await mailing(w);
    await givePassword(w, "mel");
    await mails();
    const change = { old_password: password, new_password: "staple of another kind" };
    await w.as("mel").patch("/users/me/password", { ...change, keep_other_devices: true });
    const subject = "Your password at Test Organization has changed";
    const kept = mailOf(await mails(), subject);
    expect(kept?.to).toBe("mel@example.com");
    expect(kept?.mail.text).toContain("stay signed in, as was chosen");
    await w.as("mel").patch("/settings", { old_password: change.new_password, new_password: password });
    const ended = mailOf(await mails(), subject)?.mail.text ?? "";
    expect(ended).toContain("All other browsers and apps that were signed in have to sign in again.");
    expect(ended).toContain("/password/reset");
    const wrong = await w.as("mel").patch("/settings", { old_password: "no", new_password: password });
    expect([wrong.status, (await mails()).length]).toEqual([400, 0]);
  });

  test("of a password and a key that an administrator made, and who did", async () => {
    const w = world();
    const mails = await mailing(w);
    const { setPassword, rotateKey } = await import("@/foundation/accounts/actions.ts");
    await setPassword(w.ctx("ada"), { user_id: w.user("mel").id, password });
    expect(mailOf(await mails(), "Your password at Test Organization has changed")?.mail.text).toContain(
      "was set by Ada",
    );
    await rotateKey(w.ctx("ada"), w.user("mel").id);
    expect(mailOf(await mails(), "A new API key at Test Organization")?.mail.text).toContain(
      "was made by Ada",
    );
  });

  test("of a new key of a person's own, but not of a bot's", async () => {
    const w = world();
    const mails = await mailing(w);
    await w.as("mel").post(`/bots/${w.user("bolt").id}/api_key/regenerate`);
    expect(await mails()).toEqual([]);
    await w.as("mel").post("/users/me/api_key/regenerate");
    const mail = mailOf(await mails(), "A new API key at Test Organization");
    expect(mail?.to).toBe("mel@example.com");
    expect(mail?.mail.text).toContain("end the key in the settings");
  });
});
