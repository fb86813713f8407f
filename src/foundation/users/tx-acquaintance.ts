// Emits events about users to those who may know them.

import {
  type Acquaintances,
  type Known,
  knowersOf,
  metSince,
  partedSince,
  strangersTo,
} from "@/foundation/acquaintance/access.ts";
import { profileOf } from "@/foundation/profile-fields/access.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { addressViewers, hasOpenAddress, visibilityOf } from "./addresses.ts";
import { presentAs, presentStranger } from "./present.ts";
import { userAdded, userRemoved, userUpdated } from "./schema.ts";
import * as store from "./store.ts";

/** Emits a change of a user to everyone who may know them. */
export function emitUserChange(tx: Tx, user: Known, change: Record<string, unknown>): void {
  tx.emit(userUpdated, knowersOf(tx, user), { person: { user_id: user.id, ...change } });
}

/** Emits to guests the users that they came to know since `acquaintancesOf` was called. */
export function emitMet(tx: Tx, before: Acquaintances): void {
  for (const [id, guests] of metSince(tx, before)) emitPerson(tx, guests, id);
}

/** Emits to guests the users that they no longer know. */
export function emitParted(tx: Tx, before: Acquaintances): void {
  for (const [id, guests] of partedSince(tx, before)) emitLost(tx, guests, id);
}

/** Emits a user to guests, with the own address to those who may see it. */
function emitPerson(tx: Tx, guestIds: readonly number[], id: number): void {
  const row = store.findUser(tx, id);
  if (!row || guestIds.length === 0) return;
  const viewers = hasOpenAddress(row) ? new Set(guestIds) : addressViewers(tx, id, visibilityOf(tx, id));
  for (const isSeen of [true, false]) {
    const to = guestIds.filter((guest) => viewers.has(guest) === isSeen);
    if (to.length === 0) continue;
    const person = presentAs(tx, row, { clientGravatar: false, isSeen });
    tx.emit(userAdded, { to }, { person: { ...person, profile_data: profileOf(tx, id) } });
  }
}

function emitLost(tx: Tx, guestIds: readonly number[], id: number): void {
  const row = store.findUser(tx, id);
  if (!row || guestIds.length === 0) return;
  tx.emit(userRemoved, { to: guestIds }, { person: { user_id: id, full_name: row.full_name } });
  tx.emit(userAdded, { to: guestIds }, { person: presentStranger(tx, id), isStranger: true });
}

/** Emits a placeholder to guests who may not know a new user, for clients that need an entry for every user. */
export function emitToStrangers(tx: Tx, user: Known): void {
  const strangers = strangersTo(tx, user);
  if (strangers.length === 0) return;
  tx.emit(userAdded, { to: strangers }, { person: presentStranger(tx, user.id), isStranger: true });
}
