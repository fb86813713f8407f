import { me } from "@/foundation/permissions/access.ts";
import { defaultsOf } from "@/foundation/user-settings/queries.ts";
import {
  choices,
  type Legacy,
  type PersonalValues,
  personalNames,
  personalSettings,
  rowOf,
} from "@/foundation/user-settings/schema.ts";
import { myself } from "@/foundation/users/access.ts";
import type { Ctx, StateRequest } from "@/kernel/core/context.ts";

/** The `user_settings` section of the initial state. */
export function settingsState(ctx: Ctx): Record<string, unknown> {
  return { user_settings: { ...ownValues(ctx), ...choices, timezone: ownTimezone(ctx) } };
}

/** The actor's settings; visitors without an account have the defaults. */
function ownValues(ctx: Ctx): Readonly<PersonalValues> {
  if (ctx.actor.kind !== "anonymous") return personalSettings.read(ctx, me(ctx).id);
  return { ...personalSettings.read(ctx, 0), ...defaultsOf(ctx) };
}

const ownTimezone = (ctx: Ctx) => (ctx.actor.kind === "anonymous" ? "" : myself(ctx).timezone);

/** Settings as older clients read them: each at the top level of the state. */
export function legacyState(ctx: Ctx, { capabilities }: StateRequest, part: Legacy): Record<string, unknown> {
  if (capabilities.has("user_settings_object")) return {};
  const values = ownValues(ctx);
  const names = personalNames.filter((name) => rowOf(name).legacy === part);
  const { emojiset_choices, available_notification_sounds } = choices;
  const more =
    part === "display" ? { emojiset_choices, timezone: ownTimezone(ctx) } : { available_notification_sounds };
  return { ...Object.fromEntries(names.map((name) => [name, values[name]])), ...more };
}

/** The `realm_user_settings_defaults` section of the initial state. */
export function defaultsState(ctx: Ctx): Record<string, unknown> {
  return { realm_user_settings_defaults: { ...defaultsOf(ctx), ...choices } };
}
