import { describe, expect, test } from "bun:test";
import { updateOwnSettings } from "@/foundation/own-account/actions.ts";
import { type CastName, type World, world } from "../support/world.ts";

const idea = { type: "", to: [], topic: "", content: "An idea" };

/** A private channel of mel. */
async function lab(w: World): Promise<number> {
  const given = { name: "lab", subscribers: [w.user("mel").id], invite_only: true };
  return (await w.as("ada").post("/channels/create", given)).body.id;
}

async function draftsOf(w: World, name: CastName) {
  return (await w.as(name).get("/drafts")).body.drafts;
}

async function keep(w: World, ...drafts: object[]): Promise<number[]> {
  return (await w.as("mel").post("/drafts", { drafts })).body.ids;
}

function setSynchronization(w: World, name: CastName, value: boolean): Promise<void> {
  return updateOwnSettings(w.ctx(name), { settings: { enable_drafts_synchronization: value } });
}

describe("create-drafts", () => {
  test("stores drafts of every kind, and emits it only to their author's clients", async () => {
    const w = world();
    const channelId = await lab(w);
    const { id: max } = w.user("max");
    const { status, body, events } = await w.as("mel").post("/drafts", {
      drafts: [
        { type: "stream", to: [channelId], topic: "plans", content: "Let us", timestamp: 1_700_000_000 },
        { type: "private", to: [max], topic: "unused", content: "Psst" },
        { ...idea, to: [4711], topic: "unused" },
      ],
    });

    expect(status).toBe(200);
    const [first, second, third] = body.ids;
    expect(new Set(body.ids).size).toBe(3);
    const now = w.clock.now();
    const kept = [
      {
        id: first,
        type: "stream",
        to: [channelId],
        topic: "plans",
        content: "Let us",
        timestamp: 1_700_000_000,
      },
      { id: second, type: "private", to: [max], topic: "", content: "Psst", timestamp: now },
      { id: third, ...idea, timestamp: now },
    ];
    expect(events).toEqual([{ audience: ["mel"], event: { type: "drafts", op: "add", drafts: kept } }]);
    expect(await draftsOf(w, "mel")).toEqual([kept[2], kept[1], kept[0]]);
    expect(await draftsOf(w, "max")).toEqual([]);
  });

  test.each([
    ["no drafts", { drafts: [] }],
    ["nothing", {}],
  ])("given %s, stores nothing and emits nothing", async (_, params) => {
    const answer = await world().as("mel").post("/drafts", params);
    expect(answer).toMatchObject({ status: 200, body: { ids: [] }, events: [] });
  });

  test("truncates long texts, and accepts both names of the empty topic", async () => {
    const w = world();
    const channelId = await lab(w);
    const toLab = { type: "stream", to: [channelId], content: "" };
    await keep(
      w,
      { ...idea, content: "x".repeat(10_001), timestamp: 4 },
      { ...toLab, topic: "y".repeat(61), timestamp: 3 },
      { ...toLab, topic: "(no topic)", timestamp: 2 },
      { ...toLab, topic: "general chat", timestamp: 1 },
    );
    const [long, cut, ...rest] = await draftsOf(w, "mel");
    expect(long.content).toHaveLength(10_000);
    expect(long.content).toEndWith("x\n[message truncated]");
    expect(cut.topic).toBe(`${"y".repeat(57)}...`);
    expect(rest.map(({ topic }: { topic: string }) => topic)).toEqual(["", ""]);
  });

  test.each([
    ["no channel", { type: "stream", to: [] }, "Must specify exactly 1 channel ID for channel messages"],
    [
      "two channels",
      { type: "stream", to: [1, 2] },
      "Must specify exactly 1 channel ID for channel messages",
    ],
    ["an unknown channel", { type: "stream", to: [4711] }, "Invalid channel ID"],
    ["an unknown person", { type: "private", to: [4711] }, "Invalid user ID 4711"],
    ["a negative time", { timestamp: -1 }, "Timestamp must not be negative."],
    ["a null byte in its content", { content: "a\0b" }, "Content must not contain null bytes"],
    ["a null byte in its topic", { topic: "a\0b" }, "Topic must not contain null bytes"],
  ])("refuses %s, and the whole request with it", async (_, wrong, msg) => {
    const w = world();
    const answer = await w.as("mel").post("/drafts", { drafts: [idea, { ...idea, ...wrong }] });
    expect(answer).toMatchObject({ status: 400, body: { code: "BAD_REQUEST", msg }, events: [] });
    expect(await draftsOf(w, "mel")).toEqual([]);
  });

  test.each([
    ["an ID of the client's own", { ...idea, id: 1 }, "drafts[0] has an unknown key: id"],
    ["an unknown type", { ...idea, type: "direct" }, `drafts[0]["type"] must be one of: '', stream, private`],
    ["a lacking recipient", { ...idea, to: undefined }, 'drafts[0]["to"] is missing'],
    ["a recipient by name", { ...idea, to: ["lab"] }, 'drafts[0]["to"][0] is not a number'],
  ])("refuses %s", async (_, draft, msg) => {
    const answer = await world()
      .as("mel")
      .post("/drafts", { drafts: [draft] });
    expect(answer).toMatchObject({
      status: 400,
      body: { code: "REQUEST_VARIABLE_INVALID", msg },
      events: [],
    });
  });

  test("treats an invisible channel as one that does not exist", async () => {
    const w = world();
    const channelId = await lab(w);
    const drafts = [{ ...idea, type: "stream", to: [channelId] }];
    const answer = await w.as("max").post("/drafts", { drafts });
    expect(answer).toMatchObject({ status: 400, body: { msg: "Invalid channel ID" }, events: [] });
  });

  test("refuses more than a thousand drafts", async () => {
    const w = world();
    expect(await keep(w, ...Array.from({ length: 999 }, () => idea))).toHaveLength(999);
    const two = await w.as("mel").post("/drafts", { drafts: [idea, idea] });
    expect(two).toMatchObject({ status: 400, events: [] });
    expect(two.body.msg).toBe("You can keep at most 1000 drafts: delete some first.");
    expect(await keep(w, idea)).toHaveLength(1);
    expect((await w.as("max").post("/drafts", { drafts: [idea] })).status).toBe(200);
  });
});

describe("get-drafts", () => {
  test("counts and lists the caller's drafts, the newest edit first", async () => {
    const w = world();
    const ids = await keep(w, idea, { ...idea, timestamp: 5 }, idea);
    const { body } = await w.as("mel").get("/drafts");
    expect(body.count).toBe(3);
    expect(body.drafts.map(({ id }: { id: number }) => id)).toEqual([ids[2], ids[0], ids[1]]);
    expect((await w.as("ada").get("/drafts")).body).toMatchObject({ count: 0, drafts: [] });
  });

  test("agrees with the initial state", async () => {
    const w = world();
    await keep(w, idea, { ...idea, content: "Another" });
    const { state } = await w.queue("mel", { fetch_event_types: ["drafts"] });
    expect(state.drafts).toEqual(await draftsOf(w, "mel"));
    expect((await w.queue("mel", { fetch_event_types: ["message"] })).state).not.toHaveProperty("drafts");
  });
});

describe("edit-draft", () => {
  test("replaces the whole draft, at the time of the edit", async () => {
    const w = world();
    const [id, other] = await keep(w, { ...idea, timestamp: 7 }, idea);
    w.clock.advance(60);
    const draft = { type: "private", to: [w.user("max").id], topic: "", content: "Better" };
    const { status, events } = await w.as("mel").patch(`/drafts/${id}`, { draft });

    const kept = { id, ...draft, timestamp: w.clock.now() };
    expect(status).toBe(200);
    expect(events).toEqual([{ audience: ["mel"], event: { type: "drafts", op: "update", draft: kept } }]);
    expect(await draftsOf(w, "mel")).toMatchObject([kept, { id: other, content: "An idea" }]);
  });

  test("refuses an invalid draft, and leaves the old one unchanged", async () => {
    const w = world();
    const [id] = await keep(w, idea);
    const draft = { ...idea, type: "stream" };
    const answer = await w.as("mel").patch(`/drafts/${id}`, { draft });
    expect(answer).toMatchObject({ status: 400, body: { code: "BAD_REQUEST" }, events: [] });
    const nothing = await w.as("mel").patch(`/drafts/${id}`);
    expect(nothing).toMatchObject({ status: 400, body: { code: "REQUEST_VARIABLE_MISSING" }, events: [] });
    expect(await draftsOf(w, "mel")).toMatchObject([idea]);
  });

  test("answers for another user's draft as if it did not exist", async () => {
    const w = world();
    const [id] = await keep(w, idea);
    const missing = { status: 404, body: { code: "BAD_REQUEST", msg: "Draft does not exist" }, events: [] };
    expect(await w.as("max").patch(`/drafts/${id}`, { draft: idea })).toMatchObject(missing);
    expect(await w.as("mel").patch("/drafts/4711", { draft: idea })).toMatchObject(missing);
  });
});

describe("delete-draft", () => {
  test("deletes the draft, and emits it only to its author's clients", async () => {
    const w = world();
    const [id, other] = await keep(w, idea, idea);
    const { status, events } = await w.as("mel").delete(`/drafts/${id}`);
    expect(status).toBe(200);
    expect(events).toEqual([{ audience: ["mel"], event: { type: "drafts", op: "remove", draft_id: id } }]);
    expect(await draftsOf(w, "mel")).toMatchObject([{ id: other }]);
  });

  test("answers for another user's draft as if it did not exist", async () => {
    const w = world();
    const [id] = await keep(w, idea);
    const missing = { status: 404, body: { code: "BAD_REQUEST", msg: "Draft does not exist" }, events: [] };
    expect(await w.as("max").delete(`/drafts/${id}`)).toMatchObject(missing);
    expect(await w.as("mel").delete("/drafts/4711")).toMatchObject(missing);
    expect(await draftsOf(w, "mel")).toHaveLength(1);
  });
});

describe("drafts of users who turned synchronization off", () => {
  test("are refused, and not shown", async () => {
    const w = world();
    const [id] = await keep(w, idea);
    await setSynchronization(w, "mel", false);
    const refused = { status: 400, body: { code: "BAD_REQUEST" }, events: [] };
    const mel = w.as("mel");
    expect(await mel.get("/drafts")).toMatchObject(refused);
    expect(await mel.post("/drafts", { drafts: [idea] })).toMatchObject(refused);
    expect(await mel.patch(`/drafts/${id}`, { draft: idea })).toMatchObject(refused);
    expect(await mel.delete(`/drafts/${id}`)).toMatchObject(refused);
    expect((await w.queue("mel", { fetch_event_types: ["drafts"] })).state.drafts).toEqual([]);
    expect((await w.as("max").post("/drafts", { drafts: [idea] })).status).toBe(200);
  });

  test("are deleted, without an event to the clients that hold them", async () => {
    const w = world();
    await keep(w, idea);
    await w.as("max").post("/drafts", { drafts: [idea] });
    const { events } = await w.as("mel").patch("/settings", { enable_drafts_synchronization: false });
    await setSynchronization(w, "mel", true);
    expect(await draftsOf(w, "mel")).toEqual([]);
    expect(await draftsOf(w, "max")).toHaveLength(1);
    expect(events.map(({ event }) => event.type)).toEqual(["user_settings"]);
  });
});
