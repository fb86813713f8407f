import { describe, expect, test } from "bun:test";
import { unreadState } from "@/messaging/flags/unread-state.ts";
import { flagBits } from "@/messaging/message-rows/schema.ts";
import { channelConversation } from "@/places/conversations/access.ts";
import type { Json } from "../support/requests.ts";
import { until } from "../support/waiting.ts";
import {
  type Answer,
  type CapturedEvent,
  type CastName,
  everyCapability,
  type World,
  world,
} from "../support/world.ts";

async function ok(answer: Promise<Answer>): Promise<Json> {
  const { body } = await answer;
  if (body.result !== "success") throw new Error(body.msg);
  return body;
}

async function channel(w: World, name: string, who: CastName[], more = {}): Promise<number> {
  const subscribers = who.map((one) => w.user(one).id);
  return (await ok(w.as("mel").post("/channels/create", { name, subscribers, ...more }))).id;
}

interface Sending {
  by?: CastName;
  topic?: string;
  content?: string;
  read_by_sender?: boolean;
}

async function say(w: World, to: number, { by = "mel", ...more }: Sending = {}): Promise<number> {
  const message = { type: "channel", topic: "Lunch", content: "hello", read_by_sender: true, ...more };
  return (await ok(w.as(by).post("/messages", { ...message, to }))).id;
}

async function tell(w: World, to: CastName[], { by = "mel", ...more }: Sending = {}): Promise<number> {
  const message = { type: "direct", content: "psst", read_by_sender: true, ...more };
  return (await ok(w.as(by).post("/messages", { ...message, to: to.map((who) => w.user(who).id) }))).id;
}

/** A channel of mel, max and gus with as many messages by mel. */
async function talk(count = 3) {
  const w = world();
  const design = await channel(w, "Design", ["mel", "max", "gus"]);
  const ids: number[] = [];
  for (let i = 0; i < count; i++) ids.push(await say(w, design, { content: `message ${i}` }));
  return { w, design, ids };
}

const change = (w: World, who: CastName, op: string, flag: string, messages: Json) =>
  w.as(who).post("/messages/flags", { op, flag, messages });

async function flagsOf(w: World, who: CastName, id: number): Promise<string[]> {
  return (await ok(w.as(who).get(`/messages/${id}`))).message.flags.sort();
}

const unreadOf = async (w: World, who: CastName) => (await w.queue(who)).state.unread_msgs;

const flagEvent = (who: CastName, op: "add" | "remove", flag: string, messages: number[], more = {}) => ({
  audience: [who],
  event: { type: "update_message_flags", op, operation: op, flag, messages, all: false, ...more },
});

const subscription = (w: World, who: CastName, method: "post" | "delete", name: string) =>
  ok(
    w.as(who)[method]("/users/me/subscriptions", { subscriptions: method === "post" ? [{ name }] : [name] }),
  );

/** Moves messages between channels in the database. */
const move = (w: World, id: number, to: number) =>
  w.app.env.db.write(w.app.system, (tx) => {
    const place = channelConversation(tx, to);
    tx.run("UPDATE messages SET conversation_id = ? WHERE id = ?", place, id);
  });

describe("update-message-flags", () => {
  test.each(["read", "starred", "collapsed"])("adds %s, and emits only to its user", async (flag) => {
    const { w, ids } = await talk();
    const { body, events } = await change(w, "max", "add", flag, [ids[2], ids[0]]);

    expect(body).toEqual({ result: "success", msg: "", messages: [ids[2], ids[0]] });
    expect(events).toEqual([flagEvent("max", "add", flag, [ids[0], ids[2]] as number[])]);
    expect(await flagsOf(w, "max", ids[0] as number)).toEqual([flag]);
    expect(await flagsOf(w, "max", ids[1] as number)).toEqual([]);
    expect(await flagsOf(w, "gus", ids[0] as number)).toEqual([]);
  });

  test.each(["starred", "collapsed"])("removes %s, and emits only to its user", async (flag) => {
    const { w, ids } = await talk();
    await change(w, "gus", "add", flag, ids);
    await change(w, "max", "add", flag, ids);
    const { body, events } = await change(w, "max", "remove", flag, [ids[1]]);

    expect(body).toEqual({ result: "success", msg: "", messages: [ids[1]] });
    expect(events).toEqual([flagEvent("max", "remove", flag, [ids[1] as number])]);
    expect(await flagsOf(w, "max", ids[1] as number)).toEqual([]);
    expect(await flagsOf(w, "max", ids[0] as number)).toEqual([flag]);
    expect(await flagsOf(w, "gus", ids[1] as number)).toEqual([flag]);
  });

  test("removes read, and emits what clients need to count the messages as unread", async () => {
    const { w, design, ids } = await talk();
    await change(w, "max", "add", "read", ids);
    const { body, events } = await change(w, "max", "remove", "read", [ids[1], ids[0]]);

    expect(body).toEqual({
      result: "success",
      msg: "",
      messages: [ids[1], ids[0]],
      ignored_because_not_subscribed_channels: [],
    });
    const details = { type: "stream", stream_id: design, topic: "Lunch" };
    const message_details = { [ids[0] as number]: details, [ids[1] as number]: details };
    expect(events).toEqual([
      flagEvent("max", "remove", "read", [ids[0], ids[1]] as number[], { message_details }),
    ]);
    expect(await flagsOf(w, "max", ids[0] as number)).toEqual([]);
    expect(await flagsOf(w, "max", ids[2] as number)).toEqual(["read"]);
  });

  test.each(["read", "starred", "collapsed"])(
    "skips messages that have %s already, or that lack it when it is removed",
    async (flag) => {
      const { w, ids } = await talk();
      expect(await change(w, "max", "remove", flag, ids)).toMatchObject({
        body: { messages: [] },
        events: [],
      });
      await change(w, "max", "add", flag, [ids[1]]);

      const { body, events } = await change(w, "max", "add", flag, ids);
      expect(body.messages).toEqual([ids[0], ids[2]]);
      expect(events).toEqual([flagEvent("max", "add", flag, [ids[0], ids[2]] as number[])]);
      expect(await change(w, "max", "add", flag, ids)).toMatchObject({ body: { messages: [] }, events: [] });
    },
  );

  test("ignores duplicate messages, and accepts an empty list", async () => {
    const { w, ids } = await talk(1);
    const twice = await change(w, "max", "add", "starred", [ids[0], ids[0]]);
    expect(twice).toMatchObject({
      body: { messages: ids },
      events: [flagEvent("max", "add", "starred", ids)],
    });
    expect(await change(w, "max", "add", "read", [])).toMatchObject({ body: { messages: [] }, events: [] });
  });

  test("reaches only the user's queues", async () => {
    const { w, ids } = await talk(1);
    const queues = await Promise.all((["max", "mel", "olive"] as const).map((who) => w.queue(who)));
    await change(w, "max", "add", "starred", ids);
    const [own, ...others] = await Promise.all(queues.map((queue) => queue.poll()));
    expect(own).toMatchObject([{ type: "update_message_flags", op: "add", messages: ids }]);
    expect(others).toEqual([[], []]);
  });

  test.each([
    ["an unknown flag", { flag: "shiny" }, "BAD_REQUEST", "Invalid flag: 'shiny'"],
    ["a name that every object knows", { flag: "constructor" }, "BAD_REQUEST", /Invalid flag/],
    ["the flag mentioned", { flag: "mentioned" }, "BAD_REQUEST", "Flag not editable: 'mentioned'"],
    [
      "the flag stream_wildcard_mentioned",
      { flag: "stream_wildcard_mentioned" },
      "BAD_REQUEST",
      /not editable/,
    ],
    [
      "the flag topic_wildcard_mentioned",
      { flag: "topic_wildcard_mentioned" },
      "BAD_REQUEST",
      /not editable/,
    ],
    ["the flag wildcard_mentioned", { flag: "wildcard_mentioned" }, "BAD_REQUEST", /not editable/],
    ["the flag has_alert_word", { flag: "has_alert_word" }, "BAD_REQUEST", /not editable/],
    ["the flag historical", { flag: "historical" }, "BAD_REQUEST", /not editable/],
    ["an unknown op", { op: "toggle" }, "BAD_REQUEST", "The op is 'add' or 'remove'."],
    ["no op", { op: undefined }, "REQUEST_VARIABLE_MISSING", "Missing 'op' argument"],
    ["no flag", { flag: undefined }, "REQUEST_VARIABLE_MISSING", "Missing 'flag' argument"],
    ["no messages", { messages: undefined }, "REQUEST_VARIABLE_MISSING", "Missing 'messages' argument"],
    ["one message", { messages: 5 }, "REQUEST_VARIABLE_INVALID", "messages is not a list"],
    ["part of a message", { messages: [1.5] }, "REQUEST_VARIABLE_INVALID", "messages[0] is not an integer"],
  ])("refuses %s", async (_, wrong, code, msg) => {
    const { w, ids } = await talk(1);
    const answer = await w
      .as("max")
      .post("/messages/flags", { op: "add", flag: "starred", messages: ids, ...wrong });
    expect(answer).toMatchObject({ status: 400, body: { code }, events: [] });
    expect(answer.body.msg).toMatch(msg);
    expect(await flagsOf(w, "max", ids[0] as number)).toEqual([]);
  });

  test("requires a login", async () => {
    const { w, ids } = await talk(1);
    const answer = await w.anonymous.post("/messages/flags", { op: "add", flag: "read", messages: ids });
    expect(answer).toMatchObject({ status: 401, events: [] });
  });

  describe("one unreadable message refuses all", () => {
    test.each(["channel", "direct", "moved", "absent"])("%s", async (kind) => {
      const { w, design, ids } = await talk(1);
      const secret = await channel(w, "Secret", ["mel"], { invite_only: true });
      const hidden: Record<string, () => Promise<number>> = {
        channel: () => say(w, secret),
        direct: () => tell(w, ["ada"]),
        moved: async () => {
          const id = await say(w, design);
          await move(w, id, secret);
          return id;
        },
        absent: async () => 4711,
      };
      const messages = [...ids, await hidden[kind]?.()];
      for (const [op, flag] of [
        ["add", "starred"],
        ["add", "read"],
        ["remove", "read"],
      ] as const) {
        const answer = await change(w, "max", op, flag, messages);
        expect(answer).toMatchObject({
          status: 400,
          body: { code: "BAD_REQUEST", msg: "Invalid message(s)" },
          events: [],
        });
      }
      expect(await flagsOf(w, "max", ids[0] as number)).toEqual([]);
    });

    test("in a private channel with protected history, sent before the user subscribed", async () => {
      const w = world();
      const closed = await channel(w, "Closed", ["mel"], {
        invite_only: true,
        history_public_to_subscribers: false,
      });
      const early = await say(w, closed);
      const add = { subscriptions: [{ name: "Closed" }], principals: [w.user("max").id] };
      await ok(w.as("mel").post("/users/me/subscriptions", add));
      const late = await say(w, closed);
      expect(await change(w, "max", "add", "starred", [late, early])).toMatchObject({
        status: 400,
        events: [],
      });
      expect((await change(w, "max", "add", "starred", [late])).body.messages).toEqual([late]);
    });
  });

  describe("messages that the user did not receive", () => {
    test.each(["starred", "collapsed"])("become own records, as read, once they are %s", async (flag) => {
      const { w, ids } = await talk(2);
      const [id, other] = ids as [number, number];
      const { body, events } = await change(w, "ada", "add", flag, [id]);
      expect(body.messages).toEqual([id]);
      expect(events).toEqual([flagEvent("ada", "add", flag, [id])]);
      expect(await flagsOf(w, "ada", id)).toEqual([flag, "historical", "read"].sort());

      const found = { anchor: "newest", num_before: 9 };
      expect((await ok(w.as("ada").get("/messages", found))).messages).toMatchObject([{ id }]);
      await change(w, "ada", "remove", flag, [id]);
      expect(await flagsOf(w, "ada", id)).toEqual(["historical", "read"]);
      expect(await flagsOf(w, "ada", other)).toEqual(["historical", "read"]);
      expect((await unreadOf(w, "ada")).count).toBe(0);
    });

    test("count as read already", async () => {
      const { w, ids } = await talk();
      expect(await change(w, "ada", "add", "read", ids)).toMatchObject({
        body: { messages: [] },
        events: [],
      });
      expect((await ok(w.as("ada").get("/messages", { anchor: "newest", num_before: 9 }))).messages).toEqual(
        [],
      );
    });

    test("can be marked as unread by current subscribers", async () => {
      const { w, design, ids } = await talk(3);
      await subscription(w, "ada", "post", "Design");
      const late = await say(w, design);
      const { body, events } = await change(w, "ada", "remove", "read", [ids[1]]);

      expect(body).toMatchObject({ messages: [ids[1]], ignored_because_not_subscribed_channels: [] });
      expect(events).toMatchObject([{ audience: ["ada"], event: { op: "remove", messages: [ids[1]] } }]);
      expect(await flagsOf(w, "ada", ids[1] as number)).toEqual(["historical"]);
      expect(await flagsOf(w, "ada", ids[0] as number)).toEqual(["historical", "read"]);
      const lunch = { stream_id: design, topic: "Lunch", unread_message_ids: [ids[1], late] };
      expect(await unreadOf(w, "ada")).toMatchObject({ count: 2, streams: [lunch] });

      await change(w, "ada", "add", "read", [ids[1]]);
      expect(await flagsOf(w, "ada", ids[1] as number)).toEqual(["historical", "read"]);
    });

    test("can be marked as unread where they were moved to", async () => {
      const { w, ids } = await talk(3);
      const attic = await channel(w, "Attic", ["mel", "ada"]);
      await move(w, ids[1] as number, attic);
      expect((await change(w, "ada", "remove", "read", [ids[1]])).body.messages).toEqual([ids[1]]);
      const streams = [{ stream_id: attic, topic: "Lunch", unread_message_ids: [ids[1]] }];
      expect(await unreadOf(w, "ada")).toMatchObject({ count: 1, streams });

      await change(w, "ada", "add", "starred", [ids[0], ids[2]]);
      expect(await unreadOf(w, "ada")).toMatchObject({ count: 1, streams });
    });

    test("do not include wildcard mentions", async () => {
      const { w, design } = await talk(0);
      const early = await say(w, design, { content: "@**all**" });
      await subscription(w, "ada", "post", "Design");
      const late = await say(w, design, { content: "@**all**" });
      await change(w, "ada", "remove", "read", [early]);
      expect(await unreadOf(w, "ada")).toMatchObject({ count: 2, mentions: [late] });
      expect(await flagsOf(w, "ada", early)).toEqual(["historical"]);
    });
  });

  describe("ignored_because_not_subscribed_channels", () => {
    test("lists once each channel where messages stay read, and the others become unread", async () => {
      const { w, ids } = await talk(2);
      const hall = await channel(w, "Hall", ["mel"]);
      const attic = await channel(w, "Attic", ["mel"]);
      const away = [await say(w, attic), await say(w, hall), await say(w, hall)];
      await change(w, "max", "add", "read", ids);
      const { body, events } = await change(w, "max", "remove", "read", [...away, ids[0]]);

      expect(body.messages).toEqual([ids[0]]);
      expect(body.ignored_because_not_subscribed_channels).toEqual([hall, attic]);
      expect(events).toMatchObject([{ event: { messages: [ids[0]] } }]);
      expect(await flagsOf(w, "max", away[0] as number)).toEqual(["historical", "read"]);
    });

    test("lists a channel that the user has left", async () => {
      const { w, design, ids } = await talk(1);
      await subscription(w, "max", "delete", "Design");
      expect(await change(w, "max", "remove", "read", ids)).toMatchObject({
        body: { messages: [], ignored_because_not_subscribed_channels: [design] },
        events: [],
      });
    });

    test("is absent for other changes", async () => {
      const { w, ids } = await talk(1);
      for (const [op, flag] of [
        ["add", "read"],
        ["add", "starred"],
        ["remove", "starred"],
      ] as const) {
        const { body } = await change(w, "ada", op, flag, ids);
        expect(body).not.toContainKey("ignored_because_not_subscribed_channels");
      }
    });
  });

  describe("message_details", () => {
    async function details(w: World, who: CastName, id: number): Promise<Json> {
      await change(w, who, "add", "read", [id]);
      const { events } = await change(w, who, "remove", "read", [id]);
      return events[0]?.event.message_details[id];
    }

    test("of direct messages list the other participants", async () => {
      const w = world();
      const { mel, max, ada } = { mel: w.user("mel").id, max: w.user("max").id, ada: w.user("ada").id };
      expect(await details(w, "max", await tell(w, ["max"]))).toEqual({ type: "private", user_ids: [mel] });
      const group = await tell(w, ["max", "ada"]);
      expect((await details(w, "max", group)).user_ids).toEqual([ada, mel].sort((a, b) => a - b));
      expect((await details(w, "mel", group)).user_ids).toEqual([ada, max].sort((a, b) => a - b));
      expect(await details(w, "mel", await tell(w, ["mel"]))).toEqual({ type: "private", user_ids: [] });
    });

    test.each([
      ["by name", "@**Max**"],
      ["with the channel", "@**all**"],
      ["with the topic", "@**topic**"],
    ])("contain a mention %s", async (_, mention) => {
      const { w, design } = await talk(0);
      await say(w, design, { by: "max" });
      const id = await say(w, design, { content: `hey ${mention}` });
      const where = { type: "stream", stream_id: design, topic: "Lunch" };
      expect(await details(w, "max", id)).toEqual({ ...where, mentioned: true });
    });

    test("do not contain the mention of another user", async () => {
      const { w, design } = await talk(0);
      const id = await say(w, design, { content: "hey @**Gus**" });
      expect(await details(w, "max", id)).not.toContainKey("mentioned");
    });

    test("show the empty topic under its name to clients that cannot show it", async () => {
      const { w, design } = await talk(0);
      const id = await say(w, design, { topic: "" });
      const old = await w.queue("max", {
        client_capabilities: { ...everyCapability, empty_topic_name: false },
      });
      const modern = await w.queue("max");
      await change(w, "max", "add", "read", [id]);
      await change(w, "max", "remove", "read", [id]);
      const topics = await Promise.all(
        [old, modern].map(async (queue) => (await queue.poll()).at(-1).message_details[id].topic),
      );
      expect(topics).toEqual(["general chat", ""]);
    });

    test("are present only for read", async () => {
      const { w, ids } = await talk(1);
      await change(w, "max", "add", "starred", ids);
      const { events } = await change(w, "max", "remove", "starred", ids);
      expect(events[0]?.event).not.toContainKey("message_details");
    });
  });

  test("marks own messages as unread, and as read again", async () => {
    const { w, design } = await talk(0);
    const id = await say(w, design, { read_by_sender: true });
    expect(await flagsOf(w, "mel", id)).toEqual(["read"]);
    expect((await change(w, "mel", "remove", "read", [id])).body.messages).toEqual([id]);
    expect(await flagsOf(w, "mel", id)).toEqual([]);
    expect((await unreadOf(w, "mel")).count).toBe(1);
    expect((await change(w, "mel", "add", "read", [id])).body.messages).toEqual([id]);
    expect(await flagsOf(w, "mel", id)).toEqual(["read"]);
  });
});

describe("read_by_sender", () => {
  test.each([
    [true, ["read"]],
    [false, []],
    [undefined, []],
  ])("%s: a message sent by an API client has the flags %p for its sender", async (read_by_sender, flags) => {
    const { w, design } = await talk(0);
    const id = await say(w, design, { read_by_sender });
    expect(await flagsOf(w, "mel", id)).toEqual(flags);
    expect((await unreadOf(w, "mel")).count).toBe(1 - flags.length);
    expect(await flagsOf(w, "max", id)).toEqual([]);
  });
});

describe("update-message-flags-for-narrow", () => {
  const lunch = { narrow: [{ operator: "topic", operand: "lunch" }], op: "add", flag: "read" };
  const around = (w: World, who: CastName, params: Json) =>
    w.as(who).post("/messages/flags/narrow", { ...lunch, num_before: 0, num_after: 0, ...params });

  // `npm run test:replay` asks again as the next leader of a cluster, when the same narrow holds the other messages.
  test("marks the first unread messages as read, and tells their range", async () => {
    const { w, ids } = await talk(6);
    const narrow = [{ operator: "is", operand: "unread" }];
    const { body } = await around(w, "max", { narrow, anchor: "oldest", num_after: 3 });
    const [first_processed_id, , last_processed_id] = ids;
    expect(body).toMatchObject({
      processed_count: 3,
      updated_count: 3,
      first_processed_id,
      last_processed_id,
    });
  });

  test("changes the messages of the narrow around the anchor, and emits it only to the user", async () => {
    const { w, design, ids } = await talk(6);
    await say(w, design, { topic: "dinner" });
    await change(w, "max", "add", "read", [ids[2]]);
    const { body, events } = await around(w, "max", { anchor: ids[3], num_before: 2, num_after: 1 });

    expect(body).toEqual({
      result: "success",
      msg: "",
      processed_count: 4,
      updated_count: 3,
      first_processed_id: ids[1],
      last_processed_id: ids[4],
      found_oldest: false,
      found_newest: false,
    });
    expect(events).toEqual([flagEvent("max", "add", "read", [ids[1], ids[3], ids[4]] as number[])]);
    expect((await unreadOf(w, "max")).count).toBe(3);
  });

  test.each([
    ["an ID", (ids: number[]) => ({ anchor: ids[1], num_after: 2 }), [1, 2, 3], [false, false]],
    [
      "without it",
      (ids: number[]) => ({ anchor: ids[1], num_after: 2, include_anchor: false }),
      [2, 3],
      [false, false],
    ],
    ["an ID alone", (ids: number[]) => ({ anchor: ids[1] }), [1], [false, false]],
    ["oldest", () => ({ anchor: "oldest", num_after: 2 }), [0, 1], [true, false]],
    ["newest", () => ({ anchor: "newest", num_before: 2 }), [3, 4], [false, true]],
    [
      "first_unread",
      () => ({ anchor: "first_unread", num_before: 1, num_after: 1 }),
      [1, 2, 3],
      [false, false],
    ],
    ["more than there is", () => ({ anchor: "oldest", num_after: 9 }), [0, 1, 2, 3, 4], [true, true]],
  ])("goes from %s", async (_, ask, expected, [found_oldest, found_newest]) => {
    const { w, ids } = await talk(5);
    await change(w, "max", "add", "read", ids.slice(0, 2));
    const { body } = await around(w, "max", { ...ask(ids), flag: "starred" });
    expect(body).toMatchObject({ processed_count: expected.length, found_oldest, found_newest });
    expect(body.first_processed_id).toBe(ids[expected[0] as number]);
    expect(body.last_processed_id).toBe(ids[expected.at(-1) as number]);
  });

  test("returns no first and last ID if nothing matches", async () => {
    const { w } = await talk(2);
    const narrow = [{ operator: "topic", operand: "nothing" }];
    const { body, events } = await around(w, "max", { narrow, anchor: "oldest", num_after: 5 });
    expect(body).toMatchObject({
      processed_count: 0,
      updated_count: 0,
      first_processed_id: null,
      last_processed_id: null,
      found_newest: true,
    });
    expect(events).toEqual([]);
  });

  test("processes everything step by step, as clients do", async () => {
    const { w, ids } = await talk(7);
    let from: Json = { anchor: "oldest", include_anchor: true };
    let updated = 0;
    for (let more = true; more; ) {
      const { body } = await around(w, "max", { ...from, num_after: 3 });
      updated += body.updated_count;
      from = { anchor: body.last_processed_id, include_anchor: false };
      more = !body.found_newest;
    }
    expect(updated).toBe(ids.length);
    expect((await unreadOf(w, "max")).count).toBe(0);
  });

  test("lists channels without a subscription, only when marking as unread", async () => {
    const { w, design } = await talk(2);
    const narrow = [{ operator: "channel", operand: design }];
    const all = { narrow, anchor: "oldest", num_after: 9 };
    const { body, events } = await around(w, "ada", { ...all, op: "remove" });
    expect(body).toMatchObject({
      processed_count: 2,
      updated_count: 0,
      ignored_because_not_subscribed_channels: [design],
    });
    expect(events).toEqual([]);
    const other = await around(w, "ada", { ...all, flag: "starred" });
    expect(other.body).toMatchObject({ updated_count: 2 });
    expect(other.body).not.toContainKey("ignored_because_not_subscribed_channels");
  });

  test.each([
    ["no anchor", { anchor: undefined }, "REQUEST_VARIABLE_MISSING"],
    ["an anchor that is none", { anchor: "middle" }, "BAD_REQUEST"],
    ["no numbers", { num_before: undefined }, "REQUEST_VARIABLE_MISSING"],
    ["a negative number", { num_before: -1 }, "REQUEST_VARIABLE_INVALID"],
    [
      "an anchor left out of the middle",
      { num_before: 1, num_after: 1, include_anchor: false },
      "BAD_REQUEST",
    ],
    ["no narrow", { narrow: undefined }, "REQUEST_VARIABLE_MISSING"],
    ["an unknown operator", { narrow: [{ operator: "mood", operand: "good" }] }, "BAD_NARROW"],
    ["an unknown flag", { flag: "shiny" }, "BAD_REQUEST"],
    ["a flag that is not for users", { flag: "mentioned" }, "BAD_REQUEST"],
    ["an unknown op", { op: "flip" }, "BAD_REQUEST"],
  ])("refuses %s", async (_, wrong, code) => {
    const { w, ids } = await talk(2);
    const answer = await around(w, "max", { anchor: ids[0], ...wrong });
    expect(answer).toMatchObject({ status: 400, body: { code }, events: [] });
    expect((await unreadOf(w, "max")).count).toBe(2);
  });
});

describe("mark-all-as-read", () => {
  test("marks everything as read, with one event", async () => {
    const { w, design } = await talk(3);
    await tell(w, ["max"]);
    await tell(w, ["max", "gus"]);
    const { body, events } = await w.as("max").post("/mark_all_as_read");

    expect(body).toEqual({ result: "success", msg: "", complete: true });
    expect(events).toEqual([flagEvent("max", "add", "read", [], { all: true })]);
    expect(await unreadOf(w, "max")).toMatchObject({ count: 0, streams: [], pms: [], huddles: [] });
    expect((await unreadOf(w, "gus")).count).toBe(4);

    await say(w, design);
    expect((await unreadOf(w, "max")).count).toBe(1);
  });

  test("also marks messages added to the history", async () => {
    const { w, ids } = await talk(2);
    await subscription(w, "ada", "post", "Design");
    await change(w, "ada", "remove", "read", ids);
    await w.as("ada").post("/mark_all_as_read");
    expect(await flagsOf(w, "ada", ids[0] as number)).toEqual(["historical", "read"]);
  });

  test("requires a login", async () => {
    expect(await world().anonymous.post("/mark_all_as_read")).toMatchObject({ status: 401, events: [] });
  });
});

describe("mark-stream-as-read", () => {
  test("marks the messages of one channel as read, and lists channels whose messages stayed read", async () => {
    const { w, design, ids } = await talk(3);
    const hall = await channel(w, "Hall", ["mel", "max"]);
    await say(w, hall);
    await change(w, "max", "add", "read", [ids[1]]);
    const { body, events } = await w.as("max").post("/mark_stream_as_read", { stream_id: design });

    expect(body).toEqual({ result: "success", msg: "" });
    expect(events).toEqual([flagEvent("max", "add", "read", [ids[0], ids[2]] as number[])]);
    expect((await unreadOf(w, "max")).streams).toMatchObject([{ stream_id: hall }]);
    expect((await unreadOf(w, "gus")).count).toBe(3);
    expect((await w.as("max").post("/mark_stream_as_read", { stream_id: design })).events).toEqual([]);
  });

  test("marks messages moved there as read, and not those moved away", async () => {
    const { w, design, ids } = await talk(3);
    const hall = await channel(w, "Hall", ["mel", "max"]);
    const moved = await say(w, hall);
    await move(w, moved, design);
    await move(w, ids[1] as number, hall);
    const { events } = await w.as("max").post("/mark_stream_as_read", { stream_id: design });
    expect(events).toEqual([flagEvent("max", "add", "read", [ids[0], ids[2], moved] as number[])]);
    expect((await unreadOf(w, "max")).streams).toMatchObject([
      { stream_id: hall, unread_message_ids: [ids[1]] },
    ]);
  });

  test("answers for an invisible channel as if it did not exist", async () => {
    const { w } = await talk(0);
    const secret = await channel(w, "Secret", ["mel"], { invite_only: true });
    const absent = await w.as("max").post("/mark_stream_as_read", { stream_id: 4711 });
    expect(absent).toMatchObject({ status: 400, body: { code: "BAD_REQUEST" }, events: [] });
    const hidden = await w.as("max").post("/mark_stream_as_read", { stream_id: secret });
    expect({ status: hidden.status, body: hidden.body }).toEqual({ status: 400, body: absent.body });
  });

  test("requires a channel", async () => {
    const { w } = await talk(0);
    const answer = await w.as("max").post("/mark_stream_as_read");
    expect(answer).toMatchObject({ status: 400, body: { code: "REQUEST_VARIABLE_MISSING" }, events: [] });
  });
});

describe("mark-topic-as-read", () => {
  const mark = (w: World, who: CastName, stream_id: number, topic_name?: string) =>
    w.as(who).post("/mark_topic_as_read", { stream_id, topic_name });

  test("marks the messages of one topic as read, ignoring case, and lists them", async () => {
    const { w, design, ids } = await talk(2);
    const shout = await say(w, design, { topic: "LUNCH" });
    const other = await say(w, design, { topic: "dinner" });
    const { body, events } = await mark(w, "max", design, "lunch");

    expect(body).toEqual({ result: "success", msg: "" });
    expect(events).toEqual([flagEvent("max", "add", "read", [...ids, shout])]);
    expect((await unreadOf(w, "max")).streams).toMatchObject([{ unread_message_ids: [other] }]);
    expect(await mark(w, "max", design, "lunch")).toMatchObject({ status: 200, events: [] });
  });

  test.each(["", "(no topic)", "general chat"])("knows the empty topic as %p", async (name) => {
    const { w, design } = await talk(1);
    const id = await say(w, design, { topic: "" });
    expect((await mark(w, "max", design, name)).events).toEqual([flagEvent("max", "add", "read", [id])]);
  });

  test("ignores spaces around the name", async () => {
    const { w, design, ids } = await talk(1);
    expect((await mark(w, "max", design, " lunch ")).events).toEqual([flagEvent("max", "add", "read", ids)]);
  });

  test("refuses a topic in which the caller has no message", async () => {
    const { w, design } = await talk(1);
    const answer = await mark(w, "max", design, "dinner");
    expect(answer).toMatchObject({
      status: 400,
      body: { code: "BAD_REQUEST", msg: "No such topic 'dinner'" },
      events: [],
    });
    expect(await mark(w, "ada", design, "lunch")).toMatchObject({ status: 400, events: [] });
  });

  test("hides topics of a private channel from before the user joined", async () => {
    const w = world();
    const closed = await channel(w, "Closed", ["mel"], {
      invite_only: true,
      history_public_to_subscribers: false,
    });
    await say(w, closed, { topic: "plan" });
    const add = { subscriptions: [{ name: "Closed" }], principals: [w.user("max").id] };
    await ok(w.as("mel").post("/users/me/subscriptions", add));
    const early = await mark(w, "max", closed, "plan");
    expect(early.body.msg).toBe("No such topic 'plan'");
    const id = await say(w, closed, { topic: "plan" });
    expect((await mark(w, "max", closed, "plan")).events).toEqual([flagEvent("max", "add", "read", [id])]);
  });

  test("answers for an invisible channel as if it did not exist", async () => {
    const { w } = await talk(0);
    const secret = await channel(w, "Secret", ["mel"], { invite_only: true });
    await say(w, secret);
    const [hidden, absent] = [await mark(w, "max", secret, "Lunch"), await mark(w, "max", 4711, "Lunch")];
    expect(absent).toMatchObject({ status: 400, events: [] });
    expect(hidden.body).toEqual(absent.body);
  });

  test("requires a topic", async () => {
    const { w, design } = await talk(1);
    expect(await mark(w, "max", design)).toMatchObject({ status: 400, events: [] });
  });
});

describe("unsubscribing", () => {
  test("marks the channel as read, and emits it to the user's clients", async () => {
    const { w, design, ids } = await talk(3);
    await change(w, "max", "add", "read", [ids[0]]);
    const { events } = await w.as("max").delete("/users/me/subscriptions", { subscriptions: ["Design"] });
    expect(events.filter(({ event }) => event.type === "update_message_flags")).toEqual([
      flagEvent("max", "add", "read", [ids[1], ids[2]] as number[]),
    ]);
    expect(await unreadOf(w, "max")).toMatchObject({ count: 0, streams: [] });

    await subscription(w, "max", "post", "Design");
    expect((await unreadOf(w, "max")).count).toBe(0);
    await say(w, design);
    expect((await unreadOf(w, "max")).count).toBe(1);
  });

  test("keeps messages unread that were moved elsewhere", async () => {
    const { w, ids } = await talk(2);
    const hall = await channel(w, "Hall", ["mel", "max"]);
    await move(w, ids[0] as number, hall);
    await subscription(w, "max", "delete", "Design");
    expect((await unreadOf(w, "max")).streams).toMatchObject([{ unread_message_ids: [ids[0]] }]);
    await subscription(w, "max", "post", "Design");
    expect((await unreadOf(w, "max")).streams).toMatchObject([{ unread_message_ids: [ids[0]] }]);
  });
});

/** Copies a channel's only message until there are so many. */
function copies(w: World, channelId: number, id: number, count: number): Promise<void> {
  const kept = "sender_id, client_id, sent_at, bits, topic, topic_key, content, rendered";
  return w.app.env.db.write(w.app.system, (tx) => {
    tx.run(
      `INSERT INTO messages (conversation_id, home_id, seq, ${kept}) ` +
        "WITH RECURSIVE seqs (seq) AS (SELECT 2 UNION ALL SELECT seq + 1 FROM seqs WHERE seq < ?) " +
        `SELECT home_id, home_id, seqs.seq, ${kept} FROM seqs, messages WHERE messages.id = ?`,
      count,
      id,
    );
    const home = channelConversation(tx, channelId);
    tx.run("UPDATE sequences SET last_seq = ? WHERE conversation_id = ?", count, home);
  });
}

/** The most rows in one step of reading what a user has not read. */
function longestStep(w: World, who: CastName): number {
  const { id: userId } = w.user(who);
  const capabilities = new Set(["empty_topic_name"]);
  const request = { userId, types: null, fetched: null, capabilities, taps: new Set<string>(), options: {} };
  return Math.max(...unreadState(w.ctx(who), request));
}

describe("unread_msgs", () => {
  test("is empty if everything is read", async () => {
    expect(await unreadOf(world(), "max")).toEqual({
      count: 0,
      pms: [],
      streams: [],
      huddles: [],
      mentions: [],
      old_unreads_missing: false,
    });
  });

  test("groups by topic, ignoring case, ascending", async () => {
    const { w, design, ids } = await talk(2);
    const other = await say(w, design, { topic: "dinner" });
    const shout = await say(w, design, { topic: "LUNCH" });
    const hall = await channel(w, "Hall", ["mel", "max"]);
    const elsewhere = await say(w, hall);
    const { streams, count } = await unreadOf(w, "max");
    expect(count).toBe(5);
    expect(streams).toEqual([
      { stream_id: design, topic: "Lunch", unread_message_ids: [...ids, shout] },
      { stream_id: design, topic: "dinner", unread_message_ids: [other] },
      { stream_id: hall, topic: "Lunch", unread_message_ids: [elsewhere] },
    ]);
  });

  test("lists direct messages by the other person, which may be the user, and group conversations by their participants", async () => {
    const w = world();
    const ids = { mel: w.user("mel").id, max: w.user("max").id, ada: w.user("ada").id };
    const received = [await tell(w, ["max"]), await tell(w, ["max"])];
    const own = await tell(w, ["max"], { by: "max", read_by_sender: false });
    const group = await tell(w, ["max", "ada"]);
    const sent = await tell(w, ["mel"], { by: "max", read_by_sender: false });

    const { pms, huddles, count } = await unreadOf(w, "max");
    expect(count).toBe(5);
    expect(pms).toEqual([
      { other_user_id: ids.mel, sender_id: ids.mel, unread_message_ids: [...received, sent] },
      { other_user_id: ids.max, sender_id: ids.max, unread_message_ids: [own] },
    ]);
    const people = Object.values(ids).sort((a, b) => a - b);
    expect(huddles).toEqual([{ user_ids_string: people.join(","), unread_message_ids: [group] }]);
  });

  test("names the empty topic for clients that cannot show it", async () => {
    const { w, design } = await talk(0);
    await say(w, design, { topic: "" });
    const topicFor = async (empty_topic_name: boolean) => {
      const client_capabilities = { ...everyCapability, empty_topic_name };
      return (await w.queue("max", { client_capabilities })).state.unread_msgs.streams[0].topic;
    };
    expect([await topicFor(true), await topicFor(false)]).toEqual(["", "general chat"]);
  });

  const mute = (w: World, who: CastName, stream_id: number) =>
    ok(
      w.as(who).post("/users/me/subscriptions/properties", {
        subscription_data: [{ stream_id, property: "is_muted", value: true }],
      }),
    );

  test("does not count muted channels, but lists them", async () => {
    const { w, design, ids } = await talk(2);
    const hall = await channel(w, "Hall", ["mel", "max"]);
    await say(w, hall);
    await mute(w, "max", design);
    const { count, streams } = await unreadOf(w, "max");
    expect(count).toBe(1);
    expect(streams[0]).toMatchObject({ stream_id: design, unread_message_ids: ids });
  });

  test("lists mentions: by name everywhere, with everybody where the channel is not muted", async () => {
    const { w, design } = await talk(0);
    const hall = await channel(w, "Hall", ["mel", "max"]);
    await w.as("max").patch("/settings", {
      automatically_follow_topics_policy: 4,
      automatically_follow_topics_where_mentioned: false,
    });
    for (const place of [design, hall]) await say(w, place, { by: "max" });
    const found: number[][] = [];
    for (const place of [design, hall]) {
      const ids: number[] = [];
      for (const text of ["@**Max**", "@**all**", "@**topic**", "plain"])
        ids.push(await say(w, place, { content: text }));
      found.push(ids);
    }
    const [open, quiet] = found as [number[], number[]];
    const direct = await tell(w, ["max"], { content: "hey @**Max**" });
    await mute(w, "max", hall);
    expect((await unreadOf(w, "max")).mentions).toEqual([...open.slice(0, 3), quiet[0] as number, direct]);
    expect((await unreadOf(w, "gus")).mentions).toEqual([open[1] as number]);

    await change(w, "max", "add", "read", [open[0], direct]);
    expect((await unreadOf(w, "max")).mentions).toEqual([...open.slice(1, 3), quiet[0] as number]);
  });

  test("leaves out archived channels for clients that do not know archiving", async () => {
    const { w, design, ids } = await talk(2);
    const hall = await channel(w, "Hall", ["mel", "max"]);
    const named = await say(w, design, { content: "@**Max**" });
    const elsewhere = await say(w, hall);
    const direct = await tell(w, ["max"]);
    await ok(w.as("mel").delete(`/streams/${design}`));
    const unreadFor = async (archived_channels: boolean) => {
      const client_capabilities = { ...everyCapability, archived_channels };
      return (await w.queue("max", { client_capabilities })).state.unread_msgs;
    };
    const streams = [{ stream_id: hall, topic: "Lunch", unread_message_ids: [elsewhere] }];
    const pms = [{ unread_message_ids: [direct] }];
    expect(await unreadFor(false)).toMatchObject({ count: 2, mentions: [], streams, pms });
    // Includes the notice that it was archived.
    expect(await unreadFor(true)).toMatchObject({ count: 6, mentions: [named], pms });
    expect((await unreadFor(true)).streams[0]).toMatchObject({
      stream_id: design,
      unread_message_ids: [...ids, named],
    });
  });

  test("leaves out messages moved to where the user may not read", async () => {
    const { w, ids } = await talk(2);
    const secret = await channel(w, "Secret", ["mel"], { invite_only: true });
    await move(w, ids[0] as number, secret);
    expect(await unreadOf(w, "max")).toMatchObject({ count: 1, streams: [{ unread_message_ids: [ids[1]] }] });
  });

  test("holds the 50,000 newest, and says that there are more", async () => {
    const { w, design, ids } = await talk(1);
    await copies(w, design, ids[0] as number, 50_001);
    const unread = await unreadOf(w, "max");
    expect(unread).toMatchObject({ count: 50_000, old_unreads_missing: true });
    expect(unread.streams[0].unread_message_ids[0]).toBe((ids[0] as number) + 1);
    await change(w, "max", "add", "read", ids);
    expect(await unreadOf(w, "max")).toMatchObject({ count: 50_000, old_unreads_missing: false });
  });

  test("lets others in with 50,000 messages in one topic and after they moved elsewhere", async () => {
    const { w, design, ids } = await talk(1);
    const hall = await channel(w, "Hall", ["mel", "max"]);
    const [first = 0] = ids;
    await copies(w, design, first, 50_001);
    expect(longestStep(w, "max")).toBeLessThan(3_000);
    await change(w, "max", "add", "read", [first, first + 1]);
    expect(longestStep(w, "max")).toBeLessThan(3_000);
    const kept = Array.from({ length: 49_999 }, (_, i) => first + 2 + i);
    const before = (await unreadOf(w, "max")).streams;
    expect(before).toEqual([{ stream_id: design, topic: "Lunch", unread_message_ids: kept }]);
    const other = await say(w, hall);
    await w.app.env.db.write(w.app.system, (tx) => {
      const [from, to] = [design, hall].map((id) => channelConversation(tx, id)) as [number, number];
      tx.run("UPDATE messages SET conversation_id = ?, arrived_seq = 2 WHERE conversation_id = ?", to, from);
    });
    const { count, streams } = await unreadOf(w, "max");
    expect(count).toBe(50_000);
    expect(streams).toEqual([{ stream_id: hall, topic: "Lunch", unread_message_ids: [...kept, other] }]);
    expect(longestStep(w, "max")).toBeLessThan(3_000);
  });

  test.each([
    [["message", "update_message_flags"], true],
    [["message"], false],
    [["update_message_flags"], false],
    [["presence"], false],
  ])("of %p: %p", async (types, isThere) => {
    const { state } = await world().queue("max", { fetch_event_types: types });
    expect("unread_msgs" in state).toBe(isThere);
  });
});

describe("starred_messages", () => {
  test("lists what the user starred, ascending", async () => {
    const { w, ids } = await talk(3);
    await change(w, "max", "add", "starred", [ids[2]]);
    await change(w, "max", "add", "starred", [ids[0]]);
    await change(w, "max", "add", "collapsed", [ids[1]]);
    await change(w, "gus", "add", "starred", [ids[1]]);
    expect((await w.queue("max")).state.starred_messages).toEqual([ids[0], ids[2]]);
    await change(w, "max", "remove", "starred", [ids[0]]);
    expect((await w.queue("max")).state.starred_messages).toEqual([ids[2]]);
  });

  test("is returned if requested", async () => {
    const w = world();
    const fetched = async (types: string[]) =>
      (await w.queue("max", { fetch_event_types: types })).state.starred_messages;
    expect(await fetched(["starred_messages"])).toEqual([]);
    expect(await fetched(["message", "update_message_flags"])).toBeUndefined();
  });

  describe("when access to messages changes", () => {
    const starsIn = (events: CapturedEvent[]) =>
      events.filter(({ event }) => event.type === "update_message_flags" && event.flag === "starred");
    const shown = async (w: World, who: CastName) => (await w.queue(who)).state.starred_messages;
    const member = (w: World, who: CastName, method: "post" | "delete", by: CastName) => {
      const subscriptions = method === "post" ? [{ name: "Vault" }] : ["Vault"];
      return w.as(by)[method]("/users/me/subscriptions", { subscriptions, principals: [w.user(who).id] });
    };

    /** Mel and Max are in a private channel, and both have starred a message there. */
    async function vault(more: Json = {}) {
      const w = world();
      const id = await channel(w, "Vault", ["mel", "max"], { invite_only: true, ...more });
      const message = await say(w, id);
      for (const who of ["mel", "max"] as const) await change(w, who, "add", "starred", [message]);
      for (const who of ["mel", "max", "moss"] as const) await w.queue(who);
      return { w, id, message };
    }

    test.each([
      ["shared", true],
      ["protected", false],
    ])(
      "removes stars for a user who leaves a private channel with %s history, until they return",
      async (_, isShared) => {
        const { w, message } = await vault({ history_public_to_subscribers: isShared });
        const queue = await w.queue("max");
        const left = await member(w, "max", "delete", "mel");
        expect(starsIn(left.events)).toEqual([flagEvent("max", "remove", "starred", [message])] as Json);
        expect(await shown(w, "max")).toEqual([]);

        const back = await member(w, "max", "post", "mel");
        expect(starsIn(back.events)).toEqual([flagEvent("max", "add", "starred", [message])] as Json);
        expect(await shown(w, "max")).toEqual([message]);
        expect(starsIn((await queue.poll()).map((event) => ({ audience: [], event }) as never))).toHaveLength(
          2,
        );
      },
    );

    test("follows a channel that becomes private or public", async () => {
      const { w, id, message } = await vault();
      await w.as("mel").patch(`/streams/${id}`, { is_private: false });
      await change(w, "moss", "add", "starred", [message]);
      const hidden = await w.as("mel").patch(`/streams/${id}`, { is_private: true });
      expect(starsIn(hidden.events)).toEqual([flagEvent("moss", "remove", "starred", [message])] as Json);
      const open = await w.as("mel").patch(`/streams/${id}`, { is_private: false });
      expect(starsIn(open.events)).toEqual([flagEvent("moss", "add", "starred", [message])] as Json);
    });

    const byText = (a: unknown, b: unknown) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);

    /** This many new people, each with a client and a star on the message. */
    async function starring(w: World, message: number, size: number): Promise<number[]> {
      const ids = Array.from({ length: size }, (_, i) => 1001 + i);
      await w.app.env.db.write(w.ctx("system"), (tx) => {
        tx.run(
          "INSERT INTO users (id, email, email_key, delivery_email, delivery_email_key, full_name, full_name_key, role, date_joined) " +
            "SELECT value, value, value, value, value, value, value, 400, 0 FROM json_each(?)",
          JSON.stringify(ids),
        );
        tx.run(
          "INSERT INTO message_flags (user_id, message_id, bits) SELECT value, ?, ? FROM json_each(?)",
          message,
          flagBits.starred,
          JSON.stringify(ids),
        );
      });
      const none = new Set<string>();
      for (const userId of ids)
        w.app.env.queues.open({ userId, capabilities: none, types: null, taps: none, options: {} });
      return ids;
    }

    test.each([
      ["private, with shared history", { is_private: true, history_public_to_subscribers: true }],
      ["private, with protected history", { is_private: true, history_public_to_subscribers: false }],
    ])("follows a channel that becomes %s in front of hundreds of clients", async (_, privacy) => {
      const w = world();
      const id = await channel(w, "Open", ["mel", "max"]);
      const [first, second] = [await say(w, id), await say(w, id)];
      const crowd = await starring(w, first, 600);
      for (const who of ["max", "moss", "ada"] as const) await w.queue(who);
      for (const who of ["max", "moss"] as const) await change(w, who, "add", "starred", [first, second]);

      // What is starred and no longer starred while the stars are looked up.
      const before = w.events.length;
      const answers = await Promise.all([
        change(w, "ada", "add", "starred", [second]),
        change(w, "moss", "remove", "starred", [second]),
        w.as("mel").patch(`/streams/${id}`, privacy),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
      const kept = privacy.history_public_to_subscribers ? [] : [["max", "add", [first, second]]];
      const expected = [
        ["ada", "add", [second]],
        ["moss", "remove", [second]],
        ...crowd.map((user) => [user, "remove", [first]]),
        ["moss", "remove", [first]],
        ["ada", "remove", [second]],
        ...kept,
      ];
      const starEvents = () =>
        starsIn(w.events.slice(before)).flatMap(({ audience, event }) =>
          [...audience].map((user) => [user, event.op, event.messages]),
        );
      // Many events are delivered in several turns.
      await until(() => starEvents().length >= expected.length, "all are notified");
      expect(starEvents().toSorted(byText)).toEqual(expected.toSorted(byText) as Json);
    });

    test("follows a group and a role that let a user read", async () => {
      const { w, id, message } = await vault();
      const crew = { name: "crew", description: "", members: [w.user("max").id] };
      const { group_id } = await ok(w.as("ada").post("/user_groups/create", crew));
      await ok(w.as("mel").patch(`/streams/${id}`, { can_subscribe_group: { new: group_id } }));
      expect(starsIn((await member(w, "max", "delete", "mel")).events)).toEqual([]);
      const members = (params: Json) => w.as("ada").post(`/user_groups/${group_id}/members`, params);
      const out = await members({ delete: [w.user("max").id] });
      expect(starsIn(out.events)).toEqual([flagEvent("max", "remove", "starred", [message])] as Json);
      const back = await members({ add: [w.user("max").id] });
      expect(starsIn(back.events)).toEqual([flagEvent("max", "add", "starred", [message])] as Json);
      const guest = await w.as("ada").patch(`/users/${w.user("max").id}`, { role: 600 });
      expect(starsIn(guest.events)).toEqual([flagEvent("max", "remove", "starred", [message])] as Json);
    });

    test("leaves the stars of a public channel as they are", async () => {
      const { w, ids } = await talk();
      await change(w, "max", "add", "starred", ids);
      await w.queue("max");
      for (const method of ["delete", "post"] as const) {
        const subscriptions = method === "post" ? [{ name: "Design" }] : ["Design"];
        const { events } = await w.as("max")[method]("/users/me/subscriptions", { subscriptions });
        expect(starsIn(events)).toEqual([]);
      }
      expect(await shown(w, "max")).toEqual(ids);
    });

    test("deletes a message that is moved away for a user who has it only by their star", async () => {
      const { w, message } = await vault();
      const open = await channel(w, "Open", ["mel"]);
      const id = await say(w, open);
      await change(w, "moss", "add", "starred", [id]);
      const moved = await w.as("mel").patch(`/messages/${id}`, {
        stream_id: (await w.as("mel").get(`/messages/${message}`)).body.message.stream_id,
      });
      const gone = moved.events.filter(({ event }) => event.type === "delete_message");
      expect(gone).toMatchObject([{ audience: ["moss"], event: { message_ids: [id] } }]);
      expect(await shown(w, "moss")).toEqual([]);
    });
  });
});
