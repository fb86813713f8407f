// The sections of an export of the organization, each with its SQL, and the rules of its rows for the import. Never contains hashes
// of passwords or keys.
import { z } from "zod";
import { proofKind } from "@/foundation/address-proofs/schema.ts";
import { role } from "@/foundation/permissions/schema.ts";
import {
  addressProof,
  byMessage,
  groupShown,
  inChannelShown,
  inGroupShown,
  messageShown,
  ofMessageShown,
  permissionShown,
} from "./store-conditions.ts";

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

/** What administrators' exports hold of a section, if they have it. */
export type Narrowing = Partial<Pick<ExportSection, "columns" | "where" | "walks" | "flags">>;

interface OrganizationSection<Name extends string, Row extends z.ZodObject> extends ExportSection {
  readonly name: Name;
  /** What an import takes of a row. */
  readonly row: Row;
  readonly shared?: Narrowing;
  /** Documents of earlier versions lack it. */
  readonly isLater?: true;
}

type Given<Name extends string, Row extends z.ZodObject> = Omit<
  OrganizationSection<Name, Row>,
  "columns" | "from" | "flags"
> &
  Partial<Pick<ExportSection, "columns" | "from">>;

/** Without `from`, a section is the table of its name; without `columns`, those of its rows. */
function section<const Name extends string, Row extends z.ZodObject>(
  given: Given<Name, Row>,
): OrganizationSection<Name, Row> {
  const rules = Object.entries(given.row.shape);
  const flags = rules.flatMap(([name, rule]) => (isFlag(rule) ? [name] : []));
  return { columns: rules.map(([name]) => name).join(", "), from: given.name, flags, ...given };
}

const isFlag = (rule: unknown): boolean =>
  rule instanceof z.ZodBoolean || (rule instanceof z.ZodDefault && isFlag(rule.unwrap()));

export const userColumns =
  "id AS user_id, email, full_name, role, is_active, is_bot, bot_type, bot_owner_id, timezone, date_joined";
export const messageColumns =
  "messages.id, messages.sender_id, messages.sent_at, clients.name AS client, conversations.channel_id, " +
  "conversations.participants, CASE WHEN conversations.channel_id IS NULL THEN NULL ELSE messages.topic END AS topic, " +
  "messages.content, messages.rendered";
export const messageTables =
  "messages JOIN conversations ON conversations.id = messages.conversation_id JOIN clients ON clients.id = messages.client_id";
export const userFlags = ["is_active", "is_bot"];

const id = z.int().min(1);
const idOrNull = id.nullable();
const time = z.int();
const json = z.unknown();
const flag = z.boolean();
const text = z.string();

const message = z.object({
  ...{ id, sender_id: id, sent_at: time, client: text, channel_id: idOrNull },
  participants: z
    .string()
    .regex(/^\d+(,\d+)*$/)
    .nullable(),
  topic: text.nullable(),
  ...{ content: text, rendered: text },
});

const edit = z.object({
  ...{
    message_id: id,
    user_id: id,
    edited_at: time,
    prev_content: text.nullable(),
    prev_topic: text.nullable(),
  },
  ...{ topic: text.nullable(), prev_channel_id: idOrNull, channel_id: idOrNull },
});

const reaction = z.object({
  ...{ message_id: id, user_id: id, type: z.enum(["U", "R", "X"]), code: text, name: text },
});

const user = z.object({
  ...{
    user_id: id,
    email: text,
    full_name: text,
    role,
    is_active: flag,
    is_bot: flag,
    bot_type: z.int().nullable(),
  },
  ...{ bot_owner_id: idOrNull, timezone: text, date_joined: time },
  delivery_email: text.optional(),
  address_proof: proofKind.nullable().optional(),
  system_bot: z.enum(["notification", "welcome"]).nullable().optional(),
  erased_at: time.nullable().default(null),
  awaits_login: z.enum(["imported", "created"]).nullable().default(null),
});

const setting = z.object({ name: text, value: json });

/** The data of the organization. A table whose rows go back as they are needs nothing but its entry here. */
export const organizationSections = [
  section({
    name: "settings",
    about: "Settings of the organization that differ from their defaults",
    row: setting,
    where: "scope = 'realm'",
    order: "name",
    json: ["value"],
    shared: {},
  }),
  section({
    name: "login_settings",
    about: "By which ways people may sign in, where that differs from the default",
    row: setting,
    from: "settings",
    where: "scope = 'login'",
    order: "name",
    json: ["value"],
    isLater: true,
  }),
  section({
    name: "user_defaults",
    about: "Personal settings that new people start with, where they differ from the defaults",
    row: setting,
    from: "settings",
    where: "scope = 'user_defaults'",
    order: "name",
    json: ["value"],
    isLater: true,
  }),
  section({
    name: "domains",
    about: "Domains of the addresses that people may have",
    row: z.object({ id, domain: text, allow_subdomains: flag }),
    from: "realm_domains",
    order: "id",
    isLater: true,
  }),
  section({
    name: "linkifiers",
    about: "Patterns whose matches become links, in their order; `dialect` is re2 or python",
    row: z.object({
      ...{ id, pattern: text, url_template: text, dialect: z.enum(["python", "re2"]) },
      ...{ example_input: text.nullable().default(null), reverse_template: text.nullable().default(null) },
      alternative_url_templates: z.array(text).default([]),
    }),
    json: ["alternative_url_templates"],
    order: "position",
    isLater: true,
  }),
  section({
    name: "playgrounds",
    about: "Where clients open code of a language",
    row: z.object({ id, name: text, pygments_language: text, url_template: text }),
    order: "id",
    isLater: true,
  }),
  section({
    name: "users",
    about:
      "People and bots; roles are 100 owner, 200 administrator, 300 moderator, 400 member, 600 guest; `address_proof` is how their address was proved, or null; `erased_at` is set for people who were erased, `awaits_login` for accounts that an import or an administrator made and nobody has signed in to",
    row: user,
    columns: `${userColumns}, delivery_email, system_bot, erased_at, awaits_login, ${addressProof}`,
    order: "id",
    // People's own addresses are not for everybody who may read an export.
    shared: { columns: userColumns },
  }),
  section({
    name: "emoji",
    about: "Custom emoji; their pictures are in backups",
    row: z.object({ id, name: text, author_id: idOrNull, deactivated: flag }),
    from: "realm_emoji",
    order: "id",
    shared: {},
  }),
  section({
    name: "profile_fields",
    about: "Profile fields, in their order; `type` is the API's",
    row: z.object({
      ...{ id, type: z.int().min(1).max(8), name: text, hint: text, field_data: text },
      ...{ display_in_profile_summary: flag, required: flag, editable_by_user: flag },
      use_for_user_matching: flag.default(false),
    }),
    order: "position",
    shared: {},
  }),
  section({
    name: "profile_values",
    about: "Values of these fields",
    row: z.object({ user_id: id, field_id: id, value: text }),
    order: "user_id, field_id",
    shared: {},
  }),
  section({
    name: "bot_services",
    about: "URLs of outgoing webhooks, without their tokens",
    row: z.object({ bot_id: id, base_url: text, interface: z.int() }),
    order: "bot_id",
  }),
  section({
    name: "bot_storage",
    about: "The storage of bots",
    row: z.object({ bot_id: id, key: text, value: text }),
    order: "bot_id, key",
  }),
  section({
    name: "webhook_templates",
    about: "How bots of incoming webhooks word what tools post",
    row: z.object({ bot_id: id, topic: text, content: text }),
    order: "bot_id",
    isLater: true,
  }),
  section({
    name: "groups",
    about: "User groups: `system`, `named`, and `anonymous` ones that are values of permissions",
    row: z.object({
      ...{ id, kind: z.enum(["system", "named", "anonymous"]), name: text, description: text },
      ...{ creator_id: idOrNull, date_created: time.nullable(), deactivated: flag },
    }),
    from: "user_groups",
    order: "id",
    shared: { where: groupShown },
  }),
  section({
    name: "group_members",
    about: "Direct members of groups; members of system groups follow from roles",
    row: z.object({ group_id: id, user_id: id }),
    order: "group_id, user_id",
    shared: { where: `group_id ${inGroupShown}` },
  }),
  section({
    name: "group_subgroups",
    about: "Direct subgroups of groups",
    row: z.object({ group_id: id, subgroup_id: id }),
    order: "group_id, subgroup_id",
    shared: { where: `group_id ${inGroupShown}` },
  }),
  section({
    name: "permissions",
    about: "Permissions that differ from their defaults; `scope` is realm, channel or group",
    row: z.object({ scope: text, owner_id: z.int(), name: text, group_id: id }),
    from: "grants",
    order: "scope, owner_id, name",
    shared: { where: permissionShown },
  }),
  section({
    name: "channel_folders",
    about: "Channel folders, in their order",
    row: z.object({
      ...{ id, name: text, description: text, position: z.int(), date_created: time },
      ...{ creator_id: idOrNull, is_archived: flag },
    }),
    order: "position",
    shared: {},
  }),
  section({
    name: "channels",
    about: "Channels",
    row: z.object({
      ...{ id, name: text, description: text, date_created: time, creator_id: idOrNull },
      ...{ invite_only: flag, is_web_public: flag, history_public_to_subscribers: flag, is_archived: flag },
      ...{ message_retention_days: z.int().nullable(), folder_id: idOrNull, topics_policy: text },
    }),
    order: "id",
    shared: { where: `id ${inChannelShown}` },
  }),
  section({
    name: "subscriptions",
    about: "Who is subscribed to which channel",
    row: z.object({ channel_id: id, user_id: id, color: text, is_muted: flag, pin_to_top: flag }),
    where: "is_subscribed",
    order: "channel_id, user_id",
    shared: {
      columns: "channel_id, user_id",
      flags: [],
      where: `is_subscribed AND channel_id ${inChannelShown}`,
    },
  }),
  section({
    name: "default_channels",
    about: "Channels that new people are subscribed to",
    row: z.object({ channel_id: id }),
    order: "channel_id",
    isLater: true,
  }),
  section({
    name: "default_channel_groups",
    about: "Groups of channels that new people may choose",
    row: z.object({ id, name: text, description: text }),
    order: "id",
    isLater: true,
  }),
  section({
    name: "default_channel_group_channels",
    about: "The channels of these groups",
    row: z.object({ group_id: id, channel_id: id }),
    order: "group_id, channel_id",
    isLater: true,
  }),
  section({
    name: "bot_defaults",
    about: "Channels that bots send to and hear of where a request names none",
    row: z.object({
      ...{ bot_id: id, sending_channel_id: idOrNull, events_channel_id: idOrNull, all_public_channels: flag },
    }),
    order: "bot_id",
    isLater: true,
  }),
  section({
    name: "messages",
    about:
      "Messages; channel messages have `channel_id` and `topic`, direct messages the IDs of all `participants`",
    row: message,
    columns: messageColumns,
    from: messageTables,
    order: "messages.id",
    shared: { where: messageShown, walks: { by: "messages.id", table: "messages" } },
  }),
  section({
    name: "message_edits",
    about: "Edits and moves of messages: what each message was before",
    row: edit,
  }),
  section({
    name: "reactions",
    about: "Reactions; `type` is U for Unicode, R for custom emoji, X for extra ones",
    row: reaction,
    order: "message_id, user_id",
    shared: { where: ofMessageShown, walks: byMessage },
  }),
  section({
    name: "submessages",
    about: "Polls and to-do lists, with votes and changes",
    row: z.object({ id, message_id: id, sender_id: id, msg_type: text, content: text }),
    order: "id",
    shared: { where: ofMessageShown, walks: { by: "id", table: "submessages" } },
  }),
  section({
    name: "reports",
    about: "Messages that were reported to the moderators; `content` is the message as it was then",
    row: z.object({
      ...{ id, message_id: id, reported_id: id, reporter_id: id, report_type: text, description: text },
      ...{ reported_at: time, channel_id: idOrNull.default(null), topic: text.nullable().default(null) },
      ...{ content: text.default(""), handled_at: time.nullable().default(null) },
      ...{ handled_by: idOrNull.default(null), handled_note: text.default("") },
      ...{ is_dismissed: flag.default(false), acts: z.array(text).default([]) },
    }),
    order: "id",
    json: ["acts"],
  }),
  section({
    name: "report_decisions",
    about: "What moderators decided about reports, in order; `warning` is what they wrote to the sender",
    row: z.object({
      ...{ id, report_id: id, decided_at: time, decided_by: idOrNull },
      ...{ decision: z.enum(["handled", "dismissed", "reopened"]), acts: z.array(text) },
      ...{ warning: text, note: text },
    }),
    order: "id",
    json: ["acts"],
    isLater: true,
  }),
  section({
    name: "audit_log",
    about: "Who did what to the organization and to what is not their own, and when",
    row: z.object({
      ...{ id, at: time, actor_id: idOrNull, client: text, event: text, about: text, about_id: idOrNull },
      about_name: text.nullable().default(null),
      person_id: idOrNull.default(null),
      data: z.record(z.string(), json),
    }),
    order: "id",
    json: ["data"],
  }),
] as const;

export type Section = (typeof organizationSections)[number];
