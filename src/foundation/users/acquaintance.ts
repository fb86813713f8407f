// Whom a guest may know, if the organization does not show everyone to guests.

import { grantedGroup, isGuest, memberOf, usersUpTo } from "@/foundation/permissions/access.ts";
import { systemGroup } from "@/foundation/permissions/closure.ts";
import { roles } from "@/foundation/permissions/schema.ts";
import { profileOf } from "@/foundation/profile-fields/access.ts";
import type { Ctx, Tx } from "@/kernel/context.ts";
import { type Audience, everyone } from "@/kernel/events.ts";
import { addressViewers, hasOpenAddress, visibilityOf } from "./addresses.ts";
import { presentAs, presentStranger } from "./present.ts";
import { userAdded, userRemoved, userUpdated } from "./schema.ts";
import type { UserRow } from "./store.ts";
import * as store from "./store.ts";
import { acquaintances, guests, guestsKnowing } from "./store-acquaintance.ts";

type Reads = Pick<Ctx, "db">;
type Known = Pick<UserRow, "id" | "is_bot">;

/** Whether guests know only those with whom they share a channel or a direct conversation, and all bots. */
export function isRestricted(reads: Reads): boolean {
  return (
    grantedGroup(reads, "realm", 0, "can_access_all_users_group") !== systemGroup(reads, "role:everyone")
  );
}

/** Whom a user may know, null being everyone; shared, so never to be changed. */
export function knownTo(reads: Reads, userId: number): ReadonlySet<number> | null {
  return isRestricted(reads) && isGuest(memberOf(reads, userId)) ? acquaintances(reads, userId) : null;
}

/** Whether the actor may know a user; who may not is to find nobody there. */
export function mayKnow(ctx: Ctx, { id, is_bot }: Known): boolean {
  if (ctx.actor.kind === "system") return true;
  if (ctx.actor.kind === "anonymous") return !isRestricted(ctx);
  return is_bot === 1 || (knownTo(ctx, ctx.actor.id)?.has(id) ?? true);
}

/** Active guests who may know only some others, and do not know this user. */
export function strangersTo(reads: Reads, { id, is_bot }: Known): number[] {
  if (is_bot || !isRestricted(reads)) return [];
  const knowing = guestsKnowing(reads, id);
  return guests(reads, 0).filter((guest) => !knowing.has(guest));
}

/** Who hears of a user: all who may know them, and the user. */
export function knowersOf(reads: Reads, user: Known): Audience {
  if (strangersTo(reads, user).length === 0) return everyone;
  return { to: usersUpTo(reads, roles.member), also: [...guestsKnowing(reads, user.id), user.id] };
}

/** Emits a change of a user to everybody who may know them. */
export function tellOfUser(tx: Tx, user: Known, change: Record<string, unknown>): void {
  tx.emit(userUpdated, knowersOf(tx, user), { person: { user_id: user.id, ...change } });
}

/** Of some people, the guests who know each of them, and whom each knows who is a guest. */
export interface Acquaintances {
  knowing: ReadonlyMap<number, ReadonlySet<number>>;
  known: ReadonlyMap<number, ReadonlySet<number>>;
}

const nobody: Acquaintances = { knowing: new Map(), known: new Map() };

/** To be taken before these people join others, or leave them. */
export function acquaintancesOf(reads: Reads, userIds: Iterable<number>): Acquaintances {
  if (!isRestricted(reads) || guests(reads, 0).length === 0) return nobody;
  const moving = [...new Set(userIds)].map((id) => memberOf(reads, id));
  const people = moving.filter((member) => !member.is_bot);
  return {
    knowing: new Map(people.map(({ id }) => [id, guestsKnowing(reads, id)])),
    known: new Map(moving.filter(isGuest).map(({ id }) => [id, acquaintances(reads, id)])),
  };
}

/** Shows guests whom they have come to know since. */
export function tellMet(tx: Tx, { knowing, known }: Acquaintances): void {
  for (const [id, before] of knowing) {
    const others = [...guestsKnowing(tx, id)].filter((guest) => !before.has(guest) && !known.has(guest));
    tellPerson(tx, others, id);
  }
  for (const [guest, before] of known) {
    for (const id of acquaintances(tx, guest)) if (!before.has(id)) tellPerson(tx, [guest], id);
  }
}

/** Takes from guests whom they no longer know. */
export function tellParted(tx: Tx, { knowing, known }: Acquaintances): void {
  for (const [id, before] of knowing) {
    const now = guestsKnowing(tx, id);
    tellLost(
      tx,
      [...before].filter((guest) => !now.has(guest) && !known.has(guest)),
      id,
    );
  }
  for (const [guest, before] of known) {
    const now = acquaintances(tx, guest);
    for (const id of before) if (!now.has(id)) tellLost(tx, [guest], id);
  }
}

/** Shows a user to guests, with the address to those who may see it. */
function tellPerson(tx: Tx, guestIds: readonly number[], id: number): void {
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

function tellLost(tx: Tx, guestIds: readonly number[], id: number): void {
  const row = store.findUser(tx, id);
  if (!row || guestIds.length === 0) return;
  tx.emit(userRemoved, { to: guestIds }, { person: { user_id: id, full_name: row.full_name } });
  tx.emit(userAdded, { to: guestIds }, { person: presentStranger(tx, id), isStranger: true });
}

/** Tells guests who may not know a new user that there is somebody, in case their clients need to know of everyone. */
export function tellStrangers(tx: Tx, user: Known): void {
  const strangers = strangersTo(tx, user);
  if (strangers.length === 0) return;
  tx.emit(userAdded, { to: strangers }, { person: presentStranger(tx, user.id), isStranger: true });
}

/** The guests who must begin anew where the setting that shows them everyone has changed. */
export function guestsToRestart(reads: Reads): readonly number[] {
  return guests(reads, 0);
}
