import { changeAddressVisibility, changeTimezone } from "@/foundation/accounts/actions-identity.ts";
import { recordAudit } from "@/foundation/audit/actions.ts";
import { allow, me, usersUpTo } from "@/foundation/permissions/access.ts";
import { roles } from "@/foundation/permissions/schema.ts";
import { languageName } from "@/foundation/realm/texts.ts";
import { settingsHooks } from "@/foundation/user-settings/hooks.ts";
import {
  defaultChanged,
  displayChanged,
  exportConsentChanged,
  findChanged,
  type Legacy,
  notificationsChanged,
  type PersonalChanges,
  type PersonalName,
  type PersonalValue,
  type PersonalValues,
  personalDefaults,
  personalSettings,
  rowOf,
  type SettingChange,
  settingChanged,
} from "@/foundation/user-settings/schema.ts";
import { userFor } from "@/foundation/users/access.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { everyone, to } from "@/kernel/core/events.ts";
import { action } from "@/kernel/core/operation.ts";

export interface OwnChanges {
  settings: PersonalChanges;
  timezone?: string;
}

/** Changes the actor's own settings, and emits an event for each changed value. */
export const updateOwnSettings = action(allow.user, (tx, { settings, timezone }: OwnChanges): void => {
  const user = me(tx).id;
  const before = personalSettings.read(tx, user);
  for (const [name, value] of findChanged(before, settings)) {
    personalSettings.write(tx, user, name, value);
    emitSetting(tx, user, { name, value });
  }
  carryOut(tx, user, before);
  if (timezone !== undefined && changeTimezone(tx, user, timezone)) {
    emitChange(tx, user, { property: "timezone", value: timezone }, "display");
  }
});

/** Other effects of changed settings. */
function carryOut(tx: Tx, userId: number, before: Readonly<PersonalValues>): void {
  const now = personalSettings.read(tx, userId);
  const [from, to] = [before.email_address_visibility, now.email_address_visibility];
  if (from !== to) changeAddressVisibility(tx, userId, { from, to });
  settingsHooks.changed(tx, { userId, before, now });
  const consented = now.allow_private_data_export;
  if (before.allow_private_data_export !== consented) {
    tx.emit(exportConsentChanged, { to: usersUpTo(tx, roles.admin) }, { user_id: userId, consented });
  }
}

function emitSetting(
  tx: Tx,
  userId: number,
  { name, value }: { name: PersonalName; value: PersonalValue },
): void {
  const language = name === "default_language" ? { language_name: languageName(String(value)) ?? "" } : {};
  emitChange(tx, userId, { property: name, value, ...language }, rowOf(name).legacy);
}

function emitChange(tx: Tx, userId: number, change: SettingChange, legacy: Legacy | undefined): void {
  tx.emit(settingChanged, to(userId), change);
  if (!legacy) return;
  const event = legacy === "display" ? displayChanged : notificationsChanged;
  tx.emit(event, to(userId), { ...change, user: userFor(tx, userId).email });
}

/** Changes the defaults for new people; existing people keep their settings. */
export const updateSettingDefaults = action(allow.admin, (tx, changes: PersonalChanges): void => {
  const before = personalDefaults.read(tx);
  for (const [property, value] of findChanged(before, changes)) {
    personalDefaults.write(tx, property, value);
    tx.emit(defaultChanged, everyone, { property, value });
    recordAudit(tx, {
      event: "user_setting_default_changed",
      about: { kind: "realm" },
      data: { name: property, from: before[property], to: value },
    });
  }
});
