import { describe, expect, test } from "bun:test";
import { changeRole, createUser, deactivateUser, reactivateUser } from "@/foundation/accounts/actions.ts";
import type { Json } from "../support/requests.ts";
import { type Answer, type CastName, type World, world } from "../support/world.ts";

const unknown = 4711;
const ids = (w: World, ...names: CastName[]) => names.map((name) => w.user(name).id);

async function systemGroups(w: World): Promise<Record<string, number>> {
  const { user_groups } = (await w.as("mel").get("/user_groups")).body;
  return Object.fromEntries(user_groups.map((group: Json) => [group.name, group.id]));
}

/** Creates a group as mel, unless told otherwise; returns its ID. */
async function made(w: World, params: Json = {}, by: CastName = "mel"): Promise<number> {
  const given = { name: "Painters", description: "", members: [], ...params };
  const { body } = await w.as(by).post("/user_groups/create", given);
  if (body.result !== "success") throw new Error(body.msg);
  return body.group_id;
}

async function groupAs(w: World, id: number, who: CastName = "mel"): Promise<Json> {
  const { user_groups } = (await w.as(who).get("/user_groups", { include_deactivated_groups: true })).body;
  return user_groups.find((group: Json) => group.id === id);
}

const groupEvents = ({ events }: Answer) => events.filter(({ event }) => event.type === "user_group");

/** The recipients and texts of the direct messages that a call sent. */
const summarize = ({ events }: Answer) =>
  events
    .filter(({ event }) => event.type === "message")
    .map(({ event, audience }) => [audience.at(-1), event.message.content]);

const refusal = (msg: unknown) => ({ status: 400, body: { code: "BAD_REQUEST", msg }, events: [] });

describe("create-user-group", () => {
  test("creates a group, emits it to everyone, and notifies its members", async () => {
    const w = world();
    const groups = await systemGroups(w);
    const answer = await w.as("mel").post("/user_groups/create", {
      name: "  Painters ",
      description: " Who paints ",
      members: ids(w, "max", "mel", "gus", "bolt", "max"),
      subgroups: [groups["role:owners"]],
      can_join_group: { direct_members: [], direct_subgroups: [groups["role:members"]] },
      can_mention_group: { direct_members: ids(w, "moss"), direct_subgroups: [groups["role:owners"]] },
    });
    const creator = { direct_members: ids(w, "mel"), direct_subgroups: [] };
    const group = {
      id: answer.body.group_id,
      name: "Painters",
      description: "Who paints",
      members: ids(w, "mel", "max", "gus", "bolt"),
      direct_subgroup_ids: [groups["role:owners"]],
      is_system_group: false,
      creator_id: w.user("mel").id,
      date_created: w.clock.now(),
      deactivated: false,
      can_add_members_group: creator,
      can_join_group: groups["role:members"],
      can_leave_group: groups["role:everyone"],
      can_manage_group: creator,
      can_mention_group: { direct_members: ids(w, "moss"), direct_subgroups: [groups["role:owners"]] },
      can_remove_members_group: groups["role:nobody"],
    };
    expect(groupEvents(answer)).toEqual([
      { audience: "everyone", event: { type: "user_group", op: "add", group } },
    ]);
    expect(await groupAs(w, group.id, "ada")).toEqual(group);
    const mention = `<span class="user-group-mention silent" data-user-group-id="${group.id}">Painters</span>`;
    expect(summarize(answer)).toEqual([
      ["max", expect.stringContaining(`added you to the user group ${mention}.`)],
      ["gus", expect.stringContaining(">Mel</span> added you")],
    ]);
  });

  test("lets its creator manage it, unless somebody else is named", async () => {
    const w = world();
    const { "role:nobody": nobody } = await systemGroups(w);
    const id = await made(w, { can_manage_group: nobody });
    expect(await groupAs(w, id)).toMatchObject({
      can_manage_group: nobody,
      can_add_members_group: { direct_members: ids(w, "mel"), direct_subgroups: [] },
    });
  });

  test("accepts no members and no description", async () => {
    const w = world();
    expect(await groupAs(w, await made(w))).toMatchObject({ description: "", members: [] });
  });

  test.each<[string, CastName, Json, unknown]>([
    ["a guest", "gus", {}, "You do not have permission to create user groups."],
    ["no name", "mel", { name: undefined }, "Missing 'name' argument"],
    ["no description", "mel", { description: undefined }, "Missing 'description' argument"],
    ["no members", "mel", { members: undefined }, "Missing 'members' argument"],
    ["an empty name", "mel", { name: "  " }, "A user group needs a name."],
    ["a name too long", "mel", { name: "x".repeat(101) }, /at most 100 characters/],
    ["a name of several lines", "mel", { name: "a\nb" }, /printable/],
    ["a name like a mention", "mel", { name: "@painters" }, /must not start with/],
    ["a name like a system group's", "mel", { name: "role:painters" }, /must not start with/],
    ["a name like a user's", "mel", { name: "User:painters" }, /must not start with/],
    ["a name like a channel's", "mel", { name: "stream:painters" }, /must not start with/],
    ["a name like a channel's, in the newer word", "mel", { name: "channel:x" }, /must not start with/],
    ["an endless description", "mel", { description: "x".repeat(1025) }, /at most 1024 characters/],
    ["an unknown person", "mel", { members: [unknown] }, `Invalid user ID ${unknown}`],
    ["an unknown subgroup", "mel", { subgroups: [unknown] }, `Invalid user group ID: ${unknown}`],
    [
      "an unknown group in a setting",
      "mel",
      { can_join_group: unknown },
      `Invalid user group ID: ${unknown}`,
    ],
  ])("refuses %s", async (_, who, params, msg) => {
    const given = { name: "Painters", description: "", members: [], ...params };
    const answer = await world().as(who).post("/user_groups/create", given);
    expect(answer).toMatchObject({ status: 400, body: { msg: matching(msg) }, events: [] });
  });

  test("refuses deactivated users and system bots", async () => {
    const w = world();
    const [bot] = (await w.queue("mel")).state.cross_realm_bots;
    for (const id of [w.user("dex").id, bot.user_id]) {
      const given = { name: "Painters", description: "", members: [id] };
      expect(await w.as("mel").post("/user_groups/create", given)).toMatchObject(
        refusal(`Invalid user ID ${id}`),
      );
    }
  });

  test("refuses a taken name, ignoring case, also that of a deactivated group", async () => {
    const w = world();
    const id = await made(w);
    const again = () =>
      w.as("max").post("/user_groups/create", { name: "PAINTERS", description: "", members: [] });
    expect(await again()).toMatchObject(refusal("User group 'Painters' already exists."));
    await w.as("mel").post(`/user_groups/${id}/deactivate`);
    expect(await again()).toMatchObject(refusal("User group 'Painters' already exists."));
  });

  test("refuses to let everyone manage it, or the Internet mention it", async () => {
    const w = world();
    const groups = await systemGroups(w);
    for (const [setting, name] of [
      ["can_manage_group", "role:everyone"],
      ["can_manage_group", "role:internet"],
      ["can_mention_group", "role:internet"],
      ["can_mention_group", "role:owners"],
    ] as const) {
      const given = { name: "Painters", description: "", members: [], [setting]: groups[name] };
      expect(await w.as("mel").post("/user_groups/create", given)).toMatchObject(
        refusal(`'${setting}' setting cannot be set to '${name}' group.`),
      );
    }
  });
});

describe("get-user-groups", () => {
  test("lists system groups, nested, with their members by role", async () => {
    const w = world();
    const { user_groups } = (await w.as("mel").get("/user_groups")).body;
    const groups = await systemGroups(w);
    const shown = user_groups.map((group: Json) => [group.name, group.members, group.direct_subgroup_ids]);
    expect(shown).toEqual([
      ["role:internet", [], [groups["role:everyone"]]],
      ["role:everyone", ids(w, "gus"), [groups["role:members"]]],
      ["role:members", ids(w, "mel", "max", "bolt"), [groups["role:fullmembers"]]],
      ["role:fullmembers", ids(w, "mel", "max", "bolt"), [groups["role:moderators"]]],
      ["role:moderators", ids(w, "moss"), [groups["role:administrators"]]],
      ["role:administrators", ids(w, "ada"), [groups["role:owners"]]],
      ["role:owners", ids(w, "olive"), []],
      ["role:nobody", [], []],
    ]);
    for (const group of user_groups) {
      expect(group).toMatchObject({ is_system_group: true, can_manage_group: groups["role:nobody"] });
    }
  });

  test("omits deactivated groups unless requested", async () => {
    const w = world();
    const id = await made(w);
    await w.as("mel").post(`/user_groups/${id}/deactivate`);
    const listed = async (params: Json) =>
      (await w.as("max").get("/user_groups", params)).body.user_groups.map((group: Json) => group.id);
    expect(await listed({})).not.toContain(id);
    expect(await listed({ include_deactivated_groups: true })).toContain(id);
  });

  test("refuses guests", async () => {
    expect(await world().as("gus").get("/user_groups")).toMatchObject({
      status: 400,
      body: { code: "UNAUTHORIZED_PRINCIPAL" },
    });
  });

  test("never shows the groups behind permission settings", async () => {
    const w = world();
    await made(w);
    const { user_groups } = (await w.as("mel").get("/user_groups")).body;
    const known = user_groups.map((group: Json) => group.id);
    const hidden = w.app.env.db
      .all<{ id: number }>("SELECT id FROM user_groups")
      .filter(({ id }) => !known.includes(id));
    expect(hidden).toHaveLength(2);
    for (const { id } of hidden) {
      const msg = `Invalid user group ID: ${id}`;
      expect(await w.as("olive").get(`/user_groups/${id}/members`)).toMatchObject(refusal(msg));
      expect(await w.as("olive").patch(`/user_groups/${id}`, { name: "x" })).toMatchObject(refusal(msg));
      expect(await w.as("olive").patch(`/user_groups/${unknown}`, { name: "x" })).toMatchObject(
        refusal(`Invalid user group ID: ${unknown}`),
      );
      const given = { name: "x", description: "", members: [], subgroups: [id] };
      expect(await w.as("olive").post("/user_groups/create", given)).toMatchObject(refusal(msg));
    }
  });
});

describe("the realm_user_groups section of register", () => {
  const groupsOf = async (w: World, capable: boolean) => {
    const { state } = await w.queue("gus", {
      fetch_event_types: ["realm_user_groups"],
      client_capabilities: { include_deactivated_groups: capable },
    });
    return state.realm_user_groups.map((group: Json) => group.id);
  };

  test("contains deactivated groups only for clients that know them", async () => {
    const w = world();
    const id = await made(w);
    expect(await groupsOf(w, false)).toContain(id);
    await w.as("mel").post(`/user_groups/${id}/deactivate`);
    expect(await groupsOf(w, false)).not.toContain(id);
    expect(await groupsOf(w, true)).toContain(id);
  });
});

describe("update-user-group", () => {
  test("changes the given fields, and emits those that differ", async () => {
    const w = world();
    const groups = await systemGroups(w);
    const id = await made(w, { description: "Who paints" });
    const answer = await w.as("mel").patch(`/user_groups/${id}`, {
      name: " painters ",
      description: "Who paints",
      can_join_group: { new: groups["role:members"], old: groups["role:nobody"] },
      can_leave_group: { new: { direct_members: [], direct_subgroups: [groups["role:everyone"]] } },
    });
    const data = { name: "painters", can_join_group: groups["role:members"] };
    expect(answer).toMatchObject({ status: 200 });
    expect(answer.events).toEqual([
      { audience: "everyone", event: { type: "user_group", op: "update", group_id: id, data } },
    ]);
    expect(await groupAs(w, id)).toMatchObject(data);
  });

  test("emits nothing if nothing differs", async () => {
    const w = world();
    const id = await made(w);
    expect(await w.as("mel").patch(`/user_groups/${id}`, { name: "Painters" })).toMatchObject({
      status: 200,
      events: [],
    });
  });

  test("is for users who manage the group, or all groups", async () => {
    const w = world();
    const id = await made(w);
    const rename = (who: CastName, name: string) => w.as(who).patch(`/user_groups/${id}`, { name });
    for (const who of ["max", "moss", "ada", "gus"] as const)
      expect(await rename(who, "x")).toMatchObject(
        refusal("You do not have permission to change this user group."),
      );
    expect((await rename("mel", "By Mel")).status).toBe(200);
    expect((await rename("olive", "By Olive")).status).toBe(200);
    const value = { new: { direct_members: ids(w, "max"), direct_subgroups: [] } };
    await w.as("mel").patch(`/user_groups/${id}`, { can_manage_group: value });
    expect((await rename("max", "By Max")).status).toBe(200);
    expect((await rename("mel", "By Mel")).status).toBe(400);
  });

  test("changes nothing if one of the old values does not match", async () => {
    const w = world();
    const groups = await systemGroups(w);
    const id = await made(w);
    const before = await groupAs(w, id);
    const answer = await w.as("mel").patch(`/user_groups/${id}`, {
      name: "Sculptors",
      can_add_members_group: { new: groups["role:members"] },
      can_join_group: { new: groups["role:members"], old: groups["role:owners"] },
    });
    expect(answer).toMatchObject({ status: 400, body: { code: "EXPECTATION_MISMATCH" }, events: [] });
    expect(await groupAs(w, id)).toEqual(before);
  });

  test.each<[string, Json, unknown]>([
    ["nothing to change", {}, "No changes were given."],
    ["an empty name", { name: "" }, "A user group needs a name."],
    ["a taken name", { name: "SCULPTORS" }, "User group 'Sculptors' already exists."],
    ["a reserved name", { name: "role:x" }, /must not start with/],
    ["a bare value", { can_join_group: 3 }, "can_join_group is not an object"],
    ["an unknown group", { can_join_group: { new: unknown } }, `Invalid user group ID: ${unknown}`],
  ])("refuses %s", async (_, params, msg) => {
    const w = world();
    const id = await made(w);
    await made(w, { name: "Sculptors" }, "max");
    const answer = await w.as("mel").patch(`/user_groups/${id}`, params);
    expect(answer).toMatchObject({ status: 400, body: { msg: matching(msg) }, events: [] });
  });

  test("refuses system groups, even for owners", async () => {
    const w = world();
    const groups = await systemGroups(w);
    const refused = refusal("System groups follow from roles and cannot be changed.");
    const path = `/user_groups/${groups["role:moderators"]}`;
    expect(await w.as("olive").patch(path, { description: "x" })).toMatchObject(refused);
    expect(await w.as("olive").post(`${path}/deactivate`)).toMatchObject(refused);
    expect(await w.as("olive").post(`${path}/members`, { add: ids(w, "mel") })).toMatchObject(refused);
    expect(await w.as("olive").post(`${path}/subgroups`, { add: [groups["role:nobody"]] })).toMatchObject(
      refused,
    );
  });

  test("reactivates a group, as a new one for older clients", async () => {
    const w = world();
    const id = await made(w, { members: ids(w, "max") });
    await w.as("mel").post(`/user_groups/${id}/deactivate`);
    const [capable, other] = [await w.queue("max"), await w.queue("max", { client_capabilities: {} })];
    await w.as("mel").patch(`/user_groups/${id}`, { deactivated: false });
    expect(await capable.poll()).toMatchObject([
      { op: "update", group_id: id, data: { deactivated: false } },
    ]);
    expect(await other.poll()).toMatchObject([{ op: "add", group: { id, members: ids(w, "max") } }]);
    const again = await w.as("mel").patch(`/user_groups/${id}`, { deactivated: false });
    expect(again).toMatchObject({ status: 200, events: [] });
  });

  test("deactivates, under the same conditions as the endpoint of that name", async () => {
    const w = world();
    const id = await made(w);
    const holder = await made(w, { name: "Artists", subgroups: [id] });
    const answer = await w.as("mel").patch(`/user_groups/${id}`, { name: "x", deactivated: true });
    expect(answer).toMatchObject({ body: { code: "CANNOT_DEACTIVATE_GROUP_IN_USE" }, events: [] });
    expect((await groupAs(w, id)).name).toBe("Painters");
    await w.as("mel").patch(`/user_groups/${holder}`, { deactivated: true });
    expect((await groupAs(w, holder)).deactivated).toBe(true);
  });

  test("changes a deactivated group without events to older clients", async () => {
    const w = world();
    const id = await made(w);
    await w.as("mel").post(`/user_groups/${id}/deactivate`);
    const [capable, other] = [await w.queue("max"), await w.queue("max", { client_capabilities: {} })];
    await w.as("mel").patch(`/user_groups/${id}`, { description: "Gone" });
    await w.as("mel").post(`/user_groups/${id}/members`, { add: ids(w, "mel") });
    expect(await capable.poll()).toMatchObject([{ op: "update" }, { op: "add_members" }]);
    expect(await other.poll()).toEqual([]);
  });
});

describe("deactivate-user-group", () => {
  test("deactivates the group: an update, or a removal for older clients", async () => {
    const w = world();
    const id = await made(w, { members: ids(w, "max") });
    const [capable, other] = [await w.queue("gus"), await w.queue("gus", { client_capabilities: {} })];
    expect((await w.as("mel").post(`/user_groups/${id}/deactivate`)).status).toBe(200);
    expect(await capable.poll()).toMatchObject([{ op: "update", group_id: id, data: { deactivated: true } }]);
    expect(await other.poll()).toEqual([
      { type: "user_group", op: "remove", group_id: id, id: expect.any(Number) },
    ]);
    expect(await groupAs(w, id)).toMatchObject({ deactivated: true, members: ids(w, "max") });
  });

  test("ends its mentions and its use in settings", async () => {
    const w = world();
    const id = await made(w, { members: ids(w, "max") });
    const other = await made(w, { name: "Sculptors" });
    await w.as("mel").post(`/user_groups/${id}/deactivate`);
    const { body } = await w.as("mel").post("/messages/render", { content: "@*Painters*" });
    expect(body.rendered).not.toContain("user-group-mention");
    const setting = { can_join_group: { new: id } };
    expect(await w.as("mel").patch(`/user_groups/${other}`, setting)).toMatchObject(
      refusal(`Invalid user group ID: ${id}`),
    );
    expect(await w.as("mel").post(`/user_groups/${other}/subgroups`, { add: [id] })).toMatchObject(
      refusal("User group 'Painters' is deactivated."),
    );
  });

  test("refuses a group in use, and says what uses it", async () => {
    const w = world();
    const id = await made(w, { can_manage_group: undefined, can_join_group: undefined });
    const one = await made(w, { name: "One", subgroups: [id], can_join_group: id });
    const value = { direct_members: ids(w, "mel"), direct_subgroups: [id] };
    const two = await made(w, {
      name: "Two",
      subgroups: [id],
      can_join_group: value,
      can_leave_group: value,
    });
    const channel = await w.as("mel").post("/channels/create", {
      name: "studio",
      subscribers: [],
      invite_only: true,
      can_subscribe_group: id,
      can_send_message_group: id,
    });
    const answer = await w.as("mel").post(`/user_groups/${id}/deactivate`);
    expect(answer).toMatchObject({ status: 400, events: [] });
    expect(answer.body).toEqual({
      result: "error",
      msg: "Cannot deactivate user group in use.",
      code: "CANNOT_DEACTIVATE_GROUP_IN_USE",
      objections: [
        { type: "subgroup", supergroup_ids: [one, two] },
        {
          type: "channel",
          channel_id: channel.body.id,
          settings: ["can_send_message_group", "can_subscribe_group"],
        },
        { type: "user_group", group_id: one, settings: ["can_join_group"] },
        { type: "user_group", group_id: two, settings: ["can_join_group", "can_leave_group"] },
      ],
    });
    expect((await groupAs(w, id)).deactivated).toBe(false);
  });

  test("does not name a channel that the actor may not see", async () => {
    const w = world();
    const id = await made(w);
    await w.as("max").post("/channels/create", {
      name: "secret",
      subscribers: [],
      invite_only: true,
      can_send_message_group: id,
    });
    const { body } = await w.as("mel").post(`/user_groups/${id}/deactivate`);
    expect(body.objections).toEqual([{ type: "channel", settings: ["can_send_message_group"] }]);
  });

  test("is not stopped by a group's own settings", async () => {
    const w = world();
    const id = await made(w, { members: ids(w, "mel") });
    await w.as("mel").patch(`/user_groups/${id}`, { can_manage_group: { new: id } });
    expect((await w.as("mel").post(`/user_groups/${id}/deactivate`)).status).toBe(200);
  });

  test.each<[string, CastName, unknown]>([
    ["who may not manage it", "max", "You do not have permission to change this user group."],
    ["a second time", "mel", "User group is already deactivated."],
  ])("refuses %s", async (_, who, msg) => {
    const w = world();
    const id = await made(w);
    if (who === "mel") await w.as("mel").post(`/user_groups/${id}/deactivate`);
    expect(await w.as(who).post(`/user_groups/${id}/deactivate`)).toMatchObject(refusal(msg));
  });
});

describe("update-user-group-members", () => {
  test("adds and removes at once, emits each to everyone, and sends notices to the people who did not do it themselves", async () => {
    const w = world();
    const everyone = (await systemGroups(w))["role:everyone"];
    const id = await made(w, {
      members: ids(w, "max", "gus"),
      subgroups: [everyone],
      can_remove_members_group: { direct_members: ids(w, "mel"), direct_subgroups: [] },
    });
    const owners = (await systemGroups(w))["role:owners"];
    const answer = await w.as("mel").post(`/user_groups/${id}/members`, {
      add: ids(w, "moss", "mel", "bolt"),
      delete: ids(w, "max"),
      add_subgroups: [owners],
      delete_subgroups: [everyone],
    });
    const event = (op: string, what: Json) => ({
      audience: "everyone" as const,
      event: { type: "user_group", op, group_id: id, ...what },
    });
    expect(groupEvents(answer)).toEqual([
      event("add_members", { user_ids: ids(w, "moss", "mel", "bolt") }),
      event("remove_members", { user_ids: ids(w, "max") }),
      event("add_subgroups", { direct_subgroup_ids: [owners] }),
      event("remove_subgroups", { direct_subgroup_ids: [everyone] }),
    ]);
    expect(summarize(answer)).toEqual([
      ["moss", expect.stringContaining("added you to")],
      ["max", expect.stringContaining("removed you from")],
    ]);
    expect(await groupAs(w, id)).toMatchObject({
      members: ids(w, "moss", "mel", "gus", "bolt"),
      direct_subgroup_ids: [owners],
    });
  });

  test("does not notify users who join or leave by themselves", async () => {
    const w = world();
    const id = await made(w, { can_join_group: (await systemGroups(w))["role:members"] });
    const joining = await w.as("max").post(`/user_groups/${id}/members`, { add: ids(w, "max") });
    expect(joining).toMatchObject({ status: 200, events: [{ event: { op: "add_members" } }] });
    expect(joining.events).toHaveLength(1);
    const leaving = await w.as("max").post(`/user_groups/${id}/members`, { delete: ids(w, "max") });
    expect(leaving).toMatchObject({ status: 200, events: [{ event: { op: "remove_members" } }] });
    expect(leaving.events).toHaveLength(1);
  });

  test("sends many people a notice each", async () => {
    const w = world();
    const crowd: number[] = [];
    for (let i = 0; i < 25; i++) {
      const given = { email: `p${i}@example.com`, full_name: `Person ${i}`, password: "correct horse" };
      crowd.push((await w.as("ada").post("/users", given)).body.user_id);
    }
    const id = await made(w);
    const answer = await w.as("mel").post(`/user_groups/${id}/members`, { add: crowd });
    expect(summarize(answer).map(([who]) => who)).toEqual(crowd);
  });

  describe("needs for adding", () => {
    type Setting = "can_join_group" | "can_add_members_group" | "can_manage_group";
    const add = async (w: World, setting: Setting | null, target: CastName) => {
      const { "role:nobody": nobody } = await systemGroups(w);
      const id = await made(w, { can_manage_group: nobody, can_add_members_group: nobody }, "moss");
      const value = { new: { direct_members: ids(w, "mel"), direct_subgroups: [] } };
      if (setting) await w.as("olive").patch(`/user_groups/${id}`, { [setting]: value });
      return w.as("mel").post(`/user_groups/${id}/members`, { add: ids(w, target) });
    };

    test.each<[Setting, CastName]>([
      ["can_join_group", "mel"],
      ["can_add_members_group", "mel"],
      ["can_add_members_group", "max"],
      ["can_manage_group", "mel"],
      ["can_manage_group", "max"],
    ])("%s, for %s", async (setting, target) => {
      expect((await add(world(), setting, target)).status).toBe(200);
    });

    test.each<[Setting | null, CastName, string]>([
      [null, "mel", "You do not have permission to join this user group."],
      [null, "max", "You do not have permission to add members to this user group."],
      ["can_join_group", "max", "You do not have permission to add members to this user group."],
    ])("more than %s, for %s", async (setting, target, msg) => {
      expect(await add(world(), setting, target)).toMatchObject(refusal(msg));
    });
  });

  describe("needs for removing", () => {
    type Setting =
      | "can_leave_group"
      | "can_remove_members_group"
      | "can_manage_group"
      | "can_add_members_group";
    const remove = async (w: World, setting: Setting | null, target: CastName) => {
      const { "role:nobody": nobody } = await systemGroups(w);
      const closed = { can_manage_group: nobody, can_add_members_group: nobody, can_leave_group: nobody };
      const id = await made(w, { ...closed, members: ids(w, "mel", "max") }, "moss");
      const value = { new: { direct_members: ids(w, "mel"), direct_subgroups: [] } };
      if (setting) await w.as("olive").patch(`/user_groups/${id}`, { [setting]: value });
      return w.as("mel").post(`/user_groups/${id}/members`, { delete: ids(w, target) });
    };

    test.each<[Setting, CastName]>([
      ["can_leave_group", "mel"],
      ["can_remove_members_group", "mel"],
      ["can_remove_members_group", "max"],
      ["can_manage_group", "mel"],
      ["can_manage_group", "max"],
    ])("%s, for %s", async (setting, target) => {
      expect((await remove(world(), setting, target)).status).toBe(200);
    });

    test.each<[Setting | null, CastName, string]>([
      [null, "mel", "You do not have permission to leave this user group."],
      ["can_leave_group", "max", "You do not have permission to remove members from this user group."],
      ["can_add_members_group", "max", "You do not have permission to remove members from this user group."],
    ])("more than %s, for %s", async (setting, target, msg) => {
      expect(await remove(world(), setting, target)).toMatchObject(refusal(msg));
    });
  });

  test("is allowed to users who manage all groups", async () => {
    const w = world();
    const id = await made(w, { members: ids(w, "mel") });
    const both = { add: ids(w, "max"), delete: ids(w, "mel") };
    expect((await w.as("ada").post(`/user_groups/${id}/members`, both)).status).toBe(400);
    expect((await w.as("olive").post(`/user_groups/${id}/members`, both)).status).toBe(200);
  });

  test("lets guests leave, but not join", async () => {
    const w = world();
    const id = await made(w, {
      members: ids(w, "gus"),
      can_join_group: { direct_members: ids(w, "gus"), direct_subgroups: [] },
    });
    const path = `/user_groups/${id}/members`;
    expect((await w.as("gus").post(path, { delete: ids(w, "gus") })).status).toBe(200);
    expect((await w.as("gus").post(path, { add: ids(w, "gus") })).status).toBe(400);
  });

  test.each<[string, (w: World) => Json, (w: World) => unknown]>([
    ["nobody", () => ({}), () => "No members were given to add or remove."],
    ["an empty list", () => ({ add: [] }), () => "No members were given to add or remove."],
    ["somebody unknown", () => ({ add: [unknown] }), () => `Invalid user ID ${unknown}`],
    ["somebody deactivated", (w) => ({ add: ids(w, "dex") }), (w) => `Invalid user ID ${w.user("dex").id}`],
    [
      "who is in it already, among others",
      (w) => ({ add: ids(w, "moss", "max") }),
      (w) => `User ${w.user("max").id} is already a member of this group.`,
    ],
    [
      "to remove who is not in it, among others",
      (w) => ({ delete: ids(w, "max", "moss") }),
      (w) => `User ${w.user("moss").id} is not a member of this group.`,
    ],
    [
      "the same person both ways",
      (w) => ({ add: ids(w, "moss"), delete: ids(w, "moss") }),
      (w) => `User ${w.user("moss").id} is not a member of this group.`,
    ],
    ["an unknown subgroup", () => ({ add_subgroups: [unknown] }), () => `Invalid user group ID: ${unknown}`],
  ])("refuses %s, and changes nothing", async (_, params, msg) => {
    const w = world();
    const id = await made(w, { members: ids(w, "max") });
    await w.as("olive").patch(`/user_groups/${id}`, {
      can_remove_members_group: { new: { direct_members: ids(w, "mel"), direct_subgroups: [] } },
    });
    const before = await groupAs(w, id);
    expect(await w.as("mel").post(`/user_groups/${id}/members`, params(w))).toMatchObject(refusal(msg(w)));
    expect(await groupAs(w, id)).toEqual(before);
  });

  describe("of very many people, which opens private channels", () => {
    const people = async (w: World) => {
      const ids: number[] = [];
      for (let n = 0; n < 120; n++) {
        const person = { email: `p${n}@example.com`, full_name: `Person ${n}` };
        ids.push((await createUser(w.ctx("ada"), person)).user.user_id);
      }
      return ids;
    };
    const opened = async (w: World, group: number, subscribers: readonly number[], name = "studio") =>
      w.as("olive").post("/channels/create", {
        name,
        subscribers,
        invite_only: true,
        announce: false,
        can_subscribe_group: group,
      });

    test("emits to those who listen what they gain and lose", async () => {
      const w = world();
      const [id, crowd] = [await made(w, { members: ids(w, "moss") }), await people(w)];
      const { body } = await opened(w, id, ids(w, "mel"));
      const all = [...crowd, ...ids(w, "ada", "gus", "max", "mel")];
      const names = ["ada", "gus", "max", "mel", "moss"] as const;
      const queues = await Promise.all(names.map((name) => w.queue(name, { event_types: ["stream"] })));
      const pollAll = async (what: Json) => {
        await w.as("olive").post(`/user_groups/${id}/members`, what);
        const received = await Promise.all(queues.map((queue) => queue.poll()));
        return received.map((events) => events.map(({ op }: Json) => op));
      };

      expect(await pollAll({ add: all })).toEqual([[], [], ["create"], [], []]);
      expect((await w.as("max").get(`/streams/${body.id}`)).status).toBe(200);
      const everybody = [...all, ...ids(w, "moss")];
      expect(await pollAll({ delete: everybody })).toEqual([[], [], ["delete"], [], ["delete"]]);
    });

    test("has their clients register again if there are many channels, and no others", async () => {
      const w = world();
      const [id, crowd] = [await made(w), await people(w)];
      for (let n = 0; n < 50; n++) await opened(w, id, [], `studio ${n}`);
      const [max, mel] = [await w.queue("max"), await w.queue("mel", { event_types: ["user_group"] })];
      await w.as("olive").post(`/user_groups/${id}/members`, { add: [...crowd, ...ids(w, "max")] });

      expect(max.poll()).rejects.toThrow("BAD_EVENT_QUEUE_ID");
      expect(await mel.poll()).toMatchObject([{ type: "user_group", op: "add_members" }]);
      const { state } = await w.queue("max", { event_types: ["subscription"] });
      expect(state.never_subscribed.length).toBeGreaterThanOrEqual(50);
    });
  });

  test("shows and hides private channels that the group opens", async () => {
    const w = world();
    const id = await made(w);
    const inner = await made(w, { name: "Sculptors", members: ids(w, "max", "gus") });
    const { body } = await w.as("mel").post("/channels/create", {
      name: "studio",
      subscribers: ids(w, "mel"),
      invite_only: true,
      can_subscribe_group: { direct_members: ids(w, "mel"), direct_subgroups: [id] },
    });
    const ofChannels = ({ events }: Answer) =>
      events
        .filter(({ event }) => event.type === "stream" || event.op === "peer_add")
        .map(({ event, audience }) => [event.op, audience]);
    const move = (what: Json) => w.as("olive").post(`/user_groups/${id}/members`, what);

    expect(ofChannels(await move({ add: ids(w, "moss", "gus", "ada") }))).toEqual([
      ["create", ["moss"]],
      ["peer_add", ["moss"]],
    ]);
    expect((await w.as("moss").get(`/streams/${body.id}`)).status).toBe(200);
    expect(ofChannels(await move({ add_subgroups: [inner] }))).toEqual([
      ["create", ["max"]],
      ["peer_add", ["max"]],
    ]);
    expect(ofChannels(await move({ delete: ids(w, "moss") }))).toEqual([["delete", ["moss"]]]);
    expect((await w.as("moss").get(`/streams/${body.id}`)).status).toBe(400);
    expect(ofChannels(await move({ delete_subgroups: [inner] }))).toEqual([["delete", ["max"]]]);
  });

  test("emits what it opens once to all who join", async () => {
    const w = world();
    const crew = await w
      .as("ada")
      .post("/user_groups/create", { name: "crew", description: "", members: [] });
    const { group_id } = crew.body;
    const mel = w.user("mel").id;
    for (const name of ["vault", "attic"]) {
      const given = { name, invite_only: true, subscribers: [mel], can_subscribe_group: group_id };
      expect((await w.as("ada").post("/channels/create", given)).status).toBe(200);
    }
    const add = [w.user("moss").id, w.user("max").id];
    const { events } = await w.as("ada").post(`/user_groups/${group_id}/members`, { add });
    const ofChannels = events.filter(({ event }) => ["stream", "subscription"].includes(event.type));
    expect(ofChannels).toMatchObject([
      {
        audience: ["moss", "max"],
        event: { type: "stream", op: "create", streams: [{ name: "vault" }, { name: "attic" }] },
      },
      { audience: ["moss", "max"], event: { op: "peer_add", user_ids: [mel] } },
    ]);
  });
});

describe("get-user-group-members", () => {
  test("lists who is in the group or in its subgroups, or only directly", async () => {
    const w = world();
    const inner = await made(w, { name: "Sculptors", members: ids(w, "gus", "max") });
    const id = await made(w, { members: ids(w, "mel", "max"), subgroups: [inner] });
    const members = async (who: CastName, params: Json = {}) =>
      (await w.as(who).get(`/user_groups/${id}/members`, params)).body.members;
    expect(await members("moss")).toEqual(ids(w, "mel", "max", "gus"));
    expect(await members("moss", { direct_member_only: true })).toEqual(ids(w, "mel", "max"));
  });

  test("omits deactivated users until they are reactivated", async () => {
    const w = world();
    const id = await made(w, { members: ids(w, "mel", "max") });
    await deactivate(w, "max");
    expect((await w.as("mel").get(`/user_groups/${id}/members`)).body.members).toEqual(ids(w, "mel"));
  });

  test("includes everyone of the role and of higher ones", async () => {
    const w = world();
    const groups = await systemGroups(w);
    const { members } = (await w.as("mel").get(`/user_groups/${groups["role:moderators"]}/members`)).body;
    expect(members).toEqual(ids(w, "olive", "ada", "moss"));
  });

  test("refuses an unknown group", async () => {
    expect(await world().as("mel").get(`/user_groups/${unknown}/members`)).toMatchObject(
      refusal(`Invalid user group ID: ${unknown}`),
    );
  });
});

describe("get-is-user-group-member", () => {
  test("counts members of subgroups too, unless only direct ones are asked for", async () => {
    const w = world();
    const inner = await made(w, { name: "Sculptors", members: ids(w, "gus") });
    const id = await made(w, { members: ids(w, "mel"), subgroups: [inner] });
    const isMember = async (who: CastName, params: Json = {}) =>
      (await w.as("moss").get(`/user_groups/${id}/members/${w.user(who).id}`, params)).body
        .is_user_group_member;
    expect(await isMember("mel")).toBe(true);
    expect(await isMember("gus")).toBe(true);
    expect(await isMember("gus", { direct_member_only: true })).toBe(false);
    expect(await isMember("mel", { direct_member_only: true })).toBe(true);
    expect(await isMember("max")).toBe(false);
    expect(await isMember("dex")).toBe(false);
  });

  test.each([
    ["a group", `/user_groups/${unknown}/members/1`, `Invalid user group ID: ${unknown}`],
    ["a person", `/user_groups/1/members/${unknown}`, "No such user"],
  ])("refuses %s that is not there", async (_, path, msg) => {
    expect(await world().as("mel").get(path)).toMatchObject(refusal(msg));
  });
});

describe("get-user-group-subgroups", () => {
  test("lists the groups within a group, or only those directly in it", async () => {
    const w = world();
    const inner = await made(w, { name: "Inner" });
    const middle = await made(w, { name: "Middle", subgroups: [inner] });
    const id = await made(w, { subgroups: [middle] });
    const subgroups = async (params: Json = {}) =>
      (await w.as("max").get(`/user_groups/${id}/subgroups`, params)).body.subgroups;
    expect(await subgroups()).toEqual([inner, middle]);
    expect(await subgroups({ direct_subgroup_only: true })).toEqual([middle]);
  });

  test("refuses an unknown group", async () => {
    expect(await world().as("mel").get(`/user_groups/${unknown}/subgroups`)).toMatchObject(
      refusal(`Invalid user group ID: ${unknown}`),
    );
  });
});

describe("update-user-group-subgroups", () => {
  test("adds and removes subgroups", async () => {
    const w = world();
    const [one, two] = [await made(w, { name: "One" }), await made(w, { name: "Two" })];
    const id = await made(w, { subgroups: [one] });
    const answer = await w.as("mel").post(`/user_groups/${id}/subgroups`, { add: [two, two], delete: [one] });
    expect(answer.events).toEqual([
      {
        audience: "everyone",
        event: { type: "user_group", op: "add_subgroups", group_id: id, direct_subgroup_ids: [two] },
      },
      {
        audience: "everyone",
        event: { type: "user_group", op: "remove_subgroups", group_id: id, direct_subgroup_ids: [one] },
      },
    ]);
    expect((await groupAs(w, id)).direct_subgroup_ids).toEqual([two]);
  });

  test("is allowed to users who may add or remove members", async () => {
    const w = world();
    const one = await made(w, { name: "One" });
    const id = await made(w);
    const path = `/user_groups/${id}/subgroups`;
    expect(await w.as("max").post(path, { add: [one] })).toMatchObject(
      refusal("You do not have permission to add members to this user group."),
    );
    await w.as("mel").post(path, { add: [one] });
    expect(await w.as("max").post(path, { delete: [one] })).toMatchObject(
      refusal("You do not have permission to remove members from this user group."),
    );
  });

  test("refuses a cycle, however long", async () => {
    const w = world();
    const inner = await made(w, { name: "Inner" });
    const middle = await made(w, { name: "Middle", subgroups: [inner] });
    const outer = await made(w, { name: "Outer", subgroups: [middle] });
    for (const [group, added, name] of [
      [inner, outer, "Outer"],
      [inner, middle, "Middle"],
      [inner, inner, "Inner"],
    ] as const) {
      expect(await w.as("mel").post(`/user_groups/${group}/subgroups`, { add: [added] })).toMatchObject(
        refusal(`User group '${name}' is this group, or already contains it.`),
      );
    }
  });

  test.each<[string, (one: number, two: number) => Json, (one: number, two: number) => string]>([
    ["nothing", () => ({}), () => "No members were given to add or remove."],
    [
      "what is in it",
      (one) => ({ add: [one] }),
      (one) => `User group ${one} is already a subgroup of this group.`,
    ],
    [
      "what is not in it",
      (_, two) => ({ delete: [two] }),
      (_, two) => `User group ${two} is not a subgroup of this group.`,
    ],
    ["what is not there", () => ({ delete: [unknown] }), () => `Invalid user group ID: ${unknown}`],
  ])("refuses %s", async (_, params, msg) => {
    const w = world();
    const [one, two] = [await made(w, { name: "One" }), await made(w, { name: "Two" })];
    const id = await made(w, { subgroups: [one] });
    const answer = await w.as("mel").post(`/user_groups/${id}/subgroups`, params(one, two));
    expect(answer).toMatchObject(refusal(msg(one, two)));
  });
});

describe("system groups", () => {
  const membership = ({ events }: Answer | World, groups: Record<string, number>) => {
    const names = Object.fromEntries(Object.entries(groups).map(([name, id]) => [id, name]));
    return events
      .filter(({ event }) => event.type === "user_group")
      .map(({ event }) => [event.op, names[event.group_id], event.user_ids]);
  };

  test("follow a role", async () => {
    const w = world();
    const groups = await systemGroups(w);
    await changeRole(w.ctx("olive"), { user_id: w.user("mel").id, role: 300 });
    expect(membership(w, groups)).toEqual([
      ["remove_members", "role:members", ids(w, "mel")],
      ["remove_members", "role:fullmembers", ids(w, "mel")],
      ["add_members", "role:moderators", ids(w, "mel")],
    ]);
    expect((await groupAs(w, groups["role:moderators"] ?? 0)).members).toEqual(ids(w, "moss", "mel"));
  });

  test("include new users", async () => {
    const w = world();
    const groups = await systemGroups(w);
    const given = { email: "nia@example.com", full_name: "Nia", password: "correct horse" };
    const answer = await w.as("ada").post("/users", given);
    expect(membership(answer, groups)).toEqual([
      ["add_members", "role:members", [answer.body.user_id]],
      ["add_members", "role:fullmembers", [answer.body.user_id]],
    ]);
  });

  test("and other groups have their members back on reactivation", async () => {
    const w = world();
    const id = await made(w, { members: ids(w, "max") });
    const groups = { ...(await systemGroups(w)), Painters: id };
    await deactivate(w, "max");
    const from = w.events.length;
    await reactivateUser(w.ctx("olive"), w.user("max").id);
    expect(membership({ ...w, events: w.events.slice(from) }, groups)).toEqual([
      ["add_members", "role:members", ids(w, "max")],
      ["add_members", "role:fullmembers", ids(w, "max")],
      ["add_members", "Painters", ids(w, "max")],
    ]);
    expect((await groupAs(w, id)).members).toEqual(ids(w, "max"));
  });
});

describe("a mention of a group", () => {
  test("flags its members and those of its subgroups, where they receive the message", async () => {
    const w = world();
    const inner = await made(w, { name: "Sculptors", members: ids(w, "max") });
    await made(w, { members: ids(w, "moss", "ada"), subgroups: [inner] });
    await w
      .as("mel")
      .post("/channels/create", { name: "studio", subscribers: ids(w, "mel", "max", "moss", "gus") });
    const flagsOf = async (who: CastName) => {
      const { body } = await w.as(who).get("/messages", { anchor: "newest", num_before: 1, num_after: 0 });
      return body.messages[0]?.flags.includes("mentioned");
    };
    await w
      .as("mel")
      .post("/messages", { type: "channel", to: "studio", topic: "t", content: "@*painters*" });
    expect(await Promise.all((["max", "moss", "mel", "gus"] as const).map(flagsOf))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  test("needs can_mention_group", async () => {
    const w = world();
    const id = await made(w, { members: ids(w, "max") });
    const mention = (who: CastName) =>
      w
        .as(who)
        .post("/messages", { type: "direct", to: ids(w, "max", "mel", "gus"), content: "@*painters*" });
    expect((await mention("gus")).status).toBe(200);
    const value = { new: { direct_members: ids(w, "max"), direct_subgroups: [] } };
    await w.as("mel").patch(`/user_groups/${id}`, { can_mention_group: value });
    expect((await mention("max")).status).toBe(200);
    for (const who of ["mel", "gus"] as const) {
      expect(await mention(who)).toMatchObject(
        refusal("You are not allowed to mention one of the user groups in this message."),
      );
    }
  });
});

async function deactivate(w: World, who: CastName): Promise<void> {
  await deactivateUser(w.ctx("olive"), w.user(who).id);
}

function matching(msg: unknown): unknown {
  return msg instanceof RegExp ? expect.stringMatching(msg) : msg;
}
