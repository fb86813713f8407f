// Changes a person's own account in one request: settings, name and address.

import { attemptLimit, refuseFor } from "@/foundation/auth/attempts.ts";
import { confirmPassword } from "@/foundation/auth/passwords.ts";
import { hashNewPassword } from "@/foundation/auth/strength.ts";
import { allow, me } from "@/foundation/permissions/access.ts";
import { myself } from "@/foundation/users/access.ts";
import { changeOwnAddress, changeOwnName, changePasswordHash } from "@/foundation/users/tx-identity.ts";
import type { Ctx } from "@/kernel/context.ts";
import { fail } from "@/kernel/errors.ts";
import { action } from "@/kernel/operation.ts";
import { perApp } from "@/kernel/per-app.ts";
import { type OwnChanges, updateOwnSettings } from "./actions.ts";

export interface AccountChanges extends OwnChanges {
  full_name?: string;
  email?: string;
  old_password?: string;
  new_password?: string;
}

/** Makes all changes or none. */
export async function updateOwnAccount(ctx: Ctx, changes: AccountChanges): Promise<void> {
  allow.user(ctx);
  const { old_password, new_password, ...others } = changes;
  const password_hash = await newHash(ctx, { old_password, new_password });
  countAddressChange(ctx, others.email);
  await applyChanges(ctx, { ...others, password_hash });
}

interface Checked extends Omit<AccountChanges, "old_password" | "new_password"> {
  password_hash: string | null;
}

const applyChanges = action(
  allow.user,
  (tx, { full_name, email, password_hash, ...changes }: Checked): void => {
    const user = me(tx).id;
    if (full_name !== undefined) changeOwnName(tx, user, full_name);
    if (email !== undefined) changeOwnAddress(tx, user, email);
    if (password_hash !== null) changePasswordHash(tx, user, password_hash);
    updateOwnSettings.in(tx, changes);
  },
);

/** The hash of a new password, after checking the old one if there is one; null if neither is given. */
async function newHash(
  ctx: Ctx,
  { old_password, new_password }: Pick<AccountChanges, "old_password" | "new_password">,
): Promise<string | null> {
  if (old_password === undefined && new_password === undefined) return null;
  const user = myself(ctx);
  if (user.is_bot) fail("BAD_REQUEST", "Bots have no password.");
  const isFirst = user.password_hash === null;
  if (new_password === undefined || (old_password === undefined && !isFirst)) {
    fail("BAD_REQUEST", "To change the password, also give the old one.");
  }
  if (!isFirst) await confirmPassword(ctx, user, old_password ?? "");
  return hashNewPassword(new_password, { about: [user.full_name, user.delivery_email] });
}

const changesAllowed = [
  { max: 2, seconds: 3600 },
  { max: 5, seconds: 86_400 },
];

const limitsFor = perApp(({ clock }) =>
  changesAllowed.map(({ max, seconds }) => attemptLimit(clock, max, seconds)),
);

/** Limits how often people change their address, so that nobody can try many. */
function countAddressChange(ctx: Ctx, email: string | undefined): void {
  const user = myself(ctx);
  if (email === undefined || email === user.delivery_email) return;
  for (const limit of limitsFor(ctx)) {
    refuseFor(limit.take(String(user.id)), "You have changed your address too often.");
  }
}
