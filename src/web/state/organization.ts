// The organization: its settings, and lists that few views need.
import type { emojiUpdated } from "@/foundation/emoji/schema.ts";
import { withoutEntries } from "./records.ts";
import type { Organization, Payload, Reducers, State } from "./shape.ts";

/** Lists of the initial state that are kept by key. */
export const keyed = { realm_bots: "user_id", realm_domains: "domain" } as const;
type Keyed = keyof typeof keyed;
type Entries = Record<PropertyKey, Record<string, unknown>>;

function changed(state: State, change: Record<string, unknown>): State {
  return { ...state, organization: { ...state.organization, ...change } as Organization };
}

const entriesOf = (state: State, field: Keyed) => (state.organization[field] ?? {}) as Entries;

const whole =
  (field: string, from = field) =>
  (state: State, event: Record<string, unknown>): State =>
    changed(state, { [field]: event[from] });

const put =
  (field: Keyed, from: string) =>
  (state: State, event: Record<string, Record<string, unknown>>): State => {
    const one = event[from] ?? {};
    const key = String(one[keyed[field]]);
    const before = entriesOf(state, field);
    return changed(state, { [field]: { ...before, [key]: { ...before[key], ...one } } });
  };

const nothing = (state: State): State => state;

export const organization: Reducers = {
  custom_profile_fields: whole("custom_profile_fields", "fields"),
  default_streams: whole("realm_default_streams", "default_streams"),
  default_stream_groups: whole("realm_default_stream_groups", "default_stream_groups"),
  onboarding_steps: whole("onboarding_steps"),
  "realm/update": (state, { property, value }: { property: string; value: unknown }) =>
    changed(state, { [`realm_${property}`]: value }),
  "realm/update_dict": (state, { data }: { data: Record<string, unknown> }) =>
    changed(state, {
      ...Object.fromEntries(Object.entries(data).map(([name, value]) => [`realm_${name}`, value])),
      ...passwordsIn(data),
    }),
  "realm_bot/add": put("realm_bots", "bot"),
  "realm_bot/update": put("realm_bots", "bot"),
  "realm_bot/delete": (state, { bot }: { bot: { user_id: number } }) =>
    changed(state, { realm_bots: withoutEntries(entriesOf(state, "realm_bots"), [bot.user_id]) }),
  "realm_domains/add": put("realm_domains", "realm_domain"),
  "realm_domains/change": put("realm_domains", "realm_domain"),
  "realm_domains/remove": (state, { domain }: { domain: string }) =>
    changed(state, { realm_domains: withoutEntries(entriesOf(state, "realm_domains"), [domain]) }),
  "realm_emoji/update": (state, { realm_emoji }: Payload<typeof emojiUpdated>) => ({ ...state, realm_emoji }),
  realm_linkifiers: whole("realm_linkifiers"),
  realm_playgrounds: whole("realm_playgrounds"),
  "realm_user_settings_defaults/update": (state, { property, value }: { property: string; value: unknown }) =>
    changed(state, {
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
};

/** Whether people sign in by password follows from the ways to sign in. */
function passwordsIn({ authentication_methods: methods }: Record<string, unknown>): Record<string, boolean> {
  if (!methods) return {};
  const isOn = (methods as { Email?: { enabled?: boolean } }).Email?.enabled === true;
  return { realm_email_auth_enabled: isOn, realm_password_auth_enabled: isOn };
}
