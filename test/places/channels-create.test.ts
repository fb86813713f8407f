// The settings of a new channel, by POST /channels/create and by subscribing.

import { describe, expect, test } from "bun:test";
import { createUser } from "@/foundation/accounts/actions.ts";
import { listAudit } from "@/foundation/audit/queries.ts";
import { giveGrant } from "@/foundation/permissions/actions.ts";
import { realmSettings } from "@/foundation/realm/schema.ts";
import { setServerOptions } from "@/foundation/realm-administration/actions.ts";
import type { Tx } from "@/kernel/core/context.ts";
import type { Json } from "../support/requests.ts";
import { type Answer, type CastName, type World, world } from "../support/world.ts";

type Traits = Record<string, unknown>;

const ways = {
  "POST /channels/create": (w: World, by: CastName, name: string, traits: Traits) =>
    w.as(by).post("/channels/create", { name, subscribers: [w.user(by).id], ...traits }),
  "POST /users/me/subscriptions": (w: World, by: CastName, name: string, traits: Traits) =>
    w.as(by).post("/users/me/subscriptions", { subscriptions: [{ name }], ...traits }),
};
const eachWay = Object.entries(ways) as [keyof typeof ways, (typeof ways)[keyof typeof ways]][];

async function channelNamed(w: World, name: string): Promise<Json> {
  const { streams } = (await w.as("ada").get("/streams", { include_all: true })).body;
  return streams.find((one: Json) => one.name === name);
}

const inAction = (w: World, body: (tx: Tx) => void) => w.app.env.db.write(w.ctx("olive"), body);

/** The server and the organization allow web-public channels; moderators may make them. */
async function openToTheWeb(w: World): Promise<void> {
  await setServerOptions(w.app.system, { web_public_channels: true });
  await inAction(w, (tx) => {
    realmSettings.write(tx, "enable_spectator_access", true);
    giveGrant(
      tx,
      { scope: "realm", ownerId: 0, name: "can_create_web_public_channel_group" },
      group(w, "role:moderators"),
    );
  });
}

function group(w: World, name: string): number {
  return w.app.env.db.get<{ id: number }>("SELECT id FROM user_groups WHERE name = ?", name)?.id ?? 0;
}

async function folder(w: World, name: string): Promise<number> {
  return (await w.as("ada").post("/channel_folders/create", { name, description: "" })).body
    .channel_folder_id;
}

async function refused(w: World, answer: Answer, msg: string, code = "BAD_REQUEST") {
  expect(answer).toMatchObject({ status: 400, body: { code, msg }, events: [] });
  expect(await channelNamed(w, "new")).toBeUndefined();
}

describe.each(eachWay)("a channel made by %s", (_, make) => {
  test("has every setting that its creator gives it", async () => {
    const w = world();
    await openToTheWeb(w);
    const folder_id = await folder(w, "Teams");
    const before = w.events.length;
    await make(w, "olive", "new", {
      is_web_public: true,
      is_default_stream: true,
      folder_id,
      topics_policy: "empty_topic_only",
      message_retention_days: 30,
      can_delete_any_message_group: group(w, "role:moderators"),
    });

    const made = await channelNamed(w, "new");
    expect(made).toMatchObject({
      is_web_public: true,
      invite_only: false,
      history_public_to_subscribers: true,
      folder_id,
      topics_policy: "empty_topic_only",
      message_retention_days: 30,
      can_delete_any_message_group: group(w, "role:moderators"),
    });
    expect(w.events.slice(before)).toMatchObject([
      // Guests see what is public on the web.
      { audience: expect.arrayContaining(["gus"]), event: { type: "stream", op: "create" } },
      { audience: ["olive"], event: { type: "subscription", op: "add" } },
      { event: { op: "peer_add" } },
      { event: { type: "default_streams", default_streams: [made.stream_id] } },
    ]);
    expect(listAudit(w.ctx("olive"), { limit: 9, event: "channel_created" })).toMatchObject([
      { about: { kind: "channel", id: made.stream_id }, data: { name: "new", is_web_public: true } },
    ]);
  });

  test.each([
    ["unlimited", -1],
    ['"unlimited"', -1],
    ["realm_default", null],
    ["20", 20],
    [7, 7],
  ])("keeps messages as message_retention_days=%s says", async (given, kept) => {
    const w = world();
    await make(w, "olive", "new", { message_retention_days: given });
    expect(await channelNamed(w, "new")).toMatchObject({ message_retention_days: kept });
  });

  test("lets anyone use the default retention", async () => {
    const w = world();
    await make(w, "mel", "new", { message_retention_days: "realm_default", topics_policy: "inherit" });
    expect(await channelNamed(w, "new")).toMatchObject({ message_retention_days: null });
  });

  test.each([
    ["a number that is too small", 0],
    ["a number that is too large", 36_501],
    ["a fraction", 1.5],
    ["another word", "forever"],
  ])("refuses to keep messages for %s", async (_, message_retention_days) => {
    const w = world();
    const answer = await make(w, "olive", "new", { message_retention_days });
    await refused(w, answer, expect.stringMatching(/number of days from 1 to 36500/));
  });

  test("lets only owners set how long messages are kept", async () => {
    const w = world();
    const answer = await make(w, "ada", "new", { message_retention_days: 30 });
    await refused(w, answer, "Must be an organization owner", "UNAUTHORIZED_PRINCIPAL");
  });

  test("lets only administrators make default channels, which are never private", async () => {
    const w = world();
    const by = await make(w, "moss", "new", { is_default_stream: true });
    await refused(w, by, "Only organization administrators choose the default channels.");
    const hidden = await make(w, "ada", "new", { is_default_stream: true, invite_only: true });
    await refused(w, hidden, "A default channel cannot be private.");
  });

  test("needs the server option, the setting and the permission to be web-public", async () => {
    const w = world();
    const web = (by: CastName, more = {}) => make(w, by, "new", { is_web_public: true, ...more });
    await refused(w, await web("olive"), "Web-public channels are not enabled on this server.");
    await setServerOptions(w.app.system, { web_public_channels: true });
    await refused(w, await web("olive"), "Web-public channels are not enabled in this organization.");
    await openToTheWeb(w);
    await refused(w, await web("mel"), "You do not have permission to create web-public channels.");
    await refused(w, await web("moss", { invite_only: true }), "A private channel cannot be web-public.");
    const protectedPast = await web("moss", { history_public_to_subscribers: false });
    await refused(w, protectedPast, "The history of a public channel cannot be protected.");
    expect(await web("moss")).toMatchObject({ status: 200 });
  });

  test("is web-public only if its creator may create public channels too", async () => {
    const w = world();
    await openToTheWeb(w);
    const permission = { scope: "realm", ownerId: 0, name: "can_create_public_channel_group" } as const;
    await inAction(w, (tx) => giveGrant(tx, permission, group(w, "role:owners")));
    const answer = await make(w, "moss", "new", { is_web_public: true });
    await refused(w, answer, "You do not have permission to create public channels.");
  });

  test("needs permission for a topics policy of its own", async () => {
    const w = world();
    const permission = { scope: "realm", ownerId: 0, name: "can_set_topics_policy_group" } as const;
    await inAction(w, (tx) => giveGrant(tx, permission, group(w, "role:moderators")));
    const policy = (by: CastName) => make(w, by, "new", { topics_policy: "disable_empty_topic" });
    await refused(
      w,
      await policy("mel"),
      "You do not have permission to choose the topics policy of a channel.",
    );
    expect(await policy("moss")).toMatchObject({ status: 200 });
  });

  test("refuses an unknown topics policy and folder, and an archived folder", async () => {
    const w = world();
    const policy = await make(w, "ada", "new", { topics_policy: "none" });
    await refused(
      w,
      policy,
      expect.stringMatching(/topics_policy must be one of/),
      "REQUEST_VARIABLE_INVALID",
    );
    await refused(w, await make(w, "ada", "new", { folder_id: 4711 }), "Invalid channel folder ID");
    const folder_id = await folder(w, "Old");
    await w.as("ada").patch(`/channel_folders/${folder_id}`, { is_archived: true });
    await refused(w, await make(w, "ada", "new", { folder_id }), "Channel folder 'Old' is archived.");
  });

  test("is announced in the announcement channel, if its creator asks for it", async () => {
    const w = world();
    const news = await channelFor(w, "news");
    const before = w.events.length;
    await make(w, "mel", "quiet", {});
    expect(sentSince(w, before)).toEqual([]);
    const { events } = await make(w, "mel", "new", { announce: true });

    const last = events.at(-1)!;
    expect(last).toMatchObject({
      audience: ["moss"],
      event: {
        type: "message",
        message: { sender_full_name: "Notification Bot", stream_id: news, subject: "new channels" },
      },
    });
    const { stream_id } = await channelNamed(w, "new");
    expect(last.event.message.content).toMatch(new RegExp(`data-stream-id="${stream_id}" [^>]*>#new</a>[.]`));
    expect(last.event.message.content).toContain(
      `<span class="user-mention silent" data-user-id="${w.user("mel").id}">`,
    );
  });

  test("is not announced if it is private, or without an announcement channel", async () => {
    const w = world();
    expect(
      (await make(w, "mel", "new", { announce: true })).events.map(({ event }) => event.type),
    ).not.toContain("message");
    const news = await channelFor(w, "news");
    const hidden = await make(w, "mel", "board", { announce: true, invite_only: true });
    expect(hidden.status).toBe(200);
    expect(
      (await w.as("moss").get("/messages", { anchor: "newest", num_before: 9, num_after: 0 })).body.messages,
    ).toEqual([]);
    expect(news).toBeGreaterThan(0);
  });
});

/** The announcement channel for new channels, with moss in it. */
async function channelFor(w: World, name: string): Promise<number> {
  const { body } = await w.as("ada").post("/channels/create", { name, subscribers: [w.user("moss").id] });
  await inAction(w, (tx) => realmSettings.write(tx, "new_stream_announcements_stream_id", body.id));
  return body.id;
}

function sentSince(w: World, from: number): Json[] {
  return w.events.slice(from).flatMap(({ event }) => (event.type === "message" ? [event.message] : []));
}

describe("subscribe: several new channels", () => {
  test("are announced together, and become default ones together", async () => {
    const w = world();
    await channelFor(w, "news");
    const before = w.events.length;
    const { body } = await w.as("ada").post("/users/me/subscriptions", {
      subscriptions: [{ name: "a" }, { name: "b" }, { name: "news" }],
      announce: true,
      is_default_stream: true,
    });
    expect(body.subscribed).toEqual({ [w.user("ada").id]: ["a", "b", "news"] });
    const [message, ...others] = sentSince(w, before);
    expect(others).toEqual([]);
    expect(message.content).toMatch(/these new channels:.*#a<.*#b</s);
    expect(message.content).not.toContain("#news<");
    const defaults = w.events.slice(before).filter(({ event }) => event.type === "default_streams");
    expect(defaults).toMatchObject([{ event: { default_streams: [2, 3] } }]);
  });
});

describe("create-channel: announcements", () => {
  test("quote the channel's description, whatever it holds", async () => {
    const w = world();
    await channelFor(w, "news");
    const description = "Has a fence:\n```quote\nx\n```\n@**all** and @**Max**";
    const before = w.events.length;
    await w.as("mel").post("/channels/create", { name: "new", subscribers: [], announce: true, description });
    const [message] = sentSince(w, before);
    expect(message.content.match(/<blockquote>/g)).toHaveLength(2);
    expect(message.content.endsWith("</blockquote>")).toBe(true);
  });

  test("go to general chat in a channel that allows no other topic", async () => {
    const w = world();
    const { body } = await w.as("ada").post("/channels/create", {
      name: "news",
      subscribers: [w.user("moss").id],
      topics_policy: "empty_topic_only",
    });
    await inAction(w, (tx) => realmSettings.write(tx, "new_stream_announcements_stream_id", body.id));
    const before = w.events.length;
    await w.as("mel").post("/channels/create", { name: "new", subscribers: [], announce: true });
    expect(sentSince(w, before)).toMatchObject([{ subject: "" }]);
  });
});

describe("register: web-public channels", () => {
  test("holds whether they are allowed, and who may create them", async () => {
    const w = world();
    const stateOf = async (who: CastName) =>
      (await w.queue(who, { fetch_event_types: ["realm", "realm_user"] })).state;
    expect(await stateOf("olive")).toMatchObject({
      server_web_public_streams_enabled: false,
      can_create_web_public_streams: false,
    });
    await openToTheWeb(w);
    expect(await stateOf("moss")).toMatchObject({
      server_web_public_streams_enabled: true,
      can_create_web_public_streams: true,
    });
    expect(await stateOf("mel")).toMatchObject({ can_create_web_public_streams: false });
  });
});

/** Subscribes people of the cast to an existing public channel. */
async function added(w: World, people: CastName[], more: Traits = {}): Promise<Answer> {
  await w.as("mel").post("/channels/create", { name: "open", subscribers: [] });
  const principals = people.map((name) => w.user(name).id);
  return w
    .as("mel")
    .post("/users/me/subscriptions", { subscriptions: [{ name: "open" }], principals, ...more });
}

describe("subscribe: messages to those subscribed by others", () => {
  test("are sent to each of them, naming the actor", async () => {
    const w = world();
    const { body, events } = await added(w, ["max", "mel", "moss", "bolt"]);
    expect(body.new_subscription_messages_sent).toBe(true);
    const messages = events.filter(({ event }) => event.type === "message");
    expect(messages.map(({ audience }) => audience.slice(1))).toEqual([["moss"], ["max"]]);
    for (const { event } of messages) {
      expect(event.message).toMatchObject({ type: "private", sender_full_name: "Notification Bot" });
      expect(event.message.content).toMatch(/Mel<\/span> subscribed you to the channel <a .*>#open<\/a>/);
    }
  });

  test("name all channels that were joined", async () => {
    const w = world();
    for (const name of ["a", "b", "c"]) {
      const subscribers = name === "a" ? [w.user("max").id] : [];
      await w.as("mel").post("/channels/create", { name, subscribers });
    }
    const before = w.events.length;
    await w.as("mel").post("/users/me/subscriptions", {
      subscriptions: [{ name: "a" }, { name: "b" }, { name: "c" }],
      principals: [w.user("max").id],
    });
    const [message, ...others] = sentSince(w, before);
    expect(others).toEqual([]);
    expect(message.content).toMatch(/these channels:.*#b<.*#c</s);
    expect(message.content).not.toContain("#a<");
  });

  test("are not sent if turned off, nor to the actor or existing subscribers, nor for new channels", async () => {
    const w = world();
    const unwanted = await added(w, ["max"], { send_new_subscription_messages: false });
    expect(unwanted.body).not.toHaveProperty("new_subscription_messages_sent");
    const before = w.events.length;
    await added(w, ["max"]);
    await added(w, ["mel"]);
    await w.as("mel").post("/users/me/subscriptions", {
      subscriptions: [{ name: "new" }],
      principals: [w.user("max").id],
    });
    expect(sentSince(w, 0)).toEqual([]);
    expect(w.events.length).toBeGreaterThan(before);
  });

  test("are not sent to more than a hundred people at once", async () => {
    const w = world();
    const principals = await manyPeople(w, 101);
    await w.as("mel").post("/channels/create", { name: "open", subscribers: [] });
    const add = (people: number[]) =>
      w.as("mel").post("/users/me/subscriptions", { subscriptions: [{ name: "open" }], principals: people });
    const { body } = await add(principals);
    expect(body.new_subscription_messages_sent).toBe(false);
    expect(sentSince(w, 0)).toEqual([]);
    await w.as("ada").delete("/users/me/subscriptions", { subscriptions: ["open"], principals });
    expect((await add(principals.slice(1))).body.new_subscription_messages_sent).toBe(true);
    expect(sentSince(w, 0)).toHaveLength(100);
  });

  test("are sent when creating a channel, if its creator asks for it", async () => {
    const w = world();
    const params = { name: "new", subscribers: [w.user("max").id, w.user("mel").id] };
    const { events } = await w
      .as("mel")
      .post("/channels/create", { ...params, send_new_subscription_messages: true });
    expect(
      events.filter(({ event }) => event.type === "message").map(({ audience }) => audience.slice(1)),
    ).toEqual([["max"]]);
  });
});

async function manyPeople(w: World, count: number): Promise<number[]> {
  const made = Array.from({ length: count }, (_, n) =>
    createUser(w.ctx("ada"), { email: `person${n}@example.com`, full_name: `Person ${n}` }),
  );
  return (await Promise.all(made)).map(({ user }) => user.user_id);
}
