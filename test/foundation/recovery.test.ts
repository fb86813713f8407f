// Choosing a new password after forgetting it, and the mails that notify people of changes to their accounts.
import { afterAll, describe, expect, test } from "bun:test";
import { setMailServer } from "@/foundation/mail/host.ts";
import { setServerOptions } from "@/foundation/realm-administration/actions.ts";
import { makeResetLink } from "@/foundation/recovery/actions.ts";
import type { Log } from "@/kernel/lib/log.ts";
import { runJob } from "../support/jobs.ts";
import { type MailServer, startMailServer, type Taken } from "../support/smtp.ts";
import { givePassword, password, signedIn, webClient } from "../support/web-session.ts";
import { type World, world } from "../support/world.ts";

const server: MailServer = await startMailServer();
afterAll(() => server.close());

const page = { accept: "text/html" };

interface Scene extends World {
  mails(): Promise<Taken[]>;
}

async function scene(onWarning?: Log["warn"]): Promise<Scene> {
  const w = world({ onWarning });
  await givePassword(w, "mel");
  setMailServer(w.app.env, { url: server.url, from: "noreply@chat.example.com" });
  await setServerOptions(w.app.system, { sends_mail: true });
  server.taken.length = 0;
  w.clock.advance(3600);
  return {
    ...w,
    async mails() {
      // Work after the answer is done in the next turns of the event loop.
      for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
      await runJob(w, "mail");
      return server.taken.splice(0);
    },
  };
}

const form = (fields: Record<string, string>) => ({
  method: "POST",
  headers: page,
  body: new URLSearchParams(fields),
});

async function linkFor(w: Scene, email = "mel@example.com"): Promise<string> {
  expect((await w.anonymous.request("/password/reset", form({ email }))).status).toBe(200);
  const taken = (await w.mails()).find(({ mail }) => mail.subject?.startsWith("A new password"));
  return new URL(/https:\S+\/password\/reset\/\w{32}/.exec(taken?.mail.text ?? "")?.[0] ?? "none:").pathname;
}

describe("request-password-reset", () => {
  test("mails a link to people with an account", async () => {
    const w = await scene();
    const answer = await w.anonymous.request("/password/reset", form({ email: " MEL@example.com " }));
    expect(await answer.text()).toContain("Look into your mail");
    const [taken, ...others] = await w.mails();
    expect(others).toEqual([]);
    expect([taken?.to, taken?.mail.subject]).toEqual([
      "mel@example.com",
      "A new password for Test Organization",
    ]);
    expect(taken?.mail.html).toMatch(/href="https:\/\/chat\.example\.com\/password\/reset\/\w{32}"/);
    const stored = JSON.stringify(w.app.env.db.all("SELECT hex(hash) AS hash FROM reset_links"));
    expect(stored).toHaveLength('[{"hash":""}]'.length + 64);
  });

  test.each(["nobody@example.com", "dex@example.com", "bolt-bot@chat.example.com", ""])(
    "answers the same for %p, and mails nothing",
    async (email) => {
      const w = await scene();
      const real = await w.anonymous.request("/password/reset", form({ email: "mel@example.com" }));
      await w.mails();
      const other = await w.anonymous.request("/password/reset", form({ email }));
      expect(other.status).toBe(real.status);
      const text = async (response: Response) =>
        (await response.text())
          .replaceAll(email === "" ? "If  " : email, "X")
          .replaceAll("mel@example.com", "X");
      if (email !== "") expect(await text(other)).toBe(await text(real));
      expect(await w.mails()).toEqual([]);
    },
  );

  test("limits attempts by address and by network, and logs those that it refuses", async () => {
    const logged: unknown[] = [];
    const w = await scene((event, fields) => void logged.push([event, fields?.account, fields?.reason]));
    const status = async (email: string) =>
      (await w.anonymous.request("/password/reset", form({ email }))).status;
    const statuses = [];
    for (let i = 0; i < 4; i++) statuses.push(await status("mel@example.com"));
    expect(statuses).toEqual([200, 200, 200, 429]);
    for (let i = 0; i < 16; i++) await status(`n${i}@example.com`);
    expect(await status("other@example.com")).toBe(429);
    expect(logged).toEqual([
      ["login_refused", "mel@example.com", "RATE_LIMIT_HIT"],
      ["login_refused", "other@example.com", "RATE_LIMIT_HIT"],
    ]);
    w.clock.advance(3601);
    expect(await status("mel@example.com")).toBe(200);
  });

  test("says so if the server sends no mail", async () => {
    const w = world();
    const answer = await w.anonymous.request("/password/reset", form({ email: "mel@example.com" }));
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining("sends no mail")]);
  });
});

describe("get-forgotten-password-page", () => {
  test("shows a form that needs no script", async () => {
    const answer = await world().anonymous.request("/password/reset");
    const text = await answer.text();
    expect(text).toContain("Forgot your password?");
    expect(text).not.toContain("<script");
  });

  const speaking = async (w: World, accepted: string) => {
    const headers = { "accept-language": accepted };
    const answer = await w.anonymous.request("/password/reset", { headers });
    expect(answer.headers.get("vary")).toContain("accept-language");
    return answer.text();
  };

  test("speaks the language of the browser, also from right to left", async () => {
    const w = world();
    expect(await speaking(w, "de-CH, en;q=0.5")).toMatch(
      /<html lang="de" dir="ltr">[\s\S]*Passwort vergessen\?/,
    );
    expect(await speaking(w, "ar")).toMatch(/<html lang="ar" dir="rtl">[\s\S]*هل نسيت كلمة المرور؟/);
  });

  test("speaks the organization's language to others, or English", async () => {
    const w = world();
    expect(await speaking(w, "pl")).toContain("Forgot your password?");
    await w.as("olive").patch("/realm", { default_language: "ja" });
    expect(await speaking(w, "pl")).toMatch(/<html lang="ja" dir="ltr">[\s\S]*パスワードをお忘れですか？/);
    await w.as("olive").patch("/realm", { default_language: "pl" });
    expect(await speaking(w, "pl")).toContain('<html lang="en" dir="ltr">');
  });
});

describe("get-password-reset-page", () => {
  test("shows the account, and does not use the link", async () => {
    const w = await scene();
    const path = await linkFor(w);
    for (let i = 0; i < 2; i++) {
      expect(await (await w.anonymous.request(path, { headers: page })).text()).toContain("mel@example.com");
    }
    expect(await (await w.anonymous.request(path)).json()).toMatchObject({ email: "mel@example.com" });
  });

  test("refuses a link that is wrong, old, or of a deactivated account", async () => {
    const w = await scene();
    const path = await linkFor(w);
    const get = async (target = path) => (await w.anonymous.request(target, { headers: page })).status;
    expect(await get("/password/reset/x")).toBe(404);
    w.clock.advance(3600);
    expect(await get()).toBe(404);
    w.clock.advance(3600);
    const next = await linkFor(w);
    await w.as("ada").delete(`/users/${w.user("mel").id}`);
    expect(await get(next)).toBe(404);
  });
});

describe("reset-password", () => {
  const chosen = "seven green bicycles";

  test("sets the password once, ends all sessions, and lets the person in", async () => {
    const w = await scene();
    const browser = await signedIn(w, "mel");
    const path = await linkFor(w);
    const done = await w.anonymous.request(path, form({ password: chosen }));
    expect(await done.text()).toContain("Your password is changed");
    expect((await browser.ask("GET", "/json/users/me")).status).toBe(401);
    expect((await webClient(w.app).signIn("mel@example.com", password)).status).toBe(401);
    expect((await webClient(w.app).signIn("mel@example.com", chosen)).status).toBe(200);
    expect((await w.anonymous.request(path, form({ password: "another fine password" }))).status).toBe(404);
  });

  test("refuses a weak password and keeps the link", async () => {
    const w = await scene();
    const path = await linkFor(w);
    for (const weak of ["short", "password1"]) {
      const answer = await w.anonymous.request(path, form({ password: weak }));
      expect(answer.status).toBe(400);
      expect(await answer.text()).toContain("Choose a new password");
    }
    expect((await w.anonymous.request(path, form({ password: chosen }))).status).toBe(200);
  });

  test("works only with the newest link, and not after the password was changed in another way", async () => {
    const w = await scene();
    const first = await linkFor(w);
    const second = await linkFor(w);
    expect((await w.anonymous.request(first, form({ password: chosen }))).status).toBe(404);
    await givePassword(w, "mel");
    expect((await w.anonymous.request(second, form({ password: chosen }))).status).toBe(404);
  });

  test("works with a link that an administrator made, which is audited", async () => {
    const w = world();
    const { path } = await makeResetLink(w.ctx("ada"), w.user("mel").id);
    expect((await w.anonymous.request(path, form({ password: chosen }))).status).toBe(200);
    expect((await webClient(w.app).signIn("mel@example.com", chosen)).status).toBe(200);
    const audited = w.app.env.db.all<{ event: string }>(
      "SELECT event FROM audit_log ORDER BY id DESC LIMIT 1",
    );
    expect(audited[0]?.event).toContain("reset_link_made");
    for (const [who, whose] of [
      ["mel", "max"],
      ["ada", "olive"],
      ["ada", "bolt"],
      ["ada", "dex"],
    ] as const) {
      await expect(makeResetLink(w.ctx(who), w.user(whose).id)).rejects.toThrow();
    }
  });
});

describe("mails about an account", () => {
  test("tell of a login from a new device or network, once for each", async () => {
    const w = await scene();
    const log = async () => (await w.mails()).map(({ to, mail }) => [to, mail.subject]);
    await signedIn(w, "mel");
    const [first] = await w.mails();
    expect(first?.mail.subject).toBe("New login to Test Organization");
    expect(first?.mail.text).toMatch(/Device: Firefox on Linux\n {4}Network address: \S+\n/);
    await signedIn(w, "mel");
    expect(await log()).toEqual([]);
    await signedIn(w, "mel", { userAgent: "Mozilla/5.0 (iPhone) Version/18.0 Safari/605" });
    expect(await log()).toEqual([["mel@example.com", "New login to Test Organization"]]);
    const fetched = await w.anonymous.post("/fetch_api_key", { username: "mel@example.com", password });
    expect(fetched.status).toBe(200);
    expect(await log()).toHaveLength(1);
  });

  test("are not sent if enable_login_emails is off, or for a login that failed", async () => {
    const w = await scene();
    await webClient(w.app).signIn("mel@example.com", "wrong password");
    await w.as("mel").patch("/settings", { enable_login_emails: false });
    await signedIn(w, "mel");
    expect(await w.mails()).toEqual([]);
  });

  test("tell the old address and the new one that the address has changed", async () => {
    const w = await scene();
    const change = () =>
      w.as("olive").patch(`/users/${w.user("mel").id}`, { new_email: "melanie@example.com" });
    expect((await change()).status).toBe(200);
    const taken = await w.mails();
    expect(taken.map(({ to }) => to)).toEqual(["mel@example.com", "melanie@example.com"]);
    expect(taken[0]?.mail.text).toMatch(/Before: mel@example\.com\n {4}Now: melanie@example\.com/);
    expect((await change()).status).toBe(200);
    expect(await w.mails()).toEqual([]);
  });

  test.each([true, false])("welcome who joins, if send_welcome_emails is %p", async (isOn) => {
    const w = await scene();
    await w.as("olive").patch("/realm", { send_welcome_emails: isOn });
    const person = { email: "ann@example.org", password: "correct horse battery", full_name: "Ann" };
    expect((await w.as("olive").post("/users", person)).status).toBe(200);
    const taken = await w.mails();
    expect(taken.map(({ to, mail }) => [to, mail.subject])).toEqual(
      isOn ? [["ann@example.org", "Welcome to Test Organization"]] : [],
    );
  });
});
