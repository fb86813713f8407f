// Changing one's own address on a server that sends mail: a link to the new address confirms it.
import { afterAll, describe, expect, test } from "bun:test";
import { generateSync } from "otplib";
import { getAddressProof } from "@/foundation/address-proofs/queries.ts";
import { setMailServer } from "@/foundation/mail/host.ts";
import { setServerOptions } from "@/foundation/realm-administration/actions.ts";
import { runJob } from "../support/jobs.ts";
import type { Json } from "../support/requests.ts";
import { type MailServer, startMailServer, type Taken } from "../support/smtp.ts";
import { givePassword, password, signedIn, webClient } from "../support/web-session.ts";
import { type World, world } from "../support/world.ts";

const server: MailServer = await startMailServer();
afterAll(() => server.close());

const fresh = "melanie@example.com";
const page = { headers: { accept: "text/html" } };

interface Scene extends World {
  mails(): Promise<Taken[]>;
  /** The path of the link in the mail to the new address. */
  link(): Promise<string>;
}

async function scene(): Promise<Scene> {
  const w = world();
  setMailServer(w.app.env, { url: server.url, from: "noreply@chat.example.com" });
  await setServerOptions(w.app.system, { sends_mail: true });
  await givePassword(w, "mel");
  server.taken.length = 0;
  const mails = async () => {
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    await runJob(w, "mail");
    return server.taken.splice(0);
  };
  // What is mailed about the password is none of the test's.
  await mails();
  return {
    ...w,
    mails,
    async link() {
      const texts = (await mails()).map(({ mail }) => mail.text ?? "");
      const found = texts.flatMap((text) => /https:\S+(\/address\/confirm\/\w{32})/.exec(text)?.[1] ?? []);
      expect(found).toHaveLength(1);
      return found[0] ?? "";
    },
  };
}

const addressOf = (w: World) =>
  w.app.env.db.get<{ a: string }>("SELECT delivery_email AS a FROM users WHERE id = ?", w.user("mel").id)?.a;
const confirm = (w: World, path: string, given: Json = {}) => webClient(w.app).ask("POST", path, given);
const byKey = (w: World, email = fresh) => w.as("mel").patch("/settings", { email });

async function bySession(w: World, email = fresh) {
  const browser = await signedIn(w, "mel");
  const answer = await browser.ask("PATCH", "/json/settings", { email });
  expect(answer.status).toBe(200);
  return browser;
}

describe("confirm-address", () => {
  test("is taken once its link is followed, and then counts as proved; the old address is told", async () => {
    const w = await scene();
    const before = w.events.length;
    const browser = await bySession(w);
    expect(w.events.slice(before)).toEqual([]);
    expect(addressOf(w)).toBe("mel@example.com");
    expect((await browser.ask("GET", "/json/users/me/address")).body).toMatchObject({
      email: "mel@example.com",
      changes_by: "mail",
      change: { email: fresh, expires_at: w.clock.now() + 86_400 },
    });
    const [taken, ...others] = await w.mails();
    expect([taken?.to, taken?.mail.subject, others]).toEqual([
      fresh,
      "Confirm your new address at Test Organization",
      [],
    ]);
    const path = new URL(/https:\S+\/address\/confirm\/\w{32}/.exec(taken?.mail.text ?? "")?.[0] ?? "none:");
    const key = path.pathname.split("/").at(-1) ?? "";
    expect(
      JSON.stringify(w.app.env.db.all("SELECT hex(hash) AS h, address FROM address_changes")),
    ).not.toContain(key);
    // Programs open links for previews: that changes nothing.
    const shown = await webClient(w.app).ask("GET", path.pathname, {}, page);
    expect(shown.body).toContain(
      "The account of Mel, mel@example.com, gets the address melanie@example.com.",
    );
    expect(shown.body).not.toContain('type="password"');
    expect(addressOf(w)).toBe("mel@example.com");

    const from = w.events.length;
    const done = await webClient(w.app).ask("POST", path.pathname, {}, page);
    expect([done.status, done.body]).toEqual([
      200,
      expect.stringContaining("sign in as melanie@example.com"),
    ]);
    expect(w.events.slice(from).map(({ event }) => event.person)).toEqual([
      { user_id: w.user("mel").id, new_email: fresh },
      { user_id: w.user("mel").id, delivery_email: fresh },
    ]);
    expect(addressOf(w)).toBe(fresh);
    expect(getAddressProof(w.ctx("ada"), w.user("mel").id)?.kind).toBe("mail");
    expect((await w.mails()).map(({ to }) => to)).toEqual(["mel@example.com", fresh]);
    expect((await confirm(w, path.pathname)).status).toBe(404);
  });

  test("does not give a member the account that another person's single sign-on would enter", async () => {
    const w = await scene();
    await bySession(w, "chief@example.com");
    expect(addressOf(w)).toBe("mel@example.com");
    expect((await w.mails()).map(({ to }) => to)).toEqual(["chief@example.com"]);
  });

  test.each([
    ["after a day", async (w: World) => w.clock.advance(86_401)],
    ["once another was asked for", async (w: World) => void (await bySession(w, "other@example.com"))],
    [
      "once the password is another one",
      async (w: World) => {
        const changed = { old_password: password, new_password: "another long horse" };
        expect((await w.as("mel").patch("/settings", changed)).status).toBe(200);
      },
    ],
    [
      "once it is taken back",
      async (w: World) => {
        expect((await w.as("mel").delete("/users/me/address")).status).toBe(200);
        expect((await w.as("mel").get("/users/me/address")).body.change).toBeNull();
        expect((await w.as("mel").delete("/users/me/address")).status).toBe(400);
      },
    ],
    [
      "once an owner gives another one",
      async (w: World) => {
        const given = { new_email: "given@example.com" };
        expect((await w.as("olive").patch(`/users/${w.user("mel").id}`, given)).status).toBe(200);
      },
    ],
    [
      "once the account is deactivated",
      async (w: World) => {
        expect((await w.as("ada").delete(`/users/${w.user("mel").id}`)).status).toBe(200);
        expect((await w.as("ada").post(`/users/${w.user("mel").id}/reactivate`)).status).toBe(200);
      },
    ],
  ])("has a link that no longer works %s", async (_, happens) => {
    const w = await scene();
    await bySession(w);
    const path = await w.link();
    await happens(w);
    const before = addressOf(w);
    const answer = await confirm(w, path);
    expect([answer.status, answer.body.msg]).toEqual([404, expect.stringContaining("no longer works")]);
    expect(addressOf(w)).toBe(before);
  });

  test("is refused if it is taken, when it is asked for and when it is confirmed", async () => {
    const w = await scene();
    expect(await byKey(w, "MAX@example.com")).toMatchObject({ status: 400, events: [] });
    await bySession(w);
    const path = await w.link();
    await w.as("ada").post("/users", { email: fresh, full_name: "Other", password });
    const answer = await confirm(w, path);
    expect([answer.status, answer.body.msg]).toEqual([400, `Email '${fresh}' already in use`]);
    expect(addressOf(w)).toBe("mel@example.com");
  });

  test("limits guesses at links", async () => {
    const w = await scene();
    const guess = () => confirm(w, `/address/confirm/${"x".repeat(32)}`);
    for (let n = 0; n < 30; n++) expect((await guess()).status).toBe(404);
    expect((await guess()).status).toBe(429);
  });
});

describe("a new address that is asked for with an API key", () => {
  test("is answered with success, but a thief of the key cannot take the account over", async () => {
    const w = await scene();
    expect(await byKey(w, "thief@example.com")).toMatchObject({ status: 200, events: [] });
    const path = await w.link();
    const shown = await webClient(w.app).ask("GET", path, {}, page);
    expect(shown.body).toContain('type="password"');
    for (const given of [{}, { password: "a guess" }]) {
      expect((await confirm(w, path, given)).status).toBeGreaterThanOrEqual(400);
      expect(addressOf(w)).toBe("mel@example.com");
    }
    const other = webClient(w.app);
    await givePassword(w, "max");
    await other.signIn("max@example.com");
    await w.mails();
    expect((await other.ask("POST", path)).status).toBe(400);
    await webClient(w.app).ask("POST", "/password/reset", { email: "thief@example.com" });
    expect(await w.mails()).toEqual([]);
    expect(addressOf(w)).toBe("mel@example.com");
  });

  test("is confirmed by the link and the password, or by a browser that is signed in", async () => {
    const w = await scene();
    await byKey(w);
    const answer = await confirm(w, await w.link(), { password });
    expect([answer.status, answer.body.email, addressOf(w)]).toEqual([200, fresh, fresh]);
    await w.mails();
    await w.login(fresh, w.user("mel").key).patch("/settings", { email: "third@example.com" });
    const browser = webClient(w.app);
    await browser.signIn(fresh);
    const path = await w.link();
    expect((await browser.ask("POST", path)).status).toBe(200);
    expect(addressOf(w)).toBe("third@example.com");
  });

  test("is confirmed by the link alone if the request gave the password", async () => {
    const w = await scene();
    const given = { email: fresh, old_password: password };
    expect(await w.as("mel").patch("/settings", given)).toMatchObject({ status: 200, events: [] });
    expect((await confirm(w, await w.link())).status).toBe(200);
    expect(addressOf(w)).toBe(fresh);
  });

  test("needs the code of two-step sign-in, too, where that is on", async () => {
    const w = await scene();
    const { secret } = (await w.as("mel").post("/users/me/two_step", { password })).body;
    const code = () => generateSync({ secret, epoch: w.clock.now() });
    expect((await w.as("mel").post("/users/me/two_step/confirm", { code: code() })).status).toBe(200);
    w.clock.advance(30);
    await w.mails();
    await byKey(w);
    const path = await w.link();
    const refused = await webClient(w.app).ask("POST", path, { password }, page);
    expect(refused.body).toContain('name="code"');
    expect(addressOf(w)).toBe("mel@example.com");
    expect((await confirm(w, path, { password, code: code() })).status).toBe(200);
    expect(addressOf(w)).toBe(fresh);
  });
});

describe("get-own-address", () => {
  test("says what a change takes, and is for the person alone", async () => {
    const w = await scene();
    expect((await w.as("max").get("/users/me/address")).body).toMatchObject({
      email: "max@example.com",
      is_proved: true,
      changes_by: "mail",
      change: null,
    });
    await byKey(w);
    expect((await w.as("max").get("/users/me/address")).body.change).toBeNull();
    expect((await w.as("mel").get("/users/me/address")).body.change.email).toBe(fresh);
    expect((await w.anonymous.get("/users/me/address")).status).toBe(401);
  });
});

describe("cancel-address-change", () => {
  test("ends the actor's change alone", async () => {
    const w = await scene();
    await byKey(w);
    expect((await w.as("max").delete("/users/me/address")).body.msg).toBe(
      "No new address waits to be confirmed.",
    );
    expect(await w.as("mel").delete("/users/me/address")).toMatchObject({ status: 200, events: [] });
    expect((await confirm(w, await w.link(), { password })).status).toBe(404);
  });
});

describe("get-address-confirmation", () => {
  test("tells programs whose address it is, and changes nothing", async () => {
    const w = await scene();
    await byKey(w);
    const { status, body } = await webClient(w.app).ask("GET", await w.link());
    expect([status, body]).toMatchObject([
      200,
      { full_name: "Mel", email: "mel@example.com", new_email: fresh, needs_password: true },
    ]);
    expect(addressOf(w)).toBe("mel@example.com");
  });
});
