// Changes that administrators make to other people's accounts, in one request.

import { allow } from "@/foundation/permissions/access.ts";
import type { Role } from "@/foundation/permissions/schema.ts";
import type { ProfileData } from "@/foundation/profile-fields/schema.ts";
import { setProfile } from "@/foundation/profile-fields/values.ts";
import type { Tx } from "@/kernel/context.ts";
import { fail } from "@/kernel/errors.ts";
import { action } from "@/kernel/operation.ts";
import { userByEmail, userToChange } from "./access.ts";
import { changeRole } from "./actions.ts";
import { changeAddress, changeName } from "./identity.ts";
import { recordDeed } from "./records.ts";
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
  carryOut(tx, userToChange(tx, userByEmail(tx, email).id), changes);
});

function carryOut(tx: Tx, user: UserRow, { full_name, role, new_email, profile_data }: UserChanges): void {
  if (full_name !== undefined && changeName(tx, user.id, full_name)) {
    recordDeed(tx, user, "renamed", { from: user.full_name, to: full_name });
  }
  if (profile_data !== undefined && setProfile(tx, user, profile_data)) {
    recordDeed(tx, user, "profile_changed");
  }
  if (new_email !== undefined && new_email !== user.delivery_email) giveAddress(tx, user, new_email);
  if (role !== undefined) changeRole.in(tx, { user_id: user.id, role });
}

/** Who reads mail at an account's address can open the account, hence only owners give it another. */
function giveAddress(tx: Tx, user: UserRow, address: string): void {
  allow.owner(tx);
  if (user.is_bot) fail("BAD_REQUEST", "The address of a bot cannot be changed.");
  changeAddress(tx, user.id, address);
  recordDeed(tx, user, "address_changed", { from: user.delivery_email, to: address });
}
