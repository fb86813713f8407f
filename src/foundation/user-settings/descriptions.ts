// What personal settings are called, for all doors: commands, console and browser. Pure data.
import { describe, type SettingArea } from "@/foundation/realm/descriptions.ts";

const whenTopics = [
  [1, "Where I take part: write, react, vote"],
  [2, "Where I write"],
  [3, "That I start"],
  [4, "Never"],
] as const;

/** On the pages of the browser client, in this order. */
export const personalAreas = [
  {
    page: "appearance",
    title: "Look",
    rows: {
      default_language: { about: "Language", form: "language", ownOnly: true },
      color_scheme: {
        about: "Theme",
        values: [
          [1, "As the system"],
          [3, "Light"],
          [2, "Dark"],
        ],
      },
      web_font_size_px: { about: "Size of text", form: "pixels", offers: [12, 14, 15, 16, 18, 20, 24] },
      web_line_height_percent: {
        about: "Space between lines",
        values: [
          [120, "Narrow"],
          [140, "Normal"],
          [160, "Wide"],
          [180, "Very wide"],
        ],
      },
      high_contrast_mode: { about: "High contrast" },
      fluid_layout_width: { about: "Use the whole width of the window" },
      emojiset: {
        about: "Emoji",
        values: [
          ["google", "Those of the device"],
          ["twitter", "Twemoji"],
          ["text", "As names"],
        ],
      },
      web_animate_image_previews: {
        about: "Moving pictures",
        values: [
          ["always", "Always move"],
          ["on_hover", "Move while pointed at"],
          ["never", "Never move"],
        ],
      },
      twenty_four_hour_time: { about: "24-hour clock", hint: "14:05 rather than 2:05 PM." },
      web_suggest_update_timezone: {
        about: "Ask when this computer is in another time zone than I said",
      },
    },
  },
  {
    page: "appearance",
    title: "Finding your way",
    rows: {
      web_home_view: {
        about: "Begin with",
        values: [
          ["inbox", "Inbox"],
          ["recent", "Recent conversations"],
          ["all_messages", "Combined feed"],
        ],
      },
      web_escape_navigates_to_home_view: { about: "Escape goes to the first view" },
      web_channel_default_view: {
        about: "A click on a channel opens",
        values: [
          [3, "Its list of topics"],
          [4, "The first topic with unread messages"],
          [1, "Its newest topic"],
          [2, "All of its messages"],
        ],
      },
      web_mark_read_on_scroll_policy: {
        about: "Mark messages as read",
        values: [
          [1, "As I read them"],
          [2, "As I read them in conversations"],
          [3, "Only when I say so"],
        ],
      },
      web_stream_unreads_count_display_policy: {
        about: "Count unread messages",
        values: [
          [1, "In all channels"],
          [2, "In channels that are not muted"],
          [3, "In no channel"],
        ],
      },
      demote_inactive_streams: {
        about: "Hide channels without recent messages",
        values: [
          [1, "In long lists"],
          [2, "Always"],
          [3, "Never"],
        ],
      },
      desktop_icon_count_display: {
        about: "The icon counts",
        values: [
          [1, "All unread messages"],
          [2, "Direct messages, mentions and followed topics"],
          [3, "Direct messages and mentions"],
          [4, "Nothing"],
        ],
      },
      web_left_sidebar_show_channel_folders: { about: "Show folders of channels" },
      web_inbox_show_channel_folders: { about: "Sort the inbox by folders of channels" },
      web_left_sidebar_unreads_count_summary: {
        about: "Count what is unread in folded parts of the list",
      },
      user_list_style: {
        about: "People in lists",
        values: [
          [1, "Names"],
          [2, "Names and statuses"],
          [3, "Names, statuses and pictures"],
        ],
      },
      left_side_userlist: { about: "People under the channels, where the window is narrow" },
      starred_message_counts: { about: "Count starred messages" },
      display_emoji_reaction_users: { about: "Name who reacted, where they are few" },
    },
  },
  {
    page: "writing",
    title: "Writing",
    rows: {
      enter_sends: {
        about: "Enter sends",
        hint: "Shift+Enter starts a new line. Otherwise Ctrl+Enter sends.",
      },
      translate_emoticons: { about: "Turn :) into emoji" },
      enable_drafts_synchronization: {
        about: "Keep drafts on the server",
        hint: "They are there on all devices. Turning this off deletes those on the server.",
      },
      web_navigate_to_sent_message: {
        about: "Go to the conversation I wrote to",
        hint: "After an answer from the combined feed, a search or another list.",
      },
    },
  },
  {
    page: "writing",
    title: "Topics",
    rows: {
      automatically_follow_topics_policy: { about: "Follow topics", values: whenTopics },
      automatically_unmute_topics_in_muted_streams_policy: {
        about: "Unmute topics in muted channels",
        values: whenTopics,
      },
      automatically_follow_topics_where_mentioned: { about: "Follow topics where I am mentioned" },
      resolved_topic_notice_auto_read_policy: {
        about: "Mark as read that a topic was resolved",
        values: [
          ["always", "Always"],
          ["except_followed", "Except in topics I follow"],
          ["never", "Never"],
        ],
      },
    },
  },
  {
    page: "notifications",
    title: "Direct messages, mentions and alert words",
    rows: {
      enable_desktop_notifications: { about: "Notify me in the browser" },
      enable_sounds: { about: "With a sound" },
      notification_sound: {
        about: "The sound",
        values: [
          ["zulip", "Two notes"],
          ["chime", "Chime"],
          ["ding", "Ding"],
          ["none", "No sound"],
        ],
      },
      enable_offline_push_notifications: { about: "Notify me while the browser is closed" },
      enable_online_push_notifications: { about: "Also while I am here" },
      wildcard_mentions_notify: { about: "When everyone is mentioned, too" },
      pm_content_in_desktop_notifications: {
        about: "Show what direct messages say",
        hint: "Otherwise a notification only names who wrote.",
      },
    },
  },
  {
    page: "notifications",
    title: "Followed topics",
    rows: {
      enable_followed_topic_desktop_notifications: { about: "Notify me in the browser" },
      enable_followed_topic_audible_notifications: { about: "With a sound" },
      enable_followed_topic_push_notifications: { about: "Notify me while the browser is closed" },
      enable_followed_topic_wildcard_mentions_notify: { about: "When everyone is mentioned, too" },
    },
  },
  {
    page: "notifications",
    title: "All messages of channels",
    rows: {
      enable_stream_desktop_notifications: { about: "Notify me in the browser" },
      enable_stream_audible_notifications: { about: "With a sound" },
      enable_stream_push_notifications: { about: "Notify me while the browser is closed" },
    },
  },
  {
    page: "notifications",
    title: "By mail, while I am away",
    rows: {
      enable_offline_email_notifications: { about: "Direct messages, mentions and alert words" },
      enable_followed_topic_email_notifications: { about: "Followed topics" },
      enable_stream_email_notifications: { about: "All messages of channels" },
      message_content_in_email_notifications: {
        about: "Quote what was written",
        hint: "Otherwise a mail only says that there is something to read.",
      },
      email_notifications_batching_period_seconds: {
        about: "Wait before a mail is sent",
        form: "time",
        offers: [30, 120, 300, 600, 1800, 3600],
      },
      realm_name_in_email_notifications_policy: {
        about: "Name the organization in subjects",
        values: [
          [1, "Automatically"],
          [2, "Always"],
          [3, "Never"],
        ],
      },
      enable_login_emails: { about: "When somebody signs in as me from a new device", ownOnly: true },
    },
  },
  {
    page: "privacy",
    title: "What others see of you",
    rows: {
      presence_enabled: { about: "Whether I am here" },
      send_read_receipts: { about: "What I have read" },
      send_private_typing_notifications: { about: "That I am writing to them" },
      send_stream_typing_notifications: { about: "That I am writing in a channel" },
      email_address_visibility: {
        about: "My address",
        values: [
          [1, "Everyone"],
          [2, "Members, not guests"],
          [5, "Moderators and administrators"],
          [3, "Administrators"],
          [4, "Nobody"],
        ],
      },
      allow_private_data_export: {
        about: "My private messages, in an administrator's export",
        hint: "Otherwise an export of the organization leaves them out, and owners cannot give you a file with your data.",
        ownOnly: true,
      },
    },
  },
  {
    page: "privacy",
    title: "What you see of others",
    rows: { receives_typing_notifications: { about: "Show who is writing" } },
  },
] as const satisfies readonly SettingArea[];

export const personalWords = describe(personalAreas);
