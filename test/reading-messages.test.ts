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
