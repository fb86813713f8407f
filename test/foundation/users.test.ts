import { describe, expect, test } from "bun:test";
import { inflateSync } from "node:zlib";
import { changeRole, deactivateUser, reactivateUser } from "@/foundation/accounts/actions.ts";
import { type Role, roles } from "@/foundation/permissions/schema.ts";
import { createBot } from "@/outside/bots/actions.ts";
import { createChannel } from "@/places/channel-administration/actions.ts";
import { type CapturedEvent, type CastName, world } from "../support/world.ts";

const newcomer = { email: "nia@example.com", password: "correct horse battery", full_name: "Nia" };

/** Members belong to two system groups: that of their role, and full members. */
const joins = (id: number) =>
  Array(2).fill({ audience: "everyone", event: { type: "user_group", op: "add_members", user_ids: [id] } });

describe("get-users", () => {
  test("lists everyone by ID, including bots, guests and deactivated users", async () => {
    const { as, user } = world();
    const { members } = (await as("gus").get("/users", { client_gravatar: false })).body;
    expect(members.map((one: { full_name: string }) => one.full_name)).toEqual([
      "Olive",
      "Ada",
      "Moss",
      "Mel",
      "Max",
      "Gus",
      "Dex",
      "Bolt",
    ]);
    expect(members[0]).toEqual({
      user_id: user("olive").id,
      email: "olive@example.com",
      delivery_email: "olive@example.com",
      full_name: "Olive",
      date_joined: "2026-03-03T09:30:00+00:00",
      is_active: true,
      is_owner: true,
      is_admin: true,
      is_guest: false,
      is_bot: false,
      role: 100,
      timezone: "",
      avatar_url: expect.stringMatching(/^\/user_avatars\/identicon\/[0-9a-f]{20}\.png$/),
      avatar_version: 1,
      is_imported_stub: false,
    });
    expect(members.slice(1)).toMatchObject([
      { role: 200, is_owner: false, is_admin: true },
      { role: 300, is_admin: false },
      { role: 400, is_guest: false },
      { role: 400 },
      { role: 600, is_guest: true },
      { role: 400, is_active: false },
      { role: 400, is_bot: true, bot_type: 1, bot_owner_id: user("mel").id },
    ]);
  });

  test("leaves out pictures that clients compute, unless they ask for them", async () => {
    const { as } = world();
    for (const params of [{}, { client_gravatar: true }]) {
      const { members } = (await as("mel").get("/users", params)).body;
      expect(members.map((one: { avatar_url: null }) => one.avatar_url)).toEqual(Array(8).fill(null));
    }
  });

  test("returns the requested users, and ignores unknown IDs", async () => {
    const { as, user } = world();
    const user_ids = [user("max").id, 999, user("dex").id];
    const { members } = (await as("mel").get("/users", { user_ids })).body;
    expect(members).toMatchObject([{ full_name: "Max" }, { full_name: "Dex" }]);
  });

  test("contains profile fields on request", async () => {
    const { as } = world();
    const { members } = (await as("mel").get("/users", { include_custom_profile_fields: true })).body;
    expect(members[0].profile_data).toEqual({});
  });
});

describe("get-own-user", () => {
  test.each(["olive", "gus", "bolt"] as const)("returns %s to themselves", async (who) => {
    const { as, user } = world();
    const { id, email } = user(who);
    expect((await as(who).get("/users/me")).body).toMatchObject({ user_id: id, email, max_message_id: 0 });
  });
});

describe("get-user", () => {
  test("gives one user by ID, deactivated ones too", async () => {
    const { as, user } = world();
    const { body } = await as("gus").get(`/users/${user("dex").id}`);
    expect(body.user).toMatchObject({ full_name: "Dex", is_active: false });
  });

  test("refuses an ID nobody has", async () => {
    const answer = await world().as("mel").get("/users/999");
    expect(answer).toMatchObject({ status: 400, body: { code: "BAD_REQUEST", msg: "No such user" } });
  });
});

describe("get-user-by-email", () => {
  test.each(["max@example.com", "MAX@Example.COM", "max%40example.com"])(
    "gives one user by %s",
    async (address) => {
      const { body } = await world().as("mel").get(`/users/${address}`);
      expect(body.user.full_name).toBe("Max");
    },
  );

  test("refuses an address nobody has", async () => {
    const answer = await world().as("mel").get("/users/nobody@example.com");
    expect(answer).toMatchObject({ status: 400, body: { code: "BAD_REQUEST", msg: "No such user" } });
  });
});

describe("create-user", () => {
  test("adds a member who can log in, and emits it to everyone", async () => {
    const { as, anonymous, login } = world();
    const { body, events } = await as("ada").post("/users", {
      ...newcomer,
      full_name: " Nia ",
      email: " Nia@example.com",
    });
    const person = { user_id: body.user_id, full_name: "Nia", email: "Nia@example.com", role: roles.member };
    expect(events).toMatchObject([
      { audience: "everyone", event: { type: "realm_user", op: "add", person } },
      ...joins(body.user_id),
    ]);

    const { password } = newcomer;
    const { api_key } = (await anonymous.post("/fetch_api_key", { username: newcomer.email, password })).body;
    expect((await login(newcomer.email, api_key).get("/users/me")).body).toMatchObject(person);
  });

  test("emits to each client the form it asked for", async () => {
    const { as, queue } = world();
    const [plain, gravatar] = [await queue("mel"), await queue("mel", { client_gravatar: true })];
    await as("ada").post("/users", newcomer);
    expect((await plain.poll())[0].person.avatar_url).toStartWith("/user_avatars/");
    expect((await gravatar.poll())[0].person.avatar_url).toBeNull();
  });

  test.each([
    ["a moderator", "moss", {}, "UNAUTHORIZED_PRINCIPAL", "Must be an organization administrator"],
    ["an administrator's bot", "bolt", {}, "UNAUTHORIZED_PRINCIPAL", "Must be an organization administrator"],
    [
      "an address in use",
      "ada",
      { email: "MEL@example.com" },
      "BAD_REQUEST",
      "Email 'MEL@example.com' already in use",
    ],
    [
      "the address of someone deactivated",
      "ada",
      { email: "dex@example.com" },
      "BAD_REQUEST",
      "Email 'dex@example.com' already in use",
    ],
    [
      "what is no address",
      "ada",
      { email: "nia.example.com" },
      "BAD_REQUEST",
      "Enter a valid email address.",
    ],
    [
      "an address with a null byte",
      "ada",
      { email: "nia\0@example.com" },
      "BAD_REQUEST",
      "Enter a valid email address.",
    ],
    ["two addresses in one", "ada", { email: "a@b@c" }, "BAD_REQUEST", "Enter a valid email address."],
    [
      "a short password",
      "ada",
      { password: "12345" },
      "BAD_REQUEST",
      "A password has at least 6 characters.",
    ],
    [
      "a long password",
      "ada",
      { password: "x".repeat(101) },
      "BAD_REQUEST",
      "A password has at most 100 characters.",
    ],
    [
      "a password that is easy to guess",
      "ada",
      { password: "123456" },
      "BAD_REQUEST",
      "This password is easy to guess. Choose a longer one, such as a few unrelated words.",
    ],
    [
      "a password made of the name",
      "ada",
      { full_name: "Annabeth Klein", password: "htebannA" },
      "BAD_REQUEST",
      "This password is easy to guess. Choose a longer one, such as a few unrelated words.",
    ],
    [
      "a password that is easy to guess, from somebody who may not add anybody",
      "mel",
      { password: "123456" },
      "UNAUTHORIZED_PRINCIPAL",
      "Must be an organization administrator",
    ],
    ["a name of one letter", "ada", { full_name: " N " }, "BAD_REQUEST", "Name too short!"],
    ["a long name", "ada", { full_name: "N".repeat(101) }, "BAD_REQUEST", "Name too long!"],
    [
      "a name that breaks mentions",
      "ada",
      { full_name: "**Nia**" },
      "BAD_REQUEST",
      "Invalid characters in name!",
    ],
    ["a name that looks like a mention", "ada", { full_name: "Nia|12" }, "BAD_REQUEST", "Invalid format!"],
    ["no address", "ada", { email: undefined }, "REQUEST_VARIABLE_MISSING", "Missing 'email' argument"],
    [
      "no password",
      "ada",
      { password: undefined },
      "REQUEST_VARIABLE_MISSING",
      "Missing 'password' argument",
    ],
    ["no name", "ada", { full_name: undefined }, "REQUEST_VARIABLE_MISSING", "Missing 'full_name' argument"],
  ] as const)("refuses %s", async (_, who, wrong, code, msg) => {
    const { as } = world();
    const answer = await as(who).post("/users", { ...newcomer, ...wrong });
    expect(answer).toMatchObject({ status: 400, body: { code, msg }, events: [] });
    expect((await as("ada").get("/users")).body.members).toHaveLength(8);
  });
});

describe("get-avatar", () => {
  const get = async (path: string, who: CastName = "gus") => {
    const response = await world().as(who).request(path);
    return { status: response.status, location: response.headers.get("location"), response };
  };

  test("leads to the picture of a user by ID and by address", async () => {
    const { user } = world();
    const byId = await get(`/avatar/${user("mel").id}`);
    const byAddress = await get("/avatar/MEL@example.com");
    expect([byId.status, byAddress.status]).toEqual([302, 302]);
    expect(byAddress.location).toBe(byId.location);
    expect((await get(`/avatar/${user("max").id}`)).location).not.toBe(byId.location);
  });

  test("has a picture for unknown users, too", async () => {
    expect(await get("/avatar/nobody@example.com")).toMatchObject({ status: 302 });
    expect(await get("/avatar/999")).toMatchObject({ status: 302 });
  });
});

describe("get-medium-avatar", () => {
  test("leads to the larger form of the picture", async () => {
    const { as, user } = world();
    const [medium, small] = await Promise.all(
      ["/medium", ""].map((end) => as("gus").request(`/avatar/${user("mel").id}${end}`)),
    );
    expect(medium?.status).toBe(302);
    expect(medium?.headers.get("location")).toBe(
      (small?.headers.get("location") ?? "").replace(".png", "-medium.png"),
    );
  });
});

describe("get-identicon", () => {
  const seed = "00ff1f0e0d1122334455";

  test("is a valid PNG that anyone can load and cache forever", async () => {
    const response = await world().anonymous.request(`/user_avatars/identicon/${seed}.png`);
    expect(response.headers.get("content-type")).toBe("image/png");
    expect(response.headers.get("cache-control")).toContain("immutable");
    const { width, height, pixels } = pngOf(Buffer.from(new Uint8Array(await response.arrayBuffer())));
    expect([width, height]).toEqual([120, 120]);
    expect(pixels).toHaveLength(120 * (1 + 15));
  });

  test("is symmetric, and differs by seed", async () => {
    const { anonymous } = world();
    const of = async (seed: string) => {
      const response = await anonymous.request(`/user_avatars/identicon/${seed}.png`);
      return pngOf(Buffer.from(new Uint8Array(await response.arrayBuffer())));
    };
    const rows = rowsOf(await of(seed));
    expect(rows.map((row) => [...row].reverse().join(""))).toEqual(rows);
    expect(rowsOf(await of("00aa1f0e0d1122334455"))).not.toEqual(rows);
  });

  test.each(["short", "zz".repeat(10), "%2e%2e"])("there is none for %s", async (bad) => {
    expect((await world().anonymous.request(`/user_avatars/identicon/${bad}.png`)).status).toBe(404);
  });
});

describe("createBot", () => {
  test("adds a bot of the actor, who acts with its key", async () => {
    const { ctx, events, login, user } = world();
    const bot = await createBot(ctx("max"), { full_name: "Helper", short_name: "helper" });
    expect(bot.user).toMatchObject({
      email: "helper-bot@chat.example.com",
      is_bot: true,
      bot_type: 1,
      bot_owner_id: user("max").id,
      role: roles.member,
    });
    expect(events).toMatchObject([
      { audience: "everyone", event: { op: "add", person: { user_id: bot.user.user_id } } },
      ...joins(bot.user.user_id),
      { audience: ["olive", "ada", "max"], event: { type: "realm_bot", op: "add" } },
    ]);
    expect((await login(bot.user.email, bot.api_key).get("/users/me")).body.is_bot).toBe(true);
  });

  test("for somebody else is only for administrators", async () => {
    const { ctx, user, events } = world();
    const input = { full_name: "Helper", short_name: "helper", owner_id: user("max").id };
    await expect(createBot(ctx("mel"), input)).rejects.toMatchObject({ code: "UNAUTHORIZED_PRINCIPAL" });
    expect(events).toEqual([]);
    expect((await createBot(ctx("max"), input)).user.bot_owner_id).toBe(user("max").id);
    const other = await createBot(ctx("ada"), { ...input, full_name: "Other", short_name: "other" });
    expect(other.user.bot_owner_id).toBe(user("max").id);
  });

  test.each([
    ["a guest", "gus", "helper", "Insufficient permission"],
    ["a bot", "bolt", "helper", "A bot's owner must be an active person."],
    ["a taken name", "max", "bolt", "Email 'bolt-bot@chat.example.com' already in use"],
  ] as const)("refuses %s", async (_, who, short_name, message) => {
    const { ctx, events } = world();
    const input = { full_name: "Helper", short_name };
    await expect(createBot(ctx(who), input)).rejects.toMatchObject({ code: "BAD_REQUEST", message });
    expect(events).toEqual([]);
  });
});

describe("changeRole", () => {
  test("gives the new role at once, and emits it to everyone", async () => {
    const { ctx, events, as, user } = world();
    const user_id = user("mel").id;
    expect(await as("mel").post("/users", newcomer)).toMatchObject({ status: 400 });
    await changeRole(ctx("ada"), { user_id, role: roles.admin });
    expect(events).toMatchObject([
      { audience: "everyone", event: { type: "realm_user", op: "update", person: { user_id, role: 200 } } },
      { audience: "everyone", event: { op: "remove_members", user_ids: [user_id] } },
      { audience: "everyone", event: { op: "remove_members", user_ids: [user_id] } },
      { audience: "everyone", event: { op: "add_members", user_ids: [user_id] } },
    ]);
    expect(await as("mel").post("/users", newcomer)).toMatchObject({ status: 200 });
  });

  /** A public channel of moss and max, a private one of moss, and one that nobody is in. */
  async function withChannels() {
    const w = world();
    const [moss, max] = [w.user("moss").id, w.user("max").id];
    const make = async (name: string, subscribers: number[], invite_only = false) =>
      (await createChannel(w.ctx("moss"), { name, subscribers, invite_only })).stream_id;
    const open = await make("open", [moss, max]);
    const closed = await make("closed", [moss], true);
    const empty = await make("empty", []);
    const change = async (who: CastName, role: Role) => {
      const from = w.events.length;
      await changeRole(w.ctx("olive"), { user_id: w.user(who).id, role });
      const isOfChannels = ({ event }: CapturedEvent) => ["stream", "subscription"].includes(event.type);
      return w.events.slice(from).filter(isOfChannels);
    };
    return { ...w, open, closed, empty, change, moss, max };
  }

  test("shows public channels and their subscribers to a guest who becomes a member", async () => {
    const { open, empty, change, moss, max, as } = await withChannels();
    expect(await change("gus", roles.member)).toMatchObject([
      {
        audience: ["gus"],
        event: { type: "stream", op: "create", streams: [{ stream_id: open }, { stream_id: empty }] },
      },
      {
        audience: ["gus"],
        event: { type: "subscription", op: "peer_add", stream_ids: [open], user_ids: [moss, max] },
      },
    ]);
    expect((await as("gus").get("/streams")).body.streams).toHaveLength(2);
  });

  test("hides other channels from a member who becomes a guest", async () => {
    const { empty, open, change, as } = await withChannels();
    expect(await change("max", roles.guest)).toMatchObject([
      { audience: ["max"], event: { type: "stream", op: "delete", stream_ids: [empty] } },
    ]);
    expect((await as("max").get("/streams")).body.streams).toMatchObject([{ stream_id: open }]);
  });

  test("shows private channels to new administrators, and hides them again after that", async () => {
    const { closed, change, moss } = await withChannels();
    expect(await change("mel", roles.admin)).toMatchObject([
      { audience: ["mel"], event: { op: "create", streams: [{ stream_id: closed }] } },
      { audience: ["mel"], event: { op: "peer_add", stream_ids: [closed], user_ids: [moss] } },
    ]);
    expect(await change("mel", roles.moderator)).toMatchObject([
      { audience: ["mel"], event: { op: "delete", stream_ids: [closed] } },
    ]);
  });

  test("shows archived channels only to clients that know them", async () => {
    const { app, ctx, queue, empty, change } = await withChannels();
    await app.env.db.write(ctx("system"), (tx) =>
      tx.run("UPDATE channels SET is_archived = 1 WHERE id = ?", empty),
    );
    const event_types = ["stream"];
    const capable = await queue("gus", { event_types });
    const older = await queue("gus", { event_types, client_capabilities: {} });
    await change("gus", roles.member);
    expect((await capable.poll())[0].streams).toHaveLength(2);
    expect((await older.poll())[0].streams).toMatchObject([{ name: "open" }]);
  });

  test("emits nothing to users who see the same as before, or are deactivated", async () => {
    const { change } = await withChannels();
    expect(await change("mel", roles.moderator)).toEqual([]);
    expect(await change("dex", roles.guest)).toEqual([]);
  });

  test("to the current role changes and emits nothing", async () => {
    const { ctx, events, user } = world();
    await changeRole(ctx("ada"), { user_id: user("mel").id, role: roles.member });
    expect(events).toEqual([]);
  });

  test("an owner may make another, and then give up their own", async () => {
    const { ctx, user } = world();
    await changeRole(ctx("olive"), { user_id: user("ada").id, role: roles.owner });
    const { role } = await changeRole(ctx("olive"), { user_id: user("olive").id, role: roles.member });
    expect(role).toBe(roles.member);
  });

  test.each([
    ["a moderator", "moss", "mel", roles.guest, "Must be an organization administrator"],
    ["an administrator who makes an owner", "ada", "mel", roles.owner, "Must be an organization owner"],
    [
      "an administrator who makes themselves owner",
      "ada",
      "ada",
      roles.owner,
      "Must be an organization owner",
    ],
    ["an administrator who unmakes an owner", "ada", "olive", roles.member, "Must be an organization owner"],
    [
      "the only owner who would be none",
      "olive",
      "olive",
      roles.admin,
      "The owner permission cannot be removed from the only organization owner.",
    ],
  ] as const)("refuses %s", async (_, who, whose, role, message) => {
    const { ctx, events, user } = world();
    await expect(changeRole(ctx(who), { user_id: user(whose).id, role })).rejects.toMatchObject({ message });
    expect(events).toEqual([]);
  });
});

describe("deactivateUser", () => {
  test("deactivates the account, closes its queues and emits it to everyone", async () => {
    const { ctx, events, as, user, queue } = world();
    const theirs = await queue("max");
    const other = await queue("mel");
    const hanging = theirs.poll({ dont_block: false });
    await deactivateUser(ctx("ada"), user("max").id);

    const person = { user_id: user("max").id, is_active: false };
    expect(events.map(({ event }) => event)).toContainEqual({ type: "realm_user", op: "update", person });
    expect(await hanging).toMatchObject([{ person }]);
    expect(await as("max").get("/events", { queue_id: theirs.id, last_event_id: -1 })).toMatchObject({
      status: 401,
      body: { code: "USER_DEACTIVATED" },
    });
    expect(await other.poll()).toMatchObject([{ type: "realm_user", person }]);
    expect((await as("mel").get(`/users/${user("max").id}`)).body.user.is_active).toBe(false);
  });

  test("leaves no queue open for a later reactivation", async () => {
    const { ctx, as, user, queue } = world();
    const before = await queue("max");
    await deactivateUser(ctx("ada"), user("max").id);
    await reactivateUser(ctx("ada"), user("max").id);
    expect(await as("max").get("/events", { queue_id: before.id, last_event_id: -1 })).toMatchObject({
      status: 400,
      body: { code: "BAD_EVENT_QUEUE_ID", queue_id: before.id },
    });
  });

  test.each([
    ["a moderator", "moss", "mel", "Must be an organization administrator"],
    ["an administrator, of an owner", "ada", "olive", "Must be an organization owner"],
    ["who is deactivated already", "ada", "dex", "User is already deactivated"],
    [
      "the only owner",
      "olive",
      "olive",
      "The owner permission cannot be removed from the only organization owner.",
    ],
  ] as const)("refuses %s", async (_, who, whose, message) => {
    const { ctx, events, user } = world();
    await expect(deactivateUser(ctx(who), user(whose).id)).rejects.toMatchObject({ message });
    expect(events).toEqual([]);
  });

  test("refuses an ID nobody has", async () => {
    await expect(deactivateUser(world().ctx("ada"), 999)).rejects.toMatchObject({ message: "No such user" });
  });
});

describe("reactivateUser", () => {
  test("reactivates the account, and emits it to everyone", async () => {
    const { ctx, events, as, user } = world();
    await reactivateUser(ctx("ada"), user("dex").id);
    expect(events).toMatchObject([
      { audience: "everyone", event: { op: "update", person: { user_id: user("dex").id, is_active: true } } },
      ...joins(user("dex").id),
    ]);
    expect((await as("dex").get("/users/me")).body.is_active).toBe(true);
  });

  test.each([
    ["a moderator", "moss", "dex", "Must be an organization administrator"],
    ["who is active", "ada", "mel", "User is already active"],
  ] as const)("refuses %s", async (_, who, whose, message) => {
    const { ctx, events, user } = world();
    await expect(reactivateUser(ctx(who), user(whose).id)).rejects.toMatchObject({ message });
    expect(events).toEqual([]);
  });
});

/** Reads a PNG of one bit a pixel, checksums included. */
function pngOf(file: Buffer): { width: number; height: number; pixels: Buffer } {
  expect(file.subarray(0, 8).toString("hex")).toBe("89504e470d0a1a0a");
  const chunks = new Map<string, Buffer>();
  for (let at = 8; at < file.length; ) {
    const length = file.readUInt32BE(at);
    const named = file.subarray(at + 4, at + 8 + length);
    expect(file.readUInt32BE(at + 8 + length)).toBe(Bun.hash.crc32(named));
    chunks.set(named.toString("latin1", 0, 4), named.subarray(4));
    at += 12 + length;
  }
  expect([...chunks.keys()]).toEqual(["IHDR", "PLTE", "IDAT", "IEND"]);
  const header = chunks.get("IHDR") as Buffer;
  const pixels = inflateSync(chunks.get("IDAT") as Buffer);
  return { width: header.readUInt32BE(0), height: header.readUInt32BE(4), pixels };
}

function rowsOf({ width, height, pixels }: ReturnType<typeof pngOf>): string[] {
  const stride = 1 + width / 8;
  return Array.from({ length: height }, (_, y) =>
    [...pixels.subarray(y * stride + 1, (y + 1) * stride)]
      .map((byte) => byte.toString(2).padStart(8, "0"))
      .join(""),
  );
}
