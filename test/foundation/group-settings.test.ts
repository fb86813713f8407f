import { describe, expect, test } from "bun:test";
import { deactivateUser, reactivateUser } from "@/foundation/accounts/actions.ts";
import { groupWithGrant, holds, memberOf, presentGrants } from "@/foundation/permissions/access.ts";
import { changeGrant } from "@/foundation/permissions/actions.ts";
import {
  type GrantName,
  type GroupSettingUpdate,
  type GroupSettingValue,
  groupSettingUpdate,
  type SystemGroupName,
} from "@/foundation/permissions/schema.ts";
import { systemGroupId } from "@/foundation/permissions/store.ts";
import { userByEmail } from "@/foundation/users/access.ts";
import { type CapturedEvent, type CastName, type World, world } from "../support/world.ts";

type RealmGrant = GrantName<"realm">;

const change = (w: World, name: RealmGrant, update: GroupSettingUpdate) =>
  w.app.env.db.write(w.ctx("system"), (tx) => changeGrant(tx, { scope: "realm", ownerId: 0, name }, update));

const current = (w: World, name: RealmGrant) => presentGrants(w.ctx("system"), "realm", 0)[name];
const group = (w: World, name: SystemGroupName) => systemGroupId(w.ctx("system"), name);
const people = (w: World, ...names: CastName[]) => names.map((name) => w.user(name).id);
const mayUse = (w: World, who: CastName, name: RealmGrant) =>
  holds(w.ctx("system"), memberOf(w.ctx("system"), w.user(who).id), { scope: "realm", ownerId: 0, name });

const named = (direct_members: number[], direct_subgroups: number[] = []): GroupSettingValue => ({
  direct_members,
  direct_subgroups,
});

describe("a permission setting", () => {
  test("takes a group, and returns the new value", async () => {
    const w = world();
    const admins = group(w, "role:administrators");
    expect(await change(w, "can_create_groups", { new: admins })).toBe(admins);
    expect(current(w, "can_create_groups")).toBe(admins);
    expect(mayUse(w, "ada", "can_create_groups")).toBe(true);
    expect(mayUse(w, "mel", "can_create_groups")).toBe(false);
  });

  test("takes people and groups, kept in order and once each", async () => {
    const w = world();
    const [moderators, owners] = [group(w, "role:moderators"), group(w, "role:owners")];
    const [ada, max] = people(w, "ada", "max") as [number, number];
    const value = named([max, ada, max], [owners, moderators, owners]);
    expect(await change(w, "can_create_groups", { new: value })).toEqual(
      named(
        [ada, max],
        [moderators, owners].sort((a, b) => a - b),
      ),
    );
    expect(mayUse(w, "max", "can_create_groups")).toBe(true);
    expect(mayUse(w, "mel", "can_create_groups")).toBe(false);
  });

  test("that names one group alone is that group", async () => {
    const w = world();
    const admins = group(w, "role:administrators");
    expect(await change(w, "can_create_groups", { new: named([], [admins, admins]) })).toBe(admins);
    expect(groupWithGrant(w.ctx("system"), "realm", 0, "can_create_groups")).toBe(admins);
  });

  test("may name nobody at all", async () => {
    const w = world();
    expect(await change(w, "can_create_groups", { new: named([]) })).toEqual(named([]));
    expect(mayUse(w, "olive", "can_create_groups")).toBe(false);
  });

  test("leaves out deactivated users until they are reactivated", async () => {
    const w = world();
    const [mel, max] = people(w, "mel", "max") as [number, number];
    await change(w, "can_create_groups", { new: named([mel, max]) });
    await deactivateUser(w.ctx("olive"), max);
    expect(current(w, "can_create_groups")).toEqual(named([mel]));
    await reactivateUser(w.ctx("olive"), max);
    expect(current(w, "can_create_groups")).toEqual(named([mel, max]));
  });

  test("with an equal value changes nothing, however it is written", async () => {
    const w = world();
    const members = group(w, "role:members");
    expect(await change(w, "can_create_groups", { new: named([], [members]) })).toBeNull();
    const value = named(people(w, "mel", "max"));
    await change(w, "can_create_groups", { new: value });
    expect(await change(w, "can_create_groups", { new: named(people(w, "max", "mel")) })).toBeNull();
  });

  test("drops the people that it named before", async () => {
    const w = world();
    const rows = () =>
      w.app.env.db.get<{ n: number }>("SELECT COUNT(*) AS n FROM user_groups WHERE kind = 'anonymous'")?.n;
    await change(w, "can_create_groups", { new: named(people(w, "mel")) });
    await change(w, "can_create_groups", { new: named(people(w, "max")) });
    expect(rows()).toBe(1);
    await change(w, "can_create_groups", { new: group(w, "role:members") });
    expect(rows()).toBe(0);
  });

  test("changes if the sender's old value is current, in any order", async () => {
    const w = world();
    const [mel, max] = people(w, "mel", "max") as [number, number];
    await change(w, "can_create_groups", { old: group(w, "role:members"), new: named([mel, max]) });
    const members = group(w, "role:members");
    expect(await change(w, "can_create_groups", { old: named([max, mel]), new: members })).toBe(members);
  });

  test.each<[string, (w: World) => GroupSettingValue]>([
    ["another group", (w) => group(w, "role:owners")],
    ["people", (w) => named(people(w, "mel"))],
    ["nobody", () => named([])],
    ["a group that is not there", () => 4711],
  ])("stays if its sender expects %s", async (_, old) => {
    const w = world();
    const update = { old: old(w), new: group(w, "role:administrators") };
    await expect(change(w, "can_create_groups", update)).rejects.toMatchObject({
      code: "EXPECTATION_MISMATCH",
    });
    expect(current(w, "can_create_groups")).toBe(group(w, "role:members"));
  });

  test.each<[string, RealmGrant, (w: World) => GroupSettingValue, object]>([
    ["everyone", "can_create_groups", (w) => group(w, "role:everyone"), { code: "BAD_REQUEST" }],
    [
      "the Internet",
      "direct_message_permission_group",
      (w) => group(w, "role:internet"),
      { code: "BAD_REQUEST" },
    ],
    [
      "everyone among others",
      "can_create_groups",
      (w) => named(people(w, "mel"), [group(w, "role:everyone")]),
      { message: "'can_create_groups' setting cannot be set to 'role:everyone' group." },
    ],
    [
      "nobody where somebody must be left",
      "can_manage_all_groups",
      (w) => group(w, "role:nobody"),
      { message: "'can_manage_all_groups' setting cannot be set to 'role:nobody' group." },
    ],
    [
      "an empty list where somebody must be left",
      "can_manage_all_groups",
      () => named([]),
      { message: "'can_manage_all_groups' setting cannot be set to 'role:nobody' group." },
    ],
    [
      "people where only system groups may be",
      "can_create_web_public_channel_group",
      (w) => named(people(w, "mel")),
      { code: "SYSTEM_GROUP_REQUIRED", data: { setting_name: "can_create_web_public_channel_group" } },
    ],
    [
      "a system group too wide",
      "can_access_all_users_group",
      (w) => group(w, "role:owners"),
      { code: "BAD_REQUEST" },
    ],
    ["an unknown group", "can_create_groups", () => 4711, { message: "Invalid user group ID: 4711" }],
    ["an unknown person", "can_create_groups", () => named([4711]), { message: "Invalid user ID: 4711" }],
    [
      "the organization's own bots",
      "can_create_groups",
      (w) => named([userByEmail(w.ctx("mel"), "notification-bot@chat.example.com").id]),
      { code: "BAD_REQUEST" },
    ],
    ["a deactivated person", "can_create_groups", (w) => named(people(w, "dex")), { code: "BAD_REQUEST" }],
  ])("is not given to %s", async (_, name, value, error) => {
    const w = world();
    const before = current(w, name);
    await expect(change(w, name, { new: value(w) })).rejects.toMatchObject(error);
    expect(current(w, name)).toEqual(before);
  });

  test("never allows guests what cannot be given to everyone, whatever groups they are in", async () => {
    const w = world();
    await change(w, "can_create_groups", { new: named(people(w, "gus")) });
    await change(w, "can_summarize_topics_group", { new: named(people(w, "gus")) });
    expect(mayUse(w, "gus", "can_create_groups")).toBe(false);
    expect(mayUse(w, "gus", "can_summarize_topics_group")).toBe(true);
  });
});

describe("an update of a permission setting", () => {
  test.each([{ new: 1 }, { new: 1, old: 2 }, { new: named([1], [2]), old: named([]) }])(
    "may be %j",
    (value) => {
      expect(groupSettingUpdate.safeParse(value).success).toBe(true);
    },
  );

  test.each([
    1,
    named([1]),
    { old: 1 },
    { new: "1" },
    { new: { direct_members: [1] } },
    { new: { ...(named([1]) as object), more: 1 } },
    { new: 1, else: 2 },
  ])("is not %j", (value) => {
    expect(groupSettingUpdate.safeParse(value).success).toBe(false);
  });
});

describe("a value that is not valid is refused with what is wrong, and changes nothing:", () => {
  const invalid = "REQUEST_VARIABLE_INVALID";
  test.each<[text: string, code: string, where: string, what: string]>([
    ["1,", "INVALID_JSON", "", ""],
    ["", "INVALID_JSON", "", ""],
    ['"role:members"', invalid, "", "is neither a number nor an object"],
    ["true", invalid, "", "is neither a number nor an object"],
    ["1.5", invalid, "", "is neither an integer nor an object"],
    ["[1]", invalid, "", "is neither a number nor an object"],
    ["null", invalid, "", "is neither a number nor an object"],
    ['{"direct_members":"x","direct_subgroups":[]}', invalid, '["direct_members"]', "is not a list"],
    ['{"direct_members":"x"}', invalid, '["direct_members"]', "is not a list"],
    ['{"direct_members":[]}', invalid, '["direct_subgroups"]', "is missing"],
    ["{}", invalid, '["direct_members"]', "is missing"],
    ['{"direct_members":["mel"],"direct_subgroups":[]}', invalid, '["direct_members"][0]', "is not a number"],
    [
      '{"direct_members":[],"direct_subgroups":[null]}',
      invalid,
      '["direct_subgroups"][0]',
      "is not a number",
    ],
    ['{"direct_members":[],"direct_subgroups":[],"users":[]}', invalid, "", "has an unknown key: users"],
    ["999999", "BAD_REQUEST", "", "Invalid user group ID: 999999"],
    ["-1", "BAD_REQUEST", "", "Invalid user group ID: -1"],
    ['{"direct_members":[999999],"direct_subgroups":[]}', "BAD_REQUEST", "", "Invalid user ID: 999999"],
    ['{"direct_members":[],"direct_subgroups":[999999]}', "BAD_REQUEST", "", "Invalid user group ID: 999999"],
  ])("%s", async (text, code, where, what) => {
    const w = world();
    const general = (await w.as("olive").post("/channels/create", { name: "general", subscribers: [] })).body;
    const owners = JSON.stringify(group(w, "role:owners"));
    const state = async () =>
      (await w.as("olive").post("/register", { event_types: ["realm", "stream", "user_group"] })).body;
    const { queue_id: _, ...before } = await state();
    const isSentence = code === "BAD_REQUEST";
    for (const [method, path, name, wrap, fields] of [
      [
        "PATCH",
        "/realm",
        "can_create_public_channel_group",
        true,
        { can_create_groups: `{"new":${owners}}` },
      ],
      ["PATCH", `/streams/${general.id}`, "can_send_message_group", true, { description: "Other" }],
      ["POST", "/channels/create", "can_subscribe_group", false, { name: "more", subscribers: "[]" }],
      [
        "POST",
        "/user_groups/create",
        "can_manage_group",
        false,
        { name: "more", description: "", members: "[]" },
      ],
    ] as const) {
      const given = wrap && text !== "" && code !== "INVALID_JSON" ? `{"new":${text}}` : text;
      const answer = await w.as("olive").request(`/api/v1${path}`, {
        method,
        headers: { "content-type": "application/x-www-form-urlencoded" },
        body: new URLSearchParams({ ...fields, [name]: given }).toString(),
      });
      const msg = isSentence
        ? what
        : code === invalid
          ? `${name}${wrap ? '["new"]' : ""}${where} ${what}`
          : `Argument "${name}" is not valid JSON.`;
      const more = code === invalid ? { var_name: name } : {};
      expect([path, await answer.json()]).toEqual([path, { result: "error", code, msg, ...more }]);
      expect(answer.status).toBe(400);
    }
    const { queue_id: __, ...after } = await state();
    expect(after).toEqual(before);
  });

  test.each([
    ["5", "is not an object"],
    ['{"direct_members":[],"direct_subgroups":[]}', '["new"] is missing'],
    ['{"new":1,"old":"x"}', '["old"] is neither a number nor an object'],
    ['{"new":1,"former":2}', " has an unknown key: former"],
  ])("an update %s", async (text, what) => {
    const w = world();
    const name = "can_create_public_channel_group";
    const { status, body } = await w.as("olive").patch("/realm", { [name]: JSON.parse(text) });
    const msg = `${name}${/^[[ ]/.test(what) ? "" : " "}${what}`;
    expect([status, body]).toEqual([
      400,
      { result: "error", code: "REQUEST_VARIABLE_INVALID", msg, var_name: name },
    ]);
  });
});

describe("settings that name somebody", () => {
  test("are emitted again when users are deactivated or reactivated", async () => {
    const w = world();
    const [mel, max] = people(w, "mel", "max") as [number, number];
    const [both, owners] = [named([mel, max]), group(w, "role:owners")];
    const { body } = await w.as("ada").post("/user_groups/create", {
      name: "Painters",
      description: "",
      members: [],
      can_manage_group: named([max], [owners]),
      can_join_group: both,
    });
    const channel = await w.as("ada").post("/channels/create", {
      name: "studio",
      subscribers: people(w, "mel"),
      invite_only: true,
      can_send_message_group: both,
    });
    await w.as("olive").patch("/realm", { can_create_groups: { new: both } });

    const eventsOf = async (change: Promise<unknown>) => {
      const from = w.events.length;
      await change;
      const isOfSettings = ({ event }: CapturedEvent) =>
        event.op.startsWith("update") && event.type !== "realm_user";
      return w.events.slice(from).filter(isOfSettings);
    };
    const settings = (value: GroupSettingValue, managers: GroupSettingValue): CapturedEvent[] => [
      {
        audience: "everyone",
        event: {
          type: "user_group",
          op: "update",
          group_id: body.group_id,
          data: { can_join_group: value, can_manage_group: managers },
        },
      },
      {
        audience: ["olive", "ada", "mel"],
        event: {
          type: "stream",
          op: "update",
          stream_id: channel.body.id,
          name: "studio",
          property: "can_send_message_group",
          value,
        },
      },
      {
        audience: "everyone",
        event: { type: "realm", op: "update_dict", property: "default", data: { can_create_groups: value } },
      },
    ];
    expect(await eventsOf(deactivateUser(w.ctx("olive"), max))).toEqual(settings(named([mel]), owners));
    const back = settings(both, named([max], [owners]));
    expect(await eventsOf(reactivateUser(w.ctx("olive"), max))).toEqual(back);
  });
});
