// Changing permission settings that clients may have seen differently (API-REFERENCE 3.1).
import type { Tx } from "@/kernel/context.ts";
import { fail } from "@/kernel/errors.ts";
import { canonical, giveGrant, grantedGroup, presentGroup } from "./access.ts";
import type { GrantName, GroupSettingUpdate, GroupSettingValue, Scope } from "./schema.ts";

/**
 * Gives a permission setting a new value; returns it as clients read it, or null where it was that already. Throws
 * EXPECTATION_MISMATCH where the setting is not what its sender believes, and what `giveGrant` throws.
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
    fail("EXPECTATION_MISMATCH", `'${name}' has been changed in the meantime: please look again.`);
  }
  if (isSame(update.new, current)) return null;

  giveGrant(tx, permission, update.new);
  return present();
}

/** Whether two values name the same people and groups, in whatever order. */
export function isSame(one: GroupSettingValue, other: GroupSettingValue): boolean {
  return JSON.stringify(canonical(one)) === JSON.stringify(canonical(other));
}
