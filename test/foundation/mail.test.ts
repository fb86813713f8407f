// Sending mails to a mail server of the test, and unsubscribing.
import { afterAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { queueLetter } from "@/foundation/mail/actions.ts";
import { setMailServer } from "@/foundation/mail/host.ts";
import { listUnsentMails } from "@/foundation/mail/queries.ts";
import { setServerOptions } from "@/foundation/realm-administration/actions.ts";
import { inEnglish } from "@/text/language/tables.ts";
import { jsonHere, runHere } from "../support/command-line.ts";
import { type Credentials, call, cleanUp, newFolder, serve } from "../support/executable.ts";
import { runJob } from "../support/jobs.ts";
import type { Json } from "../support/requests.ts";
import { type MailServer, startMailServer } from "../support/smtp.ts";
import { until } from "../support/waiting.ts";
import { type CastName, type World, world } from "../support/world.ts";

const started: MailServer[] = [];
afterAll(async () => {
  await cleanUp();
  for (const server of started) server.close();
});

/** An organization with a mail server, of which mel has invited ann. */
async function scene(params = {}): Promise<World & { server: MailServer }> {
  const w = world();
  const server = await startMailServer();
  started.push(server);
  setMailServer(w.app.env, { url: server.url, from: "noreply@chat.example.com" });
  await setServerOptions(w.app.system, { sends_mail: true });
  await w.as("mel").post("/invites", { invitee_emails: "ann@example.org", stream_ids: [], ...params });
  return { ...w, server };
}

const waiting = ({ app }: World) => app.env.db.all("SELECT id FROM mails WHERE given_up_at IS NULL").length;

describe("the executable", () => {
  test("emails invitations through the configured server", async () => {
    const mails = await startMailServer();
    started.push(mails);
    const data = newFolder();
    const made = ["init", "--data", data, "--org", "Crew", "--owner-email", "grace@example.com"];
    const { owner } = await jsonHere<{ owner: Credentials }>([...made, "--owner-name", "Grace"]);
    const server = await serve(data, ["--smtp-url", mails.url, "--mail-from", "chat@example.com"]);
    const invited = { invitee_emails: "ann@example.org", stream_ids: "[]" };
    expect((await call(server, owner, ["POST", "/invites"], invited)).status).toBe(200);
    await until(() => mails.taken.length > 0, "the invitation is sent");
    expect(mails.taken).toMatchObject([{ from: "chat@example.com", to: "ann@example.org" }]);
    expect(mails.taken[0]?.mail.text).toContain(`${server.url}/join/`);
  });
});

describe("mails", () => {
  test("deliver an invitation once", async () => {
    const w = await scene();
    expect(await runJob(w, "mail")).toEqual([]);
    await runJob(w, "mail");
    expect(w.server.taken).toHaveLength(1);
    const [taken] = w.server.taken;
    expect([taken?.from, taken?.to]).toEqual(["noreply@chat.example.com", "ann@example.org"]);
    expect(waiting(w)).toBe(0);
    const { mail } = taken!;
    expect(mail.subject).toBe("Invitation to Test Organization");
    expect(mail.from?.text).toBe('"Test Organization" <noreply@chat.example.com>');
    expect(mail.headers.get("auto-submitted")).toBe("auto-generated");
    expect(mail.messageId).toMatch(/^<\w{32}@chat\.example\.com>$/);

    for (const line of [
      "        Open https://chat.example.com",
      "        Sign in as ann@example.org with your password.",
      "        Enter https://chat.example.com as the organization, then log in as ann@example.org with your",
      "        pip install zulip-term",
      "        zulip-term",
    ]) {
      expect(mail.text).toContain(`\n${line}`);
    }

    const key = /\/join\/(\w{32})$/m.exec(mail.text ?? "")?.[1];
    expect(mail.html).toContain(`href="https://chat.example.com/join/${key}"`);
    const person = new URLSearchParams({ full_name: "Ann", password: "correct horse" });
    const answer = await w.anonymous.request(`/join/${key}`, { method: "POST", body: person });
    expect(await answer.json()).toMatchObject({ email: "ann@example.org" });
  });

  test("are retried while the server cannot accept them", async () => {
    const w = await scene();
    w.server.refusals.push("450 busy", "450 busy");
    for (const pause of [60, 300]) {
      await runJob(w, "mail");
      await runJob(w, "mail");
      w.clock.advance(pause - 1);
      await runJob(w, "mail");
      w.clock.advance(1);
    }
    expect([w.server.connections, waiting(w)]).toEqual([2, 1]);
    await runJob(w, "mail");
    expect([w.server.taken.length, waiting(w)]).toEqual([1, 0]);
  });

  test("do not wait for a clock that is set back", async () => {
    const w = await scene();
    w.server.refusals.push("450 busy", "450 busy");
    await runJob(w, "mail");
    w.clock.step(-10 * 86_400);
    // The second refusal puts it off by a pause of now, not at once.
    await runJob(w, "mail");
    await runJob(w, "mail");
    expect([w.server.connections, waiting(w)]).toEqual([2, 1]);
    w.clock.advance(300);
    await runJob(w, "mail");
    expect([w.server.taken.length, waiting(w)]).toEqual([1, 0]);
    w.server.refusals.push("550 gone");
    await w.as("mel").post("/invites", { invitee_emails: "bob@example.org", stream_ids: [] });
    await runJob(w, "mail");
    w.clock.step(-10 * 86_400);
    await runJob(w, "mail");
    expect(w.server.connections).toBe(4); // what was given up stays so
  });

  test("are given up on a permanent error, and the inviter gets a notice why", async () => {
    const w = await scene();
    w.server.refusals.push("550 there is no <b>ann</b> here");
    const events = await runJob(w, "mail");
    expect(events).toMatchObject([{ event: { type: "message" } }]);
    expect(events[0]?.audience).toContain("mel");
    const { message } = events[0]!.event;
    expect(message.sender_full_name).toBe("Notification Bot");
    expect(message.content).toContain("ann@example.org");
    expect(message.content).toContain("there is no &lt;b&gt;ann&lt;/b&gt; here");
    expect(waiting(w)).toBe(0);
  });

  test("are given up after two days of trying", async () => {
    const w = await scene();
    w.server.refusals.push(...Array(8).fill("450 busy"));
    const received = [];
    for (const pause of [60, 300, 1800, 7200, 21_600, 43_200, 86_400, 0]) {
      received.push(...(await runJob(w, "mail")));
      w.clock.advance(pause);
    }
    expect([received.length, w.server.connections, waiting(w)]).toEqual([2, 8, 0]);
    expect(received[0]!.event.message.content).toContain("waits, because the mail server did not take it");
    expect(received[1]!.event.message.content).toContain("could not be delivered");
  });

  test("are not sent after their invitation expired or was revoked", async () => {
    const expired = await scene({ invite_expires_in_minutes: 1 });
    expired.clock.advance(60);
    await runJob(expired, "mail");
    const revoked = await scene();
    await revoked.as("mel").delete("/invites/1");
    await runJob(revoked, "mail");
    for (const w of [expired, revoked]) {
      expect([w.server.connections, waiting(w)]).toEqual([0, 0]);
    }
  });

  test("are not sent twice by overlapping jobs", async () => {
    const w = await scene();
    await Promise.all([runJob(w, "mail"), runJob(w, "mail")]);
    expect(w.server.taken).toHaveLength(1);
  });

  test("of one user, however many, do not delay another's", async () => {
    const w = await scene();
    const many = Array.from({ length: 30 }, (_, n) => `guest${n}@example.org`).join(",");
    expect((await w.as("mel").post("/invites", { invitee_emails: many, stream_ids: [] })).status).toBe(200);
    await w.as("max").post("/invites", { invitee_emails: "bob@example.org", stream_ids: [] });
    await runJob(w, "mail");
    expect(w.server.taken.slice(0, 2).map(({ to }) => to)).toContain("bob@example.org");
    expect(w.server.taken).toHaveLength(32);
  });

  test("that cannot be made because of a fault are given up alone, and the inviter is told", async () => {
    const w = await scene();
    await w.as("max").post("/invites", { invitee_emails: "bob@example.org", stream_ids: [] });
    await w.app.env.db.write(w.app.system, (tx) =>
      tx.run("UPDATE mails SET headers = '{' WHERE recipient = 'ann@example.org'"),
    );
    await expect(runJob(w, "mail")).rejects.toThrow();
    expect(w.server.taken.map(({ to }) => to)).toEqual(["bob@example.org"]);
    expect(waiting(w)).toBe(0);
    const newest = { anchor: "newest", num_before: 1, num_after: 0 };
    const [received] = (await w.as("mel").get("/messages", newest)).body.messages;
    expect(received.content).toContain("ann@example.org");
    expect(received.content).toContain("a fault of the server");
    await runJob(w, "mail");
  });

  test("wait together if the server takes nothing, and the inviter is told at once", async () => {
    const w = await scene();
    await w.as("max").post("/invites", { invitee_emails: "bob@example.org", stream_ids: [] });
    setMailServer(w.app.env, { url: "smtp://127.0.0.1:9", from: "noreply@chat.example.com" });
    const events = await runJob(w, "mail");
    expect(events.map(({ audience }) => audience)).toEqual([
      expect.arrayContaining(["mel"]),
      expect.arrayContaining(["max"]),
    ]);
    expect(events[0]!.event.message.content).toContain("ECONNREFUSED");
    expect(waiting(w)).toBe(2);
  });

  test("are sent encrypted and with a login, in text and HTML that loads nothing", async () => {
    const w = await scene();
    const login = { user: "confab", password: "secret" };
    const server = await startMailServer({ login });
    started.push(server);
    setMailServer(w.app.env, { url: server.url, from: "noreply@chat.example.com" });
    await runJob(w, "mail");
    expect(server.taken).toMatchObject([{ isEncrypted: true, login: "confab", to: "ann@example.org" }]);
    const html = String(server.taken[0]?.mail.html);
    expect(html).toContain("prefers-color-scheme: dark");
    expect(html).not.toMatch(/<img|<script|<link|<iframe|url\(|@import|\bsrc=/i);
  });

  test("with a wrong login wait with the server's answer, which 'mail list' shows", async () => {
    const w = await scene();
    const server = await startMailServer({ login: { user: "confab", password: "secret" } });
    started.push(server);
    const url = server.url.replace("secret", "wrong");
    setMailServer(w.app.env, { url, from: "noreply@chat.example.com" });
    await runJob(w, "mail");
    const [listed] = listUnsentMails(w.ctx("olive"));
    expect(listed).toMatchObject({ recipient: "ann@example.org", attempts: 1, given_up_at: null });
    expect(listed?.answer).toContain("535");
    expect(() => listUnsentMails(w.ctx("mel"))).toThrow();
  });
});

describe("test-mail", () => {
  test("sends a mail to the owner who asks, says what the mail server answers, and refuses all others", async () => {
    const mails = await startMailServer();
    started.push(mails);
    const there = world();
    const none = await there.as("olive").post("/mail/test", {});
    expect(none.body).toMatchObject({ code: "BAD_REQUEST", msg: expect.stringContaining("sends no mail") });
    setMailServer(there.app.env, { url: mails.url, from: "chat@example.com" });
    const { email: recipient } = there.user("olive");
    expect((await there.as("olive").post("/mail/test", {})).body).toMatchObject({ recipient, problem: null });
    expect(mails.taken.map(({ mail }) => mail.subject)).toEqual([expect.stringContaining("Test mail")]);
    mails.refusals.push("554 we know you");
    const refused = await there.as("olive").post("/mail/test", {});
    expect(refused.body).toMatchObject({ problem: expect.stringContaining("554 we know you") });
    for (const who of ["ada", "mel"] as const)
      expect((await there.as(who).post("/mail/test", {})).status).toBe(400);
    expect(mails.taken).toHaveLength(1);
  });
});

describe("the command line", () => {
  const organization = async () => {
    const data = newFolder();
    const mails = await startMailServer();
    started.push(mails);
    await runHere([
      "init",
      "--data",
      data,
      "--org",
      "Crew",
      "--owner-email",
      "grace@example.com",
      "--owner-name",
      "Grace",
    ]);
    return { data, mails };
  };

  test("sends a test mail, and says what the mail server answers", async () => {
    const { data, mails } = await organization();
    const test = ["mail", "test", "ada@example.org", "--data", data];
    expect((await runHere(test)).stderr).toContain("no mail server is set");
    await Bun.write(join(data, "confab.toml"), `smtp_url = "${mails.url}"\n`);
    expect((await runHere(test)).stdout).toContain("took a mail");
    expect(mails.taken[0]?.mail.subject).toBe("Test mail from Crew");
    mails.refusals.push("554 we know you");
    const refused = await runHere(test);
    expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining("554 we know you")]);
  });

  test("says what the mail server answered to an invitation, and lists what waits", async () => {
    const { data, mails } = await organization();
    await serve(data, ["--smtp-url", mails.url]);
    mails.refusals.push("450 later", "550 nobody here");
    const first = await runHere(["invite", "send", "ann@example.org", "--data", data]);
    expect([first.status, first.stderr]).toEqual([0, expect.stringContaining("450 later")]);
    const second = await runHere(["invite", "send", "bob@example.org", "--data", data]);
    expect(second.stderr).toContain("could not be delivered");
    const [third] = await jsonHere<Json[]>(["invite", "send", "cy@example.org", "--data", data]);
    expect(third!.mail).toEqual({ state: "sent", answer: null });
    const listed = await jsonHere<Json[]>(["mail", "list", "--data", data]);
    expect(listed.map(({ recipient, attempts }) => [recipient, attempts])).toEqual([
      ["ann@example.org", 1],
      ["bob@example.org", 1],
    ]);
    expect((await runHere(["mail", "list", "--data", data])).stdout).toMatch(/bob@.* given up .*550/);
    const doctor = await runHere(["doctor", "--data", data]);
    expect(doctor.stdout).toMatch(/Waiting mails.*450 later/);
  });
});

describe("unsubscribe-from-mail", () => {
  const link = async (w: World, kind: "messages" | "logins", name: CastName = "mel") => {
    const letter = { translator: inEnglish, subject: "Hello", blocks: [{ text: "Hello" }] };
    const { id, email } = w.user(name);
    await w.app.env.db.write(w.app.system, (tx) =>
      queueLetter(tx, { letter, recipient: email, sender_id: id, unsubscribe: { userId: id, kind } }),
    );
    await runJob(w, "mail");
  };

  test("is offered in the headers, with one click, and as a page that asks first", async () => {
    const w = await scene();
    await link(w, "logins");
    const { mail } = w.server.taken.at(-1)!;
    const list = mail.headers.get("list") as Json;
    expect(mail.headers.get("list-unsubscribe-post") ?? list["unsubscribe-post"]).toBeDefined();
    expect(w.server.taken.at(-1)!.raw).toContain("List-Unsubscribe-Post: List-Unsubscribe=One-Click");
    const url = new URL(list.unsubscribe.url);
    const page = await w.anonymous.request(url.pathname);
    expect(await page.text()).toContain("mails about new logins");
    const setting = async () => (await w.queue("mel")).state.user_settings.enable_login_emails;
    expect(await setting()).toBe(true);
    const body = new URLSearchParams({ "List-Unsubscribe": "One-Click" });
    const done = await w.anonymous.request(url.pathname, { method: "POST", body });
    expect([done.status, await done.text()]).toEqual([200, expect.stringContaining("You are unsubscribed")]);
    expect(await setting()).toBe(false);
  });

  test("refuses links of other servers, other users and deactivated users", async () => {
    const w = await scene();
    await link(w, "logins");
    const { unsubscribe } = w.server.taken.at(-1)!.mail.headers.get("list") as Json;
    const { pathname } = new URL(unsubscribe.url);
    const others = [
      pathname.replace(`/${w.user("mel").id}.`, `/${w.user("max").id}.`),
      pathname.replace(".logins.", ".messages."),
      pathname.replace(/.$/, (last) => (last === "A" ? "Q" : "A")),
      "/mail/unsubscribe/x",
      "/mail/unsubscribe/999999.logins.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
    ];
    for (const path of others) {
      for (const method of ["GET", "POST"]) {
        expect((await w.anonymous.request(path, { method })).status).toBe(404);
      }
    }
    await w.as("ada").delete(`/users/${w.user("mel").id}`);
    expect((await w.anonymous.request(pathname, { method: "POST" })).status).toBe(404);
  });
});

describe("get-unsubscribe-page", () => {
  test("asks before it unsubscribes, and says if a link does not work", async () => {
    const { anonymous } = world();
    const page = await anonymous.request("/mail/unsubscribe/nothing");
    expect([page.status, page.headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"]);
    expect(await page.text()).toContain("This link for unsubscribing does not work.");
    expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
  });
});
