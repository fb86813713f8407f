import type { Reads } from "@/kernel/core/context.ts";
import { canonical, groupWithGrant } from "./access.ts";
import { groupsAround } from "./closure.ts";
import {
  type GrantName,
  type GrantRow,
  type GrantScope,
  type GroupSettingValue,
  nestedGroups,
  type SystemGroupName,
} from "./schema.ts";
import * as store from "./store.ts";

/** Whether two values name the same people and groups, in any order. */
export function isSame(one: GroupSettingValue, other: GroupSettingValue): boolean {
  return JSON.stringify(canonical(one)) === JSON.stringify(canonical(other));
}

/** The permission settings that name a group, alone or with others. */
export function grantsNaming(reads: Reads, groupId: number): GrantRow[] {
  return [groupId, ...anonymousAmong(reads, store.supergroups(reads, groupId))].flatMap((id) =>
    store.grantsOf(reads, id),
  );
}

/** The permission settings that name a user. */
export function grantsNamingUser(reads: Reads, userId: number): GrantRow[] {
  return anonymousAmong(reads, store.groupsNaming(reads, userId)).flatMap((id) => store.grantsOf(reads, id));
}

/** The objects of a scope where a group grants its members one of the permissions `names`. */
export function ownersGranting<S extends GrantScope>(
  reads: Reads,
  groupId: number,
  { scope, names }: { scope: S; names: readonly GrantName<S>[] },
): Set<number> {
  const held = [...groupsAround(reads, groupId)].flatMap((id) => store.grantsOf(reads, id));
  const wanted: readonly string[] = names;
  return new Set(
    held.filter((row) => row.scope === scope && wanted.includes(row.name)).map((row) => row.owner_id),
  );
}

function anonymousAmong(reads: Reads, groupIds: readonly number[]): number[] {
  return groupIds.filter((id) => store.findGroup(reads, id)?.kind === "anonymous");
}

/**
 * The narrowest system group that contains everyone with a permission, even if roles change: `role:everyone` if the
 * setting names people or named groups.
 */
export function findGrantedSuperset<S extends GrantScope>(
  reads: Reads,
  scope: S,
  ownerId: number,
  permission: GrantName<S>,
): SystemGroupName {
  const granted = groupWithGrant(reads, scope, ownerId, permission);
  const isAnonymous = store.findGroup(reads, granted)?.kind === "anonymous";
  if (isAnonymous && store.namesPeople(reads, granted)) return "role:everyone";
  const groups = isAnonymous ? store.directSubgroups(reads, granted) : [granted];
  const rows = groups.map((id) => store.findGroup(reads, id));
  if (rows.some((row) => row?.kind !== "system")) return "role:everyone";
  return nestedGroups.find(({ name }) => rows.some((row) => row?.name === name))?.name ?? "role:nobody";
}
