import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { giveGrant } from "@/foundation/permissions/actions.ts";
import { realmSettings } from "@/foundation/realm/schema.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { replaceRendering } from "@/messaging/message-edits/actions-content.ts";
import { indexAll } from "@/messaging/message-index/actions.ts";
import type { Json, Params } from "../support/requests.ts";
import { type CastName, type World, world } from "../support/world.ts";

/** A channel of mel, max and gus, with a message by mel. */
async function scene(more: Params = {}) {
  const w = world();
  const subscribers = (["mel", "max", "gus"] as const).map((name) => w.user(name).id);
  const { body } = await w.as("ada").post("/channels/create", { name: "party", subscribers, ...more });
  const id = await send(w, "mel", "cake");
  return { ...w, id, channel: body.id as number };
}

async function send({ as }: World, name: CastName, content: string, topic = ""): Promise<number> {
  return (await as(name).post("/messages", { type: "channel", to: "party", topic, content })).body.id;
}

const edit = ({ as, id }: World & { id: number }, content: string, more: Params = {}) =>
  as("mel").patch(`/messages/${id}`, { content, ...more });

async function flagsOf({ as }: World, name: CastName, id: number): Promise<string[]> {
  return (await as(name).get(`/messages/${id}`)).body.message.flags;
}

async function found({ as }: World, word: string): Promise<number[]> {
  const asked = { anchor: "newest", num_before: 9, narrow: [["search", word]] };
  return (await as("mel").get("/messages", asked)).body.messages.map((one: Json) => one.id);
}

const change = ({ app, ctx }: World, body: (tx: Tx) => void) => app.env.db.write(ctx("system"), body);
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

describe("update-message", () => {
  test("changes the content, and emits it to its readers", async () => {
    const w = await scene();
    w.clock.advance(60);
    const { status, body, events } = await edit(w, "**pie**  \n");

    expect(status).toBe(200);
    expect(body.detached_uploads).toEqual([]);
    expect(events).toEqual([
      {
        audience: ["mel", "max", "gus"],
        event: {
          type: "update_message",
          user_id: w.user("mel").id,
          rendering_only: false,
          message_id: w.id,
          message_ids: [w.id],
          edit_timestamp: w.clock.now(),
          stream_id: w.channel,
          stream_name: "party",
          orig_content: "cake",
          orig_rendered_content: "<p>cake</p>",
          content: "**pie**",
          rendered_content: "<p><strong>pie</strong></p>",
          is_me_message: false,
        },
      },
    ]);
    const { message, raw_content } = (await w.as("max").get(`/messages/${w.id}`)).body;
    expect(raw_content).toBe("**pie**");
    expect(message).toMatchObject({
      content: "<p><strong>pie</strong></p>",
      last_edit_timestamp: w.clock.now(),
      edit_history: [
        {
          user_id: w.user("mel").id,
          timestamp: w.clock.now(),
          prev_content: "cake",
          prev_rendered_content: "<p>cake</p>",
        },
      ],
    });
    expect(message).not.toHaveProperty("last_moved_timestamp");
  });

  test("finds the message by its new words, and no longer by its old ones", async () => {
    const w = await scene();
    await indexAll(w.app.system);
    await edit(w, "pie");
    for (const _ of ["not yet indexed", "indexed"]) {
      expect([await found(w, "cake"), await found(w, "pie")]).toEqual([[], [w.id]]);
      await indexAll(w.app.system);
    }
  });

  test("reaches each queue with its user's flags", async () => {
    const w = await scene();
    await w.as("max").post("/messages/flags", { messages: [w.id], op: "add", flag: "starred" });
    await w.as("max").post("/messages/flags", { messages: [w.id], op: "add", flag: "read" });
    const types = { event_types: ["update_message"] };
    const [max, gus] = [await w.queue("max", types), await w.queue("gus", types)];
    await edit(w, "for @**Gus** and @**all**");

    const all = ["stream_wildcard_mentioned", "wildcard_mentioned"];
    expect(await max.poll()).toMatchObject([
      { type: "update_message", flags: ["read", "starred", ...all], content: "for @**Gus** and @**all**" },
    ]);
    expect(await gus.poll()).toMatchObject([{ flags: ["mentioned", ...all] }]);
    expect(await flagsOf(w, "max", w.id)).toEqual(["read", "starred", ...all]);
  });

  test("removes mentions that are gone, and keeps other flags", async () => {
    const w = await scene();
    await edit(w, "@**Max** @**Gus** @**all** @**topic**");
    await w.as("gus").post("/messages/flags", { messages: [w.id], op: "add", flag: "starred" });
    expect(await flagsOf(w, "gus", w.id)).toContain("mentioned");
    await edit(w, "@**Max** https://example.com/a.png");

    expect(await flagsOf(w, "gus", w.id)).toEqual(["starred"]);
    expect(await flagsOf(w, "max", w.id)).toEqual(["mentioned"]);
    const { unread_msgs } = (await w.queue("max")).state;
    expect(unread_msgs).toMatchObject({ count: 1, mentions: [w.id] });
  });

  test("adds the message to the history of newly mentioned users who joined later", async () => {
    const w = await scene();
    const subscriptions = [{ name: "party" }];
    await w.as("moss").post("/users/me/subscriptions", { subscriptions });
    await edit(w, "@**Moss** @**Ada**");

    expect(await flagsOf(w, "moss", w.id)).toEqual(["read", "mentioned", "historical"]);
    const narrow = [{ operator: "is", operand: "mentioned" }];
    const asked = { anchor: "newest", num_before: 5, narrow };
    expect((await w.as("moss").get("/messages", asked)).body.messages).toMatchObject([{ id: w.id }]);
    expect(await flagsOf(w, "ada", w.id)).toEqual(["read", "historical"]);
  });

  test("adds it to the history of those mentioned where it was moved to, and keeps unread what they left so", async () => {
    const w = await scene();
    const subscribers = [w.user("moss").id, w.user("ada").id];
    const hall = (await w.as("ada").post("/channels/create", { name: "hall", subscribers })).body.id;
    const other = await send(w, "mel", "tea");
    await w.as("ada").patch(`/messages/${w.id}`, { stream_id: hall, propagate_mode: "change_all" });
    await w.as("moss").post("/messages/flags", { messages: [w.id], op: "remove", flag: "read" });
    const before = await flagsOf(w, "moss", w.id);
    await edit({ ...w, id: other }, "for @**Moss** and @**Ada**");

    expect(before).not.toContain("read");
    expect(await flagsOf(w, "moss", w.id)).toEqual(before);
    for (const name of ["moss", "ada"] as const) {
      expect(await flagsOf(w, name, other)).toEqual(["read", "mentioned", "historical"]);
    }
    await edit({ ...w, id: other }, "for nobody");
    expect(await flagsOf(w, "moss", other)).toEqual(["read", "historical"]);
  });

  test("keeps the mention of users who received the message and left", async () => {
    const w = await scene();
    await edit(w, "@**Max**");
    await w.as("max").delete("/users/me/subscriptions", { subscriptions: ["party"] });
    expect(await edit(w, "@**Max**!")).toMatchObject({ events: [{ audience: ["mel", "max", "gus"] }] });
    expect(await flagsOf(w, "max", w.id)).toEqual(["read", "mentioned"]);
  });

  test("is also emitted to an editor who is not subscribed", async () => {
    const w = await scene();
    const id = await send(w, "moss", "tea");
    const { events } = await w.as("moss").patch(`/messages/${id}`, { content: "coffee" });
    expect(events).toMatchObject([
      { audience: ["moss", "mel", "max", "gus"], event: { type: "update_message", message_ids: [id] } },
    ]);
    expect(await flagsOf(w, "moss", id)).toEqual(["read", "historical"]);
  });

  test("of a direct message is emitted only to its participants", async () => {
    const w = world();
    const to = [w.user("max").id];
    const { id } = (await w.as("mel").post("/messages", { type: "direct", to, content: "psst" })).body;
    const { events } = await edit({ ...w, id }, "/me shouts");
    expect(events).toMatchObject([
      { audience: ["mel", "max"], event: { message_ids: [id], is_me_message: true } },
    ]);
    expect(events[0]?.event).not.toHaveProperty("stream_id");
  });

  test('stores empty content as "(deleted)"', async () => {
    const w = await scene();
    expect(await edit(w, " \n")).toMatchObject({ events: [{ event: { content: "(deleted)" } }] });
  });

  test("truncates long content", async () => {
    const w = await scene();
    await edit(w, "x".repeat(10_001));
    const { raw_content } = (await w.as("mel").get(`/messages/${w.id}`)).body;
    expect(raw_content).toHaveLength(10_000);
    expect(raw_content).toEndWith("\n[message truncated]");
  });

  test("succeeds if the client knows the current content", async () => {
    const w = await scene();
    expect(await edit(w, "pie", { prev_content_sha256: sha256("cake") })).toMatchObject({ status: 200 });
  });

  test("refuses the wrong hash of the previous content", async () => {
    const w = await scene();
    await edit(w, "pie");
    expect(await edit(w, "tart", { prev_content_sha256: sha256("cake") })).toMatchObject({
      status: 400,
      body: { code: "EXPECTATION_MISMATCH" },
      events: [],
    });
    expect((await w.as("mel").get(`/messages/${w.id}`)).body.raw_content).toBe("pie");
  });

  test.each([
    ["nothing to change", {}, "BAD_REQUEST", "Nothing to change"],
    ["the content that is there", { content: "cake\n" }, "BAD_REQUEST", "Nothing to change"],
    ["null bytes", { content: "a\0b" }, "BAD_REQUEST", "Message must not contain null bytes"],
    [
      "a hash that is none",
      { content: "pie", prev_content_sha256: "cake" },
      "BAD_REQUEST",
      "The hash of a message's content must have 64 hexadecimal digits.",
    ],
  ] as const)("refuses %s", async (_, params, code, msg) => {
    const w = await scene();
    const answer = await w.as("mel").patch(`/messages/${w.id}`, params);
    expect(answer).toMatchObject({ status: 400, body: { code, msg }, events: [] });
  });

  test.each(["max", "moss", "olive"] as const)("refuses %s, who did not send it", async (name) => {
    const w = await scene();
    expect(await w.as(name).patch(`/messages/${w.id}`, { content: "pie" })).toMatchObject({
      status: 400,
      body: { code: "BAD_REQUEST", msg: "You don't have permission to edit this message" },
      events: [],
    });
  });

  test.each([
    ["unseen", "ada"],
    ["absent", "mel"],
  ] as const)("refuses an %s message alike", async (which, who) => {
    const w = await scene({ invite_only: true });
    const id = which === "unseen" ? w.id : 999;
    const body = { code: "BAD_REQUEST", msg: "Invalid message(s)" };
    const answer = await w.as(who).patch(`/messages/${id}`, { content: "pie" });
    expect(answer).toMatchObject({ status: 400, body, events: [] });
  });

  test("refuses if the organization turned it off", async () => {
    const w = await scene();
    await change(w, (tx) => realmSettings.write(tx, "allow_message_editing", false));
    const msg = "Your organization has turned off message editing";
    expect(await edit(w, "pie")).toMatchObject({ status: 400, body: { msg }, events: [] });
  });

  test("refuses after the time limit, if there is one", async () => {
    const w = await scene();
    w.clock.advance(600 + 20);
    expect(await edit(w, "pie")).toMatchObject({ status: 200 });
    w.clock.advance(1);
    const msg = "The time limit for editing this message has passed";
    expect(await edit(w, "tart")).toMatchObject({ status: 400, body: { msg }, events: [] });

    await change(w, (tx) => realmSettings.write(tx, "message_content_edit_limit_seconds", null));
    expect(await edit(w, "tart")).toMatchObject({ status: 200 });
  });

  test("refuses in an archived channel, until it is unarchived", async () => {
    const w = await scene();
    await w.as("ada").delete(`/streams/${w.channel}`);
    const msg = "Messages of an archived channel cannot be changed.";
    expect(await edit(w, "tart")).toMatchObject({
      status: 400,
      body: { code: "BAD_REQUEST", msg },
      events: [],
    });
    await w.as("ada").patch(`/streams/${w.channel}`, { is_archived: false });
    expect((await edit(w, "tart")).status).toBe(200);
  });

  test("refuses to change a widget", async () => {
    const w = await scene();
    const id = await send(w, "mel", "/poll Cake?\nyes\nno");
    const answer = await edit({ ...w, id }, "/poll Pie?");
    expect(answer).toMatchObject({ status: 400, body: { msg: "Widgets cannot be edited." }, events: [] });
  });

  test("refuses mentions that its sender may not use", async () => {
    const w = await scene();
    const nobody = { direct_members: [], direct_subgroups: [] };
    const name = "can_mention_many_users_group";
    await change(w, (tx) => giveGrant(tx, { scope: "realm", ownerId: 0, name }, nobody));
    for (let n = 0; n < 13; n++) {
      const person = { email: `p${n}@example.com`, full_name: `Person ${n}`, password: "correct horse" };
      const { user_id } = (await w.as("ada").post("/users", person)).body;
      const subscriptions = [{ name: "party" }];
      await w.as("mel").post("/users/me/subscriptions", { subscriptions, principals: [user_id] });
    }
    expect(await edit(w, "@**all**")).toMatchObject({
      status: 400,
      body: { code: "STREAM_WILDCARD_MENTION_NOT_ALLOWED" },
      events: [],
    });
    expect((await w.as("mel").get(`/messages/${w.id}`)).body.raw_content).toBe("cake");
  });
});

describe("another rendering of the same content", () => {
  test("is emitted to the readers, without an editor", async () => {
    const w = await scene();
    const html = "<p>cake</p><p>with a preview</p>";
    const before = w.events.length;
    await change(w, (tx) => replaceRendering(tx, w.id, html));

    expect(w.events.slice(before)).toMatchObject([
      {
        audience: ["mel", "max", "gus"],
        event: { rendering_only: true, user_id: null, content: "cake", rendered_content: html },
      },
    ]);
    expect(w.events.at(-1)?.event).not.toHaveProperty("orig_content");
    const { message } = (await w.as("max").get(`/messages/${w.id}`)).body;
    expect(message.content).toBe(html);
    expect(message).not.toHaveProperty("last_edit_timestamp");
  });

  test("emits nothing if it is the same", async () => {
    const w = await scene();
    const before = w.events.length;
    await change(w, (tx) => replaceRendering(tx, w.id, "<p>cake</p>"));
    expect(w.events).toHaveLength(before);
  });
});
