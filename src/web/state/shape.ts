// The state as plain data. API objects are as the core's schemas declare them.
import type { RealmEmoji } from "@/foundation/emoji/schema.ts";
import type { UserGroup } from "@/foundation/groups/schema.ts";
import type { Profile } from "@/foundation/profile-fields/schema.ts";
import type { PersonalValues } from "@/foundation/user-settings/schema.ts";
import type { User } from "@/foundation/users/schema.ts";
import type { EventType } from "@/kernel/core/events.ts";
import type { MutedUser } from "@/messaging/muted-users/schema.ts";
import type { Draft } from "@/personal/drafts/schema.ts";
import type { NavigationView } from "@/personal/navigation-views/schema.ts";
import type { ModernPresence } from "@/personal/presence/schema.ts";
import type { Reminder } from "@/personal/reminders/schema.ts";
import type { SavedSnippet } from "@/personal/saved-snippets/schema.ts";
import type { ScheduledMessage } from "@/personal/scheduled-messages/schema.ts";
import type { UserStatus } from "@/personal/user-status/schema.ts";
import type { Channel as PlainChannel } from "@/places/channels/schema.ts";
import type { Folder } from "@/places/folders/schema.ts";
import type { Subscription } from "@/places/subscriptions/schema.ts";
import type { Policy, UserTopic } from "@/places/user-topics/schema.ts";
import type { Message, Outgoing, Place, PlaceKey, TopicEntry, Typist, Window } from "./message-shape.ts";

export interface Person extends Omit<User, "profile_data"> {
  is_system_bot?: boolean;
  profile_data?: Profile;
}

export interface Self
  extends Pick<
    User,
    "user_id" | "email" | "full_name" | "avatar_url" | "is_owner" | "is_admin" | "is_guest"
  > {
  delivery_email: string;
  avatar_url_medium: string | null;
  avatar_source: string;
  is_moderator: boolean;
}

export interface Channel extends PlainChannel {
  subscribers?: number[] | undefined;
}

/** How visible a topic is to the person. */
export const visibility = { inherited: 0, muted: 1, unmuted: 2, followed: 3 } as const satisfies Record<
  string,
  Policy
>;
export type Visibility = (typeof visibility)[keyof typeof visibility];

export interface Unread {
  place: Place;
  /** Ascending. */
  ids: readonly number[];
  /** Those that mention the person, ascending. */
  mentions: readonly number[];
}

/** The person's settings, and what comes with them. */
export type Settings = PersonalValues & { timezone: string; [name: string]: unknown };

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
  muted_users: readonly MutedUser[];
  alert_words: readonly string[];
  drafts: Record<number, Draft>;
  scheduled_messages: Record<number, ScheduledMessage>;
  reminders: Record<number, Reminder>;
  saved_snippets: Record<number, SavedSnippet>;
  navigation_views: Record<string, NavigationView>;
  groups: Record<number, UserGroup>;
  realm_emoji: Record<string, RealmEmoji>;
  user_settings: Settings;
  user_status: Record<number, UserStatus>;
  presences: Record<number, ModernPresence>;
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

/** What an event carries; for the kinds that clients get as they are emitted. */
export type Payload<E> = E extends EventType<infer P> ? P : never;

/** Takes the fields of one kind of event. The state test checks them. */
export type Reducer = (state: State, event: never) => State;
export type Reducers = Readonly<Record<string, Reducer>>;
