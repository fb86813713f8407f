// Topics that are followed or unmuted automatically.
import { describe, expect, test } from "bun:test";
import { createChannel } from "@/places/channel-administration/actions.ts";
import { changeSubscriptions } from "@/places/subscriptions/actions.ts";
import { policyFor } from "@/places/user-topics/access.ts";
import { setTopicPolicy } from "@/places/user-topics/actions.ts";
import { type Policy, policies } from "@/places/user-topics/schema.ts";
import type { Json } from "../support/requests.ts";
import { type CastName, world } from "../support/world.ts";

const { none, muted, unmuted, followed } = policies;
const never = {
  automatically_follow_topics_policy: 4,
  automatically_unmute_topics_in_muted_streams_policy: 4,
};

async function stage() {
  const w = world();
  const people: CastName[] = ["mel", "max", "gus", "bolt"];
  const subscribers = people.map((who) => w.user(who).id);
  const { stream_id } = await createChannel(w.ctx("mel"), { name: "Design", description: "", subscribers });
  const topic = { channelId: stream_id, topic: "Lunch" };
  const send = (who: CastName, content = "hello", name = "Lunch") =>
    w.as(who).post("/messages", { type: "channel", to: stream_id, topic: name, content });
  const policyOf = (who: CastName, name = "Lunch") =>
    policyFor(w.app.system, w.user(who).id, { ...topic, topic: name });
  const settle = (who: CastName, settings: Json) => w.as(who).patch("/settings", { ...never, ...settings });
  const muteChannel = (who: CastName) =>
    changeSubscriptions(w.ctx(who), [{ stream_id, property: "is_muted", value: true }]);
  return { w, topic, send, policyOf, settle, muteChannel };
}

const policyEvents = (events: Json[]) =>
  events
    .filter(({ event }) => event.type === "user_topic")
    .map(({ audience, event }) => [audience, event.topic_name, event.visibility_policy]);

describe("sending", () => {
  test("makes the sender follow topics they start, unless they set otherwise", async () => {
    const { send, policyOf } = await stage();
    const { body, events } = await send("mel");
    expect(body.automatic_new_visibility_policy).toBe(followed);
    expect(events.map(({ event }) => event.type)).toEqual(["message", "user_topic"]);
    expect(policyEvents(events)).toEqual([[["mel"], "Lunch", followed]]);

    const reply = await send("max", "hi", "LUNCH");
    expect(reply.body).not.toHaveProperty("automatic_new_visibility_policy");
    expect(policyEvents(reply.events)).toEqual([]);
    expect([policyOf("mel"), policyOf("max")]).toEqual([followed, none]);
    expect((await send("mel")).body).not.toHaveProperty("automatic_new_visibility_policy");
  });

  /** The policy after starting a topic, and after posting in somebody else's. */
  test.each([
    ["participation", 1, followed, followed],
    ["sending", 2, followed, followed],
    ["starting", 3, followed, none],
    ["never", 4, none, none],
  ])("follows on %s", async (_, setting, started, joined) => {
    const { send, policyOf, settle } = await stage();
    await settle("max", { automatically_follow_topics_policy: setting });
    await send("max", "first", "Own");
    await send("mel", "first");
    await send("max", "second");
    expect([policyOf("max", "Own"), policyOf("max")]).toEqual([started, joined]);
  });

  test.each([
    ["participation", 1, unmuted, unmuted],
    ["sending", 2, unmuted, unmuted],
    ["starting", 3, unmuted, none],
    ["never", 4, none, none],
  ])("unmutes only in muted channels, on %s", async (_, setting, started, joined) => {
    const { send, policyOf, settle, muteChannel } = await stage();
    await settle("max", { automatically_unmute_topics_in_muted_streams_policy: setting });
    const open = await send("max", "first", "Open");
    expect(open.body).not.toHaveProperty("automatic_new_visibility_policy");
    await muteChannel("max");
    const { body } = await send("max", "first", "Own");
    expect(body.automatic_new_visibility_policy ?? none).toBe(started);
    await send("mel", "first");
    await send("max", "second");
    expect([policyOf("max", "Open"), policyOf("max", "Own"), policyOf("max")]).toEqual([
      none,
      started,
      joined,
    ]);
  });

  test("follows rather than unmutes if both are set", async () => {
    const { send, policyOf, settle, muteChannel } = await stage();
    const both = {
      automatically_follow_topics_policy: 2,
      automatically_unmute_topics_in_muted_streams_policy: 2,
    };
    await settle("max", both);
    await muteChannel("max");
    await send("max");
    expect(policyOf("max")).toBe(followed);
  });

  test.each([
    ["muted by hand", muted, muted],
    ["unmuted", unmuted, followed],
    ["followed", followed, followed],
  ])("changes a topic that is %s %d to %d", async (_, before: Policy, after) => {
    const { w, topic, send, policyOf } = await stage();
    await setTopicPolicy(w.ctx("mel"), { ...topic, policy: before });
    const { body, events } = await send("mel");
    expect(policyOf("mel")).toBe(after);
    expect(policyEvents(events)).toHaveLength(before === after ? 0 : 1);
    expect("automatic_new_visibility_policy" in body).toBe(before !== after);
  });

  test("changes nothing for bots, nor for direct messages", async () => {
    const { w, send, policyOf } = await stage();
    const { body, events } = await send("bolt");
    expect(body).not.toHaveProperty("automatic_new_visibility_policy");
    expect([policyEvents(events), policyOf("bolt")]).toEqual([[], none]);
    const direct = await w
      .as("mel")
      .post("/messages", { type: "direct", to: [w.user("max").id], content: "@**Max**" });
    expect(policyEvents(direct.events)).toEqual([]);
  });
});

describe("taking part", () => {
  test("by a reaction follows for users who set that", async () => {
    const { w, send, policyOf, settle } = await stage();
    const { id } = (await send("mel")).body;
    await settle("max", { automatically_follow_topics_policy: 1 });
    const react = (who: CastName) => w.as(who).post(`/messages/${id}/reactions`, { emoji_name: "tada" });
    const { events } = await react("max");
    expect(events.map(({ event }) => event.type)).toEqual(["reaction", "user_topic"]);
    expect(policyEvents(events)).toEqual([[["max"], "Lunch", followed]]);
    expect(policyEvents((await react("gus")).events)).toEqual([]);
    expect([policyOf("max"), policyOf("gus")]).toEqual([followed, none]);
  });

  test("unmutes in a muted channel, except topics muted by hand", async () => {
    const { w, topic, send, policyOf, settle, muteChannel } = await stage();
    const { id } = (await send("mel")).body;
    await settle("max", { automatically_unmute_topics_in_muted_streams_policy: 1 });
    await muteChannel("max");
    await w.as("max").post(`/messages/${id}/reactions`, { emoji_name: "tada" });
    expect(policyOf("max")).toBe(unmuted);
    await setTopicPolicy(w.ctx("max"), { ...topic, policy: muted });
    await w.as("max").post(`/messages/${id}/reactions`, { emoji_name: "heart" });
    expect(policyOf("max")).toBe(muted);
  });

  test("follows after a vote too", async () => {
    const { w, send, policyOf, settle } = await stage();
    const { id } = (await send("mel", "/poll Where?\nHere\nThere")).body;
    await settle("max", { automatically_follow_topics_policy: 1 });
    const content = JSON.stringify({ type: "vote", key: "canned,0", vote: 1 });
    const { status, events } = await w
      .as("max")
      .post("/submessage", { message_id: id, msg_type: "widget", content });
    expect(status).toBe(200);
    expect(policyEvents(events)).toEqual([[["max"], "Lunch", followed]]);
    expect(policyOf("max")).toBe(followed);
  });

  test("changes nothing in direct conversations", async () => {
    const { w, settle } = await stage();
    await settle("max", { automatically_follow_topics_policy: 1 });
    const to = [w.user("max").id];
    const { id } = (await w.as("mel").post("/messages", { type: "direct", to, content: "Hi" })).body;
    const { status, events } = await w.as("max").post(`/messages/${id}/reactions`, { emoji_name: "tada" });
    expect([status, policyEvents(events)]).toEqual([200, []]);
  });
});

describe("being mentioned", () => {
  test("follows the topic, for receivers whose setting says so", async () => {
    const { send, policyOf, settle } = await stage();
    await settle("gus", { automatically_follow_topics_where_mentioned: false });
    const { events } = await send("mel", "@**Max** @**Gus** @**Moss** @**Bolt**");
    expect(policyEvents(events)).toEqual([
      [["mel"], "Lunch", followed],
      [["max"], "Lunch", followed],
    ]);
    expect([policyOf("max"), policyOf("gus"), policyOf("moss"), policyOf("bolt")]).toEqual([
      followed,
      none,
      none,
      none,
    ]);
  });

  test.each(["@_**Max**", "@**all**", "@**topic**", "@*role:members*", "`@**Max**`"])(
    "by %s follows nothing",
    async (content) => {
      const { send, policyOf } = await stage();
      await send("max");
      await send("mel", content, "Other");
      expect(policyOf("max", "Other")).toBe(none);
    },
  );

  test("does not change topics muted by hand", async () => {
    const { w, topic, send, policyOf } = await stage();
    await setTopicPolicy(w.ctx("max"), { ...topic, policy: muted });
    const { events } = await send("mel", "@**Max**");
    expect(policyOf("max")).toBe(muted);
    expect(policyEvents(events)).toEqual([[["mel"], "Lunch", followed]]);
  });

  test("in an edit counts for users not mentioned before", async () => {
    const { w, topic, send, policyOf } = await stage();
    const { id } = (await send("mel", "hello")).body;
    const edit = (content: string) => w.as("mel").patch(`/messages/${id}`, { content });
    const first = await edit("hello @**Max**");
    expect(policyEvents(first.events)).toEqual([[["max"], "Lunch", followed]]);
    await setTopicPolicy(w.ctx("max"), { ...topic, policy: none });
    expect(policyEvents((await edit("hello again @**Max**")).events)).toEqual([]);
    expect(policyOf("max")).toBe(none);
  });
});
