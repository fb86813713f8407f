// What an export holds: each section a statement of its own. Never a hash of a password or of a key.
import { Database, type SQLQueryBindings } from "bun:sqlite";

/** One list of an export; `json` names columns that hold JSON, `flags` those that hold 0 or 1. */
export interface Section {
  readonly name: string;
  readonly about: string;
  readonly sql: string;
  readonly json?: readonly string[];
  readonly flags?: readonly string[];
}

export type Row = Record<string, unknown>;

const userColumns =
  "id AS user_id, email, full_name, role, is_active, is_bot, bot_type, bot_owner_id, timezone, date_joined";
const messageColumns =
  "messages.id, messages.sender_id, messages.sent_at, clients.name AS client, conversations.channel_id, " +
  "conversations.participants, CASE WHEN conversations.channel_id IS NULL THEN NULL ELSE messages.topic END AS topic, " +
  "messages.content, messages.rendered";
const messageTables =
  "messages JOIN conversations ON conversations.id = messages.conversation_id JOIN clients ON clients.id = messages.client_id";
const userFlags = ["is_active", "is_bot"];

/** Everything the organization holds. */
export const organizationSections: readonly Section[] = [
  {
    name: "settings",
    about: "Settings of the organization that differ from their defaults",
    sql: "SELECT name, value FROM settings WHERE scope = 'realm' ORDER BY name",
    json: ["value"],
  },
  {
    name: "users",
    about: "People and bots; roles are 100 owner, 200 administrator, 300 moderator, 400 member, 600 guest",
    sql: `SELECT ${userColumns} FROM users ORDER BY id`,
    flags: userFlags,
  },
  {
    name: "profile_fields",
    about: "What people may say of themselves, in its order; `type` is that of the API",
    sql:
      "SELECT id, type, name, hint, field_data, display_in_profile_summary, required, editable_by_user " +
      "FROM profile_fields ORDER BY position",
    flags: ["display_in_profile_summary", "required", "editable_by_user"],
  },
  {
    name: "profile_values",
    about: "What people say in these fields",
    sql: "SELECT user_id, field_id, value FROM profile_values ORDER BY user_id, field_id",
  },
  {
    name: "bot_services",
    about: "Where messages to bots are posted, without the tokens that go with them",
    sql: "SELECT bot_id, base_url, interface FROM bot_services ORDER BY bot_id",
  },
  {
    name: "bot_storage",
    about: "What bots keep",
    sql: "SELECT bot_id, key, value FROM bot_storage ORDER BY bot_id, key",
  },
  {
    name: "groups",
    about: "User groups: `system`, `named`, and `anonymous` ones that are values of permissions",
    sql: "SELECT id, kind, name, description, creator_id, date_created, deactivated FROM user_groups ORDER BY id",
    flags: ["deactivated"],
  },
  {
    name: "group_members",
    about: "Who is directly in which group; members of system groups follow from roles",
    sql: "SELECT group_id, user_id FROM group_members ORDER BY group_id, user_id",
  },
  {
    name: "group_subgroups",
    about: "Which groups are directly in which",
    sql: "SELECT group_id, subgroup_id FROM group_subgroups ORDER BY group_id, subgroup_id",
  },
  {
    name: "permissions",
    about: "Permissions that differ from their defaults; `scope` is realm, channel or group",
    sql: "SELECT scope, owner_id, name, group_id FROM grants ORDER BY scope, owner_id, name",
  },
  {
    name: "channel_folders",
    about: "Folders of channels, in their order",
    sql: "SELECT id, name, description, position, date_created, creator_id, is_archived FROM channel_folders ORDER BY position",
    flags: ["is_archived"],
  },
  {
    name: "channels",
    about: "Channels",
    sql:
      "SELECT id, name, description, date_created, creator_id, invite_only, is_web_public, history_public_to_subscribers, " +
      "is_archived, message_retention_days, folder_id, topics_policy FROM channels ORDER BY id",
    flags: ["invite_only", "is_web_public", "history_public_to_subscribers", "is_archived"],
  },
  {
    name: "subscriptions",
    about: "Who is subscribed to which channel",
    sql:
      "SELECT channel_id, user_id, color, is_muted, pin_to_top FROM subscriptions WHERE is_subscribed " +
      "ORDER BY channel_id, user_id",
    flags: ["is_muted", "pin_to_top"],
  },
  {
    name: "messages",
    about:
      "Messages; one of a channel has `channel_id` and `topic`, a direct one `participants`, the IDs of all in it",
    sql: `SELECT ${messageColumns} FROM ${messageTables} ORDER BY messages.id`,
  },
  {
    name: "message_edits",
    about: "What messages were before they were edited or moved",
    sql: "SELECT message_id, user_id, edited_at, prev_content, prev_topic, topic, prev_channel_id, channel_id FROM message_edits",
  },
  {
    name: "reactions",
    about: "Reactions; `type` is U for Unicode, R for the organization's own emoji, X for extra ones",
    sql: "SELECT message_id, user_id, type, code, name FROM reactions ORDER BY message_id, user_id",
  },
  {
    name: "submessages",
    about: "Polls, lists of tasks, and what people did to them",
    sql: "SELECT id, message_id, sender_id, msg_type, content FROM submessages ORDER BY id",
  },
  {
    name: "reports",
    about: "Messages that were reported to the moderators",
    sql: "SELECT id, message_id, reported_id, reporter_id, report_type, description, reported_at FROM reports ORDER BY id",
  },
  {
    name: "audit_log",
    about: "Who changed what in the organization, and when",
    sql: "SELECT id, at, actor_id, client, event, about, about_id, data FROM audit_log ORDER BY id",
    json: ["data"],
  },
];

/** What the organization holds of one person, ?1. */
export const userSections: readonly Section[] = [
  {
    name: "user",
    about: "The account",
    sql: `SELECT ${userColumns} FROM users WHERE id = ?1`,
    flags: userFlags,
  },
  {
    name: "settings",
    about: "Personal settings that differ from their defaults",
    sql: "SELECT name, value FROM settings WHERE scope = 'user' AND owner_id = ?1 ORDER BY name",
    json: ["value"],
  },
  {
    name: "groups",
    about: "Groups the person is directly in",
    sql:
      "SELECT id, name FROM user_groups JOIN group_members ON group_id = id " +
      "WHERE user_id = ?1 AND kind = 'named' ORDER BY id",
  },
  {
    name: "subscriptions",
    about: "Channels the person is subscribed to",
    sql:
      "SELECT channel_id, channels.name, color, is_muted, pin_to_top FROM subscriptions " +
      "JOIN channels ON channels.id = channel_id WHERE user_id = ?1 AND is_subscribed ORDER BY channel_id",
    flags: ["is_muted", "pin_to_top"],
  },
  {
    name: "messages",
    about: "Messages the person sent, and direct messages they are in",
    sql:
      `SELECT ${messageColumns} FROM ${messageTables} WHERE messages.sender_id = ?1 OR messages.conversation_id IN ` +
      "(SELECT conversation_id FROM direct_participants WHERE user_id = ?1) ORDER BY messages.id",
  },
  {
    name: "reactions",
    about: "Reactions the person gave",
    sql: "SELECT message_id, type, code, name FROM reactions WHERE user_id = ?1 ORDER BY message_id",
  },
  {
    name: "user_topics",
    about: "Topics the person mutes (1), unmutes (2) or follows (3)",
    sql: "SELECT channel_id, topic, policy, last_updated FROM user_topics WHERE user_id = ?1 ORDER BY channel_id, topic",
  },
  {
    name: "profile_values",
    about: "What the person says in profile fields",
    sql:
      "SELECT field_id, profile_fields.name, value FROM profile_values " +
      "JOIN profile_fields ON profile_fields.id = field_id WHERE user_id = ?1 ORDER BY position",
  },
  {
    name: "alert_words",
    about: "Words of which the person wants to be told",
    sql: "SELECT word FROM alert_words WHERE user_id = ?1 ORDER BY word",
  },
  {
    name: "drafts",
    about: "Drafts",
    sql: "SELECT id, type, recipients, topic, content, edited_at FROM drafts WHERE user_id = ?1 ORDER BY id",
    json: ["recipients"],
  },
  {
    name: "saved_snippets",
    about: "Saved snippets",
    sql: "SELECT id, title, content, date_created FROM saved_snippets WHERE user_id = ?1 ORDER BY id",
  },
  {
    name: "scheduled_messages",
    about: "Messages that are to be sent",
    sql:
      "SELECT id, type, recipients, topic, content, deliver_at, failed FROM scheduled_messages " +
      "WHERE sender_id = ?1 ORDER BY id",
    json: ["recipients"],
    flags: ["failed"],
  },
  {
    name: "reminders",
    about: "Reminders that are to come",
    sql: "SELECT id, message_id, note, deliver_at, failed FROM reminders WHERE user_id = ?1 ORDER BY id",
    flags: ["failed"],
  },
  {
    name: "flagged_messages",
    about: "Messages with flags of the person's: starred 1, collapsed 2, mentioned 4 and others, added up",
    sql: "SELECT message_id, bits FROM message_flags WHERE user_id = ?1 ORDER BY message_id",
  },
];

/** All of a database's rows of these sections, as they are at one moment; others may go on writing. */
export function* readSections(
  path: string,
  sections: readonly Section[],
  params: SQLQueryBindings[],
): Generator<{ section: Section; rows: Iterable<Row> }> {
  const database = new Database(path, { readonly: true });
  try {
    database.run("BEGIN");
    for (const section of sections) {
      const rows = database.query(section.sql).iterate(...params) as Iterable<Row>;
      yield { section, rows: presented(section, rows) };
    }
  } finally {
    database.close();
  }
}

function* presented({ json = [], flags = [] }: Section, rows: Iterable<Row>): Generator<Row> {
  for (const row of rows) {
    for (const name of json) row[name] = JSON.parse(String(row[name]));
    for (const name of flags) row[name] = row[name] === 1;
    yield row;
  }
}
