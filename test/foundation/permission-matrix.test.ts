// Every permission setting, at its default and at two other values, tried with every role.
import { describe, expect, test } from "bun:test";
import { domains } from "@/domains.ts";
import { createUser } from "@/foundation/accounts/actions.ts";
import {
  type Grant,
  type GrantName,
  type GrantScope,
  grants,
  type SystemGroupName,
} from "@/foundation/permissions/schema.ts";
import { setServerOptions } from "@/foundation/realm-administration/actions.ts";
import { file, png } from "../support/pictures.ts";
import type { Json } from "../support/requests.ts";
import { type Answer, type World, world } from "../support/world.ts";

const tried = ["olive", "ada", "moss", "mel", "gus"] as const;
type Who = (typeof tried)[number];

/** Members of each system group, from the largest to the smallest. */
const reach: Record<SystemGroupName, readonly Who[]> = {
  "role:internet": tried,
  "role:everyone": tried,
  "role:members": ["olive", "ada", "moss", "mel"],
  "role:fullmembers": ["olive", "ada", "moss", "mel"],
  "role:moderators": ["olive", "ada", "moss"],
  "role:administrators": ["olive", "ada"],
  "role:owners": ["olive"],
  "role:nobody": [],
};
const owner: readonly Who[] = reach["role:owners"];
const admins: readonly Who[] = reach["role:administrators"];

/** A system group, or people named directly. */
type Value = SystemGroupName | readonly Who[];
const otherValues: readonly Value[] = ["role:moderators", ["mel", "gus"]];

interface Place {
  /** The object that has the setting; 0 for the organization. */
  id: number;
  /** A message by each person, and one by max for each. */
  own: Record<string, number>;
  ofMax: Record<string, number>;
  groups: Record<string, number>;
}

type Arrange = (w: World, groups: Record<string, number>) => Promise<Partial<Place>>;

interface Row {
  /** Prerequisites of the setting. */
  since?: Waiting;
  arrange?: Arrange;
  /** The request that the setting controls. */
  attempt: (w: World, who: Who, place: Place) => Promise<Answer>;
  undo?: (w: World, place: Place) => Promise<unknown>;
  /** Users who may do it whatever the setting's value, and users who never may. */
  always?: readonly Who[];
  never?: readonly Who[];
  values?: readonly Value[];
}

/** Settings without a row, because their feature does not exist yet. */
interface Waiting {
  until: () => boolean | Promise<boolean>;
}

/** Settings that clients know, of features that Confab lacks. */
interface Absent {
  absent: string;
}

type Rows<S extends GrantScope> = Record<GrantName<S>, Row | Waiting | Absent>;

function offers(id: string, param?: string): Waiting {
  const endpoints = domains.flatMap((domain) => domain.endpoints ?? []);
  return {
    until: () => endpoints.some((one) => one.id === id && (param === undefined || param in one.params)),
  };
}

async function post(w: World, who: Who | "max", path: string, params: Json): Promise<Json> {
  const { body } = await w.as(who).post(path, params);
  if (body.result !== "success") throw new Error(`POST ${path}: ${body.msg}`);
  return body;
}

const ids = (w: World, ...names: (Who | "max")[]) => names.map((name) => w.user(name).id);

/** Gives organization permissions to nobody, so that only the channel's count. */
async function close(w: World, nobody: number, ...names: GrantName<"realm">[]): Promise<void> {
  const changes = Object.fromEntries(names.map((name) => [name, { new: nobody }]));
  await w.as("olive").patch("/realm", changes);
}

/** A channel of max's that everyone is in and has written in. */
async function office(w: World): Promise<Pick<Place, "id" | "own" | "ofMax">> {
  const params = { name: "office", subscribers: ids(w, ...tried, "max") };
  const { id } = await post(w, "max", "/channels/create", params);
  const write = async (who: Who | "max", topic: string) =>
    (await post(w, who, "/messages", { type: "channel", to: id, topic, content: "Hello" })).id;
  const own: Record<string, number> = {};
  const ofMax: Record<string, number> = {};
  for (const who of tried) own[who] = await write(who, `by ${who}`);
  for (const who of tried) ofMax[who] = await write("max", `for ${who}`);
  return { id, own, ofMax };
}

const officeWithout =
  (...names: GrantName<"realm">[]): Arrange =>
  async (w, groups) => {
    await close(w, groups["role:nobody"] ?? 0, ...names);
    return office(w);
  };

/** A group of max's in which nobody else has a permission. */
async function painters(w: World, groups: Record<string, number>, members: number[] = []) {
  const nobody = groups["role:nobody"];
  const settings = { can_manage_group: nobody, can_add_members_group: nobody };
  const params = { name: "Painters", description: "", members, ...settings };
  return { id: (await post(w, "max", "/user_groups/create", params)).group_id };
}

const movesOut = offers("update-message", "stream_id");
const movesWithin = offers("update-message", "topic");

/** As `arrange`, with a second channel that everyone is in. */
const withAnnex =
  (arrange: Arrange): Arrange =>
  async (w, groups) => {
    const place = await arrange(w, groups);
    const { id } = await post(w, "max", "/channels/create", { name: "annex", subscribers: ids(w, ...tried) });
    return { ...place, groups: { ...groups, annex: id } };
  };

const moveOut: Row["attempt"] = (w, who, { ofMax, groups }) =>
  w.as(who).patch(`/messages/${ofMax[who]}`, { stream_id: groups.annex });
const moveWithin: Row["attempt"] = (w, who, { ofMax }) =>
  w.as(who).patch(`/messages/${ofMax[who]}`, { topic: `moved by ${who}` });
const resolve: Row["attempt"] = (w, who, { ofMax }) =>
  w.as(who).patch(`/messages/${ofMax[who]}`, { topic: `✔ for ${who}`, propagate_mode: "change_all" });

const createChannel = (params: Json) => (w: World, who: Who) =>
  w.as(who).post("/channels/create", { name: `of ${who}`, subscribers: ids(w, who), ...params });

const directToMax = (w: World, who: Who, _: Place, content = "Hello") =>
  w.as(who).post("/messages", { type: "direct", to: ids(w, "max"), content });

const subscribeMax = (w: World, who: Who, name: string) =>
  w.as(who).post("/users/me/subscriptions", { subscriptions: [{ name }], principals: ids(w, "max") });
const unsubscribeMax = (w: World, who: Who, name: string) =>
  w.as(who).delete("/users/me/subscriptions", { subscriptions: [name], principals: ids(w, "max") });

const members = (w: World, who: Who, id: number, moves: Json) =>
  w.as(who).post(`/user_groups/${id}/members`, moves);

const realm: Rows<"realm"> = {
  can_access_all_users_group: {
    attempt: (w, who) => w.as(who).get(`/users/${w.user("max").id}`),
    values: ["role:members"],
  },
  can_add_custom_emoji_group: {
    attempt: (w, who) => w.as(who).upload(`/realm/emoji/of_${who}`, file(png(1, 1), "dot.png")),
  },
  can_add_subscribers_group: {
    arrange: async (w) => {
      for (const who of tried)
        await post(w, "max", "/channels/create", { name: who, subscribers: ids(w, who) });
      return {};
    },
    attempt: (w, who) => subscribeMax(w, who, who),
    always: admins,
  },
  can_create_bots_group: {
    attempt: (w, who) => w.as(who).post("/bots", { full_name: `Bot of ${who}`, short_name: who }),
  },
  can_create_groups: {
    attempt: (w, who) => w.as(who).post("/user_groups/create", { name: who, description: "", members: [] }),
  },
  can_create_private_channel_group: { attempt: createChannel({ invite_only: true }) },
  can_create_public_channel_group: { attempt: createChannel({}) },
  can_create_web_public_channel_group: {
    arrange: async (w) => {
      await setServerOptions(w.ctx("system"), { web_public_channels: true });
      await w.as("olive").patch("/realm", { enable_spectator_access: true });
      return {};
    },
    attempt: createChannel({ is_web_public: true }),
    values: ["role:moderators", "role:nobody"],
  },
  can_create_write_only_bots_group: {
    arrange: async (w, groups) => {
      await close(w, groups["role:nobody"] ?? 0, "can_create_bots_group");
      return {};
    },
    attempt: (w, who) =>
      w.as(who).post("/bots", { full_name: `Bot of ${who}`, short_name: who, bot_type: 2 }),
  },
  can_delete_any_message_group: {
    arrange: office,
    attempt: (w, who, { ofMax }) => w.as(who).delete(`/messages/${ofMax[who]}`),
  },
  can_delete_own_message_group: {
    arrange: officeWithout("can_delete_any_message_group"),
    attempt: (w, who, { own }) => w.as(who).delete(`/messages/${own[who]}`),
  },
  can_invite_users_group: {
    attempt: (w, who) =>
      w.as(who).post("/invites", { invitee_emails: `${who}@example.org`, stream_ids: [], invite_as: 600 }),
  },
  can_manage_all_groups: {
    arrange: async (w, groups) => {
      const { id } = await painters(w, groups);
      return { groups: { painters: id } };
    },
    attempt: (w, who, { groups }) =>
      w.as(who).patch(`/user_groups/${groups.painters}`, { description: `by ${who}` }),
  },
  can_manage_billing_group: { absent: "there is nothing to pay" },
  workplace_users_group: { absent: "there is nothing to pay" },
  can_mention_many_users_group: {
    arrange: async (w) => {
      const crowd: number[] = [];
      for (let i = 0; i < 16; i++) {
        const person = { email: `p${i}@example.com`, full_name: `Person ${i}` };
        crowd.push((await createUser(w.ctx("olive"), person)).user.user_id);
      }
      await post(w, "max", "/channels/create", {
        name: "hall",
        subscribers: [...crowd, ...ids(w, ...tried)],
      });
      return {};
    },
    attempt: (w, who) =>
      w.as(who).post("/messages", { type: "channel", to: "hall", topic: "t", content: "@**all**" }),
  },
  can_move_messages_between_channels_group: {
    since: movesOut,
    arrange: withAnnex(office),
    attempt: moveOut,
    always: admins,
  },
  can_move_messages_between_topics_group: {
    since: movesWithin,
    arrange: office,
    attempt: moveWithin,
    always: admins,
  },
  can_resolve_topics_group: { since: movesWithin, arrange: office, attempt: resolve },
  can_set_delete_message_policy_group: {
    attempt: async (w, who) =>
      createChannel({ can_delete_any_message_group: (await systemGroups(w))["role:moderators"] })(w, who),
    never: ["gus"],
  },
  can_set_topics_policy_group: {
    attempt: createChannel({ topics_policy: "disable_empty_topic" }),
    never: ["gus"],
  },
  can_summarize_topics_group: { absent: "there are no summaries" },
  create_multiuse_invite_group: {
    attempt: (w, who) => w.as(who).post("/invites/multiuse", { invite_as: 600 }),
  },
  direct_message_initiator_group: { attempt: directToMax },
  direct_message_permission_group: { attempt: directToMax },
};

const channel: Rows<"channel"> = {
  can_add_subscribers_group: {
    arrange: async (w, groups) => {
      await close(w, groups["role:nobody"] ?? 0, "can_add_subscribers_group");
      return post(w, "max", "/channels/create", { name: "office", subscribers: ids(w, ...tried) });
    },
    attempt: (w, who) => subscribeMax(w, who, "office"),
    undo: (w) => unsubscribeMax(w, "olive", "office"),
    always: admins,
  },
  can_administer_channel_group: {
    arrange: office,
    attempt: (w, who, { id }) => w.as(who).patch(`/streams/${id}`, { description: `by ${who}` }),
    always: admins,
  },
  can_delete_any_message_group: {
    arrange: officeWithout("can_delete_any_message_group"),
    attempt: (w, who, { ofMax }) => w.as(who).delete(`/messages/${ofMax[who]}`),
  },
  can_delete_own_message_group: {
    arrange: officeWithout("can_delete_any_message_group", "can_delete_own_message_group"),
    attempt: (w, who, { own }) => w.as(who).delete(`/messages/${own[who]}`),
  },
  can_move_messages_out_of_channel_group: {
    since: movesOut,
    arrange: withAnnex(officeWithout("can_move_messages_between_channels_group")),
    attempt: moveOut,
    always: admins,
  },
  can_move_messages_within_channel_group: {
    since: movesWithin,
    arrange: officeWithout("can_move_messages_between_topics_group"),
    attempt: moveWithin,
    always: admins,
  },
  can_remove_subscribers_group: {
    arrange: office,
    attempt: (w, who) => unsubscribeMax(w, who, "office"),
    undo: (w) => subscribeMax(w, "olive", "office"),
    always: admins,
  },
  can_resolve_topics_group: {
    since: movesWithin,
    arrange: officeWithout("can_resolve_topics_group"),
    attempt: resolve,
  },
  can_create_topic_group: {
    arrange: office,
    attempt: (w, who, { id }) =>
      w.as(who).post("/messages", { type: "channel", to: id, topic: `of ${who}`, content: "Hello" }),
  },
  can_send_message_group: {
    arrange: office,
    attempt: (w, who, { id }) =>
      w.as(who).post("/messages", { type: "channel", to: id, topic: "t", content: "Hello" }),
  },
  can_subscribe_group: {
    arrange: (w) =>
      post(w, "olive", "/channels/create", {
        name: "vault",
        invite_only: true,
        subscribers: ids(w, "olive"),
      }),
    attempt: (w, who) => w.as(who).post("/users/me/subscriptions", { subscriptions: [{ name: "vault" }] }),
    always: owner,
  },
};

const group: Rows<"group"> = {
  can_add_members_group: {
    arrange: painters,
    attempt: (w, who, { id }) => members(w, who, id, { add: ids(w, "max") }),
    undo: (w, { id }) => members(w, "olive", id, { delete: ids(w, "max") }),
    always: owner,
  },
  can_join_group: {
    arrange: painters,
    attempt: (w, who, { id }) => members(w, who, id, { add: ids(w, who) }),
    always: owner,
  },
  can_leave_group: {
    arrange: (w, groups) => painters(w, groups, ids(w, ...tried)),
    attempt: (w, who, { id }) => members(w, who, id, { delete: ids(w, who) }),
    always: owner,
  },
  can_manage_group: {
    arrange: painters,
    attempt: (w, who, { id }) => w.as(who).patch(`/user_groups/${id}`, { description: `by ${who}` }),
    always: owner,
  },
  can_mention_group: {
    arrange: painters,
    attempt: (w, who, place) => directToMax(w, who, place, "@*Painters*"),
  },
  can_remove_members_group: {
    arrange: (w, groups) => painters(w, groups, ids(w, "max")),
    attempt: (w, who, { id }) => members(w, who, id, { delete: ids(w, "max") }),
    undo: (w, { id }) => members(w, "olive", id, { add: ids(w, "max") }),
    always: owner,
  },
};

const tables: { [S in GrantScope]: Rows<S> } = { realm, channel, group };
const scopes = Object.keys(tables) as GrantScope[];
const cells = scopes.flatMap((scope) =>
  Object.entries<Row | Waiting | Absent>(tables[scope]).map(([name, cell]) => ({ scope, name, cell })),
);
const labelOf = ({ scope, name }: { scope: GrantScope; name: string }) => `${scope}: ${name}`;

async function systemGroups(w: World): Promise<Record<string, number>> {
  const { user_groups } = (await w.as("olive").get("/user_groups")).body;
  return Object.fromEntries(user_groups.map((one: Json) => [one.name, one.id]));
}

const paths: Record<GrantScope, (id: number) => string> = {
  realm: () => "/realm",
  channel: (id) => `/streams/${id}`,
  group: (id) => `/user_groups/${id}`,
};

/** Who may: the members of the group, except guests if the setting cannot include them. */
function expected({ always = [], never = [] }: Row, grant: Grant, value: Value): Record<string, boolean> {
  const named: readonly Who[] = typeof value === "string" ? reach[value] : value;
  const isIn = (who: Who) => named.includes(who) && (who !== "gus" || !grant.never.includes("role:everyone"));
  return Object.fromEntries(
    tried.map((who) => [who, always.includes(who) || (isIn(who) && !never.includes(who))]),
  );
}

async function outcome(
  row: Row,
  { scope, name, value }: { scope: GrantScope; name: string; value: Value | null },
): Promise<Record<string, boolean>> {
  const w = world();
  const groups = await systemGroups(w);
  const place: Place = { id: 0, own: {}, ofMax: {}, groups, ...(await row.arrange?.(w, groups)) };
  if (value !== null) {
    const given =
      typeof value === "string" ? groups[value] : { direct_members: ids(w, ...value), direct_subgroups: [] };
    const { body } = await w.as("olive").patch(paths[scope](place.id), { [name]: { new: given } });
    expect(body).toMatchObject({ result: "success" });
  }
  const found: Record<string, boolean> = {};
  for (const who of tried) {
    const { status } = await row.attempt(w, who, place);
    expect([200, 400]).toContain(status);
    found[who] = status === 200;
    if (found[who]) await row.undo?.(w, place);
  }
  return found;
}

describe("every permission setting", () => {
  test("is in this table", () => {
    for (const scope of scopes) {
      expect(Object.keys(tables[scope]).sort()).toEqual(Object.keys(grants[scope]).sort());
    }
  });

  test("whose feature exists is tested", async () => {
    const waiting = cells.flatMap((one) => ("until" in one.cell ? [{ ...one, until: one.cell.until }] : []));
    const ready = await Promise.all(waiting.map(async (one) => ((await one.until()) ? [labelOf(one)] : [])));
    // A setting of this list now has its feature: give it a row.
    expect(ready.flat()).toEqual([]);
  });
});

const isThere = await Promise.all(
  cells.map(({ cell }) => "attempt" in cell && (cell.since?.until() ?? true)),
);
const rows = cells.flatMap((one, i) =>
  "attempt" in one.cell && isThere[i] ? [{ ...one, row: one.cell }] : [],
);

describe.each(rows.map((one) => [labelOf(one), one] as const))("%s", (_, { scope, name, row }) => {
  const grant = (grants[scope] as Record<string, Grant>)[name] as Grant;

  test("allows the right roles by default", async () => {
    const isCreators = grant.wireDefault !== undefined;
    expect(await outcome(row, { scope, name, value: null })).toEqual(
      expected(row, grant, isCreators ? [] : grant.default),
    );
  });

  test.each((row.values ?? otherValues).map((value) => [String(value), value] as const))(
    "follows the value %s",
    async (_, value) => {
      expect(await outcome(row, { scope, name, value })).toEqual(expected(row, grant, value));
    },
  );
});
