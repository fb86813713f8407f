// Whose account it is: how people's addresses are proved, and what single sign-on does where they are not.

import { afterAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { generateSync } from "otplib";
import { createUser } from "@/foundation/accounts/actions.ts";
import { setAddressProved } from "@/foundation/address-proofs/actions.ts";
import { getAddressProof } from "@/foundation/address-proofs/queries.ts";
import { listAudit } from "@/foundation/audit/queries.ts";
import { setMailServer } from "@/foundation/mail/host.ts";
import { setServerOptions } from "@/foundation/realm-administration/actions.ts";
import { makeResetLink } from "@/foundation/recovery/actions.ts";
import { runJob } from "../support/jobs.ts";
import { startProvider, type TestProvider } from "../support/oidc.ts";
import type { Json } from "../support/requests.ts";
import { proveAccount, signIn, signOnScene, whoIs } from "../support/sign-on.ts";
import { type MailServer, startMailServer } from "../support/smtp.ts";
import { givePassword, password, webClient } from "../support/web-session.ts";
import { type World, world } from "../support/world.ts";

const provider: TestProvider = await startProvider("https://chat.example.com");
const mailServer: MailServer = await startMailServer();
afterAll(() => {
  provider.close();
  mailServer.close();
});

const chief = { sub: "chief-1", email: "chief@example.com", email_verified: true, name: "The Chief" };
const asked = "There is an account with the address chief@example.com already";

async function scene(): Promise<World> {
  const w = await signOnScene(provider);
  provider.person = chief;
  return w;
}

async function sendsMail(w: World): Promise<void> {
  mailServer.taken.length = 0;
  setMailServer(w.app.env, { url: mailServer.url, from: "noreply@chat.example.com" });
  await setServerOptions(w.app.system, { sends_mail: true });
}

/** The path of the newest link in the mails to an address. */
async function mailedLink(w: World, to: string, about: RegExp): Promise<string> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
  await runJob(w, "mail");
  const taken = mailServer.taken.findLast((one) => one.to === to && about.test(one.mail.text ?? ""));
  return new URL(about.exec(taken?.mail.text ?? "")?.[0] ?? "none:").pathname;
}

const joined = async (w: World, path: string, email: string): Promise<Json> => {
  const person = { full_name: "Joan", email, password };
  const answer = await w.anonymous.request(path, { method: "POST", body: new URLSearchParams(person) });
  expect(answer.status).toBe(200);
  return (await answer.json()) as Json;
};

const openLink = async (w: World) =>
  new URL((await w.as("ada").post("/invites/multiuse")).body.invite_link).pathname;
const invite = (w: World, invitee_emails: string) =>
  w.as("ada").post("/invites", { invitee_emails, stream_ids: [] });
const proofOf = (w: World, id: number) => getAddressProof(w.ctx("ada"), id)?.kind ?? null;

describe("join-by-sign-on", () => {
  test("does not enter the account of somebody who joined by an open link under the address", async () => {
    const w = await scene();
    const { user_id } = await joined(w, await openLink(w), chief.email);
    const first = await signIn(w);
    expect([first.status, first.text]).toEqual([200, expect.stringContaining(asked)]);
    expect((await whoIs(first.browser)).code).toBe("UNAUTHORIZED");
    const wrong = await proveAccount(first.browser, { password: "a guess of the chief" });
    expect([wrong.status, wrong.text]).toEqual([403, expect.stringContaining("password is incorrect")]);
    expect((await whoIs(first.browser)).code).toBe("UNAUTHORIZED");
    expect(proofOf(w, user_id)).toBeNull();
    // Nor does it later.
    expect((await signIn(w)).text).toContain(asked);
  });

  test("does not enter the account of somebody who was given the address by an owner", async () => {
    const w = await scene();
    await givePassword(w, "mel");
    expect((await w.as("olive").patch(`/users/${w.user("mel").id}`, { new_email: chief.email })).status).toBe(
      200,
    );
    const { text, browser } = await signIn(w);
    expect(text).toContain(asked);
    expect((await whoIs(browser)).code).toBe("UNAUTHORIZED");
  });

  test("does not enter an account that an administrator prepared, and says who can help", async () => {
    const w = await scene();
    const made = await w.as("ada").post("/users", { ...personOf(chief.email), password });
    expect(made.status).toBe(200);
    expect((await signIn(w)).text).toContain(asked);
    const keyOnly = { email: "vice@example.com", full_name: "Vice" };
    await createUser(w.ctx("ada"), keyOnly);
    provider.person = { sub: "vice-1", email: keyOnly.email, email_verified: true };
    const { status, text, browser } = await signIn(w);
    expect([status, text]).toEqual([
      403,
      expect.stringContaining("confab user address vice@example.com --proved"),
    ]);
    expect((await whoIs(browser)).code).toBe("UNAUTHORIZED");
  });

  test("enters an unproved account by its password, and later without", async () => {
    const w = await scene();
    const { user_id } = await joined(w, await openLink(w), chief.email);
    const { browser } = await signIn(w);
    expect((await proveAccount(browser, { password })).location).toBe("/");
    expect((await whoIs(browser)).user_id).toBe(user_id);
    expect(proofOf(w, user_id)).toBe("provider");
    const again = await signIn(w);
    expect([again.location, (await whoIs(again.browser)).user_id]).toEqual(["/", user_id]);
    expect((await proveAccount(browser, { password })).status).toBe(403);
  });

  test("asks for the code of two-step sign-in after the password", async () => {
    const w = await scene();
    const made = await joined(w, await openLink(w), chief.email);
    const own = w.login(chief.email, made.api_key);
    const { secret } = (await own.post("/users/me/two_step", { password })).body;
    const codeNow = () => generateSync({ secret, epoch: w.clock.now() });
    expect((await own.post("/users/me/two_step/confirm", { code: codeNow() })).status).toBe(200);
    w.clock.advance(30);
    const { browser } = await signIn(w);
    expect((await proveAccount(browser, { code: codeNow() })).text).toContain("Is this your account?");
    expect((await proveAccount(browser, { password })).text).toContain("Enter your code");
    expect((await whoIs(browser)).code).toBe("UNAUTHORIZED");
    const wrong = await proveAccount(browser, { code: "000000" });
    expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining("This code is wrong")]);
    expect((await proveAccount(browser, { code: codeNow() })).location).toBe("/");
    expect((await whoIs(browser)).user_id).toBe(made.user_id);
  });

  test("limits guesses at the password as a login does, and forgets the sign-in after ten minutes", async () => {
    const w = await scene();
    await joined(w, await openLink(w), chief.email);
    const { browser } = await signIn(w);
    for (let i = 0; i < 5; i++)
      expect((await proveAccount(browser, { password: `guess ${i}` })).status).toBe(403);
    expect((await proveAccount(browser, { password })).status).toBe(429);
    expect((await webClient(w.app).signIn(chief.email)).status).toBe(429);
    w.clock.advance(1801);
    const late = await proveAccount(browser, { password });
    expect([late.status, late.text]).toEqual([403, expect.stringContaining("took longer than ten minutes")]);
    const other = await proveAccount(webClient(w.app), { password });
    expect([other.status, other.text]).toEqual([403, expect.stringContaining("another browser")]);
  });

  test("does not enter an account by an address that the server made up for it", async () => {
    const w = await scene();
    await w.as("mel").patch("/settings", { email_address_visibility: 4 });
    const email = `user${w.user("mel").id}@chat.example.com`;
    provider.person = { sub: "made-up", email, email_verified: true };
    const { status, browser } = await signIn(w);
    expect(status).toBe(403);
    expect((await whoIs(browser)).code).toBe("UNAUTHORIZED");
  });
});

describe("an address is proved", () => {
  test("by an invitation that was mailed to it, whose link nobody else sees", async () => {
    const w = await scene();
    await sendsMail(w);
    await invite(w, chief.email);
    const path = await mailedLink(w, chief.email, /https:\S+\/join\/\w{32}/);
    // Without a mail server, people pass links on; those that were mailed stay hidden.
    await setServerOptions(w.app.system, { sends_mail: false });
    expect((await w.as("ada").get("/invites")).body.invites[0].link_url).toBeUndefined();
    const { user_id } = await joined(w, path, chief.email);
    expect(proofOf(w, user_id)).toBe("invitation");
    const { browser } = await signIn(w);
    expect((await whoIs(browser)).user_id).toBe(user_id);
  });

  test("but not by an invitation that the inviter handed over, even if it is mailed later", async () => {
    const w = await scene();
    await invite(w, chief.email);
    const [one] = (await w.as("ada").get("/invites")).body.invites;
    await sendsMail(w);
    expect((await w.as("ada").post(`/invites/${one.id}/resend`)).status).toBe(200);
    const { user_id } = await joined(w, new URL(one.link_url).pathname, chief.email);
    expect(proofOf(w, user_id)).toBeNull();
    expect((await signIn(w)).text).toContain(asked);
  });

  test("nor by one that was mailed first, and handed over later", async () => {
    const w = await scene();
    await sendsMail(w);
    await invite(w, chief.email);
    await setServerOptions(w.app.system, { sends_mail: false });
    const [{ id }] = (await w.as("ada").get("/invites")).body.invites;
    expect((await w.as("ada").post(`/invites/${id}/resend`)).status).toBe(200);
    const { link_url } = (await w.as("ada").get("/invites")).body.invites[0];
    const { user_id } = await joined(w, new URL(link_url).pathname, chief.email);
    expect(proofOf(w, user_id)).toBeNull();
  });

  test("by the provider that made the account or signs in to it, and not by one that has another address", async () => {
    const w = await scene();
    await invite(w, chief.email);
    const { browser } = await signIn(w);
    const { user_id } = await whoIs(browser);
    expect(proofOf(w, user_id)).toBe("provider");
    await setAddressProved(w.app.system, { user_id, isProved: false });
    provider.person = { ...chief, email: "other@example.com" };
    expect((await signIn(w)).location).toBe("/");
    expect(proofOf(w, user_id)).toBeNull();
    provider.person = { ...chief, email_verified: false };
    expect((await signIn(w)).location).toBe("/");
    expect(proofOf(w, user_id)).toBeNull();
    provider.person = chief;
    expect((await signIn(w)).location).toBe("/");
    expect(proofOf(w, user_id)).toBe("provider");
  });

  test("by a mailed link for a new password, which ends what others opened the account with", async () => {
    const w = await scene();
    await sendsMail(w);
    const made = await joined(w, await openLink(w), "mallory@example.com");
    const mallory = w.login("mallory@example.com", made.api_key);
    provider.person = { sub: "mallory-1", email: "mallory@example.com", email_verified: true };
    const byProvider = await signIn(w);
    expect((await proveAccount(byProvider.browser, { password })).location).toBe("/");
    expect((await w.as("olive").patch(`/users/${made.user_id}`, { new_email: chief.email })).status).toBe(
      200,
    );
    expect(proofOf(w, made.user_id)).toBeNull();

    await webClient(w.app).ask("POST", "/password/reset", { email: chief.email });
    const path = await mailedLink(w, chief.email, /https:\S+\/password\/reset\/\w{32}/);
    expect((await webClient(w.app).ask("POST", path, { password: "a new one, of the chief" })).status).toBe(
      200,
    );
    expect(proofOf(w, made.user_id)).toBe("mail");
    expect((await w.login(chief.email, made.api_key).get("/users/me")).status).toBe(401);
    expect((await mallory.get("/users/me")).status).toBe(401);
    expect((await whoIs(byProvider.browser)).code).toBe("UNAUTHORIZED");
    // Mallory's own identity no longer opens it; that of the chief does.
    expect((await whoIs((await signIn(w)).browser)).user_id).not.toBe(made.user_id);
    provider.person = chief;
    expect((await whoIs((await signIn(w)).browser)).user_id).toBe(made.user_id);
  });

  test("and a link for a new password leaves the keys of people whose address is proved", async () => {
    const w = await scene();
    await sendsMail(w);
    await webClient(w.app).ask("POST", "/password/reset", { email: "mel@example.com" });
    const path = await mailedLink(w, "mel@example.com", /https:\S+\/password\/reset\/\w{32}/);
    expect((await webClient(w.app).ask("POST", path, { password: "four words of mine" })).status).toBe(200);
    expect((await w.as("mel").get("/users/me")).status).toBe(200);
    expect(proofOf(w, w.user("mel").id)).toBe("operator");
  });

  test("not by a link for a new password that somebody hands over, or that went to an earlier address", async () => {
    const w = await scene();
    await sendsMail(w);
    const made = await createUser(w.ctx("ada"), personOf(chief.email));
    const { user_id } = made.user;
    const { path } = await makeResetLink(w.ctx("ada"), user_id);
    expect((await webClient(w.app).ask("POST", path, { password })).status).toBe(200);
    expect(proofOf(w, user_id)).toBeNull();
    await webClient(w.app).ask("POST", "/password/reset", { email: chief.email });
    const late = await mailedLink(w, chief.email, /https:\S+\/password\/reset\/\w{32}/);
    await w.as("olive").patch(`/users/${user_id}`, { new_email: "second@example.com" });
    expect((await webClient(w.app).ask("POST", late, { password })).status).toBe(404);
    expect(proofOf(w, user_id)).toBeNull();
  });

  test("only as long as the account has it", async () => {
    const w = await scene();
    await givePassword(w, "mel");
    const { id, email } = w.user("mel");
    const change = (new_email: string) => w.as("olive").patch(`/users/${id}`, { new_email });
    await change("MEL@example.com");
    expect(proofOf(w, id)).toBe("operator");
    await change("melanie@example.com");
    expect(proofOf(w, id)).toBeNull();
    await change(email);
    expect(proofOf(w, id)).toBeNull();
  });
});

describe("the migration to proofs", () => {
  test("counts what is known alone: the first owner, and accounts that a provider made with their address", async () => {
    const w = await scene();
    await w.as("olive").patch("/realm", { invite_required: false });
    const { user_id } = await whoIs((await signIn(w)).browser);
    provider.person = { sub: "mover-1", email: "mover@example.com", email_verified: true, name: "Mover" };
    const mover = (await whoIs((await signIn(w)).browser)).user_id;
    await w.as("olive").patch(`/users/${mover}`, { new_email: "moved@example.com" });
    w.clock.advance(60);
    provider.person = { sub: "mel-1", email: "mel@example.com", email_verified: true };
    expect((await signIn(w)).location).toBe("/");
    const { sqlite } = w.app.env.db;
    sqlite.run("DELETE FROM address_proofs");
    const path = join(import.meta.dir, "..", "..", "src", "migrations", "0031_address_proofs.sql");
    const steps = readFileSync(path, "utf8")
      .split(";")
      .filter((sql) => sql.includes("INTO address_proofs"));
    expect(steps).toHaveLength(2);
    for (const sql of steps) sqlite.run(sql);
    const ids = [w.user("olive").id, user_id, mover, w.user("mel").id, w.user("max").id];
    expect(ids.map((id) => proofOf(w, id))).toEqual(["operator", "provider", null, null, null]);
  });
});

describe("the operator's word", () => {
  test("counts at the machine alone, is recorded, and opens the account to single sign-on", async () => {
    const w = await scene();
    const { user } = await createUser(w.ctx("ada"), personOf(chief.email));
    const { user_id } = user;
    for (const name of ["ada", "olive"] as const) {
      const word = setAddressProved(w.ctx(name), { user_id, isProved: true });
      expect(word).rejects.toThrow("Only the operator may do this");
    }
    const atMachine = w.app.ctx({ kind: "user", id: w.user("olive").id, client: "confab", isOperator: true });
    expect(await setAddressProved(atMachine, { user_id, isProved: true })).toBe(true);
    expect(await setAddressProved(atMachine, { user_id, isProved: true })).toBe(false);
    expect(proofOf(w, user_id)).toBe("operator");
    const { browser } = await signIn(w);
    expect((await whoIs(browser)).user_id).toBe(user_id);
    await setAddressProved(atMachine, { user_id, isProved: false });
    expect(proofOf(w, user_id)).toBeNull();
    const recorded = listAudit(w.ctx("olive"), { limit: 100 }).map(({ event, actor_id }) => [
      event,
      actor_id,
    ]);
    expect(recorded.filter(([event]) => String(event).includes("proved"))).toEqual([
      ["user_address_unproved", w.user("olive").id],
      ["user_address_proved", w.user("olive").id],
    ]);
    const bot = setAddressProved(atMachine, { user_id: w.user("bolt").id, isProved: true });
    expect(bot).rejects.toThrow("bots get no mail");
  });

  test("is how the first owner and the people that the operator adds have proved theirs", async () => {
    const w = world();
    expect([proofOf(w, w.user("olive").id), proofOf(w, w.user("mel").id)]).toEqual(["operator", "operator"]);
  });

  test("who may not see how addresses are proved", async () => {
    const w = world();
    expect(() => getAddressProof(w.ctx("mel"), w.user("ada").id)).toThrow(
      "Must be an organization administrator",
    );
  });
});

function personOf(email: string): { email: string; full_name: string } {
  return { email, full_name: "Prepared" };
}
