// Changes a person's own account in one request: settings, name and address.

import { changeOwnName, changePasswordHash } from "@/foundation/accounts/actions-identity.ts";
import { changeOwnAddress, type Shown } from "@/foundation/address-changes/actions.ts";
import { allow, me } from "@/foundation/permissions/access.ts";
import { checkProved } from "@/foundation/proofs/access.ts";
import { attemptLimit, refuseFor } from "@/foundation/secrets/attempts.ts";
import { confirmPassword } from "@/foundation/secrets/passwords.ts";
import { hashNewPassword } from "@/foundation/secrets/strength.ts";
import { findSession } from "@/foundation/sessions/access.ts";
import { myself } from "@/foundation/users/access.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { action } from "@/kernel/core/operation.ts";
import type { RequestFacts } from "@/kernel/http/endpoint.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { perApp } from "@/kernel/store/per-app.ts";
import { type OwnChanges, updateOwnSettings } from "./actions.ts";

interface AccountChanges extends OwnChanges {
  full_name?: string;
  email?: string;
  old_password?: string;
  new_password?: string;
  /** With a new password, keeps the actor's other devices signed in. */
  keep_other_devices?: boolean;
}

/** Makes all changes or none. A new address may first have to be confirmed. */
export async function updateOwnAccount(
  ctx: Ctx,
  changes: AccountChanges,
  request: RequestFacts,
): Promise<void> {
  allow.user(ctx);
  const { old_password, new_password, keep_other_devices, ...others } = changes;
  const wantsAddress = others.email !== undefined && others.email !== myself(ctx).delivery_email;
  const hash =
    wantsAddress && new_password === undefined
      ? null
      : await newHash(ctx, { old_password, new_password, request });
  const shown = wantsAddress ? await proofFor(ctx, { old_password, new_password, request }) : "key";
  if (shown === "session") checkProved(ctx);
  if (wantsAddress) countAddressChange(ctx);
  await applyChanges(ctx, { ...others, hash, keepsDevices: keep_other_devices ?? false, shown });
}

interface Showing extends Pick<AccountChanges, "old_password" | "new_password"> {
  request: RequestFacts;
}

/** What shows that the request is the person's, and not only of somebody who has their key. */
async function proofFor(ctx: Ctx, { old_password, new_password, request }: Showing): Promise<Shown> {
  const user = myself(ctx);
  if (old_password !== undefined && user.password_hash !== null) {
    // With a new password, the old one has been checked already.
    if (new_password === undefined) await confirmPassword(ctx, user, old_password);
    return "password";
  }
  return findSession(ctx, request)?.user_id === user.id ? "session" : "key";
}

interface Checked extends Omit<AccountChanges, "old_password" | "new_password" | "keep_other_devices"> {
  hash: string | null;
  keepsDevices: boolean;
  shown: Shown;
}

const applyChanges = action(
  allow.user,
  (tx, { full_name, email, shown, hash, keepsDevices, ...changes }: Checked): void => {
    const user = me(tx).id;
    if (full_name !== undefined) changeOwnName(tx, user, full_name);
    // A new password ends a change of address that waits, so it comes first.
    if (hash !== null) changePasswordHash(tx, user, { hash, keepsDevices });
    if (email !== undefined) changeOwnAddress(tx, { userId: user, address: email, shown });
    updateOwnSettings.in(tx, changes);
  },
);

/** The hash of a new password, after checking the old one if there is one; null if neither is given. */
async function newHash(ctx: Ctx, { old_password, new_password, request }: Showing): Promise<string | null> {
  if (old_password === undefined && new_password === undefined) return null;
  const user = myself(ctx);
  if (user.is_bot) fail("BAD_REQUEST", "Bots have no password.");
  const isFirst = user.password_hash === null;
  if (new_password === undefined || (old_password === undefined && !isFirst)) {
    fail("BAD_REQUEST", "To change the password, also give the old one.");
  }
  if (isFirst && findSession(ctx, request)?.user_id !== user.id) {
    fail(
      "BAD_REQUEST",
      "A first password takes more than a key: sign in in a browser, and choose it in the settings there.",
    );
  }
  if (isFirst) checkProved(ctx);
  else await confirmPassword(ctx, user, old_password ?? "");
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
function countAddressChange(ctx: Ctx): void {
  for (const limit of limitsFor(ctx)) {
    refuseFor(limit.take(String(ctx.actor.id)), "addresses");
  }
}
