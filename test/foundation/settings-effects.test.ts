// Every setting that clients can change, and where its effect is tested. A setting without an effect on this server is in
// a short list with the reason, and is announced as off or refused.
import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { realmGrants } from "@/foundation/permissions/schema.ts";
import { realmParams } from "@/foundation/realm-administration/schema.ts";
import { defaultNames, type PersonalName, personalNames } from "@/foundation/user-settings/schema.ts";
import { world } from "../support/world.ts";

/** The file and the title of the test, or the row of its table, that changes the setting and checks its effect. */
type Shown = readonly [file: string, title: string];

const personal: Partial<Record<PersonalName, Shown>> = {
  allow_private_data_export: [
    "operations/realm-exports",
    "contains nothing of people who withdraw consent or are deactivated",
  ],
  automatically_follow_topics_policy: ["places/automatic-policies", "follows on %s"],
  automatically_follow_topics_where_mentioned: [
    "places/automatic-policies",
    "follows the topic, for receivers whose setting says so",
  ],
  automatically_unmute_topics_in_muted_streams_policy: [
    "places/automatic-policies",
    "unmutes only in muted channels, on %s",
  ],
  email_address_visibility: ["foundation/own-account", "may be %s: others are told another one"],
  email_notifications_batching_period_seconds: [
    "outside/missed-messages",
    "is sent after the person's batching period, even if they change it meanwhile",
  ],
  enable_drafts_synchronization: ["personal/drafts", "are refused, and not shown"],
  enable_followed_topic_email_notifications: [
    "outside/missed-messages",
    "followed topic, enable_followed_topic_email_notifications off",
  ],
  enable_followed_topic_wildcard_mentions_notify: [
    "outside/missed-messages",
    "wildcard in a followed topic, enable_followed_topic_wildcard_mentions_notify off",
  ],
  enable_login_emails: [
    "foundation/recovery",
    "are not sent if enable_login_emails is off, or for a login that failed",
  ],
  enable_offline_email_notifications: ["outside/missed-messages", "enable_offline_email_notifications off"],
  enable_stream_email_notifications: ["outside/missed-messages", "enable_stream_email_notifications on"],
  message_content_in_email_notifications: ["outside/missed-messages", "is nothing of a message if %s is off"],
  presence_enabled: ["personal/presence", "hides users at once when they turn it off"],
  realm_name_in_email_notifications_policy: [
    "outside/missed-messages",
    "names the organization by realm_name_in_email_notifications_policy %p",
  ],
  receives_typing_notifications: ["personal/typing", "is not sent to users who do not want to see it"],
  resolved_topic_notice_auto_read_policy: ["messaging/messages-move", "arrives as each user has set"],
  send_private_typing_notifications: [
    "personal/typing",
    "is refused to users who turned it off, for each kind of conversation",
  ],
  send_read_receipts: ["messaging/read-receipts", "omits users who turned it off"],
  send_stream_typing_notifications: [
    "personal/typing",
    "is refused to users who turned it off, for each kind of conversation",
  ],
  twenty_four_hour_time: ["outside/missed-messages", "shows times in the person's zone and format"],
  wildcard_mentions_notify: ["outside/missed-messages", "wildcard, wildcard_mentions_notify off"],
};

/** Settings that the server only stores: the person's clients implement them. */
const ofClients: readonly PersonalName[] = [
  "color_scheme",
  "default_language",
  "demote_inactive_streams",
  "desktop_icon_count_display",
  "display_emoji_reaction_users",
  "emojiset",
  "enable_desktop_notifications",
  "enable_followed_topic_audible_notifications",
  "enable_followed_topic_desktop_notifications",
  "enable_sounds",
  "enable_stream_audible_notifications",
  "enable_stream_desktop_notifications",
  "enter_sends",
  "fluid_layout_width",
  "hide_ai_features",
  "high_contrast_mode",
  "left_side_userlist",
  "notification_sound",
  "pm_content_in_desktop_notifications",
  "starred_message_counts",
  "translate_emoticons",
  "user_list_style",
  "web_animate_image_previews",
  "web_channel_default_view",
  "web_escape_navigates_to_home_view",
  "web_font_size_px",
  "web_home_view",
  "web_inbox_show_channel_folders",
  "web_left_sidebar_show_channel_folders",
  "web_left_sidebar_unreads_count_summary",
  "web_line_height_percent",
  "web_mark_read_on_scroll_policy",
  "web_navigate_to_sent_message",
  "web_stream_unreads_count_display_policy",
  "web_suggest_update_timezone",
];

/** Without effect on this server; with the field of the initial state that says so. */
const personalOff: Partial<Record<PersonalName, string>> = {
  enable_digest_emails: "settings_send_digest_emails",
  enable_followed_topic_push_notifications: "realm_push_notifications_enabled",
  enable_offline_push_notifications: "realm_push_notifications_enabled",
  enable_online_push_notifications: "realm_push_notifications_enabled",
  enable_stream_push_notifications: "realm_push_notifications_enabled",
};

/** Without effect on this server; turning it on is refused. */
const personalRefused: readonly PersonalName[] = ["enable_marketing_emails"];

const realm: Record<string, Shown> = {
  default_avatar_source: ["server/levels", "new people without a picture get the one of the organization"],
  send_channel_events_messages: [
    "server/levels",
    "channels post what happens to them unless the organization turns that off",
  ],
  name: ["foundation/settings-effects", "a new name is shown to people without an account"],
  description: [
    "foundation/realm-settings",
    "shows strangers the description as HTML, and names nobody in it",
  ],
  default_language: ["foundation/settings-effects", "a language applies to people who join from then on"],
  default_code_block_language: [
    "messaging/messages-send",
    "uses the organization's default code language, as messages do",
  ],
  invite_required: [
    "outside/single-sign-on",
    "creates no account without an invitation, unless the organization needs none",
  ],
  disallow_disposable_email_addresses: [
    "outside/invitations",
    "accepts disposable addresses if the organization allows them",
  ],
  emails_restricted_to_domains: ["foundation/realm-settings", "allows only addresses of the listed domains"],
  require_unique_names: ["foundation/realm-settings", "refuses a taken name"],
  name_changes_disabled: [
    "foundation/own-account",
    "cannot change if the organization says so, except by administrators",
  ],
  email_changes_disabled: [
    "foundation/own-account",
    "cannot change if the organization says so, and never for a bot",
  ],
  avatar_changes_disabled: ["foundation/avatars", "is only for administrators if avatars may not change"],
  inline_image_preview: [
    "messaging/uploads",
    "show no files the sender may not read, and none if previews are off",
  ],
  linked_image_preview: ["outside/link-previews", "is only looked at where %s is on"],
  inline_url_embed_preview: ["outside/link-previews", "is only looked at where %s is on"],
  allow_message_editing: ["messaging/messages-edit", "refuses if the organization turned it off"],
  message_content_edit_limit_seconds: [
    "messaging/messages-edit",
    "refuses after the time limit, if there is one",
  ],
  message_content_delete_limit_seconds: [
    "messaging/messages-delete",
    "refuses own messages after the time limit, if there is one",
  ],
  message_edit_history_visibility_policy: [
    "messaging/messages-history",
    "refuses if the organization hides edit history",
  ],
  topics_policy: [
    "messaging/messages-send",
    "may not be empty if the organization says so, unless the channel overrides it",
  ],
  message_retention_days: [
    "foundation/retention",
    "of the organization applies to direct messages and to channels without their own",
  ],
  waiting_period_threshold: [
    "foundation/realm-settings",
    "makes users full members after it has passed, and emits what they may now see",
  ],
  new_stream_announcements_stream_id: [
    "places/channels-create",
    "are announced together, and become default ones together",
  ],
  signup_announcements_stream_id: [
    "outside/join",
    "announces the new user if the organization has a channel for that",
  ],
  moderation_request_channel_id: [
    "messaging/reports",
    "sends the moderators the reporter, the sender, the reason and the message",
  ],
  send_welcome_emails: ["foundation/recovery", "welcome who joins, if send_welcome_emails is %p"],
  message_content_allowed_in_email_notifications: [
    "outside/missed-messages",
    "is nothing of a message if %s is off",
  ],
  video_chat_provider: [
    "foundation/realm-settings",
    "offers calls by Jitsi only together with a server for them",
  ],
  jitsi_server_url: [
    "foundation/realm-settings",
    "offers calls by Jitsi only together with a server for them",
  ],
  enable_spectator_access: ["foundation/spectators", "finds no unread messages, and messages by their ID"],
  enable_read_receipts: ["messaging/read-receipts", "is refused if the organization turned it off"],
  welcome_message_custom_text: [
    "foundation/newcomers",
    "also gets the organization's own text, even if the server sends no welcome",
  ],
  authentication_methods: [
    "outside/single-sign-on",
    "can work without passwords, which only owners can decide",
  ],
  string_id: ["foundation/realm-settings", "accepts the login methods that exist, and no subdomain"],
};

/** Tested in messages-move, where the names are put together. */
const moveLimits = [
  "move_messages_within_stream_limit_seconds",
  "move_messages_between_streams_limit_seconds",
];

/** Only stored for clients: the kind of organization, and how clients mark guests. */
const realmOfClients = [
  "org_type",
  "media_preview_size",
  "enable_guest_user_indicator",
  "enable_guest_user_dm_warning",
];

/** Without effect on this server, as the setting's description says. */
const realmOff = [
  "service_update_announcements_stream_id",
  "gif_rating_policy",
  "want_advertise_in_communities_directory",
  "require_e2ee_push_notifications",
  "digest_weekday",
  "digest_emails_enabled",
];

const textOf = (name: string) => {
  const path = join(import.meta.dir, "..", `${name}.test.ts`);
  return existsSync(path) ? readFileSync(path, "utf8") : "";
};

/** Finds the test by its title, and checks that its file sets the setting: as a field, or by a name that a helper takes. */
function whatIsMissing(name: string, [file, title]: Shown): string[] {
  const text = textOf(file);
  const isThere = text.includes(JSON.stringify(title));
  const isSet = new RegExp(`\\b${name}(:| \\}|,$)|"${name}"`, "m").test(
    text.replaceAll(JSON.stringify(title), ""),
  );
  return [...(isThere ? [] : [`no test "${title}"`]), ...(isSet ? [] : [`${name} is not set`])];
}

describe("every setting of PATCH /settings", () => {
  test("has an effect that is tested, is for clients, or is off", () => {
    const all = [
      ...Object.keys(personal),
      ...ofClients,
      ...Object.keys(personalOff),
      ...personalRefused,
    ] as PersonalName[];
    expect(all.toSorted()).toEqual([...personalNames].toSorted());
  });

  test.each(Object.entries(personal))("%s shows its effect: %p", (name, shown) => {
    expect(whatIsMissing(name, shown)).toEqual([]);
  });

  test("without effect here is announced as off", async () => {
    const { state } = await world().queue("mel");
    for (const field of Object.values(personalOff)) expect([field, state[field]]).toEqual([field, false]);
  });

  test.each(personalRefused)("%s cannot be turned on", async (name) => {
    const w = world();
    expect((await w.queue("mel")).state.user_settings[name]).toBe(false);
    const answer = await w.as("mel").patch("/settings", { [name]: true });
    expect(answer).toMatchObject({ status: 400, events: [] });
  });
});

describe("every default of PATCH /realm/user_settings_defaults", () => {
  test("is a personal setting, which new users get", async () => {
    expect(defaultNames.filter((name) => !personalNames.includes(name))).toEqual([]);
    const w = world();
    const given = {
      enable_offline_email_notifications: false,
      email_notifications_batching_period_seconds: 77,
    };
    expect((await w.as("ada").patch("/realm/user_settings_defaults", given)).status).toBe(200);
    const person = { email: "ann@example.org", password: "correct horse battery", full_name: "Ann" };
    expect((await w.as("olive").post("/users", person)).status).toBe(200);
    const login = { username: person.email, password: person.password };
    const { body } = await w.anonymous.post("/fetch_api_key", login);
    const { body: state } = await w.login(person.email, body.api_key).post("/register", {
      event_types: ["user_settings"],
      client_capabilities: { user_settings_object: true },
    });
    expect(state.user_settings).toMatchObject(given);
  });
});

describe("every setting of PATCH /realm", () => {
  test("has an effect that is tested, is for clients, or is off; permissions are in a matrix of their own", () => {
    const grants = Object.keys(realmGrants);
    const settings = Object.keys(realmParams).filter((name) => !grants.includes(name));
    expect([...Object.keys(realm), ...moveLimits, ...realmOfClients, ...realmOff].toSorted()).toEqual(
      settings.toSorted(),
    );
    const matrix = textOf("foundation/permission-matrix");
    expect(grants.filter((name) => !matrix.includes(name))).toEqual([]);
  });

  test.each(Object.entries(realm))("%s shows its effect: %p", (name, shown) => {
    expect(whatIsMissing(name, shown)).toEqual([]);
  });

  test("a new name is shown to people without an account", async () => {
    const w = world();
    const shown = async () => {
      const { body } = await w.anonymous.get("/server_settings");
      const page = await (await w.anonymous.request("/password/reset")).text();
      return [body.realm_name, page.includes("<title>New password – Night Shift</title>")];
    };
    expect(await shown()).toEqual(["Test Organization", false]);
    expect((await w.as("ada").patch("/realm", { name: "Night Shift" })).status).toBe(200);
    expect(await shown()).toEqual(["Night Shift", true]);
  });

  test("a language applies to people who join from then on", async () => {
    const w = world();
    const languageOf = async (name: string) => {
      const email = `${name}@example.org`;
      const person = { email, password: "correct horse battery", full_name: name };
      expect((await w.as("olive").post("/users", person)).status).toBe(200);
      const { body } = await w.anonymous.post("/fetch_api_key", {
        username: email,
        password: person.password,
      });
      const { body: state } = await w.login(email, body.api_key).post("/register", {
        event_types: ["user_settings"],
        client_capabilities: { user_settings_object: true },
      });
      return state.user_settings.default_language;
    };
    expect(await languageOf("Ann")).toBe("en");
    expect((await w.as("ada").patch("/realm", { default_language: "de" })).status).toBe(200);
    expect(await languageOf("Bea")).toBe("de");
    expect((await w.queue("mel")).state.user_settings.default_language).toBe("en");
  });

  test("the limits of moving are tested in messages-move", () => {
    expect(textOf("messaging/messages-move")).toMatch(/move_messages_\$\{name\}_stream/);
  });

  test("without effect here says so", async () => {
    const { realmSettings } = await import("@/foundation/realm/schema.ts");
    const table: Record<string, { about: string }> = realmSettings.table;
    for (const name of realmOff) {
      expect([name, table[name]?.about]).toEqual([name, expect.stringMatching(/this server/)]);
    }
  });

  test("digests cannot be turned on", async () => {
    const answer = await world().as("olive").patch("/realm", { digest_emails_enabled: true });
    expect(answer).toMatchObject({ status: 400, events: [] });
  });
});
