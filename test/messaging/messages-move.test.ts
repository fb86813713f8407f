import { describe, expect, spyOn, test } from "bun:test";
import { giveGrant } from "@/foundation/permissions/actions.ts";
import type { GrantName, GrantScope } from "@/foundation/permissions/schema.ts";
import { realmSettings } from "@/foundation/realm/schema.ts";
import { personalSettings, topicPolicies } from "@/foundation/user-settings/schema.ts";
import { notificationBot } from "@/foundation/users/access.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { indexAll } from "@/messaging/message-index/actions.ts";
import { channelConversation } from "@/places/conversations/access.ts";
import { policies } from "@/places/user-topics/schema.ts";
import { runJob } from "../support/jobs.ts";
import type { Json, Params } from "../support/requests.ts";
import { until } from "../support/waiting.ts";
import { type Answer, type CastName, type World, world } from "../support/world.ts";

/** A channel of mel, max, gus and moss, who follow no topics automatically. */
async function scene(more: Params = {}) {
  const w = world();
  await change(w, (tx) => {
    for (const name of ["mel", "max", "gus", "moss"] as const)
      personalSettings.write(tx, w.user(name).id, "automatically_follow_topics_policy", topicPolicies.never);
  });
  const channel = await open(w, "party", ["mel", "max", "gus", "moss"], more);
  return { ...w, channel };
}

async function open(w: World, name: string, people: readonly CastName[], more: Params = {}): Promise<number> {
  const subscribers = people.map((one) => w.user(one).id);
  return (await w.as("ada").post("/channels/create", { name, subscribers, ...more })).body.id;
}

const secret = { invite_only: true };
const shared = { invite_only: true, history_public_to_subscribers: true };

async function send({ as }: World, name: CastName, topic = "cake", to = "party"): Promise<number> {
  const { body } = await as(name).post("/messages", { type: "channel", to, topic, content: `by ${name}` });
  if (body.id === undefined) throw new Error(body.msg);
  return body.id;
}

async function sendMany(w: World, names: readonly CastName[], topic = "cake", to = "party") {
  const ids: number[] = [];
  for (const name of names) ids.push(await send(w, name, topic, to));
  return ids;
}

const quietly = { send_notification_to_new_thread: false };

const move = (w: World, id: number, wish: Params, by: CastName = "mel") =>
  w.as(by).patch(`/messages/${id}`, { propagate_mode: "change_all", ...quietly, ...wish });

const change = ({ app, ctx }: World, body: (tx: Tx) => unknown) => app.env.db.write(ctx("system"), body);

function give<S extends GrantScope>(
  w: World,
  scope: S,
  name: GrantName<S>,
  to: readonly CastName[],
  ownerId = 0,
) {
  const value = { direct_members: to.map((one) => w.user(one).id), direct_subgroups: [] };
  return change(w, (tx) => giveGrant(tx, { scope, ownerId, name }, value));
}

const limit = (w: World, name: "within" | "between", seconds: number | null) =>
  change(w, (tx) =>
    realmSettings.write(
      tx,
      `move_messages_${name}_stream${name === "between" ? "s" : ""}_limit_seconds` as never,
      seconds as never,
    ),
  );

async function topicsOf({ as }: World, channel: number, name: CastName = "mel"): Promise<string[]> {
  const asked = { allow_empty_topic_name: true };
  const { topics } = (await as(name).get(`/users/me/${channel}/topics`, asked)).body;
  return topics.map((one: { name: string }) => one.name);
}

/** The IDs that a search for the topic returns to a user. */
async function idsIn({ as }: World, channel: number, topic: string, name: CastName = "mel") {
  const narrow = [
    { operator: "channel", operand: channel },
    { operator: "topic", operand: topic },
  ];
  const { messages } = (await as(name).get("/messages", { anchor: "newest", num_before: 50, narrow })).body;
  return messages.map((one: { id: number }) => one.id);
}

const seen = async ({ as }: World, name: CastName, id: number) =>
  (await as(name).get(`/messages/${id}`)).status === 200;

const ofType = ({ events }: Answer, type: string) => events.filter(({ event }) => event.type === type);

/** The recipients of an event type, with the message IDs. */
const eventsOf = (answer: Answer, type: string) =>
  ofType(answer, type).map(({ audience, event }) => [audience, event.message_ids]);

/** The notification bot's notices in a topic. */
async function noticesIn(w: World, channel: number, topic: string, name: CastName = "mel"): Promise<Json[]> {
  const bot = notificationBot(w.ctx("system")).id;
  const narrow = [
    { operator: "channel", operand: channel },
    { operator: "topic", operand: topic },
  ];
  const asked = { anchor: "newest", num_before: 50, narrow, apply_markdown: false };
  const { messages } = (await w.as(name).get("/messages", asked)).body;
  return messages.filter((one: Json) => one.sender_id === bot);
}

const texts = (notices: Json[]) => notices.map(({ content }) => content);
const mention = (w: World, name: CastName) => `@_**${w.user(name).full_name}|${w.user(name).id}**`;

/** Copies the only message until there are so many. */
const copies = (w: World, id: number, count: number) =>
  change(w, (tx) => {
    const columns = "sender_id, client_id, sent_at, bits, topic, topic_key, content, rendered";
    tx.run(
      `INSERT INTO messages (conversation_id, home_id, seq, ${columns}) ` +
        `SELECT conversation_id, home_id, seq + value, ${columns} FROM json_each(?), messages WHERE messages.id = ?`,
      JSON.stringify(Array.from({ length: count - 1 }, (_, i) => i + 1)),
      id,
    );
    tx.run("UPDATE sequences SET last_seq = ?", count);
  });

describe("moving to another topic", () => {
  test("moves the whole topic, and emits it to its readers once", async () => {
    const w = await scene();
    const ids = await sendMany(w, ["mel", "max", "gus"]);
    const other = await send(w, "mel", "pie");
    w.clock.advance(60);
    const answer = await move(w, ids[1] as number, { topic: " tart " });

    expect(answer).toMatchObject({ status: 200, body: { detached_uploads: [] } });
    expect(answer.events).toEqual([
      {
        audience: ["moss", "mel", "max", "gus"],
        event: {
          type: "update_message",
          user_id: w.user("mel").id,
          rendering_only: false,
          message_id: ids[1],
          message_ids: ids,
          edit_timestamp: w.clock.now(),
          stream_id: w.channel,
          stream_name: "party",
          propagate_mode: "change_all",
          orig_subject: "cake",
          subject: "tart",
          topic_links: [],
        },
      },
    ]);
    expect(await topicsOf(w, w.channel)).toEqual(["pie", "tart"]);
    expect(await idsIn(w, w.channel, "tart")).toEqual(ids);
    expect(await idsIn(w, w.channel, "pie")).toEqual([other]);
    const { message } = (await w.as("max").get(`/messages/${ids[0]}`)).body;
    expect(message).toMatchObject({
      subject: "tart",
      last_moved_timestamp: w.clock.now(),
      edit_history: [
        { user_id: w.user("mel").id, timestamp: w.clock.now(), prev_topic: "cake", topic: "tart" },
      ],
    });
    expect(message).not.toHaveProperty("last_edit_timestamp");
  });

  test.each([
    ["change_one", [1]],
    ["change_later", [1, 2]],
    ["change_all", [0, 1, 2]],
  ] as const)("moves the messages that %s selects", async (propagate_mode, which) => {
    const w = await scene();
    const ids = await sendMany(w, ["mel", "max", "gus"]);
    await move(w, ids[1] as number, { topic: "tart", propagate_mode });
    expect(await idsIn(w, w.channel, "tart")).toEqual(which.map((at) => ids[at]));
  });

  test("moves one message by default", async () => {
    const w = await scene();
    const ids = await sendMany(w, ["mel", "max"]);
    const answer = await w.as("mel").patch(`/messages/${ids[0]}`, { topic: "tart", ...quietly });
    expect(eventsOf(answer, "update_message")).toEqual([[["moss", "mel", "max", "gus"], [ids[0]]]]);
  });

  test("ignores case of topics, but renames them", async () => {
    const w = await scene();
    const ids = [await send(w, "mel", "cake"), await send(w, "max", "CAKE")];
    const answer = await move(w, ids[0] as number, { topic: "Cake", send_notification_to_new_thread: true });
    expect(answer.events).toMatchObject([{ event: { message_ids: ids, subject: "Cake" } }]);
    expect(await topicsOf(w, w.channel)).toEqual(["Cake"]);
  });

  test("names the empty topic as each client can show it", async () => {
    const w = await scene();
    const id = await send(w, "mel", "cake");
    const [modern, old] = [await w.queue("max"), await w.queue("max", { client_capabilities: {} })];
    await move(w, id, { topic: "" });
    expect(await modern.poll()).toMatchObject([{ orig_subject: "cake", subject: "" }]);
    expect(await old.poll()).toMatchObject([{ orig_subject: "cake", subject: "general chat" }]);
    await move(w, id, { topic: "tart" });
    expect(await modern.poll()).toMatchObject([{ orig_subject: "", subject: "tart" }]);
    expect(await old.poll()).toMatchObject([{ orig_subject: "general chat", subject: "tart" }]);
    const { message } = (await w.as("max").get(`/messages/${id}`)).body;
    expect(message.edit_history).toMatchObject([
      { prev_topic: "general chat", topic: "tart" },
      { prev_topic: "cake", topic: "general chat" },
    ]);
  });

  test("changes nobody's flags, and is emitted with each reader's own", async () => {
    const w = await scene();
    const id = await send(w, "mel");
    await w.as("max").post("/messages/flags", { messages: [id], op: "add", flag: "starred" });
    await w.as("max").post("/messages/flags", { messages: [id], op: "add", flag: "read" });
    const [max, gus] = [await w.queue("max"), await w.queue("gus")];
    await move(w, id, { topic: "tart" });
    expect(await max.poll()).toMatchObject([{ flags: ["read", "starred"] }]);
    expect(await gus.poll()).toMatchObject([{ flags: [] }]);
    const { unread_msgs } = (await w.queue("gus")).state;
    expect(unread_msgs.streams).toEqual([{ stream_id: w.channel, topic: "tart", unread_message_ids: [id] }]);
  });

  test("finds messages in the new topic, and no longer in the old one", async () => {
    const w = await scene();
    const id = await send(w, "mel", "cake");
    await move(w, id, { topic: "tart" });
    const found = async (operand: string) => {
      const asked = { anchor: "newest", num_before: 5, narrow: [{ operator: "search", operand }] };
      return (await w.as("max").get("/messages", asked)).body.messages.map((one: Json) => one.id);
    };
    expect([await found("cake"), await found("tart")]).toEqual([[], [id]]);
    await indexAll(w.app.system);
    expect([await found("cake"), await found("tart")]).toEqual([[], [id]]);
  });

  test("goes together with new content, as one change", async () => {
    const w = await scene();
    const ids = await sendMany(w, ["mel", "max"]);
    const answer = await move(w, ids[0] as number, { topic: "tart", content: "hello @**Max**" });
    expect(ofType(answer, "update_message")).toMatchObject([
      { event: { message_ids: ids, subject: "tart", orig_content: "by mel", content: "hello @**Max**" } },
    ]);
    const { message_history } = (await w.as("max").get(`/messages/${ids[0]}/history`)).body;
    expect(message_history).toMatchObject([
      { topic: "cake", content: "by mel" },
      { topic: "tart", prev_topic: "cake", prev_content: "by mel", content: "hello @**Max**" },
    ]);
    const other = (await w.as("max").get(`/messages/${ids[1]}/history`)).body.message_history;
    expect(other).toMatchObject([{ topic: "cake" }, { topic: "tart", content: "by max" }]);
    expect(other[1]).not.toHaveProperty("prev_content");
  });

  test("with new content requires both permissions", async () => {
    const w = await scene();
    const id = await send(w, "mel");
    const answer = await move(w, id, { topic: "tart", content: "hello" }, "max");
    expect(answer).toMatchObject({ status: 400, events: [] });
    expect(await idsIn(w, w.channel, "cake")).toEqual([id]);
  });

  test("treats the current topic and channel as no change", async () => {
    const w = await scene();
    const id = await send(w, "mel");
    const msg = "Nothing to change";
    const same = { topic: "cake", stream_id: w.channel };
    expect(await move(w, id, same)).toMatchObject({ status: 400, body: { msg }, events: [] });
    expect(await w.as("mel").patch(`/messages/${id}`, { topic: "cake", content: "hi" })).toMatchObject({
      events: [{ event: { content: "hi" } }],
    });
  });

  test("truncates a long topic", async () => {
    const w = await scene();
    await move(w, await send(w, "mel"), { topic: "x".repeat(61) });
    expect(await topicsOf(w, w.channel)).toEqual([`${"x".repeat(57)}...`]);
  });

  test("is emitted to the mover, subscribed or not, and to users who received it and left", async () => {
    const w = await scene();
    const id = await send(w, "mel");
    await w.as("gus").delete("/users/me/subscriptions", { subscriptions: ["party"] });
    await w.as("max").delete("/users/me/subscriptions", { subscriptions: ["party"] });
    const answer = await move(w, id, { topic: "tart" }, "ada");
    expect(eventsOf(answer, "update_message")).toEqual([[["ada", "moss", "mel", "max"], [id]]]);
  });

  test.each([
    ["a direct message's topic", { topic: "tart" }, "Direct messages cannot have topics."],
    ["a direct message to a channel", { stream_id: 1 }, "Direct messages cannot be moved to channels."],
  ] as const)("refuses %s", async (_, wish, msg) => {
    const w = await scene();
    const to = [w.user("max").id];
    const { id } = (await w.as("mel").post("/messages", { type: "direct", to, content: "psst" })).body;
    expect(await move(w, id, wish)).toMatchObject({
      status: 400,
      body: { code: "BAD_REQUEST", msg },
      events: [],
    });
  });

  test.each([
    [
      "other messages with content alone",
      { content: "x" },
      "Other messages can only be changed together with the topic or the channel.",
    ],
    ["a line break in a topic", { topic: "a\nb" }, "Invalid character in topic!"],
    [
      "an unknown way to take others along",
      { topic: "x", propagate_mode: "change_some" },
      "propagate_mode must be one of: change_one, change_later, change_all",
    ],
  ] as const)("refuses %s", async (_, wish, msg) => {
    const w = await scene();
    const id = await send(w, "mel");
    expect(await move(w, id, wish)).toMatchObject({ status: 400, body: { msg }, events: [] });
  });

  test.each(["disable_empty_topic", "empty_topic_only"] as const)(
    "keeps to the policy %s",
    async (policy) => {
      const w = await scene();
      const id = await send(w, "mel", policy === "empty_topic_only" ? "" : "cake");
      await w.as("ada").patch(`/streams/${w.channel}`, { topics_policy: policy });
      const topic = policy === "empty_topic_only" ? "tart" : "(no topic)";
      const answer = await move(w, id, { topic });
      const msg =
        policy === "empty_topic_only"
          ? "Only the general chat topic is allowed in this channel."
          : "The general chat topic is not allowed in this channel.";
      expect(answer).toMatchObject({ status: 400, body: { msg }, events: [] });
    },
  );

  test("refuses in an archived channel", async () => {
    const w = await scene();
    const id = await send(w, "mel");
    await w.as("ada").delete(`/streams/${w.channel}`);
    const msg = "Topics of an archived channel cannot be changed.";
    expect(await move(w, id, { topic: "tart" }, "ada")).toMatchObject({
      status: 400,
      body: { msg },
      events: [],
    });
  });

  test("lets others write while a topic of 10,000 messages moves", async () => {
    const w = await scene();
    const id = await send(w, "mel");
    await copies(w, id, 10_000);
    const events = await w.queue("max", { event_types: ["update_message"] });
    const moving = move(w, id, { topic: "tart" });
    await until(async () => (await idsIn(w, w.channel, "tart")).length > 0, "the first have moved", 0);
    const late = await send(w, "max");
    expect(await idsIn(w, w.channel, "cake")).toContain(late);
    await moving;
    const moved = (await events.poll()).map(({ message_ids, orig_subject, subject }) => {
      expect([orig_subject, subject]).toEqual(["cake", "tart"]);
      expect(message_ids.length).toBeLessThanOrEqual(501);
      return message_ids;
    });
    const all = Array.from({ length: 10_000 }, (_, i) => id + i);
    expect(moved.flat().sort((a: number, b: number) => a - b)).toEqual([...all, late]);
    expect(await topicsOf(w, w.channel)).toEqual(["tart"]);
  });
});

describe("while a large topic moves", () => {
  const size = 2_600;
  const countIn = (w: World, topic: string) =>
    w.app.env.db.get<{ n: number }>("SELECT COUNT(*) AS n FROM messages WHERE topic = ?", topic)?.n ?? 0;

  /** A large topic, and a move of it to "tart" that has begun. */
  async function moving() {
    const w = await scene();
    const id = await send(w, "mel");
    await copies(w, id, size);
    const other = await send(w, "max", "bread");
    const first = move(w, id, { topic: "tart" });
    await until(() => countIn(w, "tart") > 0, "the first have moved", 0);
    expect(countIn(w, "cake")).toBeGreaterThan(0);
    return { w, id, other, first };
  }

  test.each([
    ["a message that has not moved yet", size - 1, {}],
    ["a message that has moved already", 0, {}],
    ["a message and those after it", 0, { propagate_mode: "change_later" }],
  ])("a move of %s waits, and then takes along all of them", async (_, nth, params) => {
    const { w, id, first } = await moving();
    const second = move(w, id + nth, { topic: "pie", ...params }, "max");
    expect((await first).status).toBe(200);
    expect(countIn(w, "cake")).toBe(0);
    expect((await second).status).toBe(200);
    expect([countIn(w, "tart"), countIn(w, "pie")]).toEqual([0, size]);
  });

  test("a move of another topic into it waits, and one that has nothing to do with it goes on", async () => {
    const { w, other, first } = await moving();
    const left: number[] = [];
    const apart = await move(w, other, { topic: "noodles" }, "max");
    const second = move(w, other, { topic: "cake" }, "max").then(() => left.push(countIn(w, "tart")));
    await Promise.all([first, second]);
    expect([apart.status, left]).toEqual([200, [size]]);
    expect(await idsIn(w, w.channel, "cake")).toEqual([other]);
  });

  test("its deletion waits, and finds nothing in the old topic", async () => {
    const { w, first } = await moving();
    const second = w.as("ada").post(`/streams/${w.channel}/delete_topic`, { topic_name: "cake" });
    expect((await first).status).toBe(200);
    expect(await second).toMatchObject({ status: 200, body: { complete: true } });
    expect(countIn(w, "tart")).toBe(size);
  });

  test("who moves it may be deactivated: it moves completely all the same", async () => {
    const { w, first } = await moving();
    await change(w, (tx) => tx.run("UPDATE users SET is_active = 0 WHERE id = ?", w.user("mel").id));
    expect((await first).status).toBe(200);
    expect([countIn(w, "cake"), countIn(w, "tart")]).toEqual([0, size]);
  });

  test("a fault in the middle refuses those who wait, after a while, and the rest follows once it is mended", async () => {
    const { w, id, first } = await moving();
    type Row = Record<string, number | string>;
    const [row] = w.app.env.db.all<Row>("SELECT * FROM topic_moves");
    if (!row) throw new Error("The move has ended already");
    await change(w, (tx) => tx.run("DELETE FROM topic_moves"));
    const second = move(w, id + size - 1, { topic: "pie" }, "max");
    await Bun.sleep(200);
    w.clock.advance(13);
    for (const outcome of await Promise.allSettled([first, second])) {
      // Which of them hears of the fault, and who just that it does not go on, is chance.
      if (outcome.status === "rejected") expect(outcome.reason.message).toContain("is missing");
      else expect(outcome.value).toMatchObject({ status: 500, body: { code: "SERVER_NOT_READY" } });
    }
    const stuck = countIn(w, "cake");
    expect(stuck).toBeGreaterThan(0);

    const reports: unknown[] = [];
    const write = spyOn(w.app.env.db, "write");
    for (let i = 0; i < 20; i++) {
      await runJob(w, "carry on with topics").catch((error) => reports.push(error));
      w.clock.advance(1);
    }
    // Each attempt is a write, and so is each look at what is stored about its failure.
    expect(write.mock.calls.length).toBeOneOf([6, 8]);
    write.mockRestore();
    expect(reports.length).toBeLessThan(2);
    expect(countIn(w, "cake")).toBe(stuck);

    const names = Object.keys(row);
    await change(w, (tx) =>
      tx.run(
        `INSERT INTO topic_moves (${names}) VALUES (${names.map(() => "?")})`,
        ...Object.values({ ...row, moved: size - stuck }),
      ),
    );
    for (let i = 0; i < 3; i++) {
      w.clock.advance(40);
      await runJob(w, "carry on with topics");
    }
    expect([countIn(w, "cake"), countIn(w, "tart")]).toEqual([0, size]);
  });

  test("a move of it is remembered until it has ended", async () => {
    const { w, id, first } = await moving();
    const stored = () => w.app.env.db.all("SELECT kind, user_id, topic, to_topic, reads_all FROM topic_work");
    const from = { kind: "move", user_id: w.user("mel").id, topic: "cake" };
    expect(stored()).toEqual([{ ...from, to_topic: "tart", reads_all: 1 }]);
    expect(w.app.env.db.all("SELECT target_id, moved % 500 AS rest FROM topic_moves")).toEqual([
      { target_id: id, rest: 0 },
    ]);
    expect((await first).status).toBe(200);
    expect([stored(), w.app.env.db.all("SELECT * FROM topic_moves")]).toEqual([[], []]);
  });
});

describe("moving a large topic to another channel", () => {
  test("goes on if that channel is archived, without a notice there", async () => {
    const w = await scene();
    const other = await open(w, "attic", ["mel", "max"]);
    const id = await send(w, "mel");
    await copies(w, id, 10_000);
    const received = { send_notification_to_old_thread: true, send_notification_to_new_thread: true };
    const moving = move(w, id, { stream_id: other, ...received }, "ada");
    await until(async () => (await idsIn(w, other, "cake")).length > 0, "the first have moved", 0);
    expect((await w.as("ada").delete(`/streams/${other}`)).status).toBe(200);
    expect((await moving).status).toBe(200);
    const count = (channel: number) =>
      w.app.env.db.get<{ n: number }>(
        "SELECT COUNT(*) AS n FROM messages WHERE conversation_id = ? AND topic = 'cake'",
        channelConversation(w.app.system, channel),
      )?.n ?? 0;
    // The notice that says where the topic is now.
    expect([count(w.channel), count(other)]).toEqual([1, 10_000]);
    expect(texts(await noticesIn(w, w.channel, "cake"))).toEqual([
      `This topic was moved to #**attic>cake** by ${mention(w, "ada")}.`,
    ]);
  });
});

describe("who may move messages to another topic", () => {
  const within = "can_move_messages_between_topics_group";
  const refusal = "You don't have permission to move messages to another topic in this channel.";

  test("is set by the organization", async () => {
    const w = await scene();
    const id = await send(w, "mel");
    await give(w, "realm", within, ["max"]);
    expect(await move(w, id, { topic: "tart" })).toMatchObject({
      status: 400,
      body: { msg: refusal },
      events: [],
    });
    expect(await move(w, id, { topic: "tart" }, "max")).toMatchObject({ status: 200 });
  });

  test("or on the channel's", async () => {
    const w = await scene();
    const id = await send(w, "mel");
    await give(w, "realm", within, []);
    await give(w, "channel", "can_move_messages_within_channel_group", ["gus"], w.channel);
    expect(await move(w, id, { topic: "tart" })).toMatchObject({ status: 400 });
    expect(await move(w, id, { topic: "tart" }, "gus")).toMatchObject({ status: 200 });
  });

  test("and is allowed to its administrators", async () => {
    const w = await scene();
    const id = await send(w, "mel");
    await give(w, "realm", within, []);
    await give(w, "channel", "can_administer_channel_group", ["max"], w.channel);
    expect(await move(w, id, { topic: "tart" }, "max")).toMatchObject({ status: 200 });
    expect(await move(w, id, { topic: "pie" }, "ada")).toMatchObject({ status: 200 });
  });

  test("requires access to the message", async () => {
    const w = await scene(shared);
    const id = await send(w, "mel");
    const body = { code: "BAD_REQUEST", msg: "Invalid message(s)" };
    expect(await move(w, id, { topic: "tart" }, "ada")).toMatchObject({ status: 400, body, events: [] });
  });
});

describe("the time limit on moving", () => {
  const late = { code: "MOVE_MESSAGES_TIME_LIMIT_EXCEEDED" };
  const counts = (first: number | null, total: number, allowed: number) => ({
    first_message_id_allowed_to_move: first,
    total_messages_in_topic: total,
    total_messages_allowed_to_move: allowed,
  });

  /** Two old messages, then two new ones. */
  async function aged(more: Params = {}) {
    const w = await scene(more);
    await limit(w, "within", 3600);
    const old = await sendMany(w, ["mel", "max"]);
    w.clock.advance(3600 + 21);
    const young = await sendMany(w, ["mel", "max"]);
    return { ...w, ids: [...old, ...young] as [number, number, number, number] };
  }

  test("refuses everything if only some messages are recent, and says which", async () => {
    const w = await aged();
    expect(await move(w, w.ids[3], { topic: "tart" })).toEqual(
      expect.objectContaining({
        status: 400,
        body: {
          result: "error",
          msg: "You only have permission to move the 2/4 most recent messages in this topic.",
          ...late,
          ...counts(w.ids[2], 4, 2),
        },
        events: [],
      }),
    );
    const rest = { topic: "tart", propagate_mode: "change_later" };
    expect(await move(w, w.ids[2], rest)).toMatchObject({ status: 200 });
    expect(await idsIn(w, w.channel, "tart")).toEqual(w.ids.slice(2));
  });

  test.each(["change_one", "change_later"] as const)(
    "refuses %s from an old message",
    async (propagate_mode) => {
      const w = await aged();
      const answer = await move(w, w.ids[0], { topic: "tart", propagate_mode });
      expect(answer).toMatchObject({ status: 400, body: { ...late, ...counts(w.ids[2], 4, 2) }, events: [] });
    },
  );

  test("counts the messages of a large topic, too", async () => {
    const w = await scene();
    await limit(w, "within", 3600);
    const id = await send(w, "mel");
    await copies(w, id, 1_200);
    w.clock.advance(3600 + 21);
    const young = id + 900;
    await change(w, (tx) => tx.run("UPDATE messages SET sent_at = ? WHERE id >= ?", tx.now, young));
    const refused = await move(w, young, { topic: "tart" });
    expect(refused).toMatchObject({
      status: 400,
      body: { ...late, ...counts(young, 1_200, 300) },
      events: [],
    });
    expect((await move(w, young, { topic: "tart", propagate_mode: "change_later" })).status).toBe(200);
    expect((await move(w, young, { topic: "pie" })).status).toBe(200);
    await change(w, (tx) => tx.run("UPDATE messages SET sent_at = ?", tx.now));
    expect((await move(w, id, { topic: "pie" })).status).toBe(200);
    expect(await topicsOf(w, w.channel)).toEqual(["pie"]);
  });

  test("says so if nothing may be moved", async () => {
    const w = await aged();
    w.clock.advance(3600 + 21);
    const msg = "The time limit for moving these messages has passed.";
    expect(await move(w, w.ids[3], { topic: "tart" })).toMatchObject({
      status: 400,
      body: { ...late, msg, ...counts(null, 4, 0) },
      events: [],
    });
  });

  test("applies to resolving as well", async () => {
    const w = await aged();
    expect(await move(w, w.ids[3], { topic: "✔ cake" })).toMatchObject({
      status: 400,
      body: late,
      events: [],
    });
  });

  test("gives some seconds' grace", async () => {
    const w = await scene();
    await limit(w, "within", 3600);
    const id = await send(w, "mel");
    w.clock.advance(3620);
    expect(await move(w, id, { topic: "tart" })).toMatchObject({ status: 200 });
    w.clock.advance(1);
    expect(await move(w, id, { topic: "pie" })).toMatchObject({ status: 400, body: late });
  });

  test.each(["moss", "ada", "olive"] as const)("does not bind %s", async (name) => {
    const w = await aged();
    expect(await move(w, w.ids[0], { topic: "tart" }, name)).toMatchObject({ status: 200 });
  });

  test("may be disabled", async () => {
    const w = await aged();
    await limit(w, "within", null);
    expect(await move(w, w.ids[0], { topic: "tart" })).toMatchObject({ status: 200 });
  });

  test("is the stricter one if channel and topic change", async () => {
    const w = await aged();
    const there = await open(w, "garden", ["mel"]);
    expect(await move(w, w.ids[0], { stream_id: there, topic: "tart" })).toMatchObject({
      status: 400,
      body: late,
    });
    expect(await move(w, w.ids[0], { stream_id: there })).toMatchObject({ status: 200 });
    await limit(w, "between", 60);
    w.clock.advance(100);
    const back = { stream_id: w.channel };
    expect(await move(w, w.ids[3], back)).toMatchObject({ status: 400, body: late });
  });

  test("counts only readable messages with protected history", async () => {
    const w = await scene(secret);
    await limit(w, "within", 3600);
    await sendMany(w, ["mel", "max"]);
    w.clock.advance(3600 + 21);
    const subscriptions = [{ name: "party" }];
    const principals = [w.user("bolt").id];
    await w.as("ada").post("/users/me/subscriptions", { subscriptions, principals });
    await w.as("mel").post("/users/me/subscriptions", { subscriptions, principals });
    const id = await send(w, "bolt");
    const answer = await move(w, id, { topic: "tart" }, "bolt");
    expect(answer).toMatchObject({ status: 200, events: [{ event: { message_ids: [id] } }] });
    expect(await topicsOf(w, w.channel)).toEqual(["tart", "cake"]);
  });
});

describe("a message moved to a public channel that a reader is not in", () => {
  async function moved() {
    const w = await scene();
    const elsewhere = await open(w, "elsewhere", ["mel"]);
    const id = await send(w, "mel");
    await move(w, id, { stream_id: elsewhere });
    const unread = async () => {
      const { streams, count } = (await w.queue("max")).state.unread_msgs;
      return { count, ids: streams.flatMap((one: Params) => one.unread_message_ids) };
    };
    const flags = async () => (await w.as("max").get(`/messages/${id}`)).body.message.flags;
    const flag = (op: string) => w.as("max").post("/messages/flags", { messages: [id], op, flag: "read" });
    const subscribe = (channel: string) =>
      w.as("max").post("/users/me/subscriptions", { subscriptions: [{ name: channel }] });
    return { w, id, elsewhere, unread, flags, flag, subscribe };
  }

  test("is read in the state, flags, narrows and flag changes alike", async () => {
    const { w, id, elsewhere, unread, flags, flag } = await moved();
    expect(await unread()).toEqual({ count: 0, ids: [] });
    expect(await flags()).toEqual(["read"]);
    const narrow = [{ operator: "is", operand: "unread" }];
    const page = { anchor: "newest", num_before: 10, num_after: 0, narrow };
    expect((await w.as("max").get("/messages", page)).body.messages).toEqual([]);
    expect(await flag("add")).toMatchObject({ body: { messages: [] }, events: [] });
    expect(await flag("remove")).toMatchObject({
      body: { messages: [], ignored_because_not_subscribed_channels: [elsewhere] },
      events: [],
    });
    const all = { anchor: String(id), num_before: 0, num_after: 0, narrow: [], op: "add", flag: "read" };
    expect((await w.as("max").post("/messages/flags/narrow", all)).body.updated_count).toBe(0);
  });

  test("is unread again, with an event, once it is moved to their channel", async () => {
    const { w, id, unread, flags } = await moved();
    const queue = await w.queue("max", { event_types: ["update_message_flags"] });
    await move(w, id, { stream_id: w.channel });
    expect(await queue.poll()).toMatchObject([
      {
        op: "remove",
        flag: "read",
        messages: [id],
        message_details: { [id]: { type: "stream", stream_id: w.channel, topic: "cake" } },
      },
    ]);
    expect(await unread()).toEqual({ count: 1, ids: [id] });
    expect(await flags()).toEqual([]);
  });

  test("stays read for a reader who joins its channel", async () => {
    const { w, id, unread, flags, subscribe } = await moved();
    await subscribe("elsewhere");
    expect(await unread()).toEqual({ count: 0, ids: [] });
    const answer = await move(w, id, { stream_id: w.channel });
    const again = answer.events.filter(({ event }) => event.type === "update_message_flags");
    expect(again.map(({ audience }) => audience)).toEqual([["moss", "gus"]]);
    expect(await flags()).toEqual(["read"]);
  });
});

describe("resolving a topic", () => {
  test("sends a notice that is unread only for followers", async () => {
    const w = await scene();
    const [id] = (await sendMany(w, ["mel", "gus"])) as [number];
    await w.as("moss").post(`/messages/${id}/reactions`, { emoji_name: "tada" });
    const followed = { stream_id: w.channel, topic: "cake", visibility_policy: policies.followed };
    await w.as("max").post("/user_topics", followed);
    const queues = { max: await w.queue("max"), moss: await w.queue("moss") };
    const answer = await move(w, id, { topic: "✔ cake", send_notification_to_new_thread: true });

    const types = ["update_message", "user_topic", "user_topic", "message"];
    expect(answer.events.map(({ event }) => event.type)).toEqual(types);
    const [notice] = await noticesIn(w, w.channel, "✔ cake");
    expect(notice?.content).toBe(`${mention(w, "mel")} has marked this topic as resolved.`);
    const flags = async (name: CastName) =>
      (await w.as(name).get(`/messages/${notice?.id}`)).body.message.flags;
    const names = ["mel", "gus", "max", "moss"] as const;
    expect(await Promise.all(names.map(flags))).toEqual([["read"], ["read"], [], ["read"]]);
    expect((await queues.max.poll()).at(-1)).toMatchObject({ type: "message", flags: [] });
    expect((await queues.moss.poll())[1]).toMatchObject({ type: "message", flags: ["read"] });
    const unread = async (name: CastName) =>
      (await w.queue(name)).state.unread_msgs.streams[0].unread_message_ids;
    expect(await unread("max")).toContain(notice?.id);
    expect(await unread("moss")).not.toContain(notice?.id);
  });

  test("arrives as each user has set", async () => {
    const w = await scene();
    const [id] = (await sendMany(w, ["mel", "gus", "max"])) as [number];
    const setting = "resolved_topic_notice_auto_read_policy";
    const followed = { stream_id: w.channel, topic: "cake", visibility_policy: policies.followed };
    await w.as("gus").post("/user_topics", followed);
    await w.as("gus").patch("/settings", { [setting]: "always" });
    await w.as("moss").patch("/settings", { [setting]: "never" });
    await move(w, id, { topic: "✔ cake" });
    const [notice] = await noticesIn(w, w.channel, "✔ cake");
    const flags = async (name: CastName) =>
      (await w.as(name).get(`/messages/${notice?.id}`)).body.message.flags;
    expect(await Promise.all((["gus", "moss", "max"] as const).map(flags))).toEqual([["read"], [], ["read"]]);
  });

  test("arrives unread for users who follow the topic", async () => {
    const w = await scene();
    const id = await send(w, "mel");
    const followed = { stream_id: w.channel, topic: "cake", visibility_policy: policies.followed };
    await w.as("moss").post("/user_topics", followed);
    await move(w, id, { topic: "✔ cake" });
    const [notice] = await noticesIn(w, w.channel, "✔ cake", "moss");
    expect(notice?.flags).toEqual([]);
  });

  test("does not notify users who muted the bot", async () => {
    const w = await scene();
    const [id] = (await sendMany(w, ["mel", "max"])) as [number];
    const bot = notificationBot(w.ctx("system")).id;
    expect(await w.as("max").post(`/users/me/muted_users/${bot}`)).toMatchObject({ status: 200 });
    const queue = await w.queue("max", { event_types: ["message"] });
    await move(w, id, { topic: "✔ cake" });
    expect(await queue.poll()).toMatchObject([{ flags: ["read"] }]);
    expect((await noticesIn(w, w.channel, "✔ cake", "max"))[0]?.flags).toEqual(["read"]);
  });

  test("can be marked as unread and as read by other users", async () => {
    const w = await scene();
    await move(w, await send(w, "mel"), { topic: "✔ cake" });
    const [notice] = await noticesIn(w, w.channel, "✔ cake", "moss");
    const flag = (op: string) =>
      w.as("moss").post("/messages/flags", { messages: [notice?.id], op, flag: "read" });
    const now = async () => (await w.as("moss").get(`/messages/${notice?.id}`)).body.message.flags;
    expect((await flag("remove")).body.messages).toEqual([notice?.id]);
    expect(await now()).toEqual([]);
    expect((await flag("add")).body.messages).toEqual([notice?.id]);
    expect(await now()).toEqual(["read"]);
  });

  test("leaves no trace if undone within a minute", async () => {
    const w = await scene();
    const id = await send(w, "mel");
    await move(w, id, { topic: "✔ cake" });
    const [notice] = await noticesIn(w, w.channel, "✔ cake");
    w.clock.advance(59);
    const answer = await move(w, id, { topic: "cake" });
    expect(answer.events.map(({ event }) => event.type)).toEqual(["update_message", "delete_message"]);
    expect(eventsOf(answer, "delete_message")).toEqual([[["moss", "mel", "max", "gus"], [notice?.id]]]);
    expect(await noticesIn(w, w.channel, "cake")).toEqual([]);
  });

  test("posts another notice after a minute", async () => {
    const w = await scene();
    const id = await send(w, "mel");
    await move(w, id, { topic: "✔ cake" });
    w.clock.advance(60);
    await move(w, id, { topic: "cake" }, "max");
    expect(texts(await noticesIn(w, w.channel, "cake"))).toEqual([
      `${mention(w, "mel")} has marked this topic as resolved.`,
      `${mention(w, "max")} has marked this topic as unresolved.`,
    ]);
  });

  test("does not count as a move of the message", async () => {
    const w = await scene();
    const id = await send(w, "mel");
    await move(w, id, { topic: "✔ cake" });
    const { message } = (await w.as("max").get(`/messages/${id}`)).body;
    expect(message).not.toHaveProperty("last_moved_timestamp");
    expect(message.edit_history).toMatchObject([{ prev_topic: "cake", topic: "✔ cake" }]);
  });

  test("works for the longest topic, and back", async () => {
    const w = await scene();
    const topic = "x".repeat(60);
    const id = await send(w, "mel", topic);
    await give(w, "realm", "can_move_messages_between_topics_group", []);
    expect(await move(w, id, { topic: `✔ ${topic}` })).toMatchObject({ status: 200 });
    expect(await topicsOf(w, w.channel)).toEqual([`✔ ${"x".repeat(55)}...`]);
  });

  test("requires only the permission to resolve", async () => {
    const w = await scene();
    const id = await send(w, "mel");
    await give(w, "realm", "can_move_messages_between_topics_group", ["max"]);
    await give(w, "realm", "can_resolve_topics_group", ["mel"]);
    expect(await move(w, id, { topic: "✔ cake" }, "max")).toMatchObject({
      status: 400,
      body: { msg: "You don't have permission to resolve topics in this channel." },
      events: [],
    });
    expect(await move(w, id, { topic: "✔ cake" })).toMatchObject({ status: 200 });
    expect(await move(w, id, { topic: "✔ tart" })).toMatchObject({ status: 400, events: [] });
    expect(await move(w, id, { topic: "tart" })).toMatchObject({ status: 400, events: [] });
  });

  test("may be allowed by the channel", async () => {
    const w = await scene();
    const id = await send(w, "mel");
    await give(w, "realm", "can_resolve_topics_group", []);
    await give(w, "channel", "can_resolve_topics_group", ["gus"], w.channel);
    expect(await move(w, id, { topic: "✔ cake" })).toMatchObject({ status: 400 });
    expect(await move(w, id, { topic: "✔ cake" }, "gus")).toMatchObject({ status: 200 });
  });

  test.each(["✔ ", "✔ general chat", "✔ (no topic)"])("refuses the empty topic as %p", async (topic) => {
    const w = await scene();
    const id = await send(w, "mel", "");
    const msg = "The general chat topic cannot be marked as resolved.";
    expect(await move(w, id, { topic })).toMatchObject({ status: 400, body: { msg }, events: [] });
  });
});

describe("notices of a move", () => {
  const both = { send_notification_to_old_thread: true, send_notification_to_new_thread: true };

  test("name the destination and the origin of a topic", async () => {
    const w = await scene();
    const [id] = (await sendMany(w, ["mel", "max"])) as [number];
    await move(w, id, { topic: "tart", ...both });
    expect(texts(await noticesIn(w, w.channel, "tart"))).toEqual([
      `This topic was moved here from #**party>cake** by ${mention(w, "mel")}.`,
    ]);
    expect(texts(await noticesIn(w, w.channel, "cake"))).toEqual([
      `This topic was moved to #**party>tart** by ${mention(w, "mel")}.`,
    ]);
  });

  test("say how many messages moved", async () => {
    const w = await scene();
    const ids = await sendMany(w, ["mel", "max", "gus"]);
    await move(w, ids[1] as number, { topic: "tart", propagate_mode: "change_later", ...both });
    expect(texts(await noticesIn(w, w.channel, "tart"))).toEqual([
      `2 messages were moved here from #**party>cake** by ${mention(w, "mel")}.`,
    ]);
    expect(texts(await noticesIn(w, w.channel, "cake"))).toEqual([
      `2 messages were moved from this topic to #**party>tart** by ${mention(w, "mel")}.`,
    ]);
  });

  test("link to a single message", async () => {
    const w = await scene();
    const ids = await sendMany(w, ["mel", "max"]);
    await move(w, ids[0] as number, { topic: "a (b)", propagate_mode: "change_one", ...both });
    const near = `/#narrow/channel/${w.channel}-party/topic/a.20.28b.29/near/${ids[0]}`;
    expect(texts(await noticesIn(w, w.channel, "a (b)"))).toEqual([
      `[A message](${near}) was moved here from #**party>cake** by ${mention(w, "mel")}.`,
    ]);
    expect(texts(await noticesIn(w, w.channel, "cake"))).toEqual([
      `A message was moved from this topic to #**party>a (b)** by ${mention(w, "mel")}.`,
    ]);
  });

  test("count messages if a topic merges with another", async () => {
    const w = await scene();
    await send(w, "gus", "tart");
    const ids = await sendMany(w, ["mel", "max"]);
    await move(w, ids[0] as number, { topic: "tart", ...both });
    expect(texts(await noticesIn(w, w.channel, "tart"))).toEqual([
      `2 messages were moved here from #**party>cake** by ${mention(w, "mel")}.`,
    ]);
  });

  test("are posted only in the new topic by default, and are read for the mover", async () => {
    const w = await scene();
    const id = await send(w, "mel");
    const answer = await w.as("mel").patch(`/messages/${id}`, { topic: "tart" });
    expect(answer.events.map(({ event }) => event.type)).toEqual(["update_message", "message"]);
    const [notice] = await noticesIn(w, w.channel, "tart");
    expect(notice?.flags).toEqual(["read"]);
    expect((await noticesIn(w, w.channel, "tart", "max"))[0]?.flags).toEqual([]);
    expect(await noticesIn(w, w.channel, "cake")).toEqual([]);
  });

  test("are links whatever characters the names contain", async () => {
    const w = await scene();
    const topic = "**a** `b` [c] @**all** :tada: @7";
    await move(w, await send(w, "mel", topic), { topic: "tart", send_notification_to_new_thread: true });
    const [{ id } = { id: 0 }] = await noticesIn(w, w.channel, "tart");
    const { content } = (await w.as("mel").get(`/messages/${id}`)).body.message;
    expect(content).toContain(`>#party &gt; ${topic}</a> by <span class="user-mention silent"`);
  });

  test("of a resolved and renamed topic say both", async () => {
    const w = await scene();
    await move(w, await send(w, "mel"), { topic: "✔ tart", send_notification_to_new_thread: true });
    expect(texts(await noticesIn(w, w.channel, "✔ tart"))).toEqual([
      `This topic was moved here from #**party>cake** by ${mention(w, "mel")}.`,
      `${mention(w, "mel")} has marked this topic as resolved.`,
    ]);
  });

  test("do not reveal the name of a private channel", async () => {
    const w = await scene();
    const there = await open(w, "vault", ["mel"], shared);
    const id = await send(w, "mel");
    await move(w, id, { stream_id: there, ...both });
    const by = mention(w, "mel");
    expect(texts(await noticesIn(w, there, "cake"))).toEqual([
      `This topic was moved here from #**party>cake** by ${by}.`,
    ]);
    expect(texts(await noticesIn(w, w.channel, "cake"))).toEqual([
      `This topic was moved to a private channel by ${by}.`,
    ]);
    await move(w, id, { stream_id: w.channel, topic: "tart", ...both });
    expect(texts(await noticesIn(w, w.channel, "tart")).at(-1)).toBe(
      `This topic was moved here from a private channel by ${by}.`,
    );
  });
});

describe("policies of a topic", () => {
  const set = (w: World, name: CastName, topic: string, visibility_policy: number) =>
    w.as(name).post("/user_topics", { stream_id: 1, topic, visibility_policy });
  const policiesOf = async (w: World, name: CastName) =>
    (await w.queue(name)).state.user_topics.map((one: Json) => [one.topic_name, one.visibility_policy]);

  test("follow it if it moves completely", async () => {
    const w = await scene();
    const id = await send(w, "mel");
    await set(w, "max", "cake", policies.muted);
    const answer = await move(w, id, { topic: "tart" });
    expect(ofType(answer, "user_topic")).toMatchObject([
      { audience: ["max"], event: { topic_name: "cake", visibility_policy: 0 } },
      { audience: ["max"], event: { topic_name: "tart", visibility_policy: 1 } },
    ]);
    expect(await policiesOf(w, "max")).toEqual([["tart", policies.muted]]);
  });

  test("stay if a part of it stays", async () => {
    const w = await scene();
    const ids = await sendMany(w, ["mel", "max"]);
    await set(w, "max", "cake", policies.muted);
    await move(w, ids[0] as number, { topic: "tart", propagate_mode: "change_one" });
    expect(await policiesOf(w, "max")).toEqual([["cake", policies.muted]]);
  });

  test("keep the more visible one when topics merge", async () => {
    const w = await scene();
    await send(w, "gus", "tart");
    await set(w, "max", "cake", policies.followed);
    await set(w, "max", "tart", policies.muted);
    await move(w, await send(w, "mel"), { topic: "tart" });
    expect(await policiesOf(w, "max")).toEqual([["tart", policies.followed]]);
  });
});

describe("moving to another channel", () => {
  test("emits it to the subscribers of both, and to users with the message in their history", async () => {
    const w = await scene();
    const there = await open(w, "garden", ["mel", "bolt"]);
    const [id] = (await sendMany(w, ["mel", "max"])) as [number];
    await w.as("max").delete("/users/me/subscriptions", { subscriptions: ["party"] });
    w.clock.advance(5);
    const answer = await move(w, id, { stream_id: there });
    const event = { stream_id: w.channel, stream_name: "party", new_stream_id: there, orig_subject: "cake" };

    expect(ofType(answer, "update_message")).toMatchObject([
      { audience: ["moss", "mel", "max", "bolt"], event: { ...event, propagate_mode: "change_all" } },
    ]);
    expect(ofType(answer, "update_message")[0]?.event).not.toHaveProperty("subject");
    expect(await idsIn(w, there, "cake")).toHaveLength(2);
    const { message } = (await w.as("max").get(`/messages/${id}`)).body;
    expect(message).toMatchObject({
      stream_id: there,
      display_recipient: "garden",
      last_moved_timestamp: w.clock.now(),
      edit_history: [{ prev_stream: w.channel, stream: there }],
    });
  });

  test("removes it for guests who are not subscribed there", async () => {
    const w = await scene();
    const there = await open(w, "garden", ["mel"]);
    const id = await send(w, "mel");
    await w.as("gus").post("/messages/flags", { messages: [id], op: "add", flag: "starred" });
    const answer = await move(w, id, { stream_id: there });
    expect(eventsOf(answer, "update_message")).toEqual([[["moss", "mel", "max"], [id]]]);
    expect(ofType(answer, "delete_message")).toEqual([
      {
        audience: ["gus"],
        event: {
          type: "delete_message",
          message_ids: [id],
          message_type: "stream",
          stream_id: w.channel,
          topic: "cake",
        },
      },
    ]);
    expect(await seen(w, "gus", id)).toBe(false);
    expect((await w.queue("gus")).state.starred_messages).toEqual([]);
    expect((await w.queue("gus")).state.unread_msgs.count).toBe(0);
  });

  test("emits each lost message to older clients", async () => {
    const w = await scene();
    const there = await open(w, "garden", ["mel"]);
    const ids = await sendMany(w, ["mel", "max", "mel"]);
    const event_types = ["delete_message"];
    const old = await w.queue("gus", { client_capabilities: {}, event_types });
    const modern = await w.queue("gus", { event_types });
    await move(w, ids[0] as number, { stream_id: there });
    const gone = { type: "delete_message", message_type: "stream", topic: "cake" };
    expect(await old.poll()).toMatchObject(ids.map((message_id) => ({ ...gone, message_id })));
    expect(await modern.poll()).toMatchObject([{ ...gone, message_ids: ids }]);
  });

  test("adds it as read for a private channel's subscribers, and hides its new channel from others", async () => {
    const w = await scene();
    const there = await open(w, "vault", ["mel", "ada"], secret);
    const id = await send(w, "max");
    const types = { event_types: ["update_message", "delete_message"] };
    const [ada, max] = [await w.queue("ada", types), await w.queue("max", types)];
    const answer = await move(w, id, { stream_id: there });

    expect(eventsOf(answer, "update_message")).toEqual([[["ada", "mel"], [id]]]);
    expect(eventsOf(answer, "delete_message")).toEqual([[["moss", "max", "gus"], [id]]]);
    expect(await ada.poll()).toMatchObject([
      { type: "update_message", stream_name: "party", new_stream_id: there, flags: ["read", "historical"] },
    ]);
    expect(await max.poll()).toMatchObject([{ type: "delete_message" }]);
    const reaction = await w.as("mel").post(`/messages/${id}/reactions`, { emoji_name: "tada" });
    expect(reaction.events.map(({ audience }) => audience)).toEqual([["ada", "mel"]]);
    expect(await idsIn(w, there, "cake", "ada")).toEqual([id]);
    expect(await topicsOf(w, there, "ada")).toEqual(["cake"]);
    expect(await seen(w, "max", id)).toBe(false);
  });

  test("hides it from later subscribers of a protected channel, not from earlier ones", async () => {
    const w = await scene();
    const there = await open(w, "vault", ["mel", "ada"], secret);
    const id = await send(w, "mel");
    await move(w, id, { stream_id: there });
    const principals = [w.user("olive").id];
    await w.as("mel").post("/users/me/subscriptions", { subscriptions: [{ name: "vault" }], principals });
    expect(await seen(w, "olive", id)).toBe(false);
    expect(await topicsOf(w, there, "olive")).toEqual([]);
    await w.as("ada").delete("/users/me/subscriptions", { subscriptions: ["vault"] });
    expect(await seen(w, "ada", id)).toBe(false);
    await w.as("mel").post("/users/me/subscriptions", {
      subscriptions: [{ name: "vault" }],
      principals: [w.user("ada").id],
    });
    expect(await seen(w, "ada", id)).toBe(true);
  });

  test("shows it to later subscribers of a channel with shared history", async () => {
    const w = await scene();
    const there = await open(w, "vault", ["mel"], shared);
    const id = await send(w, "mel");
    await move(w, id, { stream_id: there });
    expect(await seen(w, "olive", id)).toBe(false);
    const principals = [w.user("olive").id];
    await w.as("mel").post("/users/me/subscriptions", { subscriptions: [{ name: "vault" }], principals });
    expect(await seen(w, "olive", id)).toBe(true);
  });

  test("out of a private channel does not reveal its name", async () => {
    const w = await scene();
    const from = await open(w, "vault", ["mel", "max"], shared);
    const id = await send(w, "mel", "gold", "vault");
    const answer = await move(w, id, { stream_id: w.channel });
    const received = ofType(answer, "update_message");
    expect(received.map(({ audience }) => audience)).toEqual([
      ["mel", "max"],
      ["moss", "gus"],
    ]);
    expect(received[0]?.event).toMatchObject({ stream_id: from, stream_name: "vault" });
    expect(received[1]?.event).toMatchObject({ stream_id: from, new_stream_id: w.channel });
    expect(received[1]?.event).not.toHaveProperty("stream_name");
    expect(await seen(w, "gus", id)).toBe(true);
  });

  test("out of a protected channel moves what the mover may read, and emits to each user what they lose or gain", async () => {
    const w = await scene();
    const from = await open(w, "vault", ["mel"], secret);
    const first = await send(w, "mel", "gold", "vault");
    const principals = [w.user("max").id];
    await w.as("mel").post("/users/me/subscriptions", { subscriptions: [{ name: "vault" }], principals });
    const second = await send(w, "mel", "gold", "vault");

    const answer = await move(w, second, { stream_id: w.channel }, "max");
    expect(eventsOf(answer, "update_message")).toEqual([
      [["mel", "max"], [second]],
      [["moss", "gus"], [second]],
    ]);
    expect(await idsIn(w, from, "gold")).toEqual([first]);
    const rest = await move(w, first, { stream_id: w.channel });
    expect(eventsOf(rest, "update_message")[0]).toEqual([["mel", "max"], [first]]);
    expect(await seen(w, "max", first)).toBe(true);
  });

  test("within a protected channel emits to each user what they may read", async () => {
    const w = world();
    await open(w, "vault", ["mel"], secret);
    const first = await send(w, "mel", "gold", "vault");
    const principals = [w.user("max").id];
    await w.as("mel").post("/users/me/subscriptions", { subscriptions: [{ name: "vault" }], principals });
    const second = await send(w, "mel", "gold", "vault");
    const answer = await move(w, first, { topic: "iron", content: "for mel alone" });
    expect(eventsOf(answer, "update_message")).toEqual([
      [["mel"], [first, second]],
      [["max"], [second]],
    ]);
    const [mel, max] = ofType(answer, "update_message").map(({ event }) => event);
    expect(mel).toMatchObject({ message_id: first, content: "for mel alone" });
    expect(max).toMatchObject({ message_id: second, subject: "iron" });
    expect(max).not.toHaveProperty("content");
  });

  test("and back restores everything", async () => {
    const w = await scene(secret);
    const there = await open(w, "vault", ["mel", "ada"], secret);
    const id = await send(w, "mel");
    const flags = async (name: CastName) => (await w.as(name).get(`/messages/${id}`)).body.message?.flags;
    await w.as("max").post("/messages/flags", { messages: [id], op: "add", flag: "read" });
    await move(w, id, { stream_id: there });
    const answer = await move(w, id, { stream_id: w.channel });
    expect(eventsOf(answer, "update_message")).toEqual([
      [["mel"], [id]],
      [["moss", "max", "gus"], [id]],
    ]);
    expect(eventsOf(answer, "delete_message")).toEqual([[["ada"], [id]]]);
    expect(await Promise.all((["max", "gus", "ada"] as const).map(flags))).toEqual([["read"], [], undefined]);
  });

  test("emits the new first message of each channel", async () => {
    const w = await scene();
    const there = await open(w, "garden", ["mel"]);
    const id = await send(w, "mel");
    const next = await send(w, "mel", "pie");
    const answer = await move(w, id, { stream_id: there });
    const change = { property: "first_message_id" };
    expect(ofType(answer, "stream").map(({ event }) => event)).toMatchObject([
      { ...change, stream_id: w.channel, value: next },
      { ...change, stream_id: there, value: id },
    ]);
  });

  test("together with a topic is one change", async () => {
    const w = await scene();
    const there = await open(w, "garden", ["mel"]);
    const id = await send(w, "mel");
    const answer = await move(w, id, { stream_id: there, topic: "tart" });
    expect(ofType(answer, "update_message")).toMatchObject([
      { event: { stream_id: w.channel, new_stream_id: there, orig_subject: "cake", subject: "tart" } },
    ]);
    const { message_history } = (await w.as("max").get(`/messages/${id}/history`)).body;
    expect(message_history).toMatchObject([
      { topic: "cake" },
      { prev_topic: "cake", topic: "tart", prev_stream: w.channel, stream: there },
    ]);
  });

  test("moves policies only if their users may read the target", async () => {
    const w = await scene();
    const there = await open(w, "vault", ["mel", "moss"], shared);
    const id = await send(w, "mel");
    for (const name of ["moss", "max"] as const) {
      await w.as(name).post("/user_topics", { stream_id: w.channel, topic: "cake", visibility_policy: 3 });
    }
    await move(w, id, { stream_id: there });
    const policy = async (name: CastName) => (await w.queue(name)).state.user_topics;
    expect(await policy("moss")).toMatchObject([{ stream_id: there, visibility_policy: 3 }]);
    expect(await policy("max")).toEqual([]);
  });

  test("refuses to change content at the same time", async () => {
    const w = await scene();
    const there = await open(w, "garden", ["mel"]);
    const id = await send(w, "mel");
    const msg = "A message's content and its channel cannot be changed at once.";
    const wish = { stream_id: there, content: "x", propagate_mode: "change_one" };
    expect(await move(w, id, wish)).toMatchObject({ status: 400, body: { msg }, events: [] });
  });

  test("refuses users without permission, unless the channel allows them", async () => {
    const w = await scene();
    const there = await open(w, "garden", ["mel", "max", "gus"]);
    const id = await send(w, "mel");
    const msg = "You don't have permission to move messages out of this channel.";
    expect(await move(w, id, { stream_id: there }, "gus")).toMatchObject({
      status: 400,
      body: { msg },
      events: [],
    });
    await give(w, "channel", "can_move_messages_out_of_channel_group", ["gus"], w.channel);
    expect(await move(w, id, { stream_id: there }, "gus")).toMatchObject({ status: 200 });
    await give(w, "realm", "can_move_messages_between_channels_group", []);
    expect(await move(w, id, { stream_id: w.channel }, "max")).toMatchObject({ status: 400, body: { msg } });
    await give(w, "channel", "can_administer_channel_group", ["max"], there);
    expect(await move(w, id, { stream_id: w.channel }, "max")).toMatchObject({ status: 200 });
  });

  test.each([
    ["unknown", 999],
    ["unseen", null],
  ] as const)("refuses an %s channel alike", async (_, given) => {
    const w = await scene();
    const stream_id = given ?? (await open(w, "vault", ["moss"], secret));
    const id = await send(w, "mel");
    expect(await move(w, id, { stream_id })).toMatchObject({
      status: 400,
      body: { code: "STREAM_DOES_NOT_EXIST", stream_id },
      events: [],
    });
  });

  test("refuses a channel where the actor may not post, or that is archived", async () => {
    const w = await scene();
    const there = await open(w, "garden", ["mel"]);
    const id = await send(w, "mel");
    await give(w, "channel", "can_send_message_group", ["max"], there);
    const msg = "You do not have permission to post in channel 'garden'.";
    expect(await move(w, id, { stream_id: there })).toMatchObject({ status: 400, body: { msg }, events: [] });
    await w.as("ada").delete(`/streams/${there}`);
    expect(await move(w, id, { stream_id: there }, "max")).toMatchObject({ status: 400, events: [] });
  });

  test("applies the other channel's topics policy", async () => {
    const w = await scene();
    const there = await open(w, "garden", ["mel"], { topics_policy: "empty_topic_only" });
    const id = await send(w, "mel");
    const msg = "Only the general chat topic is allowed in this channel.";
    expect(await move(w, id, { stream_id: there })).toMatchObject({ status: 400, body: { msg }, events: [] });
    expect(await move(w, id, { stream_id: there, topic: "" })).toMatchObject({ status: 200 });
  });
});
