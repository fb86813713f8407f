// Sending invitations by email, to the test's own server.
import { afterAll, describe, expect, test } from "bun:test";
import { setMailServer } from "@/foundation/mail/host.ts";
import { setServerOptions } from "@/foundation/realm/actions.ts";
import { type Credentials, call, cleanUp, json, newFolder, serve } from "./support/executable.ts";
import { runJob } from "./support/jobs.ts";
import { type MailServer, startMailServer } from "./support/smtp.ts";
import { type World, world } from "./support/world.ts";

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

const waiting = ({ app }: World) => app.env.db.all("SELECT id FROM mails").length;

describe("the executable", () => {
  test("emails invitations through the configured server", async () => {
    const mails = await startMailServer();
    started.push(mails);
    const data = newFolder();
    const made = ["init", "--data", data, "--org", "Crew", "--owner-email", "grace@example.com"];
    const { owner } = await json<{ owner: Credentials }>([...made, "--owner-name", "Grace"]);
    const server = await serve(data, ["--smtp-url", mails.url, "--mail-from", "chat@example.com"]);
    const invited = { invitee_emails: "ann@example.org", stream_ids: "[]" };
    expect((await call(server, owner, ["POST", "/invites"], invited)).status).toBe(200);
    const end = performance.now() + 10_000;
    while (mails.taken.length === 0 && performance.now() < end) await Bun.sleep(20);
    expect(mails.taken).toMatchObject([{ from: "chat@example.com", to: "ann@example.org" }]);
    expect(mails.taken[0]?.text).toContain(`${server.url}/join/`);
  });
});

describe("mails", () => {
  test("deliver an invitation once", async () => {
    const w = await scene();
    expect(await runJob(w, "mail")).toEqual([]);
    await runJob(w, "mail");
    expect(w.server.taken).toHaveLength(1);
    const [mail] = w.server.taken;
    expect([mail?.from, mail?.to]).toEqual(["noreply@chat.example.com", "ann@example.org"]);
    expect(mail?.text).toMatch(/^Subject: Invitation to Test Organization$/m);
    expect(mail?.text).toMatch(/^Auto-Submitted: auto-generated$/m);
    expect(waiting(w)).toBe(0);

    for (const line of [
      "        Enter https://chat.example.com as the organization, then log in as ann@example.org with your",
      "        pip install zulip-term",
      "        zulip-term",
    ]) {
      // Long lines are sent in parts.
      expect(mail?.text.replaceAll("=\n", "")).toContain(`\n${line}`);
    }

    const key = /\/join\/(\w{32})$/m.exec(mail?.text ?? "")?.[1];
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

  test("are given up on a permanent error, and the inviter is told why", async () => {
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
    const told = [];
    for (const pause of [60, 300, 1800, 7200, 21_600, 43_200, 86_400, 0]) {
      told.push(...(await runJob(w, "mail")));
      w.clock.advance(pause);
    }
    expect([told.length, w.server.connections, waiting(w)]).toEqual([1, 8, 0]);
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
});
