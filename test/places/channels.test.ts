import { describe, expect, test } from "bun:test";
import { giveGrant } from "@/foundation/permissions/actions.ts";
import { type CastName, type World, world } from "../support/world.ts";

/** Creates a channel as its first subscriber, unless told otherwise; returns its ID. */
async function made(
  w: World,
  by: CastName,
  name: string,
  more: Record<string, unknown> = {},
): Promise<number> {
  const { body } = await w.as(by).post("/channels/create", { name, subscribers: [w.user(by).id], ...more });
  if (body.result !== "success") throw new Error(body.msg);
  return body.id;
}

const audienceOf = (names: string) => names.split(" ") as CastName[];

describe("create-channel", () => {
  test("emits it to everyone who may see it, then subscribes the named users", async () => {
    const w = world();
    const { body, events } = await w.as("mel").post("/channels/create", {
      name: "  Design ",
      description: "How things **look**",
      subscribers: [w.user("max").id, w.user("gus").id],
    });
    const { stream } = (await w.as("max").get(`/streams/${body.id}`)).body;

    expect(stream).toMatchObject({
      name: "Design",
      description: "How things **look**",
      rendered_description: "<p>How things <strong>look</strong></p>",
      creator_id: w.user("mel").id,
      invite_only: false,
      history_public_to_subscribers: true,
      can_administer_channel_group: { direct_members: [w.user("mel").id], direct_subgroups: [] },
      topics_policy: "inherit",
      stream_post_policy: 1,
      first_message_id: null,
      subscriber_count: 2,
      date_created: w.clock.now(),
    });
    expect(events).toMatchObject([
      {
        audience: audienceOf("olive ada moss mel max bolt gus").sort(byId(w)),
        event: { type: "stream", op: "create", streams: [{ ...stream, subscriber_count: 0 }] },
      },
      { audience: ["max", "gus"], event: { op: "add", subscriptions: [{ ...stream, color: "#76ce90" }] } },
      {
        audience: audienceOf("olive ada moss mel bolt").sort(byId(w)),
        event: { op: "peer_add", stream_ids: [body.id], user_ids: [w.user("max").id, w.user("gus").id] },
      },
    ]);
  });

  test("shows a private channel only to administrators, its creator and its subscribers", async () => {
    const w = world();
    const { body, events } = await w.as("mel").post("/channels/create", {
      name: "board",
      subscribers: [w.user("max").id],
      invite_only: true,
    });

    expect(events.map(({ audience, event }) => [event.op, audience])).toEqual([
      ["create", ["olive", "ada", "mel", "max"]],
      ["add", ["max"]],
      ["peer_add", ["olive", "ada", "mel"]],
    ]);
    expect((await w.as("max").get(`/streams/${body.id}`)).body.stream).toMatchObject({
      invite_only: true,
      history_public_to_subscribers: false,
    });
  });

  test("stores the permission settings given, folding an object that names one group", async () => {
    const w = world();
    const groups = await systemGroups(w);
    const id = await made(w, "mel", "news", {
      can_send_message_group: groups["role:administrators"],
      can_subscribe_group: { direct_members: [], direct_subgroups: [groups["role:members"]] },
      can_resolve_topics_group: {
        direct_members: [w.user("max").id],
        direct_subgroups: [groups["role:owners"]],
      },
      can_administer_channel_group: groups["role:nobody"],
    });

    expect((await w.as("max").get(`/streams/${id}`)).body.stream).toMatchObject({
      can_send_message_group: groups["role:administrators"],
      can_subscribe_group: groups["role:members"],
      can_resolve_topics_group: {
        direct_members: [w.user("max").id],
        direct_subgroups: [groups["role:owners"]],
      },
      can_administer_channel_group: groups["role:nobody"],
      can_remove_subscribers_group: groups["role:administrators"],
      stream_post_policy: 2,
      is_announcement_only: true,
    });
  });

  test("reports parameters it does not support", async () => {
    const { body } = await world()
      .as("mel")
      .post("/channels/create", { name: "a", subscribers: [], colour: "red" });
    expect(body.ignored_parameters_unsupported).toEqual(["colour"]);
  });

  test.each([
    ["a guest", "gus", { name: "x" }, "You do not have permission to create public channels."],
    ["a guest's private channel", "gus", { name: "x", invite_only: true }, /private channels/],
    ["a missing name", "mel", { name: undefined }, "Missing 'name' argument"],
    ["an empty name", "mel", { name: "  " }, "A channel needs a name."],
    [
      "a name that is too long",
      "mel",
      { name: "x".repeat(61) },
      "A channel's name has at most 60 characters.",
    ],
    ["a name that cannot be printed", "mel", { name: "a\u0007b" }, /printable/],
    ["a name of several lines", "mel", { name: "a\nb" }, /printable/],
    ["a description that is too long", "mel", { name: "x", description: "x".repeat(1025) }, /at most 1024/],
    [
      "a public channel with protected history",
      "mel",
      { name: "x", history_public_to_subscribers: false },
      /protected/,
    ],
    ["an unknown subscriber", "mel", { name: "x", subscribers: [4711] }, "No such user"],
    ["missing subscribers", "mel", { name: "x", subscribers: undefined }, "Missing 'subscribers' argument"],
    [
      "a member who lets others delete",
      "mel",
      { name: "x", can_delete_any_message_group: 1 },
      /delete messages/,
    ],
    ["an unknown group", "ada", { name: "x", can_subscribe_group: 4711 }, "Invalid user group ID: 4711"],
  ] as const)("refuses %s", async (_, who, params, msg) => {
    const answer = await world()
      .as(who)
      .post("/channels/create", { subscribers: [], ...params });
    expect(answer).toMatchObject({ status: 400, events: [] });
    expect(answer.body.msg).toMatch(msg);
  });

  test("refuses a deactivated subscriber", async () => {
    const w = world();
    const params = { name: "x", subscribers: [w.user("dex").id] };
    expect(await w.as("ada").post("/channels/create", params)).toMatchObject({ status: 400, events: [] });
  });

  test("refuses a taken name, ignoring case, also that of an invisible channel", async () => {
    const w = world();
    await made(w, "mel", "Secret", { invite_only: true });
    for (const who of ["mel", "max"] as const) {
      expect(await w.as(who).post("/channels/create", { name: "SECRET", subscribers: [] })).toMatchObject({
        status: 400,
        body: { code: "BAD_REQUEST", msg: "Channel 'SECRET' already exists" },
        events: [],
      });
    }
  });

  test("refuses other subscribers if the creator may not add anyone", async () => {
    const w = world();
    const nobody = (await systemGroups(w))["role:nobody"] ?? 0;
    const adding = { scope: "realm", ownerId: 0, name: "can_add_subscribers_group" } as const;
    await w.app.env.db.write(w.ctx("system"), (tx) => giveGrant(tx, adding, nobody));

    const params = { name: "x", subscribers: [w.user("max").id] };
    const refused = await w
      .as("mel")
      .post("/channels/create", { ...params, can_administer_channel_group: nobody });
    expect(refused).toMatchObject({
      status: 400,
      body: { msg: "You do not have permission to subscribe other people to channel 'x'." },
      events: [],
    });
    expect((await w.as("mel").post("/channels/create", params)).status).toBe(200);
  });
});

describe("get-streams", () => {
  async function channels(w: World) {
    return {
      open: await made(w, "mel", "open"),
      board: await made(w, "mel", "board", { invite_only: true }),
      staff: await made(w, "ada", "staff", { invite_only: true, subscribers: [w.user("gus").id] }),
    };
  }

  const seen = async (w: World, who: CastName, params = {}) => {
    const { streams } = (await w.as(who).get("/streams", params)).body;
    return streams.map(({ name }: { name: string }) => name);
  };

  test("returns public channels and the caller's own", async () => {
    const w = world();
    await channels(w);
    expect(await seen(w, "mel")).toEqual(["open", "board"]);
    expect(await seen(w, "max")).toEqual(["open"]);
    expect(await seen(w, "gus")).toEqual(["staff"]);
  });

  test.each([
    ["only public ones", "mel", { include_subscribed: false }, ["open"]],
    ["only one's own", "mel", { include_public: false }, ["open", "board"]],
    ["none", "max", { include_public: false, include_subscribed: false }, []],
    [
      "web-public ones",
      "max",
      { include_public: false, include_subscribed: false, include_web_public: true },
      [],
    ],
    ["all an administrator sees", "ada", { include_all: true }, ["open", "board", "staff"]],
    ["the same by its old name", "ada", { include_all_active: true }, ["open", "board", "staff"]],
    ["all a member sees", "max", { include_all: true }, ["open"]],
    ["what an administrator may read", "ada", { include_can_access_content: true }, ["open"]],
    ["those of a bot's owner", "bolt", { include_owner_subscribed: true }, ["open", "board"]],
    ["nothing more of a person's owner", "max", { include_owner_subscribed: true }, ["open"]],
  ] as const)("gives %s", async (_, who, params, names) => {
    const w = world();
    await channels(w);
    expect(await seen(w, who, params)).toEqual([...names]);
  });

  test("marks default channels only on request", async () => {
    const w = world();
    await channels(w);
    expect((await w.as("mel").get("/streams")).body.streams[0]).not.toHaveProperty("is_default");
    const [open] = (await w.as("mel").get("/streams", { include_default: true })).body.streams;
    expect(open.is_default).toBe(false);
  });
});

describe("get-stream-by-id", () => {
  test("returns a private channel to an administrator", async () => {
    const w = world();
    const id = await made(w, "mel", "board", { invite_only: true });
    expect((await w.as("ada").get(`/streams/${id}`)).body.stream).toMatchObject({
      stream_id: id,
      name: "board",
    });
  });

  test.each(["can_administer_channel_group", "can_add_subscribers_group", "can_subscribe_group"])(
    "gives a private channel to the members of its %s, guests excepted",
    async (setting) => {
      const w = world();
      const named = { direct_members: [w.user("max").id, w.user("gus").id], direct_subgroups: [] };
      const id = await made(w, "mel", "board", { invite_only: true, [setting]: named });
      expect((await w.as("max").get(`/streams/${id}`)).status).toBe(200);
      expect((await w.as("gus").get(`/streams/${id}`)).status).toBe(400);
    },
  );

  test("answers the same for an unknown and an invisible channel", async () => {
    const w = world();
    const id = await made(w, "mel", "board", { invite_only: true });
    const open = await made(w, "mel", "open");
    const refused = { status: 400, body: { code: "BAD_REQUEST", msg: "Invalid channel ID" }, events: [] };
    expect(await w.as("max").get("/streams/4711")).toMatchObject(refused);
    expect(await w.as("max").get(`/streams/${id}`)).toMatchObject(refused);
    expect(await w.as("gus").get(`/streams/${open}`)).toMatchObject(refused);
  });
});

describe("get-stream-email-address", () => {
  test("is empty, since the server receives no email", async () => {
    const w = world();
    const id = await made(w, "mel", "open");
    for (const sender_id of [undefined, w.user("mel").id, w.user("bolt").id, await notificationBot(w)]) {
      const answer = await w.as("mel").get(`/streams/${id}/email_address`, { sender_id });
      expect(answer).toMatchObject({ status: 200, body: { email: "" }, events: [] });
    }
  });

  test("is refused for a sender who is neither the actor nor a bot of theirs", async () => {
    const w = world();
    const id = await made(w, "mel", "open");
    for (const sender_id of [w.user("mel").id, w.user("bolt").id, 4711]) {
      expect(await w.as("max").get(`/streams/${id}/email_address`, { sender_id })).toMatchObject({
        status: 400,
        body: {
          code: "BAD_REQUEST",
          msg: "sender_id must be yours, a bot's of yours or the notification bot's.",
        },
      });
    }
  });

  test("is refused for a channel that the actor may not read", async () => {
    const w = world();
    const id = await made(w, "mel", "board", { invite_only: true });
    const refused = { status: 400, body: { code: "BAD_REQUEST", msg: "Invalid channel ID" } };
    expect(await w.as("max").get(`/streams/${id}/email_address`)).toMatchObject(refused);
    expect(await w.as("max").get("/streams/4711/email_address")).toMatchObject(refused);
  });

  async function notificationBot(w: World): Promise<number> {
    const { cross_realm_bots } = (await w.queue("mel")).state;
    return cross_realm_bots.find(({ email }: { email: string }) => email.startsWith("notification")).user_id;
  }
});

describe("get-stream-id", () => {
  test("finds a channel by name, ignoring case", async () => {
    const w = world();
    const id = await made(w, "mel", "Design");
    expect((await w.as("max").get("/get_stream_id", { stream: " design " })).body.stream_id).toBe(id);
  });

  test("answers the same for an unknown and an invisible channel name", async () => {
    const w = world();
    await made(w, "mel", "board", { invite_only: true });
    for (const stream of ["board", "nowhere"]) {
      expect(await w.as("max").get("/get_stream_id", { stream })).toMatchObject({
        status: 400,
        body: { code: "BAD_REQUEST", msg: `Invalid channel name '${stream}'` },
      });
    }
  });
});

describe("get-subscribers", () => {
  test("lists active subscribers by ID", async () => {
    const w = world();
    const ids = [w.user("max").id, w.user("mel").id, w.user("gus").id];
    const id = await made(w, "mel", "open", { subscribers: ids });
    const sorted = ids.toSorted((a, b) => a - b);
    expect((await w.as("moss").get(`/streams/${id}/members`)).body.subscribers).toEqual(sorted);
    expect((await w.as("gus").get(`/streams/${id}/members`)).body.subscribers).toEqual(sorted);
  });

  test("refuses users who may not see the channel", async () => {
    const w = world();
    const id = await made(w, "mel", "board", { invite_only: true });
    expect(await w.as("max").get(`/streams/${id}/members`)).toMatchObject({
      status: 400,
      body: { msg: "Invalid channel ID" },
    });
  });
});

describe("register: stream", () => {
  test("contains the visible channels", async () => {
    const w = world();
    await made(w, "mel", "open");
    await made(w, "mel", "board", { invite_only: true });
    const streamsOf = async (who: CastName) => {
      const { state } = await w.queue(who, { fetch_event_types: ["stream"] });
      return state.streams.map(({ name }: { name: string }) => name);
    };
    expect(await streamsOf("ada")).toEqual(["open", "board"]);
    expect(await streamsOf("max")).toEqual(["open"]);
    expect(await streamsOf("gus")).toEqual([]);
  });

  test("equals what the create event carried", async () => {
    const w = world();
    const queue = await w.queue("max", { event_types: ["stream"] });
    await w.as("mel").post("/channels/create", { name: "open", subscribers: [] });
    const [event] = await queue.poll();
    const { state } = await w.queue("max", { fetch_event_types: ["stream"] });
    expect(event.streams).toEqual(state.streams);
  });
});

async function systemGroups(w: World): Promise<Record<string, number>> {
  const { state } = await w.queue("ada", { fetch_event_types: ["realm_user_groups"] });
  return Object.fromEntries(
    state.realm_user_groups.map((group: { name: string; id: number }) => [group.name, group.id]),
  );
}

function byId(w: World) {
  return (a: CastName, b: CastName) => w.user(a).id - w.user(b).id;
}
