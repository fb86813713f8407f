// The sections of an export of the organization, each with its SQL. Never contains hashes of passwords or keys.

/** A list in an export; `json` names columns that hold JSON, `flags` columns that hold 0 or 1. */
export interface ExportSection {
  readonly name: string;
  readonly about: string;
  readonly columns: string;
  readonly from: string;
  readonly where?: string;
  /** In exports of one user: the column with the user's ID. */
  readonly owner?: string;
  readonly order?: string;
  /** Reads the section in ranges of this table's IDs; `by` is the column with the ID. */
  readonly walks?: { readonly by: string; readonly table: "messages" | "submessages" };
  readonly json?: readonly string[];
  readonly flags?: readonly string[];
}

export const userColumns =
  "id AS user_id, email, full_name, role, is_active, is_bot, bot_type, bot_owner_id, timezone, date_joined";
export const messageColumns =
  "messages.id, messages.sender_id, messages.sent_at, clients.name AS client, conversations.channel_id, " +
  "conversations.participants, CASE WHEN conversations.channel_id IS NULL THEN NULL ELSE messages.topic END AS topic, " +
  "messages.content, messages.rendered";
export const messageTables =
  "messages JOIN conversations ON conversations.id = messages.conversation_id JOIN clients ON clients.id = messages.client_id";
export const userFlags = ["is_active", "is_bot"];

/** The data of the organization. */
export const organizationSections: readonly ExportSection[] = [
  {
    name: "settings",
    about: "Settings of the organization that differ from their defaults",
    columns: "name, value",
    from: "settings",
    where: "scope = 'realm'",
    order: "name",
    json: ["value"],
  },
  {
    name: "login_settings",
    about: "By which ways people may sign in, where that differs from the default",
    columns: "name, value",
    from: "settings",
    where: "scope = 'login'",
    order: "name",
    json: ["value"],
  },
  {
    name: "user_defaults",
    about: "Personal settings that new people start with, where they differ from the defaults",
    columns: "name, value",
    from: "settings",
    where: "scope = 'user_defaults'",
    order: "name",
    json: ["value"],
  },
  {
    name: "domains",
    about: "Domains of the addresses that people may have",
    columns: "id, domain, allow_subdomains",
    from: "realm_domains",
    order: "id",
    flags: ["allow_subdomains"],
  },
  {
    name: "linkifiers",
    about: "Patterns whose matches become links, in their order; `dialect` is re2 or python",
    columns: "id, pattern, url_template, dialect",
    from: "linkifiers",
    order: "position",
  },
  {
    name: "playgrounds",
    about: "Where clients open code of a language",
    columns: "id, name, pygments_language, url_template",
    from: "playgrounds",
    order: "id",
  },
  {
    name: "users",
    about:
      "People and bots; roles are 100 owner, 200 administrator, 300 moderator, 400 member, 600 guest; `address_proof` is how their address was proved, or null",
    columns:
      `${userColumns}, delivery_email, system_bot, (SELECT kind FROM address_proofs WHERE user_id = users.id AND ` +
      "address_key = users.delivery_email_key) AS address_proof",
    from: "users",
    order: "id",
    flags: userFlags,
  },
  {
    name: "emoji",
    about: "Custom emoji; their pictures are in backups",
    columns: "id, name, author_id, deactivated",
    from: "realm_emoji",
    order: "id",
    flags: ["deactivated"],
  },
  {
    name: "profile_fields",
    about: "Profile fields, in their order; `type` is the API's",
    columns: "id, type, name, hint, field_data, display_in_profile_summary, required, editable_by_user",
    from: "profile_fields",
    order: "position",
    flags: ["display_in_profile_summary", "required", "editable_by_user"],
  },
  {
    name: "profile_values",
    about: "Values of these fields",
    columns: "user_id, field_id, value",
    from: "profile_values",
    order: "user_id, field_id",
  },
  {
    name: "bot_services",
    about: "URLs of outgoing webhooks, without their tokens",
    columns: "bot_id, base_url, interface",
    from: "bot_services",
    order: "bot_id",
  },
  {
    name: "bot_storage",
    about: "The storage of bots",
    columns: "bot_id, key, value",
    from: "bot_storage",
    order: "bot_id, key",
  },
  {
    name: "groups",
    about: "User groups: `system`, `named`, and `anonymous` ones that are values of permissions",
    columns: "id, kind, name, description, creator_id, date_created, deactivated",
    from: "user_groups",
    order: "id",
    flags: ["deactivated"],
  },
  {
    name: "group_members",
    about: "Direct members of groups; members of system groups follow from roles",
    columns: "group_id, user_id",
    from: "group_members",
    order: "group_id, user_id",
  },
  {
    name: "group_subgroups",
    about: "Direct subgroups of groups",
    columns: "group_id, subgroup_id",
    from: "group_subgroups",
    order: "group_id, subgroup_id",
  },
  {
    name: "permissions",
    about: "Permissions that differ from their defaults; `scope` is realm, channel or group",
    columns: "scope, owner_id, name, group_id",
    from: "grants",
    order: "scope, owner_id, name",
  },
  {
    name: "channel_folders",
    about: "Channel folders, in their order",
    columns: "id, name, description, position, date_created, creator_id, is_archived",
    from: "channel_folders",
    order: "position",
    flags: ["is_archived"],
  },
  {
    name: "channels",
    about: "Channels",
    columns:
      "id, name, description, date_created, creator_id, invite_only, is_web_public, history_public_to_subscribers, " +
      "is_archived, message_retention_days, folder_id, topics_policy",
    from: "channels",
    order: "id",
    flags: ["invite_only", "is_web_public", "history_public_to_subscribers", "is_archived"],
  },
  {
    name: "subscriptions",
    about: "Who is subscribed to which channel",
    columns: "channel_id, user_id, color, is_muted, pin_to_top",
    from: "subscriptions",
    where: "is_subscribed",
    order: "channel_id, user_id",
    flags: ["is_muted", "pin_to_top"],
  },
  {
    name: "default_channels",
    about: "Channels that new people are subscribed to",
    columns: "channel_id",
    from: "default_channels",
    order: "channel_id",
  },
  {
    name: "default_channel_groups",
    about: "Groups of channels that new people may choose",
    columns: "id, name, description",
    from: "default_channel_groups",
    order: "id",
  },
  {
    name: "default_channel_group_channels",
    about: "The channels of these groups",
    columns: "group_id, channel_id",
    from: "default_channel_group_channels",
    order: "group_id, channel_id",
  },
  {
    name: "bot_defaults",
    about: "Channels that bots send to and hear of where a request names none",
    columns: "bot_id, sending_channel_id, events_channel_id, all_public_channels",
    from: "bot_defaults",
    order: "bot_id",
    flags: ["all_public_channels"],
  },
  {
    name: "messages",
    about:
      "Messages; channel messages have `channel_id` and `topic`, direct messages the IDs of all `participants`",
    columns: messageColumns,
    from: messageTables,
    order: "messages.id",
  },
  {
    name: "message_edits",
    about: "Edits and moves of messages: what each message was before",
    columns: "message_id, user_id, edited_at, prev_content, prev_topic, topic, prev_channel_id, channel_id",
    from: "message_edits",
  },
  {
    name: "reactions",
    about: "Reactions; `type` is U for Unicode, R for custom emoji, X for extra ones",
    columns: "message_id, user_id, type, code, name",
    from: "reactions",
    order: "message_id, user_id",
  },
  {
    name: "submessages",
    about: "Polls and to-do lists, with votes and changes",
    columns: "id, message_id, sender_id, msg_type, content",
    from: "submessages",
    order: "id",
  },
  {
    name: "reports",
    about: "Messages that were reported to the moderators",
    columns:
      "id, message_id, reported_id, reporter_id, report_type, description, reported_at, handled_at, handled_by, handled_note",
    from: "reports",
    order: "id",
  },
  {
    name: "audit_log",
    about: "Who did what to the organization and to what is not their own, and when",
    columns: "id, at, actor_id, client, event, about, about_id, about_name, person_id, data",
    from: "audit_log",
    order: "id",
    json: ["data"],
  },
];
