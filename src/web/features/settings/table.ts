// Every setting that the client supports; the settings pages are made from this table.

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

const sizes = choices(
  [12, "12 px"],
  [14, "14 px"],
  [15, "15 px"],
  [16, "16 px"],
  [18, "18 px"],
  [20, "20 px"],
  [24, "24 px"],
);
const lines = choices([120, "Close"], [140, "Normal"], [160, "Wide"], [180, "Very wide"]);
const whenTopics = choices(
  [1, "Where I take part: write, react, vote"],
  [2, "Where I write"],
  [3, "That I start"],
  [4, "Never"],
);

export const appearance: readonly SettingGroup[] = [
  {
    title: "Look",
    rows: [
      {
        kind: "choice",
        name: "color_scheme",
        label: "Theme",
        choices: choices([1, "As the system"], [3, "Light"], [2, "Dark"]),
      },
      { kind: "choice", name: "web_font_size_px", label: "Size of text", choices: sizes },
      { kind: "choice", name: "web_line_height_percent", label: "Space between lines", choices: lines },
      { kind: "switch", name: "high_contrast_mode", label: "High contrast" },
      { kind: "switch", name: "fluid_layout_width", label: "Use the whole width of the window" },
      {
        kind: "choice",
        name: "emojiset",
        label: "Emoji",
        choices: choices(["google", "Those of the device"], ["twitter", "Twemoji"], ["text", "As names"]),
      },
      {
        kind: "choice",
        name: "web_animate_image_previews",
        label: "Moving pictures",
        choices: choices(
          ["always", "Always move"],
          ["on_hover", "Move while pointed at"],
          ["never", "Never move"],
        ),
      },
      {
        kind: "switch",
        name: "twenty_four_hour_time",
        label: "24-hour clock",
        hint: "14:05 rather than 2:05 PM.",
      },
      {
        kind: "switch",
        name: "web_suggest_update_timezone",
        label: "Ask when this computer is in another time zone than I said",
      },
    ],
  },
  {
    title: "Finding your way",
    rows: [
      {
        kind: "choice",
        name: "web_home_view",
        label: "Begin with",
        choices: choices(
          ["inbox", "Inbox"],
          ["recent_topics", "Recent conversations"],
          ["all_messages", "Combined feed"],
        ),
      },
      { kind: "switch", name: "web_escape_navigates_to_home_view", label: "Escape goes to the first view" },
      {
        kind: "choice",
        name: "web_channel_default_view",
        label: "A click on a channel opens",
        choices: choices(
          [3, "Its list of topics"],
          [4, "The first topic with unread messages"],
          [1, "Its newest topic"],
          [2, "All of its messages"],
        ),
      },
      {
        kind: "choice",
        name: "web_mark_read_on_scroll_policy",
        label: "Mark messages as read",
        choices: choices(
          [1, "As I read them"],
          [2, "As I read them in conversations"],
          [3, "Only when I say so"],
        ),
      },
      {
        kind: "choice",
        name: "web_stream_unreads_count_display_policy",
        label: "Count unread messages",
        choices: choices([1, "In all channels"], [2, "In channels that are not muted"], [3, "In no channel"]),
      },
      {
        kind: "choice",
        name: "demote_inactive_streams",
        label: "Hide channels without recent messages",
        choices: choices([1, "In long lists"], [2, "Always"], [3, "Never"]),
      },
      {
        kind: "choice",
        name: "desktop_icon_count_display",
        label: "The icon counts",
        choices: choices(
          [1, "All unread messages"],
          [2, "Direct messages, mentions and followed topics"],
          [3, "Direct messages and mentions"],
          [4, "Nothing"],
        ),
      },
      { kind: "switch", name: "web_left_sidebar_show_channel_folders", label: "Show folders of channels" },
      {
        kind: "switch",
        name: "web_left_sidebar_unreads_count_summary",
        label: "Count what is unread in folded parts of the list",
      },
      {
        kind: "choice",
        name: "user_list_style",
        label: "People in lists",
        choices: choices([1, "Names"], [2, "Names and statuses"], [3, "Names, statuses and pictures"]),
      },
      {
        kind: "switch",
        name: "left_side_userlist",
        label: "People under the channels, where the window is narrow",
      },
      { kind: "switch", name: "starred_message_counts", label: "Count starred messages" },
      { kind: "switch", name: "display_emoji_reaction_users", label: "Name who reacted, where they are few" },
    ],
  },
];

export const writing: readonly SettingGroup[] = [
  {
    title: "Writing",
    rows: [
      {
        kind: "switch",
        name: "enter_sends",
        label: "Enter sends",
        hint: "Shift+Enter starts a new line. Otherwise Ctrl+Enter sends.",
      },
      { kind: "switch", name: "translate_emoticons", label: "Turn :) into emoji" },
      {
        kind: "switch",
        name: "enable_drafts_synchronization",
        label: "Keep drafts on the server",
        hint: "They are there on all devices. Turning this off deletes those on the server.",
      },
      {
        kind: "switch",
        name: "web_navigate_to_sent_message",
        label: "Go to the conversation I wrote to",
        hint: "After an answer from the combined feed, a search or another list.",
      },
    ],
  },
  {
    title: "Topics",
    rows: [
      {
        kind: "choice",
        name: "automatically_follow_topics_policy",
        label: "Follow topics",
        choices: whenTopics,
      },
      {
        kind: "choice",
        name: "automatically_unmute_topics_in_muted_streams_policy",
        label: "Unmute topics in muted channels",
        choices: whenTopics,
      },
      {
        kind: "switch",
        name: "automatically_follow_topics_where_mentioned",
        label: "Follow topics where I am mentioned",
      },
      {
        kind: "choice",
        name: "resolved_topic_notice_auto_read_policy",
        label: "Mark as read that a topic was resolved",
        choices: choices(
          ["always", "Always"],
          ["except_followed", "Except in topics I follow"],
          ["never", "Never"],
        ),
      },
    ],
  },
];

export const privacy: readonly SettingGroup[] = [
  {
    title: "What others see of you",
    rows: [
      { kind: "switch", name: "presence_enabled", label: "Whether I am here" },
      { kind: "switch", name: "send_read_receipts", label: "What I have read" },
      { kind: "switch", name: "send_private_typing_notifications", label: "That I am writing to them" },
      { kind: "switch", name: "send_stream_typing_notifications", label: "That I am writing in a channel" },
      {
        kind: "choice",
        name: "email_address_visibility",
        label: "My address",
        choices: choices(
          [1, "Everyone"],
          [2, "Members, not guests"],
          [5, "Moderators and administrators"],
          [3, "Administrators"],
          [4, "Nobody"],
        ),
      },
      {
        kind: "switch",
        name: "allow_private_data_export",
        label: "My private messages, in an administrator's export",
        hint: "Otherwise an export of the organization leaves them out.",
      },
    ],
  },
  {
    title: "What you see of others",
    rows: [{ kind: "switch", name: "receives_typing_notifications", label: "Show who is writing" }],
  },
];
