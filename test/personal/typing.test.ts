import { describe, expect, test } from "bun:test";
import { createUser } from "@/foundation/accounts/actions.ts";
import type { Written } from "@/kernel/store/commit-log.ts";
import { type CastName, everyCapability, type World, world } from "../support/world.ts";

const start = { op: "start" };

/** A channel of mel, max and gus. */
async function office(more: Record<string, unknown> = {}) {
  const w = world();
  const subscribers = (["mel", "max", "gus"] as const).map((name) => w.user(name).id);
  const made = await w.as("ada").post("/channels/create", { name: "office", subscribers, ...more });
  const inChannel = { type: "channel", stream_id: made.body.id as number, topic: "plans" };
  return { ...w, inChannel };
}

function type(w: World, given: Record<string, unknown>, name: CastName = "mel") {
  return w.as(name).post("/typing", { ...start, ...given });
}

const personOf = (w: World, name: CastName) => ({ user_id: w.user(name).id, email: w.user(name).email });
const setting = (w: World, name: CastName, given: Record<string, unknown>) =>
  w.as(name).patch("/settings", given);

/** Subscribes as many people as the channel needs for `size` subscribers. */
async function growTo(w: World, size: number): Promise<void> {
  const add = (i: number) => ({ email: `extra${i}@example.com`, full_name: `Extra ${i}` });
  const made = await Promise.all(
    Array.from({ length: size - 3 }, (_, i) => createUser(w.ctx("ada"), add(i))),
  );
  const principals = made.map(({ user }) => user.user_id);
  await w.as("ada").post("/users/me/subscriptions", { subscriptions: [{ name: "office" }], principals });
}

describe("set-typing-status", () => {
  test.each(["start", "stop"])("emits a %s to the people of a direct conversation", async (op) => {
    const w = world();
    const to = [w.user("max").id, w.user("gus").id];
    const { status, events } = await type(w, { op, type: "direct", to });
    expect(status).toBe(200);
    expect(events).toEqual([
      {
        audience: ["mel", "max", "gus"],
        event: {
          type: "typing",
          op,
          message_type: "direct",
          sender: personOf(w, "mel"),
          recipients: [personOf(w, "mel"), personOf(w, "max"), personOf(w, "gus")],
        },
      },
    ]);
  });

  test.each(["stream", "channel"])("of type %s emits to the subscribers", async (named) => {
    const w = await office();
    const { events } = await type(w, { ...w.inChannel, type: named });
    expect(events).toEqual([
      {
        audience: ["mel", "max", "gus"],
        event: {
          type: "typing",
          op: "start",
          message_type: "stream",
          sender: personOf(w, "mel"),
          stream_id: w.inChannel.stream_id,
          topic: "plans",
        },
      },
    ]);
  });

  test("without a type is direct, and may go to the user alone", async () => {
    const w = world();
    const { events } = await type(w, { to: [w.user("mel").id] });
    const sender = personOf(w, "mel");
    expect(events).toMatchObject([
      { audience: ["mel"], event: { message_type: "direct", sender, recipients: [sender] } },
    ]);
  });

  test("is not stored", async () => {
    const written: Written[] = [];
    const w = world({ onBatch: (batch) => written.push(...batch) });
    expect((await type(w, { to: [w.user("max").id] })).events).toHaveLength(1);
    expect(written).toEqual([]);
  });

  test("in a channel reaches only clients that know it, with the topic in their form", async () => {
    const w = await office();
    const without = (name: keyof typeof everyCapability) =>
      w.queue("max", { client_capabilities: { ...everyCapability, [name]: false } });
    const plain = await w.queue("max");
    const unnamed = await without("empty_topic_name");
    const older = await without("stream_typing_notifications");
    await type(w, { ...w.inChannel, topic: "(no topic)" });
    await type(w, { to: [w.user("max").id] });
    expect(await plain.poll()).toMatchObject([{ topic: "" }, { message_type: "direct" }]);
    expect(await unnamed.poll()).toMatchObject([{ topic: "general chat" }, { message_type: "direct" }]);
    expect(await older.poll()).toMatchObject([{ message_type: "direct" }]);
  });

  test("is not sent to users who do not want to see it", async () => {
    const w = await office();
    await setting(w, "max", { receives_typing_notifications: false });
    expect((await type(w, w.inChannel)).events).toMatchObject([{ audience: ["mel", "gus"] }]);
    expect((await type(w, { to: [w.user("max").id] })).events).toMatchObject([{ audience: ["mel"] }]);
  });

  test("emits to up to a hundred subscribers, and to none if there are more", async () => {
    const w = await office();
    await growTo(w, 100);
    expect((await type(w, w.inChannel)).events).toHaveLength(1);
    await w.as("ada").post("/users/me/subscriptions", { subscriptions: [{ name: "office" }] });
    expect(await type(w, w.inChannel)).toMatchObject({ status: 200, events: [] });
  });

  test("is refused to users who turned it off, for each kind of conversation", async () => {
    const w = await office();
    const direct = { to: [w.user("max").id] };
    await setting(w, "mel", { send_private_typing_notifications: false });
    expect(await type(w, direct)).toMatchObject({
      status: 400,
      body: { code: "BAD_REQUEST", msg: "User has disabled typing notifications for direct messages" },
      events: [],
    });
    expect((await type(w, w.inChannel)).status).toBe(200);
    await setting(w, "mel", {
      send_private_typing_notifications: true,
      send_stream_typing_notifications: false,
    });
    expect(await type(w, w.inChannel)).toMatchObject({
      status: 400,
      body: { code: "BAD_REQUEST", msg: "User has disabled typing notifications for channel messages" },
      events: [],
    });
    expect((await type(w, direct)).status).toBe(200);
  });

  test.each([
    ["nobody to type to", { to: [] }, "Empty 'to' list"],
    ["an unknown person", { to: [4711] }, "Invalid user ID 4711"],
    ["another op", { op: "pause", to: [1] }, "The op must be 'start' or 'stop'."],
  ])("refuses %s", async (_, given, msg) => {
    const answer = await type(world(), given);
    expect(answer).toMatchObject({ status: 400, body: { code: "BAD_REQUEST", msg }, events: [] });
  });

  test.each([
    ["to", {}],
    ["stream_id", { type: "stream", topic: "plans" }],
    ["topic", { type: "stream", stream_id: 1 }],
    ["op", { op: undefined, to: [1] }],
  ])("needs %s", async (name, given) => {
    const body = { code: "REQUEST_VARIABLE_MISSING", var_name: name };
    expect(await type(world(), given)).toMatchObject({ status: 400, body, events: [] });
  });

  test("with an invalid topic is refused", async () => {
    const w = await office();
    const body = { code: "BAD_REQUEST", msg: "Invalid character in topic!" };
    const answer = await type(w, { ...w.inChannel, topic: "pla\0ns" });
    expect(answer).toMatchObject({ status: 400, body, events: [] });
  });

  test("in a channel that the user may not see or write to is refused", async () => {
    const w = await office({ invite_only: true });
    const unknown = { status: 400, body: { code: "STREAM_DOES_NOT_EXIST" }, events: [] };
    expect(await type(w, w.inChannel, "moss")).toMatchObject(unknown);
    expect(await type(w, { ...w.inChannel, stream_id: 4711 })).toMatchObject(unknown);

    const quiet = await office({ can_send_message_group: { direct_members: [], direct_subgroups: [] } });
    const refused = await type(quiet, quiet.inChannel);
    expect(refused).toMatchObject({ status: 400, body: { code: "BAD_REQUEST" }, events: [] });
  });
});

describe("set-typing-status-for-message-edit", () => {
  async function edited(more: Record<string, unknown> = {}) {
    const w = await office(more);
    const to = { type: "channel", to: "office", topic: "plans", content: "Hello" };
    const { body } = await w.as("mel").post("/messages", to);
    const id: number = body.id;
    const edit = (name: CastName = "mel", given: object = start) =>
      w.as(name).post(`/messages/${id}/typing`, { ...given });
    return { ...w, id, edit };
  }

  test.each(["start", "stop"])("emits a %s to the readers of the message", async (op) => {
    const w = await edited();
    const { status, events } = await w.edit("mel", { op });
    expect(status).toBe(200);
    expect(events).toEqual([
      {
        audience: ["mel", "max", "gus"],
        event: {
          type: "typing_edit_message",
          op,
          sender_id: w.user("mel").id,
          message_id: w.id,
          recipient: { type: "channel", channel_id: w.inChannel.stream_id, topic: "plans" },
        },
      },
    ]);
  });

  test("emits to the people of a direct conversation", async () => {
    const w = world();
    const people = [w.user("mel").id, w.user("max").id];
    const sent = await w.as("mel").post("/messages", { type: "direct", to: people, content: "Psst" });
    const { events } = await w.as("mel").post(`/messages/${sent.body.id}/typing`, start);
    expect(events).toMatchObject([
      { audience: ["mel", "max"], event: { recipient: { type: "direct", user_ids: people } } },
    ]);
  });

  test("leaves out users who joined later if history is protected", async () => {
    const w = await edited({ invite_only: true, history_public_to_subscribers: false });
    const principals = [w.user("moss").id];
    await w.as("mel").post("/users/me/subscriptions", { subscriptions: [{ name: "office" }], principals });
    expect((await w.edit()).events).toMatchObject([{ audience: ["mel", "max", "gus"] }]);
  });

  test("is not sent to users who do not want to see it, or to large channels", async () => {
    const w = await edited();
    await setting(w, "max", { receives_typing_notifications: false });
    expect((await w.edit()).events).toMatchObject([{ audience: ["mel", "gus"] }]);
    await growTo(w, 101);
    expect(await w.edit()).toMatchObject({ status: 200, events: [] });
  });

  test("is refused to users who turned it off", async () => {
    const w = await edited();
    await setting(w, "mel", { send_stream_typing_notifications: false });
    expect(await w.edit()).toMatchObject({ status: 400, body: { code: "BAD_REQUEST" }, events: [] });
  });

  test("of another user's message, an unreadable one or none is refused", async () => {
    const w = await edited({ invite_only: true });
    const own = { msg: "You may only edit your own messages." };
    expect(await w.edit("max")).toMatchObject({ status: 400, body: own, events: [] });
    const unknown = { status: 400, body: { msg: "Invalid message(s)" }, events: [] };
    expect(await w.edit("moss")).toMatchObject(unknown);
    expect(await w.as("mel").post("/messages/4711/typing", start)).toMatchObject(unknown);
  });

  test("needs an op", async () => {
    const w = await edited();
    const body = { code: "REQUEST_VARIABLE_MISSING", var_name: "op" };
    expect(await w.edit("mel", {})).toMatchObject({ status: 400, body, events: [] });
  });
});
