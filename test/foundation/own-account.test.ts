// What users change about themselves by PATCH /settings, and who sees it.

import { describe, expect, test } from "bun:test";
import { changeRole, createUser, setPassword } from "@/foundation/accounts/actions.ts";
import { roles } from "@/foundation/permissions/schema.ts";
import { realmSettings } from "@/foundation/realm/schema.ts";
import { addressVisibility } from "@/foundation/user-settings/schema.ts";
import { sendMessage } from "@/messaging/sending/actions.ts";
import { createChannel } from "@/places/channel-administration/actions.ts";
import type { Json } from "../support/requests.ts";
import { type CastName, type World, world } from "../support/world.ts";

const change = (w: World, who: CastName, params: Json) => w.as(who).patch("/settings", params);
const everybody = ["olive", "ada", "moss", "mel", "max", "gus", "bolt"] as CastName[];
const without = (...names: CastName[]) => everybody.filter((name) => !names.includes(name));
const seenBy = async (w: World, viewer: CastName, who: CastName, more: Json = { client_gravatar: false }) =>
  (await w.as(viewer).get(`/users/${w.user(who).id}`, more)).body.user;

const realm = (w: World, name: "name_changes_disabled" | "email_changes_disabled" | "require_unique_names") =>
  w.app.env.db.write(w.app.system, (tx) => realmSettings.write(tx, name, true));

const refused = (msg: string, code = "BAD_REQUEST") => ({ status: 400, body: { code, msg }, events: [] });

describe("the own name", () => {
  test("is changed for everyone", async () => {
    const w = world();
    const { events } = await change(w, "mel", { full_name: "  Melanie M. " });
    const person = { user_id: w.user("mel").id, full_name: "Melanie M." };
    expect(events).toEqual([{ audience: "everyone", event: { type: "realm_user", op: "update", person } }]);
    expect(await seenBy(w, "max", "mel")).toMatchObject({ full_name: "Melanie M." });
    expect(await change(w, "mel", { full_name: "Melanie M." })).toMatchObject({ status: 200, events: [] });
  });

  test.each([
    ["x", "Name too short!"],
    ["x".repeat(101), "Name too long!"],
    ["Mel*", "Invalid characters in name!"],
    ["Mel|12", "Invalid format!"],
  ])("cannot be '%s'", async (full_name, msg) => {
    expect(await change(world(), "mel", { full_name })).toMatchObject(refused(msg));
  });

  test("cannot change if the organization says so, except by administrators", async () => {
    const w = world();
    await realm(w, "name_changes_disabled");
    const msg = "Name changes are disabled in this organization.";
    expect(await change(w, "mel", { full_name: "Other", enter_sends: true })).toMatchObject(refused(msg));
    expect(await change(w, "mel", { full_name: "Mel" })).toMatchObject({ status: 200 });
    expect(await change(w, "ada", { full_name: "Other" })).toMatchObject({ status: 200 });
  });

  test("must be unique if the organization says so", async () => {
    const w = world();
    expect(await change(w, "mel", { full_name: "Max" })).toMatchObject({ status: 200 });
    await realm(w, "require_unique_names");
    const msg = "This name is already in use in this organization.";
    expect(await change(w, "moss", { full_name: "ADA" })).toMatchObject(refused(msg));
    expect(await change(w, "moss", { full_name: "MOSS" })).toMatchObject({ status: 200 });
  });
});

const easilyGuessed = "This password is easy to guess. Choose a longer one, such as a few unrelated words.";

describe("the own password", () => {
  const old_password = "correct horse battery";
  const new_password = "staple of another kind";

  async function withPassword() {
    const w = world();
    await setPassword(w.ctx("mel"), { user_id: w.user("mel").id, password: old_password });
    const login = async (password: string) =>
      (await w.anonymous.post("/fetch_api_key", { username: w.user("mel").email, password })).status;
    return { w, login };
  }

  test("requires the old one; keys stay", async () => {
    const { w, login } = await withPassword();
    expect(await change(w, "mel", { old_password, new_password })).toMatchObject({ status: 200, events: [] });
    expect([await login(old_password), await login(new_password)]).toEqual([401, 200]);
    expect((await w.as("mel").get("/users/me")).status).toBe(200);
  });

  test.each([
    ["the old one is wrong", { old_password: "no", new_password }, "Wrong password!"],
    ["the old one is missing", { new_password }, "To change the password, also give the old one."],
    ["the new one is missing", { old_password }, "To change the password, also give the old one."],
    ["the new one is short", { old_password, new_password: "abc" }, "A password has at least 6 characters."],
    ["the new one is common", { old_password, new_password: "password1" }, easilyGuessed],
    ["the new one is one key", { old_password, new_password: "z".repeat(100) }, easilyGuessed],
    ["the new one is one's address", { old_password, new_password: "mel@example.com" }, easilyGuessed],
    ["the new one is of one's address", { old_password, new_password: "Example" }, easilyGuessed],
  ])("is unchanged if %s, like everything else in the request", async (_, params, msg) => {
    const { w, login } = await withPassword();
    expect(await change(w, "mel", { ...params, full_name: "Other" })).toMatchObject(refused(msg));
    expect(await login(old_password)).toBe(200);
    expect(await seenBy(w, "max", "mel")).toMatchObject({ full_name: "Mel" });
  });

  test("is judged by guessability, not by character classes", async () => {
    for (const password of ["four unrelated words", "tr0ub4dor&3", "пароль из слов"]) {
      const { w, login } = await withPassword();
      expect(await change(w, "mel", { old_password, new_password: password })).toMatchObject({ status: 200 });
      expect(await login(password)).toBe(200);
    }
  });

  test("limits attempts", async () => {
    const { w } = await withPassword();
    for (let i = 0; i < 5; i++) await change(w, "mel", { old_password: `guess ${i}`, new_password });
    expect(await change(w, "mel", { old_password, new_password })).toMatchObject({
      status: 429,
      body: { code: "RATE_LIMIT_HIT" },
      events: [],
    });
  });

  test("is not for bots", async () => {
    expect(await change(world(), "bolt", { old_password, new_password })).toMatchObject(
      refused("Bots have no password."),
    );
  });

  test("is not changed by empty form fields", async () => {
    const { w, login } = await withPassword();
    const params = { old_password: "", new_password: "", email: "", enter_sends: false };
    expect(await change(w, "mel", params)).toMatchObject({ status: 200, events: [{}] });
    expect(await login(old_password)).toBe(200);
  });
});

describe("the own address, on a server without mail", () => {
  const password = "correct horse battery";

  async function withPassword(name: CastName = "mel"): Promise<World> {
    const w = world();
    await setPassword(w.ctx(name), { user_id: w.user(name).id, password });
    return w;
  }

  test("changes by the password for everyone who sees it, works for logging in, and is not proved", async () => {
    const w = await withPassword();
    const { id, key } = w.user("mel");
    const { events } = await change(w, "mel", { email: "melanie@example.com", old_password: password });
    const expected = (person: Json) => ({
      event: { type: "realm_user", op: "update", person: { user_id: id, ...person } },
    });
    expect(events).toEqual([
      { audience: "everyone", ...expected({ new_email: "melanie@example.com" }) },
      { audience: everybody, ...expected({ delivery_email: "melanie@example.com" }) },
    ]);
    expect((await w.login("melanie@example.com", key).get("/users/me")).body.user_id).toBe(id);
    expect((await w.as("mel").get("/users/me")).status).toBe(401);
    expect((await w.login("melanie@example.com", key).get("/users/me/address")).body).toMatchObject({
      email: "melanie@example.com",
      is_proved: false,
      changes_by: "password",
      change: null,
    });
  });

  test("does not change by a key alone, nor by a wrong password", async () => {
    const w = await withPassword();
    const email = "melanie@example.com";
    expect(await change(w, "mel", { email })).toMatchObject(
      refused(
        "To change your address, also give your password: this server sends no mail that could confirm the new one.",
      ),
    );
    expect(await change(w, "mel", { email, old_password: "wrong" })).toMatchObject(
      refused("Wrong password!"),
    );
    expect(await change(w, "max", { email })).toMatchObject({ status: 400, events: [] });
    expect((await w.as("max").get("/users/me/address")).body.changes_by).toBe("owner");
    expect((await change(w, "max", { email })).body.msg).toContain("Ask an owner of the organization");
    expect((await w.as("mel").get("/users/me")).status).toBe(200);
  });

  test.each([
    ["somebody else's", "MAX@example.com", "Email 'MAX@example.com' already in use"],
    [
      "of the form of generated ones",
      "user3@chat.example.com",
      "Email 'user3@chat.example.com' already in use",
    ],
    ["none", "melanie", "Enter a valid email address."],
  ])("cannot be one that is %s", async (_, email, msg) => {
    const w = await withPassword();
    expect(await change(w, "mel", { email, old_password: password })).toMatchObject(refused(msg));
  });

  test("cannot change if the organization says so, and never for a bot", async () => {
    const w = await withPassword();
    await setPassword(w.ctx("ada"), { user_id: w.user("ada").id, password });
    await realm(w, "email_changes_disabled");
    const email = "other@example.com";
    const msg = "Email address changes are disabled in this organization.";
    expect(await change(w, "mel", { email, old_password: password })).toMatchObject(refused(msg));
    expect(await change(w, "bolt", { email })).toMatchObject(
      refused("The address of a bot cannot be changed."),
    );
    expect(await change(w, "ada", { email, old_password: password })).toMatchObject({ status: 200 });
  });

  test("changes at most twice an hour", async () => {
    const w = await withPassword();
    const { id, key } = w.user("mel");
    const move = (from: string, email: string) =>
      w.login(from, key).patch("/settings", { email, old_password: password });
    await move("mel@example.com", "one@example.com");
    await move("one@example.com", "two@example.com");
    const third = () => move("two@example.com", "three@example.com");
    expect(await third()).toMatchObject({ status: 429, body: { code: "RATE_LIMIT_HIT" }, events: [] });
    w.clock.advance(3601);
    expect(await third()).toMatchObject({ status: 200 });
    expect((await w.as("ada").get(`/users/${id}`)).body.user.email).toBe("three@example.com");
  });

  test("of an owner is not one that they give themselves as an administrator does", async () => {
    const w = world();
    const answer = await w.as("olive").patch(`/users/${w.user("olive").id}`, { new_email: "o@example.com" });
    expect(answer).toMatchObject(
      refused("Change your own address in your settings, where it takes a proof."),
    );
  });

  test("and a first password take more than a key", async () => {
    const w = world();
    expect(await change(w, "mel", { new_password: password })).toMatchObject({ status: 400, events: [] });
  });
});

describe("who sees an address", () => {
  const madeUp = (w: World, who: CastName) => `user${w.user(who).id}@chat.example.com`;
  const levels: [string, number, CastName[]][] = [
    ["members", addressVisibility.members, ["olive", "ada", "moss", "mel", "max", "bolt"]],
    ["moderators", addressVisibility.moderators, ["olive", "ada", "moss", "mel"]],
    ["administrators", addressVisibility.admins, ["olive", "ada", "mel"]],
    ["nobody", addressVisibility.nobody, ["mel"]],
  ];

  test.each(levels)(
    "may be %s: others are told another one",
    async (_, email_address_visibility, viewers) => {
      const w = world();
      const { id, email } = w.user("mel");
      const { events } = await change(w, "mel", { email_address_visibility });
      const person = (more: Json) => ({ type: "realm_user", op: "update", person: { user_id: id, ...more } });
      expect(events.slice(1)).toEqual([
        { audience: "everyone", event: person({ new_email: madeUp(w, "mel") }) },
        { audience: without(...viewers), event: person({ delivery_email: null }) },
      ]);
      for (const who of everybody) {
        const delivery_email = viewers.includes(who) ? email : null;
        expect(await seenBy(w, who, "mel")).toMatchObject({ email: madeUp(w, "mel"), delivery_email });
        const { state } = await w.queue(who, { fetch_event_types: ["realm_user"] });
        expect(state.realm_users.find((one: Json) => one.user_id === id)).toMatchObject({ delivery_email });
      }
    },
  );

  test("is emitted again to users who gain or lose access", async () => {
    const w = world();
    const { id, email } = w.user("mel");
    await change(w, "mel", { email_address_visibility: addressVisibility.nobody });
    const wider = await change(w, "mel", { email_address_visibility: addressVisibility.moderators });
    expect(wider.events.slice(1)).toMatchObject([
      { audience: ["olive", "ada", "moss"], event: { person: { user_id: id, delivery_email: email } } },
    ]);
    const open = await change(w, "mel", { email_address_visibility: addressVisibility.everyone });
    expect(open.events.slice(1)).toMatchObject([
      { audience: "everyone", event: { person: { new_email: email } } },
      { audience: ["max", "gus", "bolt"], event: { person: { delivery_email: email } } },
    ]);
  });

  test("decides which addresses find a user; both work for logging in", async () => {
    const w = world();
    const { id, email, key } = w.user("mel");
    await change(w, "mel", { email_address_visibility: addressVisibility.admins });
    const find = async (who: CastName, address: string) =>
      (await w.as(who).get(`/users/${address}`)).body.user?.user_id;
    expect([await find("ada", email), await find("max", email)]).toEqual([id, undefined]);
    expect(await find("max", madeUp(w, "mel"))).toBe(id);
    const write = (to: string) => w.as("max").post("/messages", { type: "direct", to: [to], content: "Hi" });
    expect(await write(email)).toMatchObject(refused(`Invalid email '${email}'`));
    expect(await write(madeUp(w, "mel"))).toMatchObject({ status: 200 });
    const narrowed = async (who: CastName, address: string) =>
      (await w.as(who).get("/messages", { anchor: "newest", num_before: 5, narrow: [["dm", address]] })).body;
    expect((await narrowed("max", madeUp(w, "mel"))).messages).toHaveLength(1);
    expect(await narrowed("max", email)).toMatchObject({ code: "BAD_NARROW" });
    for (const address of [email, madeUp(w, "mel").toUpperCase()])
      expect((await w.login(address, key).get("/users/me")).body).toMatchObject({
        user_id: id,
        email: madeUp(w, "mel"),
        delivery_email: email,
      });
  });

  test("decides what messages show of their sender, and whether clients derive the picture", async () => {
    const w = world();
    const subscribers = [w.user("mel").id, w.user("max").id];
    const { stream_id } = await createChannel(w.ctx("mel"), { name: "Design", description: "", subscribers });
    const queue = await w.queue("max", { client_gravatar: true });
    const send = () =>
      sendMessage(w.ctx("mel"), { type: "channel", to: [stream_id], topic: "t", content: "Hi" });
    const shown = async () => {
      await send();
      const { message } = (await queue.poll()).find(({ type }) => type === "message");
      const [stored] = (await w.as("max").get("/messages", { anchor: "newest", num_before: 1 })).body
        .messages;
      expect([stored.sender_email, stored.avatar_url]).toEqual([message.sender_email, message.avatar_url]);
      return [message.sender_email, message.avatar_url];
    };
    expect(await shown()).toEqual([w.user("mel").email, null]);
    expect((await seenBy(w, "max", "mel", { client_gravatar: true })).avatar_url).toBeNull();
    await change(w, "mel", { email_address_visibility: addressVisibility.members });
    expect(await shown()).toEqual([madeUp(w, "mel"), expect.stringContaining("/user_avatars/")]);
    expect((await seenBy(w, "max", "mel", { client_gravatar: true })).avatar_url).toBeNull();
    expect((await seenBy(w, "gus", "mel", { client_gravatar: true })).avatar_url).toContain("/user_avatars/");
  });

  test("is the organization's default for new users", async () => {
    const w = world();
    await w
      .as("ada")
      .patch("/realm/user_settings_defaults", { email_address_visibility: addressVisibility.admins });
    const from = w.events.length;
    const { user } = await createUser(w.ctx("ada"), { email: "nia@example.com", full_name: "Nia" });
    const added = w.events.slice(from).filter(({ event }) => event.type === "realm_user");
    const email = `user${user.user_id}@chat.example.com`;
    expect(added).toMatchObject([
      {
        audience: ["olive", "ada", user.user_id],
        event: { person: { email, delivery_email: "nia@example.com" } },
      },
      { audience: without("olive", "ada"), event: { person: { email, delivery_email: null } } },
    ]);
    expect((await seenBy(w, "max", "mel")).delivery_email).toBe(w.user("mel").email);
  });

  test("changes with the viewer's role", async () => {
    const w = world();
    const { id, email } = w.user("mel");
    await change(w, "mel", { email_address_visibility: addressVisibility.moderators });
    const eventsAs = async (role: 300 | 400) => {
      const from = w.events.length;
      await changeRole(w.ctx("ada"), { user_id: w.user("max").id, role });
      return w.events.slice(from).filter(({ event }) => event.person && "delivery_email" in event.person);
    };
    const expected = (delivery_email: string | null) => [
      {
        audience: ["max"],
        event: { type: "realm_user", op: "update", person: { user_id: id, delivery_email } },
      },
    ];
    expect(await eventsAs(roles.moderator)).toEqual(expected(email) as Json);
    expect(await eventsAs(roles.member)).toEqual(expected(null) as Json);
  });

  test("does not hide the addresses of bots", async () => {
    const w = world();
    await change(w, "bolt", { email_address_visibility: addressVisibility.nobody });
    expect((await seenBy(w, "gus", "bolt")).delivery_email).toBe(w.user("bolt").email);
  });
});
