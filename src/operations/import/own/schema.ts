// The sections of our own export (docs/export.md), and the columns of their rows.
import { z } from "zod";
import { proofKind } from "@/foundation/address-proofs/schema.ts";
import { role } from "@/foundation/permissions/schema.ts";

const id = z.int().min(1);
const idOrNull = id.nullable();
const time = z.int();
const json = z.unknown();
const flag = z.boolean();
const text = z.string();

export const head = z.object({
  format: z.literal(1, "Only format 1 can be read."),
  version: text,
  exported_at: time,
});

const message = z.object({
  ...{ id, sender_id: id, sent_at: time, client: text, channel_id: idOrNull },
  participants: z
    .string()
    .regex(/^\d+(,\d+)*$/)
    .nullable(),
  topic: text.nullable(),
  ...{ content: text, rendered: text },
});
export type OwnMessage = z.infer<typeof message>;

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
export type OwnEdit = z.infer<typeof edit>;

const reaction = z.object({
  ...{ message_id: id, user_id: id, type: z.enum(["U", "R", "X"]), code: text, name: text },
});
export type OwnReaction = z.infer<typeof reaction>;

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
});
export type OwnUser = z.infer<typeof user>;

const setting = z.object({ name: text, value: json });

export const ownSections = {
  settings: setting,
  login_settings: setting,
  user_defaults: setting,
  domains: z.object({ id, domain: text, allow_subdomains: flag }),
  linkifiers: z.object({ id, pattern: text, url_template: text, dialect: z.enum(["python", "re2"]) }),
  playgrounds: z.object({ id, name: text, pygments_language: text, url_template: text }),
  users: user,
  emoji: z.object({ id, name: text, author_id: idOrNull, deactivated: flag }),
  profile_fields: z.object({
    ...{ id, type: z.int().min(1).max(8), name: text, hint: text, field_data: text },
    ...{ display_in_profile_summary: flag, required: flag, editable_by_user: flag },
  }),
  profile_values: z.object({ user_id: id, field_id: id, value: text }),
  bot_services: z.object({ bot_id: id, base_url: text, interface: z.int() }),
  bot_storage: z.object({ bot_id: id, key: text, value: text }),
  groups: z.object({
    ...{ id, kind: z.enum(["system", "named", "anonymous"]), name: text, description: text },
    ...{ creator_id: idOrNull, date_created: time.nullable(), deactivated: flag },
  }),
  group_members: z.object({ group_id: id, user_id: id }),
  group_subgroups: z.object({ group_id: id, subgroup_id: id }),
  permissions: z.object({ scope: text, owner_id: z.int(), name: text, group_id: id }),
  channel_folders: z.object({
    ...{ id, name: text, description: text, position: z.int(), date_created: time },
    ...{ creator_id: idOrNull, is_archived: flag },
  }),
  channels: z.object({
    ...{ id, name: text, description: text, date_created: time, creator_id: idOrNull },
    ...{ invite_only: flag, is_web_public: flag, history_public_to_subscribers: flag, is_archived: flag },
    ...{ message_retention_days: z.int().nullable(), folder_id: idOrNull, topics_policy: text },
  }),
  subscriptions: z.object({ channel_id: id, user_id: id, color: text, is_muted: flag, pin_to_top: flag }),
  default_channels: z.object({ channel_id: id }),
  default_channel_groups: z.object({ id, name: text, description: text }),
  default_channel_group_channels: z.object({ group_id: id, channel_id: id }),
  bot_defaults: z.object({
    ...{ bot_id: id, sending_channel_id: idOrNull, events_channel_id: idOrNull, all_public_channels: flag },
  }),
  messages: message,
  message_edits: edit,
  reactions: reaction,
  submessages: z.object({ id, message_id: id, sender_id: id, msg_type: text, content: text }),
  reports: z.object({
    ...{ id, message_id: id, reported_id: id, reporter_id: id, report_type: text, description: text },
    reported_at: time,
  }),
  audit_log: z.object({
    ...{ id, at: time, actor_id: idOrNull, client: text, event: text, about: text, about_id: idOrNull },
    about_name: text.nullable().default(null),
    person_id: idOrNull.default(null),
    data: z.record(z.string(), json),
  }),
} as const;
export type OwnSection = keyof typeof ownSections;

/** Sections that documents of earlier versions lack. */
export const laterSections: ReadonlySet<string> = new Set<OwnSection>([
  ...(["login_settings", "user_defaults", "domains", "linkifiers", "playgrounds"] as const),
  ...([
    "default_channels",
    "default_channel_groups",
    "default_channel_group_channels",
    "bot_defaults",
  ] as const),
]);
