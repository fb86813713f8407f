// The notification settings as a table: which messages notify the person, and how.
import { choices, type SettingGroup } from "./table.ts";

export const notifications: readonly SettingGroup[] = [
  {
    title: "Direct messages, mentions and alert words",
    rows: [
      { kind: "switch", name: "enable_desktop_notifications", label: "Notify me in the browser" },
      { kind: "switch", name: "enable_sounds", label: "With a sound" },
      {
        kind: "choice",
        name: "notification_sound",
        label: "The sound",
        choices: choices(["zulip", "Two notes"], ["chime", "Chime"], ["ding", "Ding"], ["none", "No sound"]),
      },
      {
        kind: "switch",
        name: "enable_offline_push_notifications",
        label: "Notify me while the browser is closed",
      },
      { kind: "switch", name: "enable_online_push_notifications", label: "Also while I am here" },
      { kind: "switch", name: "wildcard_mentions_notify", label: "When everyone is mentioned, too" },
      {
        kind: "switch",
        name: "pm_content_in_desktop_notifications",
        label: "Show what direct messages say",
        hint: "Otherwise a notification only names who wrote.",
      },
    ],
  },
  {
    title: "Followed topics",
    rows: [
      {
        kind: "switch",
        name: "enable_followed_topic_desktop_notifications",
        label: "Notify me in the browser",
      },
      { kind: "switch", name: "enable_followed_topic_audible_notifications", label: "With a sound" },
      {
        kind: "switch",
        name: "enable_followed_topic_push_notifications",
        label: "Notify me while the browser is closed",
      },
      {
        kind: "switch",
        name: "enable_followed_topic_wildcard_mentions_notify",
        label: "When everyone is mentioned, too",
      },
    ],
  },
  {
    title: "All messages of channels",
    rows: [
      { kind: "switch", name: "enable_stream_desktop_notifications", label: "Notify me in the browser" },
      { kind: "switch", name: "enable_stream_audible_notifications", label: "With a sound" },
      {
        kind: "switch",
        name: "enable_stream_push_notifications",
        label: "Notify me while the browser is closed",
      },
    ],
  },
  {
    title: "By mail, while I am away",
    rows: [
      {
        kind: "switch",
        name: "enable_offline_email_notifications",
        label: "Direct messages, mentions and alert words",
      },
      { kind: "switch", name: "enable_followed_topic_email_notifications", label: "Followed topics" },
      { kind: "switch", name: "enable_stream_email_notifications", label: "All messages of channels" },
      {
        kind: "switch",
        name: "message_content_in_email_notifications",
        label: "Quote what was written",
        hint: "Otherwise a mail only says that there is something to read.",
      },
      {
        kind: "choice",
        name: "email_notifications_batching_period_seconds",
        label: "Wait before a mail is sent",
        choices: choices(
          [30, "30 seconds"],
          [120, "2 minutes"],
          [300, "5 minutes"],
          [600, "10 minutes"],
          [1800, "30 minutes"],
          [3600, "1 hour"],
        ),
      },
      {
        kind: "choice",
        name: "realm_name_in_email_notifications_policy",
        label: "Name the organization in subjects",
        choices: choices([1, "Automatically"], [2, "Always"], [3, "Never"]),
      },
      {
        kind: "switch",
        name: "enable_login_emails",
        label: "When somebody signs in as me from a new device",
      },
    ],
  },
];
