import { hashKey, newKey } from "@/foundation/auth/secrets.ts";
import { hashNewPassword } from "@/foundation/auth/strength.ts";
import { tellSettingsNaming } from "@/foundation/groups/named-people.ts";
import {
  roleGroups,
  tellBackInGroups,
  tellRoleGroups,
  tellStrangersGone,
} from "@/foundation/groups/roles.ts";
import { allow, isGuest, usersUpTo } from "@/foundation/permissions/access.ts";
import { botTypes, type Role, roles } from "@/foundation/permissions/schema.ts";
import { botDomain } from "@/foundation/realm/access.ts";
import { copyDefaults } from "@/foundation/user-settings/actions.ts";
import type { Ctx, Tx } from "@/kernel/context.ts";
import { fail } from "@/kernel/errors.ts";
import { action } from "@/kernel/operation.ts";
import { checkMayGrantRole, myself, userFor, userToChange } from "./access.ts";
import { isRestricted, knowersOf, strangersTo, tellOfUser, tellStrangers } from "./acquaintance.ts";
import { addressViewers, hasOpenAddress, shownAddress, visibilityOf } from "./addresses.ts";
import { checkMayHaveBots } from "./bot-rules.ts";
import { userHooks } from "./hooks.ts";
import { checkAddress, checkArrival, checkName, tellAddressesSeen } from "./identity.ts";
import { presentAs, presentUser } from "./present.ts";
import { recordDeed } from "./records.ts";
import { type SystemBotKind, systemBots, type User, userAdded, userUpdated } from "./schema.ts";
import type { NewUser, UserRow } from "./store.ts";
import * as store from "./store.ts";

export { updateUser } from "./changes.ts";

/** A user together with the API key just made, which is shown this once. */
export interface UserWithKey {
  user: User;
  api_key: string;
}

interface PersonInput {
  email: string;
  full_name: string;
  /** Absent: the person cannot log in by password until one is set. */
  password?: string;
  /** Takes a password that is easy to guess, too. */
  allowWeak?: boolean;
  role?: Role;
}

/** Adds a person; with a `password`, they can fetch an API key by themselves. */
export async function createUser(ctx: Ctx, person: PersonInput): Promise<UserWithKey> {
  const { password, allowWeak, ...input } = person;
  // Judging and hashing a password take long: not for whoever may not add anybody.
  allow.admin(ctx);
  const about = [input.full_name, input.email];
  const password_hash = password === undefined ? null : await hashNewPassword(password, { about, allowWeak });
  return insertPerson(ctx, { ...input, password_hash });
}

type HashedPerson = Omit<PersonInput, "password" | "allowWeak"> & { password_hash: string | null };

const insertPerson = action(allow.admin, (tx, input: HashedPerson): UserWithKey => {
  const role = input.role ?? roles.member;
  checkMayGrantRole(tx, role);
  const added = addInvited(tx, { ...input, role });
  userHooks.added(tx, { userId: added.user.user_id, role, address: input.email });
  return added;
});

/** Adds a person whom somebody entitled to has invited; part of another action. */
export function addInvited(
  tx: Tx,
  person: Pick<NewUser, "email" | "full_name" | "role" | "password_hash">,
): UserWithKey {
  checkArrival(tx, person);
  return addUser(tx, { ...person, bot_type: null, bot_owner_id: null });
}

/** The first account of a new organization; part of its creation. */
export function addFirstOwner(tx: Tx, owner: { email: string; full_name: string }): UserWithKey {
  return addUser(tx, {
    ...owner,
    role: roles.owner,
    password_hash: null,
    bot_type: null,
    bot_owner_id: null,
  });
}

/** The bots a new organization speaks through; part of its creation. They have no key. */
export function addSystemBots(tx: Tx): void {
  for (const [kind, { name, full_name }] of Object.entries(systemBots)) {
    store.insertUser(tx, {
      email: `${name}@${botDomain(tx.env.site)}`,
      full_name,
      role: roles.member,
      password_hash: null,
      bot_type: botTypes.generic,
      bot_owner_id: null,
      system_bot: kind as SystemBotKind,
    });
  }
}

/** Adds an account; part of another action. */
export function addUser(tx: Tx, input: NewUser): UserWithKey {
  checkAddress(tx, input.email);

  const id = store.insertUser(tx, input);
  const api_key = giveKey(tx, id);
  if (input.bot_type === null) startWithDefaults(tx, id);
  const user = presentUser(tx, userFor(tx, id), false);
  tellAdded(tx, id);
  tellRoleGroups(tx, id, []);
  const { full_name, role } = input;
  recordDeed(tx, userFor(tx, id), "created", { email: input.email, full_name, role });
  return { user, api_key };
}

function startWithDefaults(tx: Tx, id: number): void {
  copyDefaults(tx, id);
  const user = userFor(tx, id);
  store.setEmails(tx, id, { ...user, email: shownAddress(tx, user, visibilityOf(tx, id)) });
}

/** Tells everyone of a new user, and only those of the address who may see it. */
function tellAdded(tx: Tx, id: number): void {
  const row = userFor(tx, id);
  const person = (isSeen: boolean) => ({ person: presentAs(tx, row, { clientGravatar: false, isSeen }) });
  tellStrangers(tx, row);
  if (hasOpenAddress(row)) {
    tx.emit(userAdded, knowersOf(tx, row), person(true));
    return;
  }
  const viewers = addressViewers(tx, id, visibilityOf(tx, id));
  const strangers = new Set(strangersTo(tx, row));
  const others = [...usersUpTo(tx, roles.guest)].filter((one) => !viewers.has(one) && !strangers.has(one));
  tx.emit(userAdded, { to: viewers }, person(true));
  tx.emit(userAdded, { to: others }, person(false));
}

function giveKey(tx: Tx, userId: number): string {
  const key = newKey();
  store.insertKey(tx, userId, hashKey(key), "main");
  return key;
}

export const changeRole = action(allow.admin, (tx, input: { user_id: number; role: Role }): User => {
  const user = userToChange(tx, input.user_id);
  checkMayGrantRole(tx, input.role);
  if (user.role === input.role) return presentUser(tx, user, false);
  if (user.role === roles.owner) keepAnOwner(tx, user);

  const change = { userId: user.id, from: user.role, to: input.role };
  const followUps = user.is_active ? userHooks.roleChanges(tx, change) : [];
  const groups = roleGroups(tx, user.id);
  store.setRole(tx, user.id, input.role);
  recordDeed(tx, user, "role_changed", { from: user.role, to: input.role });
  const becomesOther = isGuest(user) !== isGuest(input) && isRestricted(tx);
  const person = { user_id: user.id, role: input.role };
  tx.emit(userUpdated, knowersOf(tx, user), { person, endsQueues: becomesOther });
  if (user.is_active) {
    tellRoleGroups(tx, user.id, groups);
    tellAddressesSeen(tx, user.id, { from: user.role, to: input.role });
    for (const followUp of followUps) followUp();
  }
  return presentUser(tx, userFor(tx, user.id), false);
});

function keepAnOwner(tx: Tx, user: UserRow): void {
  if (user.is_active && store.countActiveOwners(tx, roles.owner) <= 1) {
    fail("BAD_REQUEST", "The owner permission cannot be removed from the only organization owner.");
  }
}

/** Deactivates an account and its bots, and ends their event queues; their messages stay. */
export const deactivateUser = action(allow.admin, (tx, userId: number): User => {
  const user = userToChange(tx, userId);
  if (!user.is_active) fail("BAD_REQUEST", "User is already deactivated");
  if (user.role === roles.owner) keepAnOwner(tx, user);

  deactivate(tx, user);
  return presentUser(tx, userFor(tx, user.id), false);
});

/** As `deactivateUser`, of the actor. */
export const deactivateSelf = action(allow.user, (tx): void => {
  const user = myself(tx);
  if (user.is_bot) fail("BAD_REQUEST", "This endpoint does not accept bot requests.");
  if (user.role === roles.owner && store.countActiveOwners(tx, roles.owner) <= 1) {
    const about = { is_last_owner: true, entity: "organization owner" };
    fail("CANNOT_DEACTIVATE_LAST_USER", "The only organization owner cannot be deactivated.", about);
  }

  deactivate(tx, user);
});

/** Part of what deactivates an account, once it is settled that it may be. */
export function deactivate(tx: Tx, user: UserRow): void {
  userHooks.deactivates(tx, user.id);
  store.setActive(tx, user.id, false);
  // Whoever comes back logs in anew, on every device.
  store.deleteOldLoginKeys(tx, user.id, 0);
  recordDeed(tx, user, "deactivated");
  userHooks.deactivated(tx, user.id);
  tellOfUser(tx, user, { is_active: false });
  tellStrangersGone(tx, user.id);
  if (user.is_bot) userHooks.botChanged(tx, { bot: user, change: { is_active: false } });
  tellSettingsNaming(tx, user.id);
  for (const bot of store.botsOf(tx, user.id)) if (bot.is_active) deactivate(tx, bot);
}

export const reactivateUser = action(allow.admin, (tx, userId: number): User => {
  const user = userToChange(tx, userId);
  if (user.is_active) fail("BAD_REQUEST", "User is already active");
  checkName(tx, user.full_name, user.id);
  if (user.is_bot) checkMayHaveBots(tx, user.bot_type);

  if (user.is_bot) findOwner(tx, user);
  store.setActive(tx, user.id, true);
  recordDeed(tx, user, "reactivated");
  tellOfUser(tx, user, { is_active: true });
  if (user.is_bot) userHooks.botChanged(tx, { bot: userFor(tx, user.id), change: { is_active: true } });
  tellBackInGroups(tx, user.id);
  tellSettingsNaming(tx, user.id);
  userHooks.reactivated(tx, user.id);
  return presentUser(tx, userFor(tx, user.id), false);
});

/** A bot that comes back without an owner who is there belongs to who brings it back. */
function findOwner(tx: Tx, bot: UserRow): void {
  const owner = bot.bot_owner_id === null ? null : userFor(tx, bot.bot_owner_id);
  if (!owner?.is_active && tx.actor.kind === "user") giveBot(tx, bot, tx.actor.id);
}

/**
 * Gives a bot another owner; part of another action. Bots may go where their owner may, so what its former owner knows
 * no longer opens it: only a bot that an administrator hands over while it runs keeps its keys.
 */
export function giveBot(tx: Tx, bot: UserRow, ownerId: number): void {
  const from = bot.bot_owner_id;
  const endsKeys = bot.is_active === 0 || from === tx.actor.id;
  store.setBotOwner(tx, bot.id, ownerId);
  if (endsKeys) store.deleteKeys(tx, bot.id);
  recordDeed(tx, bot, "owner_changed", { from, to: ownerId, keys_ended: endsKeys });
  const person = { user_id: bot.id, bot_owner_id: ownerId };
  tx.emit(userUpdated, knowersOf(tx, bot), { person, endsQueues: endsKeys });
  userHooks.botGiven(tx, { bot: userFor(tx, bot.id), from, to: ownerId, endsKeys });
}

/** Replaces all keys of an account by a new one, which is returned this once. */
export const rotateKey = action(allow.user, (tx, userId: number): UserWithKey => {
  const user = accountToOpen(tx, userId);

  store.deleteKeys(tx, user.id);
  if (user.id !== tx.actor.id) recordDeed(tx, user, "key_replaced");
  return { user: presentUser(tx, user, false), api_key: giveKey(tx, user.id) };
});

/** Sets a person's password; `allowWeak` takes one that is easy to guess, too. */
export async function setPassword(
  ctx: Ctx,
  { user_id, password, allowWeak }: { user_id: number; password: string; allowWeak?: boolean },
): Promise<User> {
  allow.user(ctx);
  const { full_name, delivery_email } = personToOpen(ctx, user_id);
  const hash = await hashNewPassword(password, { about: [full_name, delivery_email], allowWeak });
  return storePassword(ctx, { user_id, hash });
}

const storePassword = action(allow.user, (tx, input: { user_id: number; hash: string }): User => {
  const user = personToOpen(tx, input.user_id);

  store.setPasswordHash(tx, user.id, input.hash);
  if (user.id !== tx.actor.id) recordDeed(tx, user, "password_set");
  return presentUser(tx, user, false);
});

function personToOpen(ctx: Ctx, userId: number): UserRow {
  const user = accountToOpen(ctx, userId);
  return user.is_bot ? fail("BAD_REQUEST", "Bots have no password.") : user;
}

/** An account whose secrets the actor may replace: their own, their bot's, or as an administrator anyone's. */
function accountToOpen(ctx: Ctx, userId: number): UserRow {
  if (ctx.actor.kind === "system" || ctx.actor.id === userId) return userFor(ctx, userId);
  const user = userFor(ctx, userId);
  if (user.bot_owner_id === ctx.actor.id) return user;
  allow.admin(ctx);
  return userToChange(ctx, userId);
}
