// How an invited person becomes a user.

import type { UserWithKey } from "@/foundation/accounts/actions-adding.ts";
import { noPasswords } from "@/foundation/auth/schema.ts";
import { allow } from "@/foundation/permissions/access.ts";
import { authErrors } from "@/foundation/permissions/schema.ts";
import { takesPasswords } from "@/foundation/realm/access.ts";
import { hashNewPassword } from "@/foundation/secrets/strength.ts";
import { checkArrival } from "@/foundation/users/identity.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { action } from "@/kernel/core/operation.ts";
import { fail } from "@/kernel/lib/errors.ts";
import type { Language } from "@/text/language/languages.ts";
import { openInvitationFor } from "./access.ts";
import { admitInvited } from "./actions-admission.ts";
import type { Invitation } from "./schema.ts";

export interface Newcomer {
  full_name: string;
  email: string;
  password: string;
  /** That of their browser, if they came with one. */
  language: Language | null;
}

/** Creates the account of an invited person. The key in the result is not shown again. */
export async function acceptInvitation(ctx: Ctx, key: string, newcomer: Newcomer): Promise<UserWithKey> {
  invitationOf(ctx, key, newcomer);
  const { password, ...person } = newcomer;
  const password_hash = await hashNewPassword(password, { about: [person.full_name, person.email] });
  return admit(ctx, { key, newcomer: { ...person, password_hash } });
}

type Hashed = Omit<Newcomer, "password"> & { password_hash: string };

/** The invitation that the newcomer may accept. Called before the password is hashed, which is slow, and again in the transaction. */
function invitationOf(ctx: Ctx, key: string, newcomer: Pick<Newcomer, "full_name" | "email">): Invitation {
  const found = openInvitationFor(ctx, key, newcomer.email);
  if (!takesPasswords(ctx)) {
    fail(authErrors.PASSWORD_AUTH_DISABLED, noPasswords);
  }
  checkArrival(ctx, newcomer);
  return found;
}

const admit = action(
  allow.anyone,
  (tx, { key, newcomer }: { key: string; newcomer: Hashed }): UserWithKey => {
    const found = invitationOf(tx, key, newcomer);
    return admitInvited(tx, found, { ...newcomer, proof: found.is_mailed ? "invitation" : null });
  },
);
