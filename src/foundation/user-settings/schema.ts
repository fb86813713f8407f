// All personal settings: storage, parameters, initial state and events follow from this table.
import { z } from "zod";
import { languageCode } from "@/foundation/realm/texts.ts";
import { event } from "@/kernel/core/events.ts";
import {
  type Described,
  defineOwnedSettings,
  type Setting,
  type SettingValues,
  setting,
  settings,
} from "@/kernel/store/settings.ts";
import { personalWords as words } from "./descriptions.ts";

/** For clients that do not know `user_settings`: the event for a setting, and its section of the state. */
export type Legacy = "display" | "notifications";

interface Personal<T> extends Setting<T> {
  readonly legacy?: Legacy;
  /** Set if the organization has no default for it. */
  readonly ownOnly?: true;
}

type More = Pick<Personal<unknown>, "legacy" | "ownOnly">;

function personal<T>(
  rule: z.ZodType<T>,
  fallback: T,
  about: string | Described,
  more: More = {},
): Personal<T> {
  return { ...setting(rule, fallback, about), ...more };
}

const flag = z.boolean();

const display = { legacy: "display" } as const;

const notifications = { legacy: "notifications" } as const;

const ownOnly = { ownOnly: true } as const;

/** Who sees a person's own e-mail address. */
export const addressVisibility = { everyone: 1, members: 2, admins: 3, nobody: 4, moderators: 5 } as const;

export type AddressVisibility = (typeof addressVisibility)[keyof typeof addressVisibility];

/** When topics become followed or unmuted automatically. */
export const topicPolicies = { participation: 1, sending: 2, starting: 3, never: 4 } as const;

const topicPolicy = z.literal(Object.values(topicPolicies));

// Wire: the names of the sounds in existing clients.
const sounds = ["chime", "ding", "zulip"] as const;

const emojiSets = [
  { key: "google", text: "Google" },
  { key: "twitter", text: "Twitter" },
  { key: "text", text: "Plain text" },
] as const;

// Wire: google-blob is an old name that clients still send; the server never sends it.
const emojiSet = z
  .enum(["google", "twitter", "text", "google-blob"])
  .transform((name) => (name === "google-blob" ? "google" : name));

// Wire: recent_topics is an old name that clients still send; the server never sends it.
const homeView = z
  .enum(["recent", "inbox", "all_messages", "recent_topics"])
  .transform((name) => (name === "recent_topics" ? "recent" : name));

const batching = "The delay of mails is 1 to 604800 seconds.";

export const personalTable = {
  allow_private_data_export: personal(flag, false, words.allow_private_data_export),
  automatically_follow_topics_policy: personal(topicPolicy, 3, words.automatically_follow_topics_policy),
  automatically_follow_topics_where_mentioned: personal(
    flag,
    true,
    words.automatically_follow_topics_where_mentioned,
  ),
  automatically_unmute_topics_in_muted_streams_policy: personal(
    topicPolicy,
    2,
    words.automatically_unmute_topics_in_muted_streams_policy,
  ),
  color_scheme: personal(z.literal([1, 2, 3]), 1, words.color_scheme, display),
  default_language: personal(languageCode, "en", words.default_language, display),
  demote_inactive_streams: personal(z.literal([1, 2, 3]), 1, words.demote_inactive_streams, display),
  desktop_icon_count_display: personal(
    z.literal([1, 2, 3, 4]),
    1,
    words.desktop_icon_count_display,
    notifications,
  ),
  display_emoji_reaction_users: personal(flag, true, words.display_emoji_reaction_users),
  email_address_visibility: personal(
    z.literal(Object.values(addressVisibility)),
    addressVisibility.everyone,
    words.email_address_visibility,
  ),
  email_notifications_batching_period_seconds: personal(
    z.int().min(1, batching).max(604_800, batching),
    120,
    words.email_notifications_batching_period_seconds,
    notifications,
  ),
  emojiset: personal<string>(emojiSet, "google", words.emojiset, display),
  enable_desktop_notifications: personal(flag, true, words.enable_desktop_notifications, notifications),
  enable_digest_emails: personal(flag, true, "Digest mails (not sent by this server)", notifications),
  enable_drafts_synchronization: personal(flag, true, words.enable_drafts_synchronization, display),
  enable_followed_topic_audible_notifications: personal(
    flag,
    true,
    words.enable_followed_topic_audible_notifications,
  ),
  enable_followed_topic_desktop_notifications: personal(
    flag,
    true,
    words.enable_followed_topic_desktop_notifications,
  ),
  enable_followed_topic_email_notifications: personal(
    flag,
    true,
    words.enable_followed_topic_email_notifications,
  ),
  enable_followed_topic_push_notifications: personal(
    flag,
    true,
    words.enable_followed_topic_push_notifications,
  ),
  enable_followed_topic_wildcard_mentions_notify: personal(
    flag,
    true,
    words.enable_followed_topic_wildcard_mentions_notify,
  ),
  enable_login_emails: personal(flag, true, words.enable_login_emails, notifications),
  enable_marketing_emails: personal(
    flag.refine((isOn) => !isOn, "This server sends no mails about the product."),
    false,
    "Mails about the product; this server sends none",
    { ...notifications, ...ownOnly },
  ),
  enable_offline_email_notifications: personal(
    flag,
    true,
    words.enable_offline_email_notifications,
    notifications,
  ),
  enable_offline_push_notifications: personal(
    flag,
    true,
    words.enable_offline_push_notifications,
    notifications,
  ),
  enable_online_push_notifications: personal(
    flag,
    true,
    words.enable_online_push_notifications,
    notifications,
  ),
  enable_sounds: personal(flag, true, words.enable_sounds, notifications),
  enable_stream_audible_notifications: personal(
    flag,
    false,
    words.enable_stream_audible_notifications,
    notifications,
  ),
  enable_stream_desktop_notifications: personal(
    flag,
    false,
    words.enable_stream_desktop_notifications,
    notifications,
  ),
  enable_stream_email_notifications: personal(
    flag,
    false,
    words.enable_stream_email_notifications,
    notifications,
  ),
  enable_stream_push_notifications: personal(
    flag,
    false,
    words.enable_stream_push_notifications,
    notifications,
  ),
  enter_sends: personal(flag, false, words.enter_sends, display),
  fluid_layout_width: personal(flag, false, words.fluid_layout_width, display),
  hide_ai_features: personal(flag, false, "Hide what uses AI"),
  high_contrast_mode: personal(flag, false, words.high_contrast_mode, display),
  left_side_userlist: personal(flag, false, words.left_side_userlist, display),
  message_content_in_email_notifications: personal(
    flag,
    true,
    words.message_content_in_email_notifications,
    notifications,
  ),
  notification_sound: personal<string>(
    z.enum([...sounds, "none"]),
    "zulip",
    words.notification_sound,
    notifications,
  ),
  pm_content_in_desktop_notifications: personal(
    flag,
    true,
    words.pm_content_in_desktop_notifications,
    notifications,
  ),
  presence_enabled: personal(flag, true, words.presence_enabled, notifications),
  realm_name_in_email_notifications_policy: personal(
    z.literal([1, 2, 3]),
    1,
    words.realm_name_in_email_notifications_policy,
    notifications,
  ),
  receives_typing_notifications: personal(flag, true, words.receives_typing_notifications, display),
  resolved_topic_notice_auto_read_policy: personal(
    z.enum(["always", "except_followed", "never"]),
    "except_followed",
    words.resolved_topic_notice_auto_read_policy,
  ),
  send_private_typing_notifications: personal(flag, true, words.send_private_typing_notifications),
  send_read_receipts: personal(flag, true, words.send_read_receipts),
  send_stream_typing_notifications: personal(flag, true, words.send_stream_typing_notifications),
  starred_message_counts: personal(flag, true, words.starred_message_counts, display),
  translate_emoticons: personal(flag, false, words.translate_emoticons, display),
  twenty_four_hour_time: personal(flag, false, words.twenty_four_hour_time, display),
  user_list_style: personal(z.literal([1, 2, 3]), 2, words.user_list_style),
  web_animate_image_previews: personal(
    z.enum(["always", "on_hover", "never"]),
    "on_hover",
    words.web_animate_image_previews,
  ),
  web_channel_default_view: personal(z.literal([1, 2, 3, 4]), 3, words.web_channel_default_view),
  web_escape_navigates_to_home_view: personal(flag, true, words.web_escape_navigates_to_home_view),
  web_font_size_px: personal(z.int().min(8).max(72), 16, words.web_font_size_px),
  web_home_view: personal<string>(homeView, "inbox", words.web_home_view, display),
  web_inbox_show_channel_folders: personal(flag, true, words.web_inbox_show_channel_folders),
  web_left_sidebar_show_channel_folders: personal(flag, true, words.web_left_sidebar_show_channel_folders),
  web_left_sidebar_unreads_count_summary: personal(flag, true, words.web_left_sidebar_unreads_count_summary),
  web_line_height_percent: personal(z.int().min(50).max(400), 140, words.web_line_height_percent),
  web_mark_read_on_scroll_policy: personal(z.literal([1, 2, 3]), 1, words.web_mark_read_on_scroll_policy),
  web_navigate_to_sent_message: personal(flag, true, words.web_navigate_to_sent_message),
  web_stream_unreads_count_display_policy: personal(
    z.literal([1, 2, 3]),
    2,
    words.web_stream_unreads_count_display_policy,
  ),
  web_suggest_update_timezone: personal(flag, true, words.web_suggest_update_timezone),
  wildcard_mentions_notify: personal(flag, true, words.wildcard_mentions_notify, notifications),
};

type PersonalTable = typeof personalTable;

export type PersonalName = keyof PersonalTable;

export type PersonalValues = SettingValues<PersonalTable>;

export type PersonalChanges = Partial<PersonalValues>;

export const personalNames = Object.keys(personalTable) as PersonalName[];

/** Each person's settings; owners are users. */
export const personalSettings = defineOwnedSettings("user", personalTable);

const unchosen = setting(z.boolean(), false, "The person has changed this setting themselves");

/** Which settings people have changed themselves. */
export const chosenSettings = defineOwnedSettings(
  "user_chosen",
  Object.fromEntries(personalNames.map((name) => [name, unchosen])) as Record<PersonalName, Setting<boolean>>,
);

/** What only people themselves change: who learns what of them, and which mails they get. */
export const sensitiveNames: readonly PersonalName[] = [
  "allow_private_data_export",
  "email_address_visibility",
  "enable_digest_emails",
  "enable_login_emails",
  "enable_marketing_emails",
  "presence_enabled",
  "send_private_typing_notifications",
  "send_read_receipts",
  "send_stream_typing_notifications",
];

/** Whose settings an administrator changes. */
export const settingTarget = z.object({
  user_ids: z.array(z.int()).default([]),
  group_ids: z.array(z.int()).default([]),
  /** Leaves out settings that a person has changed themselves. */
  skip_if_already_edited: z.boolean(),
});
export type SettingTarget = z.infer<typeof settingTarget>;

/** What new people start with. Only here, Enter sends: those who came earlier are used to a new line. */
export const startTable: PersonalTable = {
  ...personalTable,
  enter_sends: { ...personalTable.enter_sends, fallback: true },
};

/** The organization's defaults for new people. */
export const personalDefaults = settings("user_defaults", startTable);

export function rowOf(name: PersonalName): Personal<unknown> {
  return personalTable[name];
}

/** Possible values that clients get with the settings. */
export const choices = { emojiset_choices: emojiSets, available_notification_sounds: sounds };

/** Settings that have a default for new people. */
export const defaultNames = personalNames.filter((name) => !rowOf(name).ownOnly);

type SettingParams = { [K in PersonalName]: z.ZodType<PersonalValues[K] | undefined> };

/** Each of the named settings as a parameter that may be left out. */
export function settingParams(names: readonly PersonalName[]): SettingParams {
  return Object.fromEntries(
    names.map((name) => [name, rowOf(name).rule.optional()] as const),
  ) as unknown as SettingParams;
}

export interface InheritedNotifications {
  desktop_notifications: boolean;
  audible_notifications: boolean;
  push_notifications: boolean;
  email_notifications: boolean;
  wildcard_mentions_notify: boolean;
}

const settingValue = z.union([z.boolean(), z.int(), z.string()]);

/** A setting that has changed; a language comes with its name. */
export interface SettingChange {
  property: string;
  value: z.infer<typeof settingValue>;
  language_name?: string;
}

const change = { property: z.string(), value: settingValue };

const language_name = z.string().optional();

export const settingChanged = event("user_settings", {
  about: "One of the user's settings has changed.",
  op: "update",
  schema: z.object({ ...change, language_name }),
});

/** The form for older clients, which do not read `user_settings`; `user` is the address of the setting's owner. */
type LegacyChange = SettingChange & { user: string };

const isOlder = ({ capabilities }: { capabilities: ReadonlySet<string> }) =>
  !capabilities.has("user_settings_object");

const legacy = { user: z.string(), setting: settingValue };

export const displayChanged = event("update_display_settings", {
  about: "A display setting of the user has changed. For clients that do not know `user_settings`.",
  schema: z.object({ ...legacy, setting_name: z.string(), language_name }),
  variant: (queue) => String(isOlder(queue)),
  shape: ({ property: setting_name, value: setting, ...more }: LegacyChange, queue) =>
    isOlder(queue) ? { setting_name, setting, ...more } : null,
});

export const notificationsChanged = event("update_global_notifications", {
  about: "A notification setting of the user has changed. For clients that do not know `user_settings`.",
  schema: z.object({ ...legacy, notification_name: z.string() }),
  variant: (queue) => String(isOlder(queue)),
  shape: ({ property: notification_name, value: setting, user }: LegacyChange, queue) =>
    isOlder(queue) ? { notification_name, setting, user } : null,
});

export const defaultChanged = event("realm_user_settings_defaults", {
  about: "A default setting of new users has changed.",
  op: "update",
  schema: z.object(change),
});

/** Whether administrators may export a person's private data. */
export const exportConsentChanged = event("realm_export_consent", {
  about: "A user has given or withdrawn consent to exports. Administrators only.",
  schema: z.object({ user_id: z.int(), consented: z.boolean() }),
});

export type PersonalValue = PersonalValues[PersonalName];

/** The changes whose value differs from the current one. */
export function findChanged(
  before: Readonly<PersonalValues>,
  changes: PersonalChanges,
): [PersonalName, PersonalValue][] {
  const given = Object.entries(changes) as [PersonalName, PersonalValue][];
  return given.filter(([name, value]) => value !== undefined && before[name] !== value);
}
