import { describe, expect, test } from "bun:test";
import { changeRole, createUser, deactivateUser, reactivateUser } from "@/foundation/accounts/actions.ts";
import { listAudit } from "@/foundation/audit/queries.ts";
import { roles } from "@/foundation/permissions/schema.ts";
import { setServerOptions } from "@/foundation/realm-administration/actions.ts";
import { addressVisibility } from "@/foundation/user-settings/schema.ts";
import { runJob } from "../support/jobs.ts";
import type { Json } from "../support/requests.ts";
import { type CastName, type World, world } from "../support/world.ts";

const lastOwner = "The owner permission cannot be removed from the only organization owner.";
const recorded = (w: World) =>
  listAudit(w.ctx("olive"), { limit: 5 }).map(({ event, about, actor_id }) => [event, about.id, actor_id]);

describe("update-user", () => changesUsers("update-user"));
describe("update-user-by-email", () => changesUsers("update-user-by-email"));

function changesUsers(operation: "update-user" | "update-user-by-email"): void {
  const pathTo = (w: World, name: CastName) =>
    `/users/${operation === "update-user" ? w.user(name).id : encodeURIComponent(w.user(name).email)}`;

  test("changes name and role at once, emits it to everyone and records it", async () => {
    const w = world();
    const { id } = w.user("mel");
    const { body, events } = await w
      .as("ada")
      .patch(pathTo(w, "mel"), { full_name: " Melissa ", role: roles.moderator });
    expect(body).toEqual({ result: "success", msg: "" });
    expect(events.slice(0, 2)).toEqual([
      {
        audience: "everyone",
        event: { type: "realm_user", op: "update", person: { user_id: id, full_name: "Melissa" } },
      },
      {
        audience: "everyone",
        event: { type: "realm_user", op: "update", person: { user_id: id, role: 300 } },
      },
    ]);
    expect((await w.as("gus").get(`/users/${id}`)).body.user).toMatchObject({
      full_name: "Melissa",
      role: 300,
    });
    const by = w.user("ada").id;
    expect(recorded(w).slice(0, 2)).toEqual([
      ["user_role_changed", id, by],
      ["user_renamed", id, by],
    ]);
  });

  test("lets owners give another address", async () => {
    const w = world();
    const { id } = w.user("mel");
    const { events } = await w.as("olive").patch(pathTo(w, "mel"), { new_email: "melissa@example.com" });
    expect(events.map(({ event }) => event.person)).toEqual([
      { user_id: id, new_email: "melissa@example.com" },
      { user_id: id, delivery_email: "melissa@example.com" },
    ]);
    expect((await w.login("melissa@example.com", w.user("mel").key).get("/users/me")).status).toBe(200);
  });

  test("changes bots and deactivated users too", async () => {
    const w = world();
    for (const name of ["bolt", "dex"] as const) {
      await w.as("ada").patch(pathTo(w, name), { full_name: `New ${name}` });
      const { user } = (await w.as("mel").get(`/users/${w.user(name).id}`)).body;
      expect(user.full_name).toBe(`New ${name}`);
    }
  });

  test("renames a bot for its owner, too, but not to another user's name", async () => {
    const w = world();
    const { id } = w.user("bolt");
    const taken = await w.as("ada").patch(pathTo(w, "bolt"), { full_name: "max" });
    expect(taken).toMatchObject({ status: 400, body: { msg: "Name is already in use!" }, events: [] });
    expect((await w.as("ada").patch(pathTo(w, "bolt"), { full_name: "Nut" })).events).toEqual([
      {
        audience: "everyone",
        event: { type: "realm_user", op: "update", person: { user_id: id, full_name: "Nut" } },
      },
    ]);
  });

  test("emits nothing if nothing changes", async () => {
    const w = world();
    const same = { full_name: "Mel", role: roles.member, new_email: "mel@example.com" };
    expect(await w.as("ada").patch(pathTo(w, "mel"), same)).toMatchObject({ status: 200, events: [] });
  });

  test("changes all or nothing", async () => {
    const w = world();
    const given = { full_name: "Melissa", role: roles.owner };
    expect(await w.as("ada").patch(pathTo(w, "mel"), given)).toMatchObject({ status: 400, events: [] });
    expect((await w.as("gus").get(`/users/${w.user("mel").id}`)).body.user.full_name).toBe("Mel");
  });

  const admin = "Must be an organization administrator";
  const owner = "Must be an organization owner";
  test.each([
    ["a moderator", "moss", "mel", { full_name: "Other" }, admin],
    ["a member, of themselves", "mel", "mel", { full_name: "Other" }, admin],
    ["an administrator, of an owner", "ada", "olive", { full_name: "Other" }, owner],
    ["an administrator who makes an owner", "ada", "mel", { role: roles.owner }, owner],
    ["an administrator, of an address", "ada", "mel", { new_email: "m@example.com" }, owner],
    ["the last owner's farewell", "olive", "olive", { role: roles.admin }, lastOwner],
    ["a role there is not", "ada", "mel", { role: 500 }, "There is no such role."],
    ["a name too short", "ada", "mel", { full_name: "M" }, "Name too short!"],
    [
      "a taken address",
      "olive",
      "mel",
      { new_email: "MAX@example.com" },
      "Email 'MAX@example.com' already in use",
    ],
    [
      "a bot's address",
      "olive",
      "bolt",
      { new_email: "b@example.com" },
      "The address of a bot cannot be changed.",
    ],
  ] as const)("refuses %s", async (_, who, target, given, msg) => {
    const w = world();
    const answer = await w.as(who).patch(pathTo(w, target), given);
    expect(answer).toMatchObject({ status: 400, events: [] });
    expect(answer.body.msg).toContain(msg);
  });

  test("refuses unknown users, and the organization's own bots", async () => {
    const w = world();
    const path = operation === "update-user" ? "/users/999" : "/users/nobody@example.com";
    expect((await w.as("ada").patch(path, { full_name: "Other" })).body).toMatchObject({
      code: "BAD_REQUEST",
      msg: "No such user",
    });
    const { state } = await w.queue("ada", { fetch_event_types: ["realm_user"] });
    const [{ user_id, email }] = state.cross_realm_bots;
    const own = operation === "update-user" ? user_id : email;
    expect((await w.as("olive").patch(`/users/${own}`, { full_name: "Other" })).body.msg).toBe(
      "The organization's own bots cannot be changed.",
    );
  });

  test("refuses a taken name if names are unique", async () => {
    const w = world();
    await w.as("ada").patch("/realm", { require_unique_names: true });
    const { body } = await w.as("ada").patch(pathTo(w, "mel"), { full_name: "MAX" });
    expect(body.msg).toBe("This name is already in use in this organization.");
  });
}

describe("a change of role", () => {
  const many = 201;
  const channels = async (w: World, count: number) => {
    for (let n = 0; n < count; n++) {
      await w.as("ada").post("/channels/create", { name: `lab ${n}`, subscribers: [], announce: false });
    }
  };
  const became = (w: World, name: CastName, role: number) =>
    w.as("olive").patch(`/users/${w.user(name).id}`, { role });

  test("that opens many channels has the person's clients register again, and no others", async () => {
    const w = world();
    await channels(w, many);
    const [gus, mel] = [await w.queue("gus"), await w.queue("mel", { event_types: ["realm_user"] })];
    const { events } = await became(w, "gus", roles.member);

    const types = events.map(({ event }: { event: Json }) => event.type);
    expect(types).not.toContain("stream");
    expect(types).toContain("realm_user");
    expect(gus.poll()).rejects.toThrow("BAD_EVENT_QUEUE_ID");
    expect(await mel.poll()).toMatchObject([{ type: "realm_user", op: "update" }]);
    const seen = (await w.as("gus").get("/streams")).body.streams;
    expect(seen.length).toBeGreaterThanOrEqual(many);
    const again = await w.queue("gus");
    await became(w, "gus", roles.guest);
    expect(again.poll()).rejects.toThrow("BAD_EVENT_QUEUE_ID");
  });

  test("that opens fewer emits them", async () => {
    const w = world();
    await channels(w, 50);
    const gus = await w.queue("gus");
    await became(w, "gus", roles.member);
    const created = (await gus.poll()).filter(({ type, op }: Json) => type === "stream" && op === "create");
    expect(created.flatMap(({ streams }: Json) => streams).length).toBeGreaterThanOrEqual(50);
  });

  test("that shows many addresses has the person's clients register again", async () => {
    const w = world();
    const { moderators } = addressVisibility;
    await w.as("ada").patch("/realm/user_settings_defaults", { email_address_visibility: moderators });
    for (let n = 0; n < many; n++) {
      await createUser(w.ctx("ada"), { email: `p${n}@example.com`, full_name: `Person ${n}` });
    }
    const [mel, max] = [await w.queue("mel"), await w.queue("max")];
    await became(w, "mel", roles.moderator);
    expect(mel.poll()).rejects.toThrow("BAD_EVENT_QUEUE_ID");
    expect(await max.poll()).not.toEqual([]);
  });
});

describe("deactivate-user", () => {
  test("locks out the person and their bots, and records it", async () => {
    const w = world();
    const [mel, bolt] = [w.user("mel").id, w.user("bolt").id];
    const { events } = await w.as("ada").delete(`/users/${mel}`);
    const received = events.filter(({ event }) => event.type === "realm_user");
    expect(received.map(({ event }) => event.person)).toEqual([
      { user_id: mel, is_active: false },
      { user_id: bolt, is_active: false },
    ]);
    for (const who of ["mel", "bolt"] as const) {
      expect(await w.as(who).get("/users/me")).toMatchObject({
        status: 401,
        body: { code: "USER_DEACTIVATED" },
      });
    }
    const by = w.user("ada").id;
    expect(recorded(w).slice(0, 2)).toEqual([
      ["bot_deactivated", bolt, by],
      ["user_deactivated", mel, by],
    ]);
  });

  test("keeps what they have scheduled from being sent", async () => {
    const w = world();
    await w.as("max").post("/scheduled_messages", {
      type: "direct",
      to: [w.user("mel").id],
      content: "later",
      scheduled_delivery_timestamp: w.clock.now() + 100,
    });
    await w.as("ada").delete(`/users/${w.user("max").id}`);
    w.clock.advance(200);
    const events = await runJob(w, "deliver-scheduled-messages");
    expect(events.filter(({ event }) => event.type === "message")).toEqual([]);
  });

  test.each([
    ["a member", "mel", "max", "Must be an organization administrator"],
    ["an administrator, of an owner", "ada", "olive", "Must be an organization owner"],
    ["the last owner's", "olive", "olive", lastOwner],
    ["who is deactivated", "ada", "dex", "User is already deactivated"],
  ] as const)("refuses %s", async (_, who, target, msg) => {
    const w = world();
    const answer = await w.as(who).delete(`/users/${w.user(target).id}`);
    expect(answer).toMatchObject({ status: 400, body: { msg }, events: [] });
  });

  test("mails the person a comment", async () => {
    const w = world();
    await setServerOptions(w.app.system, { sends_mail: true });
    const remove = (name: CastName, comment?: string) =>
      w.as("ada").delete(`/users/${w.user(name).id}`, { deactivation_notification_comment: comment });
    await remove("max", " Thank you! ");
    await remove("gus", "");
    await remove("moss");
    await remove("bolt", "bye");
    const mails = w.app.env.db.all<{ recipient: string; subject: string; body: string }>(
      "SELECT recipient, subject, body FROM mails",
    );
    expect(mails.map(({ recipient }) => recipient)).toEqual(["max@example.com", "gus@example.com"]);
    expect(mails[0]).toMatchObject({
      subject: "Your account at Test Organization has been deactivated",
      body: expect.stringMatching(/deactivated by Ada\. They wrote:\n\n {4}Thank you!\n/),
    });
    expect(mails[1]?.body).not.toContain("wrote");
  });

  test("refuses a comment that is too long or cannot be mailed, and deactivates nobody", async () => {
    const w = world();
    const remove = (comment: string) =>
      w.as("ada").delete(`/users/${w.user("max").id}`, { deactivation_notification_comment: comment });
    for (const comment of ["x".repeat(2001), "bye"]) {
      expect(await remove(comment)).toMatchObject({ status: 400, events: [] });
    }
    expect((await w.as("max").get("/users/me")).status).toBe(200);
    expect((await remove("")).status).toBe(200);
  });
});

describe("deactivate-own-user", () => {
  test("locks out the actor, and emits it to everyone", async () => {
    const w = world();
    const { status, events } = await w.as("mel").delete("/users/me");
    expect(status).toBe(200);
    expect(events[0]).toMatchObject({ event: { person: { user_id: w.user("mel").id, is_active: false } } });
    expect((await w.as("mel").get("/users/me")).body.code).toBe("USER_DEACTIVATED");
  });

  test("allows an owner to leave while there is another", async () => {
    const w = world();
    await changeRole(w.ctx("olive"), { user_id: w.user("ada").id, role: roles.owner });
    expect((await w.as("olive").delete("/users/me")).status).toBe(200);
  });

  test("refuses the only owner, and bots", async () => {
    const w = world();
    expect(await w.as("olive").delete("/users/me")).toMatchObject({
      status: 400,
      body: {
        code: "CANNOT_DEACTIVATE_LAST_USER",
        is_last_owner: true,
        entity: "organization owner",
        msg: "The only organization owner cannot be deactivated.",
      },
      events: [],
    });
    expect(await w.as("bolt").delete("/users/me")).toMatchObject({ status: 400, events: [] });
  });
});

describe("reactivate-user", () => {
  test("restores the person's access and data; their bots stay deactivated", async () => {
    const w = world();
    await deactivateUser(w.ctx("ada"), w.user("mel").id);
    const { status, events } = await w.as("ada").post(`/users/${w.user("mel").id}/reactivate`);
    expect(status).toBe(200);
    expect(events[0]).toMatchObject({
      audience: "everyone",
      event: { person: { user_id: w.user("mel").id, is_active: true } },
    });
    expect((await w.as("mel").get("/users/me")).status).toBe(200);
    expect((await w.as("bolt").get("/users/me")).body.code).toBe("USER_DEACTIVATED");
    expect(recorded(w)[0]?.[0]).toBe("user_reactivated");
  });

  test("gives a bot without an active owner to the user who reactivates it", async () => {
    const w = world();
    await deactivateUser(w.ctx("ada"), w.user("mel").id);
    const { id } = w.user("bolt");
    const { events } = await w.as("ada").post(`/users/${id}/reactivate`);
    const received = events.filter(({ event }) => event.type === "realm_user");
    expect(received.map(({ event }) => event.person)).toEqual([
      { user_id: id, bot_owner_id: w.user("ada").id },
      { user_id: id, is_active: true },
    ]);
  });

  test("keeps the owner of a bot if they are active", async () => {
    const w = world();
    await deactivateUser(w.ctx("ada"), w.user("bolt").id);
    await reactivateUser(w.ctx("ada"), w.user("bolt").id);
    const { user } = (await w.as("mel").get(`/users/${w.user("bolt").id}`)).body;
    expect(user).toMatchObject({ is_active: true, bot_owner_id: w.user("mel").id });
  });

  test.each([
    ["a moderator", "moss", "dex", "Must be an organization administrator"],
    ["who is active", "ada", "mel", "User is already active"],
  ] as const)("refuses %s", async (_, who, target, msg) => {
    const w = world();
    const answer = await w.as(who).post(`/users/${w.user(target).id}/reactivate`);
    expect(answer).toMatchObject({ status: 400, body: { msg }, events: [] });
  });

  test("refuses a name that was taken meanwhile if names are unique", async () => {
    const w = world();
    await w.as("max").patch("/settings", { full_name: "Dex" });
    await w.as("ada").patch("/realm", { require_unique_names: true });
    const answer = await w.as("ada").post(`/users/${w.user("dex").id}/reactivate`);
    const msg = "This name is already in use in this organization.";
    expect(answer).toMatchObject({ status: 400, body: { msg }, events: [] });
  });
});
