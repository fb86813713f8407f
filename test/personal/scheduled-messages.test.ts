import { describe, expect, test } from "bun:test";
import { open } from "@/app.ts";
import { domains } from "@/domains.ts";
import { createUser, deactivateUser } from "@/foundation/accounts/actions.ts";
import { reactivateRealm } from "@/foundation/realm-administration/actions.ts";
import { notificationBot } from "@/foundation/users/access.ts";
import type { Written } from "@/kernel/store/commit-log.ts";
import { testClock } from "../support/clock.ts";
import { temporaryFolders } from "../support/folder.ts";
import { runJob } from "../support/jobs.ts";
import { type CastName, type World, world } from "../support/world.ts";

const newFolder = temporaryFolders();
const hour = 3600;

/** Mel and max share a channel; mel schedules. */
async function office(options: Parameters<typeof world>[0] = {}) {
  const w = world(options);
  const subscribers = [w.user("mel").id, w.user("max").id];
  const made = await w.as("ada").post("/channels/create", { name: "office", subscribers });
  const channelId: number = made.body.id;
  const toChannel = { type: "channel", to: channelId, topic: "plans", content: "Good *morning*" };
  const toMax = { type: "direct", to: [w.user("max").id], content: "Psst" };
  return { ...w, channelId, toChannel, toMax, at: w.clock.now() + hour };
}
type Office = Awaited<ReturnType<typeof office>>;

function schedule(w: Office, given: object, who: CastName = "mel") {
  return w.as(who).post("/scheduled_messages", { scheduled_delivery_timestamp: w.at, ...given });
}

async function scheduled(w: Office, given: object, who: CastName = "mel"): Promise<number> {
  const { body } = await schedule(w, given, who);
  if (body.result !== "success") throw new Error(body.msg);
  return body.scheduled_message_id;
}

async function listOf(w: World, name: CastName = "mel") {
  return (await w.as(name).get("/scheduled_messages")).body.scheduled_messages;
}

async function messagesOf(w: World, name: CastName) {
  const asked = { anchor: "newest", num_before: 100, apply_markdown: false };
  return (await w.as(name).get("/messages", asked)).body.messages;
}

const deliver = (w: World) => runJob(w, "deliver-scheduled-messages");
const missing = {
  status: 404,
  body: { code: "BAD_REQUEST", msg: "Scheduled message does not exist" },
  events: [],
};

describe("create-scheduled-message", () => {
  test("stores a channel message, and emits it only to its sender's clients", async () => {
    const w = await office();
    const { status, body, events } = await schedule(w, w.toChannel);
    const message = {
      scheduled_message_id: body.scheduled_message_id,
      type: "stream",
      to: w.channelId,
      topic: "plans",
      content: "Good *morning*",
      rendered_content: "<p>Good <em>morning</em></p>",
      scheduled_delivery_timestamp: w.at,
      failed: false,
    };
    expect(status).toBe(200);
    expect(await listOf(w)).toEqual([message]);
    expect(await listOf(w, "max")).toEqual([]);
    expect(events).toEqual([
      {
        audience: ["mel"],
        event: { type: "scheduled_messages", op: "add", scheduled_messages: [message] },
      },
    ]);
    expect(await messagesOf(w, "max")).toEqual([]);
  });

  test("stores a direct message with the recipients' IDs", async () => {
    const w = await office();
    const { id: mel } = w.user("mel");
    const { id: max } = w.user("max");
    const { id: gus } = w.user("gus");
    await schedule(w, { ...w.toMax, to: [gus, mel, max, gus], topic: "ignored" });
    const [message] = await listOf(w);
    expect(message).toMatchObject({ type: "private", to: [max, gus] });
    expect(message).not.toHaveProperty("topic");
    await schedule(w, { ...w.toMax, to: [mel] });
    await schedule(w, { ...w.toMax, to: [] });
    expect((await listOf(w)).slice(1)).toMatchObject([{ to: [mel] }, { to: [mel] }]);
  });

  test.each([
    ["stream", "stream"],
    ["channel", "stream"],
  ])("takes the type %s, and a channel in a list", async (type, kept) => {
    const w = await office();
    await schedule(w, { ...w.toChannel, type, to: [w.channelId] });
    expect(await listOf(w)).toMatchObject([{ type: kept, to: w.channelId }]);
  });

  test.each([
    ["private", "private"],
    ["direct", "private"],
  ])("takes the type %s, and one person without a list", async (type, kept) => {
    const w = await office();
    const { id: max } = w.user("max");
    await schedule(w, { ...w.toMax, type, to: max });
    expect(await listOf(w)).toMatchObject([{ type: kept, to: [max] }]);
  });

  test.each([
    [
      "a time that is now",
      (w: Office) => ({ ...w.toMax, scheduled_delivery_timestamp: w.clock.now() }),
      "Scheduled delivery time must be in the future.",
    ],
    ["an unknown person", (w: Office) => ({ ...w.toMax, to: [4711] }), "Invalid user ID 4711"],
    [
      "somebody who left",
      (w: Office) => ({ ...w.toMax, to: [w.user("dex").id] }),
      "'dex@example.com' is no longer using this organization.",
    ],
    ["no content", (w: Office) => ({ ...w.toMax, content: " \n" }), "Message must not be empty"],
    ["a null byte", (w: Office) => ({ ...w.toMax, content: "a\0b" }), "Message must not contain null bytes"],
    ["no topic", (w: Office) => ({ ...w.toChannel, topic: undefined }), "A channel message needs a topic."],
    [
      "two channels",
      (w: Office) => ({ ...w.toChannel, to: [w.channelId, 7] }),
      "A channel message goes to exactly one channel.",
    ],
    [
      "a channel by name",
      (w: Office) => ({ ...w.toChannel, to: ["office"] }),
      "Recipients must be a channel ID, or a list of at most 1000 user IDs.",
    ],
  ])("refuses %s", async (_, given, msg) => {
    const w = await office();
    const answer = await schedule(w, given(w));
    expect(answer).toMatchObject({ status: 400, body: { code: "BAD_REQUEST", msg }, events: [] });
    expect(await listOf(w)).toEqual([]);
  });

  test("answers the same for an unknown and an invisible channel", async () => {
    const w = await office();
    const hidden = await w.as("ada").post("/channels/create", {
      name: "hidden",
      subscribers: [w.user("ada").id],
      invite_only: true,
    });
    for (const to of [4711, hidden.body.id as number]) {
      const answer = await schedule(w, { ...w.toChannel, to });
      expect(answer).toMatchObject({
        status: 400,
        body: {
          code: "STREAM_DOES_NOT_EXIST",
          msg: `Channel with ID '${to}' does not exist`,
          stream_id: to,
        },
        events: [],
      });
    }
  });

  test("refuses mentions that its sender may not use", async () => {
    const w = await office();
    const made = await Promise.all(
      Array.from({ length: 16 }, (_, i) =>
        createUser(w.ctx("ada"), { email: `extra${i}@example.com`, full_name: `Extra ${i}` }),
      ),
    );
    const principals = made.map(({ user }) => user.user_id);
    const subscriptions = [{ name: "office" }];
    await w.as("ada").post("/users/me/subscriptions", { subscriptions, principals });
    const answer = await schedule(w, { ...w.toChannel, content: "@**all**" });
    const code = "STREAM_WILDCARD_MENTION_NOT_ALLOWED";
    expect(answer).toMatchObject({ status: 400, body: { code }, events: [] });
  });

  test.each(["type", "to", "content", "scheduled_delivery_timestamp"])("needs %s", async (name) => {
    const w = await office();
    const answer = await schedule(w, { ...w.toMax, [name]: undefined });
    const body = { code: "REQUEST_VARIABLE_MISSING", var_name: name };
    expect(answer).toMatchObject({ status: 400, body, events: [] });
  });

  test("refuses more than a thousand", async () => {
    const w = await office();
    await Promise.all(Array.from({ length: 1000 }, () => schedule(w, w.toMax)));
    const answer = await schedule(w, w.toMax);
    expect(answer).toMatchObject({ status: 400, body: { code: "BAD_REQUEST" }, events: [] });
    expect(answer.body.msg).toBe("You can have at most 1000 messages scheduled.");
  });
});

describe("all scheduled messages together", () => {
  test("fit into one response", async () => {
    const w = await office();
    const long = { ...w.toMax, content: "❤".repeat(10_000) };
    const body = {
      code: "BAD_REQUEST",
      msg: "Your scheduled messages are too long in total: shorten or delete some first.",
    };
    let answer = await schedule(w, long);
    for (let n = 0; n < 150 && answer.status === 200; n++) answer = await schedule(w, long);
    expect(answer).toMatchObject({ status: 400, body, events: [] });

    const short = await scheduled(w, w.toMax);
    const lengthen = () => w.as("mel").patch(`/scheduled_messages/${short}`, { content: long.content });
    expect(await lengthen()).toMatchObject({ status: 400, body, events: [] });
    const [first] = (await w.as("mel").get("/scheduled_messages")).body.scheduled_messages;
    await w.as("mel").delete(`/scheduled_messages/${first.scheduled_message_id}`);
    expect((await lengthen()).status).toBe(200);
  });
});

describe("get-scheduled-messages", () => {
  test("lists the caller's own by time of delivery, as the initial state does", async () => {
    const w = await office();
    const later = await scheduled(w, { ...w.toMax, scheduled_delivery_timestamp: w.at + 1 });
    const sooner = await scheduled(w, w.toChannel);
    await scheduled(w, { ...w.toMax, to: [w.user("mel").id] }, "max");
    const listed = await listOf(w);
    const ids = listed.map((one: { scheduled_message_id: number }) => one.scheduled_message_id);
    expect(ids).toEqual([sooner, later]);
    const { state } = await w.queue("mel", { fetch_event_types: ["scheduled_messages"] });
    expect(state.scheduled_messages).toEqual(listed);
    expect((await w.queue("gus")).state.scheduled_messages).toEqual([]);
  });
});

describe("update-scheduled-message", () => {
  test.each([
    [
      "content",
      { content: "Good **night**" },
      { content: "Good **night**", rendered_content: "<p>Good <strong>night</strong></p>" },
    ],
    ["topic", { topic: "other" }, { topic: "other" }],
    [
      "time",
      { scheduled_delivery_timestamp: 4_000_000_000 },
      { scheduled_delivery_timestamp: 4_000_000_000 },
    ],
  ])("changes only the %s, and emits that to its sender's clients", async (_, given, changes) => {
    const w = await office();
    const id = await scheduled(w, w.toChannel);
    const [before] = await listOf(w);
    const { status, events } = await w.as("mel").patch(`/scheduled_messages/${id}`, given);
    const scheduled_message = { ...before, ...changes };
    expect(status).toBe(200);
    expect(await listOf(w)).toEqual([scheduled_message]);
    expect(events).toEqual([
      { audience: ["mel"], event: { type: "scheduled_messages", op: "update", scheduled_message } },
    ]);
  });

  test("changes the recipient, also to the other kind", async () => {
    const w = await office();
    const id = await scheduled(w, w.toChannel);
    const { id: max } = w.user("max");
    const edit = (given: object) => w.as("mel").patch(`/scheduled_messages/${id}`, { ...given });
    expect((await edit({ type: "direct", to: [max] })).status).toBe(200);
    expect(await listOf(w)).toMatchObject([{ type: "private", to: [max], content: w.toChannel.content }]);
    expect((await edit({ to: [max, w.user("gus").id] })).status).toBe(200);
    expect(await listOf(w)).toMatchObject([{ to: [max, w.user("gus").id] }]);
    expect((await edit({ type: "stream", to: w.channelId, topic: "back" })).status).toBe(200);
    expect(await listOf(w)).toMatchObject([{ type: "stream", to: w.channelId, topic: "back" }]);
    expect((await edit({ type: "channel", content: "Same kind" })).status).toBe(200);
    expect(await listOf(w)).toMatchObject([{ topic: "back", content: "Same kind" }]);
  });

  test.each([
    ["nothing", () => ({}), "Nothing to change"],
    [
      "another type without a recipient",
      () => ({ type: "direct" }),
      "Recipient required when updating type of scheduled message.",
    ],
    [
      "a time that has passed",
      (w: Office) => ({ scheduled_delivery_timestamp: w.clock.now() }),
      "Scheduled delivery time must be in the future.",
    ],
    ["an unknown person", () => ({ type: "direct", to: [4711] }), "Invalid user ID 4711"],
    ["no content", () => ({ content: "" }), "Message must not be empty"],
  ])("refuses %s, and changes nothing", async (_, given, msg) => {
    const w = await office();
    const id = await scheduled(w, w.toChannel);
    const before = await listOf(w);
    const answer = await w.as("mel").patch(`/scheduled_messages/${id}`, given(w));
    expect(answer).toMatchObject({ status: 400, body: { code: "BAD_REQUEST", msg }, events: [] });
    expect(await listOf(w)).toEqual(before);
  });

  test("refuses a channel without a topic, and an unknown one", async () => {
    const w = await office();
    const id = await scheduled(w, w.toMax);
    const edit = (given: object) => w.as("mel").patch(`/scheduled_messages/${id}`, { ...given });
    expect(await edit({ type: "channel", to: w.channelId })).toMatchObject({
      status: 400,
      body: { msg: "Topic required when updating scheduled message type to channel." },
      events: [],
    });
    expect(await edit({ type: "channel", to: 4711, topic: "x" })).toMatchObject({
      status: 400,
      body: { code: "STREAM_DOES_NOT_EXIST", stream_id: 4711 },
      events: [],
    });
  });

  test("answers for another user's message as if it did not exist", async () => {
    const w = await office();
    const id = await scheduled(w, w.toMax);
    expect(await w.as("max").patch(`/scheduled_messages/${id}`, { content: "x" })).toMatchObject(missing);
    expect(await w.as("mel").patch("/scheduled_messages/4711", { content: "x" })).toMatchObject(missing);
  });

  test("answers for a sent message as if it did not exist", async () => {
    const w = await office();
    const id = await scheduled(w, w.toMax);
    w.clock.advance(hour);
    await deliver(w);
    expect(await w.as("mel").patch(`/scheduled_messages/${id}`, { content: "x" })).toMatchObject(missing);
  });
});

describe("delete-scheduled-message", () => {
  test("deletes it, and emits it only to its sender's clients", async () => {
    const w = await office();
    const id = await scheduled(w, w.toMax);
    const { status, events } = await w.as("mel").delete(`/scheduled_messages/${id}`);
    expect(status).toBe(200);
    expect(await listOf(w)).toEqual([]);
    expect(events).toEqual([
      {
        audience: ["mel"],
        event: { type: "scheduled_messages", op: "remove", scheduled_message_id: id },
      },
    ]);
    w.clock.advance(hour);
    expect(await deliver(w)).toEqual([]);
  });

  test("answers for another user's message as if it did not exist", async () => {
    const w = await office();
    const id = await scheduled(w, w.toMax);
    expect(await w.as("max").delete(`/scheduled_messages/${id}`)).toMatchObject(missing);
    expect(await w.as("mel").delete("/scheduled_messages/4711")).toMatchObject(missing);
    expect(await listOf(w)).toHaveLength(1);
  });
});

describe("delivery of scheduled messages", () => {
  test("sends at the time, not before, and once", async () => {
    const w = await office();
    const id = await scheduled(w, w.toChannel);
    w.clock.advance(hour - 1);
    expect(await deliver(w)).toEqual([]);
    expect(await messagesOf(w, "max")).toEqual([]);

    w.clock.advance(1);
    const events = await deliver(w);
    expect(events).toMatchObject([
      { audience: ["mel", "max"], event: { type: "message", message: { subject: "plans" } } },
      { audience: ["mel"], event: { type: "user_topic", topic_name: "plans", visibility_policy: 3 } },
      {
        audience: ["mel"],
        event: { type: "scheduled_messages", op: "remove", scheduled_message_id: id },
      },
    ]);
    expect(await messagesOf(w, "max")).toMatchObject([
      {
        sender_id: w.user("mel").id,
        content: "Good *morning*",
        subject: "plans",
        timestamp: w.at,
        client: "test",
        flags: [],
      },
    ]);
    expect(await listOf(w)).toEqual([]);
    expect(await deliver(w)).toEqual([]);
    expect(await messagesOf(w, "max")).toHaveLength(1);
  });

  test("runs every second", () => {
    const jobs = domains.flatMap(({ jobs = [] }) => jobs);
    const job = jobs.find(({ name }) => name === "deliver-scheduled-messages");
    expect(job?.everySeconds).toBe(1);
  });

  test("sends once, even if two jobs overlap", async () => {
    const w = await office();
    await scheduled(w, w.toChannel);
    w.clock.advance(hour);
    await Promise.all([deliver(w), deliver(w)]);
    expect(await messagesOf(w, "max")).toHaveLength(1);
  });

  test.each([
    [true, ["read"]],
    [false, []],
    [undefined, []],
  ])("with read_by_sender %p leaves the sender with the flags %p", async (read_by_sender, flags) => {
    const w = await office();
    await scheduled(w, { ...w.toMax, read_by_sender });
    w.clock.advance(hour);
    await deliver(w);
    expect(await messagesOf(w, "mel")).toMatchObject([{ flags }]);
  });

  test("sends the message as last edited", async () => {
    const w = await office();
    const id = await scheduled(w, w.toChannel);
    const edit = (given: object) => w.as("mel").patch(`/scheduled_messages/${id}`, { ...given });
    await edit({ content: "Later", scheduled_delivery_timestamp: w.at + hour });
    await edit({ type: "direct", to: [w.user("gus").id] });
    w.clock.advance(hour);
    expect(await deliver(w)).toEqual([]);
    w.clock.advance(hour);
    await deliver(w);
    expect(await messagesOf(w, "gus")).toMatchObject([{ content: "Later", type: "private" }]);
    expect(await messagesOf(w, "max")).toEqual([]);
  });

  test("sends all due messages, in the order of their times", async () => {
    const w = await office();
    const times = Array.from({ length: 250 }, (_, i) => w.at + ((i * 7) % 250));
    await Promise.all(
      times.map((time) =>
        schedule(w, { ...w.toChannel, content: `${time}`, scheduled_delivery_timestamp: time }),
      ),
    );
    w.clock.advance(hour + 249);
    await deliver(w);
    const asked = { anchor: "newest", num_before: 300, apply_markdown: false };
    const { messages } = (await w.as("max").get("/messages", asked)).body;
    const sent = messages.map(({ content }: { content: string }) => Number(content));
    expect(sent).toEqual(times.toSorted((a, b) => a - b));
  });

  test("is sent once after a restart", async () => {
    const folder = newFolder();
    const w = await office();
    const id = await scheduled(w, w.toChannel);
    await Bun.write(`${folder}/confab.db`, w.app.env.db.sqlite.serialize());
    const clock = testClock();
    clock.advance(hour);
    const job = domains.flatMap(({ jobs = [] }) => jobs).find((one) => one.name.includes("scheduled"));
    const counts: number[] = [];
    for (let start = 0; start < 2; start++) {
      const app = open(folder, { hosting: true, clock });
      await job?.run(app.system);
      const { n } = app.env.db.get<{ n: number }>("SELECT COUNT(*) AS n FROM messages") ?? { n: -1 };
      const left = app.env.db.get("SELECT id FROM scheduled_messages WHERE id = ?", id);
      counts.push(left ? -1 : n);
      await app.close();
    }
    expect(counts).toEqual([1, 1]);
  });

  test("is retried after a failed write, and sends once", async () => {
    let full = false;
    const onBatch = (written: Written[]) => {
      if (full && written.some(({ sql }) => sql.startsWith("DELETE FROM scheduled"))) {
        throw new Error("disk full");
      }
    };
    const w = await office({ onBatch });
    await scheduled(w, w.toChannel);
    w.clock.advance(hour);
    full = true;
    await expect(deliver(w)).rejects.toMatchObject({ code: "SERVER_NOT_READY" });
    expect(await messagesOf(w, "max")).toEqual([]);
    expect(await listOf(w)).toMatchObject([{ failed: false }]);
    full = false;
    await deliver(w);
    expect(await messagesOf(w, "max")).toHaveLength(1);
    expect(await listOf(w)).toEqual([]);
  });
});

describe("a scheduled message that cannot be sent", () => {
  /** A message of mel's to a private channel, due now, after she was removed from it; with the results of its delivery. */
  async function failed() {
    const w = await office();
    const subscribers = [w.user("mel").id, w.user("max").id];
    const den = await w.as("ada").post("/channels/create", { name: "den", subscribers, invite_only: true });
    const channelId: number = den.body.id;
    const id = await scheduled(w, { ...w.toChannel, to: channelId });
    const principals = [w.user("mel").id];
    await w.as("ada").delete("/users/me/subscriptions", { subscriptions: ["den"], principals });
    w.clock.advance(hour);
    return { ...w, id, channelId, caused: await deliver(w) };
  }

  test("is kept as failed, and its sender gets a notice why", async () => {
    const w = await failed();
    const [message] = await listOf(w);
    expect(message).toMatchObject({ scheduled_message_id: w.id, failed: true });
    expect(w.caused).toMatchObject([
      {
        audience: ["mel"],
        event: { type: "scheduled_messages", op: "update", scheduled_message: message },
      },
      { audience: [notificationBot(w.ctx("mel")).id, "mel"].sort(), event: { type: "message" } },
    ]);
    const [notice] = await messagesOf(w, "mel");
    const time = new Date(w.at * 1000).toISOString();
    expect(notice.sender_full_name).toBe("Notification Bot");
    expect(notice.content).toBe(
      `The message you scheduled for <time:${time}> was not sent:\n` +
        `> Channel with ID '${w.channelId}' does not exist\n\n` +
        "This is what you wrote:\n```quote\nGood *morning*\n```\n\n" +
        "You can find it in your [scheduled messages](#scheduled).",
    );
    expect(await messagesOf(w, "max")).toEqual([]);
  });

  test("is quoted, truncated if necessary, whatever fences it contains", async () => {
    const w = await office();
    const tell = async (content: string) => {
      await scheduled(w, { ...w.toMax, content });
      w.clock.advance(hour + 601);
      await deliver(w);
      w.at += hour + 601;
      return (await messagesOf(w, "mel")).at(-1).content as string;
    };
    const fenced = "````quote\nmine\n````\n# not the notice's\n```";
    expect(await tell(fenced)).toContain(`\n\`\`\`\`\`quote\n${fenced}\n\`\`\`\`\`\n\nYou can find it`);
    const marks = "`".repeat(9_700);
    expect(await tell(`Begin ${marks}`)).toContain(
      `\n\`\`\`quote\nBegin ${marks}\n\`\`\`\n\nYou can find it`,
    );
    expect(await tell(`${marks}\nEnd`)).toMatch(
      /\n(`{2000,})quote\n`{2000,}\n\[message truncated\]\n\1\n\nYou can find it in your \S* \S*$/,
    );
    const long = await tell(`Begin ${"x".repeat(9_990)}`);
    expect(long.length).toBeLessThanOrEqual(10_000);
    expect(long).toContain("```quote\nBegin xxx");
    expect(long).toEndWith(
      "\n[message truncated]\n```\n\nYou can find it in your [scheduled messages](#scheduled).",
    );
  });

  test("reveals nothing in its notice that its sender may not see", async () => {
    const w = await office();
    const secret = { name: "den", subscribers: [w.user("ada").id], invite_only: true };
    const den = await w.as("ada").post("/channels/create", secret);
    const params = {
      ...w.toMax,
      content: "Is there #**den**, @**all**?",
      scheduled_delivery_timestamp: w.at,
    };
    await scheduled(w, params);
    w.clock.advance(hour + 601);
    await deliver(w);
    const asked = { anchor: "newest", num_before: 1, num_after: 0 };
    const { messages } = (await w.as("mel").get("/messages", asked)).body;
    expect(messages[0].content).toContain("Is there #**den**");
    expect(messages[0].content).not.toContain(`data-stream-id="${den.body.id}"`);
    expect(messages[0].flags).toEqual([]);
  });

  test("is not tried again", async () => {
    const w = await failed();
    w.clock.advance(60);
    expect(await deliver(w)).toEqual([]);
  });

  test("needs a new time with any edit, and is then sent", async () => {
    const w = await failed();
    const edit = (given: object) => w.as("mel").patch(`/scheduled_messages/${w.id}`, { ...given });
    const toMax = { type: "direct", to: [w.user("max").id] };
    expect(await edit(toMax)).toMatchObject({
      status: 400,
      body: { code: "BAD_REQUEST", msg: "This message could not be sent: give it a new delivery time." },
      events: [],
    });
    const { events } = await edit({ ...toMax, scheduled_delivery_timestamp: w.clock.now() + 1 });
    expect(events).toMatchObject([{ event: { op: "update", scheduled_message: { failed: false } } }]);
    w.clock.advance(1);
    await deliver(w);
    expect(await messagesOf(w, "max")).toMatchObject([{ content: "Good *morning*" }]);
  });

  test("can be deleted", async () => {
    const w = await failed();
    expect((await w.as("mel").delete(`/scheduled_messages/${w.id}`)).status).toBe(200);
    expect(await listOf(w)).toEqual([]);
  });

  test("does not delay others", async () => {
    const w = await office();
    await scheduled(w, { ...w.toMax, to: [w.user("gus").id] });
    await scheduled(w, { ...w.toMax, content: "Mine" });
    await deactivateUser(w.ctx("ada"), w.user("gus").id);
    w.clock.advance(hour);
    await deliver(w);
    expect(await listOf(w)).toMatchObject([{ failed: true }]);
    expect(await messagesOf(w, "max")).toMatchObject([{ content: "Mine" }]);
  });

  test("fails if the server is ten minutes late", async () => {
    const w = await office();
    await scheduled(w, { ...w.toMax, content: "Late" });
    await scheduled(w, { ...w.toMax, content: "Too late", scheduled_delivery_timestamp: w.at - 1 });
    w.clock.advance(hour + 600);
    await deliver(w);
    expect(await messagesOf(w, "max")).toMatchObject([{ content: "Late" }]);
    expect(await listOf(w)).toMatchObject([{ content: "Too late", failed: true }]);
    const notice = (await messagesOf(w, "mel")).find(
      (one: { type: string; sender_full_name: string }) => one.sender_full_name !== "Mel",
    );
    expect(notice.content).toContain("\n> The server was not running at the scheduled time.\n");
  });

  test("fails in a deactivated organization", async () => {
    const w = await office();
    await scheduled(w, w.toMax);
    await w.as("olive").post("/realm/deactivate");
    w.clock.advance(hour);
    await deliver(w);
    await reactivateRealm(w.ctx("olive"));
    expect(await listOf(w)).toMatchObject([{ failed: true }]);
    expect(await messagesOf(w, "max")).toEqual([]);
  });

  test("fails if its sender was deactivated, without a notice", async () => {
    const w = await office();
    const id = await scheduled(w, w.toMax);
    await deactivateUser(w.ctx("ada"), w.user("mel").id);
    w.clock.advance(hour);
    expect(await deliver(w)).toMatchObject([{ event: { type: "scheduled_messages", op: "update" } }]);
    expect(await messagesOf(w, "max")).toEqual([]);
    const row = w.app.env.db.get("SELECT failed FROM scheduled_messages WHERE id = ?", id);
    expect(row).toEqual({ failed: 1 });
  });
});
