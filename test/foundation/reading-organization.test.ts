// Interactions between features of the organization.
import { describe, expect, test } from "bun:test";
import { listAudit } from "@/foundation/audit/queries.ts";
import type { Params } from "../support/requests.ts";
import { type CastName, type World, world } from "../support/world.ts";

const idOf = (w: World, name: CastName) => w.user(name).id;

async function channelOf(w: World, name: string, people: readonly CastName[], more: Params = {}) {
  const subscribers = people.map((one) => idOf(w, one));
  const { body } = await w.as("olive").post("/channels/create", { name, subscribers, ...more });
  return body.id as number;
}

const refused = (msg: string) => ({ status: 400, body: { code: "BAD_REQUEST", msg }, events: [] });

describe("update-stream", () => {
  test("keeps the channel for moderation requests private, so that not everybody can read reports", async () => {
    const w = world();
    const mods = await channelOf(w, "mods", ["olive", "moss"], { invite_only: true });
    await w.as("olive").patch("/realm", { moderation_request_channel_id: mods });

    const msg = "The channel for moderation requests must be private.";
    const open = () => w.as("olive").patch(`/streams/${mods}`, { is_private: false, description: "new" });
    expect(await open()).toMatchObject(refused(msg));
    const { stream } = (await w.as("olive").get(`/streams/${mods}`)).body;
    expect(stream).toMatchObject({ invite_only: true, description: "" });

    await w.as("olive").patch("/realm", { moderation_request_channel_id: -1 });
    expect(await open()).toMatchObject({ status: 200 });
  });
});

describe("create-channel", () => {
  test("does not reveal taken names to users who may not create channels", async () => {
    const w = world();
    await channelOf(w, "board", ["olive"], { invite_only: true });
    for (const name of ["board", "free"]) {
      const answer = await w.as("gus").post("/channels/create", { name, subscribers: [] });
      expect(answer).toMatchObject(refused("You do not have permission to create public channels."));
    }
  });
});

describe("linkifiers", () => {
  test("without a change emit nothing, and are not recorded", async () => {
    const w = world();
    const ticket = { pattern: "#(?P<id>[0-9]+)", url_template: "https://e.com/{id}" };
    const { id } = (await w.as("ada").post("/realm/filters", ticket)).body;
    const written = () => listAudit(w.ctx("olive"), { limit: 9 });
    const before = written();
    for (const answer of [
      await w.as("ada").patch(`/realm/filters/${id}`, ticket),
      await w.as("ada").patch("/realm/linkifiers", { ordered_linkifier_ids: [id] }),
    ]) {
      expect(answer).toMatchObject({ status: 200, events: [] });
    }
    expect(written()).toEqual(before);
  });
});
