// Where one feature of messages meets another.
import { describe, expect, test } from "bun:test";
import type { Params } from "./support/requests.ts";
import { type CastName, type World, world } from "./support/world.ts";

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
  test("leaves out what one may no longer read, as long as one may not", async () => {
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
  test("makes nobody follow the topic, neither at sending nor by an edit", async () => {
    const w = world();
    const party = await channelOf(w, "party", ["mel", "max", "gus"]);
    await w.as("max").post(`/users/me/muted_users/${idOf(w, "mel")}`);
    const told = (events: World["events"]) =>
      events.filter(({ event }) => event.type === "user_topic").map(({ audience }) => audience);

    const both = "@**Max** @**Gus**";
    const sent = await w
      .as("mel")
      .post("/messages", { type: "channel", to: party, topic: "a", content: both });
    expect(told(sent.events)).toEqual([["mel"], ["gus"]]);
    const id = await send(w, "mel", party, "hi", "b");
    expect(told((await w.as("mel").patch(`/messages/${id}`, { content: both })).events)).toEqual([["gus"]]);

    await w.as("max").delete(`/users/me/muted_users/${idOf(w, "mel")}`);
    const later = await w
      .as("mel")
      .post("/messages", { type: "channel", to: party, topic: "c", content: both });
    expect(told(later.events)).toEqual([["mel"], ["max"], ["gus"]]);
  });
});
