import { describe, expect, test } from "bun:test";
import { listAudit } from "@/foundation/audit/queries.ts";
import { setServerOptions } from "@/foundation/realm-administration/actions.ts";
import { runJob } from "../support/jobs.ts";
import { type Answer, type CastName, type World, world } from "../support/world.ts";

const day = 1440;
const changed = (...audience: CastName[]) => ({ audience, event: { type: "invites_changed" } });

const link = (w: World, who: CastName, params = {}): Promise<Answer> =>
  w.as(who).post("/invites/multiuse", params);
const send = (w: World, who: CastName, invitee_emails: string, params = {}): Promise<Answer> =>
  w.as(who).post("/invites", { invitee_emails, stream_ids: [], ...params });
const listed = async (w: World, who: CastName) => (await w.as(who).get("/invites")).body.invites;
const grant = (w: World, name: string, group: string) =>
  w.as("olive").patch("/realm", { [name]: { new: groupId(w, group) } });

function groupId({ app }: World, name: string): number {
  const row = app.env.db.get<{ id: number }>("SELECT id FROM user_groups WHERE name = ?", name);
  return row!.id;
}

async function channel(w: World, who: CastName, name: string, more = {}): Promise<number> {
  return (await w.as(who).post("/channels/create", { name, subscribers: [w.user(who).id], ...more })).body.id;
}

const deeds = (w: World) =>
  listAudit(w.ctx("olive"), { limit: 50, about: { kind: "invitation" } }).map(({ event, actor_id }) => [
    event,
    actor_id,
  ]);

const refusal = (msg: string | RegExp, code = "BAD_REQUEST") => ({
  status: 400,
  body: { code, msg: typeof msg === "string" ? msg : expect.stringMatching(msg) },
  events: [],
});

describe("create-invite-link", () => {
  test("returns a link, and emits it only to administrators", async () => {
    const w = world();
    const { body, events } = await link(w, "ada");
    expect(body.invite_link).toMatch(/^https:\/\/chat\.example\.com\/join\/[A-Za-z0-9]{32}$/);
    expect(events).toEqual([changed("olive", "ada")]);
    const now = w.clock.now();
    expect(await listed(w, "olive")).toEqual([
      {
        id: 1,
        invited_by_user_id: w.user("ada").id,
        invited: now,
        expiry_date: now + 14_400 * 60,
        invited_as: 400,
        is_multiuse: true,
        notify_referrer_on_join: false,
        link_url: body.invite_link,
      },
    ]);
    expect(deeds(w)).toEqual([["invitation_created", w.user("ada").id]]);
  });

  test("emits it also to a member who created links, and to no other member", async () => {
    const w = world();
    await grant(w, "create_multiuse_invite_group", "role:members");
    expect((await link(w, "mel")).events).toEqual([changed("olive", "ada", "mel")]);
    expect(await listed(w, "mel")).toHaveLength(1);
    expect(await listed(w, "max")).toEqual([]);
  });

  test("expires as requested, never, or by the server's default", async () => {
    const w = world();
    await setServerOptions(w.app.system, { invitation_link_validity_minutes: 5 });
    await link(w, "ada", { invite_expires_in_minutes: day });
    await link(w, "ada", { invite_expires_in_minutes: null });
    await link(w, "ada");
    const ends = async () =>
      (await listed(w, "ada")).map(({ id, expiry_date }: { id: number; expiry_date: number }) => [
        id,
        expiry_date,
      ]);
    const now = w.clock.now();
    expect(await ends()).toEqual([
      [3, now + 300],
      [2, null],
      [1, now + day * 60],
    ]);
    w.clock.advance(300);
    expect((await ends()).map(([id]: [number]) => id)).toEqual([2, 1]);
  });

  test.each([
    ["mel", {}, "Insufficient permission"],
    ["moss", {}, "Insufficient permission"],
    ["gus", {}, "Insufficient permission"],
    ["ada", { invite_as: 100 }, /only to your own role/],
    ["ada", { invite_as: 500 }, /invite_as.*must be one of: 100, 200, 300, 400, 600/],
    ["ada", { invite_expires_in_minutes: 0 }, "An invitation must be valid for at least a minute."],
    ["ada", { invite_expires_in_minutes: 60_000_000 }, /at most a century/],
    ["ada", { stream_ids: [99_999] }, "Invalid channel ID"],
    ["ada", { group_ids: [99_999] }, "Invalid user group ID: 99999"],
    ["ada", { welcome_message_custom_text: "x".repeat(8001) }, /at most 8000 characters/],
  ] as const)("refuses %s %j", async (who, params, msg) => {
    const answer = await link(world(), who, params);
    expect(answer).toMatchObject({ status: 400, body: { msg: expect.stringMatching(msg) }, events: [] });
  });

  test("refuses roles higher than the actor's", async () => {
    const w = world();
    await grant(w, "create_multiuse_invite_group", "role:members");
    const outcome = async (who: CastName, invite_as: number) => (await link(w, who, { invite_as })).status;
    const roles = [100, 200, 300, 400, 600];
    const all = (who: CastName) => Promise.all(roles.map((role) => outcome(who, role)));
    expect(await all("olive")).toEqual([200, 200, 200, 200, 200]);
    expect(await all("ada")).toEqual([400, 200, 200, 200, 200]);
    expect(await all("moss")).toEqual([400, 400, 200, 200, 200]);
    expect(await all("mel")).toEqual([400, 400, 400, 200, 200]);
    expect(await all("gus")).toEqual([400, 400, 400, 400, 400]);
  });

  test("takes channels the actor may add people to, and default ones besides", async () => {
    const w = world();
    await grant(w, "create_multiuse_invite_group", "role:members");
    const open = await channel(w, "ada", "open");
    const common = await channel(w, "ada", "common");
    await w.as("ada").post("/default_streams", { stream_id: common });
    const secret = await channel(w, "max", "secret", { invite_only: true });
    const own = await channel(w, "mel", "own");
    expect((await link(w, "mel", { stream_ids: [open, common] })).status).toBe(200);
    expect(await link(w, "mel", { stream_ids: [open, secret] })).toMatchObject(refusal("Invalid channel ID"));

    await grant(w, "can_add_subscribers_group", "role:administrators");
    const none = refusal("You do not have permission to subscribe other people to channels.");
    expect(await link(w, "max", { stream_ids: [common] })).toMatchObject(none);
    expect(await link(w, "max", { stream_ids: [open] })).toMatchObject(none);
    expect((await link(w, "max", { include_realm_default_subscriptions: true })).status).toBe(200);
    // mel administers a channel of her own, so she can still add people there.
    expect((await link(w, "mel", { stream_ids: [own, common] })).status).toBe(200);
    expect(await link(w, "mel", { stream_ids: [own, open] })).toMatchObject(
      refusal("You do not have permission to subscribe other people to channel 'open'."),
    );
    await w.as("ada").delete(`/streams/${open}`);
    expect((await link(w, "ada", { stream_ids: [open] })).status).toBe(400);
  });

  test("takes groups to which the actor may add people", async () => {
    const w = world();
    await grant(w, "create_multiuse_invite_group", "role:members");
    const made = { name: "crew", description: "", members: [w.user("max").id] };
    const crew = (await w.as("max").post("/user_groups/create", made)).body.group_id;
    expect((await link(w, "max", { group_ids: [crew] })).status).toBe(200);
    expect(await link(w, "mel", { group_ids: [crew] })).toMatchObject(
      refusal("You do not have permission to add members to this user group."),
    );
    expect((await link(w, "ada", { group_ids: [groupId(w, "role:members")] })).status).toBe(400);
    await w.as("max").post(`/user_groups/${crew}/deactivate`);
    expect(await link(w, "max", { group_ids: [crew] })).toMatchObject(
      refusal("User group 'crew' is deactivated."),
    );
  });

  test("refuses bots", async () => {
    const w = world();
    await grant(w, "create_multiuse_invite_group", "role:members");
    expect(await link(w, "bolt")).toMatchObject(refusal("Bots cannot invite people."));
  });
});

describe("send-invites", () => {
  test("invites each address once, and gives the inviter the links without a mail server", async () => {
    const w = world();
    const text = "ann@example.org, Bob B <bob@example.org>\n\nANN@example.org\n";
    const { status, events } = await send(w, "mel", text, { invite_as: 600, invite_expires_in_minutes: day });
    expect(status).toBe(200);
    const [handed, received] = events;
    expect(received).toEqual(changed("olive", "ada", "mel"));
    expect(handed?.audience).toEqual([expect.any(Number), "mel"]);
    const { message } = handed!.event;
    expect(message.sender_full_name).toBe("Notification Bot");
    const invites = await listed(w, "mel");
    expect(invites).toMatchObject([
      { id: 2, email: "bob@example.org", invited_as: 600, is_multiuse: false, notify_referrer_on_join: true },
      { id: 1, email: "ann@example.org", expiry_date: w.clock.now() + day * 60 },
    ]);
    for (const { link_url } of invites) expect(message.content).toContain(link_url);
    expect(await listed(w, "ada")).toEqual(invites);
    expect(await listed(w, "moss")).toEqual([]);
    expect(deeds(w).map(([event]) => event)).toEqual(["invitation_created", "invitation_created"]);
  });

  test("queues the emails with a mail server, and shows nobody the link", async () => {
    const w = world();
    await setServerOptions(w.app.system, { sends_mail: true });
    const { events } = await send(w, "mel", "ann@example.org");
    expect(events).toEqual([changed("olive", "ada", "mel")]);
    const [invite] = await listed(w, "mel");
    expect(invite).toMatchObject({ email: "ann@example.org" });
    expect(invite).not.toHaveProperty("link_url");
    const mails = w.app.env.db.all<{ recipient: string; subject: string; body: string }>(
      "SELECT recipient, subject, body FROM mails",
    );
    expect(mails).toMatchObject([
      { recipient: "ann@example.org", subject: "Invitation to Test Organization" },
    ]);
    expect(mails[0]?.body).toMatch(/^Mel invites you .*https:\/\/chat\.example\.com\/join\/\w{32}\n/s);
    // This process has no mail server, so the mail stays queued.
    expect(await runJob(w, "mail")).toEqual([]);
    expect(w.app.env.db.all("SELECT id FROM mails")).toHaveLength(1);
  });

  test("invites all valid addresses, and says which are invalid and why", async () => {
    const w = world();
    const bad = [
      "nonsense",
      "max@example.com",
      "dex@example.com",
      "a@mailinator.com",
      "user9@chat.example.com",
    ];
    const { status, body, events } = await send(w, "mel", ["ann@example.org", ...bad].join(","));
    expect([status, body.code, body.sent_invitations]).toEqual([400, "INVITATION_FAILED", true]);
    expect(body).toMatchObject({ daily_limit_reached: false, license_limit_reached: false });
    expect(body.errors).toEqual([
      ["nonsense", "Not an email address.", false],
      ["max@example.com", "Already has an account.", false],
      ["dex@example.com", "Account has been deactivated.", true],
      ["a@mailinator.com", "A disposable address.", false],
      ["user9@chat.example.com", "Kept for the organization's own use.", false],
    ]);
    expect(events.map(({ event }) => event.type)).toEqual(["message", "invites_changed"]);
    expect(await listed(w, "mel")).toMatchObject([{ email: "ann@example.org" }]);
  });

  test("sends nothing if no address can be invited", async () => {
    const w = world();
    expect(await send(w, "mel", "max@example.com")).toMatchObject({
      ...refusal(/^None of these/, "INVITATION_FAILED"),
      body: { sent_invitations: false, errors: [["max@example.com", "Already has an account.", false]] },
    });
    expect(await listed(w, "mel")).toEqual([]);
  });

  test("keeps to the organization's domains", async () => {
    const w = world();
    await w.as("olive").post("/realm/domains", { domain: "example.com", allow_subdomains: false });
    await w.as("olive").patch("/realm", { emails_restricted_to_domains: true });
    expect((await send(w, "mel", "ann@example.org")).body.errors).toEqual([
      ["ann@example.org", "Outside your organization's domains.", false],
    ]);
    expect((await send(w, "mel", "ann@example.com")).status).toBe(200);
  });

  test("accepts disposable addresses if the organization allows them", async () => {
    const w = world();
    await w.as("olive").patch("/realm", { disallow_disposable_email_addresses: false });
    expect((await send(w, "mel", "a@mailinator.com")).status).toBe(200);
  });

  test("refuses the whole request beyond the daily limit", async () => {
    const w = world();
    await setServerOptions(w.app.system, { invitations_per_day: 2 });
    await send(w, "mel", "a@example.org");
    const over = {
      errors: [],
      sent_invitations: false,
      daily_limit_reached: true,
      license_limit_reached: false,
    };
    expect(await send(w, "max", "b@example.org,c@example.org")).toMatchObject({
      ...refusal(/^At most 2 /, "INVITATION_FAILED"),
      body: over,
    });
    expect((await send(w, "max", "b@example.org")).status).toBe(200);
    expect((await w.as("mel").post("/invites/1/resend")).body).toMatchObject(over);
    w.clock.advance(86_400);
    expect((await send(w, "max", "c@example.org")).status).toBe(200);
    // What was sent before the clock was set back must not count for all the time until it is there again.
    expect((await send(w, "max", "d@example.org")).status).toBe(200);
    w.clock.step(-10 * 86_400);
    expect((await send(w, "max", "e@example.org,f@example.org")).status).toBe(200);
    expect((await send(w, "max", "g@example.org")).status).toBe(400);
  });

  test.each([
    ["gus", "ann@example.org", {}, "Insufficient permission"],
    ["bolt", "ann@example.org", {}, "Bots cannot invite people."],
    ["mel", "ann@example.org", { invite_as: 300 }, /only to your own role/],
    ["mel", " ,\n", {}, "You must specify at least one email address."],
    ["mel", "a".repeat(50_001), {}, /Too many addresses/],
    ["mel", "ann@example.org", { stream_ids: undefined }, "Missing 'stream_ids' argument"],
  ] as const)("refuses %s: %s %j", async (who, emails, params, msg) => {
    const answer = await send(world(), who, emails, params);
    expect(answer).toMatchObject({ status: 400, body: { msg: expect.stringMatching(msg) }, events: [] });
  });
});

describe("get-invites", () => {
  test("shows all to administrators, but links for owners only to owners", async () => {
    const w = world();
    await link(w, "olive", { invite_as: 100 });
    await link(w, "ada", { invite_as: 200 });
    await send(w, "mel", "ann@example.org");
    expect((await listed(w, "olive")).map(({ link_url }: { link_url?: string }) => typeof link_url)).toEqual([
      "string",
      "string",
      "string",
    ]);
    expect((await listed(w, "ada")).map(({ link_url }: { link_url?: string }) => typeof link_url)).toEqual([
      "string",
      "string",
      "undefined",
    ]);
    expect(await listed(w, "mel")).toHaveLength(1);
    expect(await listed(w, "gus")).toEqual([]);
  });
});

describe("revoke-invite-link", () => {
  test("revokes the link, and emits it to administrators and its creator", async () => {
    const w = world();
    await grant(w, "create_multiuse_invite_group", "role:members");
    await link(w, "mel");
    const { status, events } = await w.as("ada").delete("/invites/multiuse/1");
    expect([status, events]).toEqual([200, [changed("olive", "ada", "mel")]]);
    expect(await listed(w, "mel")).toEqual([]);
    expect(deeds(w)[0]).toEqual(["invitation_revoked", w.user("ada").id]);
    expect(w.app.env.db.all("SELECT key FROM invitations")).toEqual([{ key: null }]);
    expect(await w.as("ada").delete("/invites/multiuse/1")).toMatchObject(
      refusal("Invitation has already been revoked"),
    );
  });

  test("is only for its creator and administrators; for links of owners, only for owners", async () => {
    const w = world();
    await link(w, "olive", { invite_as: 100 });
    await link(w, "ada");
    const unknown = refusal("No such invitation");
    expect(await w.as("mel").delete("/invites/multiuse/2")).toMatchObject(unknown);
    expect(await w.as("mel").delete("/invites/multiuse/77")).toMatchObject(unknown);
    expect(await w.as("ada").delete("/invites/multiuse/1")).toMatchObject(unknown);
    expect((await w.as("olive").delete("/invites/multiuse/1")).status).toBe(200);
  });

  test("does not find an expired one", async () => {
    const w = world();
    await link(w, "ada", { invite_expires_in_minutes: 1 });
    w.clock.advance(60);
    expect(await w.as("ada").delete("/invites/multiuse/1")).toMatchObject(refusal("No such invitation"));
  });
});

describe("revoke-email-invite", () => {
  test("revokes the invitation, cancels the email, and keeps the link with the same ID", async () => {
    const w = world();
    await setServerOptions(w.app.system, { sends_mail: true });
    await link(w, "ada");
    await send(w, "mel", "ann@example.org");
    expect((await w.as("mel").delete("/invites/1")).events).toEqual([changed("olive", "ada", "mel")]);
    expect(await listed(w, "ada")).toMatchObject([{ id: 1, is_multiuse: true }]);
    expect(w.app.env.db.all("SELECT id FROM mails")).toEqual([]);
  });

  test("refuses anyone but its sender and administrators", async () => {
    const w = world();
    await send(w, "mel", "ann@example.org");
    expect(await w.as("max").delete("/invites/1")).toMatchObject(refusal("No such invitation"));
    expect(await w.as("gus").delete("/invites/1")).toMatchObject(refusal("No such invitation"));
    expect((await w.as("ada").delete("/invites/1")).status).toBe(200);
    expect(await w.as("mel").delete("/invites/1")).toMatchObject(
      refusal("Invitation has already been revoked"),
    );
  });

  test("happens automatically when the inviter is deactivated", async () => {
    const w = world();
    await send(w, "mel", "ann@example.org,bob@example.org");
    const { deactivateUser } = await import("@/foundation/accounts/actions.ts");
    const from = w.events.length;
    await deactivateUser(w.ctx("ada"), w.user("mel").id);
    const received = w.events.slice(from).filter(({ event }) => event.type === "invites_changed");
    expect(received).toEqual([changed("olive", "ada", "mel")]);
    expect(await listed(w, "ada")).toEqual([]);
  });
});

describe("resend-email-invite", () => {
  test("sends it again, with the original period of validity", async () => {
    const w = world();
    await send(w, "mel", "ann@example.org", { invite_expires_in_minutes: day });
    const [before] = await listed(w, "mel");
    w.clock.advance(3600);
    const { status, events } = await w.as("ada").post("/invites/1/resend");
    expect(status).toBe(200);
    expect(events.map(({ event }) => event.type)).toEqual(["message", "invites_changed"]);
    expect(events[0]!.audience).toContain("ada");
    expect(events[0]!.event.message.content).toContain(before.link_url);
    expect(await listed(w, "mel")).toEqual([{ ...before, expiry_date: w.clock.now() + day * 60 }]);
    expect(deeds(w)[0]).toEqual(["invitation_resent", w.user("ada").id]);
  });

  test("replaces a queued email", async () => {
    const w = world();
    await setServerOptions(w.app.system, { sends_mail: true });
    await send(w, "mel", "ann@example.org");
    await w.as("mel").post("/invites/1/resend");
    expect(w.app.env.db.all("SELECT recipient FROM mails")).toEqual([{ recipient: "ann@example.org" }]);
  });

  test("refuses other users, links, and addresses that now have an account", async () => {
    const w = world();
    await link(w, "ada");
    await send(w, "mel", "ann@example.org");
    expect(await w.as("max").post("/invites/1/resend")).toMatchObject(refusal("No such invitation"));
    expect(await w.as("ada").post("/invites/2/resend")).toMatchObject(refusal("No such invitation"));
    await grant(w, "can_invite_users_group", "role:administrators");
    expect(await w.as("mel").post("/invites/1/resend")).toMatchObject(refusal("Insufficient permission"));
    const ann = { email: "Ann@example.org", full_name: "Ann", password: "correct horse" };
    expect((await w.as("olive").post("/users", ann)).events).toContainEqual(changed("olive", "ada", "mel"));
    expect(await w.as("ada").post("/invites/1/resend")).toMatchObject(refusal("No such invitation"));
  });
});

describe("test-welcome-bot-custom-message", () => {
  test("shows the administrator the text as new users would see it", async () => {
    const w = world();
    const { body, events } = await w
      .as("ada")
      .post("/realm/test_welcome_bot_custom_message", { welcome_message_custom_text: "Be **kind**." });
    expect(events).toMatchObject([{ audience: expect.arrayContaining(["ada"]), event: { type: "message" } }]);
    const { message } = (await w.as("ada").get(`/messages/${body.message_id}`)).body;
    expect(message).toMatchObject({
      sender_full_name: "Welcome Bot",
      content: "<p>Be <strong>kind</strong>.</p>",
    });
  });

  test.each([
    ["mel", "Hello", "Must be an organization administrator"],
    ["ada", "  ", "A welcome message must not be empty."],
    ["ada", "x".repeat(8001), "A welcome message has at most 8000 characters."],
  ] as const)("refuses %s %s", async (who, welcome_message_custom_text, msg) => {
    const answer = await world()
      .as(who)
      .post("/realm/test_welcome_bot_custom_message", { welcome_message_custom_text });
    expect(answer).toMatchObject({ status: 400, body: { msg }, events: [] });
  });
});
