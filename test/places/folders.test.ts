import { describe, expect, test } from "bun:test";
import { listAudit } from "@/foundation/audit/queries.ts";
import { type World, world } from "../support/world.ts";

async function folder(w: World, name: string, description = ""): Promise<number> {
  const { body } = await w.as("ada").post("/channel_folders/create", { name, description });
  if (body.result !== "success") throw new Error(body.msg);
  return body.channel_folder_id;
}

async function foldersOf(w: World, params = {}) {
  return (await w.as("gus").get("/channel_folders", params)).body.channel_folders;
}

describe("create-channel-folder", () => {
  test("adds the folder last and emits it to everyone", async () => {
    const w = world();
    const first = await folder(w, "Teams");
    const { body, events } = await w.as("olive").post("/channel_folders/create", {
      name: " Support ",
      description: "Who *asks*",
    });

    const folders = await foldersOf(w);
    expect(folders).toEqual([
      expect.objectContaining({
        id: first,
        name: "Teams",
        order: 0,
        description: "",
        rendered_description: "",
      }),
      {
        id: body.channel_folder_id,
        name: "Support",
        order: 1,
        date_created: w.clock.now(),
        creator_id: w.user("olive").id,
        description: "Who *asks*",
        rendered_description: "<p>Who <em>asks</em></p>",
        is_archived: false,
      },
    ]);
    expect(events).toEqual([
      { audience: "everyone", event: { type: "channel_folder", op: "add", channel_folder: folders[1] } },
    ]);
  });

  test("records who did it in the audit log", async () => {
    const w = world();
    const id = await folder(w, "Teams");
    expect(listAudit(w.ctx("ada"), { limit: 1 })).toMatchObject([
      {
        actor_id: w.user("ada").id,
        event: "folder_created",
        about: { kind: "folder", id },
        data: { name: "Teams" },
      },
    ]);
  });

  test.each(["moss", "mel", "gus", "bolt"] as const)("refuses %s, who is no administrator", async (who) => {
    const answer = await world().as(who).post("/channel_folders/create", { name: "Teams", description: "" });
    expect(answer).toMatchObject({
      status: 400,
      body: { code: "UNAUTHORIZED_PRINCIPAL", msg: "Must be an organization administrator" },
      events: [],
    });
  });

  test.each([
    ["no name", { description: "" }, "Missing 'name' argument"],
    ["no description", { name: "Teams" }, "Missing 'description' argument"],
    ["an empty name", { name: " ", description: "" }, "A channel folder needs a name."],
    [
      "a long name",
      { name: "x".repeat(61), description: "" },
      "A channel folder's name has at most 60 characters.",
    ],
    ["a name that cannot be printed", { name: "a\nb", description: "" }, /printable/],
    ["a long description", { name: "x", description: "x".repeat(1025) }, /at most 1024/],
    ["a description with a null byte", { name: "x", description: "a\0b" }, /null bytes/],
  ])("refuses %s", async (_, params, msg) => {
    const answer = await world().as("ada").post("/channel_folders/create", params);
    expect(answer).toMatchObject({ status: 400, events: [] });
    expect(answer.body.msg).toMatch(msg);
  });

  test("refuses a taken name, ignoring case, also that of an archived folder", async () => {
    const w = world();
    const id = await folder(w, "Teams");
    await w.as("ada").patch(`/channel_folders/${id}`, { is_archived: true });
    expect(
      await w.as("ada").post("/channel_folders/create", { name: "TEAMS", description: "" }),
    ).toMatchObject({
      status: 400,
      body: { code: "BAD_REQUEST", msg: "Channel folder name already in use" },
      events: [],
    });
  });
});

describe("get-channel-folders", () => {
  test("omits archived folders unless requested", async () => {
    const w = world();
    const [old, current] = [await folder(w, "Old"), await folder(w, "Current")];
    await w.as("ada").patch(`/channel_folders/${old}`, { is_archived: true });
    const idsOf = async (params = {}) => (await foldersOf(w, params)).map(({ id }: { id: number }) => id);

    expect(await idsOf()).toEqual([current]);
    expect(await idsOf({ include_archived: true })).toEqual([old, current]);
  });
});

describe("update-channel-folder", () => {
  test("changes only the given fields, and emits only those", async () => {
    const w = world();
    const id = await folder(w, "Teams", "Old");
    const { body, events } = await w.as("ada").patch(`/channel_folders/${id}`, {
      name: "Groups",
      description: "**New**",
    });

    expect(body).toEqual({ result: "success", msg: "" });
    const data = {
      name: "Groups",
      description: "**New**",
      rendered_description: "<p><strong>New</strong></p>",
    };
    expect(events).toEqual([
      { audience: "everyone", event: { type: "channel_folder", op: "update", channel_folder_id: id, data } },
    ]);
    expect(await foldersOf(w)).toMatchObject([{ id, ...data }]);
  });

  test("records each change in the audit log", async () => {
    const w = world();
    const id = await folder(w, "Teams", "Old");
    await w
      .as("ada")
      .patch(`/channel_folders/${id}`, { name: "Groups", description: "New", is_archived: true });
    expect(listAudit(w.ctx("ada"), { limit: 3, about: { kind: "folder", id } })).toMatchObject([
      { event: "folder_archived", data: {} },
      { event: "folder_described", data: { from: "Old", to: "New" } },
      { event: "folder_renamed", data: { from: "Teams", to: "Groups" } },
    ]);
  });

  test("archives a folder, which keeps its position, and unarchives it", async () => {
    const w = world();
    const id = await folder(w, "Teams");
    await folder(w, "Support");
    const archive = await w.as("ada").patch(`/channel_folders/${id}`, { is_archived: true });
    expect(archive.events).toMatchObject([{ event: { channel_folder_id: id, data: { is_archived: true } } }]);
    const back = await w.as("ada").patch(`/channel_folders/${id}`, { is_archived: false });
    expect(back.events).toMatchObject([{ event: { data: { is_archived: false } } }]);
    expect(await foldersOf(w)).toMatchObject([{ id, order: 0, is_archived: false }, { order: 1 }]);
  });

  test("emits nothing if nothing changes", async () => {
    const w = world();
    const id = await folder(w, "Teams", "Old");
    const same = { name: "Teams", description: "Old", is_archived: false };
    for (const params of [{}, same]) {
      expect(await w.as("ada").patch(`/channel_folders/${id}`, params)).toMatchObject({
        status: 200,
        events: [],
      });
    }
    expect(listAudit(w.ctx("ada"), { limit: 9, about: { kind: "folder" } })).toHaveLength(1);
  });

  test("lets a folder change the case of its name", async () => {
    const w = world();
    const id = await folder(w, "teams");
    expect(await w.as("ada").patch(`/channel_folders/${id}`, { name: "Teams" })).toMatchObject({
      status: 200,
    });
    expect(await foldersOf(w)).toMatchObject([{ name: "Teams" }]);
  });

  test.each([
    ["a member", "mel", { name: "x" }, "UNAUTHORIZED_PRINCIPAL", "Must be an organization administrator"],
    ["a taken name", "ada", { name: "support" }, "BAD_REQUEST", "Channel folder name already in use"],
    ["an empty name", "ada", { name: "" }, "BAD_REQUEST", "A channel folder needs a name."],
    ["a name that is too long", "ada", { name: "x".repeat(61) }, "BAD_REQUEST", /at most 60/],
  ] as const)("refuses %s, changing nothing", async (_, who, params, code, msg) => {
    const w = world();
    const id = await folder(w, "Teams");
    await folder(w, "Support");
    const answer = await w.as(who).patch(`/channel_folders/${id}`, { description: "New", ...params });
    expect(answer).toMatchObject({ status: 400, body: { code }, events: [] });
    expect(answer.body.msg).toMatch(msg);
    expect(await foldersOf(w)).toMatchObject([{ name: "Teams", description: "" }, {}]);
  });

  test("refuses an unknown folder", async () => {
    expect(await world().as("ada").patch("/channel_folders/4711", { name: "x" })).toMatchObject({
      status: 400,
      body: { code: "BAD_REQUEST", msg: "Invalid channel folder ID" },
      events: [],
    });
  });
});

describe("patch-channel-folders", () => {
  test("puts all folders, archived ones too, into the order given", async () => {
    const w = world();
    const [a, b, c] = [await folder(w, "A"), await folder(w, "B"), await folder(w, "C")];
    await w.as("ada").patch(`/channel_folders/${b}`, { is_archived: true });
    const { events } = await w.as("ada").patch("/channel_folders", { order: [c, a, b] });

    expect(events).toEqual([
      { audience: "everyone", event: { type: "channel_folder", op: "reorder", order: [c, a, b] } },
    ]);
    expect(await foldersOf(w, { include_archived: true })).toMatchObject([
      { id: c, order: 0 },
      { id: a, order: 1 },
      { id: b, order: 2 },
    ]);
    expect(listAudit(w.ctx("ada"), { limit: 1 })).toMatchObject([{ event: "folders_reordered" }]);
    expect(await w.as("ada").patch("/channel_folders", { order: [c, a, b] })).toMatchObject({ events: [] });
    expect(
      (await w.as("ada").post("/channel_folders/create", { name: "D", description: "" })).events,
    ).toMatchObject([{ event: { channel_folder: { order: 3 } } }]);
  });

  test("refuses an order that is not one of all folders, each once", async () => {
    const w = world();
    const [a, b] = [await folder(w, "A"), await folder(w, "B")];
    for (const order of [[], [a], [a, a], [a, b, b], [a, 4711], [b, a, 4711]]) {
      expect(await w.as("ada").patch("/channel_folders", { order })).toMatchObject({
        status: 400,
        body: { code: "BAD_REQUEST", msg: "The order must contain every channel folder exactly once." },
        events: [],
      });
    }
    expect(await foldersOf(w)).toMatchObject([{ id: a }, { id: b }]);
  });

  test("refuses a member", async () => {
    const w = world();
    const order = [await folder(w, "A"), await folder(w, "B")].reverse();
    expect(await w.as("mel").patch("/channel_folders", { order })).toMatchObject({
      status: 400,
      body: { code: "UNAUTHORIZED_PRINCIPAL" },
      events: [],
    });
  });
});

describe("register: channel_folders", () => {
  test("contains all folders, including archived ones, as events keep them current", async () => {
    const w = world();
    const [a, b] = [await folder(w, "A"), await folder(w, "B")];
    await w.as("ada").patch(`/channel_folders/${a}`, { is_archived: true });
    await w.as("ada").patch("/channel_folders", { order: [b, a] });
    const { state } = await w.queue("gus", { fetch_event_types: ["channel_folders"] });
    expect(state.channel_folders).toEqual(await foldersOf(w, { include_archived: true }));
    expect(state.channel_folders).toMatchObject([{ id: b }, { id: a, is_archived: true }]);
  });
});
