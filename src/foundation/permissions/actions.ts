import type { Tx } from "@/kernel/core/context.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { sentence } from "@/text/language/tables.ts";
import { canonical, grantRow, groupWithGrant, presentGroup, usersUpTo } from "./access.ts";
import { isSame } from "./grants.ts";
import {
  type Grant,
  type GrantName,
  type GrantScope,
  type GroupSettingUpdate,
  type GroupSettingValue,
  permissionErrors,
  roles,
  type SystemGroupName,
} from "./schema.ts";
import * as store from "./store.ts";

/** Creates the system groups of a new organization; part of its creation. */
export function createSystemGroups(tx: Tx): void {
  store.insertSystemGroups(tx);
}

/** Checks a value for a permission setting and stores it; throws BAD_REQUEST or SYSTEM_GROUP_REQUIRED. */
export function giveGrant<S extends GrantScope>(
  tx: Tx,
  permission: { scope: S; ownerId: number; name: GrantName<S> },
  value: GroupSettingValue,
): void {
  const { scope, ownerId, name } = permission;
  const groupId = groupFor(tx, scope, name, canonical(value));
  const replaced = store.findGrants(tx, `${scope}:${ownerId}`).get(name);
  store.setGrant(tx, scope, ownerId, name, groupId);
  if (replaced !== undefined && store.findGroup(tx, replaced)?.kind === "anonymous") {
    store.deleteGroup(tx, replaced);
  }
}

function groupFor<S extends GrantScope>(
  tx: Tx,
  scope: S,
  name: GrantName<S>,
  value: GroupSettingValue,
): number {
  if (typeof value === "number") return checkGroup(tx, scope, name, value);
  const { direct_members: people, direct_subgroups: groups } = value;
  const row = grantRow(scope, name);
  if (row.only) refuseNotSystem(name);
  if (people.length + groups.length === 0 && row.never.includes("role:nobody")) refuse(name, "role:nobody");
  const users = usersUpTo(tx, roles.guest);
  for (const id of people)
    if (!users.has(id)) fail("BAD_REQUEST", sentence("Invalid user ID: {id}", { id: String(id) }));
  for (const id of groups) checkPart(tx, row, name, id);
  return store.insertAnonymousGroup(tx, people, groups);
}

function refuseNotSystem(setting_name: string): never {
  const message = sentence("''{setting}'' must be a system user group.", { setting: setting_name });
  fail(permissionErrors.SYSTEM_GROUP_REQUIRED, message, { setting_name });
}

function refuse(name: string, group: string): never {
  fail(
    "BAD_REQUEST",
    sentence("''{setting}'' setting cannot be set to ''{group}'' group.", { setting: name, group }),
  );
}

function usableGroup(tx: Tx, id: number): store.AnyGroupRow {
  const group = store.findGroup(tx, id);
  if (group && group.kind !== "anonymous" && !group.deactivated) return group;
  fail("BAD_REQUEST", sentence("Invalid user group ID: {id}", { id: String(id) }));
}

const widest: readonly string[] = ["role:internet", "role:everyone"];

/** Throws if a group in a value of several is too wide. */
function checkPart(tx: Tx, row: Grant, name: string, id: number): void {
  const { name: system } = usableGroup(tx, id);
  if (widest.includes(system) && row.never.includes(system as SystemGroupName)) refuse(name, system);
}

function checkGroup<S extends GrantScope>(tx: Tx, scope: S, name: GrantName<S>, id: number): number {
  const group = usableGroup(tx, id);
  const row = grantRow(scope, name);
  if (row.only && group.kind !== "system") refuseNotSystem(name);
  const system = group.name as SystemGroupName;
  if (row.never.includes(system) || (row.only && !row.only.includes(system))) {
    refuse(name, group.name);
  }
  return id;
}

/**
 * Sets a permission setting; returns the new value as clients read it, or null if it is unchanged. Throws
 * EXPECTATION_MISMATCH if the sender's old value is not the current one, and whatever `giveGrant` throws.
 */
export function changeGrant<S extends GrantScope>(
  tx: Tx,
  permission: { scope: S; ownerId: number; name: GrantName<S> },
  update: GroupSettingUpdate,
): GroupSettingValue | null {
  const { scope, ownerId, name } = permission;
  const present = () => presentGroup(tx, groupWithGrant(tx, scope, ownerId, name));
  const current = present();
  if (update.old !== undefined && !isSame(update.old, current)) {
    fail(
      "EXPECTATION_MISMATCH",
      sentence("''{setting}'' has been changed in the meantime. Please check its new value.", {
        setting: name,
      }),
    );
  }
  if (isSame(update.new, current)) return null;

  giveGrant(tx, permission, update.new);
  return present();
}
