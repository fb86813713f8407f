import { describe, expect, test } from "bun:test";
import { sendMessage } from "@/messaging/sending/actions.ts";
import { createChannel } from "@/places/channel-administration/actions.ts";
import { changeSubscriptions, unsubscribe } from "@/places/subscriptions/actions.ts";
import { policiesOn, policyFor, topicsWith } from "@/places/user-topics/access.ts";
import { moveTopicPolicies, setTopicPolicy, type TopicMove } from "@/places/user-topics/actions.ts";
import { type Policy, policies } from "@/places/user-topics/schema.ts";
import type { Json } from "../support/requests.ts";
import { type CastName, type TestQueue, type World, world } from "../support/world.ts";

const { none, muted, unmuted, followed } = policies;

async function channel(w: World, name: string, who: CastName[], more = {}): Promise<number> {
  const subscribers = who.map((one) => w.user(one).id);
  return (await createChannel(w.ctx("mel"), { name, subscribers, ...more })).stream_id;
}

async function stage() {
  const w = world();
  const design = await channel(w, "Design", ["mel", "max"]);
  const set = (topic: string, visibility_policy: unknown, who: CastName = "max", stream_id = design) =>
    w.as(who).post("/user_topics", { stream_id, topic, visibility_policy });
  return { w, design, set };
}

/** The policies in the initial state: `[topic, policy]`. */
async function shownTo(w: World, who: CastName): Promise<[string, number][]> {
  const { state } = await w.queue(who, { fetch_event_types: ["user_topic"] });
  return state.user_topics.map((one: Json) => [one.topic_name, one.visibility_policy]);
}

const send = async (w: World, to: number, topic: string, by: CastName = "mel") =>
  (await sendMessage(w.ctx(by), { type: "channel", to: [to], topic, content: "hello", read_by_sender: true }))
    .id;

const muteChannel = (w: World, who: CastName, stream_id: number) =>
  changeSubscriptions(w.ctx(who), [{ stream_id, property: "is_muted", value: true }]);

describe("update-user-topic", () => {
  test("stores a policy for a topic, which need not exist, and emits only to the user", async () => {
    const { w, design, set } = await stage();
    const { status, events } = await set(" Lunch ", followed);
    expect(status).toBe(200);
    const now = w.clock.now();
    const policy = { stream_id: design, topic_name: "Lunch", last_updated: now, visibility_policy: followed };
    expect(events).toEqual([{ audience: ["max"], event: { type: "user_topic", ...policy } }]);
    const { state } = await w.queue("max", { fetch_event_types: ["user_topic"] });
    expect(state.user_topics).toEqual([policy]);
    expect(await shownTo(w, "mel")).toEqual([]);
  });

  test("replaces a policy, ignoring the topic's case, and removes it with 0", async () => {
    const { w, set } = await stage();
    await set("Lunch", followed);
    await set("LUNCH", unmuted);
    expect(await shownTo(w, "max")).toEqual([["LUNCH", unmuted]]);
    const { events } = await set("lunch", none);
    expect(events.map(({ event }) => [event.type, event.topic_name, event.visibility_policy])).toEqual([
      ["user_topic", "lunch", none],
    ]);
    expect(await shownTo(w, "max")).toEqual([]);
  });

  test.each([muted, unmuted, followed, none])(
    "tells of nothing where the policy is %d already",
    async (policy) => {
      const { w, set } = await stage();
      await set("Lunch", policy);
      const before = await shownTo(w, "max");
      expect(await set("lunch", policy)).toMatchObject({ status: 200, events: [] });
      expect(await shownTo(w, "max")).toEqual(before);
    },
  );

  test("accepts every name of the empty topic, and shows it in each client's form", async () => {
    const { w, design, set } = await stage();
    const queue = await w.queue("max");
    const older = await w.queue("max", { client_capabilities: {} });
    await set("(no topic)", followed);
    expect((await queue.poll())[0]).toMatchObject({ type: "user_topic", topic_name: "" });
    expect((await older.poll())[0]).toMatchObject({ type: "user_topic", topic_name: "general chat" });
    expect(await set("general chat", followed)).toMatchObject({ events: [] });
    expect(policyFor(w.app.system, w.user("max").id, { channelId: design, topic: "" })).toBe(followed);
    const { state } = await w.queue("max", { client_capabilities: {}, fetch_event_types: ["user_topic"] });
    expect(state.user_topics).toMatchObject([{ topic_name: "general chat" }]);
  });

  test("emits the list of muted topics to older clients when muting changes", async () => {
    const { w, set } = await stage();
    const legacy = await w.queue("max", { event_types: ["muted_topics"] });
    const both = await w.queue("max", { event_types: ["muted_topics", "user_topic"] });
    const others = await w.queue("mel", { event_types: ["muted_topics", "user_topic"] });
    await set("Followed", followed);
    await set("Noise", muted);
    await set("Noise", unmuted);
    const list = ["Design", "Noise", w.clock.now()];
    expect((await legacy.poll()).map(({ muted_topics }) => muted_topics)).toEqual([[list], []]);
    expect((await both.poll()).map(({ type }) => type)).toEqual(["user_topic", "user_topic", "user_topic"]);
    expect(await others.poll()).toEqual([]);
  });

  test("lists muted topics for older clients, unless they ask for policies by name", async () => {
    const { w, set } = await stage();
    await set("Noise", muted);
    await set("Other", followed);
    const fetched = async (types?: string[]) =>
      (await w.queue("max", { client_capabilities: {}, fetch_event_types: types })).state;
    const list = [["Design", "Noise", w.clock.now()]];
    expect((await fetched(["muted_topics"])).muted_topics).toEqual(list);
    expect(await fetched()).toMatchObject({ muted_topics: list, user_topics: [{}, {}] });
    expect(await fetched(["muted_topics", "user_topic"])).not.toHaveProperty("muted_topics");
  });

  test("is emitted for archived channels only to clients that know them", async () => {
    const { w, design, set } = await stage();
    const hall = await channel(w, "Hall", ["mel", "max"]);
    await set("Noise", muted);
    await set("Noise", muted, "max", hall);
    await w.as("mel").delete(`/streams/${design}`);
    const clients = [{}, { archived_channels: true }].map((client_capabilities) =>
      w.queue("max", {
        client_capabilities,
        event_types: ["muted_topics"],
        fetch_event_types: ["user_topic"],
      }),
    );
    const [older, modern] = (await Promise.all(clients)) as [TestQueue, TestQueue];
    const channelsIn = ({ state }: TestQueue) => state.user_topics.map((one: Json) => one.stream_id);
    expect([channelsIn(older), channelsIn(modern)]).toEqual([[hall], [design, hall]]);

    const queue = await w.queue("max", { client_capabilities: {}, event_types: ["user_topic"] });
    await set("More", muted);
    expect(await queue.poll()).toEqual([]);
    const namesIn = async (one: TestQueue) =>
      (await one.poll())[0].muted_topics.map(([name, topic]: string[]) => `${name}: ${topic}`);
    expect(await namesIn(older)).toEqual(["Hall: Noise"]);
    expect(await namesIn(modern)).toEqual(["Design: More", "Design: Noise", "Hall: Noise"]);

    const fetched = { client_capabilities: {}, fetch_event_types: ["muted_topics"] };
    expect((await w.queue("max", fetched)).state.muted_topics).toEqual([["Hall", "Noise", w.clock.now()]]);
  });

  test("can be removed after losing access, without naming the channel", async () => {
    const { w } = await stage();
    const secret = await channel(w, "Secret", ["mel", "max"], { invite_only: true });
    const set = (policy: number) =>
      w.as("max").post("/user_topics", { stream_id: secret, topic: "Plan", visibility_policy: policy });
    await set(muted);
    await unsubscribe(w.ctx("mel"), { channel_ids: [secret], user_ids: [w.user("max").id] });
    const { state } = await w.queue("max", { fetch_event_types: ["muted_topics"] });
    expect(state.muted_topics).toEqual([]);
    expect(await set(followed)).toMatchObject({
      status: 400,
      body: { msg: "Invalid channel ID" },
      events: [],
    });
    expect((await set(none)).status).toBe(200);
    expect(await shownTo(w, "max")).toEqual([]);
    expect(await set(none)).toMatchObject({ status: 400, body: { msg: "Invalid channel ID" }, events: [] });
  });

  test.each([
    ["an unknown channel", { stream_id: 999 }, "Invalid channel ID"],
    ["an unknown policy", { visibility_policy: 4 }, "visibility_policy must be one of: 0, 1, 2, 3"],
    [
      "a policy that is no number",
      { visibility_policy: "x" },
      'Argument "visibility_policy" is not valid JSON.',
    ],
    ["a long topic", { topic: "x".repeat(61) }, "A topic has at most 60 characters."],
    ["a topic with control characters", { topic: "a\nb" }, "Invalid character in topic!"],
  ])("refuses %s", async (_, wrong, msg) => {
    const { w, design } = await stage();
    const params = { stream_id: design, topic: "Lunch", visibility_policy: muted, ...wrong };
    expect(await w.as("max").post("/user_topics", params)).toMatchObject({
      status: 400,
      body: { msg },
      events: [],
    });
    expect(await shownTo(w, "max")).toEqual([]);
  });

  test("refuses a hidden private channel as if it did not exist", async () => {
    const { w, set } = await stage();
    const secret = await channel(w, "Secret", ["mel"], { invite_only: true });
    for (const policy of [muted, none])
      expect(await set("Plan", policy, "max", secret)).toMatchObject({
        status: 400,
        body: { msg: "Invalid channel ID" },
        events: [],
      });
  });
});

describe("mute-topic", () => {
  const change = (w: World, params: Json, who: CastName = "max") =>
    w.as(who).patch("/users/me/subscriptions/muted_topics", params);

  test("mutes and unmutes, by ID or by name, repeatedly", async () => {
    const { w, design } = await stage();
    const first = await change(w, { stream_id: design, topic: "Lunch", op: "add" });
    expect(first.events.map(({ audience, event }) => [audience, event.type])).toEqual([
      [["max"], "user_topic"],
      [["max"], "muted_topics"],
    ]);
    expect(await shownTo(w, "max")).toEqual([["Lunch", muted]]);
    expect(await change(w, { stream: "design", topic: "lunch", op: "add" })).toMatchObject({
      status: 200,
      events: [],
    });
    expect((await change(w, { stream: "Design", topic: "lunch", op: "remove" })).events).toHaveLength(2);
    expect(await shownTo(w, "max")).toEqual([]);
    expect(await change(w, { stream_id: design, topic: "Lunch", op: "remove" })).toMatchObject({
      status: 200,
      events: [],
    });
  });

  test.each([
    ["followed", followed],
    ["unmuted", unmuted],
  ])("does not change a %s topic on remove, by ID or by name", async (_, policy) => {
    const { w, design, set } = await stage();
    await set("Lunch", policy);
    for (const named of [{ stream_id: design }, { stream: "Design" }])
      expect(await change(w, { ...named, topic: "Lunch", op: "remove" })).toMatchObject({
        status: 200,
        events: [],
      });
    expect(await shownTo(w, "max")).toEqual([["Lunch", policy]]);
  });

  test("refuses a channel the user is not subscribed to", async () => {
    const { w, design } = await stage();
    expect(await change(w, { stream_id: design, topic: "Lunch", op: "add" }, "moss")).toMatchObject({
      status: 400,
      body: { code: "BAD_REQUEST", msg: "You are not subscribed to channel 'Design'." },
      events: [],
    });
  });

  test.each([
    ["no channel", {}, { code: "REQUEST_VARIABLE_MISSING", msg: "Missing 'stream_id' argument" }],
    ["both forms of a channel", { stream_id: 1, stream: "Design" }, { parameters: "stream_id, stream" }],
    ["an unknown name", { stream: "Nowhere" }, { code: "STREAM_DOES_NOT_EXIST", stream: "Nowhere" }],
    ["an unknown ID", { stream_id: 999 }, { code: "BAD_REQUEST", msg: "Invalid channel ID" }],
    ["another op", { stream_id: 1, op: "toggle" }, { msg: "The op is 'add' or 'remove'." }],
    ["a long topic", { stream_id: 1, topic: "x".repeat(61) }, { msg: "A topic has at most 60 characters." }],
  ])("refuses %s", async (_, params, body) => {
    const { w } = await stage();
    const answer = await change(w, { topic: "Lunch", op: "add", ...params });
    expect(answer).toMatchObject({ status: 400, body, events: [] });
  });
});

describe("muted topics", () => {
  const unread = async (w: World, who: CastName) => (await w.queue(who)).state.unread_msgs;

  test("do not count as unread, but are listed", async () => {
    const { w, design, set } = await stage();
    const quiet = await send(w, design, "Noise");
    const loud = await send(w, design, "Lunch");
    await set("noise", muted);
    const { count, streams } = await unread(w, "max");
    expect(count).toBe(1);
    expect(streams.flatMap((one: Json) => one.unread_message_ids)).toEqual([quiet, loud]);
  });

  test.each([
    ["unmuted", unmuted],
    ["followed", followed],
  ])("count in a muted channel once they are %s", async (_, policy) => {
    const { w, design, set } = await stage();
    await send(w, design, "Noise");
    await send(w, design, "Lunch");
    await muteChannel(w, "max", design);
    expect((await unread(w, "max")).count).toBe(0);
    await set("Lunch", policy);
    expect((await unread(w, "max")).count).toBe(1);
  });

  describe("and the first unread message", () => {
    const anchorOf = async (w: World, narrow: Json[], who: CastName = "max") =>
      (await w.as(who).get("/messages", { anchor: "first_unread", num_before: 0, num_after: 0, narrow })).body
        .anchor;

    test("are skipped in feeds and in their channel, but not in a narrow that names them", async () => {
      const { w, design, set } = await stage();
      const quiet = await send(w, design, "Noise");
      const loud = await send(w, design, "Lunch");
      await set("Noise", muted);
      expect(await anchorOf(w, [])).toBe(loud);
      expect(await anchorOf(w, [["channel", design]])).toBe(loud);
      expect(
        await anchorOf(w, [
          ["channel", design],
          ["topic", "noise"],
        ]),
      ).toBe(quiet);
    });

    test("are not skipped if a `with` term names them", async () => {
      const { w, design, set } = await stage();
      const quiet = await send(w, design, "Noise");
      const { body } = await w.as("mel").post("/messages", {
        type: "direct",
        to: [w.user("max").id],
        content: "hello",
      });
      await set("Noise", muted);
      await muteChannel(w, "max", design);
      const narrow = [{ operator: "with", operand: quiet }];
      expect(await anchorOf(w, narrow)).toBe(quiet);
      expect(await anchorOf(w, [["channel", design], ["topic", "noise"], ...narrow])).toBe(quiet);
      expect(await anchorOf(w, [{ operator: "with", operand: quiet, negated: true }])).toBe(body.id);
      expect(await anchorOf(w, [{ operator: "with", operand: body.id }])).toBe(body.id);
    });

    test("are found in muted channels if they are unmuted", async () => {
      const { w, design, set } = await stage();
      const quiet = await send(w, design, "Noise");
      const loud = await send(w, design, "Lunch");
      await muteChannel(w, "max", design);
      expect(await anchorOf(w, [])).toBe(10_000_000_000_000_000);
      await set("Lunch", unmuted);
      expect(await anchorOf(w, [])).toBe(loud);
      expect(await anchorOf(w, [["channel", design]])).toBe(quiet);
    });
  });
});

describe("topics that move as a whole", () => {
  const readers = ["mel", "max", "moss"] as const;

  async function moved({ from, to, merges }: { from: Policy[]; to: Policy[]; merges: boolean }) {
    const { w, design } = await stage();
    const target = await channel(w, "Target", ["mel", "max", "moss"], { invite_only: true });
    const source = { channelId: design, topic: "Old" };
    const move: TopicMove = { from: source, to: { channelId: target, topic: "New" }, merges };
    for (const [i, who] of readers.entries()) {
      await setTopicPolicy(w.ctx(who), { ...source, policy: from[i] ?? none });
      await setTopicPolicy(w.ctx(who), { ...move.to, policy: to[i] ?? none });
    }
    const policiesAt = (at: TopicMove["from"]) => {
      const found = policiesOn(w.app.system, at);
      return readers.map((who) => found.get(w.user(who).id) ?? none);
    };
    const queues: Record<string, TestQueue> = {};
    for (const who of [...readers, "gus" as const]) queues[who] = await w.queue(who);
    const run = () => w.app.env.db.write(w.ctx("mel"), (tx) => moveTopicPolicies(tx, move));
    return { w, move, policiesAt, run, queues };
  }

  test("take everyone's policies with them", async () => {
    const { move, policiesAt, run, queues } = await moved({
      from: [muted, unmuted, none],
      to: [none, none, followed],
      merges: false,
    });
    await run();
    expect(policiesAt(move.from)).toEqual([none, none, none]);
    expect(policiesAt(move.to)).toEqual([muted, unmuted, followed]);
    const received = (await queues.max!.poll()).map((event) => [event.topic_name, event.visibility_policy]);
    expect(received).toEqual([
      ["Old", none],
      ["New", unmuted],
    ]);
    expect(await queues.moss!.poll()).toEqual([]);
    expect(await queues.gus!.poll()).toEqual([]);
  });

  test.each([
    [muted, none, none],
    [none, muted, none],
    [muted, muted, muted],
    [followed, unmuted, followed],
    [unmuted, followed, followed],
    [muted, unmuted, unmuted],
    [followed, muted, followed],
  ])("keep the more visible of %d and %d if they merge: %d", async (from, to, kept) => {
    const { move, policiesAt, run } = await moved({ from: [from], to: [to], merges: true });
    await run();
    expect(policiesAt(move.to)[0]).toBe(kept);
    expect(policiesAt(move.from)[0]).toBe(none);
  });

  test("remove the policies of users who may not read the target", async () => {
    const { w, move, policiesAt, run, queues } = await moved({
      from: [none, followed, none],
      to: [none, muted, none],
      merges: false,
    });
    const people = { channel_ids: [move.to.channelId], user_ids: [w.user("max").id] };
    await unsubscribe(w.ctx("mel"), people);
    await queues.max!.poll();
    await run();
    expect(policiesAt(move.from)).toEqual([none, none, none]);
    expect(policiesAt(move.to)).toEqual([none, none, none]);
    const received = (await queues.max!.poll()).filter(({ type }) => type === "user_topic");
    expect(received.map((event) => [event.topic_name, event.visibility_policy])).toEqual([
      ["Old", none],
      ["New", none],
    ]);
  });

  test("do not change if only the topic's case does", async () => {
    const { w, move, policiesAt, run } = await moved({
      from: [followed, none, muted],
      to: [none, none, none],
      merges: true,
    });
    move.to = { ...move.from, topic: "OLD" };
    const before = w.events.length;
    await run();
    expect(policiesAt(move.from)).toEqual([followed, none, muted]);
    expect(w.events.length).toBe(before);
  });
});

test("a user's topics are found by policy", async () => {
  const { w, design, set } = await stage();
  await set("B", followed);
  await set("a", followed);
  await set("c", muted);
  const found = topicsWith(w.app.system, w.user("max").id, followed);
  expect(found.map(({ channel_id, topic_key }) => [channel_id, topic_key])).toEqual([
    [design, "a"],
    [design, "b"],
  ]);
});
