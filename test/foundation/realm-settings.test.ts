import { describe, expect, test } from "bun:test";
import { listAudit } from "@/foundation/audit/queries.ts";
import groups from "@/foundation/groups/api.ts";
import { realmWords } from "@/foundation/realm/descriptions.ts";
import { realmSettings } from "@/foundation/realm/schema.ts";
import { reactivateRealm, setServerOptions } from "@/foundation/realm-administration/actions.ts";
import type { Json } from "../support/requests.ts";
import { givePassword, password } from "../support/web-session.ts";
import { type CapturedEvent, type CastName, type World, world } from "../support/world.ts";

async function realmOf(w: World): Promise<Json> {
  const { queue_id, ...state } = (await w.queue("mel", { fetch_event_types: ["realm"] })).state;
  return state;
}

const refusal = (msg: unknown, code = "BAD_REQUEST") => ({ status: 400, body: { code, msg }, events: [] });
const ids = (w: World, ...names: CastName[]) => names.map((name) => w.user(name).id);

async function groupNamed(w: World, name: string): Promise<Json> {
  const { user_groups } = (await w.as("mel").get("/user_groups")).body;
  return user_groups.find((group: Json) => group.name === name);
}

async function channel(w: World, name: string, more: Json = {}, by: CastName = "olive"): Promise<number> {
  const given = { name, subscribers: ids(w, by), ...more };
  return (await w.as(by).post("/channels/create", given)).body.id;
}

const update = (property: string, value: unknown): CapturedEvent => ({
  audience: "everyone",
  event: { type: "realm", op: "update", property, value },
});
const bundle = (data: Json): CapturedEvent => ({
  audience: "everyone",
  event: { type: "realm", op: "update_dict", property: "default", data },
});

/** For each setting: a value other than the default as it is sent, and as it is read if that differs. */
const values: Record<string, { sent: unknown; read?: unknown; owner?: true; data?: Json }> = {
  name: { sent: " Crew ", read: "Crew" },
  description: {
    ...{ sent: " We **ship** ", read: "We **ship**" },
    data: { description: "We **ship**", rendered_description: "<p>We <strong>ship</strong></p>" },
  },
  org_type: { sent: 1000 },
  default_language: { sent: "de" },
  default_code_block_language: { sent: "python" },
  invite_required: { sent: false, owner: true },
  disallow_disposable_email_addresses: { sent: false, owner: true },
  emails_restricted_to_domains: { sent: true, owner: true },
  require_unique_names: { sent: true },
  name_changes_disabled: { sent: true },
  email_changes_disabled: { sent: true },
  avatar_changes_disabled: { sent: true },
  default_avatar_source: { sent: "J" },
  inline_image_preview: { sent: false },
  linked_image_preview: { sent: false },
  media_preview_size: { sent: 150 },
  inline_url_embed_preview: { sent: false },
  allow_message_editing: { sent: false, data: { allow_message_editing: false } },
  message_content_edit_limit_seconds: { sent: 60, data: { message_content_edit_limit_seconds: 60 } },
  message_content_delete_limit_seconds: { sent: "unlimited", read: null },
  move_messages_within_stream_limit_seconds: { sent: '"unlimited"', read: null },
  move_messages_between_streams_limit_seconds: { sent: 3600 },
  message_edit_history_visibility_policy: { sent: "moves" },
  topics_policy: {
    sent: "disable_empty_topic",
    data: { topics_policy: "disable_empty_topic", mandatory_topics: true },
  },
  message_retention_days: { sent: 20, owner: true },
  waiting_period_threshold: { sent: 3, owner: true },
  send_channel_events_messages: { sent: false },
  send_welcome_emails: { sent: false },
  digest_emails_enabled: { sent: false },
  digest_weekday: { sent: 6 },
  message_content_allowed_in_email_notifications: { sent: false },
  jitsi_server_url: { sent: "https://meet.example.com" },
  gif_rating_policy: { sent: 5 },
  want_advertise_in_communities_directory: { sent: true },
  enable_read_receipts: { sent: false },
  enable_guest_user_indicator: { sent: false },
  enable_guest_user_dm_warning: { sent: false },
  require_e2ee_push_notifications: { sent: true },
  welcome_message_custom_text: { sent: " Hello! ", read: "Hello!" },
};

/** Settings with tests of their own below. */
const others = [
  "site",
  "enable_spectator_access",
  "video_chat_provider",
  "moderation_request_channel_id",
  "new_stream_announcements_stream_id",
  "service_update_announcements_stream_id",
  "signup_announcements_stream_id",
];

const isOfRealm = ({ event }: CapturedEvent) => event.type === "realm";

describe("update-realm", () => {
  test("knows every setting, and each is tested here", () => {
    expect(Object.keys(realmSettings.table).sort()).toEqual([...Object.keys(values), ...others].sort());
  });

  const changeable = Object.entries(values).filter(([name]) => name !== "digest_emails_enabled");

  test.each(changeable)("changes %s, and emits it to everyone", async (name, row) => {
    const { sent, read = sent, owner, data } = row;
    const w = world();
    expect((await realmOf(w))[`realm_${name}`]).not.toEqual(read);
    if (owner) {
      const refused = await w.as("ada").patch("/realm", { [name]: sent });
      expect(refused).toMatchObject(refusal("Must be an organization owner", "UNAUTHORIZED_PRINCIPAL"));
    }
    const answer = await w.as(owner ? "olive" : "ada").patch("/realm", { [name]: sent });
    expect(answer).toMatchObject({ status: 200, body: { result: "success", [name]: read } });
    expect(answer.body.ignored_parameters_unsupported).toBeUndefined();
    expect(answer.events.filter(isOfRealm)).toEqual([data ? bundle(data) : update(name, read)]);
    expect((await realmOf(w))[`realm_${name}`]).toEqual(read);

    const again = await w.as("olive").patch("/realm", { [name]: sent });
    expect(again).toMatchObject({ status: 200, events: [] });
  });

  test("changes several at once; related ones come in one event", async () => {
    const w = world();
    const { id } = await groupNamed(w, "role:moderators");
    const answer = await w.as("ada").patch("/realm", {
      name: "Crew",
      allow_message_editing: false,
      can_create_public_channel_group: { new: id },
      can_add_custom_emoji_group: { new: { direct_members: ids(w, "mel"), direct_subgroups: [id] } },
      enable_read_receipts: false,
    });
    const data = {
      allow_message_editing: false,
      can_create_public_channel_group: id,
      can_add_custom_emoji_group: { direct_members: ids(w, "mel"), direct_subgroups: [id] },
    };
    expect(answer.events).toEqual([
      update("name", "Crew"),
      update("enable_read_receipts", false),
      bundle(data),
    ]);
    expect(await realmOf(w)).toMatchObject(
      Object.fromEntries(Object.entries(data).map(([name, value]) => [`realm_${name}`, value])),
    );
  });

  test("changes nothing if one value is refused", async () => {
    const w = world();
    const before = await realmOf(w);
    const { id } = await groupNamed(w, "role:moderators");
    const answer = await w.as("olive").patch("/realm", {
      name: "Crew",
      can_create_groups: { new: id },
      can_invite_users_group: { new: id, old: id },
    });
    expect(answer).toMatchObject({ status: 400, body: { code: "EXPECTATION_MISMATCH" }, events: [] });
    expect(await realmOf(w)).toEqual(before);
  });

  test("without changes succeeds, and emits nothing", async () => {
    expect(await world().as("ada").patch("/realm")).toMatchObject({ status: 200, events: [] });
  });

  test.each(["moss", "mel", "gus", "bolt"] as const)("is not for %s", async (who) => {
    const answer = await world().as(who).patch("/realm", { name: "Mine" });
    expect(answer).toMatchObject(refusal("Must be an organization administrator", "UNAUTHORIZED_PRINCIPAL"));
  });

  test.each([
    "can_create_groups",
    "can_invite_users_group",
    "can_manage_all_groups",
    "create_multiuse_invite_group",
  ])("leaves %s to owners", async (name) => {
    const w = world();
    const { id } = await groupNamed(w, "role:moderators");
    const given = { [name]: { new: id } };
    expect(await w.as("ada").patch("/realm", given)).toMatchObject(
      refusal("Must be an organization owner", "UNAUTHORIZED_PRINCIPAL"),
    );
    const answer = await w.as("olive").patch("/realm", given);
    expect(answer.events).toEqual([bundle({ [name]: id })]);
  });

  test("keeps the older forms of settings in step", async () => {
    const w = world();
    const { id } = await groupNamed(w, "role:moderators");
    await w.as("olive").patch("/realm", {
      topics_policy: "disable_empty_topic",
      message_edit_history_visibility_policy: "none",
      can_create_public_channel_group: { new: id },
      can_mention_many_users_group: { new: id },
      jitsi_server_url: "https://meet.example.com",
    });
    expect(await realmOf(w)).toMatchObject({
      realm_mandatory_topics: true,
      realm_allow_edit_history: false,
      realm_create_public_stream_policy: 4,
      realm_wildcard_mention_policy: 7,
      jitsi_server_url: "https://meet.example.com",
    });
  });

  // The meaning of each number to clients, which reject responses with any other.
  const create = {
    everyone: 1,
    members: 1,
    fullmembers: 3,
    moderators: 4,
    administrators: 2,
    owners: 2,
    nobody: 2,
  };
  const older: Record<string, [permission: string, numbers: Record<string, number>, all: number[]]> = {
    realm_create_public_stream_policy: ["can_create_public_channel_group", create, [1, 2, 3, 4]],
    realm_create_private_stream_policy: ["can_create_private_channel_group", create, [1, 2, 3, 4]],
    realm_create_web_public_stream_policy: [
      "can_create_web_public_channel_group",
      { moderators: 4, administrators: 2, owners: 7, nobody: 6 },
      [2, 4, 6, 7],
    ],
    realm_wildcard_mention_policy: [
      "can_mention_many_users_group",
      { everyone: 1, members: 2, fullmembers: 3, moderators: 7, administrators: 5, owners: 5, nobody: 6 },
      [1, 2, 3, 5, 6, 7],
    ],
  };

  test.each(Object.entries(older))("sends %s as its own numbers, for all values", async (field, row) => {
    const [permission, numbers, all] = row;
    const w = world();
    const group = async (name: string) => (await groupNamed(w, `role:${name}`)).id as number;
    const crew = { name: "Crew", description: "", members: ids(w, "mel") };
    const { group_id } = (await w.as("olive").post("/user_groups/create", crew)).body;
    const [admins, moderators] = [await group("administrators"), await group("moderators")];
    const named = (direct_members: number[], direct_subgroups: number[]) => ({
      direct_members,
      direct_subgroups,
    });
    const values: [unknown, number | undefined][] = [
      [named([], []), numbers.nobody],
      [named([], [admins, moderators]), numbers.moderators],
      [named(ids(w, "olive"), []), numbers.everyone],
      [named(ids(w, "dex"), []), numbers.everyone],
      [named([], [group_id, admins]), numbers.everyone],
      [group_id, numbers.everyone],
    ];
    for (const name of [
      "everyone",
      "members",
      "fullmembers",
      "moderators",
      "administrators",
      "owners",
      "nobody",
    ])
      values.push([await group(name), numbers[name]]);

    const taken: number[] = [];
    for (const [value, number] of values) {
      const { status } = await w.as("olive").patch("/realm", { [permission]: { new: value } });
      const shown = (await realmOf(w))[field];
      expect(all).toContain(shown);
      if (status !== 200) continue;
      taken.push(shown);
      expect({ value, shown }).toEqual({ value, shown: number as number });
    }
    expect(new Set(taken)).toEqual(new Set(Object.values(numbers)));
  });

  test.each<[string, Json, unknown]>([
    ["an empty name", { name: " " }, "An organization needs a name."],
    ["a name too long", { name: "x".repeat(41) }, /at most 40 characters/],
    ["a description too long", { description: "x".repeat(1001) }, /at most 1000 characters/],
    ["a kind of organization that is none", { org_type: 5 }, /org_type must be one of/],
    ["a language that is none", { default_language: "klingonese!" }, "There is no such language."],
    [
      "a programming language that is none",
      { default_code_block_language: "quux" },
      /no syntax highlighting/,
    ],
    ["a time limit of nothing", { message_content_edit_limit_seconds: 0 }, /number of seconds above 0/],
    ["a time limit before now", { message_content_delete_limit_seconds: -1 }, /number of seconds above 0/],
    ["a time limit in other words", { move_messages_within_stream_limit_seconds: "forever" }, /is not a/],
    ["keeping messages for no day", { message_retention_days: 0 }, /too small/],
    ["a strange policy", { topics_policy: "empty_topic_only" }, /topics_policy must be one of/],
    ["a strange history policy", { message_edit_history_visibility_policy: "some" }, /must be one of/],
    ["a waiting period before now", { waiting_period_threshold: -1 }, /too small/],
    ["an endless waiting period", { waiting_period_threshold: 36_501 }, /too large/],
    ["an eighth day of the week", { digest_weekday: 7 }, /too large/],
    ["a rating beyond", { gif_rating_policy: 6 }, /too large/],
    [
      "a provider that is not offered",
      { video_chat_provider: 3 },
      "This server does not offer calls by that provider.",
    ],
    [
      "Jitsi without a server",
      { video_chat_provider: 1 },
      "Calls by Jitsi need the address of a Jitsi server.",
    ],
    [
      "an address with a blank in it",
      { jitsi_server_url: "https://meet.example.com/a b" },
      /must not contain blanks/,
    ],
    ["an address that is none", { jitsi_server_url: "javascript:alert(1)" }, /must begin with https/],
    ["a flag that is none", { invite_required: "yes" }, 'Argument "invite_required" is not valid JSON.'],
    ["a welcome without end", { welcome_message_custom_text: "x".repeat(8001) }, /at most 8000 characters/],
    [
      "spectators",
      { enable_spectator_access: true },
      "This server does not offer access without an account.",
    ],
    ["another subdomain", { string_id: "other" }, "This organization's subdomain cannot be changed."],
    ["no way to log in", { authentication_methods: { Email: false } }, /At least one/],
    [
      "an unknown way to log in",
      { authentication_methods: { Email: true, SAML: true } },
      /not offer login by 'SAML'/,
    ],
    ["a bare group", { can_create_groups: 5 }, "can_create_groups is not an object"],
    ["an unknown channel", { signup_announcements_stream_id: 4711 }, "Invalid channel ID"],
  ])("refuses %s", async (_, params, msg) => {
    const answer = await world().as("olive").patch("/realm", params);
    const expected = msg instanceof RegExp ? expect.stringMatching(msg) : msg;
    expect(answer).toMatchObject({ status: 400, body: { msg: expected }, events: [] });
  });

  test("accepts the login methods that exist, and no subdomain", async () => {
    const given = { authentication_methods: { Email: true, SAML: false }, string_id: "" };
    expect(await world().as("olive").patch("/realm", given)).toMatchObject({ status: 200, events: [] });
    expect(await world().as("ada").patch("/realm", given)).toMatchObject({
      body: { code: "UNAUTHORIZED_PRINCIPAL" },
    });
  });

  describe.each([
    "new_stream_announcements_stream_id",
    "signup_announcements_stream_id",
    "service_update_announcements_stream_id",
  ])("%s", (name) => {
    test("is a channel, or off", async () => {
      const w = world();
      const id = await channel(w, "news");
      const mirror = name.startsWith("service") ? { zulip_update_announcements_stream_id: id } : {};
      const on = await w.as("olive").patch("/realm", { [name]: id });
      expect(on.events).toEqual([
        name.startsWith("service") ? bundle({ [name]: id, ...mirror }) : update(name, id),
      ]);
      expect((await realmOf(w))[`realm_${name}`]).toBe(id);
      expect((await w.as("olive").patch("/realm", { [name]: -1 })).events).toHaveLength(1);
      expect((await realmOf(w))[`realm_${name}`]).toBe(-1);
    });
  });

  test("stops posting in a channel that is archived", async () => {
    const w = world();
    const [id, other] = [await channel(w, "news", { invite_only: true }), await channel(w, "hall")];
    const settings = {
      moderation_request_channel_id: id,
      new_stream_announcements_stream_id: id,
      service_update_announcements_stream_id: id,
      signup_announcements_stream_id: other,
    };
    await w.as("olive").patch("/realm", settings);

    const { events } = await w.as("ada").delete(`/streams/${id}`);
    expect(events.filter(({ event }) => event.type === "realm")).toEqual([
      update("new_stream_announcements_stream_id", -1),
      update("moderation_request_channel_id", -1),
      bundle({
        service_update_announcements_stream_id: -1,
        zulip_update_announcements_stream_id: -1,
      }),
    ]);
    expect(await realmOf(w)).toMatchObject({
      realm_moderation_request_channel_id: -1,
      realm_new_stream_announcements_stream_id: -1,
      realm_service_update_announcements_stream_id: -1,
      realm_signup_announcements_stream_id: other,
    });
    const [changed] = listAudit(w.ctx("ada"), { limit: 1 });
    expect(changed).toMatchObject({
      event: "realm_changed",
      data: { new_stream_announcements_stream_id: { from: id, to: -1 } },
    });
  });

  test("keeps posting where it did if another channel is archived, or if a channel cannot be archived", async () => {
    const w = world();
    const [id, other] = [await channel(w, "news"), await channel(w, "hall")];
    await w.as("olive").patch("/realm", { new_stream_announcements_stream_id: id });
    const { events } = await w.as("ada").delete(`/streams/${other}`);
    expect(events.filter(({ event }) => event.type === "realm")).toEqual([]);
    expect(await w.as("gus").delete(`/streams/${id}`)).toMatchObject({ status: 400, events: [] });
    expect(await realmOf(w)).toMatchObject({ realm_new_stream_announcements_stream_id: id });
  });

  test("reads the older name of the channel for updates", async () => {
    const w = world();
    const id = await channel(w, "news");
    await w.as("ada").patch("/realm", { zulip_update_announcements_stream_id: id });
    expect(await realmOf(w)).toMatchObject({
      realm_service_update_announcements_stream_id: id,
      realm_zulip_update_announcements_stream_id: id,
    });
  });

  test("sends moderation requests only to a private channel", async () => {
    const w = world();
    const [open, closed] = [await channel(w, "open"), await channel(w, "closed", { invite_only: true })];
    const given = (id: number) => ({ moderation_request_channel_id: id });
    expect(await w.as("olive").patch("/realm", given(open))).toMatchObject(
      refusal("The channel for moderation requests must be private."),
    );
    const answer = await w.as("olive").patch("/realm", given(closed));
    expect(answer.events).toEqual([update("moderation_request_channel_id", closed)]);
  });

  test("offers calls by Jitsi only together with a server for them", async () => {
    const w = world();
    const both = { video_chat_provider: 1, jitsi_server_url: "https://meet.example.com" };
    expect((await w.as("ada").patch("/realm", both)).events).toHaveLength(2);
    expect(await w.as("ada").patch("/realm", { jitsi_server_url: "default" })).toMatchObject(
      refusal("Calls by Jitsi need the address of a Jitsi server."),
    );
    const off = await w.as("ada").patch("/realm", { jitsi_server_url: '"default"', video_chat_provider: 0 });
    expect(off.events).toContainEqual(update("jitsi_server_url", null));
  });

  test("allows spectators if the server does", async () => {
    const w = world();
    await setServerOptions(w.ctx("system"), { web_public_channels: true });
    const answer = await w.as("ada").patch("/realm", { enable_spectator_access: true });
    expect(answer.events).toEqual([update("enable_spectator_access", true)]);
  });

  test("shows strangers the description as HTML, and names nobody in it", async () => {
    const w = world();
    await w.as("ada").patch("/realm", { description: "We **ship** with @**Mel**" });
    const { realm_description } = (await w.anonymous.get("/server_settings")).body;
    expect(realm_description).toBe("<p>We <strong>ship</strong> with @**Mel**</p>");
    expect((await realmOf(w)).realm_description).toBe("We **ship** with @**Mel**");
  });
});

describe("the waiting period", () => {
  const day = 86_400;
  const moved = (events: CapturedEvent[]) =>
    events
      .filter(({ event }) => event.type === "user_group")
      .map(({ event, audience }) => [audience, event.op, event.group_id, event.user_ids]);

  test("removes new users from the full members, and emits that to everyone", async () => {
    const w = world();
    const { id } = await groupNamed(w, "role:fullmembers");
    const answer = await w.as("olive").patch("/realm", { waiting_period_threshold: 3 });
    expect(moved(answer.events)).toEqual([["everyone", "remove_members", id, ids(w, "mel", "max", "bolt")]]);
    expect((await groupNamed(w, "role:fullmembers")).members).toEqual([]);
  });

  test("shows in the initial state who has become a full member, and who no longer is one after the clock was set back", async () => {
    const w = world();
    await w.as("olive").patch("/realm", { waiting_period_threshold: 3 });
    const members = async () => {
      const { state } = await w.queue("mel", { fetch_event_types: ["realm_user_groups"] });
      return state.realm_user_groups.find(({ name }: Json) => name === "role:fullmembers").members;
    };
    expect(await members()).toEqual([]);
    w.clock.advance(3 * day);
    expect(await members()).toEqual(ids(w, "mel", "max", "bolt"));
    w.clock.step(-2 * day);
    expect(await members()).toEqual([]);
  });

  test("makes users full members after it has passed, and emits what they may now see", async () => {
    const w = world();
    const { id } = await groupNamed(w, "role:fullmembers");
    await w.as("olive").patch("/realm", { waiting_period_threshold: 3 });
    await channel(w, "veterans", { invite_only: true, can_subscribe_group: id });
    const job = groups.jobs?.find(({ name }) => name === "full-members");
    const look = async () => {
      const from = w.events.length;
      await job?.run(w.ctx("system"));
      return w.events.slice(from);
    };
    expect(await look()).toEqual([]);
    w.clock.advance(3 * day - 1);
    expect(await look()).toEqual([]);
    w.clock.advance(1);
    const received = await look();
    expect(moved(received)).toEqual([["everyone", "add_members", id, ids(w, "mel", "max", "bolt")]]);
    expect(received.filter(({ event }) => event.type === "stream").map(({ audience }) => audience)).toEqual([
      ["mel", "max", "bolt"],
    ]);
    expect(await look()).toEqual([]);
    expect((await groupNamed(w, "role:fullmembers")).members).toEqual(ids(w, "mel", "max", "bolt"));
  });

  test("is over for users with a stronger role", async () => {
    const w = world();
    const { id } = await groupNamed(w, "role:fullmembers");
    await w.as("olive").patch("/realm", { waiting_period_threshold: 3, can_create_groups: { new: id } });
    const create = (who: CastName) =>
      w.as(who).post("/user_groups/create", { name: who, description: "", members: [] });
    expect((await create("moss")).status).toBe(200);
    expect((await create("mel")).status).toBe(400);
    w.clock.advance(3 * day);
    expect((await create("mel")).status).toBe(200);
  });
});

describe("require_unique_names", () => {
  test("refuses a taken name", async () => {
    const w = world();
    const add = (full_name: string, email: string) =>
      w.as("ada").post("/users", { full_name, email, password: "correct horse" });
    expect((await add("Mel", "mel2@example.com")).status).toBe(200);
    await w.as("ada").patch("/realm", { require_unique_names: true });
    expect(await add("max", "max2@example.com")).toMatchObject(
      refusal("This name is already in use in this organization."),
    );
    expect((await add("Maxine", "max2@example.com")).status).toBe(200);
  });
});

const domain = (name: string, allow_subdomains = false) => ({ domain: name, allow_subdomains });

describe("get-realm-domains", () => {
  test("lists the domains, as the initial state does", async () => {
    const w = world();
    await w.as("olive").post("/realm/domains", domain("example.com"));
    await w.as("olive").post("/realm/domains", domain("example.org", true));
    const domains = [domain("example.com"), domain("example.org", true)];
    expect((await w.as("mel").get("/realm/domains")).body.domains).toEqual(domains);
    const { state } = await w.queue("gus", { fetch_event_types: ["realm_domains"] });
    expect(state.realm_domains).toEqual(domains);
  });
});

describe("post-realm-domains", () => {
  test("adds a domain, ignoring case, and emits it to everyone", async () => {
    const w = world();
    const answer = await w.as("olive").post("/realm/domains", domain(" Example.COM ", true));
    expect(answer.body.new_domain).toEqual([expect.any(Number), "example.com"]);
    expect(answer.events).toEqual([
      {
        audience: "everyone",
        event: { type: "realm_domains", op: "add", realm_domain: domain("example.com", true) },
      },
    ]);
  });

  test.each(["", "com", "exa mple.com", "-a.com", "a..com", "@example.com", `${"a".repeat(64)}.com`])(
    "refuses %j",
    async (name) => {
      expect(await world().as("olive").post("/realm/domains", domain(name))).toMatchObject(
        refusal("Enter a domain, such as example.com."),
      );
    },
  );

  test("refuses an existing one", async () => {
    const w = world();
    await w.as("olive").post("/realm/domains", domain("example.com"));
    expect(await w.as("olive").post("/realm/domains", domain("EXAMPLE.com", true))).toMatchObject(
      refusal("The domain example.com is already a part of this organization."),
    );
  });

  test("is only for owners", async () => {
    expect(await world().as("ada").post("/realm/domains", domain("example.com"))).toMatchObject(
      refusal("Must be an organization owner", "UNAUTHORIZED_PRINCIPAL"),
    );
  });
});

describe("patch-realm-domains-domain", () => {
  test("allows a domain's subdomains, and emits it to everyone", async () => {
    const w = world();
    await w.as("olive").post("/realm/domains", domain("example.com"));
    const answer = await w.as("olive").patch("/realm/domains/Example.com", { allow_subdomains: true });
    expect(answer.events).toEqual([
      {
        audience: "everyone",
        event: { type: "realm_domains", op: "change", realm_domain: domain("example.com", true) },
      },
    ]);
  });

  test("refuses an unknown one, and anyone but owners", async () => {
    const w = world();
    const change = (who: CastName) =>
      w.as(who).patch("/realm/domains/example.com", { allow_subdomains: true });
    expect(await change("olive")).toMatchObject(refusal("No entry found for domain example.com."));
    expect(await change("ada")).toMatchObject(
      refusal("Must be an organization owner", "UNAUTHORIZED_PRINCIPAL"),
    );
  });
});

describe("delete-realm-domains-domain", () => {
  test("removes a domain, and with the last one the restriction", async () => {
    const w = world();
    await w.as("olive").post("/realm/domains", domain("example.com"));
    await w.as("olive").post("/realm/domains", domain("example.org"));
    await w.as("olive").patch("/realm", { emails_restricted_to_domains: true });
    const removed = (name: string): CapturedEvent => ({
      audience: "everyone",
      event: { type: "realm_domains", op: "remove", domain: name },
    });
    expect((await w.as("olive").delete("/realm/domains/example.com")).events).toEqual([
      removed("example.com"),
    ]);
    expect((await w.as("olive").delete("/realm/domains/example.org")).events).toEqual([
      removed("example.org"),
      update("emails_restricted_to_domains", false),
    ]);
  });

  test("refuses an unknown one, and anyone but owners", async () => {
    const w = world();
    expect(await w.as("olive").delete("/realm/domains/example.com")).toMatchObject(
      refusal("No entry found for domain example.com."),
    );
    expect(await w.as("ada").delete("/realm/domains/example.com")).toMatchObject(
      refusal("Must be an organization owner", "UNAUTHORIZED_PRINCIPAL"),
    );
  });
});

describe("emails_restricted_to_domains", () => {
  const added = async (w: World, email: string) =>
    (await w.as("ada").post("/users", { email, full_name: "Nia", password: "correct horse" })).status;

  test("allows only addresses of the listed domains", async () => {
    const w = world();
    await w.as("olive").post("/realm/domains", domain("example.com"));
    await w.as("olive").post("/realm/domains", domain("example.org", true));
    expect(await added(w, "a@elsewhere.net")).toBe(200);
    await w.as("olive").patch("/realm", { emails_restricted_to_domains: true });
    expect(await added(w, "b@elsewhere.net")).toBe(400);
    expect(await added(w, "b@Example.com")).toBe(200);
    expect(await added(w, "b@sub.example.com")).toBe(400);
    expect(await added(w, "b@notexample.org")).toBe(400);
    expect(await added(w, "b@sub.example.org")).toBe(200);
    expect(
      await w.as("ada").post("/users", { email: "c@x.net", full_name: "Cy", password: "correct horse" }),
    ).toMatchObject(refusal("Only addresses of this organization's domains may join, not 'c@x.net'."));
    await givePassword(w, "mel");
    const move = (email: string) => w.as("mel").patch("/settings", { email, old_password: password });
    expect((await move("mel@elsewhere.net")).status).toBe(400);
    expect((await move("mel@sub.example.org")).status).toBe(200);
  });
});

describe("post-realm-deactivate", () => {
  const closed = { status: 401, body: { result: "error", code: "REALM_DEACTIVATED" } };

  test("closes the organization, and emits that to everyone", async () => {
    const w = world();
    const { poll } = await w.queue("mel");
    const waiting = poll({ dont_block: false });
    const answer = await w.as("olive").post("/realm/deactivate", { deletion_delay_days: null });
    expect(answer.events).toEqual([
      { audience: "everyone", event: { type: "realm", op: "deactivated", realm_id: 1 } },
    ]);
    expect(await waiting).toMatchObject([{ type: "realm", op: "deactivated" }]);
    for (const who of ["olive", "mel", "bolt"] as const) {
      expect(await w.as(who).get("/users/me")).toMatchObject(closed);
      expect(await w.as(who).post("/register")).toMatchObject(closed);
    }
    expect((await w.anonymous.get("/server_settings")).status).toBe(200);
  });

  test("refuses logins, and gives the reason only for the right credentials", async () => {
    const w = world();
    const password = "correct horse";
    await w.as("ada").post("/users", { email: "nia@example.com", full_name: "Nia", password });
    await w.as("olive").post("/realm/deactivate");
    const log = (given: string) =>
      w.anonymous.post("/fetch_api_key", { username: "nia@example.com", password: given });
    expect(await log(password)).toMatchObject(closed);
    expect(await log("wrong horse")).toMatchObject({ body: { code: "AUTHENTICATION_FAILED" } });
    expect(await w.login("mel@example.com", "wrong").get("/users/me")).toMatchObject({
      body: { code: "UNAUTHORIZED" },
    });
  });

  test("is undone by an owner at the command line", async () => {
    const w = world();
    await w.as("olive").post("/realm/deactivate");
    await expect(reactivateRealm(w.ctx("ada"))).rejects.toMatchObject({ code: "UNAUTHORIZED_PRINCIPAL" });
    await reactivateRealm(w.ctx("olive"));
    expect((await w.as("mel").get("/users/me")).status).toBe(200);
    await expect(reactivateRealm(w.ctx("olive"))).rejects.toMatchObject({
      message: "The organization is not deactivated.",
    });
  });

  test("does not promise to delete anything", async () => {
    const w = world();
    expect(await w.as("olive").post("/realm/deactivate", { deletion_delay_days: 30 })).toMatchObject(
      refusal("This server does not delete organizations: its operator can remove the data folder."),
    );
    expect((await w.as("mel").get("/users/me")).status).toBe(200);
  });

  test("is only for owners", async () => {
    expect(await world().as("ada").post("/realm/deactivate")).toMatchObject(
      refusal("Must be an organization owner", "UNAUTHORIZED_PRINCIPAL"),
    );
  });
});

describe("what other sites show", () => {
  test("is announced by two settings, which are on in a new organization", async () => {
    expect(await realmOf(world())).toMatchObject({
      server_inline_image_preview: true,
      server_inline_url_embed_preview: true,
      realm_inline_image_preview: true,
      realm_linked_image_preview: true,
      realm_inline_url_embed_preview: true,
    });
    for (const name of ["linked_image_preview", "inline_url_embed_preview"] as const) {
      expect(realmSettings.table[name].fallback).toBe(false);
      expect(realmWords[name].hint).toContain("linked sites see its address");
    }
  });
});

describe("what this server does not do", () => {
  test.each([
    ["gif_rating_policy", "which this server does not offer"],
    ["digest_weekday", "which this server does not send"],
    ["want_advertise_in_communities_directory", "this server reports to none"],
    ["require_e2ee_push_notifications", "this server sends none"],
  ] as const)("is announced for %s", (name, said) => {
    expect(realmSettings.table[name].about).toContain(said);
  });
});
