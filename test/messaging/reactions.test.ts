import { describe, expect, test } from "bun:test";
import { type World, world } from "../support/world.ts";

const tada = { emoji_name: "tada" };
const full = { emoji_name: "tada", emoji_code: "1f389", reaction_type: "unicode_emoji" };

/** A channel of mel, max and gus, with a message of mel's in it. */
async function channelWorld(more: Record<string, unknown> = {}) {
  const w = world();
  const subscribers = (["mel", "max", "gus"] as const).map((name) => w.user(name).id);
  const { body } = await w.as("ada").post("/channels/create", { name: "party", subscribers, ...more });
  return { ...w, channel: body.id as number, id: await send(w, "cake") };
}

async function send({ as }: World, content: string): Promise<number> {
  const to = { type: "channel", to: "party", topic: "food" };
  return (await as("mel").post("/messages", { ...to, content })).body.id;
}

async function reactionsSeen({ as }: World, id: number) {
  return (await as("max").get(`/messages/${id}`)).body.message.reactions;
}

describe("add-reaction", () => {
  test("adds it to the message, and emits it to users who have the message", async () => {
    const w = await channelWorld();
    const { status, events } = await w.as("max").post(`/messages/${w.id}/reactions`, tada);

    expect(status).toBe(200);
    const { id, email } = w.user("max");
    expect(await reactionsSeen(w, w.id)).toEqual([{ ...full, user_id: id }]);
    const user = { user_id: id, email, full_name: "Max" };
    expect(events).toEqual([
      {
        audience: ["mel", "max", "gus"],
        event: { type: "reaction", op: "add", ...full, user_id: id, message_id: w.id, user },
      },
    ]);
  });

  test.each([
    ["by name", tada],
    ["by name and code", { emoji_name: "tada", emoji_code: "1f389" }],
    ["in full", full],
    ["under a name of the client's own", { ...full, emoji_name: "party_popper_of_mine" }],
  ])("takes an emoji %s", async (_, emoji) => {
    const w = await channelWorld();
    expect(await w.as("max").post(`/messages/${w.id}/reactions`, emoji)).toMatchObject({ status: 200 });
    expect(await reactionsSeen(w, w.id)).toMatchObject([{ emoji_code: "1f389" }]);
  });

  test("joins an existing reaction under its name", async () => {
    const w = await channelWorld();
    await w.as("max").post(`/messages/${w.id}/reactions`, tada);
    await w.as("gus").post(`/messages/${w.id}/reactions`, { ...full, emoji_name: "whatever" });
    expect(await reactionsSeen(w, w.id)).toMatchObject([{ emoji_name: "tada" }, { emoji_name: "tada" }]);
  });

  test("adds the message, as read, to the history of a user who reacts", async () => {
    const w = await channelWorld();
    const { events } = await w.as("moss").post(`/messages/${w.id}/reactions`, tada);
    const flags = (await w.as("moss").get(`/messages/${w.id}`)).body.message.flags;
    expect(flags.sort()).toEqual(["historical", "read"]);
    expect(events).toMatchObject([{ audience: ["moss", "mel", "max", "gus"] }]);
    const later = await w.as("max").post(`/messages/${w.id}/reactions`, tada);
    expect(later.events).toMatchObject([{ audience: ["moss", "mel", "max", "gus"] }]);
  });

  test("is emitted to readers, and in a private channel not to former subscribers", async () => {
    const w = await channelWorld({ invite_only: true });
    await w.as("gus").delete("/users/me/subscriptions", { subscriptions: ["party"] });
    const { events } = await w.as("max").post(`/messages/${w.id}/reactions`, tada);
    expect(events).toMatchObject([{ audience: ["mel", "max"] }]);
  });

  test("is not emitted to later subscribers of a channel with protected history", async () => {
    const w = await channelWorld({ invite_only: true, history_public_to_subscribers: false });
    await w.as("mel").post("/users/me/subscriptions", {
      subscriptions: [{ name: "party" }],
      principals: [w.user("moss").id],
    });
    const { events } = await w.as("max").post(`/messages/${w.id}/reactions`, tada);
    expect(events).toMatchObject([{ audience: ["mel", "max", "gus"] }]);
    const refused = await w.as("moss").post(`/messages/${w.id}/reactions`, tada);
    expect(refused).toMatchObject({ status: 400, body: { msg: "Invalid message(s)" }, events: [] });
  });

  test.each([
    ["no name", {}, "REQUEST_VARIABLE_MISSING"],
    ["an unknown name", { emoji_name: "no_such_emoji" }, "BAD_REQUEST"],
    ["an unknown code", { emoji_name: "tada", emoji_code: "ffff" }, "BAD_REQUEST"],
    ["another emoji's name", { emoji_name: "heart", emoji_code: "1f389" }, "BAD_REQUEST"],
    ["a custom emoji that is not there", { ...full, reaction_type: "realm_emoji" }, "BAD_REQUEST"],
    ["an extra emoji that is not there", { ...full, reaction_type: "zulip_extra_emoji" }, "BAD_REQUEST"],
    ["an unknown type", { ...full, reaction_type: "sticker" }, "BAD_REQUEST"],
  ])("refuses %s", async (_, emoji, code) => {
    const w = await channelWorld();
    const answer = await w.as("max").post(`/messages/${w.id}/reactions`, emoji);
    expect(answer).toMatchObject({ status: 400, body: { code }, events: [] });
    expect(await reactionsSeen(w, w.id)).toEqual([]);
  });

  test("refuses an existing one", async () => {
    const w = await channelWorld();
    await w.as("max").post(`/messages/${w.id}/reactions`, tada);
    expect(await w.as("max").post(`/messages/${w.id}/reactions`, tada)).toMatchObject({
      status: 400,
      body: { code: "REACTION_ALREADY_EXISTS" },
      events: [],
    });
  });

  test.each([
    ["unseen", "ada"],
    ["absent", "max"],
  ] as const)("refuses an %s message alike", async (which, who) => {
    const w = await channelWorld({ invite_only: true });
    const id = which === "unseen" ? w.id : 999;
    expect(await w.as(who).post(`/messages/${id}/reactions`, tada)).toMatchObject({
      status: 400,
      body: { code: "BAD_REQUEST", msg: "Invalid message(s)" },
      events: [],
    });
  });
});

describe("remove-reaction", () => {
  test.each([
    ["by name", tada],
    ["by code and type", { emoji_code: "1f389", reaction_type: "unicode_emoji" }],
    ["in full", full],
  ])("removes it %s, and emits that to the message's readers", async (_, emoji) => {
    const w = await channelWorld();
    await w.as("max").post(`/messages/${w.id}/reactions`, tada);
    await w.as("gus").post(`/messages/${w.id}/reactions`, tada);
    const { status, events } = await w.as("max").delete(`/messages/${w.id}/reactions`, emoji);

    expect(status).toBe(200);
    expect(await reactionsSeen(w, w.id)).toEqual([{ ...full, user_id: w.user("gus").id }]);
    expect(events).toMatchObject([
      { audience: ["mel", "max", "gus"], event: { op: "remove", ...full, user_id: w.user("max").id } },
    ]);
  });

  test.each([
    ["one that is not there", tada, "REACTION_DOES_NOT_EXIST"],
    ["an unknown code", { emoji_code: "ffff" }, "BAD_REQUEST"],
    ["nothing named", {}, "BAD_REQUEST"],
  ])("refuses %s", async (_, emoji, code) => {
    const w = await channelWorld();
    await w.as("gus").post(`/messages/${w.id}/reactions`, tada);
    const answer = await w.as("max").delete(`/messages/${w.id}/reactions`, emoji);
    expect(answer).toMatchObject({ status: 400, body: { code }, events: [] });
  });
});

test("refuses in an archived channel", async () => {
  const w = await channelWorld();
  await w.as("max").post(`/messages/${w.id}/reactions`, tada);
  await w.as("ada").patch(`/streams/${w.channel}`, { is_archived: true });
  const msg = "Messages of an archived channel cannot be changed.";
  for (const answer of [
    await w.as("gus").post(`/messages/${w.id}/reactions`, tada),
    await w.as("max").delete(`/messages/${w.id}/reactions`, tada),
  ]) {
    expect(answer).toMatchObject({ status: 400, body: { code: "BAD_REQUEST", msg }, events: [] });
  }
  expect(await reactionsSeen(w, w.id)).toHaveLength(1);
  await w.as("ada").patch(`/streams/${w.channel}`, { is_archived: false });
  expect((await w.as("max").delete(`/messages/${w.id}/reactions`, tada)).status).toBe(200);
});

describe("who reacted", () => {
  test("counts as a participant for topic wildcards", async () => {
    const w = await channelWorld();
    await w.as("gus").post(`/messages/${w.id}/reactions`, tada);
    const id = await send(w, "@**topic** seconds?");
    const flagsOf = async (name: "gus" | "max") =>
      (await w.as(name).get(`/messages/${id}`)).body.message.flags;
    expect((await flagsOf("gus")).sort()).toEqual(["topic_wildcard_mentioned", "wildcard_mentioned"]);
    expect(await flagsOf("max")).toEqual([]);
  });
});
