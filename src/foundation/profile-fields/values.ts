// People's values of profile fields.

import { allow, isAdmin, me } from "@/foundation/permissions/access.ts";
import { myself } from "@/foundation/users/access.ts";
import type { UserRow } from "@/foundation/users/schema.ts";
import type { Ctx, Tx } from "@/kernel/core/context.ts";
import { action } from "@/kernel/core/operation.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { fieldFor } from "./access.ts";
import type { FieldRow } from "./rows.ts";
import type { ProfileData } from "./schema.ts";
import { setProfile } from "./tx-values.ts";

/** Sets the actor's values in some profile fields; an empty value clears one. */
export const updateOwnProfile = action(allow.user, (tx, data: ProfileData): void => {
  const user = ownProfile(tx);
  for (const { id } of data) checkEditable(tx, fieldFor(tx, id));
  setProfile(tx, user, data);
});

/** Clears some of the actor's fields. */
export const clearOwnProfile = action(allow.user, (tx, ids: readonly number[]): void => {
  const user = ownProfile(tx);
  for (const id of ids) checkEditable(tx, fieldFor(tx, id));
  setProfile(
    tx,
    user,
    ids.map((id) => ({ id, value: null })),
  );
});

function ownProfile(tx: Tx): UserRow {
  const user = myself(tx);
  return user.is_bot ? fail("BAD_REQUEST", "Bots have no profile fields.") : user;
}

function checkEditable(ctx: Ctx, field: FieldRow): void {
  if (field.editable_by_user || isAdmin(me(ctx))) return;
  fail("BAD_REQUEST", `Only administrators may change the field '${field.name}'.`);
}
