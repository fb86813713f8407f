// Parts of actions on accounts.

import { isRestricted, knowersOf, strangersTo } from "@/foundation/acquaintance/access.ts";
import { proveByWord } from "@/foundation/address-proofs/tx.ts";
import { emitSettingsNaming } from "@/foundation/groups/tx-named-people.ts";
import {
  emitGoneToStrangers,
  emitNewInRoleGroups,
  emitRoleGroups,
  roleGroups,
} from "@/foundation/groups/tx-roles.ts";
import { endKeys, endLoginKeys, giveKey } from "@/foundation/keys/tx.ts";
import { isGuest, usersUpTo } from "@/foundation/permissions/access.ts";
import { botTypes, type Role, roles } from "@/foundation/permissions/schema.ts";
import { botDomain } from "@/foundation/realm/access.ts";
import { copyDefaults } from "@/foundation/user-settings/tx.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { userFor } from "./access.ts";
import { addressViewers, hasOpenAddress, shownAddress, visibilityOf } from "./addresses.ts";
import { userHooks } from "./hooks.ts";
import { checkAddress, checkArrival } from "./identity.ts";
import { presentAs, presentUser } from "./present.ts";
import type { UserRow } from "./rows.ts";
import { type SystemBotKind, systemBots, type User, userAdded, userUpdated } from "./schema.ts";
import type { NewUser } from "./store.ts";
import * as store from "./store.ts";
import { emitToStrangers, emitUserChange } from "./tx-acquaintance.ts";
import { emitAddressesSeen } from "./tx-identity.ts";
import { recordAccountChange } from "./tx-records.ts";

/** A user with their new API key, which is returned only here. */
export interface UserWithKey {
  user: User;
  api_key: string;
}

/** Adds an invited person; the invitation checked the permission. Part of another action. */
export function addInvited(
  tx: Tx,
  person: Pick<NewUser, "email" | "full_name" | "role" | "password_hash">,
): UserWithKey {
  checkArrival(tx, person);
  return addUser(tx, { ...person, bot_type: null, bot_owner_id: null });
}

/** As `addInvited`, for one of many people: the caller emits their groups with `emitNewInRoleGroups`. */
export function addInvitedAmongMany(tx: Tx, person: Parameters<typeof addInvited>[1]): UserWithKey {
  checkArrival(tx, person);
  return addWithoutGroups(tx, { ...person, bot_type: null, bot_owner_id: null });
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

/** Replaces the key of an account, which nobody has seen, by another. */
export function giveOtherKey(tx: Tx, user: UserRow): UserWithKey {
  endKeys(tx, user.id);
  return { user: presentUser(tx, user, false), api_key: giveKey(tx, user.id) };
}

/** Adds the organization's own bots, which have no key; part of its creation. */
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
  const added = addWithoutGroups(tx, input);
  emitNewInRoleGroups(tx, [added.user.user_id]);
  return added;
}

function addWithoutGroups(tx: Tx, input: NewUser): UserWithKey {
  checkAddress(tx, input.email);

  const id = store.insertUser(tx, input);
  const api_key = giveKey(tx, id);
  if (input.bot_type === null) {
    startWithDefaults(tx, id);
    proveByWord(tx, userFor(tx, id));
  }
  const user = presentUser(tx, userFor(tx, id), false);
  emitAdded(tx, id);
  const { full_name, role } = input;
  recordAccountChange(tx, userFor(tx, id), "created", { email: input.email, full_name, role });
  return { user, api_key };
}

/** Gives a new person the settings that newcomers start with. */
export function startWithDefaults(tx: Tx, id: number): void {
  copyDefaults(tx, id);
  const user = userFor(tx, id);
  store.setEmails(tx, id, { ...user, email: shownAddress(tx, user, visibilityOf(tx, id)) });
}

/** Emits a new user to everyone; only those who may see the address get it. */
function emitAdded(tx: Tx, id: number): void {
  const row = userFor(tx, id);
  const person = (isSeen: boolean) => ({ person: presentAs(tx, row, { clientGravatar: false, isSeen }) });
  emitToStrangers(tx, row);
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

/** Deactivates an account, after the permission checks; part of another action. */
export function deactivate(tx: Tx, user: UserRow): void {
  userHooks.deactivates(tx, user.id);
  store.setActive(tx, user.id, false);
  // After a reactivation, every device must log in again.
  endLoginKeys(tx, user.id);
  recordAccountChange(tx, user, "deactivated");
  userHooks.deactivated(tx, user.id);
  emitUserChange(tx, user, { is_active: false });
  emitGoneToStrangers(tx, user.id);
  if (user.is_bot) userHooks.botChanged(tx, { bot: user, change: { is_active: false } });
  emitSettingsNaming(tx, user.id);
  for (const bot of store.botsOf(tx, user.id)) if (bot.is_active) deactivate(tx, bot);
}

/**
 * Gives an account another role, after the permission checks; part of another action. The bots of a guest become guests, too: they must
 * not see what their owner may not.
 */
export function giveRole(tx: Tx, user: UserRow, role: Role): void {
  const change = { userId: user.id, from: user.role, to: role };
  const followUps = user.is_active ? userHooks.roleChanges(tx, change) : [];
  const groups = roleGroups(tx, user.id);
  store.setRole(tx, user.id, role);
  recordAccountChange(tx, user, "role_changed", { from: user.role, to: role });
  const becomesOther = isGuest(user) !== isGuest({ role }) && isRestricted(tx);
  const person = { user_id: user.id, role };
  tx.emit(userUpdated, knowersOf(tx, user), { person, endsQueues: becomesOther });
  if (user.is_active) {
    emitRoleGroups(tx, user.id, groups);
    emitAddressesSeen(tx, user.id, { from: user.role, to: role });
    for (const followUp of followUps) followUp();
  }
  if (isGuest({ role })) for (const bot of [...store.botsOf(tx, user.id)]) makeGuest(tx, bot);
}

/** Makes a bot a guest, as its owner is. */
function makeGuest(tx: Tx, bot: UserRow): void {
  if (!isGuest(bot)) giveRole(tx, bot, roles.guest);
}

/**
 * Gives a bot a new owner; part of another action. A bot may go where its owner may, so the keys that the former owner
 * knows end. Only a bot that an administrator hands over while it is active keeps its keys.
 */
export function giveBot(tx: Tx, bot: UserRow, ownerId: number): void {
  const from = bot.bot_owner_id;
  const endsKeys = bot.is_active === 0 || from === tx.actor.id;
  store.setBotOwner(tx, bot.id, ownerId);
  if (isGuest(userFor(tx, ownerId))) makeGuest(tx, bot);
  recordAccountChange(tx, bot, "owner_changed", { from, to: ownerId, keys_ended: endsKeys });
  const person = { user_id: bot.id, bot_owner_id: ownerId };
  tx.emit(userUpdated, knowersOf(tx, bot), { person, endsQueues: endsKeys });
  // A poll that waits gets the change before it has to authenticate again.
  if (endsKeys) endKeys(tx, bot.id);
  userHooks.botGiven(tx, { bot: userFor(tx, bot.id), from, to: ownerId, endsKeys });
}
