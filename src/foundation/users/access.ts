import { knowsEveryone, mayKnow } from "@/foundation/acquaintance/access.ts";
import { allow, me } from "@/foundation/permissions/access.ts";
import { permissionErrors, type Role, roles } from "@/foundation/permissions/schema.ts";
import type { Ctx, Reads } from "@/kernel/core/context.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { sentence } from "@/text/language/tables.ts";
import { maySeeAddress, userOfGenerated } from "./addresses.ts";
import type { SystemBotKind, UserRow } from "./schema.ts";
import * as store from "./store.ts";

/** A user by ID, active or not. */
export function userFor(reads: Reads, id: number): UserRow {
  return store.findUser(reads, id) ?? fail("BAD_REQUEST", "No such user");
}

/** A user by ID, if there is one. */
export function findUserById(reads: Reads, id: number): UserRow | null {
  return store.findUser(reads, id);
}

/** Everyone but the organization's own bots. */
export function everyUser(reads: Reads): UserRow[] {
  return store.listUsers(reads);
}

/** As `everyUser`, at most `max` of those whose ID is above `id`. */
export function usersAfter(reads: Reads, id: number, max: number): UserRow[] {
  return store.listUsersAfter(reads, id, max);
}

export function everySystemBot(reads: Reads): readonly UserRow[] {
  return store.listSystemBots(reads);
}

/** The bots of a person, active or not. */
export function botsOf(reads: Reads, ownerId: number): readonly UserRow[] {
  return store.botsOf(reads, ownerId);
}

/** All bots but the organization's own. */
export function everyBot(reads: Reads): UserRow[] {
  return store.listUsers(reads).filter((row) => row.is_bot);
}

/** Active people, without bots. */
export function activePeople(reads: Reads): UserRow[] {
  return store.listUsers(reads).filter((row) => row.is_active && !row.is_bot);
}

/** IDs of active users with a name, whatever its case. */
export function activeUsersNamed(reads: Reads, name: string): number[] {
  const named = store.findUsersByName(reads, name.toLowerCase());
  return named.map(({ id }) => id).filter((id) => store.findUser(reads, id)?.is_active);
}

/** Like `userFor`, but only users that the actor may know. */
export function userKnownFor(ctx: Ctx, id: number): UserRow {
  const user = store.findUser(ctx, id);
  return user && mayKnow(ctx, user) ? user : fail("BAD_REQUEST", "No such user");
}

/** A user by the address that clients see, or by their own if the actor may see it; active or not. */
export function findUserByAddress(ctx: Ctx, address: string): UserRow | null {
  const key = address.trim();
  // A visitor without an account must not find out who has one.
  if (ctx.actor.kind === "anonymous") return store.findUser(ctx, userOfGenerated(ctx, key) ?? 0);
  const user = store.findUserByEmail(ctx, key);
  if (!user || !mayKnow(ctx, user)) return null;
  return user.email.toLowerCase() === key.toLowerCase() || maySeeAddress(ctx, user) ? user : null;
}

/** Like `findUserByAddress`, but throws for an unknown address. */
export function userByEmail(ctx: Ctx, email: string): UserRow {
  return findUserByAddress(ctx, email) ?? fail("BAD_REQUEST", "No such user");
}

/** Like `userKnownFor`, for lists of people: the error names the ID. */
export function userById(ctx: Ctx, id: number): UserRow {
  const user = store.findUser(ctx, id);
  return user && mayKnow(ctx, user)
    ? user
    : fail("BAD_REQUEST", sentence("Invalid user ID {id}", { id: String(id) }));
}

/** Throws if an ID does not belong to an active user that the actor may know; the error names the first. */
export function checkActive(ctx: Ctx, ids: readonly number[]): void {
  const wrong =
    store.firstNotActive(ctx, ids) ?? (knowsEveryone(ctx) ? null : ids.find((id) => !knows(ctx, id)));
  if (wrong != null) fail("BAD_REQUEST", sentence("Invalid user ID {id}", { id: String(wrong) }));
}

const knows = (ctx: Ctx, id: number) => mayKnow(ctx, userFor(ctx, id));

/** Like `userByEmail`, for lists of people: the error names the address. */
export function userByAddress(ctx: Ctx, email: string): UserRow {
  return (
    findUserByAddress(ctx, email) ?? fail("BAD_REQUEST", sentence("Invalid email ''{email}''", { email }))
  );
}

/** The acting user's own row. */
export function myself(ctx: Ctx): UserRow {
  return userFor(ctx, me(ctx).id);
}

/** A user that the actor may know, by name, ID or both, as in mentions; null if name and ID differ. */
export function userNamed(ctx: Ctx, name: string | null, id: number | null): UserRow | null {
  if (id !== null) {
    const user = store.findUser(ctx, id);
    if (!user || !mayKnow(ctx, user)) return null;
    return name === null || user.full_name.toLowerCase() === name.toLowerCase() ? user : null;
  }
  const named = store.findUsersByName(ctx, (name ?? "").toLowerCase());
  const users = named.flatMap((one) => store.findUser(ctx, one.id) ?? []);
  return users.find((user) => mayKnow(ctx, user)) ?? null;
}

/** A user that the actor may change: only owners may change owners. */
export function userToChange(ctx: Ctx, id: number): UserRow {
  const user = userFor(ctx, id);
  if (user.system_bot !== null) fail("BAD_REQUEST", "The organization's own bots cannot be changed.");
  if (user.role === roles.owner) requireOwner(ctx);
  if (user.erased_at !== null)
    fail("BAD_REQUEST", "This person was erased. Nobody can change or reopen the account.");
  return user;
}

/** Throws if `role` is stronger than the actor may grant. */
export function checkMayGrantRole(ctx: Ctx, role: Role): void {
  if (role === roles.owner) requireOwner(ctx);
}

function requireOwner(ctx: Ctx): void {
  if (ctx.actor.kind === "system" || me(ctx).role === roles.owner) return;
  fail(permissionErrors.UNAUTHORIZED_PRINCIPAL, "Must be an organization owner");
}

export function userWithAddress(reads: Reads, email: string): UserRow | null {
  return store.findUserByEmail(reads, email);
}

function systemBot(reads: Reads, kind: SystemBotKind): UserRow {
  const bot = store.listSystemBots(reads).find((row) => row.system_bot === kind);
  if (!bot) throw new Error(`The organization lacks its ${kind} bot`);
  return bot;
}

/** The bot that sends notices. */
export function notificationBot(reads: Reads): UserRow {
  return systemBot(reads, "notification");
}

/** The bot that greets new people. */
export function welcomeBot(reads: Reads): UserRow {
  return systemBot(reads, "welcome");
}

/** An account whose secrets the actor may replace: their own, their bots'; for administrators, anyone's. */
export function accountToOpen(ctx: Ctx, userId: number): UserRow {
  if (ctx.actor.kind === "system" || ctx.actor.id === userId) return userFor(ctx, userId);
  const bot = store.findUser(ctx, userId);
  if (bot?.bot_owner_id === ctx.actor.id) return bot;
  allow.admin(ctx);
  return userToChange(ctx, userId);
}
