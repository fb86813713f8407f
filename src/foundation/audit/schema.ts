import { z } from "zod";

/** What an entry can be about; some, such as `realm`, have no ID. */
export const subjects = [
  "realm",
  "user",
  "bot",
  "group",
  "channel",
  "topic",
  "folder",
  "invitation",
  "linkifier",
  "playground",
  "emoji",
  "profile_field",
  "domain",
  "default_channel_group",
  "message",
  "file",
  "report",
  "export",
  "mail",
  "webhook",
  "server",
] as const;
export type Subject = (typeof subjects)[number];

/** What can happen to an account. Its entry's event begins with `user_` or `bot_`. */
export const accountChanges = [
  "created",
  "renamed",
  "profile_changed",
  "profile_deleted",
  "avatar_changed",
  "status_changed",
  "role_changed",
  "address_changed",
  "address_proved",
  "address_unproved",
  "deactivated",
  "reactivated",
  "erased",
  "password_set",
  "reset_link_made",
  "login_link_made",
  "sessions_ended",
  "keys_ended",
  "key_replaced",
  "two_step_enabled",
  "two_step_disabled",
  "two_step_reset",
  "recovery_codes_replaced",
  "invited_after_import",
  "owner_changed",
  "defaults_changed",
  "service_changed",
  "webhook_secret_set",
  "webhook_secret_replaced",
  "webhook_secret_removed",
  "webhook_template_set",
  "webhook_template_removed",
  "test_event_sent",
  "test_call_made",
] as const;
export type AccountChange = (typeof accountChanges)[number];

/** What can happen to all else. */
export const otherEvents = [
  "channel_created",
  "channel_renamed",
  "channel_described",
  "channel_archived",
  "channel_unarchived",
  "channel_privacy_changed",
  "channel_permission_changed",
  "channel_retention_changed",
  "channel_folder_changed",
  "channel_topics_policy_changed",
  "channel_made_default",
  "channel_made_not_default",
  "channel_subscribers_added",
  "channel_subscribers_removed",
  "folder_created",
  "folder_renamed",
  "folder_described",
  "folder_archived",
  "folder_unarchived",
  "folders_reordered",
  "default_channel_group_created",
  "default_channel_group_changed",
  "default_channel_group_deleted",
  "default_channel_group_channels_added",
  "default_channel_group_channels_removed",
  "group_created",
  "group_changed",
  "group_members_changed",
  "group_deactivated",
  "group_reactivated",
  "invitation_created",
  "invitation_accepted",
  "invitation_resent",
  "invitation_revoked",
  "linkifier_added",
  "linkifier_changed",
  "linkifier_removed",
  "linkifiers_reordered",
  "playground_added",
  "playground_removed",
  "emoji_added",
  "emoji_deactivated",
  "profile_field_added",
  "profile_field_changed",
  "profile_field_removed",
  "profile_fields_reordered",
  "domain_added",
  "domain_changed",
  "domain_removed",
  "message_deleted",
  "messages_moved",
  "messages_of_user_deleted",
  "topic_deleted",
  "topic_resolved",
  "topic_unresolved",
  "retention_swept",
  "retention_released",
  "report_dismissed",
  "report_handled",
  "report_reopened",
  "export_started",
  "export_written",
  "export_deleted",
  "imported",
  "restored",
  "mail_discarded",
  "webhook_call_discarded",
  "realm_changed",
  "realm_setting_changed",
  "realm_icon_changed",
  "realm_logo_changed",
  "realm_night_logo_changed",
  "realm_deactivated",
  "realm_reactivated",
  "user_setting_default_changed",
  "user_settings_changed",
  "upload_limits_changed",
  "unlinked_uploads_deleted",
  "files_moved",
  "node_removed",
  "node_token_made",
  "metrics_token_made",
  "metrics_token_revoked",
  "command_run",
] as const;
export type OtherEvent = (typeof otherEvents)[number];

export type AuditEvent = `${"user" | "bot"}_${AccountChange}` | OtherEvent;

/** What can happen to such a thing: `"renamed"` of a `"channel"`, where there is an event `channel_renamed`. */
export type ChangeOf<Thing extends string, Event = AuditEvent> = Event extends `${Thing}_${infer Change}`
  ? Change
  : never;

/** One act on what belongs to the organization or to somebody else. `data` is what changed, never a secret: `{ from, to }` for a replaced value. */
export const auditEntry = z.object({
  id: z.int(),
  /** UNIX seconds. */
  at: z.int(),
  /** Null if the system acted. */
  actor_id: z.int().nullable(),
  actor_name: z.string().nullable(),
  client: z.string(),
  event: z.string(),
  /** `name` is today's or, of what is gone, the last one; null if it has none. */
  about: z.object({ kind: z.enum(subjects), id: z.int().nullable(), name: z.string().nullable() }),
  /** Whose it was; null if it is the organization's. */
  person_id: z.int().nullable(),
  person_name: z.string().nullable(),
  data: z.record(z.string(), z.unknown()),
  /** `data` with names instead of IDs, as text. */
  details: z.record(z.string(), z.string()),
});
export type AuditEntry = z.infer<typeof auditEntry>;

const date = z
  .string()
  .refine((text) => !Number.isNaN(Date.parse(text)), "a date, as 2026-11-21 or 2026-11-21T09:30:00Z");
const secondsOf = (text: string) => Math.floor(Date.parse(text) / 1000);
const isDay = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text);

/** From when on to list entries, as people enter it, in UNIX seconds. */
export const fromTime = date.transform(secondsOf);
/** Until when, exclusive; a day is listed as a whole. */
export const untilTime = date.transform((text) => secondsOf(text) + (isDay(text) ? 86_400 : 0));

/** The most entries that are listed at once. */
export const maxEntries = 1000;

/** What to list, newest first; `before` is the ID of the last entry seen. */
export interface AuditFilter {
  limit: number;
  before?: number | undefined;
  actorId?: number | undefined;
  /** Entries about this person and about what is theirs. */
  personId?: number | undefined;
  event?: string | undefined;
  about?: { kind?: Subject | undefined; id?: number | undefined } | undefined;
  /** What it is or was called, in any case. */
  aboutName?: string | undefined;
  /** UNIX seconds, inclusive. */
  since?: number | undefined;
  /** UNIX seconds, exclusive. */
  until?: number | undefined;
}

/** What a person types to say what entries are about: an address means a person, another text the name of a thing. */
export function concernOf(
  text: string | undefined,
  personWith: (email: string) => number,
): Pick<AuditFilter, "personId" | "aboutName"> {
  if (text === undefined) return {};
  return text.includes("@") ? { personId: personWith(text) } : { aboutName: text };
}

const between: Partial<Record<Subject, string>> = {
  message: " in",
  export: " of",
  mail: " to",
  webhook: " of",
};

/** What an entry is about, as people read it: "channel Office", "message in Office › lunch, by Mel". */
export function aboutText({ about, person_name }: Pick<AuditEntry, "about" | "person_name">): string {
  const { kind, id, name } = about;
  const word = kind === "realm" ? "the organization" : kind.replaceAll("_", " ");
  if (kind === "report" && person_name !== null) return `report about ${person_name}`;
  const rest = name ?? (id === null ? null : String(id));
  const what = rest === null ? word : `${word}${name === null ? "" : (between[kind] ?? "")} ${rest}`;
  if (person_name === null) return what;
  return kind === "message" ? `${what}, by ${person_name}` : `${what}, of ${person_name}`;
}

/** An entry's details in one line: "name: Office, private: yes". */
export function detailText({ details }: Pick<AuditEntry, "details">): string {
  return Object.entries(details)
    .map(([name, text]) => `${name}: ${text}`)
    .join(", ");
}
