// Changes of a person's name, address and its visibility, time zone, and password.

import { proofOf } from "@/foundation/address-proofs/access.ts";
import { proveByWord, unprove } from "@/foundation/address-proofs/actions.ts";
import { endLoginKeys } from "@/foundation/keys/actions.ts";
import { notifyAddressChanged, notifyPasswordChanged } from "@/foundation/mail/actions-security.ts";
import { isAdmin, memberOf } from "@/foundation/permissions/access.ts";
import type { Role } from "@/foundation/permissions/schema.ts";
import { checkAddressAllowed } from "@/foundation/realm/domains.ts";
import { firstVisit, realmSettings } from "@/foundation/realm/schema.ts";
import type { AddressVisibility } from "@/foundation/user-settings/schema.ts";
import { userFor } from "@/foundation/users/access.ts";
import { emitUserChange } from "@/foundation/users/actions.ts";
import {
  addressViewers,
  isVisibleTo,
  peopleWithHiddenAddress,
  visibilityOf,
  visibleAddressOf,
} from "@/foundation/users/addresses.ts";
import { userHooks } from "@/foundation/users/hooks.ts";
import { checkAddress, checkName } from "@/foundation/users/identity.ts";
import { clientsOutdated, maxChangesSent, type UserRow, userUpdated } from "@/foundation/users/schema.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { to as only } from "@/kernel/core/events.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { checkBotName } from "./access.ts";
import * as store from "./store.ts";

/** Changes a user's own name, if the organization allows it. */
export function changeOwnName(tx: Tx, userId: number, full_name: string): void {
  if (userFor(tx, userId).full_name === full_name) return;
  const { name_changes_disabled } = realmSettings.read(tx);
  if (name_changes_disabled && !isAdmin(memberOf(tx, userId))) {
    fail("BAD_REQUEST", "Name changes are disabled in this organization.");
  }
  changeName(tx, userId, full_name);
}

/** Changes a user's name; returns false if it is the same. */
export function changeName(tx: Tx, userId: number, full_name: string): boolean {
  const user = userFor(tx, userId);
  if (user.full_name === full_name) return false;
  checkName(tx, full_name, userId);
  if (user.is_bot) checkBotName(tx, full_name, userId);
  store.setFullName(tx, userId, full_name);
  emitUserChange(tx, user, { full_name });
  return true;
}

/** Sets a user's time zone; returns false if it is the same. */
export function changeTimezone(tx: Tx, userId: number, timezone: string): boolean {
  const user = userFor(tx, userId);
  if (user.timezone === timezone) return false;
  store.setTimezone(tx, userId, timezone);
  emitUserChange(tx, user, { email: user.email, timezone });
  return true;
}

/** Changes a user's address, and emits events to those who see it. Only the operator's word proves the new one. */
export function changeAddress(tx: Tx, userId: number, delivery_email: string): void {
  checkAddress(tx, delivery_email, userId);
  checkAddressAllowed(tx, delivery_email);
  notifyAddressChanged(tx, userFor(tx, userId), delivery_email);
  const visibility = visibilityOf(tx, userId);
  setAddresses(tx, userId, { delivery_email, visibility });
  if (proofOf(tx, userFor(tx, userId)) === null) unprove(tx, userId);
  proveByWord(tx, userFor(tx, userId));
  userHooks.addressChanged(tx, userId);
  tx.emit(
    userUpdated,
    { to: addressViewers(tx, userId, visibility) },
    { person: { user_id: userId, delivery_email } },
  );
}

/** Changes a bot's address, which everybody who knows the bot sees. */
export function changeBotAddress(tx: Tx, bot: UserRow, address: string): void {
  checkAddress(tx, address, bot.id);
  store.setEmails(tx, bot.id, { email: address, delivery_email: address });
  emitUserChange(tx, bot, { delivery_email: address });
  emitUserChange(tx, bot, { new_email: address });
}

/** Changes who sees a person's address, and emits events to those who gain or lose it. */
export function changeAddressVisibility(
  tx: Tx,
  userId: number,
  { from, to }: { from: AddressVisibility; to: AddressVisibility },
): void {
  const { delivery_email, is_bot } = userFor(tx, userId);
  if (is_bot) return;
  setAddresses(tx, userId, { delivery_email, visibility: to });
  const before = addressViewers(tx, userId, from);
  const after = addressViewers(tx, userId, to);
  const emitAddress = (ids: number[], address: string | null) => {
    if (ids.length === 0) return;
    tx.emit(userUpdated, { to: ids }, { person: { user_id: userId, delivery_email: address } });
  };
  emitAddress(
    [...after].filter((id) => !before.has(id)),
    delivery_email,
  );
  emitAddress(
    [...before].filter((id) => !after.has(id)),
    null,
  );
}

/** Emits to a user whose role changes the addresses that they gain or lose. */
export function emitAddressesSeen(tx: Tx, userId: number, { from, to }: { from: Role; to: Role }): void {
  const isSeen = (other: number, role: Role) => isVisibleTo(role, visibilityOf(tx, other));
  const changed = [...peopleWithHiddenAddress(tx)].filter(
    (other) => other !== userId && isSeen(other, from) !== isSeen(other, to),
  );
  if (changed.length > maxChangesSent) {
    tx.emit(clientsOutdated, only(), { user_ids: [userId] });
    return;
  }
  for (const other of changed) {
    const delivery_email = isSeen(other, to) ? userFor(tx, other).delivery_email : null;
    tx.emit(userUpdated, only(userId), { person: { user_id: other, delivery_email } });
  }
}

/** Updates the address that clients see to match the own address and its visibility. */
function setAddresses(
  tx: Tx,
  userId: number,
  { delivery_email, visibility }: { delivery_email: string; visibility: AddressVisibility },
): void {
  const before = userFor(tx, userId);
  const email = visibleAddressOf(tx, { id: userId, delivery_email }, visibility);
  store.setEmails(tx, userId, { email, delivery_email });
  if (email !== before.email) emitUserChange(tx, before, { new_email: email });
}

/**
 * Stores a new password, checked and hashed before the transaction. What the old one opened ends, except for what makes
 * the change, and unless the person keeps their devices.
 */
export function changePasswordHash(
  tx: Tx,
  userId: number,
  { hash, keepsDevices = false }: { hash: string; keepsDevices?: boolean },
): void {
  const user = userFor(tx, userId);
  if (user.is_bot) fail("BAD_REQUEST", "Bots have no password.");
  store.setPasswordHash(tx, userId, hash);
  const wasAwaited = firstVisit.read(tx).owner === userId;
  if (wasAwaited) firstVisit.write(tx, "owner", null);
  if (!keepsDevices) endLoginKeys(tx, userId, keyOfActor(tx, userId));
  userHooks.passwordChanged(tx, { userId, keepsDevices });
  notifyPasswordChanged(tx, user, { by: otherActor(tx, userId), keepsDevices });
  if (wasAwaited) userHooks.firstVisitEnded(tx, userId);
}

/** The name of the actor, if a person acts on somebody else's account. */
export function otherActor(tx: Tx, userId: number): string | null {
  const { kind, id } = tx.actor;
  return kind === "user" && id !== userId ? userFor(tx, id).full_name : null;
}

/** The key with which the person acts. */
function keyOfActor({ actor: { id, by } }: Tx, userId: number): number | undefined {
  return id === userId && by?.kind === "key" ? by.id : undefined;
}
