// Changes permission settings; refuses if the value that the client saw is not the current one.
import type { Reads, Tx } from "@/kernel/context.ts";
import { fail } from "@/kernel/errors.ts";
import { canonical, giveGrant, grantedGroup, presentGroup } from "./access.ts";
import { groupsAround } from "./closure.ts";
import type { GrantName, GroupSettingUpdate, GroupSettingValue, Scope } from "./schema.ts";
import type { GrantRow } from "./store.ts";
import * as store from "./store.ts";

export type { GrantRow } from "./store.ts";

/**
 * Sets a permission setting; returns the new value as clients read it, or null if it is unchanged. Throws
 * EXPECTATION_MISMATCH if the sender's old value is not the current one, and whatever `giveGrant` throws.
 */
export function changeGrant<S extends Scope>(
  tx: Tx,
  permission: { scope: S; ownerId: number; name: GrantName<S> },
  update: GroupSettingUpdate,
): GroupSettingValue | null {
  const { scope, ownerId, name } = permission;
  const present = () => presentGroup(tx, grantedGroup(tx, scope, ownerId, name));
  const current = present();
  if (update.old !== undefined && !isSame(update.old, current)) {
    fail("EXPECTATION_MISMATCH", `'${name}' has been changed in the meantime. Please check its new value.`);
  }
  if (isSame(update.new, current)) return null;

  giveGrant(tx, permission, update.new);
  return present();
}

/** Whether two values name the same people and groups, in any order. */
export function isSame(one: GroupSettingValue, other: GroupSettingValue): boolean {
  return JSON.stringify(canonical(one)) === JSON.stringify(canonical(other));
}

/** The permission settings that name a group, alone or beside others. */
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
export function ownersGranting<S extends Scope>(
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
