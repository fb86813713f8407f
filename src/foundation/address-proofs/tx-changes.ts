// Changes of people's own addresses, which take a proof.
import { hashKey, newKey } from "@/foundation/auth/secrets.ts";
import { queueLetter } from "@/foundation/mail/tx.ts";
import { isAdmin, memberOf } from "@/foundation/permissions/access.ts";
import { checkAddressAllowed } from "@/foundation/realm/domains.ts";
import { realmSettings, serverOptions } from "@/foundation/realm/schema.ts";
import { userFor } from "@/foundation/users/access.ts";
import { checkAddress } from "@/foundation/users/identity.ts";
import type { UserRow } from "@/foundation/users/rows.ts";
import { changeAddress } from "@/foundation/users/tx-identity.ts";
import { recordAccountChange } from "@/foundation/users/tx-records.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { actingAs } from "@/kernel/core/operation.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { changeLife, changePath } from "./schema.ts";
import * as store from "./store-changes.ts";
import { prove } from "./tx.ts";

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

function withoutPassword({ password_hash }: UserRow): string {
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
export function confirmChange(tx: Tx, { user_id, address }: store.ChangeRow): void {
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
  const { name } = realmSettings.read(tx);
  const letter = {
    subject: `Confirm your new address at ${name}`,
    heading: "Confirm your new address",
    blocks: [
      { text: `Somebody, probably you, wants the account of ${full_name} at ${name} to have this address.` },
      {
        facts: [
          ["Now", delivery_email],
          ["New", address],
        ] as const,
      },
      { label: "Confirm the address", url: tx.env.site + path },
      { text: "The link works once, within a day. Until then the account keeps its address." },
    ],
    footer: "If this is not your account, ignore this mail: nothing changes.",
  };
  queueLetter(tx, { letter, recipient: address, sender_id: id, tells_sender: false, expires_at });
}
