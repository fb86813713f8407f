// Changes permission settings; refuses if the value that the client saw is not the current one.

import type { Tx } from "@/kernel/core/context.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { grantedGroup, presentGroup } from "./access.ts";
import { isSame } from "./grants.ts";
import type { GrantName, GroupSettingUpdate, GroupSettingValue, Scope } from "./schema.ts";
import { giveGrant } from "./tx.ts";

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
