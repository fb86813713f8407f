// Converts the answer of POST /register into the state.
import { keyed } from "./organization.ts";
import { directPlace, placeKey, topicKey } from "./places.ts";
import { byKey } from "./records.ts";
import type {
  Channel,
  Draft,
  Folder,
  Group,
  NavigationView,
  Organization,
  Person,
  Presence,
  Reminder,
  Scheduled,
  Self,
  Snippet,
  State,
  Subscription,
  UserTopic,
} from "./shape.ts";
import { type UnreadMessages, unreadFrom } from "./unread.ts";

export interface Registered extends Self, Pick<State, "max_message_id" | "starred_messages" | "muted_users"> {
  alert_words: string[];
  channel_folders: Folder[];
  drafts: Draft[];
  navigation_views: NavigationView[];
  never_subscribed: Channel[];
  presences?: Record<number, Presence>;
  realm_emoji: State["realm_emoji"];
  realm_non_active_users: Person[];
  realm_user_groups: Group[];
  realm_users: Person[];
  cross_realm_bots: Person[];
  recent_private_conversations: { user_ids: number[]; max_message_id: number }[];
  reminders: Reminder[];
  saved_snippets: Snippet[];
  scheduled_messages: Scheduled[];
  streams: Channel[];
  subscriptions: Subscription[];
  unread_msgs: UnreadMessages;
  unsubscribed: Subscription[];
  user_settings: State["user_settings"];
  user_status: State["user_status"];
  user_topics: UserTopic[];
}

/** The state of an answer, without fetched data. Fields without another place go to `organization`. */
export function stateFrom(answer: Registered): State {
  const { user_id, email, delivery_email, full_name, avatar_url, avatar_url_medium, avatar_source, ...more } =
    answer;
  const { is_owner, is_admin, is_moderator, is_guest, ...lists } = more;
  const { streams, subscriptions, unsubscribed, never_subscribed, user_topics, unread_msgs, ...others } =
    lists;
  const { realm_users, realm_non_active_users, cross_realm_bots, realm_user_groups, ...kept } = others;
  const { recent_private_conversations, drafts, scheduled_messages, reminders, ...personal } = kept;
  const {
    saved_snippets,
    navigation_views,
    presences = {},
    channel_folders,
    max_message_id,
    ...last
  } = personal;
  const { starred_messages, muted_users, alert_words, realm_emoji, user_settings, user_status, ...rest } =
    last;
  return {
    self: {
      ...{ user_id, email, delivery_email, full_name, avatar_url, avatar_url_medium, avatar_source },
      ...{ is_owner, is_admin, is_moderator, is_guest },
    },
    organization: organizationFrom(rest),
    users: byKey([...realm_users, ...realm_non_active_users, ...cross_realm_bots], "user_id"),
    streams: byKey(streams, "stream_id"),
    subscriptions: byKey(subscriptions, "stream_id"),
    unsubscribed: byKey(unsubscribed, "stream_id"),
    never_subscribed: byKey(never_subscribed, "stream_id"),
    channel_folders,
    user_topics: Object.fromEntries(user_topics.map((one) => [topicKey(one.stream_id, one.topic_name), one])),
    unread: unreadFrom(unread_msgs, user_id),
    recent: Object.fromEntries(
      recent_private_conversations.map((one) => [
        placeKey(directPlace(one.user_ids, user_id)),
        one.max_message_id,
      ]),
    ),
    max_message_id,
    starred_messages,
    muted_users,
    alert_words,
    drafts: byKey(drafts, "id"),
    scheduled_messages: byKey(scheduled_messages, "scheduled_message_id"),
    reminders: byKey(reminders, "reminder_id"),
    saved_snippets: byKey(saved_snippets, "id"),
    navigation_views: byKey(navigation_views, "fragment"),
    groups: byKey(realm_user_groups, "id"),
    realm_emoji,
    user_settings,
    user_status,
    presences,
    typing: [],
    messages: {},
    windows: {},
    outbox: [],
    topic_lists: {},
  };
}

function organizationFrom(rest: object): Organization {
  const organization: Record<string, unknown> = { ...rest };
  for (const [name, key] of Object.entries(keyed)) {
    const list = organization[name];
    if (Array.isArray(list)) organization[name] = byKey(list, key);
  }
  return organization as Organization;
}
