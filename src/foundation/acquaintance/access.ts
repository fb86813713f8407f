// Which users a guest may know, if the organization hides people from guests.

import { groupWithGrant, isGuest, memberOf, usersUpTo } from "@/foundation/permissions/access.ts";
import { systemGroup } from "@/foundation/permissions/closure.ts";
import { roles } from "@/foundation/permissions/schema.ts";
import type { Ctx, Reads } from "@/kernel/core/context.ts";
import { type Audience, everyone } from "@/kernel/core/events.ts";
import { acquaintances, guests, guestsKnowing } from "./store.ts";

export interface Known {
  id: number;
  is_bot: 0 | 1;
}

/** True if guests know only bots and the people who share a channel or direct conversation with them. */
export function isRestricted(reads: Reads): boolean {
  return (
    groupWithGrant(reads, "realm", 0, "can_access_all_users_group") !== systemGroup(reads, "role:everyone")
  );
}

/** The users that a user may know; null means everyone. The set is shared: do not change it. */
export function listKnownTo(reads: Reads, userId: number): ReadonlySet<number> | null {
  return isRestricted(reads) && isGuest(memberOf(reads, userId)) ? acquaintances(reads, userId) : null;
}

/** Whether the actor may know a user. If not, answer as if the user did not exist. */
export function mayKnow(ctx: Ctx, { id, is_bot }: Known): boolean {
  if (ctx.actor.kind === "system") return true;
  if (ctx.actor.kind === "anonymous") return !isRestricted(ctx);
  return is_bot === 1 || (listKnownTo(ctx, ctx.actor.id)?.has(id) ?? true);
}

/** Whether the actor may know every user. */
export function knowsEveryone(ctx: Ctx): boolean {
  const { kind, id } = ctx.actor;
  if (kind === "system") return true;
  return kind === "anonymous" ? !isRestricted(ctx) : listKnownTo(ctx, id) === null;
}

/** Active guests who may not know this user. */
export function strangersTo(reads: Reads, { id, is_bot }: Known): number[] {
  if (is_bot || !isRestricted(reads)) return [];
  const knowing = guestsKnowing(reads, id);
  return guests(reads).filter((guest) => !knowing.has(guest));
}

/** The audience of events about a user: all who may know them, and the user. */
export function knowersOf(reads: Reads, user: Known): Audience {
  if (strangersTo(reads, user).length === 0) return everyone;
  return { to: usersUpTo(reads, roles.member), also: [...guestsKnowing(reads, user.id), user.id] };
}

/** For a set of people: the guests who know each of them, and the users that each guest in the set knows. */
export interface Acquaintances {
  knowing: ReadonlyMap<number, ReadonlySet<number>>;
  known: ReadonlyMap<number, ReadonlySet<number>>;
}

const nobody: Acquaintances = { knowing: new Map(), known: new Map() };

/** Call this before these people join or leave others. */
export function acquaintancesOf(reads: Reads, userIds: Iterable<number>): Acquaintances {
  if (!isRestricted(reads) || guests(reads).length === 0) return nobody;
  const moving = [...new Set(userIds)].map((id) => memberOf(reads, id));
  const people = moving.filter((member) => !member.is_bot);
  return {
    knowing: new Map(people.map(({ id }) => [id, guestsKnowing(reads, id)])),
    known: new Map(moving.filter(isGuest).map(({ id }) => [id, acquaintances(reads, id)])),
  };
}

/** Which guests have come to know which of these people since `acquaintancesOf`: pairs of a user and guests. */
export function listMetSince(
  reads: Reads,
  { knowing, known }: Acquaintances,
): [id: number, guests: number[]][] {
  const people = [...knowing].map(([id, before]): [number, number[]] => {
    const now = [...guestsKnowing(reads, id)];
    return [id, now.filter((guest) => !before.has(guest) && !known.has(guest))];
  });
  const guests = [...known].flatMap(([guest, before]) => {
    const met = [...acquaintances(reads, guest)].filter((id) => !before.has(id));
    return met.map((id): [number, number[]] => [id, [guest]]);
  });
  return [...people, ...guests];
}

/** Like `listMetSince`, for guests who no longer know somebody. */
export function listPartedSince(
  reads: Reads,
  { knowing, known }: Acquaintances,
): [id: number, guests: number[]][] {
  const people = [...knowing].map(([id, before]): [number, number[]] => {
    const now = guestsKnowing(reads, id);
    return [id, [...before].filter((guest) => !now.has(guest) && !known.has(guest))];
  });
  const guests = [...known].flatMap(([guest, before]) => {
    const now = acquaintances(reads, guest);
    return [...before].filter((id) => !now.has(id)).map((id): [number, number[]] => [id, [guest]]);
  });
  return [...people, ...guests];
}

/** The guests whose clients must register again when the setting that hides people has changed. */
export function guestsToRestart(reads: Reads): readonly number[] {
  return guests(reads);
}
