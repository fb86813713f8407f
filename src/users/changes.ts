// What administrators change of others, in one go (API-REFERENCE 16).
import { recordAudit } from "@/audit/actions.ts";
import type { Ctx, Tx } from "@/kernel/context.ts";
import { fail } from "@/kernel/errors.ts";
import { action } from "@/kernel/operation.ts";
import { allow } from "@/permissions/access.ts";
import type { Role } from "@/permissions/schema.ts";
import type { ProfileData } from "@/profile-fields/schema.ts";
import { setProfile } from "@/profile-fields/values.ts";
import { findUserByAddress, userToChange } from "./access.ts";
import { changeRole } from "./actions.ts";
import { changeAddress, changeName } from "./identity.ts";
import type { UserRow } from "./store.ts";

export interface UserChanges {
  full_name?: string;
  role?: Role;
  new_email?: string;
  profile_data?: ProfileData;
}

/** Changes a user, all that is given or nothing. */
export const updateUser = action(allow.admin, (tx, input: UserChanges & { user_id: number }): void => {
  const { user_id, ...changes } = input;
  carryOut(tx, userToChange(tx, user_id), changes);
});

/** As `updateUser`, of a user named by an address. */
export const updateUserByEmail = action(allow.admin, (tx, input: UserChanges & { email: string }): void => {
  const { email, ...changes } = input;
  carryOut(tx, userWithAddress(tx, email), changes);
});

function userWithAddress(ctx: Ctx, email: string): UserRow {
  const user = findUserByAddress(ctx, email) ?? fail("BAD_REQUEST", "No such user");
  return userToChange(ctx, user.id);
}

function carryOut(tx: Tx, user: UserRow, { full_name, role, new_email, profile_data }: UserChanges): void {
  if (full_name !== undefined && changeName(tx, user.id, full_name)) {
    record(tx, user, { deed: "renamed", from: user.full_name, to: full_name });
  }
  if (profile_data !== undefined && setProfile(tx, user, profile_data)) {
    recordAudit(tx, { event: "user_profile_changed", about: { kind: "user", id: user.id } });
  }
  if (new_email !== undefined && new_email !== user.delivery_email) giveAddress(tx, user, new_email);
  if (role !== undefined) changeRole.in(tx, { user_id: user.id, role });
}

/** Who reads mail at an account's address can open the account, hence only owners give it another. */
function giveAddress(tx: Tx, user: UserRow, address: string): void {
  allow.owner(tx);
  if (user.is_bot) fail("BAD_REQUEST", "The address of a bot cannot be changed.");
  changeAddress(tx, user.id, address);
  record(tx, user, { deed: "address_changed", from: user.delivery_email, to: address });
}

function record(tx: Tx, user: UserRow, { deed, ...data }: { deed: string; from: string; to: string }): void {
  const kind = user.is_bot ? "bot" : "user";
  recordAudit(tx, { event: `${kind}_${deed}`, about: { kind, id: user.id }, data });
}
