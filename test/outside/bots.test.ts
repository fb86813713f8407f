import { describe, expect, test } from "bun:test";
import { deactivateUser } from "@/foundation/accounts/actions.ts";
import { listAudit } from "@/foundation/audit/queries.ts";
import { systemGroup } from "@/foundation/permissions/closure.ts";
import { botTypes, roles } from "@/foundation/permissions/schema.ts";
import { notificationBot } from "@/foundation/users/access.ts";
import { createBot } from "@/outside/bots/actions.ts";
import { createChannel } from "@/places/channel-administration/actions.ts";
import { png } from "../support/pictures.ts";
import { basic, encode, type Json } from "../support/requests.ts";
import { type CapturedEvent, type CastName, formOf, type World, world } from "../support/world.ts";

const helper = { full_name: "Helper", short_name: "helper" };
const hook = { ...helper, bot_type: botTypes.outgoingWebhook, payload_url: "https://hooks.example.com/x" };

const of = (events: CapturedEvent[], type: string) => events.filter(({ event }) => event.type === type);

/** The notification bot's newest message to a user, if there is one. */
async function newestTo(w: World, who: CastName): Promise<Json> {
  const asked = { anchor: "newest", num_before: 1, num_after: 0, narrow: [["is", "dm"]] };
  return (await w.as(who).get("/messages", asked)).body.messages.at(-1);
}

/** The group of all members. */
function everyMember(w: World): number {
  return systemGroup(w.ctx("olive"), "role:members");
}

/** Allows only these users to create bots of a kind. */
async function restrict(w: World, name: string, who: CastName[]): Promise<void> {
  const value = { direct_members: who.map((one) => w.user(one).id), direct_subgroups: [] };
  expect((await w.as("olive").patch("/realm", { [name]: { new: value } })).status).toBe(200);
}

describe("post-bots", () => {
  test("creates a bot of the actor and returns its key", async () => {
    const w = world();
    const { body, events } = await w.as("max").post("/bots", helper);
    expect(body).toEqual({
      result: "success",
      msg: "",
      user_id: expect.any(Number),
      api_key: expect.stringMatching(/^\w{32}$/),
      avatar_url: expect.stringContaining("identicon"),
      default_sending_stream: null,
      default_events_register_stream: null,
      default_all_public_streams: false,
    });
    const email = "helper-bot@chat.example.com";
    expect((await w.login(email, body.api_key).get("/users/me")).body).toMatchObject({
      user_id: body.user_id,
      is_bot: true,
      role: roles.member,
    });
    expect(of(events, "realm_user")).toMatchObject([
      {
        audience: "everyone",
        event: { op: "add", person: { email, bot_type: 1, bot_owner_id: w.user("max").id } },
      },
    ]);
    expect(of(events, "realm_bot")).toMatchObject([
      {
        audience: ["olive", "ada", "max"],
        event: {
          op: "add",
          bot: { user_id: body.user_id, services: [] },
        },
      },
    ]);
  });

  test("gives it a picture that comes with it", async () => {
    const w = world();
    const form = formOf({ ...helper, file: new File([png(40, 40)], "me.png") });
    const { body } = await w.as("max").upload("/bots", form);
    expect(body.avatar_url).toMatch(/^\/user_avatars\/\d+\/[0-9a-f]+\.webp$/);
  });

  test("creates none if the picture is invalid", async () => {
    const w = world();
    const form = formOf({ ...helper, file: new File(["no picture"], "me.png") });
    expect(await w.as("max").upload("/bots", form)).toMatchObject({
      status: 400,
      body: { code: "BAD_IMAGE" },
      events: [],
    });
  });

  test("stores an outgoing webhook's URL, with its own token", async () => {
    const w = world();
    const { body } = await w.as("max").post("/bots", { ...hook, interface_type: 2 });
    const { state } = await w.queue("max", { fetch_event_types: ["realm_bot"] });
    expect(state.realm_bots).toMatchObject([
      {
        user_id: body.user_id,
        services: [{ base_url: hook.payload_url, interface: 2, token: expect.stringMatching(/^\w{32}$/) }],
      },
    ]);
    expect(state.realm_bots[0].services[0].token).not.toBe(body.api_key);
  });

  test("requires permission; bots that only send need less", async () => {
    const w = world();
    await restrict(w, "can_create_bots_group", ["ada"]);
    const refused = { status: 400, body: { msg: "Insufficient permission" }, events: [] };
    expect(await w.as("max").post("/bots", helper)).toMatchObject(refused);
    expect((await w.as("max").post("/bots", { ...helper, bot_type: 2 })).status).toBe(200);
    await restrict(w, "can_create_write_only_bots_group", ["ada"]);
    const other = { full_name: "Other", short_name: "other", bot_type: 2 };
    expect(await w.as("max").post("/bots", other)).toMatchObject(refused);
    expect((await w.as("ada").post("/bots", other)).status).toBe(200);
  });

  test.each([
    ["a guest", "gus", helper, "Insufficient permission"],
    ["a bot", "bolt", helper, "A bot's owner must be an active person."],
    ["a taken name", "max", { ...helper, full_name: "MEL" }, "Name is already in use!"],
    [
      "a taken address",
      "max",
      { full_name: "Other", short_name: "bolt" },
      "Email 'bolt-bot@chat.example.com' already in use",
    ],
    [
      "a strange short name",
      "max",
      { ...helper, short_name: "a b" },
      "A short name may contain only letters",
    ],
    ["no name", "max", { short_name: "x1" }, "Missing 'full_name' argument"],
    ["a type there is not", "max", { ...helper, bot_type: 9 }, "There is no such type of bot."],
    ["an embedded bot", "max", { ...helper, bot_type: 4 }, "does not support embedded bots"],
    ["a webhook without an address", "max", { ...hook, payload_url: undefined }, "needs a URL"],
    [
      "an address of another scheme",
      "max",
      { ...hook, payload_url: "file:///etc/passwd" },
      "must begin with http",
    ],
    [
      "an address with a password",
      "max",
      { ...hook, payload_url: "http://a:b@x.example.com" },
      "contain no password",
    ],
    ["an address without a webhook", "max", { ...hook, bot_type: 1 }, "Only outgoing webhooks"],
    ["an interface there is not", "max", { ...hook, interface_type: 7 }, "There is no such interface."],
    ["a channel there is not", "max", { ...helper, default_sending_stream: "nowhere" }, "nowhere"],
  ] as const)("refuses %s", async (_, who, given, msg) => {
    const answer = await world().as(who).post("/bots", given);
    expect(answer).toMatchObject({ status: 400, events: [] });
    expect(answer.body.msg).toContain(msg);
  });
});

describe("get-bots", () => {
  test("lists the actor's own active bots", async () => {
    const w = world();
    expect((await w.as("mel").get("/bots")).body.bots).toEqual([
      {
        username: "bolt-bot@chat.example.com",
        full_name: "Bolt",
        api_key: "",
        avatar_url: expect.any(String),
        default_sending_stream: null,
        default_events_register_stream: null,
        default_all_public_streams: false,
      },
    ]);
    expect((await w.as("ada").get("/bots")).body.bots).toEqual([]);
    await deactivateUser(w.ctx("ada"), w.user("bolt").id);
    expect((await w.as("mel").get("/bots")).body.bots).toEqual([]);
  });

  test("the initial state has all for administrators, their own for others", async () => {
    const w = world();
    const bots = async (who: CastName) =>
      (await w.queue(who, { fetch_event_types: ["realm_bot"] })).state.realm_bots.map(
        (bot: Json) => bot.user_id,
      );
    expect(await bots("ada")).toEqual([w.user("bolt").id]);
    expect(await bots("mel")).toEqual([w.user("bolt").id]);
    expect(await bots("max")).toEqual([]);
  });
});

describe("patch-bots-bot-id", () => {
  const path = (w: World) => `/bots/${w.user("bolt").id}`;

  test("renames, which everyone hears as of any user", async () => {
    const w = world();
    const { body, events } = await w.as("mel").patch(path(w), { full_name: "Thunder" });
    expect(body).toMatchObject({ full_name: "Thunder", default_sending_stream: null });
    const { id: user_id } = w.user("bolt");
    expect(events).toMatchObject([
      { audience: "everyone", event: { person: { user_id, full_name: "Thunder" } } },
    ]);
    expect(listAudit(w.ctx("ada"), { limit: 1 })).toMatchObject([{ event: "bot_renamed" }]);
  });

  test("changes the owner: the new one sees it, the former one no longer does", async () => {
    const w = world();
    const { id: user_id } = w.user("bolt");
    const { events } = await w.as("mel").patch(path(w), { bot_owner_id: w.user("max").id });
    const owner_id = w.user("max").id;
    expect(of(events, "message")).toHaveLength(1);
    expect(events.filter(({ event }) => event.type !== "message")).toMatchObject([
      { audience: "everyone", event: { type: "realm_user", person: { user_id, bot_owner_id: owner_id } } },
      { audience: ["mel"], event: { type: "realm_bot", op: "delete", bot: { user_id } } },
      { audience: ["max"], event: { type: "realm_bot", op: "add", bot: { user_id } } },
    ]);
    expect((await w.as("mel").patch(path(w), { full_name: "Mine" })).status).toBe(400);
    expect((await w.as("max").patch(path(w), { full_name: "Mine" })).status).toBe(200);
  });

  test("given away by its owner, loses its keys and queues, so that the former owner has no access", async () => {
    const w = world();
    const secret = { name: "board", subscribers: [w.user("olive").id], invite_only: true };
    const { id: channel_id } = (await w.as("olive").post("/channels/create", secret)).body;
    const queue = await w.queue("bolt");
    await w.as("mel").patch(path(w), { bot_owner_id: w.user("olive").id });

    expect(await w.as("bolt").get("/streams")).toMatchObject({
      status: 401,
      body: { code: "UNAUTHORIZED" },
    });
    const to = { type: "stream", to: channel_id, topic: "t", content: "Hello" };
    expect(await w.as("bolt").post("/messages", to)).toMatchObject({ status: 401, events: [] });

    const { content } = await newestTo(w, "olive");
    expect(content).toContain("made you the owner of the bot");
    expect(content).toContain("Its old API key no longer works");
    expect(await newestTo(w, "mel")).toBeUndefined();
    const { api_key } = (await w.as("olive").post(`${path(w)}/api_key/regenerate`)).body;
    const bot = w.login(w.user("bolt").email, api_key);
    expect((await bot.get("/users/me")).status).toBe(200);
    const asked = { queue_id: queue.id, last_event_id: -1, dont_block: true };
    expect((await bot.get("/events", asked)).body.code).toBe("BAD_EVENT_QUEUE_ID");
    const recorded = listAudit(w.ctx("olive"), { limit: 2 }).map(({ event }) => event);
    expect(recorded).toEqual(["bot_key_replaced", "bot_owner_changed"]);
  });

  test("a poll that waits while it is given away gets no later events", async () => {
    const w = world();
    const queue = await w.queue("bolt");
    const waiting = queue.poll({ dont_block: false });
    await w.as("mel").patch(path(w), { bot_owner_id: w.user("max").id });
    await w.as("ada").post("/messages", { type: "direct", to: [w.user("bolt").id], content: "Later" });
    expect((await waiting).map(({ type }: Json) => type)).toEqual(["realm_user"]);
  });

  test("given away while a request of it still arrives, does nothing more with its old key", async () => {
    const w = world();
    const secret = { name: "board", subscribers: [w.user("olive").id], invite_only: true };
    const { id: channel_id } = (await w.as("olive").post("/channels/create", secret)).body;
    const given = Promise.withResolvers<void>();
    const words = encode({ type: "stream", to: channel_id, topic: "t", content: "Hello" });
    const body = new ReadableStream<Uint8Array>({
      async start(controller) {
        controller.enqueue(Buffer.from(words.slice(0, 5)));
        await given.promise;
        // Longer than a body may take before its key is checked again.
        await Bun.sleep(60);
        controller.enqueue(Buffer.from(words.slice(5)));
        controller.close();
      },
    });
    const headers = {
      authorization: basic(w.user("bolt").email, w.user("bolt").key),
      "content-type": "application/x-www-form-urlencoded",
      "content-length": String(words.length),
    };
    const url = "http://confab.test/api/v1/messages";
    const answer = w.app.fetch(new Request(url, { method: "POST", headers, body, duplex: "half" }));
    await w.as("mel").patch(path(w), { bot_owner_id: w.user("olive").id });
    given.resolve();
    expect((await answer).status).toBe(401);
    expect(of(w.events, "message").filter(({ event }) => event.message?.stream_id !== undefined)).toEqual([]);
  });

  test("handed over by an administrator, it keeps running, and its former owner gets a notice that they know its key", async () => {
    const w = world();
    const queue = await w.queue("bolt");
    await w.as("ada").patch(path(w), { bot_owner_id: w.user("max").id });

    expect((await w.as("bolt").get("/users/me")).status).toBe(200);
    expect(await queue.poll()).toMatchObject([
      { type: "realm_user", person: { bot_owner_id: w.user("max").id } },
    ]);
    const toNew = (await newestTo(w, "max")).content;
    expect(toNew).toContain("Ada");
    expect(toNew).toContain("It keeps running with its API key, which");
    expect(toNew).toContain("Mel");
    expect((await newestTo(w, "mel")).content).toContain("its API key, which you still know");
  });

  test("given away by an administrator who owns it, loses its keys, too", async () => {
    const w = world();
    const { user_id, api_key } = (await w.as("ada").post("/bots", helper)).body;
    await w.as("ada").patch(`/bots/${user_id}`, { bot_owner_id: w.user("max").id });
    expect((await w.login("helper-bot@chat.example.com", api_key).get("/users/me")).status).toBe(401);
  });

  test("given to a guest, becomes a guest, and sees no more than its new owner", async () => {
    const w = world();
    await createChannel(w.ctx("mel"), { name: "builds", subscribers: [w.user("mel").id] });
    const bot = w.user("bolt").id;
    const { events } = await w.as("ada").patch(path(w), { bot_owner_id: w.user("gus").id });
    const roleChanged = { person: { user_id: bot, role: roles.guest } };
    expect(events.map(({ event }) => event)).toContainEqual(expect.objectContaining(roleChanged));
    expect((await w.as("bolt").get("/users/me")).body).toMatchObject({ role: roles.guest });
    const refused = await w.as("bolt").get("/get_stream_id", { stream: "builds" });
    expect(refused.status).toBe(400);
  });

  test("becomes a guest together with its owner, also while it is deactivated; another's stays", async () => {
    const w = world();
    const roleOf = async (id: number) => (await w.as("ada").get(`/users/${id}`)).body.user.role;
    const asleep = (await w.as("mel").post("/bots", helper)).body.user_id;
    const others = (await w.as("max").post("/bots", { ...helper, short_name: "other", full_name: "Other" }))
      .body;
    await w.as("mel").delete(`/bots/${asleep}`);
    await w.as("ada").patch(`/users/${w.user("mel").id}`, { role: roles.guest });
    for (const id of [w.user("mel").id, w.user("bolt").id, asleep])
      expect(await roleOf(id)).toBe(roles.guest);
    expect(await roleOf(others.user_id)).toBe(roles.member);
  });

  test("reactivated for another owner, has lost its keys", async () => {
    const w = world();
    await deactivateUser(w.ctx("ada"), w.user("mel").id);
    const { status, events } = await w.as("ada").post(`/users/${w.user("bolt").id}/reactivate`);
    expect(status).toBe(200);
    const bot = notificationBot(w.ctx("ada")).id;
    expect(of(events, "message").map(({ audience }) => audience)).toEqual([[bot, "ada"]]);
    expect((await w.as("bolt").get("/users/me")).body.code).toBe("UNAUTHORIZED");
    expect((await newestTo(w, "ada")).content).toContain("Its old API key no longer works");
  });

  test("handed over while deactivated, has lost its keys when it is reactivated", async () => {
    const w = world();
    await w.as("mel").delete(path(w));
    await w.as("ada").patch(path(w), { bot_owner_id: w.user("max").id });
    await w.as("ada").post(`/users/${w.user("bolt").id}/reactivate`);
    expect((await w.as("bolt").get("/users/me")).body.code).toBe("UNAUTHORIZED");
  });

  test("an outgoing webhook that is given away posts nowhere until its new owner sets a URL", async () => {
    const w = world();
    const { user_id } = (await w.as("max").post("/bots", hook)).body;
    const services = async (who: CastName) =>
      (await w.queue(who, { fetch_event_types: ["realm_bot"] })).state.realm_bots.find(
        (bot: Json) => bot.user_id === user_id,
      ).services;
    const [before] = await services("max");
    const { events } = await w.as("max").patch(`/bots/${user_id}`, { bot_owner_id: w.user("moss").id });
    const [after] = await services("moss");
    expect(after.base_url).toBe("");
    expect(after.token).not.toBe(before.token);
    expect(of(events, "realm_bot").at(-1)).toMatchObject({
      audience: ["olive", "ada"],
      event: { op: "update", bot: { services: [after] } },
    });
    expect((await newestTo(w, "moss")).content).toContain(hook.payload_url);

    const given = { service_payload_url: "https://moss.example.com/" };
    expect((await w.as("moss").patch(`/bots/${user_id}`, given)).body).toMatchObject(given);
    await w.as("ada").patch(`/bots/${user_id}`, { bot_owner_id: w.user("max").id });
    expect(await services("max")).toEqual([{ ...after, base_url: given.service_payload_url }]);
    expect((await newestTo(w, "max")).content).toContain(given.service_payload_url);
  });

  test("names nobody to a guest who may not know them", async () => {
    const w = world();
    await w.as("olive").patch("/realm", { can_access_all_users_group: { new: everyMember(w) } });
    await w.as("ada").patch(path(w), { bot_owner_id: w.user("gus").id });
    const { content } = await newestTo(w, "gus");
    expect(content).toContain("which somebody still knows");
    expect(content).not.toContain("Mel");
    expect(content).not.toContain("Ada");
  });

  test("changes where an outgoing webhook is posted to; its token stays", async () => {
    const w = world();
    const { user_id } = (await w.as("max").post("/bots", hook)).body;
    const services = async () =>
      (await w.queue("max", { fetch_event_types: ["realm_bot"] })).state.realm_bots[0].services;
    const [before] = await services();
    const given = { service_payload_url: "https://other.example.com/", service_interface: 2 };
    const { body, events } = await w.as("max").patch(`/bots/${user_id}`, given);
    expect(body).toMatchObject(given);
    const after = { base_url: given.service_payload_url, interface: 2, token: before.token };
    expect(events).toMatchObject([{ event: { op: "update", bot: { user_id, services: [after] } } }]);
    expect(await services()).toEqual([after]);
  });

  test("sets the defaults for sending and for its event queues", async () => {
    const w = world();
    await createChannel(w.ctx("mel"), { name: "builds", subscribers: [w.user("mel").id] });
    const given = { default_sending_stream: "builds", default_events_register_stream: "Builds" };
    const { body, events } = await w.as("mel").patch(path(w), given);
    const now = { default_sending_stream: "builds", default_events_register_stream: "builds" };
    expect(body).toMatchObject(now);
    expect(events).toMatchObject([{ event: { type: "realm_bot", bot: now } }]);

    const sent = await w
      .as("bolt")
      .post("/messages", { type: "stream", to: [], topic: "t", content: "built" });
    expect(sent).toMatchObject({ status: 200 });
    await w
      .as("bolt")
      .post("/users/me/subscriptions", { subscriptions: [{ name: "builds" }, { name: "other" }] });
    const { id, last_event_id } = await w
      .as("bolt")
      .post("/register", { event_types: ["message"] })
      .then(({ body }) => ({ id: body.queue_id, last_event_id: body.last_event_id }));
    for (const to of ["builds", "other"]) {
      await w.as("mel").post("/messages", { type: "stream", to, topic: "t", content: "x" });
    }
    const { body: polled } = await w
      .as("bolt")
      .get("/events", { queue_id: id, last_event_id, dont_block: true });
    expect(polled.events.map(({ message }: Json) => message.display_recipient)).toEqual(["builds"]);

    await w.as("mel").patch(path(w), { default_sending_stream: "" });
    const lost = await w
      .as("bolt")
      .post("/messages", { type: "stream", to: [], topic: "t", content: "built" });
    expect(lost.status).toBe(400);
  });

  test("may let it listen to everything public", async () => {
    const w = world();
    await createChannel(w.ctx("mel"), { name: "builds", subscribers: [w.user("mel").id] });
    await w.as("mel").patch(path(w), { default_all_public_streams: true });
    const { body } = await w.as("bolt").post("/register", { event_types: ["message"] });
    await w.as("mel").post("/messages", { type: "stream", to: "builds", topic: "t", content: "x" });
    const { queue_id, last_event_id } = body;
    const { events } = (await w.as("bolt").get("/events", { queue_id, last_event_id, dont_block: true }))
      .body;
    expect(events).toHaveLength(1);
  });

  test("lets administrators give it a role and a picture", async () => {
    const w = world();
    const { events } = await w.as("ada").patch(path(w), { role: roles.moderator });
    expect(events[0]).toMatchObject({ event: { person: { role: roles.moderator } } });
    const form = formOf({ file: new File([png(40, 40)], "me.png") });
    const { body } = await w
      .as("mel")
      .request(`/api/v1${path(w)}`, { method: "PATCH", body: form })
      .then(async (response) => ({ body: (await response.json()) as Json }));
    expect(body.avatar_url).toContain(".webp");
  });

  test.each([
    ["somebody else's", "max", { full_name: "Mine" }, "Insufficient permission"],
    ["the bot itself", "bolt", { full_name: "Me" }, "Insufficient permission"],
    ["a role from its owner", "mel", { role: roles.moderator }, "Must be an organization administrator"],
    ["a role above one's own", "ada", { role: roles.owner }, "Must be an organization owner"],
    ["a deactivated owner", "mel", { bot_owner_id: "dex" }, "A bot's owner must be an active person."],
    ["a bot as its owner", "mel", { bot_owner_id: "bolt" }, "A bot's owner must be an active person."],
    ["a taken name", "mel", { full_name: "Max" }, "Name is already in use!"],
    [
      "an address for a bot that has none",
      "mel",
      { service_payload_url: "http://x.example.com" },
      "Only outgoing",
    ],
  ] as const)("refuses %s", async (_, who, given, msg) => {
    const w = world();
    const owner = "bot_owner_id" in given ? { bot_owner_id: w.user(given.bot_owner_id).id } : {};
    const answer = await w.as(who).patch(path(w), { ...given, ...owner });
    expect(answer).toMatchObject({ status: 400, events: [] });
    expect(answer.body.msg).toContain(msg);
  });

  test("refuses users who are not bots, and system bots", async () => {
    const w = world();
    const { state } = await w.queue("ada", { fetch_event_types: ["realm_user"] });
    for (const id of [w.user("max").id, 999, state.cross_realm_bots[0].user_id]) {
      expect((await w.as("olive").patch(`/bots/${id}`, { full_name: "Mine" })).body.msg).toBe("No such bot");
    }
  });
});

describe("delete-bots-bot-id", () => {
  test("deactivates the bot", async () => {
    const w = world();
    const { id: user_id } = w.user("bolt");
    const { events } = await w.as("mel").delete(`/bots/${user_id}`);
    expect(of(events, "realm_user")).toMatchObject([{ event: { person: { user_id, is_active: false } } }]);
    expect((await w.as("bolt").get("/users/me")).body.code).toBe("USER_DEACTIVATED");
    const back = (await w.as("ada").post(`/users/${user_id}/reactivate`)).events;
    expect(of(back, "realm_user")).toMatchObject([{ event: { person: { user_id, is_active: true } } }]);
  });

  test.each([
    ["max", "bolt", "Insufficient permission"],
    ["olive", "mel", "No such bot"],
  ] as const)("refuses %s, of %s", async (who, target, msg) => {
    const w = world();
    const answer = await w.as(who).delete(`/bots/${w.user(target).id}`);
    expect(answer).toMatchObject({ status: 400, body: { msg }, events: [] });
  });
});

describe("post-bots-bot-id-api-key-regenerate", () => {
  test.each(["mel", "ada"] as const)("gives %s a new key, and ends the old one", async (who) => {
    const w = world();
    const { id, email, key } = w.user("bolt");
    const { body } = await w.as(who).post(`/bots/${id}/api_key/regenerate`);
    expect((await w.login(email, body.api_key).get("/users/me")).status).toBe(200);
    expect((await w.login(email, key).get("/users/me")).status).toBe(401);
  });

  test("refuses others", async () => {
    const w = world();
    const answer = await w.as("max").post(`/bots/${w.user("bolt").id}/api_key/regenerate`);
    expect(answer).toMatchObject({ status: 400, body: { msg: "Insufficient permission" } });
    expect((await w.as("bolt").get("/users/me")).status).toBe(200);
  });
});

describe("a bot whose key an administrator knows", () => {
  test("is announced to its owner, who may go where it goes", async () => {
    const w = world();
    const made = (await createBot(w.ctx("ada"), { ...helper, owner_id: w.user("olive").id })).user;
    expect((await newestTo(w, "olive")).content).toMatch(
      /Ada<\/span> made the bot .*Helper.* and knows its API key/,
    );
    await w.as("ada").post(`/bots/${made.user_id}/api_key/regenerate`);
    expect((await newestTo(w, "olive")).content).toMatch(/Ada<\/span> created a new API key for your bot/);
    const { id } = await newestTo(w, "olive");
    await w.as("olive").post(`/bots/${made.user_id}/api_key/regenerate`);
    expect((await w.as("ada").post("/bots", { full_name: "Own", short_name: "own" })).status).toBe(200);
    expect([(await newestTo(w, "olive")).id, await newestTo(w, "ada")]).toEqual([id, undefined]);
  });
});

describe("put-bot-storage", () => {
  test("keeps texts by key, and replaces them", async () => {
    const w = world();
    await w.as("bolt").put("/bot_storage", { storage: { a: "1", b: "2" } });
    await w.as("bolt").put("/bot_storage", { storage: { b: "3" } });
    expect((await w.as("bolt").get("/bot_storage")).body.storage).toEqual({ a: "1", b: "3" });
    const other = await createBot(w.ctx("max"), helper);
    const { body } = await w.login(other.user.email, other.api_key).get("/bot_storage");
    expect(body.storage).toEqual({});
  });

  test("refuses people, values that are not text, and too much", async () => {
    const w = world();
    const put = async (who: CastName, storage: unknown) =>
      (await w.as(who).put("/bot_storage", { storage })).status;
    expect(await put("mel", { a: "1" })).toBe(400);
    expect(await put("bolt", { a: 1 })).toBe(400);
    expect(await put("bolt", { ["k".repeat(1001)]: "1" })).toBe(400);
    expect(await put("bolt", { "\0key": "1" })).toBe(400);
    expect(await put("bolt", { a: "\0hidden from who counts" })).toBe(400);
    for (let n = 0; n < 10; n++) expect(await put("bolt", { [`k${n}`]: "x".repeat(999_990) })).toBe(200);
    expect(await put("bolt", { more: "x".repeat(100) })).toBe(400);
    expect(Object.keys((await w.as("bolt").get("/bot_storage")).body.storage)).toHaveLength(10);
  });

  test("refuses too much of several requests at once, too", async () => {
    const w = world();
    const answers = await Promise.all(
      Array.from({ length: 13 }, (_, n) =>
        w.as("bolt").put("/bot_storage", { storage: { [`k${n}`]: "x".repeat(999_900) } }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(10).fill(200), 400, 400, 400]);
    expect(Object.keys((await w.as("bolt").get("/bot_storage")).body.storage)).toHaveLength(10);
    expect((await w.as("bolt").put("/bot_storage", { storage: { k: "after a refusal" } })).status).toBe(200);
  });

  test("keeps a hundred thousand keys, and refuses more", async () => {
    const w = world();
    const put = async (storage: Record<string, string>) =>
      (await w.as("bolt").put("/bot_storage", { storage })).body.msg;
    const portion = (nth: number) =>
      Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`🔑${nth}-${i}`, ""]));
    for (let nth = 0; nth < 5; nth++) expect(await put(portion(nth))).toBe("");
    expect(await put(portion(4))).toBe("");
    expect(await put({ more: "" })).toBe("A bot can store values under at most 100000 keys.");
    const { storage } = (await w.as("bolt").get("/bot_storage")).body;
    expect(Object.keys(storage)).toHaveLength(100_000);
    expect((await w.as("bolt").delete("/bot_storage")).status).toBe(200);
    expect((await w.as("bolt").get("/bot_storage")).body.storage).toEqual({});
  });
});

describe("get-bot-storage", () => {
  test("returns the requested keys, and refuses unknown ones", async () => {
    const w = world();
    await w.as("bolt").put("/bot_storage", { storage: { a: "1", b: "2" } });
    expect((await w.as("bolt").get("/bot_storage", { keys: ["b"] })).body.storage).toEqual({ b: "2" });
    expect(await w.as("bolt").get("/bot_storage", { keys: ["c"] })).toMatchObject({
      status: 400,
      body: { msg: "Nothing is stored under the key 'c'." },
    });
  });
});

describe("delete-bot-storage", () => {
  test("deletes the named keys or all; one unknown key deletes nothing", async () => {
    const w = world();
    await w.as("bolt").put("/bot_storage", { storage: { a: "1", b: "2", c: "3" } });
    expect((await w.as("bolt").delete("/bot_storage", { keys: ["a", "x"] })).status).toBe(400);
    await w.as("bolt").delete("/bot_storage", { keys: ["a"] });
    expect((await w.as("bolt").get("/bot_storage")).body.storage).toEqual({ b: "2", c: "3" });
    await w.as("bolt").delete("/bot_storage");
    expect((await w.as("bolt").get("/bot_storage")).body.storage).toEqual({});
  });
});

describe("an incoming webhook bot", () => {
  test("may only send", async () => {
    const w = world();
    const { user, api_key } = await createBot(w.ctx("mel"), {
      ...helper,
      bot_type: botTypes.incomingWebhook,
    });
    const bot = w.login(user.email, api_key);
    await createChannel(w.ctx("mel"), { name: "builds", subscribers: [w.user("mel").id] });
    const message = { type: "stream", to: "builds", topic: "t", content: "built" };
    expect((await bot.post("/messages", message)).status).toBe(200);
    const answers = [
      await bot.get("/users/me"),
      await bot.get("/messages", { anchor: "newest", num_before: 1, num_after: 0 }),
      await bot.post("/register"),
      await bot.patch("/settings", { full_name: "Other" }),
      await bot.post("/users", { email: "x@example.com", password: "correct horse", full_name: "X Y" }),
      await bot.put("/bot_storage", { storage: { a: "1" } }),
    ];
    for (const { status, body } of answers) {
      expect([status, body.msg]).toEqual([400, "This API is not available to incoming webhook bots."]);
    }
  });
});
