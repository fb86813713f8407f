import { createHash } from "node:crypto";
import { allow, isOpenToPublic, presentGrants } from "@/foundation/permissions/access.ts";
import { findGrantedSuperset } from "@/foundation/permissions/grants.ts";
import {
  type Grant,
  type GrantName,
  type GrantScope,
  grants,
  type SystemGroupName,
} from "@/foundation/permissions/schema.ts";
import { knownAccounts } from "@/foundation/profile-fields/schema.ts";
import {
  botDomain,
  hasRealm,
  listProviders,
  loginMethods,
  pictureFields,
  realmOf,
  takesPasswords,
  translatorToAll,
} from "@/foundation/realm/access.ts";
import { domainsOf } from "@/foundation/realm/domains.ts";
import {
  callProviders,
  type DomainRow,
  emptyTopicDisplayName,
  limits,
  type RealmDomain,
  type RealmPicture,
  realmPicture,
  realmSettings,
  reportReasons,
  serverOptions,
  versionFields,
} from "@/foundation/realm/schema.ts";
import { demandsTwoStep } from "@/foundation/two-step/access.ts";
import { translatorTo } from "@/foundation/user-settings/access.ts";
import { type Ctx, type StateReader, siteOf } from "@/kernel/core/context.ts";
import { query } from "@/kernel/core/operation.ts";
import { forSpectators } from "@/kernel/events/state.ts";
import { RawAnswer } from "@/kernel/http/endpoint.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { cache } from "@/kernel/store/cache.ts";
import { emojiData } from "@/text/emoji/emoji-data.ts";
import { sentence } from "@/text/language/tables.ts";
import type { Translator } from "@/text/language/translator.ts";
import { render } from "@/text/rendering/render.ts";

/** The `realm` section of the initial state. */
export function realmState(ctx: Ctx): Record<string, unknown> {
  const { site, ...values } = realmSettings.read(ctx);
  return {
    ...prefixNames(values),
    ...prefixNames(presentGrants(ctx, "realm", 0)),
    ...limits,
    ...identity(ctx),
    ...olderForms(ctx),
    ...serverFields(ctx),
    ...absentFeatures,
  };
}

function prefixNames(values: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`realm_${name}`, value]));
}

function identity(ctx: Ctx): Record<string, unknown> {
  const { env } = ctx;
  return {
    realm_url: siteOf(ctx),
    realm_uri: siteOf(ctx),
    realm_bot_domain: botDomain(env.site),
    realm_date_created: realmOf(ctx).date_created,
    realm_uuid: uuidOf(realmOf(ctx).avatar_salt),
    realm_empty_topic_display_name: emptyTopicDisplayName,
    ...prefixNames(Object.assign({}, ...realmPicture.options.map((which) => pictureFields(ctx, which)))),
    realm_authentication_methods: loginMethods(ctx),
    realm_email_auth_enabled: takesPasswords(ctx),
    realm_password_auth_enabled: takesPasswords(ctx),
    realm_two_step_required: demandsTwoStep(ctx),
    realm_presence_disabled: false,
    realm_plan_type: 1,
  };
}

/** Clients tell organizations apart by it; it says nothing about the salt, which is a secret. */
function uuidOf(salt: string): string {
  const hex = createHash("sha256").update(`uuid:${salt}`).digest("hex");
  const variant = "89ab"[Number.parseInt(hex.charAt(16), 16) % 4];
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join("-");
}

/** Settings under the names and in the forms that older clients read; newer ones use a group or policy instead. */
function olderForms(ctx: Ctx): Record<string, unknown> {
  const values = realmSettings.read(ctx);
  return {
    realm_allow_edit_history: values.message_edit_history_visibility_policy !== "none",
    realm_mandatory_topics: values.topics_policy === "disable_empty_topic",
    realm_create_public_stream_policy: policyOf(ctx, "can_create_public_channel_group", creationPolicies),
    realm_create_private_stream_policy: policyOf(ctx, "can_create_private_channel_group", creationPolicies),
    realm_create_web_public_stream_policy: policyOf(
      ctx,
      "can_create_web_public_channel_group",
      webPublicPolicies,
    ),
    realm_wildcard_mention_policy: policyOf(ctx, "can_mention_many_users_group", mentionPolicies),
    realm_zulip_update_announcements_stream_id: values.service_update_announcements_stream_id,
    jitsi_server_url: values.jitsi_server_url ?? "",
    zulip_plan_is_not_limited: true,
    service_plan_is_not_limited: true,
  };
}

/** The numbers of an older setting. Each setting has its own, and clients reject others. */
type Policies = Record<Exclude<SystemGroupName, "role:internet">, number>;

const creationPolicies: Policies = {
  "role:everyone": 1,
  "role:members": 1,
  "role:fullmembers": 3,
  "role:moderators": 4,
  "role:administrators": 2,
  "role:owners": 2,
  "role:nobody": 2,
};

const webPublicPolicies: Policies = {
  "role:everyone": 4,
  "role:members": 4,
  "role:fullmembers": 4,
  "role:moderators": 4,
  "role:administrators": 2,
  "role:owners": 7,
  "role:nobody": 6,
};

const mentionPolicies: Policies = {
  "role:everyone": 1,
  "role:members": 2,
  "role:fullmembers": 3,
  "role:moderators": 7,
  "role:administrators": 5,
  "role:owners": 5,
  "role:nobody": 6,
};

/** The strictest old number that still allows everyone who has the permission. */
function policyOf(ctx: Ctx, name: GrantName<"realm">, policies: Policies): number {
  const group = findGrantedSuperset(ctx, "realm", 0, name);
  return policies[group === "role:internet" ? "role:everyone" : group];
}

function serverFields(ctx: Ctx): Record<string, unknown> {
  return {
    development_environment: ctx.env.isDevelopment,
    event_queue_longpoll_timeout_seconds: 90,
    // Wire: clients read 32 bits, into which milliseconds do not fit.
    server_generation: Math.floor(ctx.env.generation / 1000),
    server_needs_upgrade: false,
    server_presence_ping_interval_seconds: 60,
    server_presence_offline_threshold_seconds: 200,
    server_typing_started_wait_period_milliseconds: 30_000,
    server_typing_stopped_wait_period_milliseconds: 12_000,
    server_typing_started_expiry_period_milliseconds: 45_000,
    server_supported_permission_settings: listPermissionSettings(),
    realm_available_video_chat_providers: {
      disabled: { name: "None", id: callProviders.none },
      jitsi_meet: { name: "Jitsi Meet", id: callProviders.jitsi },
    },
    server_inline_image_preview: true,
    server_inline_url_embed_preview: true,
    server_avatar_changes_disabled: false,
    server_name_changes_disabled: false,
    server_web_public_streams_enabled: serverOptions.read(ctx).web_public_channels,
    server_emoji_data_url: siteOf(ctx) + emojiData().path,
    realm_default_external_accounts: knownAccounts,
    server_report_message_types: Object.entries(reportReasons).map(([key, name]) => ({
      key,
      name: readersTranslator(ctx).t(name),
    })),
  };
}

/** Spectators read the organization's language. */
function readersTranslator(ctx: Ctx): Translator {
  return ctx.actor.kind === "user" ? translatorTo(ctx, ctx.actor.id) : translatorToAll(ctx);
}

/** Features that this server does not offer, under the names that clients read. */
const absentFeatures = {
  realm_owner_full_content_access: false,
  realm_push_notifications_enabled: false,
  realm_push_notifications_enabled_end_timestamp: null,
  server_jitsi_server_url: null,
  gif_rating_policy_options: { disabled: { name: "GIFs disabled", id: 0 } },
  server_can_summarize_topics: false,
  server_min_deactivated_realm_deletion_days: null,
  server_max_deactivated_realm_deletion_days: null,
  settings_send_digest_emails: false,
  upgrade_text_for_wide_organization_logo: "",
};

const offSections = {
  giphy: { giphy_api_key: "" },
  klipy: { klipy_api_key: "" },
  tenor: { tenor_api_key: "" },
  realm_billing: { realm_billing: { has_pending_sponsorship_request: false } },
  // Words that a search ignores; ours ignores none.
  stop_words: { stop_words: [] },
  video_calls: { has_zoom_token: false },
};

/** Sections of the initial state for features that this server does not offer. */
export const absentSections: Record<string, StateReader> = Object.fromEntries(
  Object.entries(offSections).map(([type, section]) => [type, forSpectators(() => section)]),
);

function listPermissionSettings(): Record<string, unknown> {
  const of = (scope: GrantScope) => {
    const rows = Object.entries<Grant>(grants[scope]);
    return Object.fromEntries(rows.map(([name, row]) => [name, describeGrant(row)]));
  };
  return { realm: of("realm"), stream: of("channel"), group: of("group") };
}

function describeGrant(row: Grant): Record<string, unknown> {
  return {
    require_system_group: row.only !== undefined,
    allow_internet_group: !row.never.includes("role:internet"),
    allow_nobody_group: !row.never.includes("role:nobody"),
    allow_everyone_group: !row.never.includes("role:everyone"),
    default_group_name: row.wireDefault ?? row.default,
    default_for_system_groups: null,
    allowed_system_groups: row.only ?? [],
  };
}

/** Login methods that clients ask for by name, and that this server does not offer. */
const otherLogins = {
  ldap: false,
  remoteuser: false,
  github: false,
  azuread: false,
  gitlab: false,
  google: false,
  apple: false,
  saml: false,
  discord: false,
  "openid connect": false,
};

const nothingKnown = {
  user: () => null,
  group: () => null,
  channel: () => null,
  newestInTopic: () => null,
  emptyTopicName: emptyTopicDisplayName,
};

/** The description as HTML, without mentions of people or channels, because strangers read it. */
export const renderedDescription = cache(["settings"], (reads): string => {
  return render(realmSettings.read(reads).description, nothingKnown).html;
});

/** The methods by which people may sign in, and those that the server offers. */
export const listLoginMethods = query(allow.anyone, (ctx) => loginMethods(ctx));

/** What a client reads before it logs in (`get-server-settings`). */
export function serverSettings(ctx: Ctx): Record<string, unknown> {
  const { name } = realmSettings.read(ctx);
  return {
    ...versionFields,
    authentication_methods: {
      ...otherLogins,
      dev: ctx.env.isDevelopment,
      password: takesPasswords(ctx),
      email: takesPasswords(ctx),
      "openid connect": listProviders(ctx).length > 0,
    },
    external_authentication_methods: listProviders(ctx).map(({ name, button, icon }) => ({
      name: `oidc:${name}`,
      display_name: button,
      display_icon: icon,
      login_url: `/login/oidc/${name}`,
      signup_url: `/login/oidc/${name}`,
    })),
    email_auth_enabled: takesPasswords(ctx),
    require_email_format_usernames: true,
    push_notifications_enabled: false,
    is_incompatible: false,
    realm_url: siteOf(ctx),
    realm_uri: siteOf(ctx),
    realm_name: name,
    realm_icon: pictureFields(ctx, "icon").icon_url,
    realm_description: renderedDescription(ctx),
    realm_web_public_access_enabled: isOpenToPublic(ctx),
  };
}

/** Whether the data folder has an organization. */
export const hasOrganization = query(allow.anyone, (ctx): boolean => hasRealm(ctx));

/** Redirects to a picture of the organization. */
export const realmPictureAddress = query(allow.user, (ctx, which: RealmPicture): RawAnswer => {
  const fields = pictureFields(ctx, which);
  return new RawAnswer(null, { location: fields[`${which}_url`] }, 302);
});

/** Refuses a call with a provider that this server does not support. */
export const absentCall = query(allow.user, (_, provider: string): never =>
  fail("BAD_REQUEST", sentence("{provider} is not configured.", { provider })),
);

/** The organization's permission settings as clients read them. */
export const realmPermissions = query(allow.user, (ctx) => presentGrants(ctx, "realm", 0));

/** An address at the server's own domain, for accounts and mails without another address. */
export const localAddress = query(
  allow.anyone,
  (_, { name, site }: { name: string; site: string }) => `${name}@${botDomain(site)}`,
);

function present({ domain, allow_subdomains }: DomainRow): RealmDomain {
  return { domain, allow_subdomains: allow_subdomains === 1 };
}

export const listDomains = query(allow.user, (ctx): RealmDomain[] => domainsOf(ctx).map(present));
