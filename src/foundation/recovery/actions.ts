// Lets people choose a new password, by a link that they get by mail or from an administrator.

import { attempting, attemptLimit, guessing, refuseFor } from "@/foundation/auth/attempts.ts";
import { networkOf } from "@/foundation/auth/networks.ts";
import { hashKey } from "@/foundation/auth/secrets.ts";
import { hashNewPassword } from "@/foundation/auth/strength.ts";
import { queueLetter } from "@/foundation/mail/tx.ts";
import { allow } from "@/foundation/permissions/access.ts";
import { checkRealmActive, isRealmOpen } from "@/foundation/realm/access.ts";
import { realmSettings, serverOptions } from "@/foundation/realm/schema.ts";
import { userFor, userToChange, userWithAddress } from "@/foundation/users/access.ts";
import type { UserRow } from "@/foundation/users/rows.ts";
import { changePasswordHash } from "@/foundation/users/tx-identity.ts";
import { recordAccountChange } from "@/foundation/users/tx-records.ts";
import type { Ctx } from "@/kernel/context.ts";
import { AppError, fail, RefusedLogin } from "@/kernel/errors.ts";
import { action, operation } from "@/kernel/operation.ts";
import { perApp } from "@/kernel/per-app.ts";
import { resetLife } from "./schema.ts";
import * as store from "./store.ts";
import { makeLink } from "./tx.ts";

const window = 3600;
const limits = perApp(({ clock }) => ({
  address: attemptLimit(clock, 3, window),
  network: attemptLimit(clock, 20, window),
}));

export interface Request {
  email: string;
  /** The network address of the request. */
  address: string;
}

/**
 * Mails a link for a new password to an address, if it has an account. Resolves before looking it up, so that neither the
 * answer nor its timing shows whether there is an account.
 */
export const requestReset = operation(
  allow.anyone,
  async (ctx, { email, address }: Request): Promise<void> => {
    checkRealmActive(ctx);
    if (!serverOptions.read(ctx).sends_mail) {
      fail(
        "BAD_REQUEST",
        "This server sends no mail. Ask an administrator for a link: 'confab user reset-link' makes one.",
      );
    }
    const why = "There were too many attempts.";
    const account = email.trim();
    await attempting(account, async () => {
      refuseFor(limits(ctx).network.take(networkOf(address)), why);
      refuseFor(limits(ctx).address.take(account.toLowerCase().slice(0, 256)), why);
    });
    setImmediate(() => {
      // A failure must not be visible. The person can try again.
      mailLink(ctx, account).catch(() => {});
    });
  },
);

const mailLink = action(allow.anyone, (tx, email: string): void => {
  const user = userWithAddress(tx, email);
  if (!user?.is_active || user.is_bot || !isRealmOpen(tx)) return;
  const { name } = realmSettings.read(tx);
  const letter = {
    subject: `A new password for ${name}`,
    heading: "Choose a new password",
    blocks: [
      {
        text: `Somebody, probably you, asked for a new password for your account ${user.delivery_email} at ${name}.`,
      },
      { label: "Choose a password", url: tx.env.site + makeLink(tx, user.id) },
      { text: "The link works once, within an hour." },
    ],
    footer: "If you did not ask for it, ignore this mail: your password stays as it is.",
  };
  const expires_at = tx.now + resetLife;
  queueLetter(tx, {
    letter,
    recipient: user.delivery_email,
    sender_id: user.id,
    tells_sender: false,
    expires_at,
  });
});

/** Makes a link for a new password, which the actor hands over. */
export const makeResetLink = action(
  allow.admin,
  (tx, userId: number): { path: string; expires_at: number } => {
    const user = userToChange(tx, userId);
    if (user.is_bot) fail("BAD_REQUEST", "Bots have no password.");
    if (!user.is_active) fail("BAD_REQUEST", "The account is deactivated: reactivate it first.");
    recordAccountChange(tx, user, "reset_link_made");
    return { path: makeLink(tx, user.id), expires_at: tx.now + resetLife };
  },
);

const gone =
  "This link no longer works: it was used, it is too old, or it is not complete. Ask for a new one.";

/** The person whose password a link changes; throws if it no longer works. */
function personOf(ctx: Ctx, key: string): UserRow {
  const id = store.findLink(ctx, hashKey(key));
  const user = id === null ? null : userFor(ctx, id);
  checkRealmActive(ctx);
  if (user?.is_active) return user;
  throw new RefusedLogin(new AppError("MISSING", gone), null, "NO_SUCH_LINK");
}

interface Following {
  key: string;
  /** The network address of the request. */
  address: string;
}

/** The address of the account whose password a link changes. Wrong keys count as guesses. */
export const lookUpReset = operation(
  allow.anyone,
  (ctx, { key, address }: Following): Promise<string> =>
    guessing(ctx, { address, account: null }, () => personOf(ctx, key).delivery_email),
);

/** Sets the password of a link's account, and ends the link and all sessions. */
export const resetPassword = operation(
  allow.anyone,
  (ctx, { key, address, password }: Following & { password: string }): Promise<void> =>
    guessing(ctx, { address, account: null }, async () => {
      const { full_name, delivery_email } = personOf(ctx, key);
      const hash = await hashNewPassword(password, { about: [full_name, delivery_email] });
      await storePassword(ctx, { key, hash });
    }),
);

const storePassword = action(allow.anyone, (tx, { key, hash }: { key: string; hash: string }): void => {
  const user = personOf(tx, key);
  changePasswordHash(tx, user.id, hash);
});
