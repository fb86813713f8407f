// The requests of a terminal client at its start, in order, and the fields of the responses that it reads.
import { describe, expect, test } from "bun:test";
import type { Json } from "../support/requests.ts";
import { type CastName, type World, world } from "../support/world.ts";

const fetch_event_types = [
  "realm",
  "presence",
  "subscription",
  "message",
  "starred_messages",
  "update_message_flags",
  "muted_topics",
  "realm_user",
  "realm_user_groups",
  "update_global_notifications",
  "update_display_settings",
  "user_settings",
  "realm_emoji",
  "zulip_version",
];

const event_types = [
  "message",
  "update_message",
  "reaction",
  "subscription",
  "typing",
  "update_message_flags",
  "update_global_notifications",
  "update_display_settings",
  "user_settings",
  "realm_emoji",
];

/** An example of everything: two channels, a muted topic, direct messages, a star, a group and a user who is present. */
async function lively() {
  const w = world();
  const id = (name: CastName) => w.user(name).id;
  const send = async (who: CastName, params: Json) =>
    (await w.as(who).post("/messages", params)).body.id as number;
  const post = (who: CastName, topic: string, content: string) =>
    send(who, { type: "stream", to: "team", subject: topic, content });
  const subscribers = [id("mel"), id("max"), id("gus")];
  const team = (await w.as("ada").post("/channels/create", { name: "team", subscribers })).body.id as number;
  const old = (await w.as("ada").post("/channels/create", { name: "old", subscribers: [] })).body
    .id as number;
  await w.as("ada").post("/user_groups/create", { name: "crew", description: "", members: [id("gus")] });
  const said = {
    plans: await post("max", "plans", "for @**Mel**"),
    food: await post("max", "food", "soup"),
    direct: await send("max", { type: "private", to: ["mel@example.com"], content: "hello" }),
    group: await send("max", { type: "private", to: [id("mel"), id("gus")], content: "both" }),
  };
  const muted = { stream_id: team, topic: "food", op: "add" };
  await w.as("mel").patch("/users/me/subscriptions/muted_topics", muted);
  await w.as("mel").post("/messages/flags", { messages: [said.food], op: "add", flag: "starred" });
  await w.as("max").post("/users/me/presence", { status: "active", new_user_input: true });
  return { ...w, id, team, old, said };
}

async function registered(w: World): Promise<Json> {
  const { status, body } = await w.as("mel").post("/register", {
    event_types,
    fetch_event_types,
    narrow: [],
    client_gravatar: true,
    apply_markdown: true,
    include_subscribers: true,
  });
  expect([status, body.ignored_parameters_unsupported]).toEqual([200, undefined]);
  return body;
}

describe("a terminal client starts", () => {
  test("asking for the server's settings, with or without an account", async () => {
    const w = await lively();
    for (const client of [w.anonymous, w.as("mel"), w.login("mel@example.com", "wrong")]) {
      const { status, body } = await client.get("/server_settings");
      expect(status).toBe(200);
      expect(body).toMatchObject({ zulip_version: expect.any(String), zulip_feature_level: 486 });
    }
  });

  test("registering for the events that it shows", async () => {
    const w = await lively();
    const state = await registered(w);
    const { id, team, said } = w;
    expect(state).toMatchObject({
      queue_id: expect.any(String),
      last_event_id: -1,
      zulip_version: expect.any(String),
      zulip_feature_level: expect.any(Number),
      user_id: id("mel"),
      email: "mel@example.com",
      full_name: "Mel",
      realm_name: "Test Organization",
      realm_uri: expect.stringMatching(/^https?:/),
      realm_message_retention_days: -1,
      realm_allow_message_editing: true,
      realm_message_content_edit_limit_seconds: expect.any(Number),
      max_message_length: 10_000,
      max_topic_length: 60,
      max_stream_name_length: 60,
      muted_topics: [["team", "food", expect.any(Number)]],
      starred_messages: [said.food],
      twenty_four_hour_time: false,
      pm_content_in_desktop_notifications: true,
      user_settings: { send_private_typing_notifications: true, twenty_four_hour_time: false },
      realm_emoji: {},
      max_message_id: said.group,
      server_typing_started_wait_period_milliseconds: expect.any(Number),
      server_typing_stopped_wait_period_milliseconds: expect.any(Number),
      server_typing_started_expiry_period_milliseconds: expect.any(Number),
      server_presence_ping_interval_seconds: expect.any(Number),
      server_presence_offline_threshold_seconds: expect.any(Number),
    });
    expect(state.subscriptions).toMatchObject([
      {
        stream_id: team,
        name: "team",
        color: expect.stringMatching(/^#[0-9a-f]{6}$/),
        description: "",
        rendered_description: "",
        date_created: expect.any(Number),
        is_muted: false,
        in_home_view: true,
        pin_to_top: false,
        invite_only: false,
        is_web_public: false,
        history_public_to_subscribers: true,
        message_retention_days: null,
        stream_post_policy: 1,
        is_announcement_only: false,
        stream_weekly_traffic: null,
        desktop_notifications: expect.any(Boolean),
        subscribers: [id("mel"), id("max"), id("gus")].sort((a, b) => a - b),
      },
    ]);
    expect(state.unread_msgs).toMatchObject({
      count: 3,
      streams: [
        { stream_id: team, topic: "plans", unread_message_ids: [said.plans] },
        { stream_id: team, topic: "food", unread_message_ids: [said.food] },
      ],
      pms: [{ sender_id: id("max"), unread_message_ids: [said.direct] }],
      huddles: [{ unread_message_ids: [said.group] }],
      mentions: [said.plans],
    });
  });

  test("finding everyone by ID and address, who is online, and their groups", async () => {
    const w = await lively();
    const state = await registered(w);
    const people = [...state.realm_users, ...state.realm_non_active_users, ...state.cross_realm_bots];
    expect(people.map((one: Json) => one.user_id)).toContain(w.id("mel"));
    const addresses = people.map((one: Json) => one.email);
    for (const one of people) {
      expect({ ...one }).toMatchObject({
        email: expect.stringContaining("@"),
        full_name: expect.any(String),
        date_joined: expect.any(String),
        timezone: expect.any(String),
        is_bot: expect.any(Boolean),
        role: expect.any(Number),
      });
    }
    expect(Object.keys(state.presences)).toContain("max@example.com");
    for (const [email, presence] of Object.entries<Json>(state.presences)) {
      expect(addresses).toContain(email);
      expect(presence.aggregated).toMatchObject({
        status: expect.any(String),
        timestamp: expect.any(Number),
      });
    }
    const crew = state.realm_user_groups.find((group: Json) => group.name === "crew");
    expect(crew).toMatchObject({ members: [w.id("gus")], description: "" });
  });

  test("reporting presence, and reading who else is online", async () => {
    const w = await lively();
    const { body } = await w.as("mel").post("/users/me/presence", { status: "active", new_user_input: true });
    expect(body.presences["max@example.com"].aggregated).toMatchObject({ status: "active" });
    expect(body.server_timestamp).toBeNumber();
  });

  test.each([
    ["everything", [], ["plans", "food", "direct", "group"]],
    ["a channel", [["stream", "team"]], ["plans", "food"]],
    [
      "a topic",
      [
        ["stream", "team"],
        ["topic", "food"],
      ],
      ["food"],
    ],
    ["direct messages", [["is", "private"]], ["direct", "group"]],
    ["those with one person", [["pm_with", "max@example.com"]], ["direct"]],
    ["those with two", [["pm_with", "max@example.com, gus@example.com"]], ["group"]],
    ["stars", [["is", "starred"]], ["food"]],
    ["mentions", [["is", "mentioned"]], ["plans"]],
    ["a search", [["search", "soup"]], ["food"]],
  ] as const)("reading %s from the first unread message", async (_, narrow, expected) => {
    const w = await lively();
    const { status, body } = await w.as("mel").get("/messages", {
      anchor: "first_unread",
      num_before: 10,
      num_after: 30,
      apply_markdown: true,
      client_gravatar: true,
      narrow,
    });
    expect(status).toBe(200);
    expect(body.messages.map((one: Json) => one.id)).toEqual(expected.map((name) => w.said[name]));
    expect(body.anchor).toBeNumber();
    for (const message of body.messages) {
      expect(message).toMatchObject({
        type: expect.stringMatching(/^(stream|private)$/),
        subject: expect.any(String),
        flags: expect.any(Array),
        reactions: [],
        submessages: [],
        is_me_message: false,
        timestamp: expect.any(Number),
      });
    }
  });

  test("opening a channel's topics, and marking what is on screen as read", async () => {
    const w = await lively();
    const { topics } = (await w.as("mel").get(`/users/me/${w.team}/topics`)).body;
    expect(topics.map(({ name }: Json) => name)).toEqual(["food", "plans"]);
    const messages = [w.said.plans, w.said.food];
    const read = await w.as("mel").post("/messages/flags", { messages, op: "add", flag: "read" });
    expect(read.body.messages).toEqual(messages);
  });

  test("then waiting for events", async () => {
    const w = await lively();
    const { queue_id } = await registered(w);
    await w.as("max").post("/messages", { type: "private", to: [w.id("mel")], content: "still there?" });
    await w.as("max").post(`/messages/${w.said.plans}/reactions`, { emoji_name: "tada" });
    const { body } = await w.as("mel").get("/events", { queue_id, last_event_id: -1 });
    expect(body.events).toMatchObject([
      { type: "message", message: { content: "<p>still there?</p>", type: "private" }, flags: [] },
      { type: "reaction", op: "add", user: { email: "max@example.com", user_id: w.id("max") } },
    ]);
  });
});
