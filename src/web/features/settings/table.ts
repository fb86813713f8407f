// Every setting that the client supports; the settings pages are made from this table.
import { languages } from "@/text/language/languages.ts";
import { t } from "../../lib/texts.ts";

export type SettingEntry =
  | { kind: "switch"; name: string; label: string; hint?: string }
  | { kind: "choice"; name: string; label: string; hint?: string; choices: readonly SettingChoice[] };

interface SettingChoice {
  value: string | number;
  label: string;
}

export interface SettingGroup {
  title: string;
  rows: readonly SettingEntry[];
}

export const choices = (
  ...list: readonly (readonly [value: string | number, label: string])[]
): SettingChoice[] => list.map(([value, label]) => ({ value, label }));

const sizes = [12, 14, 15, 16, 18, 20, 24].map((size) => ({
  value: size,
  label: t("{size, number} px", { size }),
}));
const lines = choices([120, t("Narrow")], [140, t("Normal")], [160, t("Wide")], [180, t("Very wide")]);
const whenTopics = choices(
  [1, t("Where I take part: write, react, vote")],
  [2, t("Where I write")],
  [3, t("That I start")],
  [4, t("Never")],
);

export const appearance: readonly SettingGroup[] = [
  {
    title: t("Look"),
    rows: [
      {
        kind: "choice",
        name: "default_language",
        label: t("Language"),
        choices: languages.map(({ tag, name }) => ({ value: tag, label: name })),
      },
      {
        kind: "choice",
        name: "color_scheme",
        label: t("Theme"),
        choices: choices([1, t("As the system")], [3, t("Light")], [2, t("Dark")]),
      },
      { kind: "choice", name: "web_font_size_px", label: t("Size of text"), choices: sizes },
      { kind: "choice", name: "web_line_height_percent", label: t("Space between lines"), choices: lines },
      { kind: "switch", name: "high_contrast_mode", label: t("High contrast") },
      { kind: "switch", name: "fluid_layout_width", label: t("Use the whole width of the window") },
      {
        kind: "choice",
        name: "emojiset",
        label: t("Emoji"),
        choices: choices(
          ["google", t("Those of the device")],
          ["twitter", "Twemoji"],
          ["text", t("As names")],
        ),
      },
      {
        kind: "choice",
        name: "web_animate_image_previews",
        label: t("Moving pictures"),
        choices: choices(
          ["always", t("Always move")],
          ["on_hover", t("Move while pointed at")],
          ["never", t("Never move")],
        ),
      },
      {
        kind: "switch",
        name: "twenty_four_hour_time",
        label: t("24-hour clock"),
        hint: t("14:05 rather than 2:05 PM."),
      },
      {
        kind: "switch",
        name: "web_suggest_update_timezone",
        label: t("Ask when this computer is in another time zone than I said"),
      },
    ],
  },
  {
    title: t("Finding your way"),
    rows: [
      {
        kind: "choice",
        name: "web_home_view",
        label: t("Begin with"),
        choices: choices(
          ["inbox", t("Inbox")],
          ["recent_topics", t("Recent conversations")],
          ["all_messages", t("Combined feed")],
        ),
      },
      {
        kind: "switch",
        name: "web_escape_navigates_to_home_view",
        label: t("Escape goes to the first view"),
      },
      {
        kind: "choice",
        name: "web_channel_default_view",
        label: t("A click on a channel opens"),
        choices: choices(
          [3, t("Its list of topics")],
          [4, t("The first topic with unread messages")],
          [1, t("Its newest topic")],
          [2, t("All of its messages")],
        ),
      },
      {
        kind: "choice",
        name: "web_mark_read_on_scroll_policy",
        label: t("Mark messages as read"),
        choices: choices(
          [1, t("As I read them")],
          [2, t("As I read them in conversations")],
          [3, t("Only when I say so")],
        ),
      },
      {
        kind: "choice",
        name: "web_stream_unreads_count_display_policy",
        label: t("Count unread messages"),
        choices: choices(
          [1, t("In all channels")],
          [2, t("In channels that are not muted")],
          [3, t("In no channel")],
        ),
      },
      {
        kind: "choice",
        name: "demote_inactive_streams",
        label: t("Hide channels without recent messages"),
        choices: choices([1, t("In long lists")], [2, t("Always")], [3, t("Never")]),
      },
      {
        kind: "choice",
        name: "desktop_icon_count_display",
        label: t("The icon counts"),
        choices: choices(
          [1, t("All unread messages")],
          [2, t("Direct messages, mentions and followed topics")],
          [3, t("Direct messages and mentions")],
          [4, t("Nothing")],
        ),
      },
      { kind: "switch", name: "web_left_sidebar_show_channel_folders", label: t("Show folders of channels") },
      {
        kind: "switch",
        name: "web_left_sidebar_unreads_count_summary",
        label: t("Count what is unread in folded parts of the list"),
      },
      {
        kind: "choice",
        name: "user_list_style",
        label: t("People in lists"),
        choices: choices(
          [1, t("Names")],
          [2, t("Names and statuses")],
          [3, t("Names, statuses and pictures")],
        ),
      },
      {
        kind: "switch",
        name: "left_side_userlist",
        label: t("People under the channels, where the window is narrow"),
      },
      { kind: "switch", name: "starred_message_counts", label: t("Count starred messages") },
      {
        kind: "switch",
        name: "display_emoji_reaction_users",
        label: t("Name who reacted, where they are few"),
      },
    ],
  },
];

export const writing: readonly SettingGroup[] = [
  {
    title: t("Writing"),
    rows: [
      {
        kind: "switch",
        name: "enter_sends",
        label: t("Enter sends"),
        hint: t("Shift+Enter starts a new line. Otherwise Ctrl+Enter sends."),
      },
      { kind: "switch", name: "translate_emoticons", label: t("Turn :) into emoji") },
      {
        kind: "switch",
        name: "enable_drafts_synchronization",
        label: t("Keep drafts on the server"),
        hint: t("They are there on all devices. Turning this off deletes those on the server."),
      },
      {
        kind: "switch",
        name: "web_navigate_to_sent_message",
        label: t("Go to the conversation I wrote to"),
        hint: t("After an answer from the combined feed, a search or another list."),
      },
    ],
  },
  {
    title: t("Topics"),
    rows: [
      {
        kind: "choice",
        name: "automatically_follow_topics_policy",
        label: t("Follow topics"),
        choices: whenTopics,
      },
      {
        kind: "choice",
        name: "automatically_unmute_topics_in_muted_streams_policy",
        label: t("Unmute topics in muted channels"),
        choices: whenTopics,
      },
      {
        kind: "switch",
        name: "automatically_follow_topics_where_mentioned",
        label: t("Follow topics where I am mentioned"),
      },
      {
        kind: "choice",
        name: "resolved_topic_notice_auto_read_policy",
        label: t("Mark as read that a topic was resolved"),
        choices: choices(
          ["always", t("Always")],
          ["except_followed", t("Except in topics I follow")],
          ["never", t("Never")],
        ),
      },
    ],
  },
];

export const privacy: readonly SettingGroup[] = [
  {
    title: t("What others see of you"),
    rows: [
      { kind: "switch", name: "presence_enabled", label: t("Whether I am here") },
      { kind: "switch", name: "send_read_receipts", label: t("What I have read") },
      { kind: "switch", name: "send_private_typing_notifications", label: t("That I am writing to them") },
      {
        kind: "switch",
        name: "send_stream_typing_notifications",
        label: t("That I am writing in a channel"),
      },
      {
        kind: "choice",
        name: "email_address_visibility",
        label: t("My address"),
        choices: choices(
          [1, t("Everyone")],
          [2, t("Members, not guests")],
          [5, t("Moderators and administrators")],
          [3, t("Administrators")],
          [4, t("Nobody")],
        ),
      },
      {
        kind: "switch",
        name: "allow_private_data_export",
        label: t("My private messages, in an administrator's export"),
        hint: t("Otherwise an export of the organization leaves them out."),
      },
    ],
  },
  {
    title: t("What you see of others"),
    rows: [{ kind: "switch", name: "receives_typing_notifications", label: t("Show who is writing") }],
  },
];
