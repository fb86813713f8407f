// Interactions between features of messages.
import { describe, expect, test } from "bun:test";
import type { Params } from "../support/requests.ts";
import { type CastName, type World, world } from "../support/world.ts";

const idOf = (w: World, name: CastName) => w.user(name).id;

async function channelOf(w: World, name: string, people: readonly CastName[], more: Params = {}) {
  const subscribers = people.map((one) => idOf(w, one));
  const { body } = await w.as("olive").post("/channels/create", { name, subscribers, ...more });
  return body.id as number;
}

async function send(w: World, who: CastName, to: unknown, content: string, topic = "cake"): Promise<number> {
  const type = Array.isArray(to) ? "direct" : "channel";
  return (await w.as(who).post("/messages", { type, to, topic, content })).body.id;
}

describe("update-message", () => {
  test.each(["change_later", "change_all"])(
    "refuses new content with %s, also where the topic is named",
    async (mode) => {
      const w = world();
      const id = await send(w, "mel", await channelOf(w, "party", ["mel", "max"]), "hi");
      for (const more of [{}, { topic: "cake" }]) {
        const given = { content: "hello", propagate_mode: mode, ...more };
        expect(await w.as("mel").patch(`/messages/${id}`, given)).toMatchObject({
          status: 400,
          body: {
            code: "BAD_REQUEST",
            msg: "Other messages can only be changed together with the topic or the channel.",
          },
          events: [],
        });
      }
      expect((await w.as("max").get(`/messages/${id}`)).body.raw_content).toBe("hi");
    },
  );
});

describe("starred_messages", () => {
  test("leaves out messages that the user may not read at present", async () => {
    const w = world();
    const vault = { invite_only: true, history_public_to_subscribers: true };
    const kept = await send(w, "mel", await channelOf(w, "open", ["mel", "max"]), "a");
    const lost = await send(w, "mel", await channelOf(w, "vault", ["olive", "mel", "max"], vault), "b");
    await w.as("max").post("/messages/flags", { messages: [kept, lost], op: "add", flag: "starred" });
    const starred = async () => (await w.queue("max")).state.starred_messages;
    expect(await starred()).toEqual([kept, lost]);

    await w.as("max").delete("/users/me/subscriptions", { subscriptions: ["vault"] });
    expect(await starred()).toEqual([kept]);

    const back = { subscriptions: [{ name: "vault" }], principals: [idOf(w, "max")] };
    expect((await w.as("olive").post("/users/me/subscriptions", back)).status).toBe(200);
    expect(await starred()).toEqual([kept, lost]);
  });
});

describe("a mention by somebody one has muted", () => {
  test("makes nobody follow the topic, neither when sent nor when edited", async () => {
    const w = world();
    const party = await channelOf(w, "party", ["mel", "max", "gus"]);
    await w.as("max").post(`/users/me/muted_users/${idOf(w, "mel")}`);
    const summarize = (events: World["events"]) =>
      events.filter(({ event }) => event.type === "user_topic").map(({ audience }) => audience);

    const both = "@**Max** @**Gus**";
    const sent = await w
      .as("mel")
      .post("/messages", { type: "channel", to: party, topic: "a", content: both });
    expect(summarize(sent.events)).toEqual([["mel"], ["gus"]]);
    const id = await send(w, "mel", party, "hi", "b");
    expect(summarize((await w.as("mel").patch(`/messages/${id}`, { content: both })).events)).toEqual([
      ["gus"],
    ]);

    await w.as("max").delete(`/users/me/muted_users/${idOf(w, "mel")}`);
    const later = await w
      .as("mel")
      .post("/messages", { type: "channel", to: party, topic: "c", content: both });
    expect(summarize(later.events)).toEqual([["mel"], ["max"], ["gus"]]);
  });
});

describe("a page of the longest messages there can be", () => {
  async function withLong() {
    const w = world();
    const ids: number[] = [];
    for (let n = 0; n < 150; n++) ids.push(await send(w, "mel", [idOf(w, "max")], "❤".repeat(10_000)));
    const page = async (params: Params) => {
      const { status, body } = await w.as("mel").get("/messages", { num_before: 0, num_after: 0, ...params });
      const { messages, found_oldest, found_newest } = body;
      return { status, ids: messages.map((one: { id: number }) => one.id), found_oldest, found_newest };
    };
    return { ...w, w, ids, page };
  }

  test("contains the messages nearest to its anchor, and reports that there are more", async () => {
    const { ids, page } = await withLong();
    const newest = await page({ anchor: "newest", num_before: 1000 });
    const held = newest.ids.length;
    expect(held).toBeWithin(100, 140);
    expect(newest).toEqual({ status: 200, ids: ids.slice(-held), found_oldest: false, found_newest: true });

    const before = await page({ anchor: newest.ids[0], include_anchor: false, num_before: 1000 });
    expect(before).toEqual({
      status: 200,
      ids: ids.slice(0, -held),
      found_oldest: true,
      found_newest: false,
    });

    const oldest = await page({ anchor: "oldest", num_after: 1000 });
    expect(oldest).toEqual({ status: 200, ids: ids.slice(0, held), found_oldest: true, found_newest: false });

    const around = await page({ anchor: ids[75], num_before: 1000, num_after: 1000 });
    const start = ids.indexOf(around.ids[0]);
    expect(around.ids).toEqual(ids.slice(start, start + held));
    expect(start).toBeWithin(15, 30);
    expect(around).toMatchObject({ found_oldest: false, found_newest: false });
  });

  test("counts the edit history of messages", async () => {
    const w = world();
    for (let n = 0; n < 9; n++) {
      const id = await send(w, "mel", [idOf(w, "max")], "short");
      for (let m = 0; m < 16; m++) {
        await w.as("mel").patch(`/messages/${id}`, { content: `${m} ${"❤".repeat(9_990)}` });
      }
    }
    const { body } = await w.as("mel").get("/messages", { anchor: "newest", num_before: 9, num_after: 0 });
    expect(body.messages.length).toBeWithin(6, 9);
    expect(body).toMatchObject({ found_oldest: false, found_newest: true });
  });

  test("is refused if the messages were requested by ID", async () => {
    const { w, ids } = await withLong();
    const body = { msg: "These messages are too long for one answer: ask for fewer at a time." };
    expect(await w.as("mel").get("/messages", { message_ids: ids })).toMatchObject({ status: 400, body });
    const asked = { msg_ids: ids, narrow: [["is", "dm"]] };
    expect(await w.as("mel").get("/messages/matches_narrow", asked)).toMatchObject({ status: 400, body });
    expect((await w.as("mel").get("/messages", { message_ids: ids.slice(0, 100) })).status).toBe(200);
  });
});
