// What clients are told about a stored folder: by the server that filled it, and by each later version, which must give the same
// answers. Contains only what the API promises and what does not depend on the time.
import { createHash } from "node:crypto";
import type { Json, Method, Params } from "../support/requests.ts";

export interface Reply {
  status: number;
  body: Json;
}

/** Sends a request to the server as a user. */
export interface Asking {
  call(
    who: string,
    method: Method,
    path: string,
    params?: Params,
    headers?: Record<string, string>,
  ): Promise<Reply>;
  /** The bytes at a path of the site. */
  bytes(who: string, path: string): Promise<Uint8Array>;
}

/** The file that is stored with a folder in its archive. */
export interface Kept {
  /** The `PRAGMA user_version` of its database. */
  user_version: number;
  /** When the answers were given, in UNIX seconds. */
  at: number;
  site: string;
  /** API keys by address. */
  keys: Record<string, string>;
  /** The address of a bot that stores something. */
  bot: string;
  answers: Json;
}

export const keptFile = "kept.json";

const pick = (from: Json, fields: string): Json =>
  Object.fromEntries(fields.split(" ").map((field) => [field, from[field]]));
const sorted = (list: Json[]): Json[] => [...list].sort((a, b) => (a < b ? -1 : 1));
const by = (field: string) => (a: Json, b: Json) => (a[field] < b[field] ? -1 : 1);

/** Asks, as each of `people` (the owner first), for everything that a folder stores, and as a bot for the bot's storage. */
export async function answersOf(asking: Asking, people: readonly string[], bot: string): Promise<Json> {
  const { storage } = await getter(asking, bot)("/bot_storage");
  const answers: Json = { storage };
  for (const who of people) answers[who] = await personal(asking, who);
  const [owner = ""] = people;
  answers.organization = await organization(asking, owner);
  return answers;
}

async function personal(asking: Asking, who: string): Promise<Json> {
  const get = getter(asking, who);
  const state = await get("/register", "POST", {
    apply_markdown: false,
    client_capabilities: { empty_topic_name: true, archived_channels: true, user_settings_object: true },
  });
  const window = { anchor: "newest", num_before: 1000, num_after: 0, apply_markdown: false };
  const { messages } = await get("/messages", "GET", { ...window, allow_empty_topic_name: true });
  const found = await get("/messages", "GET", {
    ...window,
    narrow: [{ operator: "search", operand: "the" }],
  });
  const { attachments, upload_space_used } = await get("/attachments");
  return {
    messages: messages.map(messageOf),
    found: found.messages.map((message: Json) => message.id),
    histories: await historiesOf(get, messages),
    subscriptions: state.subscriptions.map(subscriptionOf).sort(by("stream_id")),
    unread: pick(state.unread_msgs, "count mentions"),
    unreadInChannels: state.unread_msgs.streams
      .map((one: Json) => pick(one, "stream_id topic unread_message_ids"))
      .sort((a: Json, b: Json) => a.unread_message_ids[0] - b.unread_message_ids[0]),
    starred: sorted(state.starred_messages),
    ...(await listsOf(get, state)),
    settings: pick(state.user_settings, "twenty_four_hour_time enter_sends color_scheme default_language"),
    files: await Promise.all(attachments.map((one: Json) => fileOf(asking, who, one))),
    upload_space_used,
  };
}

type Get = (path: string, method?: Method, params?: Params) => Promise<Json>;

function getter(asking: Asking, who: string): Get {
  return async (path, method = "GET", params = {}) => {
    const { status, body } = await asking.call(who, method, path, params);
    if (status !== 200) throw new Error(`${who}: ${method} ${path}: ${status} ${JSON.stringify(body)}`);
    return body;
  };
}

const messageOf = (message: Json): Json => ({
  ...pick(message, "id sender_id type stream_id subject content timestamp last_edit_timestamp"),
  to: Array.isArray(message.display_recipient)
    ? sorted(message.display_recipient.map((one: Json) => one.id))
    : [],
  flags: sorted(message.flags),
  reactions: sorted(
    message.reactions.map((one: Json) => `${one.user_id} ${one.reaction_type} ${one.emoji_code}`),
  ),
  submessages: message.submessages.map((one: Json) => pick(one, "sender_id msg_type content")),
});

async function historiesOf(get: Get, messages: Json[]): Promise<Json> {
  const edited = messages.filter((message) => message.last_edit_timestamp !== undefined);
  const histories: Json = {};
  for (const { id } of edited) {
    const { message_history } = await get(`/messages/${id}/history`);
    histories[id] = message_history.map((one: Json) =>
      pick(one, "user_id timestamp topic content prev_content"),
    );
  }
  return histories;
}

const subscriptionOf = (one: Json): Json =>
  pick(one, "stream_id name description color is_muted pin_to_top invite_only is_archived folder_id");

async function listsOf(get: Get, state: Json): Promise<Json> {
  return {
    alert_words: sorted(state.alert_words),
    drafts: state.drafts.map((one: Json) => pick(one, "id type to topic content")),
    saved_snippets: state.saved_snippets.map((one: Json) => pick(one, "id title content")),
    scheduled: state.scheduled_messages.map((one: Json) =>
      pick(one, "scheduled_message_id type to topic content scheduled_delivery_timestamp"),
    ),
    reminders: (await get("/reminders")).reminders.map((one: Json) =>
      pick(one, "reminder_id reminder_target_message_id scheduled_delivery_timestamp"),
    ),
    user_topics: state.user_topics.map((one: Json) => pick(one, "stream_id topic_name visibility_policy")),
    muted_users: state.muted_users.map((one: Json) => one.id),
    onboarding_steps: (state.onboarding_steps ?? []).length,
    navigation_views: (await get("/navigation_views")).navigation_views,
  };
}

async function fileOf(asking: Asking, who: string, attachment: Json): Promise<Json> {
  const { name, size, path_id, messages } = attachment;
  return {
    name,
    size,
    path_id,
    messages,
    sha256: sha256(await asking.bytes(who, `/user_uploads/${path_id}`)),
  };
}

const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

async function organization(asking: Asking, who: string): Promise<Json> {
  const get = getter(asking, who);
  const { members } = await get("/users", "GET", { include_custom_profile_fields: true });
  const state = await get("/register", "POST", { client_capabilities: { archived_channels: true } });
  const { streams } = await get("/streams", "GET", { exclude_archived: false, include_all: true });
  // A user without a picture gets a generated one, which may differ between versions.
  const own = members
    .map((one: Json) => one.avatar_url)
    .filter((url: string | null) => url?.includes("/user_avatars/"));
  return {
    ...pick(state, "realm_name realm_description realm_digest_emails_enabled"),
    people: members.map(personOf).sort(by("user_id")),
    pictures: await Promise.all([state.realm_icon_url, ...own].map((url) => picture(asking, who, url))),
    statuses: state.user_status,
    channels: streams.map(channelOf).sort(by("stream_id")),
    default_streams: sorted(state.realm_default_streams),
    default_groups: state.realm_default_stream_groups,
    folders: (await get("/channel_folders", "GET", { include_archived: true })).channel_folders.map(
      (one: Json) => pick(one, "id name description is_archived"),
    ),
    groups: (await get("/user_groups", "GET", { include_deactivated_groups: true })).user_groups.map(
      (one: Json) =>
        pick(
          one,
          "id name description members direct_subgroup_ids is_system_group deactivated can_mention_group",
        ),
    ),
    linkifiers: (await get("/realm/linkifiers")).linkifiers.map((one: Json) =>
      pick(one, "id pattern url_template"),
    ),
    playgrounds: state.realm_playgrounds,
    domains: (await get("/realm/domains")).domains,
    profile_fields: (await get("/realm/profile_fields")).custom_fields.map((one: Json) =>
      pick(one, "id type name hint field_data order"),
    ),
    emoji: await Promise.all(
      Object.values<Json>((await get("/realm/emoji")).emoji).map((one) => emojiOf(asking, who, one)),
    ),
    invites: (await get("/invites")).invites.map((one: Json) =>
      pick(one, "id email invited_by_user_id invited invited_as is_multiuse expiry_date"),
    ),
    exports: ((await asking.call(who, "GET", "/export/realm")).body.exports ?? []).map((one: Json) => ({
      ...pick(one, "id acting_user_id export_time deleted_timestamp failed_timestamp pending"),
      // Once a number.
      export_type:
        one.export_type === "public" ? 1 : one.export_type === "full_with_consent" ? 2 : one.export_type,
    })),
  };
}

async function picture(asking: Asking, who: string, url: string): Promise<boolean> {
  return (await asking.bytes(who, url)).length > 0;
}

const personOf = (user: Json): Json => ({
  ...pick(user, "user_id email delivery_email full_name role is_bot is_active timezone date_joined bot_type"),
  profile: user.profile_data ?? null,
});

const channelOf = (channel: Json): Json =>
  pick(
    channel,
    "stream_id name description invite_only is_web_public is_archived history_public_to_subscribers " +
      "message_retention_days topics_policy folder_id creator_id date_created can_send_message_group",
  );

async function emojiOf(asking: Asking, who: string, emoji: Json): Promise<Json> {
  const isThere = await picture(asking, who, emoji.source_url);
  return { ...pick(emoji, "id name deactivated author_id"), isThere };
}
