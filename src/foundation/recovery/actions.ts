// Lets people choose a new password, by a link that they get by mail or from an administrator.

import { changePasswordHash } from "@/foundation/accounts/actions-identity.ts";
import { proofOf } from "@/foundation/address-proofs/access.ts";
import { prove } from "@/foundation/address-proofs/actions.ts";
import { endKeys } from "@/foundation/keys/actions.ts";
import { queueLetter } from "@/foundation/mail/actions.ts";
import { allow } from "@/foundation/permissions/access.ts";
import { checkRealmActive, isRealmOpen } from "@/foundation/realm/access.ts";
import { realmSettings, serverOptions } from "@/foundation/realm/schema.ts";
import {
  attempting,
  attemptLimit,
  placeOfNetwork,
  refuseFor,
  showingKey,
} from "@/foundation/secrets/attempts.ts";
import { networkOf } from "@/foundation/secrets/networks.ts";
import { nameTried } from "@/foundation/secrets/passwords.ts";
import { hashKey, newKey } from "@/foundation/secrets/secrets.ts";
import { hashNewPassword } from "@/foundation/secrets/strength.ts";
import { findBrowser } from "@/foundation/sessions/access.ts";
import { rememberBrowser } from "@/foundation/sessions/actions.ts";
import { browserTokenOf } from "@/foundation/sessions/cookies.ts";
import { translatorTo } from "@/foundation/user-settings/access.ts";
import { userFor, userToChange, userWithAddress } from "@/foundation/users/access.ts";
import { recordAccountChange } from "@/foundation/users/actions.ts";
import { userHooks } from "@/foundation/users/hooks.ts";
import type { UserRow } from "@/foundation/users/schema.ts";
import type { Ctx, Tx } from "@/kernel/core/context.ts";
import { action, operation } from "@/kernel/core/operation.ts";
import type { RequestFacts } from "@/kernel/http/endpoint.ts";
import { AppError, fail, failInEnglish, RefusedLogin } from "@/kernel/lib/errors.ts";
import { perApp } from "@/kernel/store/per-app.ts";
import { resetLife, resetPath } from "./schema.ts";
import * as store from "./store.ts";

const window = 3600;

const limits = perApp(({ clock }) => ({
  /** Mails to one address, asked for from one network or known browser. */
  address: attemptLimit(clock, 3, window),
  /** Mails to one address, no matter who asks. The newest of them can be used for as long as no more are sent. */
  everywhere: attemptLimit(clock, 10, window),
  network: attemptLimit(clock, 20, window),
}));

export interface RecoveryRequest {
  email: string;
  request: RequestFacts;
}

/**
 * Mails a link for a new password to an address, if it has an account. Resolves before looking it up, so that neither the
 * answer nor its timing shows whether there is an account.
 */
export const requestReset = operation(
  allow.anyone,
  async (ctx, { email, request }: RecoveryRequest): Promise<void> => {
    checkRealmActive(ctx);
    if (!serverOptions.read(ctx).sends_mail) {
      fail(
        "BAD_REQUEST",
        "This server sends no mail. Ask an administrator for a link: 'confab user reset-link' makes one.",
      );
    }
    const account = email.trim();
    await attempting(account, async () => countAsking(ctx, account, request));
    setImmediate(() => {
      // A failure must not be visible. The person can try again.
      mailLink(ctx, account).catch(() => {});
    });
  },
);

function countAsking(ctx: Ctx, account: string, request: RequestFacts): void {
  const { address, everywhere, network } = limits(ctx);
  const name = nameTried(account);
  // Looks the account up only for a browser that says it is known: for others, the time would show whether there is one.
  const user = browserTokenOf(ctx.env, request) === null ? null : userWithAddress(ctx, account);
  const browser = user && findBrowser(ctx, request, user.id);
  if (browser !== null) {
    refuseFor(address.take(`${name} ${browser}`), "attempts");
    return;
  }
  refuseFor(network.take(networkOf(request.address)), "attempts");
  refuseFor(address.take(`${name} ${placeOfNetwork(request.address)}`), "attempts");
  refuseFor(everywhere.take(name), "attempts");
}

const mailLink = action(allow.anyone, (tx, email: string): void => {
  const user = userWithAddress(tx, email);
  if (!user?.is_active || user.is_bot || !isRealmOpen(tx)) return;
  const { name: organization } = realmSettings.read(tx);
  const translator = translatorTo(tx, user.id);
  const { t } = translator;
  const letter = {
    translator,
    subject: t("A new password for {organization}", { organization }),
    heading: t("Choose a new password"),
    blocks: [
      {
        text: t(
          "Somebody, probably you, asked for a new password for your account {email} at {organization}.",
          { email: user.delivery_email, organization },
        ),
      },
      {
        label: t("Choose a password"),
        url: tx.env.site + makeLink(tx, { userId: user.id, mailedTo: user.delivery_email }),
      },
      { text: t("The link works once, within an hour.") },
    ],
    footer: t("If you did not ask for it, ignore this mail: your password stays as it is."),
  };
  const expires_at = tx.now + resetLife;
  queueLetter(tx, {
    letter,
    recipient: user.delivery_email,
    sender_id: user.id,
    reader_id: user.id,
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
    if (!user.is_active) failInEnglish("BAD_REQUEST", "The account is deactivated: reactivate it first.");
    recordAccountChange(tx, user, "reset_link_made");
    return { path: makeLink(tx, { userId: user.id, mailedTo: null }), expires_at: tx.now + resetLife };
  },
);

const gone =
  "This link no longer works: it was used, it is too old, or it is not complete. Ask for a new one.";

/** The person whose password a link changes; throws if it no longer works. */
function personOf(ctx: Ctx, key: string): UserRow {
  const link = store.findLink(ctx, hashKey(key));
  const user = link && userFor(ctx, link.user_id);
  checkRealmActive(ctx);
  if (user?.is_active) return user;
  throw new RefusedLogin(new AppError("MISSING", gone), null, "NO_SUCH_LINK");
}

interface Following {
  key: string;
  request: RequestFacts;
}

/** The address of the account whose password a link changes. Wrong keys are counted. */
export const lookUpReset = operation(
  allow.anyone,
  (ctx, { key, request: { address } }: Following): Promise<string> =>
    showingKey(ctx, { address, account: null }, () => personOf(ctx, key).delivery_email),
);

/**
 * Sets the password of a link's account, and ends the link, all sessions, and the keys that logins handed out. The browser
 * is known from then on, so that nobody keeps the person from using the new password.
 */
export const resetPassword = operation(
  allow.anyone,
  (ctx, { key, request, password }: Following & { password: string }): Promise<void> =>
    showingKey(ctx, { address: request.address, account: null }, async () => {
      const { id, full_name, delivery_email } = personOf(ctx, key);
      const hash = await hashNewPassword(password, { about: [full_name, delivery_email] });
      await storePassword(ctx, { key, hash });
      await rememberBrowser(ctx, { user_id: id, request });
    }),
);

const storePassword = action(allow.anyone, (tx, { key, hash }: { key: string; hash: string }): void => {
  const user = personOf(tx, key);
  const mailedTo = store.findLink(tx, hashKey(key))?.mailed_to;
  changePasswordHash(tx, user.id, { hash });
  if (mailedTo === user.delivery_email.toLowerCase()) claim(tx, user);
});

/**
 * A person who uses a mailed link reads mail at the account's address. If nobody has proved that before, others may have made the account
 * under an address that is not theirs: whatever opened it ends.
 */
function claim(tx: Tx, user: UserRow): void {
  if (proofOf(tx, user) !== null) return;
  endKeys(tx, user.id);
  userHooks.claimed(tx, user.id);
  prove(tx, user, "mail");
}

interface Making {
  userId: number;
  /** How many seconds it works. */
  life?: number;
  /** The address to which it is mailed, and nobody else sees it; null if somebody hands it over. */
  mailedTo: string | null;
}

/** Makes a link for a new password; returns its path. Earlier links stop working. */
export function makeLink(tx: Tx, { userId, life = resetLife, mailedTo }: Making): string {
  const key = newKey();
  endLinks(tx, userId);
  store.insertLink(tx, { hash: hashKey(key), userId, expires_at: tx.now + life, mailedTo });
  return resetPath(key);
}

/** Ends the links of a user. */
export function endLinks(tx: Tx, userId: number): void {
  if (store.hasLinks(tx, userId)) store.deleteLinks(tx, userId);
}
