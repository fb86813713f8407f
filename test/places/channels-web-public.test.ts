// Web-public channels: who sees them, may join them, and sees their folders.
import { describe, expect, test } from "bun:test";
import { realmSettings } from "@/foundation/realm/schema.ts";
import { setServerOptions } from "@/foundation/realm-administration/actions.ts";
import { listFolders } from "@/places/folders/queries.ts";
import type { Json } from "../support/requests.ts";
import { type CastName, type World, world } from "../support/world.ts";

/** Three channels without subscribers: `web`, `open` and, archived, `attic`, which was web-public. */
async function channels(w: World) {
  await setServerOptions(w.app.system, { web_public_channels: true });
  await w.app.env.db.write(w.ctx("olive"), (tx) => realmSettings.write(tx, "enable_spectator_access", true));
  const made = async (name: string, is_web_public: boolean) => {
    const params = { name, subscribers: [], is_web_public };
    return (await w.as("olive").post("/channels/create", params)).body.id as number;
  };
  const ids = {
    web: await made("web", true),
    open: await made("open", false),
    attic: await made("attic", true),
  };
  await w.as("olive").delete(`/streams/${ids.attic}`);
  return ids;
}

const namesOf = async (w: World, who: CastName, params = {}) =>
  (await w.as(who).get("/streams", params)).body.streams.map(({ name }: Json) => name);

describe("get-streams: web-public channels", () => {
  test("are shown to guests, who see no other public ones", async () => {
    const w = world();
    await channels(w);
    expect(await namesOf(w, "gus")).toEqual(["web"]);
    expect(await namesOf(w, "mel")).toEqual(["web", "open"]);
  });

  test("can be requested alone", async () => {
    const w = world();
    await channels(w);
    const only = { include_public: false, include_subscribed: false, include_web_public: true };
    expect(await namesOf(w, "mel", only)).toEqual(["web"]);
    expect(await namesOf(w, "mel", { ...only, exclude_archived: false })).toEqual(["web", "attic"]);
  });
});

describe("subscribe: web-public channels", () => {
  const join = (w: World, who: CastName, name: string) =>
    w.as(who).post("/users/me/subscriptions", { subscriptions: [{ name }] });

  test(`can be joined by guests, who get "does not exist" for other public channels`, async () => {
    const w = world();
    await channels(w);
    expect((await join(w, "gus", "web")).body.subscribed).toEqual({ [w.user("gus").id]: ["web"] });
    expect(await join(w, "gus", "open")).toMatchObject({
      status: 400,
      body: { msg: "You do not have permission to create public channels." },
      events: [],
    });
  });

  test("cannot be joined by anyone once they are archived", async () => {
    const w = world();
    await channels(w);
    for (const who of ["gus", "mel"] as const) {
      expect(await join(w, who, "attic")).toMatchObject({ status: 400, events: [] });
    }
  });
});

describe("send-message: web-public channels", () => {
  test("accept messages from guests only if they are subscribed", async () => {
    const w = world();
    const { web } = await channels(w);
    const send = (who: CastName, to: number | string) =>
      w.as(who).post("/messages", { type: "channel", to, topic: "news", content: "hello" });
    for (const to of [web, "web"]) {
      expect(await send("gus", to)).toMatchObject({
        status: 400,
        body: { code: "BAD_REQUEST", msg: "You do not have permission to post in channel 'web'." },
        events: [],
      });
    }
    expect((await send("mel", web)).status).toBe(200);
    await w.as("gus").post("/users/me/subscriptions", { subscriptions: [{ name: "web" }] });
    expect((await send("gus", web)).events[0]).toMatchObject({
      audience: ["gus"],
      event: { type: "message" },
    });
  });
});

describe("folders of web-public channels", () => {
  test("are the only ones that people without an account see", async () => {
    const w = world();
    const { web, open, attic } = await channels(w);
    const folder = async (name: string, channel?: number) => {
      const { body } = await w.as("olive").post("/channel_folders/create", { name, description: "" });
      if (channel !== undefined) {
        await w.as("olive").patch(`/streams/${channel}`, { folder_id: body.channel_folder_id });
      }
      return body.channel_folder_id as number;
    };
    const shown = await folder("Shown", web);
    await folder("Inside", open);
    await folder("Old", attic);
    await folder("Empty");

    const spectator = w.app.ctx({ kind: "anonymous", id: 0, client: "test" });
    expect(listFolders(spectator, { include_archived: true }).map(({ id }) => id)).toEqual([shown]);
    expect(listFolders(w.ctx("gus"), { include_archived: true })).toHaveLength(4);
  });
});
