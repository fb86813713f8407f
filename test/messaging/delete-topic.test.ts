import { describe, expect, test } from "bun:test";
import { type CastName, type World, world } from "../support/world.ts";

/** A channel of mel, max and gus, with messages of mel and max in two topics. */
async function scene(more: Record<string, unknown> = {}, options: Parameters<typeof world>[0] = {}) {
  const w = world(options);
  const subscribers = (["mel", "max", "gus"] as const).map((name) => w.user(name).id);
  const { body } = await w.as("ada").post("/channels/create", { name: "party", subscribers, ...more });
  const ids = {
    cake: [await send(w, "mel", "Cake"), await send(w, "max", "cake")],
    pie: [await send(w, "max", "pie")],
    more: [await send(w, "mel", "cake")],
  };
  return { ...w, channel: body.id as number, ids, cake: [...ids.cake, ...ids.more], pie: ids.pie };
}

async function send({ as }: World, who: CastName, topic: string, content = "a"): Promise<number> {
  return (await as(who).post("/messages", { type: "channel", to: "party", topic, content })).body.id;
}

/** Adds many plain messages by mel to the topic, in one transaction. */
async function fill({ app, ctx, user }: World, topic: string, count: number): Promise<void> {
  await app.env.db.write(ctx("system"), (tx) => {
    tx.run(
      "INSERT INTO messages (conversation_id, home_id, seq, sender_id, client_id, sent_at, bits, topic, topic_key, " +
        "content, rendered) SELECT conversation_id, conversation_id, last_seq + 1 + value, ?1, 1, ?2, 0, ?3, ?3, 'x', 'x' " +
        "FROM sequences, generate WHERE conversation_id = 1".replace(
          "generate",
          "(WITH RECURSIVE n (value) AS (SELECT 0 UNION ALL SELECT value + 1 FROM n WHERE value < ?4 - 1) SELECT value FROM n)",
        ),
      user("mel").id,
      tx.now,
      topic,
      count,
    );
    tx.run("UPDATE sequences SET last_seq = last_seq + ? WHERE conversation_id = 1", count);
  });
}

const remove = ({ as, channel }: World & { channel: number }, who: CastName, topic_name: string) =>
  as(who).post(`/streams/${channel}/delete_topic`, { topic_name });

/** The messages left in the channel. */
const left = ({ app, channel }: World & { channel: number }) =>
  app.env.db
    .all<{ id: number }>(
      "SELECT messages.id FROM messages JOIN conversations ON conversations.id = conversation_id WHERE channel_id = ?",
      channel,
    )
    .map((row) => row.id);

describe("delete-topic", () => {
  test("deletes all its messages, ignoring case, and emits once to their readers", async () => {
    const w = await scene();
    await w.as("gus").post(`/messages/${w.cake[0]}/reactions`, { emoji_name: "tada" });
    await w.as("gus").post("/messages/flags", { messages: w.cake, op: "add", flag: "starred" });
    const { body, events } = await remove(w, "ada", "CAKE");

    expect(body).toEqual({ result: "success", msg: "", complete: true });
    expect(left(w)).toEqual(w.pie);
    for (const table of ["reactions", "message_flags"])
      expect(w.app.env.db.all(`SELECT * FROM ${table}`)).toEqual([]);
    const place = { message_type: "stream", stream_id: w.channel };
    expect(events).toEqual([
      {
        audience: ["ada", "mel", "max", "gus"],
        event: { type: "delete_message", message_ids: w.cake, ...place, topic: "cake" },
      },
      {
        audience: ["olive", "ada", "moss", "mel", "max", "gus", "bolt"],
        event: expect.objectContaining({ type: "stream", property: "first_message_id", value: w.pie[0] }),
      },
    ]);
  });

  test("emits single messages to clients that do not know bulk deletion", async () => {
    const w = await scene();
    const [modern, old] = [await w.queue("max"), await w.queue("max", { client_capabilities: {} })];
    await remove(w, "ada", "cake");
    const deletionsIn = async (queue: typeof old) =>
      (await queue.poll()).filter(({ type }) => type === "delete_message");
    expect(await deletionsIn(modern)).toMatchObject([{ message_ids: w.cake }]);
    const single = (await deletionsIn(old)).map(({ message_id, message_ids }) => [message_id, message_ids]);
    expect(single.sort()).toEqual(w.cake.map((id) => [id, undefined]));
  });

  test("accepts every name of the empty topic", async () => {
    const w = await scene();
    const id = await send(w, "mel", "");
    expect((await remove(w, "ada", "general chat")).events[0]?.event).toMatchObject({
      message_ids: [id],
      topic: "",
    });
    expect(left(w)).not.toContain(id);
  });

  test("succeeds for a topic without messages", async () => {
    expect(await remove(await scene(), "ada", "nothing")).toMatchObject({
      status: 200,
      body: { complete: true },
      events: [],
    });
  });

  test("is allowed for users with the channel's permission, for all messages", async () => {
    const group = { direct_members: [world().user("max").id], direct_subgroups: [] };
    const w = await scene({ can_delete_any_message_group: group });
    expect((await remove(w, "max", "cake")).body.complete).toBe(true);
    expect(left(w)).toEqual(w.pie);
  });

  test("keeps messages the actor never received if history is protected", async () => {
    const w = await scene({ invite_only: true, history_public_to_subscribers: false });
    await w.as("mel").post("/users/me/subscriptions", {
      subscriptions: [{ name: "party" }],
      principals: [w.user("olive").id],
    });
    const later = await send(w, "max", "cake");
    const { body, events } = await remove(w, "olive", "cake");
    expect(body.complete).toBe(true);
    expect(left(w).sort()).toEqual([...w.cake, ...w.pie].sort());
    expect(events).toMatchObject([
      { audience: ["olive", "mel", "max", "gus"], event: { message_ids: [later] } },
    ]);
  });

  test("deletes messages moved to where the actor was subscribed, even if history is protected", async () => {
    const w = await scene({ invite_only: true, history_public_to_subscribers: false });
    await w.as("mel").post("/users/me/subscriptions", {
      subscriptions: [{ name: "party" }],
      principals: [w.user("olive").id],
    });
    await w.as("mel").post("/channels/create", { name: "kitchen", subscribers: [w.user("mel").id] });
    const recipe = { type: "channel", to: "kitchen", topic: "flan", content: "eggs" };
    const { id } = (await w.as("mel").post("/messages", recipe)).body;
    const move = { stream_id: w.channel, send_notification_to_new_thread: false };
    expect((await w.as("mel").patch(`/messages/${id}`, move)).status).toBe(200);

    const { events } = await remove(w, "olive", "flan");
    expect(left(w)).not.toContain(id);
    expect(events[0]).toMatchObject({
      audience: ["olive", "mel", "max", "gus"],
      event: { message_ids: [id], topic: "flan" },
    });
  });

  test("emits nothing about messages to users who never received them", async () => {
    const group = { direct_members: [world().user("mel").id], direct_subgroups: [] };
    const traits = {
      invite_only: true,
      history_public_to_subscribers: false,
      can_delete_any_message_group: group,
    };
    const w = await scene(traits);
    await w.as("mel").post("/users/me/subscriptions", {
      subscriptions: [{ name: "party" }],
      principals: [w.user("moss").id],
    });
    const later = await send(w, "max", "cake");
    const { events } = await remove(w, "mel", "cake");
    const deletionsIn = events.filter(({ event }) => event.type === "delete_message");
    expect(deletionsIn.map(({ audience, event }) => [audience, event.message_ids])).toEqual([
      [["moss"], [later]],
      [
        ["mel", "max", "gus"],
        [...w.cake, later],
      ],
    ]);
  });

  test("deletes a big topic in short batches, newest first", async () => {
    const batches: number[] = [];
    const w = await scene({}, { onBatch: (written) => batches.push(written.length) });
    await fill(w, "cake", 1200);
    batches.length = 0;
    const { body, events } = await remove(w, "ada", "cake");
    expect(body.complete).toBe(true);
    expect(left(w)).toEqual(w.pie);
    const deletionsIn = events
      .filter(({ event }) => event.type === "delete_message")
      .map(({ event }) => event.message_ids);
    expect(deletionsIn.map((ids) => ids.length)).toEqual([...Array(12).fill(100), 3]);
    expect(deletionsIn[0][0]).toBeGreaterThan(deletionsIn[1].at(-1));
    expect(Math.max(...batches)).toBeLessThan(12);
  });

  test("says so when time runs out, goes on, and a repeated request waits for the rest", async () => {
    let tick = () => {};
    const w = await scene({}, { onBatch: () => tick() });
    await fill(w, "cake", 12_000);
    tick = () => w.clock.advance(60);
    expect((await remove(w, "ada", "cake")).body).toMatchObject({ result: "success", complete: false });
    const early = left(w).length;
    expect(early).toBeGreaterThan(1);
    expect((await remove(w, "ada", "cake")).body.complete).toBe(false);
    expect(left(w).length).toBeLessThan(early);
    tick = () => {};
    expect((await remove(w, "ada", "cake")).body.complete).toBe(true);
    expect(left(w)).toEqual(w.pie);
  });

  test("goes on with the rights of its beginning", async () => {
    let batches = 0;
    let then = () => {};
    const w = await scene({}, { onBatch: () => ++batches && then() });
    await fill(w, "cake", 1200);
    batches = 0;
    then = () => {
      if (batches !== 3) return;
      const id = w.user("ada").id;
      void w.app.env.db.write(w.ctx("system"), (tx) =>
        tx.run("UPDATE users SET role = 600 WHERE id = ?", id),
      );
    };
    expect((await remove(w, "ada", "cake")).body.complete).toBe(true);
    expect(left(w)).toEqual(w.pie);
    expect((await remove(w, "ada", "pie")).status).toBe(400);
  });

  const forbidden = "You do not have permission to delete messages in channel 'party'.";
  test.each([
    ["a subscriber", "mel", {}, forbidden],
    ["a moderator", "moss", {}, forbidden],
    [
      "an administrator who cannot read there",
      "ada",
      { invite_only: true },
      "You do not have permission to read channel 'party'.",
    ],
    ["somebody who does not know of it", "moss", { invite_only: true }, "Invalid channel ID"],
  ] as const)("refuses %s", async (_, who, more, msg) => {
    const w = await scene(more);
    const before = left(w);
    const body = { code: "BAD_REQUEST", msg };
    expect(await remove(w, who, "cake")).toMatchObject({ status: 400, body, events: [] });
    expect(left(w)).toEqual(before);
  });

  test("refuses an unknown channel, and no topic", async () => {
    const w = await scene();
    expect(await remove({ ...w, channel: 99 }, "ada", "cake")).toMatchObject({
      status: 400,
      body: { code: "BAD_REQUEST", msg: "Invalid channel ID" },
      events: [],
    });
    expect(await w.as("ada").post(`/streams/${w.channel}/delete_topic`)).toMatchObject({
      status: 400,
      body: { code: "REQUEST_VARIABLE_MISSING", var_name: "topic_name" },
      events: [],
    });
  });
});
