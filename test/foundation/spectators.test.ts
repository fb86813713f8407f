// People without an account: they may read what the organization makes public, and do nothing else.
import { beforeAll, describe, expect, test } from "bun:test";
import { setServerOptions } from "@/foundation/realm-administration/actions.ts";
import type { Json } from "../support/requests.ts";
import { registerFields } from "../support/shapes.ts";
import { webClient } from "../support/web-session.ts";
import { type World, world } from "../support/world.ts";

const onTheWeb = [{ operator: "channels", operand: "web-public" }];

interface Place extends World {
  /** IDs of channels and of a message in each. */
  web: number;
  attic: number;
  open: number;
  said: { web: number; attic: number; open: number; direct: number };
}

/** A web-public channel, an archived one, one for members, and direct messages. */
async function place(): Promise<Place> {
  const w = world();
  await setServerOptions(w.app.system, { web_public_channels: true });
  await w.as("olive").patch("/realm", { enable_spectator_access: true });
  const subscribers = [w.user("mel").id, w.user("olive").id];
  const channel = async (name: string, is_web_public: boolean) => {
    const made = await w.as("olive").post("/channels/create", { name, subscribers, is_web_public });
    const sent = await w.as("mel").post("/messages", {
      type: "channel",
      to: name,
      topic: "Hello",
      content: `said in **${name}**`,
    });
    return { id: made.body.id as number, message: sent.body.id as number };
  };
  const [web, attic, open] = [
    await channel("web", true),
    await channel("attic", true),
    await channel("open", false),
  ];
  const direct = await w
    .as("mel")
    .post("/messages", { type: "direct", to: [w.user("max").id], content: "x" });
  await w.as("max").post(`/messages/${web.message}/reactions`, { emoji_name: "tada" });
  await w.as("olive").delete(`/streams/${attic.id}`);
  return {
    ...w,
    web: web.id,
    attic: attic.id,
    open: open.id,
    said: { web: web.message, attic: attic.message, open: open.message, direct: direct.body.id },
  };
}

const refused = { status: 401, body: { result: "error", code: "UNAUTHORIZED" }, events: [] };

describe("register-queue: without an account", () => {
  test("returns every section, opens no queue, and contains nobody's data", async () => {
    const { anonymous, app, web } = await place();
    const { status, body } = await anonymous.post("/register", { client_capabilities: {} });
    expect(status).toBe(200);
    expect(app.env.queues.all.size).toBe(0);
    const rare = [
      "demo_organization_scheduled_deletion_date",
      "idle_queue_timeout_secs",
      "ignored_parameters_unsupported",
    ];
    expect(Object.keys(body).sort(), "say by forSpectators what visitors get").toEqual(
      Object.keys(registerFields())
        .filter((name) => !rare.includes(name))
        .sort(),
    );
    expect(body).toMatchObject({
      queue_id: null,
      last_event_id: -1,
      user_id: -1,
      is_guest: false,
      realm_enable_spectator_access: true,
      streams: [{ stream_id: web, is_web_public: true }],
      never_subscribed: [{ stream_id: web }],
      subscriptions: [],
      unsubscribed: [],
      recent_private_conversations: [],
      unread_msgs: { count: 0 },
      presences: {},
      realm_domains: [],
    });
  });

  test("reveals no address, no membership and no list of subscribers", async () => {
    const { anonymous, user } = await place();
    const { body } = await anonymous.post("/register", { include_subscribers: "partial" });
    expect(JSON.stringify(body)).not.toContain(user("mel").email);
    expect(body.realm_users.find((one: Json) => one.user_id === user("mel").id)).toMatchObject({
      email: `user${user("mel").id}@chat.example.com`,
      delivery_email: null,
      full_name: "Mel",
      avatar_url: expect.stringContaining("/user_avatars/"),
      date_joined: expect.stringMatching(/T00:00:00/),
    });
    expect(body.realm_user_groups.flatMap((group: Json) => group.members)).toEqual([]);
    expect(body.never_subscribed[0]).not.toHaveProperty("partial_subscribers");
    expect(body.never_subscribed[0]).not.toHaveProperty("subscribers");
  });

  test("returns only the requested types", async () => {
    const { anonymous } = await place();
    const { body } = await anonymous.post("/register", { fetch_event_types: ["stream", "user_topic"] });
    expect(body).toContainKeys(["streams", "user_topics"]);
    expect(body).not.toContainAnyKeys(["realm_users", "realm_name", "muted_topics", "unread_msgs"]);
  });

  test.each([
    ["client_gravatar", { client_gravatar: true }],
    ["include_subscribers", { include_subscribers: true }],
    ["all_public_streams", { all_public_streams: true }],
  ])("refuses %s", async (name, params) => {
    const { anonymous } = await place();
    expect(await anonymous.post("/register", params)).toMatchObject({
      status: 400,
      body: { code: "BAD_REQUEST", msg: `Without an account, '${name}' must be false.` },
    });
  });

  test.each([
    ["the organization has not opened itself", { server: true, realm: false }],
    ["the server no longer allows it", { server: false, realm: true }],
  ])("is refused if %s", async (_, { server, realm }) => {
    const w = await place();
    await w.as("olive").patch("/realm", { enable_spectator_access: realm });
    await setServerOptions(w.app.system, { web_public_channels: server });
    for (const path of ["/messages", `/messages/${w.said.web}`, "/users", `/users/me/${w.web}/topics`]) {
      expect(await w.anonymous.get(path, { narrow: onTheWeb, anchor: "newest" })).toMatchObject(refused);
    }
    expect(await w.anonymous.post("/register")).toMatchObject(refused);
    expect((await w.anonymous.get("/server_settings")).body.realm_web_public_access_enabled).toBe(false);
  });

  test("is refused with wrong credentials, and once the organization is deactivated", async () => {
    const w = await place();
    const wrong = await w.login("mel@example.com", "wrong").post("/register");
    expect(wrong).toMatchObject({ status: 401, body: { code: "UNAUTHORIZED" } });
    await w.as("olive").post("/realm/deactivate");
    const closed = await w.anonymous.post("/register");
    expect(closed).toMatchObject({ status: 401, body: { code: "REALM_DEACTIVATED" } });
  });
});

describe("get-messages: without an account", () => {
  // No test changes anything, so they share one organization.
  let w: Place;
  beforeAll(async () => {
    w = await place();
  });
  const read = (params: Json) =>
    w.anonymous.get("/messages", { anchor: "newest", num_before: 10, narrow: onTheWeb, ...params });

  test("shows what is public on the web, without addresses", async () => {
    const { status, body } = await read({});
    expect(status).toBe(200);
    expect(body.messages).toMatchObject([
      {
        id: w.said.web,
        content: "<p>said in <strong>web</strong></p>",
        sender_full_name: "Mel",
        sender_email: `user${w.user("mel").id}@chat.example.com`,
        avatar_url: expect.stringContaining("/user_avatars/"),
        flags: ["read", "historical"],
        reactions: [{ emoji_name: "tada", user_id: w.user("max").id }],
      },
    ]);
  });

  test.each([
    ["a channel", [{ operator: "channel", operand: "web" }]],
    ["an old name of it", [["stream", "web"]]],
    ["a topic", [{ operator: "topic", operand: "hello" }]],
    ["a sender", [{ operator: "sender", operand: 6 }]],
    ["words", [{ operator: "search", operand: "said" }]],
    ["reactions", [{ operator: "has", operand: "reaction" }]],
  ])("can be narrowed by %s", async (_, terms) => {
    const { body } = await read({ narrow: [...onTheWeb, ...terms] });
    expect(body.messages?.map(({ id }: Json) => id)).toEqual([w.said.web]);
  });

  test("finds no unread messages, and messages by their ID", async () => {
    expect((await read({ anchor: "first_unread" })).body).toMatchObject({ messages: [{ id: w.said.web }] });
    const ids = Object.values(w.said);
    const byId = await w.anonymous.get("/messages", { message_ids: ids, narrow: onTheWeb });
    expect(byId.body.messages.map(({ id }: Json) => id)).toEqual([w.said.web]);
  });

  test.each([
    ["no narrow", []],
    ["another channel's", [{ operator: "channel", operand: "open" }]],
    ["all but the web", [{ operator: "channels", operand: "web-public", negated: true }]],
    ["what is public inside", [{ operator: "channels", operand: "public" }]],
    ["something of the reader's own", [...onTheWeb, { operator: "is", operand: "starred" }]],
    ["direct messages", [...onTheWeb, { operator: "dm", operand: [6] }]],
  ])("refuses %s", async (_, narrow) => {
    expect(await read({ narrow })).toMatchObject({ status: 401, body: { code: "UNAUTHENTICATED_USER" } });
  });

  test("finds no channel that is not public on the web, and no user by address", async () => {
    for (const operand of ["open", "attic"]) {
      const answer = await read({ narrow: [...onTheWeb, { operator: "channel", operand }] });
      expect(answer).toMatchObject({ status: 400, body: { code: "BAD_NARROW" } });
    }
    const byAddress = await read({
      narrow: [...onTheWeb, { operator: "sender", operand: "mel@example.com" }],
    });
    expect(byAddress).toMatchObject({ status: 400, body: { code: "BAD_NARROW" } });
  });
});

describe("without an account: messages, topics, people and pictures", () => {
  let w: Place;
  beforeAll(async () => {
    w = await place();
  });

  test("get-message returns only messages that are public on the web", async () => {
    const { body } = await w.anonymous.get(`/messages/${w.said.web}`);
    expect(body).toMatchObject({ raw_content: "said in **web**", message: { id: w.said.web } });
    expect(JSON.stringify(body)).not.toContain(w.user("mel").email);
    for (const id of [w.said.open, w.said.attic, w.said.direct, 4_000]) {
      const answer = await w.anonymous.get(`/messages/${id}`);
      expect(answer).toMatchObject({ status: 400, body: { msg: "Invalid message(s)", code: "BAD_REQUEST" } });
    }
  });

  test("get-stream-topics likewise", async () => {
    const { body } = await w.anonymous.get(`/users/me/${w.web}/topics`);
    expect(body.topics).toEqual([{ name: "Hello", max_id: w.said.web }]);
    for (const id of [w.open, w.attic, 4_000]) {
      const answer = await w.anonymous.get(`/users/me/${id}/topics`);
      expect(answer).toMatchObject({ status: 400, body: { msg: "Invalid channel ID" } });
    }
  });

  test("get-users returns people's names, and nothing else", async () => {
    const params = {
      user_ids: [w.user("mel").id],
      client_gravatar: true,
      include_custom_profile_fields: true,
    };
    const { body } = await w.anonymous.get("/users", params);
    expect(body.members).toMatchObject([{ full_name: "Mel", delivery_email: null, timezone: "" }]);
    expect(JSON.stringify(body)).not.toContain(w.user("mel").email);
    expect(body.members[0]).not.toHaveProperty("profile_data");
  });

  test("get-avatar finds pictures by ID; an address reveals nothing", async () => {
    const to = async (named: string | number) => {
      const response = await w.anonymous.request(`/avatar/${named}`, { redirect: "manual" });
      return [response.status, response.headers.get("location")];
    };
    const made = await to(w.user("mel").id);
    expect(made).toEqual([302, expect.stringContaining("/user_avatars/")]);
    expect(await to(`user${w.user("mel").id}@chat.example.com`)).toEqual(made);
    expect(await to("mel@example.com")).toEqual(await to("nobody@example.com"));
    expect(await to("mel@example.com")).not.toEqual(made);
  });

  test("everything else stays closed", async () => {
    for (const path of ["/streams", "/users/me", "/drafts", "/channel_folders", "/realm/emoji"]) {
      expect(await w.anonymous.get(path)).toMatchObject({ status: 401, body: { code: "UNAUTHORIZED" } });
    }
    const send = { type: "channel", to: "web", topic: "Hello", content: "hi" };
    expect(await w.anonymous.post("/messages", send)).toMatchObject(refused);
  });
});

describe("without an account: files", () => {
  test("get-uploaded-file gives those that a message on the web links to", async () => {
    const w = await place();
    const upload = async (name: string) =>
      (await w.as("mel").upload("/user_uploads", new File([name], `${name}.txt`))).body.url as string;
    const [shown, kept] = [await upload("shown"), await upload("kept")];
    const post = (to: string, url: string) =>
      w.as("mel").post("/messages", { type: "channel", to, topic: "Hello", content: `[file](${url})` });
    await post("web", shown);
    await post("open", kept);
    const got = async (url: string) => (await w.anonymous.request(url)).status;
    expect(await Promise.all([shown, kept, "/user_uploads/1/ab/none.txt"].map(got))).toEqual([200, 403, 404]);
  });
});

describe("under /json, without a session", () => {
  test("reads what is public on the web, writes nothing, and ignores an expired session", async () => {
    const w = await place();
    const visitor = webClient(w.app);
    const asked = { anchor: "newest", num_before: 10, num_after: 0, narrow: onTheWeb };
    const { status, body } = await visitor.ask("GET", "/json/messages", asked);
    expect([status, body.messages.some(({ id }: Json) => id === w.said.web)]).toEqual([200, true]);
    expect((await visitor.ask("POST", "/json/register")).body.queue_id).toBeNull();
    const sent = { type: "channel", to: "web", topic: "Hello", content: "from nobody" };
    expect((await visitor.ask("POST", "/json/messages", sent)).status).toBe(401);
    expect((await visitor.ask("GET", "/")).body).toContain('"open_to_visitors":true');

    visitor.cookies.set("__Host-sessionid", "A".repeat(32));
    expect((await visitor.ask("GET", "/json/messages", asked)).status).toBe(200);
    expect(visitor.cookies.size).toBe(0);
  });
});
