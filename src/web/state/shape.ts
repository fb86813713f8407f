// The state as plain data, with the API's names.
import type { Message, Outgoing, Place, PlaceKey, TopicEntry, Typist, Window } from "./message-shape.ts";

export interface Person {
  user_id: number;
  email: string;
  delivery_email: string | null;
  full_name: string;
  avatar_url: string | null;
  avatar_version: number;
  date_joined: string;
  is_active: boolean;
  is_owner: boolean;
  is_admin: boolean;
  is_guest: boolean;
  is_bot: boolean;
  is_system_bot?: boolean;
  bot_type?: number | null;
  bot_owner_id?: number | null;
  role: number;
  timezone: string;
  profile_data?: Record<string, { value: string; rendered_value?: string }>;
}

export interface Self {
  user_id: number;
  email: string;
  delivery_email: string;
  full_name: string;
  avatar_url: string | null;
  avatar_url_medium: string | null;
  avatar_source: string;
  is_owner: boolean;
  is_admin: boolean;
  is_moderator: boolean;
  is_guest: boolean;
}

/** A group's ID, or a list of members and groups. */
export type Grant = number | { direct_members: number[]; direct_subgroups: number[] };

export interface Channel {
  stream_id: number;
  name: string;
  is_archived: boolean;
  description: string;
  rendered_description: string;
  date_created: number;
  creator_id: number | null;
  invite_only: boolean;
  is_web_public: boolean;
  history_public_to_subscribers: boolean;
  message_retention_days: number | null;
  folder_id: number | null;
  topics_policy: string;
  is_recently_active: boolean;
  stream_weekly_traffic: number | null;
  first_message_id: number | null;
  subscriber_count: number;
  subscribers?: number[];
  can_add_subscribers_group: Grant;
  can_administer_channel_group: Grant;
  can_delete_any_message_group: Grant;
  can_delete_own_message_group: Grant;
  can_move_messages_out_of_channel_group: Grant;
  can_move_messages_within_channel_group: Grant;
  can_remove_subscribers_group: Grant;
  can_resolve_topics_group: Grant;
  can_send_message_group: Grant;
  can_subscribe_group: Grant;
}

export interface Subscription extends Channel {
  color: string;
  is_muted: boolean;
  in_home_view: boolean;
  pin_to_top: boolean;
  desktop_notifications: boolean | null;
  audible_notifications: boolean | null;
  push_notifications: boolean | null;
  email_notifications: boolean | null;
  wildcard_mentions_notify: boolean | null;
}

export interface Folder {
  id: number;
  name: string;
  order: number;
  date_created: number | null;
  creator_id: number | null;
  description: string;
  rendered_description: string;
  is_archived: boolean;
}

/** How visible a topic is to the person. */
export const visibility = { inherited: 0, muted: 1, unmuted: 2, followed: 3 } as const;
export type Visibility = (typeof visibility)[keyof typeof visibility];

export interface UserTopic {
  stream_id: number;
  topic_name: string;
  last_updated: number;
  visibility_policy: Visibility;
}

export interface Unread {
  place: Place;
  /** Ascending. */
  ids: readonly number[];
  /** Those that mention the person, ascending. */
  mentions: readonly number[];
}

export interface Group {
  id: number;
  name: string;
  description: string;
  members: number[];
  direct_subgroup_ids: number[];
  is_system_group: boolean;
  creator_id: number | null;
  date_created: number | null;
  deactivated: boolean;
  can_add_members_group: Grant;
  can_join_group: Grant;
  can_leave_group: Grant;
  can_manage_group: Grant;
  can_mention_group: Grant;
  can_remove_members_group: Grant;
}

export interface Draft {
  id: number;
  type: "" | "stream" | "private";
  to: number[];
  topic: string;
  content: string;
  timestamp: number;
}

export interface Scheduled {
  scheduled_message_id: number;
  type: "stream" | "private";
  to: number | number[];
  topic?: string;
  content: string;
  rendered_content: string;
  scheduled_delivery_timestamp: number;
  failed: boolean;
}

export interface Reminder {
  reminder_id: number;
  reminder_target_message_id: number;
  content: string;
  rendered_content: string;
  scheduled_delivery_timestamp: number;
  failed: boolean;
}

export interface Snippet {
  id: number;
  title: string;
  content: string;
  date_created: number;
}

export interface NavigationView {
  fragment: string;
  is_pinned: boolean;
  name?: string | null;
}

export interface Emoji {
  id: string;
  name: string;
  source_url: string;
  still_url: string | null;
  deactivated: boolean;
  author_id: number | null;
}

export interface Status {
  status_text?: string;
  emoji_name?: string;
  emoji_code?: string;
  reaction_type?: string;
  away?: boolean;
}

export interface Presence {
  active_timestamp: number;
  idle_timestamp: number;
}

/** The settings that the client reads; includes all others by name. */
export interface Settings {
  color_scheme: 1 | 2 | 3;
  desktop_icon_count_display: 1 | 2 | 3 | 4;
  demote_inactive_streams: 1 | 2 | 3;
  display_emoji_reaction_users: boolean;
  enable_drafts_synchronization: boolean;
  enter_sends: boolean;
  fluid_layout_width: boolean;
  high_contrast_mode: boolean;
  presence_enabled: boolean;
  receives_typing_notifications: boolean;
  send_private_typing_notifications: boolean;
  send_stream_typing_notifications: boolean;
  send_read_receipts: boolean;
  starred_message_counts: boolean;
  timezone: string;
  twenty_four_hour_time: boolean;
  user_list_style: 1 | 2 | 3;
  web_animate_image_previews: "always" | "on_hover" | "never";
  web_channel_default_view: 1 | 2 | 3 | 4;
  web_escape_navigates_to_home_view: boolean;
  web_font_size_px: number;
  web_home_view: "recent_topics" | "inbox" | "all_messages";
  web_left_sidebar_show_channel_folders: boolean;
  web_left_sidebar_unreads_count_summary: boolean;
  web_line_height_percent: number;
  web_mark_read_on_scroll_policy: 1 | 2 | 3;
  web_navigate_to_sent_message: boolean;
  web_stream_unreads_count_display_policy: 1 | 2 | 3;
  [name: string]: unknown;
}
/** Fields of the organization and the server; includes fields that no code reads. */
export interface Organization {
  realm_name: string;
  realm_description: string;
  realm_url: string;
  realm_icon_url: string;
  realm_empty_topic_display_name: string;
  realm_presence_disabled: boolean;
  realm_enable_read_receipts: boolean;
  max_message_length: number;
  max_topic_length: number;
  server_presence_ping_interval_seconds: number;
  server_presence_offline_threshold_seconds: number;
  server_typing_started_expiry_period_milliseconds: number;
  server_typing_started_wait_period_milliseconds: number;
  server_typing_stopped_wait_period_milliseconds: number;
  event_queue_longpoll_timeout_seconds: number;
  [name: string]: unknown;
}

export interface State {
  self: Self;
  organization: Organization;
  users: Record<number, Person>;
  streams: Record<number, Channel>;
  subscriptions: Record<number, Subscription>;
  unsubscribed: Record<number, Subscription>;
  never_subscribed: Record<number, Channel>;
  channel_folders: readonly Folder[];
  user_topics: Record<PlaceKey, UserTopic>;
  unread: Record<PlaceKey, Unread>;
  /** The newest message of each direct conversation. */
  recent: Record<PlaceKey, number>;
  max_message_id: number;
  starred_messages: readonly number[];
  muted_users: readonly { id: number; timestamp: number }[];
  alert_words: readonly string[];
  drafts: Record<number, Draft>;
  scheduled_messages: Record<number, Scheduled>;
  reminders: Record<number, Reminder>;
  saved_snippets: Record<number, Snippet>;
  navigation_views: Record<string, NavigationView>;
  groups: Record<number, Group>;
  realm_emoji: Record<string, Emoji>;
  user_settings: Settings;
  user_status: Record<number, Status>;
  presences: Record<number, Presence>;
  typing: readonly Typist[];
  messages: Record<number, Message>;
  /** By the key of the narrow (`state/narrows.ts`). */
  windows: Record<string, Window>;
  outbox: readonly Outgoing[];
  /** By channel, newest first; only of channels that the user has opened. */
  topic_lists: Record<number, readonly TopicEntry[]>;
}

/** The fields that all events have. */
export interface ServerEvent {
  type: string;
  op?: string;
  id?: number;
}

/** The fields of one kind of event. The state test checks them. */
export type Reducer = (state: State, event: never) => State;
export type Reducers = Readonly<Record<string, Reducer>>;
