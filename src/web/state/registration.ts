// Converts the answer of POST /register into the state.
import type { UserGroup } from "@/foundation/groups/schema.ts";
import type { UserTopic } from "@/places/user-topics/schema.ts";
import { keyed } from "./organization.ts";
import { directPlace, placeKey, topicKey } from "./places.ts";
import { byKey, withoutEntries } from "./records.ts";
import type { Organization, Person, Self, State } from "./shape.ts";
import { type UnreadMessages, unreadFrom } from "./unread.ts";

const ofSelf = [
  "user_id",
  "email",
  "delivery_email",
  "full_name",
  "avatar_url",
  "avatar_url_medium",
  "avatar_source",
  "is_owner",
  "is_admin",
  "is_moderator",
  "is_guest",
] as const satisfies readonly (keyof Self)[];

/** The fields that the state has as they are. */
const asTheyAre = [
  "alert_words",
  "channel_folders",
  "max_message_id",
  "muted_users",
  "realm_emoji",
  "starred_messages",
  "user_settings",
  "user_status",
] as const;

/** The lists that the state has by one of their fields. */
const byField = {
  drafts: "id",
  navigation_views: "fragment",
  never_subscribed: "stream_id",
  reminders: "reminder_id",
  saved_snippets: "id",
  scheduled_messages: "scheduled_message_id",
  streams: "stream_id",
  subscriptions: "stream_id",
  unsubscribed: "stream_id",
} as const;
type ByField = keyof typeof byField;

/** Fields that have another form and name in the state. */
interface Converted {
  cross_realm_bots: Person[];
  presences?: State["presences"];
  realm_non_active_users: Person[];
  realm_user_groups: UserGroup[];
  realm_users: Person[];
  recent_private_conversations: { user_ids: number[]; max_message_id: number }[];
  unread_msgs: UnreadMessages;
  user_topics: UserTopic[];
}

export type Registered = Self &
  Pick<State, (typeof asTheyAre)[number]> & { [K in ByField]: State[K][keyof State[K]][] } & Converted;

/** The state of an answer, without fetched data. Fields without another place go to `organization`. */
export function stateFrom(answer: Registered): State {
  const {
    cross_realm_bots,
    presences = {},
    realm_non_active_users,
    realm_user_groups,
    realm_users,
    recent_private_conversations,
    unread_msgs,
    user_topics,
    ...others
  } = answer;
  const rest = withoutEntries<unknown>(others, [...ofSelf, ...asTheyAre, ...Object.keys(byField)]);
  const lists = Object.entries(byField).map(([name, key]) => [
    name,
    byKey(answer[name as ByField] as Record<string, PropertyKey>[], key),
  ]);
  return {
    self: picked(answer, ofSelf),
    ...picked(answer, asTheyAre),
    ...(Object.fromEntries(lists) as Pick<State, ByField>),
    organization: organizationFrom(rest),
    users: byKey([...realm_users, ...realm_non_active_users, ...cross_realm_bots], "user_id"),
    user_topics: Object.fromEntries(user_topics.map((one) => [topicKey(one.stream_id, one.topic_name), one])),
    unread: unreadFrom(unread_msgs, answer.user_id),
    recent: Object.fromEntries(
      recent_private_conversations.map((one) => [
        placeKey(directPlace(one.user_ids, answer.user_id)),
        one.max_message_id,
      ]),
    ),
    groups: byKey(realm_user_groups, "id"),
    presences,
    typing: [],
    messages: {},
    windows: {},
    outbox: [],
    topic_lists: {},
  };
}

function picked<T extends object, K extends keyof T>(from: T, names: readonly K[]): Pick<T, K> {
  return Object.fromEntries(names.map((name) => [name, from[name]])) as Pick<T, K>;
}

function organizationFrom(rest: object): Organization {
  const organization: Record<string, unknown> = { ...rest };
  for (const [name, key] of Object.entries(keyed)) {
    const list = organization[name];
    if (Array.isArray(list)) organization[name] = byKey(list, key);
  }
  return organization as Organization;
}
