import { describe, expect, test } from "bun:test";
import { botDomain } from "@/foundation/realm/access.ts";
import { organizationName } from "@/foundation/realm/schema.ts";
import { createRealm, setSite } from "@/foundation/realm-administration/actions.ts";
import { basic } from "../support/requests.ts";
import { expectRegister } from "../support/shapes.ts";
import { world } from "../support/world.ts";

describe("get-server-settings", () => {
  const expected = {
    result: "success",
    realm_name: "Test Organization",
    realm_url: "https://chat.example.com",
    zulip_feature_level: 486,
    service_feature_level: 486,
    zulip_version: "11.0",
    service_version: "11.0",
    zulip_merge_base: "11.0",
    authentication_methods: { password: true, email: true, dev: false },
    push_notifications_enabled: false,
    is_incompatible: false,
  };

  test("answers anyone", async () => {
    expect((await world().anonymous.get("/server_settings")).body).toMatchObject(expected);
  });

  test.each([basic("mel@example.com", "wrong"), "Bearer x", "nonsense"])(
    "tells who comes with the credentials %p",
    async (authorization) => {
      const headers = { authorization };
      const response = await world().anonymous.request("/api/v1/server_settings", { headers });
      expect(await response.json()).toMatchObject(expected);
    },
  );
});

describe("the realm section of register", () => {
  const fetch = async (who: "olive" | "mel" | "gus", fetch_event_types: string[]) => {
    const { state } = await world().queue(who, { fetch_event_types });
    expectRegister(state, fetch_event_types);
    return state;
  };

  test("contains exactly the organization's settings, limits and facts of the server", async () => {
    expect(await fetch("mel", ["realm"])).toMatchObject({
      realm_name: "Test Organization",
      realm_url: "https://chat.example.com",
      realm_empty_topic_display_name: "general chat",
      max_message_length: 10_000,
      max_topic_length: 60,
      max_stream_name_length: 60,
      max_stream_description_length: 1024,
      event_queue_longpoll_timeout_seconds: 90,
      server_typing_started_wait_period_milliseconds: 30_000,
      server_presence_ping_interval_seconds: 60,
      realm_date_created: expect.any(Number),
      // 32 bits hold it, as old clients need.
      server_generation: 1_772_530_200,
    });
  });

  test("realm_user contains active and deactivated people, and the caller's account", async () => {
    const state = await fetch("mel", ["realm_user"]);
    const names = (users: { full_name: string }[]) => users.map((one) => one.full_name);
    expect(names(state.realm_users)).toEqual(["Olive", "Ada", "Moss", "Mel", "Max", "Gus", "Bolt"]);
    expect(names(state.realm_non_active_users)).toEqual(["Dex"]);
    expect(state).toMatchObject({
      email: "mel@example.com",
      full_name: "Mel",
      is_admin: false,
      cross_realm_bots: [
        { full_name: "Notification Bot", email: "notification-bot@chat.example.com", is_system_bot: true },
        { full_name: "Welcome Bot", email: "welcome-bot@chat.example.com", is_system_bot: true },
      ],
    });
  });

  test.each([
    ["olive", { is_owner: true, is_admin: true, is_moderator: true, is_guest: false }],
    [
      "mel",
      { is_owner: false, is_moderator: false, can_create_streams: true, can_invite_others_to_realm: true },
    ],
    ["gus", { is_guest: true, can_create_streams: false, can_invite_others_to_realm: false }],
  ] as const)("realm_user contains the permissions of %s", async (who, expected) => {
    expect(await fetch(who, ["realm_user"])).toMatchObject(expected);
  });

  test("realm_user_groups contains the system groups with their members", async () => {
    const { realm_user_groups } = await fetch("mel", ["realm_user_groups"]);
    const { user } = world();
    const named = (name: string) => realm_user_groups.find((group: { name: string }) => group.name === name);
    expect(named("role:owners").members).toEqual([user("olive").id]);
    expect(named("role:members")).toMatchObject({
      members: [user("mel").id, user("max").id, user("bolt").id],
      is_system_group: true,
      deactivated: false,
    });
    expect(named("role:nobody")).toMatchObject({ members: [], direct_subgroup_ids: [] });
  });

  test("without types, the state contains only the fixed fields", async () => {
    const state = await fetch("mel", []);
    expect(state).toMatchObject({ last_event_id: -1, zulip_feature_level: 486, zulip_version: "11.0" });
  });
});

describe("botDomain", () => {
  test.each([
    ["https://chat.example.com:8443/team", "chat.example.com"],
    ["http://127.0.0.1:9900", "localhost"],
    ["http://[::1]:9900", "localhost"],
    ["http://localhost", "localhost"],
  ])("of %s is %s", (site, domain) => {
    expect(botDomain(site)).toBe(domain);
  });
});

describe("an organization's name", () => {
  test.each(["", " ", "x".repeat(41), "a\nb", "a\u001b[31m", "a\0"])("is not %j", (name) => {
    expect(organizationName.safeParse(name).success).toBe(false);
  });

  test.each([" Ada & Co ", "Équipe 🐙"])("may be %j", (name) => {
    expect(organizationName.parse(name)).toBe(name.trim());
  });
});

describe("createRealm", () => {
  const input = { name: "Second", owner_email: "o@example.com", owner_name: "O.", avatar_salt: "x" };

  test("is refused if there is one", async () => {
    const { ctx } = world();
    const message = "This data folder already holds an organization.";
    await expect(createRealm(ctx("system"), input)).rejects.toMatchObject({ message });
  });

  test("is only for the system", async () => {
    const { ctx } = world();
    await expect(createRealm(ctx("olive"), input)).rejects.toMatchObject({ code: "BAD_REQUEST" });
    await expect(setSite(ctx("olive"), "https://evil.example")).rejects.toMatchObject({
      code: "BAD_REQUEST",
    });
  });
});

describe("create-big-blue-button-video-call", () => {
  test("says that there is no such server", async () => {
    const answer = await world().as("gus").get("/calls/bigbluebutton/create", { meeting_name: "stand-up" });
    expect(answer).toMatchObject({
      status: 400,
      body: { code: "BAD_REQUEST", msg: "BigBlueButton is not configured." },
      events: [],
    });
  });

  test("needs the meeting's name", async () => {
    expect(await world().as("gus").get("/calls/bigbluebutton/create")).toMatchObject({
      status: 400,
      body: { code: "REQUEST_VARIABLE_MISSING" },
    });
  });
});

describe("post-calls-zoom-create", () => {
  test.each([{}, { is_video_call: false }])("says that there is no account, asked for %j", async (params) => {
    expect(await world().as("gus").post("/calls/zoom/create", params)).toMatchObject({
      status: 400,
      body: { code: "BAD_REQUEST", msg: "Zoom is not configured." },
      events: [],
    });
  });
});
