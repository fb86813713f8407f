// Confirms or ends changes of people's own addresses. What asks for one is `updateOwnAccount`.

import { changeAddress } from "@/foundation/accounts/actions-identity.ts";
import { prove } from "@/foundation/address-proofs/actions.ts";
import { checkLogin } from "@/foundation/login/actions.ts";
import { queueLetter } from "@/foundation/mail/actions.ts";
import { allow, isAdmin, me, memberOf } from "@/foundation/permissions/access.ts";
import { checkRealmActive } from "@/foundation/realm/access.ts";
import { checkAddressAllowed } from "@/foundation/realm/domains.ts";
import { realmSettings, serverOptions } from "@/foundation/realm/schema.ts";
import { showingKey } from "@/foundation/secrets/attempts.ts";
import { hashKey, newKey } from "@/foundation/secrets/secrets.ts";
import { findSession } from "@/foundation/sessions/access.ts";
import { refuseFirstStep } from "@/foundation/two-step/actions.ts";
import { translatorTo } from "@/foundation/user-settings/access.ts";
import { userFor } from "@/foundation/users/access.ts";
import { recordAccountChange } from "@/foundation/users/actions.ts";
import { checkAddress } from "@/foundation/users/identity.ts";
import type { UserRow } from "@/foundation/users/schema.ts";
import type { Ctx, ReadsNow, Tx } from "@/kernel/core/context.ts";
import { actingAs, action, operation } from "@/kernel/core/operation.ts";
import type { RequestFacts } from "@/kernel/http/endpoint.ts";
import { AppError, fail, type KnownText, RefusedLogin } from "@/kernel/lib/errors.ts";
import { sentence } from "@/text/language/tables.ts";
import { changeLife, changePath, type WaitingLink } from "./schema.ts";
import * as store from "./store.ts";

const gone =
  "This link no longer works: it was used, it is too old, another change was asked for, or it is not complete.";

/** The change that a link confirms; throws if the link no longer works. */
function changeOf(ctx: ReadsNow, key: string): store.ChangeRow {
  const change = store.findByLink(ctx, hashKey(key));
  checkRealmActive(ctx);
  if (change && userFor(ctx, change.user_id).is_active) return change;
  throw new RefusedLogin(new AppError("MISSING", gone), null, "NO_SUCH_LINK");
}

interface Following {
  key: string;
  request: RequestFacts;
}

/** Looks a link up, without using it. Wrong keys count as guesses. */
export const lookUpChange = operation(
  allow.anyone,
  (ctx, { key, request }: Following): Promise<WaitingLink> =>
    showingKey(ctx, { address: request.address, account: null }, () => {
      const change = changeOf(ctx, key);
      const { full_name, delivery_email } = userFor(ctx, change.user_id);
      const needs_password = !isShown(ctx, change, request);
      return { full_name, email: delivery_email, new_email: change.address, needs_password };
    }),
);

/** Whether the person who follows the link need not sign in: not everybody who has a key of an account may take it over. */
function isShown(ctx: Ctx, { needs_sign_in, user_id }: store.ChangeRow, request: RequestFacts): boolean {
  return !needs_sign_in || findSession(ctx, request)?.user_id === user_id;
}

interface Confirming extends Following {
  password?: string | undefined;
  /** The code of two-step sign-in. */
  code?: string | undefined;
}

/** Changes the address by a link, which then no longer works; returns the new one. */
export const followChange = operation(
  allow.anyone,
  async (ctx, { key, request, password = "", code }: Confirming): Promise<string> => {
    const { address } = request;
    const change = await showingKey(ctx, { address, account: null }, () => changeOf(ctx, key));
    if (!isShown(ctx, change, request)) {
      const { delivery_email: username, full_name } = userFor(ctx, change.user_id);
      if (password === "")
        fail(
          "BAD_REQUEST",
          sentence("To change the address, give the password of {full_name}'s account.", { full_name }),
        );
      const { user, missing } = await checkLogin(ctx, { username, password, code, address, request });
      if (missing === "code") await refuseFirstStep(ctx, { user, missing });
    }
    return confirm(ctx, key);
  },
);

const confirm = action(allow.anyone, (tx, key: string): string => {
  const change = changeOf(tx, key);
  confirmChange(tx, change);
  return change.address;
});

/** Ends the actor's own change that waits. */
export const cancelChange = action(allow.user, (tx): void => {
  const { id } = me(tx);
  if (!store.findChange(tx, id)) fail("BAD_REQUEST", "No new address waits to be confirmed.");
  endChange(tx, id);
});

/** What shows that somebody who asks for another address is the person of the account. */
export type Shown = "password" | "session" | "key";

interface Asking {
  userId: number;
  address: string;
  shown: Shown;
}

/**
 * Changes a person's own address. With a mail server it changes once the link that is mailed to the new address is followed; without
 * one at once, for the password.
 */
export function changeOwnAddress(tx: Tx, { userId, address, shown }: Asking): void {
  const user = userFor(tx, userId);
  if (user.delivery_email === address) return;
  checkMayChange(tx, user, address);
  if (!serverOptions.read(tx).sends_mail) {
    if (shown !== "password") fail("BAD_REQUEST", withoutPassword(user));
    replaceAddress(tx, user, address);
    return;
  }

  const key = newKey();
  const expires_at = tx.now + changeLife;
  const needs_sign_in = shown === "key" ? 1 : 0;
  store.replaceChange(tx, { user_id: userId, hash: hashKey(key), address, needs_sign_in, expires_at });
  mailLink(tx, user, { address, path: changePath(key), expires_at });
}

function withoutPassword({ password_hash }: UserRow): KnownText {
  return password_hash === null
    ? "This server sends no mail that could confirm your new address, and you have no password. Ask an owner of the organization to change it."
    : "To change your address, also give your password: this server sends no mail that could confirm the new one.";
}

function checkMayChange(tx: Tx, { id, is_bot }: UserRow, address: string): void {
  if (is_bot) fail("BAD_REQUEST", "The address of a bot cannot be changed.");
  if (realmSettings.read(tx).email_changes_disabled && !isAdmin(memberOf(tx, id))) {
    fail("BAD_REQUEST", "Email address changes are disabled in this organization.");
  }
  checkAddress(tx, address, id);
  checkAddressAllowed(tx, address);
}

/** Makes the change of a link that was followed; the new address is proved by that. */
function confirmChange(tx: Tx, { user_id, address }: store.ChangeRow): void {
  const user = userFor(tx, user_id);
  checkMayChange(tx, user, address);
  replaceAddress(tx, user, address);
  prove(tx, userFor(tx, user_id), "mail");
}

function replaceAddress(tx: Tx, user: UserRow, address: string): void {
  const person = actingAs(tx, { kind: "user", id: user.id, client: tx.actor.client });
  changeAddress(person, user.id, address);
  recordAccountChange(person, user, "address_changed", { from: user.delivery_email, to: address });
}

/** Ends a change that waits. */
export function endChange(tx: Tx, userId: number): void {
  if (store.hasChange(tx, userId)) store.deleteChange(tx, userId);
}

function mailLink(
  tx: Tx,
  { id, full_name, delivery_email }: UserRow,
  { address, path, expires_at }: { address: string; path: string; expires_at: number },
): void {
  const { name: organization } = realmSettings.read(tx);
  const translator = translatorTo(tx, id);
  const { t } = translator;
  const letter = {
    translator,
    subject: t("Confirm your new address at {organization}", { organization }),
    heading: t("Confirm your new address"),
    blocks: [
      {
        text: t(
          "Somebody, probably you, wants the account of {full_name} at {organization} to have this address.",
          { full_name, organization },
        ),
      },
      {
        facts: [
          [t("Now"), delivery_email],
          [t("New|address"), address],
        ] as const,
      },
      { label: t("Confirm the address"), url: tx.env.site + path },
      { text: t("The link works once, within a day. Until then the account keeps its address.") },
    ],
    footer: t("If this is not your account, ignore this mail: nothing changes."),
  };
  queueLetter(tx, { letter, recipient: address, sender_id: id, tells_sender: false, expires_at });
}
