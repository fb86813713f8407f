import { z } from "zod";
import { event } from "@/kernel/core/events.ts";
import { errorKinds } from "@/kernel/lib/errors.ts";
import { setting, settings } from "@/kernel/store/settings.ts";
import { isLoopback } from "@/text/links/schema.ts";
import { realmWords as words } from "./descriptions.ts";
import { hasAtMost, hasNoNull, isPrintable, languageCode } from "./texts.ts";

export const realmErrors = errorKinds({
  REALM_DEACTIVATED: { status: 401 },
});

const flag = z.boolean();

const seconds = z.int().positive().nullable();

const channelOrOff = z.int().min(-1);

const century = 36_500;

function text(max: number, tooLong: string) {
  return z
    .string()
    .trim()
    .refine(hasAtMost(max), tooLong)
    .meta({ maxLength: max })
    .refine(hasNoNull, "This text must not contain null bytes.");
}

/** The organization's ID in events and file URLs. Always 1, because a data folder holds one organization. */
export const realmId = 1;

/** Kinds of organization, from unspecified to other. */
const orgTypes = [0, 10, 20, 30, 35, 40, 50, 60, 70, 80, 90, 100, 1000] as const;

/** Call providers, by the numbers that clients know. */
export const callProviders = { none: 0, jitsi: 1 } as const;

export const organizationName = z
  .string()
  .trim()
  .min(1, "An organization needs a name.")
  .max(40, "An organization's name has at most 40 characters.")
  .refine(isPrintable, "An organization's name must be made of printable characters.");

/** Settings of the organization; its permission settings are in permissions/schema. */
export const realmSettings = settings("realm", {
  site: setting(z.string(), "", "Address at which clients reach this server"),
  name: setting(organizationName, "Confab", words.name),
  description: setting(
    text(1000, "An organization's description has at most 1000 characters."),
    "",
    words.description,
  ),
  org_type: setting(z.literal(orgTypes), 0, words.org_type),
  default_language: setting(languageCode, "en", words.default_language),
  default_code_block_language: setting(z.string().max(100), "", words.default_code_block_language),
  invite_required: setting(flag, true, words.invite_required),
  disallow_disposable_email_addresses: setting(flag, true, words.disallow_disposable_email_addresses),
  emails_restricted_to_domains: setting(flag, false, words.emails_restricted_to_domains),
  require_unique_names: setting(flag, false, words.require_unique_names),
  name_changes_disabled: setting(flag, false, words.name_changes_disabled),
  email_changes_disabled: setting(flag, false, words.email_changes_disabled),
  default_avatar_source: setting(z.enum(["G", "J"]), "G", words.default_avatar_source),
  avatar_changes_disabled: setting(flag, false, words.avatar_changes_disabled),
  inline_image_preview: setting(flag, true, words.inline_image_preview),
  linked_image_preview: setting(flag, false, words.linked_image_preview),
  media_preview_size: setting(z.literal([100, 150, 200]), 100, words.media_preview_size),
  inline_url_embed_preview: setting(flag, false, words.inline_url_embed_preview),
  allow_message_editing: setting(flag, true, words.allow_message_editing),
  message_content_edit_limit_seconds: setting(seconds, 600, words.message_content_edit_limit_seconds),
  message_content_delete_limit_seconds: setting(seconds, 600, words.message_content_delete_limit_seconds),
  move_messages_within_stream_limit_seconds: setting(
    seconds,
    604_800,
    words.move_messages_within_stream_limit_seconds,
  ),
  move_messages_between_streams_limit_seconds: setting(
    seconds,
    604_800,
    words.move_messages_between_streams_limit_seconds,
  ),
  message_edit_history_visibility_policy: setting(
    z.enum(["all", "moves", "none"]),
    "all",
    words.message_edit_history_visibility_policy,
  ),
  topics_policy: setting(
    z.enum(["allow_empty_topic", "disable_empty_topic"]),
    "allow_empty_topic",
    words.topics_policy,
  ),
  message_retention_days: setting(
    z.union(
      [z.literal(-1), z.int().min(1).max(century)],
      `Messages are kept for 1 to ${century} days, or "unlimited".`,
    ),
    -1,
    words.message_retention_days,
  ),
  waiting_period_threshold: setting(z.int().min(0).max(century), 0, words.waiting_period_threshold),
  new_stream_announcements_stream_id: setting(channelOrOff, -1, words.new_stream_announcements_stream_id),
  signup_announcements_stream_id: setting(channelOrOff, -1, words.signup_announcements_stream_id),
  service_update_announcements_stream_id: setting(channelOrOff, -1, {
    about: "Channel that announces updates of the server, which this server does not do",
    form: "channel",
  }),
  send_channel_events_messages: setting(flag, true, words.send_channel_events_messages),
  moderation_request_channel_id: setting(channelOrOff, -1, words.moderation_request_channel_id),
  send_welcome_emails: setting(flag, true, words.send_welcome_emails),
  digest_emails_enabled: setting(
    flag.refine((isOn) => !isOn, "This server sends no digests."),
    false,
    "People who are away receive digests, which this server does not send",
  ),
  digest_weekday: setting(z.int().min(0).max(6), 1, {
    about: "Day of digests, which this server does not send",
    values: [
      [0, "Monday"],
      [1, "Tuesday"],
      [2, "Wednesday"],
      [3, "Thursday"],
      [4, "Friday"],
      [5, "Saturday"],
      [6, "Sunday"],
    ],
  }),
  message_content_allowed_in_email_notifications: setting(
    flag,
    true,
    words.message_content_allowed_in_email_notifications,
  ),
  video_chat_provider: setting(
    z.literal(Object.values(callProviders), "This server does not offer calls by that provider."),
    callProviders.none,
    words.video_chat_provider,
  ),
  jitsi_server_url: setting(
    z
      .url({ protocol: /^https?$/, error: "A Jitsi server's address must begin with https:// or http://." })
      .max(200, "A Jitsi server's address has at most 200 characters.")
      .refine((url) => !/[\s\p{Cc}]/u.test(url), "A Jitsi server's address must not contain blanks.")
      .nullable(),
    null,
    words.jitsi_server_url,
  ),
  gif_rating_policy: setting(z.int().min(0).max(5), 0, {
    about: "Rating of GIFs, which this server does not offer",
    values: [
      [0, "No GIFs"],
      [1, "Rated Y"],
      [2, "Rated G"],
      [3, "Rated PG"],
      [4, "Rated PG-13"],
      [5, "Rated R"],
    ],
  }),
  enable_spectator_access: setting(flag, false, words.enable_spectator_access),
  want_advertise_in_communities_directory: setting(
    flag,
    false,
    "May be listed in public directories; this server reports to none",
  ),
  enable_read_receipts: setting(flag, true, words.enable_read_receipts),
  enable_guest_user_indicator: setting(flag, true, words.enable_guest_user_indicator),
  enable_guest_user_dm_warning: setting(flag, true, words.enable_guest_user_dm_warning),
  require_e2ee_push_notifications: setting(
    flag,
    false,
    "Push notifications must be end-to-end encrypted; this server sends none",
  ),
  welcome_message_custom_text: setting(
    text(8000, "A welcome message has at most 8000 characters."),
    "",
    words.welcome_message_custom_text,
  ),
});

/** How people may sign in; only owners may change it. */
export const loginSettings = settings("login", {
  passwords: setting(flag, true, "People may sign in by password"),
  openid: setting(flag, true, "People may sign in at the providers of the server"),
  two_step_required: setting(flag, false, "Who signs in by password or link must use two-step sign-in"),
});

/** What a new organization waits for. */
export const firstVisit = settings("first_visit", {
  owner: setting(
    z.int().nullable(),
    null,
    "The owner whose name and address are made up, until they say who they are",
  ),
});

/** The operator's options. `serve` stores them at each start, for processes started without them. */
export const serverOptions = settings("server", {
  webhook_networks: setting(
    z.string(),
    "",
    "Networks that outgoing webhooks may reach besides the public Internet",
  ),
  preview_networks: setting(
    z.string(),
    "",
    "Networks whose pages and pictures may be previewed besides those of the public Internet",
  ),
  web_public_channels: setting(flag, false, "Channels may be opened to people without an account"),
  max_file_upload_size_mib: setting(z.int().min(1).max(10_240), 100, "Largest file, in MiB"),
  upload_quota_mib: setting(z.int().min(1).nullable(), null, "Maximum size of all files together, in MiB"),
  upload_quota_per_user_mib: setting(
    z.int().min(1).nullable(),
    null,
    "Maximum size of all files of a person or bot, in MiB",
  ),
  no_welcome: setting(flag, false, "New people get only the organization's own welcome message"),
  sends_mail: setting(flag, false, "The server sends mail"),
  sign_on: setting(
    z.array(z.object({ name: z.string(), button: z.string(), icon: z.string().nullable() })),
    [],
    "Providers at which people may sign in",
  ),
  invitation_link_validity_minutes: setting(z.int().positive(), 14_400, "How long invitations are valid"),
  invitations_per_day: setting(z.int().min(0), 100, "How many addresses may be invited in a day"),
});

/** Limits that the server announces to clients. */
export const limits = {
  max_message_length: 10_000,
  max_topic_length: 60,
  max_stream_name_length: 60,
  max_stream_description_length: 1024,
  max_channel_folder_name_length: 60,
  max_channel_folder_description_length: 1024,
  max_bulk_new_subscription_messages: 100,
  max_reminder_note_length: 1000,
  max_avatar_file_size_mib: 5,
  max_icon_file_size_mib: 5,
  max_logo_file_size_mib: 5,
  password_min_length: 6,
  password_max_length: 100,
  password_min_guesses: 10_000,
} as const;

/** The name of the empty topic for clients that cannot show it. */
export const emptyTopicDisplayName = "general chat";

/** The reasons for reporting a message, by the words that clients send. */
export const reportReasons = {
  spam: "Spam",
  harassment: "Harassment",
  inappropriate: "Inappropriate content",
  norms: "Violates the norms of this organization",
  other: "Other",
} as const;

/** A domain whose addresses may join. */
export const realmDomain = z.object({ domain: z.string(), allow_subdomains: z.boolean() });

export type RealmDomain = z.infer<typeof realmDomain>;

const label = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";

export const domainName = z
  .string()
  .trim()
  .toLowerCase()
  .max(253, "A domain has at most 253 characters.")
  .regex(new RegExp(`^${label}(?:\\.${label})+$`), "Enter a domain, such as example.com.");

export const newDomain = z.object({ domain: domainName, allow_subdomains: z.boolean() });

export const realmPicture = z.enum(["icon", "logo", "night_logo"]);

export type RealmPicture = z.infer<typeof realmPicture>;

const property = z.enum(["default", ...realmPicture.options]);

/** One setting has changed; settings that change together come as `realmChanged`. */
export const realmUpdated = event("realm", {
  about: "One setting of the organization has changed.",
  op: "update",
  schema: z.object({
    property: z.string(),
    value: z.union([z.string(), z.number(), z.boolean(), z.null()]),
  }),
});

interface RealmChange {
  property: z.infer<typeof property>;
  data: Record<string, unknown>;
  /** Users whose clients must register again, because too much changes for them. */
  restarts?: readonly number[];
}

export const realmChanged = event("realm", {
  about: "Several settings of the organization have changed.",
  op: "update_dict",
  schema: z.object({ property, data: z.record(z.string(), z.unknown()) }),
  shape: ({ property, data }: RealmChange) => ({ property, data }),
  after: ({ restarts = [] }, queues) => {
    for (const id of restarts) queues.closeAllOf(id);
  },
});

export const realmDeactivated = event("realm", {
  about: "The organization was deactivated.",
  op: "deactivated",
  schema: z.object({ realm_id: z.int() }),
});

export const domainAdded = event("realm_domains", {
  about: "E-mail addresses of a domain may join.",
  op: "add",
  schema: z.object({ realm_domain: realmDomain }),
});

export const domainChanged = event("realm_domains", {
  about: "Whether subdomains of a domain may join has changed.",
  op: "change",
  schema: z.object({ realm_domain: realmDomain }),
});

export const domainRemoved = event("realm_domains", {
  about: "E-mail addresses of a domain may no longer join.",
  op: "remove",
  schema: z.object({ domain: z.string() }),
});

/** A remark for messages and emails whose links only work on this machine; empty if they work for others. */
export function remarkOnLinks(site: string | null): (typeof linkRemark)[] {
  return site !== null && isLoopback(site) ? [linkRemark] : [];
}

const linkRemark =
  "This address only works on the server's own machine: the server's public address is not set (confab serve --site).";

/** The API's feature level, and the versions that existing clients expect. */
const versions = { featureLevel: 486, service: "11.0", mergeBase: "11.0" } as const;

export const versionFields = {
  service_version: versions.service,
  service_merge_base: versions.mergeBase,
  service_feature_level: versions.featureLevel,
  zulip_version: versions.service,
  zulip_merge_base: versions.mergeBase,
  zulip_feature_level: versions.featureLevel,
};

export interface RealmRow {
  string_id: string;
  date_created: number;
  avatar_salt: string;
  /** UNIX seconds; null while the organization is active. */
  deactivated_at: number | null;
  /** Null if no picture was uploaded. */
  icon_file: string | null;
  logo_file: string | null;
  night_logo_file: string | null;
}

export interface DomainRow {
  id: number;
  domain: string;
  allow_subdomains: 0 | 1;
}
