// Changes of the organization, made from the table of settings, and the parameters of `PATCH /realm`, with the special words of the
// wire form.
import { z } from "zod";
import { ownersGrants } from "@/foundation/permissions/descriptions.ts";
import {
  type GrantName,
  type GroupSettingUpdate,
  grantUpdateParams,
} from "@/foundation/permissions/schema.ts";
import { realmWords, type Worded } from "@/foundation/realm/descriptions.ts";
import { realmSettings } from "@/foundation/realm/schema.ts";
import { also, bare, looseJson } from "@/kernel/http/wire.ts";
import type { SettingValues } from "@/kernel/store/settings.ts";

/** Settings that administrators can change; only the operator sets `site`. */
export type SettingName = Exclude<keyof typeof realmSettings.table, "site">;

export const settingNames = Object.keys(realmSettings.table).filter(
  (name) => name !== "site",
) as SettingName[];

type Values = SettingValues<typeof realmSettings.table>;

/** A rule for values that clients may also send as a special word. */
function withWord<T extends z.ZodType>(word: string, meaning: unknown, rule: T) {
  const read = (text: unknown) => {
    const given = looseJson(String(text));
    return given === word ? meaning : given;
  };
  return bare(z.preprocess(read, rule));
}

const { message_retention_days, jitsi_server_url } = realmSettings.table;

const secondsOrUnlimited = withWord(
  "unlimited",
  null,
  z.int().positive('A time limit is a number of seconds above 0, or "unlimited".').nullable(),
);

/** Settings whose wire form differs from the stored one. */
const wireRules: Partial<Record<SettingName, z.ZodType>> = {
  jitsi_server_url: withWord("default", null, jitsi_server_url.rule),
  message_content_delete_limit_seconds: secondsOrUnlimited,
  message_content_edit_limit_seconds: secondsOrUnlimited,
  message_retention_days: withWord("unlimited", -1, message_retention_days.rule),
  move_messages_between_streams_limit_seconds: secondsOrUnlimited,
  move_messages_within_stream_limit_seconds: secondsOrUnlimited,
  service_update_announcements_stream_id: also(
    realmSettings.table.service_update_announcements_stream_id.rule,
    "zulip_update_announcements_stream_id",
  ),
};

type SettingRules = { [K in SettingName]: z.ZodOptional<z.ZodType<Values[K]>> };

function settingRules(ruleOf: (name: SettingName) => z.ZodType): SettingRules {
  return Object.fromEntries(
    settingNames.map((name) => [name, ruleOf(name).optional()]),
  ) as unknown as SettingRules;
}

export const realmPatch = z.object({
  ...settingRules((name) => realmSettings.table[name].rule),
  ...grantUpdateParams("realm"),
  /** Login methods by name: on or off. */
  authentication_methods: z.record(z.string().max(50), z.boolean()).optional(),
  string_id: z.string().max(40).optional(),
});
export type RealmPatch = z.infer<typeof realmPatch>;

export const realmParams = {
  ...realmPatch.shape,
  ...settingRules((name) => wireRules[name] ?? realmPatch.shape[name].unwrap()),
};

export type SettingUpdates = Partial<Pick<Values, SettingName>>;

export type GrantUpdates = Partial<Record<GrantName<"realm">, GroupSettingUpdate>>;

/** Settings that only owners may change. */
export const ownersOwn: readonly (keyof RealmPatch)[] = [
  "authentication_methods",
  ...ownersGrants,
  ...settingNames.filter((name) => (realmWords as Readonly<Record<string, Worded>>)[name]?.byOwners),
];
