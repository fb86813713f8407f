// Every setting that clients can change, and where its effect is tested. A setting without an effect on this server is in
// a short list with the reason, and is announced as off or refused.
import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { realmGrants } from "@/foundation/permissions/schema.ts";
import { realmParams } from "@/foundation/realm/updates.ts";
import { defaultNames, type PersonalName, personalNames } from "@/foundation/user-settings/schema.ts";
import { world } from "./support/world.ts";

/** The file whose tests show the effect, and name the setting. */
const personal: Partial<Record<PersonalName, string>> = {
  allow_private_data_export: "realm-exports",
  automatically_follow_topics_policy: "automatic-policies",
  automatically_follow_topics_where_mentioned: "automatic-policies",
  automatically_unmute_topics_in_muted_streams_policy: "automatic-policies",
  email_address_visibility: "own-account",
  email_notifications_batching_period_seconds: "missed-messages",
  enable_drafts_synchronization: "drafts",
  enable_followed_topic_email_notifications: "missed-messages",
  enable_followed_topic_wildcard_mentions_notify: "missed-messages",
  enable_login_emails: "recovery",
  enable_offline_email_notifications: "missed-messages",
  enable_stream_email_notifications: "missed-messages",
  message_content_in_email_notifications: "missed-messages",
  presence_enabled: "presence",
  realm_name_in_email_notifications_policy: "missed-messages",
  receives_typing_notifications: "typing",
  resolved_topic_notice_auto_read_policy: "messages-move",
  send_private_typing_notifications: "typing",
  send_read_receipts: "read-receipts",
  send_stream_typing_notifications: "typing",
  twenty_four_hour_time: "missed-messages",
  wildcard_mentions_notify: "missed-messages",
};

/** The server keeps these for the person's clients, which do what they say. */
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
  "web_left_sidebar_show_channel_folders",
  "web_left_sidebar_unreads_count_summary",
  "web_line_height_percent",
  "web_mark_read_on_scroll_policy",
  "web_navigate_to_sent_message",
  "web_stream_unreads_count_display_policy",
  "web_suggest_update_timezone",
];

/** Without effect here; the field of the initial state that says so. */
const personalOff: Partial<Record<PersonalName, string>> = {
  enable_digest_emails: "settings_send_digest_emails",
  enable_followed_topic_push_notifications: "realm_push_notifications_enabled",
  enable_offline_push_notifications: "realm_push_notifications_enabled",
  enable_online_push_notifications: "realm_push_notifications_enabled",
  enable_stream_push_notifications: "realm_push_notifications_enabled",
};

/** Without effect here, and turning it on is refused. */
const personalRefused: readonly PersonalName[] = ["enable_marketing_emails"];

const realm: Record<string, string> = {
  name: "realm-settings",
  description: "realm-settings",
  default_language: "realm-settings",
  default_code_block_language: "messages-send",
  invite_required: "single-sign-on",
  disallow_disposable_email_addresses: "invitations",
  emails_restricted_to_domains: "realm-settings",
  require_unique_names: "realm-settings",
  name_changes_disabled: "own-account",
  email_changes_disabled: "own-account",
  avatar_changes_disabled: "avatars",
  inline_image_preview: "uploads",
  allow_message_editing: "messages-edit",
  message_content_edit_limit_seconds: "messages-edit",
  message_content_delete_limit_seconds: "messages-delete",
  message_edit_history_visibility_policy: "messages-history",
  topics_policy: "messages-send",
  message_retention_days: "retention",
  waiting_period_threshold: "realm-settings",
  new_stream_announcements_stream_id: "channels-create",
  signup_announcements_stream_id: "join",
  service_update_announcements_stream_id: "realm-settings",
  moderation_request_channel_id: "reports",
  send_welcome_emails: "recovery",
  message_content_allowed_in_email_notifications: "missed-messages",
  video_chat_provider: "realm-settings",
  jitsi_server_url: "realm-settings",
  enable_spectator_access: "spectators",
  enable_read_receipts: "read-receipts",
  welcome_message_custom_text: "newcomers",
  authentication_methods: "single-sign-on",
  string_id: "realm-settings",
};

/** Tested in messages-move, which puts the names together. */
const moveLimits = [
  "move_messages_within_stream_limit_seconds",
  "move_messages_between_streams_limit_seconds",
];

/** Kept for clients: the kind of organization, and how they mark guests. */
const realmOfClients = ["org_type", "enable_guest_user_indicator", "enable_guest_user_dm_warning"];

/** Without effect on this server; the setting's own text says so. */
const realmOff = [
  "inline_url_embed_preview",
  "giphy_rating",
  "want_advertise_in_communities_directory",
  "require_e2ee_push_notifications",
  "digest_weekday",
  "digest_emails_enabled",
];

const textOf = (name: string) => {
  const path = join(import.meta.dir, `${name}.test.ts`);
  return existsSync(path) ? readFileSync(path, "utf8") : "";
};

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

  test.each(Object.entries(personal))("%s is tested in %s", (name, file) => {
    expect(textOf(file)).toContain(name);
  });

  test("that does nothing here is announced as off", async () => {
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
  test("is a setting of a person, and newcomers get it", async () => {
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
    const matrix = textOf("permission-matrix");
    expect(grants.filter((name) => !matrix.includes(name))).toEqual([]);
  });

  test.each(Object.entries(realm))("%s is tested in %s", (name, file) => {
    expect(textOf(file)).toContain(name);
  });

  test("the limits of moving are tested in messages-move", () => {
    expect(textOf("messages-move")).toMatch(/move_messages_\$\{name\}_stream/);
  });

  test("that does nothing here says so", async () => {
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
