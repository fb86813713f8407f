// How an invited person becomes a user.

import { hashNewPassword } from "@/foundation/auth/strength.ts";
import { allow } from "@/foundation/permissions/access.ts";
import { checkArrival } from "@/foundation/users/identity.ts";
import type { UserWithKey } from "@/foundation/users/tx.ts";
import type { Ctx } from "@/kernel/context.ts";
import { fail } from "@/kernel/errors.ts";
import { action } from "@/kernel/operation.ts";
import { openInvitation } from "./access.ts";
import type { Invitation } from "./rows.ts";
import { admitInvited } from "./tx-joining.ts";

export interface Newcomer {
  full_name: string;
  email: string;
  password: string;
}

/** Creates the account of an invited person. The key in the result is not shown again. */
export async function acceptInvitation(ctx: Ctx, key: string, newcomer: Newcomer): Promise<UserWithKey> {
  checkNewcomer(ctx, openInvitation(ctx, key), newcomer);
  const { password, ...person } = newcomer;
  const password_hash = await hashNewPassword(password, { about: [person.full_name, person.email] });
  return admit(ctx, { key, newcomer: { ...person, password_hash } });
}

type Hashed = Omit<Newcomer, "password"> & { password_hash: string };

/** Called before the password is hashed, which is slow, and again in the transaction. */
function checkNewcomer(ctx: Ctx, found: Invitation, newcomer: Pick<Newcomer, "full_name" | "email">): void {
  if (found.email !== null && found.email.toLowerCase() !== newcomer.email.toLowerCase()) {
    fail("BAD_REQUEST", `This invitation is for the address ${found.email}.`);
  }
  checkArrival(ctx, newcomer);
}

const admit = action(
  allow.anyone,
  (tx, { key, newcomer }: { key: string; newcomer: Hashed }): UserWithKey => {
    const found = openInvitation(tx, key);
    checkNewcomer(tx, found, newcomer);
    return admitInvited(tx, found, newcomer);
  },
);
