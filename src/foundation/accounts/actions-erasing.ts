// What becomes of an account whose person is erased: it stays, so that messages have a sender, but identifies nobody.

import { endKeys } from "@/foundation/keys/actions.ts";
import { translatorToAll } from "@/foundation/realm/access.ts";
import { userFor } from "@/foundation/users/access.ts";
import { emitUserChange } from "@/foundation/users/actions.ts";
import { addressViewers, generateAddress, visibilityOf } from "@/foundation/users/addresses.ts";
import { type UserRow, userUpdated } from "@/foundation/users/schema.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { deactivate } from "./actions.ts";
import * as store from "./store.ts";

/** Takes name, address, time zone and keys from a person, and deactivates the account for ever; part of another action. */
export function eraseAccount(tx: Tx, user: UserRow): void {
  if (user.is_active) deactivate(tx, user);
  endKeys(tx, user.id);
  const viewers = addressViewers(tx, user.id, visibilityOf(tx, user.id));
  const email = generateAddress(tx, user.id);
  const full_name = nameOfDeleted(tx);
  store.setErased(tx, user.id, { email, full_name });
  emitUserChange(tx, user, { full_name });
  if (email !== user.email) emitUserChange(tx, user, { new_email: email });
  tx.emit(userUpdated, { to: viewers }, { person: { user_id: user.id, delivery_email: email } });
  if (user.timezone !== "") emitUserChange(tx, user, { email, timezone: "" });
}

/** Takes the name of an account that may be reopened; part of another action. */
export function dropName(tx: Tx, userId: number): void {
  const user = userFor(tx, userId);
  const full_name = nameOfDeleted(tx);
  store.setFullName(tx, userId, full_name);
  emitUserChange(tx, user, { full_name });
}

/** In the organization's language, because it is stored. */
export function nameOfDeleted(tx: Tx): string {
  return translatorToAll(tx).t("Deleted user");
}
