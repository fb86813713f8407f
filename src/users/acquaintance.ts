// Whom a guest may know, where the organization does not show them everyone (API-REFERENCE 2.2, 3.3).
import type { Ctx, Tx } from "@/kernel/context.ts";
import { type Audience, everyone, to } from "@/kernel/events.ts";
import { grantedGroup, isGuest, memberOf, usersUpTo } from "@/permissions/access.ts";
import { systemGroup } from "@/permissions/closure.ts";
import { roles } from "@/permissions/schema.ts";
import { profileOf } from "@/profile-fields/access.ts";
import { maySeeAddress } from "./addresses.ts";
import { presentAs, presentStranger } from "./present.ts";
import { userAdded, userRemoved, userUpdated } from "./schema.ts";
import type { UserRow } from "./store.ts";
import * as store from "./store.ts";
import { acquaintances } from "./store-acquaintance.ts";

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
  if (ctx.actor.kind === "anonymous") return false;
  return is_bot === 1 || (knownTo(ctx, ctx.actor.id)?.has(id) ?? true);
}

/** Active guests; of those who may know only some others, the ones who do not know this user. */
export function strangersTo(reads: Reads, { id, is_bot }: Known): number[] {
  if (is_bot || !isRestricted(reads)) return [];
  return guests(reads).filter((guest) => !acquaintances(reads, guest).has(id));
}

function guests(reads: Reads): number[] {
  const others = usersUpTo(reads, roles.member);
  return [...usersUpTo(reads, roles.guest)].filter((id) => !others.has(id));
}

/** Who hears of a user: all who may know them, and the user. */
export function knowersOf(reads: Reads, user: Known): Audience {
  const strangers = new Set(strangersTo(reads, user));
  if (strangers.size === 0) return everyone;
  const knowers = guests(reads).filter((id) => !strangers.has(id));
  return { to: usersUpTo(reads, roles.member), also: [...knowers, user.id] };
}

/** Tells all who may know a user of what has changed about them, in a variant of API-REFERENCE 6.4. */
export function tellOfUser(tx: Tx, user: Known, change: Record<string, unknown>): void {
  tx.emit(userUpdated, knowersOf(tx, user), { person: { user_id: user.id, ...change } });
}

/** Some of these people, and who each of them knows; guests alone, and only where they do not know everyone. */
export type Acquaintances = ReadonlyMap<number, ReadonlySet<number>>;

/** To be taken before people come together or part. */
export function acquaintancesOf(reads: Reads, userIds: Iterable<number>): Acquaintances {
  if (!isRestricted(reads)) return new Map();
  const limited = [...new Set(userIds)].filter((id) => isGuest(memberOf(reads, id)));
  return new Map(limited.map((id) => [id, acquaintances(reads, id)]));
}

/** Shows guests whom they have come to know since. */
export function tellMet(tx: Tx, before: Acquaintances): void {
  for (const [guest, known] of before) {
    for (const id of acquaintances(tx, guest)) if (!known.has(id)) tellPerson(tx, guest, id);
  }
}

/** Takes from guests whom they no longer know. */
export function tellParted(tx: Tx, before: Acquaintances): void {
  for (const [guest, known] of before) {
    const now = acquaintances(tx, guest);
    for (const id of known) if (!now.has(id)) tellLost(tx, guest, id);
  }
}

function tellPerson(tx: Tx, guest: number, id: number): void {
  const row = store.findUser(tx, id);
  if (!row) return;
  const viewer = Object.create(tx, { actor: { value: { ...tx.actor, kind: "user", id: guest } } }) as Tx;
  const isSeen = maySeeAddress(viewer, row);
  const person = presentAs(tx, row, { clientGravatar: false, isSeen });
  tx.emit(userAdded, to(guest), { person: { ...person, profile_data: profileOf(tx, id) } });
}

function tellLost(tx: Tx, guest: number, id: number): void {
  const row = store.findUser(tx, id);
  if (!row) return;
  tx.emit(userRemoved, to(guest), { person: { user_id: id, full_name: row.full_name } });
  tx.emit(userAdded, to(guest), { person: presentStranger(tx, id), isStranger: true });
}

/** Tells guests who may not know a new user that there is somebody, in case their clients need to know of everyone. */
export function tellStrangers(tx: Tx, user: Known): void {
  const strangers = strangersTo(tx, user);
  if (strangers.length === 0) return;
  tx.emit(userAdded, { to: strangers }, { person: presentStranger(tx, user.id), isStranger: true });
}

/** The guests who must begin anew where the setting that shows them everyone has changed. */
export function guestsToRestart(reads: Reads): number[] {
  return guests(reads);
}
