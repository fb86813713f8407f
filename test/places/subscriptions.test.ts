import { describe, expect, test } from "bun:test";
import { deactivateUser, reactivateUser } from "@/foundation/accounts/actions.ts";
import { createChannel } from "@/places/channel-administration/actions.ts";
import { subscribe, unsubscribe } from "@/places/subscriptions/actions.ts";
import { type CastName, type World, world } from "../support/world.ts";

interface Made {
  by?: CastName;
  people?: CastName[];
  invite_only?: boolean;
  [setting: string]: unknown;
}

/** Creates a channel by mel, with mel as its only subscriber, unless told otherwise. */
async function made(
  w: World,
  name: string,
  { by = "mel", people = [by], ...more }: Made = {},
): Promise<number> {
  const subscribers = people.map((who) => w.user(who).id);
  const { stream_id } = await createChannel(w.ctx(by), { name, subscribers, ...more });
  return stream_id;
}

const summarize = (events: { audience: unknown; event: { type: string; op?: string } }[]) =>
  events.map(({ audience, event }) => [`${event.type}/${event.op}`, audience]);

const others = ["olive", "ada", "moss", "mel", "max", "bolt"] as CastName[];
const without = (...names: CastName[]) => others.filter((name) => !names.includes(name));

describe("subscribe", () => {
  test("subscribes the caller to a public channel", async () => {
    const w = world();
    const id = await made(w, "open");
    const { body, events } = await w
      .as("max")
      .post("/users/me/subscriptions", { subscriptions: [{ name: "OPEN" }] });

    const max = w.user("max").id;
    expect(body).toMatchObject({ subscribed: { [max]: ["open"] }, already_subscribed: {} });
    expect(body).not.toHaveProperty("unauthorized");
    const [subscription] = (await w.as("max").get("/users/me/subscriptions")).body.subscriptions;
    expect(subscription).toMatchObject({
      stream_id: id,
      color: "#76ce90",
      is_muted: false,
      in_home_view: true,
      pin_to_top: false,
      desktop_notifications: null,
      wildcard_mentions_notify: null,
      subscriber_count: 2,
    });
    expect(events).toEqual([
      { audience: ["max"], event: { type: "subscription", op: "add", subscriptions: [subscription] } },
      {
        audience: without("max"),
        event: { type: "subscription", op: "peer_add", stream_ids: [id], user_ids: [max] },
      },
    ]);
  });

  test("creates unknown channels and subscribes their creator", async () => {
    const w = world();
    const { body, events } = await w.as("mel").post("/users/me/subscriptions", {
      subscriptions: [{ name: " Garden ", description: "Plants", color: "#ABC" }, { name: "garden" }],
    });
    expect(body.subscribed).toEqual({ [w.user("mel").id]: ["Garden"] });
    expect(summarize(events)).toEqual([
      ["stream/create", others],
      ["subscription/add", ["mel"]],
      ["subscription/peer_add", without("mel")],
    ]);
    expect(events[1]!.event.subscriptions[0]).toMatchObject({
      name: "Garden",
      description: "Plants",
      color: "#aabbcc",
      creator_id: w.user("mel").id,
    });
  });

  test("creates private channels with their settings", async () => {
    const w = world();
    const { events } = await w.as("mel").post("/users/me/subscriptions", {
      subscriptions: [{ name: "board" }],
      invite_only: true,
      history_public_to_subscribers: true,
      can_subscribe_group: { direct_members: [w.user("max").id], direct_subgroups: [] },
    });
    expect(summarize(events)).toEqual([
      ["stream/create", ["olive", "ada", "mel", "max"]],
      ["subscription/add", ["mel"]],
      ["subscription/peer_add", ["olive", "ada", "max"]],
    ]);
    expect(events[0]!.event.streams[0]).toMatchObject({
      invite_only: true,
      history_public_to_subscribers: true,
    });
  });

  test("subscribes others by ID or address, and emits to each only their own", async () => {
    const w = world();
    const id = await made(w, "open");
    const { body, events } = await w.as("mel").post("/users/me/subscriptions", {
      subscriptions: [{ name: "open" }],
      principals: [w.user("max").id, w.user("mel").id, w.user("max").id],
      send_new_subscription_messages: false,
    });
    expect(body.subscribed).toEqual({ [w.user("max").id]: ["open"] });
    expect(body.already_subscribed).toEqual({ [w.user("mel").id]: ["open"] });
    expect(summarize(events)).toEqual([
      ["subscription/add", ["max"]],
      ["subscription/peer_add", without("max")],
    ]);

    const byAddress = {
      subscriptions: [{ name: "open" }],
      principals: [w.user("gus").email],
      send_new_subscription_messages: false,
    };
    const again = await w.as("mel").post("/users/me/subscriptions", byAddress);
    expect(summarize(again.events)).toEqual([
      ["stream/create", ["gus"]],
      ["subscription/add", ["gus"]],
      ["subscription/peer_add", others],
    ]);
    expect(again.events[2]!.event).toMatchObject({ stream_ids: [id], user_ids: [w.user("gus").id] });
  });

  test("emits several channels and users to peers at once", async () => {
    const w = world();
    const ids = [await made(w, "one"), await made(w, "two")];
    const { events } = await w.as("mel").post("/users/me/subscriptions", {
      subscriptions: [{ name: "one" }, { name: "two" }],
      principals: [w.user("max").id, w.user("moss").id],
    });
    const peers = events.filter(({ event }) => event.op === "peer_add");
    expect(peers).toEqual([
      {
        audience: without("max", "moss"),
        event: {
          type: "subscription",
          op: "peer_add",
          stream_ids: ids,
          user_ids: [w.user("moss").id, w.user("max").id],
        },
      },
    ]);
    const added = events.filter(({ event }) => event.op === "add");
    expect(
      added.map(({ audience, event }) => [
        audience,
        event.subscriptions.map((one: { color: string }) => one.color),
      ]),
    ).toEqual([
      [
        ["moss", "max"],
        ["#76ce90", "#fae589"],
      ],
    ]);
  });

  test("gives each user the first unused colors, and then repeats", async () => {
    const w = world();
    const subscriptions = Array.from({ length: 26 }, (_, i) => ({ name: `channel ${i}` }));
    await w.as("mel").post("/users/me/subscriptions", { subscriptions });
    const { body } = await w.as("mel").get("/users/me/subscriptions");
    const colors = body.subscriptions.map(({ color }: { color: string }) => color);
    expect(new Set(colors.slice(0, 24)).size).toBe(24);
    expect(colors.slice(24)).toEqual(colors.slice(0, 2));
  });

  test("restores color and settings on resubscribing", async () => {
    const w = world();
    const id = await made(w, "open");
    const own = { subscriptions: ["open"] };
    const set = (property: string, value: unknown) => ({ stream_id: id, property, value });
    await w.as("mel").post("/users/me/subscriptions/properties", {
      subscription_data: [set("color", "#123456"), set("is_muted", true), set("pin_to_top", true)],
    });
    await w.as("mel").delete("/users/me/subscriptions", own);
    const { events } = await w
      .as("mel")
      .post("/users/me/subscriptions", { subscriptions: [{ name: "open" }] });
    expect(events[0]!.event.subscriptions[0]).toMatchObject({
      color: "#123456",
      is_muted: true,
      pin_to_top: true,
    });
  });

  test("emits nothing if everyone is subscribed already", async () => {
    const w = world();
    await made(w, "open", { people: ["gus"] });
    const answer = await w.as("gus").post("/users/me/subscriptions", { subscriptions: [{ name: "open" }] });
    expect(answer).toMatchObject({
      status: 200,
      body: { already_subscribed: { [w.user("gus").id]: ["open"] } },
      events: [],
    });
  });

  test("treats an empty list of users as the caller", async () => {
    const w = world();
    await made(w, "open");
    const params = { subscriptions: [{ name: "open" }], principals: [] };
    const { body } = await w.as("max").post("/users/me/subscriptions", params);
    expect(body.subscribed).toEqual({ [w.user("max").id]: ["open"] });
  });

  test("lists unauthorized channels if that is not fatal", async () => {
    const w = world();
    await made(w, "open");
    await made(w, "board", { invite_only: true });
    const { body, events } = await w.as("max").post("/users/me/subscriptions", {
      subscriptions: [{ name: "board" }, { name: "open" }],
      authorization_errors_fatal: false,
    });
    expect(body).toMatchObject({ subscribed: { [w.user("max").id]: ["open"] }, unauthorized: ["board"] });
    expect(summarize(events).map(([kind]) => kind)).toEqual(["subscription/add", "subscription/peer_add"]);
  });

  test("lets members of can_subscribe_group into a private channel, but not administrators", async () => {
    const w = world();
    const named = { direct_members: [w.user("max").id], direct_subgroups: [] };
    await made(w, "board", { invite_only: true, can_subscribe_group: named });
    const params = { subscriptions: [{ name: "board" }] };
    expect((await w.as("max").post("/users/me/subscriptions", params)).status).toBe(200);
    expect(await w.as("ada").post("/users/me/subscriptions", params)).toMatchObject({
      status: 400,
      events: [],
    });
  });

  test("answers for a private channel as if it did not exist", async () => {
    const w = world();
    await made(w, "board", { invite_only: true });
    await made(w, "open");
    const tryIt = (who: CastName, name: string) =>
      w.as(who).post("/users/me/subscriptions", { subscriptions: [{ name }] });
    const refused = (name: string) => ({
      status: 400,
      body: { code: "BAD_REQUEST", msg: `You do not have permission to subscribe to channel '${name}'.` },
      events: [],
    });
    expect(await tryIt("max", "board")).toMatchObject(refused("board"));
  });

  test("does not reveal hidden names to users who may not create channels", async () => {
    const w = world();
    await made(w, "board", { invite_only: true });
    await made(w, "open");
    for (const name of ["board", "open", "free"]) {
      const answer = await w.as("gus").post("/users/me/subscriptions", { subscriptions: [{ name }] });
      const msg = "You do not have permission to create public channels.";
      expect(answer).toMatchObject({ status: 400, body: { code: "BAD_REQUEST", msg }, events: [] });
    }
  });

  test("refuses to subscribe others if the actor may not read the channel", async () => {
    const w = world();
    await made(w, "board", { invite_only: true });
    const params = { subscriptions: [{ name: "board" }], principals: [w.user("max").id] };
    expect(await w.as("ada").post("/users/me/subscriptions", params)).toMatchObject({
      status: 400,
      body: { msg: "You do not have permission to subscribe other people to channel 'board'." },
      events: [],
    });
  });

  test.each([
    ["a guest who creates", "gus", { subscriptions: [{ name: "new" }] }, /create public channels/],
    ["an unknown person", "mel", { subscriptions: [{ name: "new" }], principals: [4711] }, "No such user"],
    [
      "an unknown address",
      "mel",
      { subscriptions: [{ name: "new" }], principals: ["no@example.com"] },
      "No such user",
    ],
    [
      "the organization's own bots",
      "mel",
      { subscriptions: [{ name: "new" }], principals: ["notification-bot@chat.example.com"] },
      "No such user",
    ],
    [
      "mixed principals",
      "mel",
      { subscriptions: [{ name: "new" }], principals: [1, "a@b.c"] },
      /list of user IDs/,
    ],
    ["a bad colour", "mel", { subscriptions: [{ name: "new", color: "red" }] }, /hexadecimal/],
    [
      "more channels than can be made while others wait",
      "mel",
      { subscriptions: Array.from({ length: 1001 }, (_, n) => ({ name: `n${n}` })) },
      "You can subscribe to at most 1000 channels at once.",
    ],
    ["an empty name", "mel", { subscriptions: [{ name: "" }] }, "A channel needs a name."],
    ["a missing name", "mel", { subscriptions: [{}] }, /name/],
    [
      "protected public history",
      "mel",
      { subscriptions: [{ name: "n" }], history_public_to_subscribers: false },
      /protected/,
    ],
  ] as const)("refuses %s", async (_, who, params, msg) => {
    const answer = await world().as(who).post("/users/me/subscriptions", params);
    expect(answer).toMatchObject({ status: 400, events: [] });
    expect(answer.body.msg).toMatch(msg);
  });

  test("creates nothing if one of several channels is refused", async () => {
    const w = world();
    await made(w, "board", { invite_only: true });
    const params = { subscriptions: [{ name: "new" }, { name: "board" }] };
    expect(await w.as("max").post("/users/me/subscriptions", params)).toMatchObject({
      status: 400,
      events: [],
    });
    expect((await w.as("max").get("/get_stream_id", { stream: "new" })).status).toBe(400);
  });
});

describe("unsubscribe", () => {
  test("leaves a public channel", async () => {
    const w = world();
    const id = await made(w, "open", { people: ["mel", "max"] });
    await made(w, "other", { people: ["max"] });
    const { body, events } = await w
      .as("mel")
      .delete("/users/me/subscriptions", { subscriptions: [" Open", "other"] });
    expect(body).toMatchObject({ removed: ["open"], not_removed: ["other"] });
    expect(events).toEqual([
      {
        audience: ["mel"],
        event: { type: "subscription", op: "remove", subscriptions: [{ stream_id: id, name: "open" }] },
      },
      {
        audience: without("mel"),
        event: { type: "subscription", op: "peer_remove", stream_ids: [id], user_ids: [w.user("mel").id] },
      },
    ]);
    expect((await w.as("mel").get("/users/me/subscriptions")).body.subscriptions).toEqual([]);
  });

  test("hides a private channel, and any channel from a guest", async () => {
    const w = world();
    const board = await made(w, "board", { invite_only: true, people: ["mel", "max"] });
    const open = await made(w, "open", { people: ["gus"] });
    const left = await w.as("max").delete("/users/me/subscriptions", { subscriptions: ["board"] });
    expect(summarize(left.events)).toEqual([
      ["subscription/remove", ["max"]],
      ["subscription/peer_remove", ["olive", "ada", "mel"]],
      ["stream/delete", ["max"]],
    ]);
    expect(left.events[2]!.event).toMatchObject({ stream_ids: [board], streams: [{ stream_id: board }] });
    expect((await w.as("max").get(`/streams/${board}`)).status).toBe(400);

    const guest = await w.as("gus").delete("/users/me/subscriptions", { subscriptions: ["open"] });
    expect(summarize(guest.events)).toEqual([
      ["subscription/remove", ["gus"]],
      ["subscription/peer_remove", others],
      ["stream/delete", ["gus"]],
    ]);
    expect((await w.as("gus").get(`/streams/${open}`)).status).toBe(400);
  });

  test("lists a channel in both lists if only some users were subscribed", async () => {
    const w = world();
    await made(w, "open", { people: ["mel"] });
    const principals = [w.user("mel").email, w.user("max").email];
    const { body } = await w
      .as("ada")
      .delete("/users/me/subscriptions", { subscriptions: ["open"], principals });
    expect(body).toMatchObject({ removed: ["open"], not_removed: ["open"] });
  });

  test("lets administrators remove anyone from any channel", async () => {
    const w = world();
    await made(w, "board", { invite_only: true, people: ["mel", "max"] });
    const params = { subscriptions: ["board"], principals: [w.user("max").id] };
    const { body, events } = await w.as("ada").delete("/users/me/subscriptions", params);
    expect(body.removed).toEqual(["board"]);
    expect(summarize(events)).toEqual([
      ["subscription/remove", ["max"]],
      ["subscription/peer_remove", ["olive", "ada", "mel"]],
      ["stream/delete", ["max"]],
    ]);
  });

  test("lets the channel's administrator and its can_remove_subscribers_group remove others", async () => {
    const w = world();
    const named = { direct_members: [w.user("moss").id], direct_subgroups: [] };
    await made(w, "open", { people: ["mel", "max", "gus"], can_remove_subscribers_group: named });
    const remove = (who: CastName, target: CastName) =>
      w
        .as(who)
        .delete("/users/me/subscriptions", { subscriptions: ["open"], principals: [w.user(target).id] });
    expect((await remove("mel", "max")).body.removed).toEqual(["open"]);
    expect((await remove("moss", "gus")).body.removed).toEqual(["open"]);
    expect(await remove("max", "mel")).toMatchObject({
      status: 400,
      body: {
        code: "BAD_REQUEST",
        msg: "You do not have permission to remove other people from channel 'open'.",
      },
      events: [],
    });
  });

  test("lets owners remove their bots from channels they see", async () => {
    const w = world();
    await made(w, "open", { by: "ada", people: ["ada", "bolt"] });
    await made(w, "staff", { by: "ada", people: ["ada", "bolt"], invite_only: true });
    const remove = (who: CastName, name: string) =>
      w.as(who).delete("/users/me/subscriptions", { subscriptions: [name], principals: [w.user("bolt").id] });
    expect(await remove("max", "open")).toMatchObject({ status: 400, events: [] });
    expect((await remove("mel", "open")).body.removed).toEqual(["open"]);
    expect(await remove("mel", "staff")).toMatchObject({
      status: 400,
      body: { code: "STREAM_DOES_NOT_EXIST", stream: "staff" },
      events: [],
    });
  });

  test("gives the same error for an unknown channel and a hidden one", async () => {
    const w = world();
    await made(w, "open", { people: ["max"] });
    await made(w, "board", { invite_only: true });
    for (const name of ["board", "nowhere"]) {
      expect(
        await w.as("max").delete("/users/me/subscriptions", { subscriptions: ["open", name] }),
      ).toMatchObject({
        status: 400,
        body: { code: "STREAM_DOES_NOT_EXIST", msg: `Channel '${name}' does not exist`, stream: name },
        events: [],
      });
    }
  });

  test.each([
    ["a deactivated person", (w: World) => [w.user("dex").id]],
    ["a deactivated person's address", (w: World) => [w.user("dex").email]],
    ["an unknown person", () => [4711]],
    ["an unknown address", () => ["no@example.com"]],
  ])("refuses %s", async (_, principals) => {
    const w = world();
    await made(w, "open");
    const params = { subscriptions: ["open"], principals: principals(w) };
    expect(await w.as("ada").delete("/users/me/subscriptions", params)).toMatchObject({
      status: 400,
      body: { code: "BAD_REQUEST" },
      events: [],
    });
  });

  test("needs the names of channels", async () => {
    expect(await world().as("mel").delete("/users/me/subscriptions")).toMatchObject({
      status: 400,
      body: { code: "REQUEST_VARIABLE_MISSING", var_name: "subscriptions" },
      events: [],
    });
  });
});

describe("get-subscriptions", () => {
  test.each([
    ["true", true],
    ["partial", true],
    ["false", false],
  ])("with include_subscribers=%s gives the list: %p", async (include_subscribers, isGiven) => {
    const w = world();
    await made(w, "open", { people: ["max", "mel"] });
    const [one] = (await w.as("mel").get("/users/me/subscriptions", { include_subscribers })).body
      .subscriptions;
    expect(one.subscribers).toEqual(isGiven ? [w.user("mel").id, w.user("max").id] : undefined);
  });

  test("refuses other values", async () => {
    const answer = await world().as("mel").get("/users/me/subscriptions", { include_subscribers: "some" });
    expect(answer).toMatchObject({ status: 400, body: { code: "REQUEST_VARIABLE_INVALID" } });
  });
});

describe("get-subscription-status", () => {
  test("returns whether a user is subscribed", async () => {
    const w = world();
    const id = await made(w, "open");
    const of = async (who: CastName) =>
      (await w.as("gus").get(`/users/${w.user(who).id}/subscriptions/${id}`)).body.is_subscribed;
    await subscribe(w.ctx("ada"), { channel_ids: [id], user_ids: [w.user("gus").id] });
    expect([await of("mel"), await of("max")]).toEqual([true, false]);
  });

  test("refuses unknown users and hidden channels", async () => {
    const w = world();
    const id = await made(w, "board", { invite_only: true });
    const ask = (user: number, channel: number) => w.as("max").get(`/users/${user}/subscriptions/${channel}`);
    expect(await ask(w.user("mel").id, id)).toMatchObject({
      status: 400,
      body: { msg: "Invalid channel ID" },
    });
    expect(await ask(w.user("mel").id, 4711)).toMatchObject({
      status: 400,
      body: { msg: "Invalid channel ID" },
    });
    expect(await ask(4711, id)).toMatchObject({ status: 400, body: { msg: "No such user" } });
  });
});

describe("get-user-channels", () => {
  test("lists those channels of a user that the asker may see", async () => {
    const w = world();
    const [open, board, shut] = [
      await made(w, "open"),
      await made(w, "board", { invite_only: true }),
      await made(w, "shut"),
    ];
    await w.as("mel").delete(`/streams/${shut}`);
    const ask = async (who: CastName) => await w.as(who).get(`/users/${w.user("mel").id}/channels`);
    const of = async (who: CastName) => (await ask(who)).body.subscribed_channel_ids;
    expect(await of("mel")).toEqual([open, board]);
    expect(await of("max")).toEqual([open]);
    expect(await of("moss")).toEqual([open]);
    expect(await of("gus")).toEqual([]);
    for (const admin of ["ada", "olive"] as const) expect(await of(admin)).toEqual([open, board]);
    expect(await w.as("max").get("/users/4711/channels")).toMatchObject({
      status: 400,
      body: { msg: "No such user" },
    });
  });
});

describe("update-subscription-settings", () => {
  test("stores each setting and emits it only to the user", async () => {
    const w = world();
    const id = await made(w, "open");
    const changes = [
      { stream_id: id, property: "color", value: "#F00" },
      { stream_id: id, property: "desktop_notifications", value: true },
      { stream_id: id, property: "is_muted", value: true },
    ];
    const { events } = await w
      .as("mel")
      .post("/users/me/subscriptions/properties", { subscription_data: changes });
    const changed = (property: string, value: unknown) => ({
      audience: ["mel"],
      event: { type: "subscription", op: "update", stream_id: id, property, value },
    });
    expect(events).toEqual([
      changed("color", "#ff0000"),
      changed("desktop_notifications", true),
      changed("is_muted", true),
      changed("in_home_view", false),
    ] as typeof events);
    const [one] = (await w.as("mel").get("/users/me/subscriptions")).body.subscriptions;
    expect(one).toMatchObject({
      color: "#ff0000",
      desktop_notifications: true,
      is_muted: true,
      in_home_view: false,
    });
  });

  test.each([
    ["an unknown property", "name", "x", "Unknown subscription property: name"],
    ["an inherited word", "constructor", true, "Unknown subscription property: constructor"],
    ["a wrong type", "pin_to_top", "yes", "Property 'pin_to_top': The value must be true or false."],
    [
      "no colour",
      "color",
      true,
      "Property 'color': A color must be '#' and six hexadecimal digits, such as #76ce90.",
    ],
  ] as const)("refuses %s and changes nothing", async (_, property, value, msg) => {
    const w = world();
    const id = await made(w, "open");
    const subscription_data = [
      { stream_id: id, property: "is_muted", value: true },
      { stream_id: id, property, value },
    ];
    const answer = await w.as("mel").post("/users/me/subscriptions/properties", { subscription_data });
    expect(answer).toMatchObject({ status: 400, body: { code: "BAD_REQUEST" }, events: [] });
    expect(answer.body.msg).toMatch(msg);
    expect((await w.as("mel").get("/users/me/subscriptions")).body.subscriptions[0].is_muted).toBe(false);
  });
});

describe("patch-users-me-subscriptions-stream-id", () => {
  test("reads in_home_view as the opposite of is_muted", async () => {
    const w = world();
    const id = await made(w, "open");
    const { events } = await w
      .as("mel")
      .patch(`/users/me/subscriptions/${id}`, { property: "in_home_view", value: false });
    expect(events.map(({ event }) => [event.property, event.value])).toEqual([
      ["is_muted", true],
      ["in_home_view", false],
    ]);
  });

  test("accepts a plain color for one channel", async () => {
    const w = world();
    const id = await made(w, "open");
    const { events } = await w
      .as("mel")
      .patch(`/users/me/subscriptions/${id}`, { property: "color", value: "#00ff00" });
    expect(events).toMatchObject([{ event: { property: "color", value: "#00ff00" } }]);
  });

  test("refuses users who are not subscribed, and unknown and hidden channels with the same error", async () => {
    const w = world();
    const open = await made(w, "open");
    const board = await made(w, "board", { invite_only: true });
    const patch = (id: number) =>
      w.as("max").patch(`/users/me/subscriptions/${id}`, { property: "is_muted", value: true });
    expect(await patch(open)).toMatchObject({
      status: 400,
      body: { msg: "You are not subscribed to channel 'open'." },
      events: [],
    });
    const refused = { status: 400, body: { msg: "Invalid channel ID" }, events: [] };
    expect(await patch(board)).toMatchObject(refused);
    expect(await patch(4711)).toMatchObject(refused);
  });
});

describe("peers", () => {
  test("get events for deactivation and reactivation", async () => {
    const w = world();
    const open = await made(w, "open", { people: ["mel", "max"] });
    const board = await made(w, "board", { people: ["mel", "max"], invite_only: true });
    const max = w.user("max").id;
    const peersIn = (op: string, from: number) =>
      w.events
        .slice(from)
        .filter(({ event }) => event.op === op)
        .map(({ audience, event }) => [audience, event.stream_ids, event.user_ids]);

    const before = w.events.length;
    await deactivateUser(w.ctx("ada"), max);
    expect(peersIn("peer_remove", before)).toEqual([
      [without("max"), [open], [max]],
      [["olive", "ada", "mel"], [board], [max]],
    ]);
    expect((await w.as("mel").get(`/streams/${open}`)).body.stream.subscriber_count).toBe(1);
    expect((await w.as("mel").get("/streams")).body.streams[0].subscriber_count).toBe(1);

    const gone = w.events.length;
    await reactivateUser(w.ctx("ada"), max);
    expect(peersIn("peer_add", gone)).toEqual([
      [without("max"), [open], [max]],
      [["olive", "ada", "mel"], [board], [max]],
    ]);
    expect((await w.as("mel").get(`/streams/${open}/members`)).body.subscribers).toEqual([
      w.user("mel").id,
      max,
    ]);
  });
});

describe("register: subscription", () => {
  async function places(w: World, who: CastName, params = {}) {
    const { state } = await w.queue(who, { fetch_event_types: ["subscription"], ...params });
    const namesIn = (list: { name: string }[]) => list.map(({ name }) => name);
    const { subscriptions, unsubscribed, never_subscribed } = state;
    return { state, names: [namesIn(subscriptions), namesIn(unsubscribed), namesIn(never_subscribed)] };
  }

  test("lists channels by whether the user is, was or never was subscribed", async () => {
    const w = world();
    await made(w, "here", { people: ["max"] });
    await made(w, "there", { people: ["max"] });
    await made(w, "elsewhere");
    await made(w, "board", { invite_only: true, people: ["mel", "max"] });
    await unsubscribe(w.ctx("max"), { names: ["there", "board"] });

    expect((await places(w, "max")).names).toEqual([["here"], ["there"], ["elsewhere"]]);
    expect((await places(w, "ada")).names).toEqual([[], [], ["here", "there", "elsewhere", "board"]]);
    expect((await places(w, "gus")).names).toEqual([[], [], []]);
  });

  test("holds subscriber lists when asked", async () => {
    const w = world();
    await made(w, "here", { people: ["max", "mel"] });
    const { state } = await places(w, "ada", { include_subscribers: "true" });
    expect(state.never_subscribed[0].subscribers).toEqual([w.user("mel").id, w.user("max").id]);
    expect((await places(w, "mel")).state.subscriptions[0]).not.toHaveProperty("subscribers");
    const partial = (await places(w, "mel", { include_subscribers: "partial" })).state;
    expect(partial.subscriptions[0].subscribers).toHaveLength(2);
  });

  test("resolves inherited notifications for older clients", async () => {
    const w = world();
    await made(w, "here");
    const { state } = await places(w, "mel", { client_capabilities: {} });
    expect(state.subscriptions[0]).toMatchObject({
      desktop_notifications: false,
      audible_notifications: false,
      push_notifications: false,
      email_notifications: false,
      wildcard_mentions_notify: true,
    });
    expect((await places(w, "mel")).state.subscriptions[0].desktop_notifications).toBeNull();
  });

  test("equals an older snapshot with its events applied", async () => {
    const w = world();
    await made(w, "open");
    const wanted = { event_types: ["subscription"], include_subscribers: "true" };
    const queue = await w.queue("max", wanted);
    await w.as("max").post("/users/me/subscriptions", { subscriptions: [{ name: "open" }] });
    const [added] = await queue.poll();
    const fresh = await w.queue("max", wanted);
    expect(added.subscriptions).toEqual(fresh.state.subscriptions);
  });
});
