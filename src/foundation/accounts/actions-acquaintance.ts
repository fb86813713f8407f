// Emits events about users to those who may know them.

import { type Acquaintances, listMetSince, listPartedSince } from "@/foundation/acquaintance/access.ts";
import { profileOf } from "@/foundation/profile-fields/access.ts";
import { findUserById } from "@/foundation/users/access.ts";
import { addressViewers, hasOpenAddress, visibilityOf } from "@/foundation/users/addresses.ts";
import { presentAs, presentStranger } from "@/foundation/users/present.ts";
import { userAdded, userRemoved } from "@/foundation/users/schema.ts";
import type { Tx } from "@/kernel/core/context.ts";

/** Emits to guests the users that they came to know since `acquaintancesOf` was called. */
export function emitMet(tx: Tx, before: Acquaintances): void {
  for (const [id, guests] of listMetSince(tx, before)) emitPerson(tx, guests, id);
}

/** Emits to guests the users that they no longer know. */
export function emitParted(tx: Tx, before: Acquaintances): void {
  for (const [id, guests] of listPartedSince(tx, before)) emitLost(tx, guests, id);
}

/** Emits a user to guests, with the own address to those who may see it. */
function emitPerson(tx: Tx, guestIds: readonly number[], id: number): void {
  const row = findUserById(tx, id);
  if (!row || guestIds.length === 0) return;
  const viewers = hasOpenAddress(row) ? new Set(guestIds) : addressViewers(tx, id, visibilityOf(tx, id));
  for (const isSeen of [true, false]) {
    const to = guestIds.filter((guest) => viewers.has(guest) === isSeen);
    if (to.length === 0) continue;
    const person = presentAs(tx, row, { clientGravatar: false, isSeen });
    const hasServerPicture = row.default_avatar === "J";
    tx.emit(userAdded, { to }, { person: { ...person, profile_data: profileOf(tx, id) }, hasServerPicture });
  }
}

function emitLost(tx: Tx, guestIds: readonly number[], id: number): void {
  const row = findUserById(tx, id);
  if (!row || guestIds.length === 0) return;
  tx.emit(userRemoved, { to: guestIds }, { person: { user_id: id, full_name: row.full_name } });
  tx.emit(userAdded, { to: guestIds }, { person: presentStranger(tx, id), isStranger: true });
}
