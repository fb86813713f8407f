// A small client: keeps the initial state up to date with events, as real clients do.
import type { Json } from "./requests.ts";

/** Parts of the state that a client does not update from events. */
const aside = [
  "queue_id",
  "last_event_id",
  // Clients poll for it, and it contains the time of the request.
  "presences",
  "presence_last_update_id",
  "server_timestamp",
  // The older form of `user_topics`, for clients that do not know these.
  "muted_topics",
  // Clients compute them from permission settings and groups.
  "can_create_private_streams",
  "can_create_public_streams",
  "can_create_streams",
  "can_create_web_public_streams",
  "can_invite_others_to_realm",
  // Old forms of settings and policies, for which events carry only the new form.
  "jitsi_server_url",
  "realm_allow_edit_history",
  "realm_create_private_stream_policy",
  "realm_create_public_stream_policy",
  "realm_create_web_public_stream_policy",
  "realm_wildcard_mention_policy",
];

const byId = (list: Json[], id = "id"): Json => Object.fromEntries(list.map((one) => [one[id], one]));

const places = ["subscriptions", "unsubscribed", "never_subscribed"] as const;
const keyed = {
  drafts: "id",
  realm_user_groups: "id",
  reminders: "reminder_id",
  saved_snippets: "id",
  scheduled_messages: "scheduled_message_id",
  navigation_views: "fragment",
  realm_domains: "domain",
  realm_bots: "user_id",
  streams: "stream_id",
  subscriptions: "stream_id",
  unsubscribed: "stream_id",
  never_subscribed: "stream_id",
} as const;

/** The state as a client stores it: by ID, unread messages one by one. */
export function heldState(state: Json): Json {
  const { realm_users, realm_non_active_users, unread_msgs, ...rest } = structuredClone(state);
  const held: Json = { ...rest, users: byId([...realm_users, ...realm_non_active_users], "user_id") };
  for (const [name, id] of Object.entries(keyed)) if (name in held) held[name] = byId(held[name], id);
  held.user_topics = Object.fromEntries(
    held.user_topics.map((one: Json) => [`${one.stream_id}:${one.topic_name.toLowerCase()}`, one]),
  );
  held.unread = unreadOf(unread_msgs);
  held.unread_count = unread_msgs.count;
  held.recent = Object.fromEntries(
    rest.recent_private_conversations.map((one: Json) => [one.user_ids.join(), one.max_message_id]),
  );
  for (const name of [...aside, "recent_private_conversations"]) delete held[name];
  return held;
}

const inherited = [
  "audible_notifications",
  "desktop_notifications",
  "email_notifications",
  "push_notifications",
  "wildcard_mentions_notify",
];

/** Such a client reads its settings beside everything else. */
const isOlder = (held: Json) => "enable_sounds" in held;

/** Removes what users outside a channel cannot know: only recipients get the event of its first message. */
export function comparable(held: Json): Json {
  const hasFirst = (id: string) => id in held.subscriptions;
  for (const name of ["streams", ...places]) {
    for (const [id, channel] of Object.entries<Json>(held[name])) {
      if (!hasFirst(id)) delete channel.first_message_id;
      // Older clients get the effective settings of a channel, not whether they were chosen for it.
      if (isOlder(held)) for (const setting of inherited) delete channel[setting];
    }
  }
  return held;
}

function unreadOf({ streams, pms, huddles, mentions }: Json): Json {
  const unread: Json = {};
  const note = (ids: number[], place: Json) => {
    for (const id of ids) unread[id] = { ...place, mentioned: mentions.includes(id) };
  };
  for (const { unread_message_ids, stream_id, topic } of streams) {
    note(unread_message_ids, { stream_id, topic: topic.toLowerCase() });
  }
  for (const one of pms) note(one.unread_message_ids, { people: String(one.other_user_id) });
  for (const one of huddles) note(one.unread_message_ids, { people: one.user_ids_string });
  return unread;
}

/** Like `heldState`, after these events; throws if one of them is unknown. */
export function afterEvents(state: Json, events: readonly Json[]): Json {
  const held = heldState(state);
  for (const event of events) {
    const key = event.op === undefined ? event.type : `${event.type}/${event.op}`;
    const change = changes[key];
    if (!change) throw new Error(`The test client does not handle ${key}.`);
    change(held, event);
  }
  held.unread_count = Object.values<Json>(held.unread).filter((one) => !isMuted(held, one)).length;
  return held;
}

function isMuted(held: Json, { stream_id, topic }: Json): boolean {
  if (stream_id === undefined) return false;
  const policy = held.user_topics[`${stream_id}:${topic}`]?.visibility_policy ?? 0;
  return policy === 1 || (policy === 0 && held.subscriptions[stream_id]?.is_muted === true);
}

type Change = (held: Json, event: Json) => void;

/** For events that do not change the initial state. */
const nothing: Change = () => {};

/** For events that carry a whole section. */
const whole =
  (field: string, from = field): Change =>
  (held, event) => {
    held[field] = event[from];
  };

const put =
  (field: keyof typeof keyed, from: string): Change =>
  (held, event) => {
    for (const one of [event[from]].flat()) held[field][one[keyed[field]]] = one;
  };

const drop =
  (field: keyof typeof keyed, from: string): Change =>
  (held, event) => {
    delete held[field][event[from]];
  };

/** The subscribers of a new channel come with later events. */
const unpeopled = (channel: Json): Json => ({ ...channel, subscribers: [] });

/** All copies of a channel that the client stores. */
function channelsOf(held: Json, id: number): Json[] {
  return ["streams", ...places].flatMap((name) => held[name][id] ?? []);
}

function addMembers(list: number[], ids: number[]): number[] {
  return [...new Set([...list, ...ids])].sort((a, b) => a - b);
}

const without = (list: number[], ids: number[]) => list.filter((id) => !ids.includes(id));

/** Other users subscribe or unsubscribe; the client's own subscriptions have other events. */
const peers =
  (isAdded: boolean): Change =>
  (held, { stream_ids, user_ids }) => {
    const others = without(user_ids, [held.user_id]).length;
    for (const channel of stream_ids.flatMap((id: number) => channelsOf(held, id))) {
      channel.subscriber_count += isAdded ? others : -others;
      if (channel.subscribers) {
        const before = channel.subscribers;
        channel.subscribers = isAdded ? addMembers(before, user_ids) : without(before, user_ids);
      }
    }
  };

const changes: Record<string, Change> = {
  alert_words: whole("alert_words"),
  "attachment/add": nothing,
  "attachment/remove": nothing,
  "attachment/update": nothing,
  "channel_folder/add": (held, { channel_folder }) => held.channel_folders.push(channel_folder),
  "channel_folder/update": (held, { channel_folder_id, data }) => {
    Object.assign(
      held.channel_folders.find(({ id }: Json) => id === channel_folder_id),
      data,
    );
  },
  "channel_folder/reorder": (held, { order }) => {
    for (const folder of held.channel_folders) folder.order = order.indexOf(folder.id);
    held.channel_folders.sort((a: Json, b: Json) => a.order - b.order);
  },
  custom_profile_fields: whole("custom_profile_fields", "fields"),
  default_streams: whole("realm_default_streams", "default_streams"),
  default_stream_groups: whole("realm_default_stream_groups", "default_stream_groups"),
  delete_message: (held, { message_id, message_ids = [message_id] }) => {
    for (const id of message_ids) delete held.unread[id];
    held.starred_messages = without(held.starred_messages, message_ids);
    // A client has to ask for the message that is the newest then.
    held.deleted = [...(held.deleted ?? []), ...message_ids];
  },
  "drafts/add": put("drafts", "drafts"),
  "drafts/update": put("drafts", "draft"),
  "drafts/remove": drop("drafts", "draft_id"),
  heartbeat: nothing,
  invites_changed: nothing,
  message: (held, { message, flags }) => noteMessage(held, message, flags),
  muted_topics: nothing,
  muted_users: whole("muted_users"),
  "navigation_view/add": put("navigation_views", "navigation_view"),
  "navigation_view/update": (held, { fragment, data }) => {
    Object.assign(held.navigation_views[fragment], data);
  },
  "navigation_view/remove": drop("navigation_views", "fragment"),
  onboarding_steps: whole("onboarding_steps"),
  presence: nothing,
  "reaction/add": nothing,
  "reaction/remove": nothing,
  "realm/update": (held, { property, value }) => {
    held[`realm_${property}`] = value;
  },
  "realm/update_dict": (held, { data }) => {
    for (const [name, value] of Object.entries(data)) held[`realm_${name}`] = value;
  },
  "realm/deactivated": nothing,
  "realm_bot/add": put("realm_bots", "bot"),
  "realm_bot/update": (held, { bot }) => Object.assign(held.realm_bots[bot.user_id], bot),
  "realm_bot/delete": (held, { bot }) => {
    delete held.realm_bots[bot.user_id];
  },
  "realm_domains/add": put("realm_domains", "realm_domain"),
  "realm_domains/change": put("realm_domains", "realm_domain"),
  "realm_domains/remove": drop("realm_domains", "domain"),
  "realm_emoji/update": whole("realm_emoji"),
  realm_export: nothing,
  realm_export_consent: nothing,
  realm_linkifiers: whole("realm_linkifiers"),
  realm_playgrounds: whole("realm_playgrounds"),
  "realm_user/add": (held, { person }) => {
    held.users[person.user_id] = { profile_data: {}, ...person };
  },
  "realm_user/update": (held, { person }) => changePerson(held, person),
  "realm_user/remove": (held, { person }) => {
    delete held.users[person.user_id];
  },
  "realm_user_settings_defaults/update": (held, { property, value }) => {
    held.realm_user_settings_defaults[property] = value;
  },
  "reminders/add": put("reminders", "reminders"),
  "reminders/remove": drop("reminders", "reminder_id"),
  "saved_snippets/add": put("saved_snippets", "saved_snippet"),
  "saved_snippets/update": put("saved_snippets", "saved_snippet"),
  "saved_snippets/remove": drop("saved_snippets", "saved_snippet_id"),
  "scheduled_messages/add": put("scheduled_messages", "scheduled_messages"),
  "scheduled_messages/update": put("scheduled_messages", "scheduled_message"),
  "scheduled_messages/remove": drop("scheduled_messages", "scheduled_message_id"),
  "stream/create": (held, { streams }) => {
    for (const channel of streams) {
      held.streams[channel.stream_id] = channel;
      held.never_subscribed[channel.stream_id] = unpeopled(channel);
    }
  },
  "stream/delete": (held, { stream_ids }) => {
    for (const name of ["streams", ...places]) for (const id of stream_ids) delete held[name][id];
    // For an older client, an archived channel and its messages no longer exist.
    for (const name of isOlder(held) ? ["unread", "user_topics"] : ["unread"])
      for (const [key, { stream_id }] of Object.entries<Json>(held[name]))
        if (stream_ids.includes(stream_id)) delete held[name][key];
  },
  "stream/update": (held, { stream_id, property, value, type, op, id, name, ...more }) => {
    for (const channel of channelsOf(held, stream_id)) Object.assign(channel, { [property]: value }, more);
  },
  submessage: nothing,
  "subscription/add": (held, { subscriptions }) => {
    for (const one of subscriptions) {
      for (const name of places) delete held[name][one.stream_id];
      held.subscriptions[one.stream_id] = one;
      held.streams[one.stream_id].subscriber_count = one.subscriber_count;
    }
  },
  "subscription/remove": (held, { subscriptions }) => {
    for (const { stream_id } of subscriptions) {
      held.unsubscribed[stream_id] = held.subscriptions[stream_id];
      delete held.subscriptions[stream_id];
      const left = held.unsubscribed[stream_id];
      left.subscribers = without(left.subscribers, [held.user_id]);
      for (const channel of channelsOf(held, stream_id)) channel.subscriber_count -= 1;
    }
  },
  "subscription/update": (held, { stream_id, property, value }) => {
    const own = held.subscriptions[stream_id] ?? held.unsubscribed[stream_id];
    own[property] = value;
  },
  "subscription/peer_add": peers(true),
  "subscription/peer_remove": peers(false),
  "typing/start": nothing,
  "typing/stop": nothing,
  "typing_edit_message/start": nothing,
  "typing_edit_message/stop": nothing,
  update_display_settings: (held, { setting_name, setting }) => {
    held[setting_name] = setting;
  },
  update_global_notifications: (held, { notification_name, setting }) => {
    held[notification_name] = setting;
  },
  update_message: (held, event) => moveMessages(held, event),
  "update_message_flags/add": (held, { flag, messages, all }) => {
    if (flag === "read") for (const id of all ? Object.keys(held.unread) : messages) delete held.unread[id];
    if (flag === "starred") held.starred_messages = addMembers(held.starred_messages, messages);
  },
  "update_message_flags/remove": (held, { flag, messages, message_details }) => {
    if (flag === "starred") held.starred_messages = without(held.starred_messages, messages);
    if (flag !== "read") return;
    for (const id of messages) {
      const { type, stream_id, topic, user_ids, mentioned = false } = message_details[id];
      const place =
        type === "private"
          ? { people: peopleKey(held, user_ids) }
          : { stream_id, topic: topic.toLowerCase() };
      held.unread[id] = { ...place, mentioned };
    }
  },
  "user_group/add": put("realm_user_groups", "group"),
  "user_group/update": (held, { group_id, data }) => Object.assign(held.realm_user_groups[group_id], data),
  "user_group/remove": drop("realm_user_groups", "group_id"),
  "user_group/add_members": (held, { group_id, user_ids }) => {
    const group = held.realm_user_groups[group_id];
    group.members = addMembers(group.members, user_ids);
  },
  "user_group/remove_members": (held, { group_id, user_ids }) => {
    const group = held.realm_user_groups[group_id];
    group.members = without(group.members, user_ids);
  },
  "user_group/add_subgroups": (held, { group_id, direct_subgroup_ids }) => {
    const group = held.realm_user_groups[group_id];
    group.direct_subgroup_ids = addMembers(group.direct_subgroup_ids, direct_subgroup_ids);
  },
  "user_group/remove_subgroups": (held, { group_id, direct_subgroup_ids }) => {
    const group = held.realm_user_groups[group_id];
    group.direct_subgroup_ids = without(group.direct_subgroup_ids, direct_subgroup_ids);
  },
  "user_settings/update": (held, { property, value }) => {
    held.user_settings[property] = value;
  },
  user_status: (held, { user_id, type, id, ...changed }) => {
    const status = { ...held.user_status[user_id], ...changed };
    if (status.emoji_name === "") delete status.reaction_type;
    for (const name of Object.keys(status))
      if (status[name] === "" || status[name] === false) delete status[name];
    if (Object.keys(status).length > 0) held.user_status[user_id] = status;
    else delete held.user_status[user_id];
  },
  user_topic: (held, { type, id, ...topic }) => {
    const key = `${topic.stream_id}:${topic.topic_name.toLowerCase()}`;
    if (topic.visibility_policy === 0) delete held.user_topics[key];
    else held.user_topics[key] = topic;
  },
};

function noteMessage(held: Json, message: Json, flags: string[]): void {
  const { id, type, stream_id, subject, display_recipient } = message;
  held.max_message_id = Math.max(held.max_message_id, id);
  if (type === "private") {
    const people = display_recipient.map((one: Json) => one.id);
    held.recent[without(people, [held.user_id]).join()] = id;
    if (!flags.includes("read"))
      held.unread[id] = { people: peopleKey(held, people), mentioned: isNamed(flags) };
    return;
  }
  for (const channel of channelsOf(held, stream_id)) {
    channel.first_message_id ??= id;
    channel.is_recently_active = true;
  }
  if (flags.includes("read")) return;
  const place = { stream_id, topic: subject.toLowerCase() };
  const isWide = flags.includes("wildcard_mentioned") && !isMuted(held, place);
  held.unread[id] = { ...place, mentioned: isNamed(flags) || isWide };
}

const isNamed = (flags: string[]) => flags.includes("mentioned");

function peopleKey(held: Json, ids: number[]): string {
  const others = without(ids, [held.user_id]);
  if (others.length < 2) return String(others[0] ?? held.user_id);
  return addMembers(others, [held.user_id]).join();
}

function moveMessages(held: Json, event: Json): void {
  const { message_ids, message_id, flags, stream_id, new_stream_id = stream_id, subject, content } = event;
  for (const id of message_ids) {
    const unread = held.unread[id];
    if (!unread) continue;
    if (unread.stream_id !== undefined) unread.stream_id = new_stream_id;
    // Nothing is unread in a channel without a subscription.
    if (!held.subscriptions[new_stream_id]) {
      delete held.unread[id];
      continue;
    }
    if (subject !== undefined) unread.topic = subject.toLowerCase();
  }
  const edited = held.unread[message_id];
  if (edited && content !== undefined)
    edited.mentioned = isNamed(flags) || flags.includes("wildcard_mentioned");
}

const roles: Record<string, number> = { is_owner: 100, is_admin: 200, is_moderator: 300 };

function changePerson(
  held: Json,
  { user_id, new_email, custom_profile_field: field, ...changed }: Json,
): void {
  const user = held.users[user_id];
  const { avatar_source, avatar_url_medium, ...shown } = changed;
  Object.assign(user, shown, new_email === undefined ? {} : { email: new_email });
  if (shown.role !== undefined) {
    Object.assign(user, {
      is_owner: shown.role === 100,
      is_admin: shown.role <= 200,
      is_guest: shown.role === 600,
    });
  }
  if (field) {
    const { id, type, ...value } = field;
    if (value.value === null) delete user.profile_data?.[id];
    else user.profile_data = { ...user.profile_data, [id]: value };
  }
  if (shown.is_active === false) leaveGroups(held, user_id);
  if (user_id === held.user_id) changeOwn(held, user, changed);
}

/** Clients remove deactivated users from groups without an event. */
function leaveGroups(held: Json, userId: number): void {
  for (const group of Object.values<Json>(held.realm_user_groups))
    group.members = without(group.members, [userId]);
}

function changeOwn(held: Json, user: Json, changed: Json): void {
  for (const name of [
    "email",
    "full_name",
    "avatar_url",
    "avatar_url_medium",
    "avatar_source",
    "delivery_email",
  ]) {
    if (name in changed) held[name] = changed[name];
  }
  held.email = user.email;
  if (changed.timezone !== undefined) held.user_settings.timezone = changed.timezone;
  if (changed.role === undefined) return;
  for (const [name, role] of Object.entries(roles)) held[name] = changed.role <= role;
  held.is_guest = changed.role === 600;
}
