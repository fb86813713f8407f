// The notification settings as a table: which messages notify the person, and how.
import { t } from "../../lib/texts.ts";
import { duration } from "../../lib/times.ts";
import { choices, type SettingGroup } from "./table.ts";

export const notifications: readonly SettingGroup[] = [
  {
    title: t("Direct messages, mentions and alert words"),
    rows: [
      { kind: "switch", name: "enable_desktop_notifications", label: t("Notify me in the browser") },
      { kind: "switch", name: "enable_sounds", label: t("With a sound") },
      {
        kind: "choice",
        name: "notification_sound",
        label: t("The sound"),
        choices: choices(
          ["zulip", t("Two notes")],
          ["chime", t("Chime")],
          ["ding", t("Ding")],
          ["none", t("No sound")],
        ),
      },
      {
        kind: "switch",
        name: "enable_offline_push_notifications",
        label: t("Notify me while the browser is closed"),
      },
      { kind: "switch", name: "enable_online_push_notifications", label: t("Also while I am here") },
      { kind: "switch", name: "wildcard_mentions_notify", label: t("When everyone is mentioned, too") },
      {
        kind: "switch",
        name: "pm_content_in_desktop_notifications",
        label: t("Show what direct messages say"),
        hint: t("Otherwise a notification only names who wrote."),
      },
    ],
  },
  {
    title: t("Followed topics"),
    rows: [
      {
        kind: "switch",
        name: "enable_followed_topic_desktop_notifications",
        label: t("Notify me in the browser"),
      },
      { kind: "switch", name: "enable_followed_topic_audible_notifications", label: t("With a sound") },
      {
        kind: "switch",
        name: "enable_followed_topic_push_notifications",
        label: t("Notify me while the browser is closed"),
      },
      {
        kind: "switch",
        name: "enable_followed_topic_wildcard_mentions_notify",
        label: t("When everyone is mentioned, too"),
      },
    ],
  },
  {
    title: t("All messages of channels"),
    rows: [
      { kind: "switch", name: "enable_stream_desktop_notifications", label: t("Notify me in the browser") },
      { kind: "switch", name: "enable_stream_audible_notifications", label: t("With a sound") },
      {
        kind: "switch",
        name: "enable_stream_push_notifications",
        label: t("Notify me while the browser is closed"),
      },
    ],
  },
  {
    title: t("By mail, while I am away"),
    rows: [
      {
        kind: "switch",
        name: "enable_offline_email_notifications",
        label: t("Direct messages, mentions and alert words"),
      },
      { kind: "switch", name: "enable_followed_topic_email_notifications", label: t("Followed topics") },
      { kind: "switch", name: "enable_stream_email_notifications", label: t("All messages of channels") },
      {
        kind: "switch",
        name: "message_content_in_email_notifications",
        label: t("Quote what was written"),
        hint: t("Otherwise a mail only says that there is something to read."),
      },
      {
        kind: "choice",
        name: "email_notifications_batching_period_seconds",
        label: t("Wait before a mail is sent"),
        choices: choices(
          [30, duration(30)],
          [120, duration(120)],
          [300, duration(300)],
          [600, duration(600)],
          [1800, duration(1800)],
          [3600, duration(3600)],
        ),
      },
      {
        kind: "choice",
        name: "realm_name_in_email_notifications_policy",
        label: t("Name the organization in subjects"),
        choices: choices([1, t("Automatically")], [2, t("Always")], [3, t("Never")]),
      },
      {
        kind: "switch",
        name: "enable_login_emails",
        label: t("When somebody signs in as me from a new device"),
      },
    ],
  },
];
