import { describe, expect, test } from "bun:test";
import { giveGrant } from "@/foundation/permissions/actions.ts";
import type { GroupSettingValue } from "@/foundation/permissions/schema.ts";
import { realmSettings } from "@/foundation/realm/schema.ts";
import { indexAll } from "@/messaging/message-index/actions.ts";
import { type CastName, type World, world } from "../support/world.ts";

/** A channel of mel, max and gus, with a message by mel that mentions max and has a reaction. */
async function scene(more: Record<string, unknown> = {}) {
  const w = world();
  const subscribers = (["mel", "max", "gus"] as const).map((name) => w.user(name).id);
  const { body } = await w.as("ada").post("/channels/create", { name: "party", subscribers, ...more });
  const id = await send(w, "mel", "cake for @**Max**");
  await w.as("max").post(`/messages/${id}/reactions`, { emoji_name: "tada" });
  return { ...w, id, channel: body.id as number };
}

async function send({ as }: World, name: CastName, content: string, topic = ""): Promise<number> {
  return (await as(name).post("/messages", { type: "channel", to: "party", topic, content })).body.id;
}

/** Rows that still refer to a message, by table. */
async function traces({ app }: World, id: number) {
  await indexAll(app.system);
  const count = (sql: string) => app.env.db.get<{ n: number }>(sql, id)?.n;
  return [
    count("SELECT COUNT(*) AS n FROM messages WHERE id = ?"),
    count("SELECT COUNT(*) AS n FROM message_flags WHERE message_id = ?"),
    count("SELECT COUNT(*) AS n FROM reactions WHERE message_id = ?"),
    count("SELECT COUNT(*) AS n FROM message_index WHERE message_index MATCH 'cake' AND rowid = ?"),
  ];
}

const refusal = { code: "BAD_REQUEST", msg: "You don't have permission to delete this message" };

describe("delete-message", () => {
  test("deletes it with everything attached, and emits it to its readers", async () => {
    const w = await scene();
    expect(await traces(w, w.id)).toEqual([1, 1, 1, 1]);
    const plain = await w.queue("gus", { client_capabilities: {} });
    const { status, events } = await w.as("mel").delete(`/messages/${w.id}`);

    expect(status).toBe(200);
    expect(await traces(w, w.id)).toEqual([0, 0, 0, 0]);
    const place = { message_type: "stream", stream_id: w.channel };
    expect(events).toEqual([
      {
        audience: ["mel", "max", "gus"],
        event: { type: "delete_message", message_ids: [w.id], ...place, topic: "" },
      },
      {
        audience: ["olive", "ada", "moss", "mel", "max", "gus", "bolt"],
        event: {
          type: "stream",
          op: "update",
          stream_id: w.channel,
          name: "party",
          property: "first_message_id",
          value: null,
        },
      },
    ]);
    expect(await plain.poll()).toMatchObject([
      { type: "delete_message", message_id: w.id, ...place, topic: "general chat" },
      { type: "stream", property: "first_message_id" },
    ]);
    expect((await w.as("max").get(`/messages/${w.id}`)).body.msg).toBe("Invalid message(s)");
  });

  test("emits the change of the first message to everyone who sees the channel", async () => {
    const w = await scene({ invite_only: true });
    const next = await send(w, "mel", "more cake");
    const first = (value: number | null) => ({
      audience: ["olive", "ada", "mel", "max", "gus"],
      event: { type: "stream", op: "update", stream_id: w.channel, property: "first_message_id", value },
    });
    expect((await w.as("mel").delete(`/messages/${w.id}`)).events.slice(1)).toMatchObject([first(next)]);
    const last = await send(w, "mel", "last cake");
    expect((await w.as("mel").delete(`/messages/${last}`)).events).toHaveLength(1);
    expect((await w.as("mel").delete(`/messages/${next}`)).events.slice(1)).toMatchObject([first(null)]);
  });

  test("leaves other unread messages unread", async () => {
    const w = await scene();
    const before = [await send(w, "mel", "a"), await send(w, "mel", "b")];
    await w.as("mel").delete(`/messages/${before[1]}`);
    const after = await send(w, "mel", "c");
    const { unread_msgs } = (await w.queue("gus")).state;
    expect(after).toBeGreaterThan(before[1] as number);
    expect(unread_msgs.streams[0].unread_message_ids).toEqual([w.id, before[0], after]);
  });

  test("of a direct message is emitted to its participants", async () => {
    const w = world();
    const to = [w.user("max").id];
    const { id } = (await w.as("mel").post("/messages", { type: "direct", to, content: "psst" })).body;
    expect(await w.as("mel").delete(`/messages/${id}`)).toMatchObject({
      status: 200,
      events: [{ audience: ["mel", "max"], event: { message_ids: [id], message_type: "private" } }],
    });
  });

  test("is allowed to administrators for any message", async () => {
    const w = await scene();
    expect(await w.as("ada").delete(`/messages/${w.id}`)).toMatchObject({
      status: 200,
      events: [{ audience: ["ada", "mel", "max", "gus"] }, { event: { property: "first_message_id" } }],
    });
  });

  test("is allowed to the owner of the bot that sent it", async () => {
    const w = await scene();
    const id = await send(w, "bolt", "built");
    expect(await w.as("mel").delete(`/messages/${id}`)).toMatchObject({ status: 200 });
  });

  test("is allowed to those with the channel's permission", async () => {
    const max = { direct_members: [0], direct_subgroups: [] };
    const w = world();
    max.direct_members = [w.user("max").id];
    const subscribers = [w.user("mel").id, w.user("max").id];
    const channel = { name: "party", subscribers, can_delete_any_message_group: max };
    expect((await w.as("ada").post("/channels/create", channel)).status).toBe(200);
    const id = await send(w, "mel", "cake");
    expect(await w.as("max").delete(`/messages/${id}`)).toMatchObject({ status: 200 });
  });

  test("refuses other users' messages", async () => {
    const w = await scene();
    expect(await w.as("max").delete(`/messages/${w.id}`)).toMatchObject({
      status: 400,
      body: refusal,
      events: [],
    });
    expect(await traces(w, w.id)).toEqual([1, 1, 1, 1]);
  });

  test("refuses own messages if nobody may delete", async () => {
    const w = await scene();
    const nobody: GroupSettingValue = { direct_members: [], direct_subgroups: [] };
    const name = "can_delete_own_message_group";
    await w.app.env.db.write(w.ctx("system"), (tx) =>
      giveGrant(tx, { scope: "realm", ownerId: 0, name }, nobody),
    );
    expect(await w.as("mel").delete(`/messages/${w.id}`)).toMatchObject({
      status: 400,
      body: refusal,
      events: [],
    });
  });

  test("refuses own messages after the time limit, if there is one", async () => {
    const w = await scene();
    w.clock.advance(600 + 21);
    const late = { code: "BAD_REQUEST", msg: "The time limit for deleting this message has passed" };
    expect(await w.as("mel").delete(`/messages/${w.id}`)).toMatchObject({
      status: 400,
      body: late,
      events: [],
    });

    const limit = "message_content_delete_limit_seconds";
    await w.app.env.db.write(w.ctx("system"), (tx) => realmSettings.write(tx, limit, null));
    expect(await w.as("mel").delete(`/messages/${w.id}`)).toMatchObject({ status: 200 });
  });

  test.each([
    ["unseen", "ada"],
    ["absent", "mel"],
  ] as const)("refuses an %s message alike", async (which, who) => {
    const w = await scene({ invite_only: true });
    const id = which === "unseen" ? w.id : 999;
    const body = { code: "BAD_REQUEST", msg: "Invalid message(s)" };
    expect(await w.as(who).delete(`/messages/${id}`)).toMatchObject({ status: 400, body, events: [] });
  });

  test("refuses a second time", async () => {
    const w = await scene();
    await w.as("mel").delete(`/messages/${w.id}`);
    expect(await w.as("mel").delete(`/messages/${w.id}`)).toMatchObject({ status: 400, events: [] });
  });
});
