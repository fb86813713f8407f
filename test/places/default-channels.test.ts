import { describe, expect, test } from "bun:test";
import { createUser } from "@/foundation/accounts/actions.ts";
import { listAudit } from "@/foundation/audit/queries.ts";
import { type CastName, type World, world } from "../support/world.ts";

async function channel(w: World, name: string, more: Record<string, unknown> = {}): Promise<number> {
  const { body } = await w.as("ada").post("/channels/create", { name, subscribers: [], ...more });
  if (body.result !== "success") throw new Error(body.msg);
  return body.id;
}

const nonGuests: CastName[] = ["olive", "ada", "moss", "mel", "max", "bolt"];

async function defaultsOf(w: World, who: CastName): Promise<number[]> {
  const { state } = await w.queue(who, { fetch_event_types: ["default_streams"] });
  return state.realm_default_streams;
}

async function groupsOf(w: World, who: CastName) {
  const { state } = await w.queue(who, { fetch_event_types: ["default_stream_groups"] });
  return state.realm_default_stream_groups;
}

describe("add-default-stream", () => {
  test("makes a channel a default one, with one event to everyone except guests", async () => {
    const w = world();
    const [a, b] = [await channel(w, "a"), await channel(w, "b")];
    await w.as("ada").post("/default_streams", { stream_id: b });
    const { body, events } = await w.as("olive").post("/default_streams", { stream_id: a });

    expect(body).toEqual({ result: "success", msg: "" });
    expect(events).toEqual([
      { audience: nonGuests.toSorted(byId(w)), event: { type: "default_streams", default_streams: [a, b] } },
    ]);
    expect(await w.as("ada").post("/default_streams", { stream_id: a })).toMatchObject({
      status: 200,
      events: [],
    });
    expect(await defaultsOf(w, "mel")).toEqual([a, b]);
    expect(await defaultsOf(w, "gus")).toEqual([]);
    expect((await w.as("mel").get("/streams", { include_default: true })).body.streams).toMatchObject([
      { stream_id: a, is_default: true },
      { stream_id: b, is_default: true },
    ]);
    expect(listAudit(w.ctx("ada"), { limit: 9, event: "channel_made_default" })).toMatchObject([
      { actor_id: w.user("olive").id, about: { kind: "channel", id: a } },
      { actor_id: w.user("ada").id, about: { kind: "channel", id: b } },
    ]);
  });

  test("gives new members the default channels, and new guests none", async () => {
    const w = world();
    const id = await channel(w, "welcome");
    await channel(w, "other");
    await w.as("ada").post("/default_streams", { stream_id: id });
    const joined = async (email: string) => {
      const person = { email, full_name: "Newcomer", password: "correct horse" };
      return (await w.as("ada").post("/users", person)).body.user_id;
    };
    const user_id = await joined("new@example.com");
    expect((await w.as("mel").get(`/streams/${id}/members`)).body.subscribers).toEqual([user_id]);
    expect(w.events.at(-1)).toMatchObject({
      event: { op: "peer_add", stream_ids: [id], user_ids: [user_id] },
    });

    const guest = { email: "guest@example.com", full_name: "Guest", role: 600 } as const;
    await createUser(w.ctx("ada"), guest);
    expect((await w.as("mel").get(`/streams/${id}/members`)).body.subscribers).toEqual([user_id]);
  });

  test.each([
    ["a moderator", "moss", "open", "UNAUTHORIZED_PRINCIPAL", "Must be an organization administrator"],
    ["a private channel", "ada", "board", "BAD_REQUEST", "A default channel cannot be private."],
    ["an unknown channel", "ada", "nowhere", "BAD_REQUEST", "Invalid channel ID"],
  ] as const)("refuses %s", async (_, who, name, code, msg) => {
    const w = world();
    const ids = {
      open: await channel(w, "open"),
      board: await channel(w, "board", { invite_only: true }),
      nowhere: 4711,
    };
    expect(await w.as(who).post("/default_streams", { stream_id: ids[name] })).toMatchObject({
      status: 400,
      body: { code, msg },
      events: [],
    });
    expect(await defaultsOf(w, "ada")).toEqual([]);
  });
});

describe("remove-default-stream", () => {
  test("removes it, with one event to everyone except guests", async () => {
    const w = world();
    const [a, b] = [await channel(w, "a"), await channel(w, "b")];
    for (const id of [a, b]) await w.as("ada").post("/default_streams", { stream_id: id });
    const { events } = await w.as("ada").delete("/default_streams", { stream_id: a });

    expect(events).toEqual([
      { audience: nonGuests.toSorted(byId(w)), event: { type: "default_streams", default_streams: [b] } },
    ]);
    expect(await w.as("ada").delete("/default_streams", { stream_id: a })).toMatchObject({
      status: 200,
      events: [],
    });
    expect(await defaultsOf(w, "mel")).toEqual([b]);
    expect(listAudit(w.ctx("ada"), { limit: 1 })).toMatchObject([{ event: "channel_made_not_default" }]);
  });

  test("refuses a member and an unknown channel", async () => {
    const w = world();
    const id = await channel(w, "a");
    await w.as("ada").post("/default_streams", { stream_id: id });
    const refused = { status: 400, events: [] };
    expect(await w.as("mel").delete("/default_streams", { stream_id: id })).toMatchObject(refused);
    expect(await w.as("ada").delete("/default_streams", { stream_id: 4711 })).toMatchObject(refused);
    expect(await defaultsOf(w, "mel")).toEqual([id]);
  });
});

/** A group of that name, that contains the channel `a` and not `b`; `c` is a default channel, `board` private. */
async function withGroup(w: World) {
  const [a, b, c] = [await channel(w, "a"), await channel(w, "b"), await channel(w, "c")];
  await channel(w, "board", { invite_only: true });
  await w.as("ada").post("/default_streams", { stream_id: c });
  await w.as("ada").post("/default_stream_groups/create", {
    group_name: "Design",
    description: "How things look",
    stream_names: ["a"],
  });
  const [group] = await groupsOf(w, "ada");
  return { a, b, c, group };
}

const groupEvent = (w: World, default_stream_groups: unknown[]) => [
  { audience: nonGuests.toSorted(byId(w)), event: { type: "default_stream_groups", default_stream_groups } },
];

describe("post-default-stream-groups-create", () => {
  test("adds a group, with an event to everyone except guests", async () => {
    const w = world();
    const [a, b] = [await channel(w, "a"), await channel(w, "b")];
    const { events } = await w.as("ada").post("/default_stream_groups/create", {
      group_name: " Design ",
      description: "How things look",
      stream_names: ["B", "a", "b"],
    });

    const groups = await groupsOf(w, "mel");
    expect(groups).toEqual([
      { id: expect.any(Number), name: "Design", description: "How things look", streams: [a, b] },
    ]);
    expect(events).toEqual(groupEvent(w, groups));
    expect(await groupsOf(w, "gus")).toEqual([]);
    expect(listAudit(w.ctx("ada"), { limit: 1 })).toMatchObject([
      { event: "default_channel_group_created", about: { kind: "default_channel_group", id: groups[0].id } },
    ]);
  });

  test.each([
    ["a member", "mel", {}, "UNAUTHORIZED_PRINCIPAL", "Must be an organization administrator"],
    ["a taken name", "ada", { group_name: "design" }, "BAD_REQUEST", /'design' already exists/],
    ["an empty name", "ada", { group_name: "" }, "BAD_REQUEST", "A default channel group needs a name."],
    ["a long name", "ada", { group_name: "x".repeat(61) }, "BAD_REQUEST", /at most 60/],
    ["a long description", "ada", { description: "x".repeat(1025) }, "BAD_REQUEST", /at most 1024/],
    ["a default channel", "ada", { stream_names: ["b", "c"] }, "BAD_REQUEST", /'c' is a default channel/],
    ["a private channel", "ada", { stream_names: ["board"] }, "BAD_REQUEST", /'board' is private/],
    ["an unknown channel", "ada", { stream_names: ["nowhere"] }, "STREAM_DOES_NOT_EXIST", /'nowhere'/],
    [
      "more channels than are read",
      "ada",
      { stream_names: Array(1001).fill("b") },
      "BAD_REQUEST",
      /at most 1000 channels at once/,
    ],
  ] as const)("refuses %s", async (_, who, params, code, msg) => {
    const w = world();
    const { group } = await withGroup(w);
    const given = { group_name: "Other", description: "", stream_names: ["b"], ...params };
    const answer = await w.as(who).post("/default_stream_groups/create", given);
    expect(answer).toMatchObject({ status: 400, body: { code }, events: [] });
    expect(answer.body.msg).toMatch(msg);
    expect(await groupsOf(w, "ada")).toEqual([group]);
  });
});

describe("patch-default-stream-groups-group-id", () => {
  test("changes name and description, and emits the whole list to everyone except guests", async () => {
    const w = world();
    const { group } = await withGroup(w);
    const path = `/default_stream_groups/${group.id}`;
    const named = await w.as("ada").patch(path, { new_group_name: "DESIGN" });
    expect(named.events).toEqual(groupEvent(w, [{ ...group, name: "DESIGN" }]));
    const described = await w.as("ada").patch(path, { new_description: "Looks" });
    expect(described.events).toEqual(groupEvent(w, [{ ...group, name: "DESIGN", description: "Looks" }]));
    expect(await w.as("ada").patch(path, { new_description: "Looks" })).toMatchObject({
      status: 200,
      events: [],
    });
  });

  test.each([
    [
      "a member",
      "mel",
      { new_description: "x" },
      "UNAUTHORIZED_PRINCIPAL",
      "Must be an organization administrator",
    ],
    ["nothing to change", "ada", {}, "BAD_REQUEST", /new_description.*new_group_name/],
    ["a taken name", "ada", { new_group_name: "OTHER" }, "BAD_REQUEST", /already exists/],
    ["an empty name", "ada", { new_group_name: " " }, "BAD_REQUEST", /needs a name/],
  ] as const)("refuses %s", async (_, who, params, code, msg) => {
    const w = world();
    const { group } = await withGroup(w);
    const other = { group_name: "other", description: "", stream_names: [] };
    await w.as("ada").post("/default_stream_groups/create", other);
    const answer = await w.as(who).patch(`/default_stream_groups/${group.id}`, params);
    expect(answer).toMatchObject({ status: 400, body: { code }, events: [] });
    expect(answer.body.msg).toMatch(msg);
    expect((await groupsOf(w, "ada"))[0]).toEqual(group);
  });

  test("refuses an unknown group", async () => {
    expect(
      await world().as("ada").patch("/default_stream_groups/4711", { new_description: "x" }),
    ).toMatchObject({
      status: 400,
      body: { code: "BAD_REQUEST", msg: "There is no default channel group with the ID 4711." },
      events: [],
    });
  });
});

describe("delete-default-stream-groups-group-id", () => {
  test("deletes a group, whose name is then free", async () => {
    const w = world();
    const { group } = await withGroup(w);
    const { events } = await w.as("ada").delete(`/default_stream_groups/${group.id}`);
    expect(events).toEqual(groupEvent(w, []));
    expect(await groupsOf(w, "ada")).toEqual([]);
    const again = { group_name: "Design", description: "", stream_names: ["a"] };
    expect(await w.as("ada").post("/default_stream_groups/create", again)).toMatchObject({ status: 200 });
  });

  test("refuses a member and an unknown group", async () => {
    const w = world();
    const { group } = await withGroup(w);
    const member = await w.as("mel").delete(`/default_stream_groups/${group.id}`);
    expect(member).toMatchObject({ status: 400, body: { code: "UNAUTHORIZED_PRINCIPAL" }, events: [] });
    const unknown = await w.as("ada").delete("/default_stream_groups/4711");
    expect(unknown).toMatchObject({ status: 400, body: { code: "BAD_REQUEST" }, events: [] });
    expect(await groupsOf(w, "ada")).toEqual([group]);
  });
});

describe("patch-default-stream-groups-group-id-streams", () => {
  test("adds and removes channels, with events to everyone except guests", async () => {
    const w = world();
    const { a, b, group } = await withGroup(w);
    const path = `/default_stream_groups/${group.id}/streams`;
    const added = await w.as("ada").patch(path, { op: "add", stream_names: ["b"] });
    expect(added.events).toEqual(groupEvent(w, [{ ...group, streams: [a, b] }]));
    const removed = await w.as("ada").patch(path, { op: "remove", stream_names: ["a"] });
    expect(removed.events).toEqual(groupEvent(w, [{ ...group, streams: [b] }]));
  });

  test.each([
    ["a member", "mel", "add", ["b"], "UNAUTHORIZED_PRINCIPAL", "Must be an organization administrator"],
    [
      "a channel that is in it",
      "ada",
      "add",
      ["b", "a"],
      "BAD_REQUEST",
      "Channel 'a' is already in default channel group 'Design'.",
    ],
    [
      "a channel that is not",
      "ada",
      "remove",
      ["a", "b"],
      "BAD_REQUEST",
      "Channel 'b' is not in default channel group 'Design'.",
    ],
    ["a default channel", "ada", "add", ["c"], "BAD_REQUEST", /'c' is a default channel/],
    ["a private channel", "ada", "add", ["board"], "BAD_REQUEST", /'board' is private/],
    ["an unknown channel", "ada", "remove", ["nowhere"], "STREAM_DOES_NOT_EXIST", /'nowhere'/],
    ["another op", "ada", "replace", ["b"], "REQUEST_VARIABLE_INVALID", /op must be one of/],
  ] as const)("refuses %s, changing nothing", async (_, who, op, stream_names, code, msg) => {
    const w = world();
    const { group } = await withGroup(w);
    const answer = await w.as(who).patch(`/default_stream_groups/${group.id}/streams`, { op, stream_names });
    expect(answer).toMatchObject({ status: 400, body: { code }, events: [] });
    expect(answer.body.msg).toMatch(msg);
    expect(await groupsOf(w, "ada")).toEqual([group]);
  });
});

function byId(w: World) {
  return (a: CastName, b: CastName) => w.user(a).id - w.user(b).id;
}
