import { changeAddressVisibility, changeTimezone } from "@/foundation/accounts/actions-identity.ts";
import { recordAudit } from "@/foundation/audit/actions.ts";
import { groupFor } from "@/foundation/groups/access.ts";
import { allow, me, membersOf, usersUpTo } from "@/foundation/permissions/access.ts";
import { roles } from "@/foundation/permissions/schema.ts";
import { languageName } from "@/foundation/realm/texts.ts";
import { settingsHooks } from "@/foundation/user-settings/hooks.ts";
import {
  chosenSettings,
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
  type SettingTarget,
  sensitiveNames,
  settingChanged,
} from "@/foundation/user-settings/schema.ts";
import { userById, userFor } from "@/foundation/users/access.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { everyone, to } from "@/kernel/core/events.ts";
import { action, operation } from "@/kernel/core/operation.ts";
import { fail } from "@/kernel/lib/errors.ts";

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
    chosenSettings.write(tx, user, name, true);
    emitSetting(tx, user, { name, value });
  }
  carryOut(tx, user, before);
  if (timezone !== undefined && changeTimezone(tx, user, timezone)) {
    emitChange(tx, user, { property: "timezone", value: timezone }, "display");
  }
});

interface OthersChanges {
  settings: PersonalChanges;
  target: SettingTarget;
}

interface OthersRequest extends OthersChanges {
  /** Whether the request also names what only people themselves change, such as their address. */
  isOwnOnly: boolean;
}

/** So many people are changed in one transaction. */
const portion = 50;

/** Changes settings of others. Bots are left out; deactivated people keep the change until they are back. */
export const updateOthersSettings = operation(
  allow.admin,
  async (ctx, request: OthersRequest): Promise<void> => {
    const { settings, target } = request;
    const people = await beginOthers(ctx, request);
    for (let at = 0; at < people.length; at += portion) {
      await changeOthers(ctx, { settings, target, people: people.slice(at, at + portion) });
    }
  },
);

/** Who is changed, by ID. Throws if anything of the request is refused. */
const beginOthers = action(allow.admin, (tx, { settings, target, isOwnOnly }: OthersRequest): number[] => {
  const { user_ids, group_ids } = target;
  if (me(tx).is_bot) fail("BAD_REQUEST", "This endpoint does not accept bot requests.");
  if (user_ids.length + group_ids.length === 0)
    fail("BAD_REQUEST", "Name at least one person or group whose settings to change.");
  const names = Object.keys(settings) as PersonalName[];
  if (isOwnOnly || sensitiveNames.some((name) => settings[name] !== undefined))
    fail("BAD_REQUEST", "This can be changed only by people themselves.");
  const ids = new Set(user_ids.map((id) => userById(tx, id).id));
  for (const group of group_ids) for (const id of membersOf(tx, groupFor(tx, group).id)) ids.add(id);
  const people = [...ids].filter((id) => !userFor(tx, id).is_bot);
  recordAudit(tx, {
    event: "user_settings_changed",
    about: { kind: "realm" },
    data: { settings: names.filter((name) => settings[name] !== undefined), users: people.length },
  });
  return people;
});

const changeOthers = action(
  allow.admin,
  (tx, { settings, target, people }: OthersChanges & { people: readonly number[] }): void => {
    for (const id of people) {
      const [before, chosen] = [personalSettings.read(tx, id), chosenSettings.read(tx, id)];
      const skips = (name: PersonalName) => target.skip_if_already_edited && chosen[name];
      const changes = findChanged(before, settings).filter(([name]) => !skips(name));
      for (const [name, value] of changes) {
        personalSettings.write(tx, id, name, value);
        emitSetting(tx, id, { name, value });
      }
      if (changes.length > 0) carryOut(tx, id, before);
    }
  },
);

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
