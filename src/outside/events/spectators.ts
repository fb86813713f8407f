// The initial state for people without an account: only public data.
import type { Ctx, StateRequest } from "@/kernel/core/context.ts";

/** Sections that are the same for everyone, or whose domains know what is public on the web. */
const open = [
  "channel_folders",
  "giphy",
  "push_device",
  "realm",
  "realm_billing",
  "realm_embedded_bots",
  "realm_emoji",
  "realm_filters",
  "realm_incoming_webhook_bots",
  "realm_linkifiers",
  "realm_playgrounds",
  "realm_user",
  "realm_user_groups",
  "realm_user_settings_defaults",
  "stop_words",
  "stream",
  "subscription",
  "update_display_settings",
  "update_global_notifications",
  "user_settings",
  "video_calls",
];

const nothingUnread = {
  count: 0,
  pms: [],
  streams: [],
  huddles: [],
  mentions: [],
  old_unreads_missing: false,
};

/** The other sections, with the values of a user without any data. */
const personal: Record<string, (ctx: Ctx, request: StateRequest) => object> = {
  alert_words: () => ({ alert_words: [] }),
  custom_profile_fields: () => ({ custom_profile_fields: [], custom_profile_field_types: {} }),
  default_stream_groups: () => ({ realm_default_stream_groups: [] }),
  default_streams: () => ({ realm_default_streams: [] }),
  drafts: () => ({ drafts: [] }),
  message: () => ({ max_message_id: 0 }),
  muted_topics: (_, { fetched }) => (fetched?.has("user_topic") ? {} : { muted_topics: [] }),
  muted_users: () => ({ muted_users: [] }),
  navigation_views: () => ({ navigation_views: [] }),
  onboarding_steps: () => ({ onboarding_steps: [], navigation_tour_video_url: null }),
  presence: ({ now }) => ({ presences: {}, presence_last_update_id: -1, server_timestamp: now }),
  realm_bot: () => ({ realm_bots: [] }),
  realm_domains: () => ({ realm_domains: [] }),
  recent_private_conversations: () => ({ recent_private_conversations: [] }),
  reminders: () => ({ reminders: [] }),
  saved_snippets: () => ({ saved_snippets: [] }),
  scheduled_messages: () => ({ scheduled_messages: [] }),
  starred_messages: () => ({ starred_messages: [] }),
  update_message_flags: (_, { fetched }) =>
    fetched && !fetched.has("message") ? {} : { unread_msgs: nothingUnread },
  user_status: () => ({ user_status: {} }),
  user_topic: () => ({ user_topics: [] }),
};

/** The initial state for people without an account. Sections not listed above are left out. */
export function stateOfSpectators(ctx: Ctx, request: StateRequest): Record<string, unknown> {
  const isAsked = (type: string) => request.fetched?.has(type) ?? true;
  const sections = [
    ...open.filter(isAsked).map((type) => ctx.env.state.get(type)?.(ctx, request)),
    ...Object.keys(personal)
      .filter(isAsked)
      .map((type) => personal[type]?.(ctx, request)),
  ];
  return Object.assign({}, ...sections);
}
