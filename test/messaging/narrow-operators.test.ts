// One example for each operator; test/messaging/narrow.test.ts checks all of them against random histories.

import { describe, expect, test } from "bun:test";
import { indexAll } from "@/messaging/message-index/actions.ts";
import { sendMessage } from "@/messaging/sending/actions.ts";
import { createChannel } from "@/places/channel-administration/actions.ts";
import type { Json } from "../support/requests.ts";
import { type CastName, type World, world } from "../support/world.ts";

async function office() {
  const w = world();
  const people = (["mel", "max"] as const).map((who) => w.user(who).id);
  const make = async (name: string, more = {}) =>
    (await createChannel(w.ctx("mel"), { name, subscribers: people, ...more })).stream_id;
  const channels = { design: await make("Design"), random: await make("Random") };
  const secret = { invite_only: true, subscribers: [w.user("mel").id] };
  const send = async (content: string, topic = "", to = "Design") =>
    (await sendMessage(w.ctx("mel"), { type: "channel", to: [to], topic, content })).id;
  const direct = async (content: string, to: CastName[]) =>
    (await sendMessage(w.ctx("mel"), { type: "direct", to: to.map((who) => w.user(who).id), content })).id;
  return { ...w, channels, secret: await make("Secret", secret), send, direct };
}

async function shown(w: World, narrow: Json, who: CastName = "max"): Promise<number[]> {
  const { status, body } = await w.as(who).get("/messages", { anchor: "newest", num_before: 50, narrow });
  expect([status, body.msg]).toEqual([200, ""]);
  return body.messages.map((m: Json) => m.id);
}

const not = (operator: string, operand: Json) => [{ operator, operand, negated: true }];

async function choose(w: World, stream_id: number, topic: string, visibility_policy: number): Promise<void> {
  await w.as("max").post("/user_topics", { stream_id, topic, visibility_policy });
}

describe("has", () => {
  test("shows messages with a link, an image, a reaction, or none of them", async () => {
    const w = await office();
    const plain = await w.send("plain");
    const link = await w.send("see https://example.com/page");
    const image = await w.send("see https://example.com/a.png");
    const reacted = await w.send("well done");
    await w.as("max").post(`/messages/${reacted}/reactions`, { emoji_name: "tada" });
    await w.as("mel").post(`/messages/${reacted}/reactions`, { emoji_name: "cake" });
    for (const _ of ["not yet indexed", "indexed"]) {
      expect(await shown(w, [["has", "link"]])).toEqual([link, image]);
      expect(await shown(w, [["has", "image"]])).toEqual([image]);
      expect(await shown(w, [["has", "reaction"]])).toEqual([reacted]);
      expect(await shown(w, not("has", "link"))).toEqual([plain, reacted]);
      expect(await shown(w, not("has", "reaction"))).toEqual([plain, link, image]);
      await indexAll(w.app.system);
    }
    await w.as("max").delete(`/messages/${reacted}/reactions`, { emoji_name: "tada" });
    expect(await shown(w, [["has", "reaction"]])).toEqual([reacted]);
    await w.as("mel").delete(`/messages/${reacted}/reactions`, { emoji_name: "cake" });
    expect(await shown(w, [["has", "reaction"]])).toEqual([]);
  });

  test("follows an edit", async () => {
    const w = await office();
    const id = await w.send("https://example.com");
    await indexAll(w.app.system);
    await w.as("mel").patch(`/messages/${id}`, { content: "nothing" });
    expect(await shown(w, [["has", "link"]])).toEqual([]);
    await w.as("mel").patch(`/messages/${id}`, { content: "https://example.com again" });
    await indexAll(w.app.system);
    expect(await shown(w, [["has", "link"]])).toEqual([id]);
  });
});

describe("is:resolved", () => {
  test("shows resolved topics, and unresolved ones", async () => {
    const w = await office();
    const open = await w.send("a", "bugs");
    const done = await w.send("b", "✔ bugs");
    const fake = await w.send("c", "✔bugs");
    const direct = await w.direct("d", ["max"]);
    for (const _ of ["not yet indexed", "indexed"]) {
      expect(await shown(w, [["is", "resolved"]])).toEqual([done]);
      expect(await shown(w, not("is", "resolved"))).toEqual([open, fake, direct]);
      await indexAll(w.app.system);
    }
  });

  test("with a channel also shows messages the user has not received", async () => {
    const w = await office();
    const id = await w.send("a", "✔ bugs");
    expect(await shown(w, [["is", "resolved"]], "ada")).toEqual([]);
    expect(
      await shown(
        w,
        [
          ["is", "resolved"],
          ["channel", "Design"],
        ],
        "ada",
      ),
    ).toEqual([id]);
  });
});

describe("is:followed", () => {
  test("shows followed topics, ignoring case, only in their channel", async () => {
    const w = await office();
    const [a, b] = [await w.send("a", "News"), await w.send("b", "news")];
    const other = await w.send("c", "News", "Random");
    await choose(w, w.channels.design, "NEWS", 3);
    expect(await shown(w, [["is", "followed"]])).toEqual([a, b]);
    expect(await shown(w, not("is", "followed"))).toEqual([other]);
    expect(await shown(w, [["is", "followed"]], "ada")).toEqual([]);
  });
});

describe("is:muted and in:home", () => {
  test("are opposites: muted topics, and muted channels without unmuted topics", async () => {
    const w = await office();
    const quiet = await w.send("a", "quiet");
    const loud = await w.send("b", "loud");
    const hidden = await w.send("c", "any", "Random");
    const [unmuted, followed] = [await w.send("d", "un", "Random"), await w.send("e", "fol", "Random")];
    const direct = await w.direct("f", ["max"]);
    await choose(w, w.channels.design, "quiet", 1);
    await choose(w, w.channels.random, "un", 2);
    await choose(w, w.channels.random, "fol", 3);
    const mute = { stream_id: w.channels.random, property: "is_muted", value: true };
    await w.as("max").post("/users/me/subscriptions/properties", { subscription_data: [mute] });

    const home = [loud, unmuted, followed, direct];
    expect(await shown(w, [["is", "muted"]])).toEqual([quiet, hidden]);
    expect(await shown(w, not("is", "muted"))).toEqual(home);
    expect(await shown(w, [["in", "home"]])).toEqual(home);
    expect(await shown(w, not("in", "home"))).toEqual([quiet, hidden]);
    expect(await shown(w, [["in", "all"]])).toHaveLength(6);
    expect(await shown(w, [["in", "home"]], "mel")).toHaveLength(6);
  });
});

describe("near", () => {
  test("filters nothing, negated or not", async () => {
    const w = await office();
    const ids = [await w.send("a"), await w.send("b")];
    expect(await shown(w, [["near", String(ids[0])]])).toEqual(ids);
    expect(await shown(w, not("near", ids[0]))).toEqual(ids);
  });
});

describe("with", () => {
  async function places() {
    const w = await office();
    const lunch = [await w.send("a", "Lunch"), await w.send("b", "lunch")];
    const news = await w.send("c", "News");
    const direct = await w.direct("d", ["max"]);
    const hidden = await w.send("e", "Lunch", "Secret");
    return { w, lunch, news, direct, hidden, id: lunch[0] as number };
  }

  test("shows the conversation of a message, its ID as a number or as text", async () => {
    const { w, lunch, direct, id } = await places();
    expect(await shown(w, [["with", String(id)]])).toEqual(lunch);
    expect(await shown(w, [{ operator: "with", operand: direct }])).toEqual([direct]);
  });

  test("overrides channel and topic, such as the message's former ones", async () => {
    const { w, lunch, direct, id } = await places();
    const before = [["channel", "Random"], ["topic", "old name"], { operator: "with", operand: id }];
    expect(await shown(w, before)).toEqual(lunch);
    expect(await shown(w, [["dm", "mel@example.com"], { operator: "with", operand: id }])).toEqual(lunch);
    expect(await shown(w, [["channel", "Random"], { operator: "with", operand: direct }])).toEqual([direct]);
  });

  test("combines with other terms", async () => {
    const { w, lunch, id } = await places();
    expect(await shown(w, [{ operator: "with", operand: id }, ["search", "b"]])).toEqual([
      lunch[1] as number,
    ]);
  });

  test("ignores messages that do not exist or are not readable", async () => {
    const { w, news, hidden } = await places();
    for (const operand of [hidden, 999_999]) {
      const narrow = [["channel", "Design"], ["topic", "news"], { operator: "with", operand }];
      expect(await shown(w, narrow)).toEqual([news]);
    }
    expect(await shown(w, [{ operator: "with", operand: hidden }], "mel")).toEqual([hidden]);
  });

  test("negated shows everything else", async () => {
    const { w, news, direct, id } = await places();
    expect(await shown(w, not("with", id))).toEqual([news, direct]);
    expect(await shown(w, [["channel", "Design"], ...not("with", id)])).toEqual([news]);
  });

  test("includes messages the user did not receive, as the channel's name does", async () => {
    const { w, lunch, id } = await places();
    expect(await shown(w, [{ operator: "with", operand: id }], "ada")).toEqual(lunch);
  });
});

describe("BAD_NARROW", () => {
  test.each([
    [
      "two conversations",
      [
        ["with", "1"],
        ["with", "2"],
      ],
      "a narrow can have only one 'with' term",
    ],
    ["a conversation of no message", [["with", "lunch"]], "a message ID is a number"],
    ["an unknown 'has'", [["has", "files"]], "unknown 'has' operand files"],
    ["an unknown 'in'", [["in", "inbox"]], "unknown 'in' operand inbox"],
    [
      "a list where a word belongs",
      [{ operator: "has", operand: ["link", "image"] }],
      "unknown 'has' operand link,image",
    ],
    [
      "resolved direct messages",
      [
        ["is", "resolved"],
        ["is", "dm"],
      ],
      "no message can be both a channel message and a direct message",
    ],
    [
      "followed direct messages",
      [
        ["is", "followed"],
        ["dm", "mel@example.com"],
      ],
      "no message can be both a channel message and a direct message",
    ],
  ])("answers %s", async (_, narrow, desc) => {
    const w = await office();
    expect(await w.as("max").get("/messages", { anchor: "newest", narrow })).toMatchObject({
      status: 400,
      body: { code: "BAD_NARROW", desc },
    });
  });
});
