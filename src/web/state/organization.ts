// The organization: its settings, and lists that few views need.
import type * as linkifiers from "@/foundation/linkifiers/schema.ts";
import type * as playgrounds from "@/foundation/playgrounds/schema.ts";
import type * as profileFields from "@/foundation/profile-fields/schema.ts";
import type * as realm from "@/foundation/realm/schema.ts";
import type * as userSettings from "@/foundation/user-settings/schema.ts";
import type * as reports from "@/messaging/reports/schema.ts";
import type * as uploads from "@/messaging/uploads/schema.ts";
import type * as exports from "@/operations/export/schema.ts";
import type * as bots from "@/outside/bots/schema.ts";
import type * as queues from "@/outside/events/schema.ts";
import type * as invitations from "@/outside/invitations/schema.ts";
import type * as clientDevices from "@/personal/client-devices/schema.ts";
import type * as onboarding from "@/personal/onboarding/schema.ts";
import type * as defaultChannels from "@/places/default-channels/schema.ts";
import type * as userTopics from "@/places/user-topics/schema.ts";
import type { EventsOf, StateNoun } from "./noun.ts";
import { byKey, withoutEntries } from "./records.ts";

/** Fields of the organization and the server; includes fields that no code reads. */
export interface Organization {
  realm_name: string;
  realm_description: string;
  realm_url: string;
  realm_icon_url: string;
  realm_linked_image_preview: boolean;
  realm_inline_url_embed_preview: boolean;
  /** In percent of the usual height. */
  realm_media_preview_size: number;
  realm_empty_topic_display_name: string;
  realm_presence_disabled: boolean;
  realm_enable_read_receipts: boolean;
  realm_emails_restricted_to_domains: boolean;
  realm_domains: Readonly<Record<string, realm.RealmDomain>>;
  custom_profile_fields: readonly profileFields.ProfileField[];
  realm_default_external_accounts: Readonly<
    Record<string, { name: string; text: string; url_pattern: string }>
  >;
  realm_two_step_required: boolean;
  realm_authentication_methods: Readonly<Record<string, { enabled: boolean; available: boolean }>>;
  /** Those that the person may change, by their IDs; absent for visitors. */
  realm_bots?: Readonly<Record<string, bots.BotConfiguration>>;
  realm_linkifiers: readonly linkifiers.LinkifierRow[];
  realm_playgrounds: readonly playgrounds.Playground[];
  realm_default_streams: readonly number[];
  realm_default_stream_groups: readonly defaultChannels.DefaultChannelGroup[];
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

interface Part {
  organization: Organization;
}

type Events = EventsOf<typeof bots> &
  EventsOf<typeof defaultChannels> &
  EventsOf<typeof exports> &
  EventsOf<typeof invitations> &
  EventsOf<typeof clientDevices> &
  EventsOf<typeof linkifiers> &
  EventsOf<typeof onboarding> &
  EventsOf<typeof playgrounds> &
  EventsOf<typeof profileFields> &
  EventsOf<typeof queues> &
  EventsOf<typeof realm> &
  EventsOf<typeof reports> &
  EventsOf<typeof uploads> &
  EventsOf<typeof userSettings> &
  EventsOf<typeof userTopics>;

/** Lists of the initial state that are kept by key. */
const keyed = { realm_bots: "user_id", realm_domains: "domain" } as const;
type Entries = Record<PropertyKey, Record<string, unknown>>;

const nothing = (state: Part): Part => state;

export const organization: StateNoun<unknown, Part, Events> = {
  takes: [],
  initial: (_, rest) => {
    const fields: Record<string, unknown> = { ...rest };
    for (const [name, key] of Object.entries(keyed)) {
      const list = fields[name];
      if (Array.isArray(list)) fields[name] = byKey(list, key);
    }
    return { organization: fields as Organization };
  },
  reducers: {
    custom_profile_fields: (state, { fields }) =>
      changeOrganization(state, { custom_profile_fields: fields }),
    // Of phones: nothing here shows them.
    "device/add": nothing,
    "device/remove": nothing,
    default_streams: (state, { default_streams }) =>
      changeOrganization(state, { realm_default_streams: default_streams }),
    default_stream_groups: (state, { default_stream_groups }) =>
      changeOrganization(state, { realm_default_stream_groups: default_stream_groups }),
    onboarding_steps: (state, { onboarding_steps }) => changeOrganization(state, { onboarding_steps }),
    "realm/update": (state, { property, value }) =>
      changeOrganization(state, { [`realm_${property}`]: value }),
    "realm/update_dict": (state, { data }) =>
      changeOrganization(state, {
        ...Object.fromEntries(Object.entries(data).map(([name, value]) => [`realm_${name}`, value])),
        ...passwordsIn(data),
      }),
    "realm_bot/add": (state, { bot }) => put(state, "realm_bots", bot),
    "realm_bot/update": (state, { bot }) => put(state, "realm_bots", bot),
    "realm_bot/delete": (state, { bot }) => drop(state, "realm_bots", bot.user_id),
    "realm_domains/add": (state, { realm_domain }) => put(state, "realm_domains", realm_domain),
    "realm_domains/change": (state, { realm_domain }) => put(state, "realm_domains", realm_domain),
    "realm_domains/remove": (state, { domain }) => drop(state, "realm_domains", domain),
    realm_linkifiers: (state, { realm_linkifiers }) => changeOrganization(state, { realm_linkifiers }),
    realm_playgrounds: (state, { realm_playgrounds }) => changeOrganization(state, { realm_playgrounds }),
    "realm_user_settings_defaults/update": (state, { property, value }) =>
      changeOrganization(state, {
        realm_user_settings_defaults: {
          ...(state.organization.realm_user_settings_defaults as object),
          [property]: value,
        },
      }),
    // Views of these fetch them when they open.
    "attachment/add": nothing,
    "attachment/remove": nothing,
    "attachment/update": nothing,
    heartbeat: nothing,
    invites_changed: nothing,
    muted_topics: nothing,
    "realm/deactivated": nothing,
    realm_export: nothing,
    realm_export_consent: nothing,
    reports_changed: nothing,
  },
};

function changeOrganization(state: Part, change: Record<string, unknown>): Part {
  return { ...state, organization: { ...state.organization, ...change } as Organization };
}

const entriesOf = (state: Part, field: keyof typeof keyed) => (state.organization[field] ?? {}) as Entries;

function put(state: Part, field: keyof typeof keyed, one: Record<string, unknown>): Part {
  const key = String(one[keyed[field]]);
  const before = entriesOf(state, field);
  return changeOrganization(state, { [field]: { ...before, [key]: { ...before[key], ...one } } });
}

function drop(state: Part, field: keyof typeof keyed, key: PropertyKey): Part {
  return changeOrganization(state, { [field]: withoutEntries(entriesOf(state, field), [key]) });
}

/** Whether people sign in by password follows from the ways to sign in. */
function passwordsIn({ authentication_methods: methods }: Record<string, unknown>): Record<string, boolean> {
  if (!methods) return {};
  const isOn = (methods as { Email?: { enabled?: boolean } }).Email?.enabled === true;
  return { realm_email_auth_enabled: isOn, realm_password_auth_enabled: isOn };
}
