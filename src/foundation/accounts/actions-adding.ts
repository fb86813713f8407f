// Adds accounts, also imported ones, which get no events, since no client is connected.

import { knowersOf, strangersTo } from "@/foundation/acquaintance/access.ts";
import { prove, proveByWord } from "@/foundation/address-proofs/actions.ts";
import { emitNewInRoleGroups } from "@/foundation/groups/actions-roles.ts";
import { endKeys, giveKey } from "@/foundation/keys/actions.ts";
import { usersUpTo } from "@/foundation/permissions/access.ts";
import { botTypes, roles } from "@/foundation/permissions/schema.ts";
import { botDomain } from "@/foundation/realm/access.ts";
import { copyDefaults } from "@/foundation/user-settings/actions.ts";
import { userFor } from "@/foundation/users/access.ts";
import { emitToStrangers, recordAccountChange } from "@/foundation/users/actions.ts";
import {
  addressViewers,
  hasOpenAddress,
  visibilityOf,
  visibleAddressOf,
} from "@/foundation/users/addresses.ts";
import { checkAddress, checkArrival } from "@/foundation/users/identity.ts";
import { presentAs, presentUser } from "@/foundation/users/present.ts";
import {
  type SystemBotKind,
  systemBots,
  type User,
  type UserRow,
  userAdded,
} from "@/foundation/users/schema.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { atTime } from "@/kernel/core/operation.ts";
import type { NewUser } from "./store.ts";
import * as store from "./store.ts";

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
function startWithDefaults(tx: Tx, id: number): void {
  copyDefaults(tx, id);
  const user = userFor(tx, id);
  store.setEmails(tx, id, { ...user, email: visibleAddressOf(tx, user, visibilityOf(tx, id)) });
}

/** Emits a new user to everyone; only those who may see the address get it. */
function emitAdded(tx: Tx, id: number): void {
  const row = userFor(tx, id);
  const person = (isSeen: boolean) => ({
    person: presentAs(tx, row, { clientGravatar: false, isSeen }),
    hasServerPicture: row.default_avatar === "J",
  });
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

interface ImportedAccount extends Pick<NewUser, "email" | "full_name" | "role" | "bot_type"> {
  bot_owner_id: number | null;
  timezone: string;
  is_active: boolean;
  /** UNIX seconds. */
  date_joined: number;
  /** Whether the import has the person's own address, rather than one made up. */
  has_address: boolean;
}

/** Adds an account without key and password; returns its ID. The address must be free. */
export function insertImported(tx: Tx, account: ImportedAccount): number {
  const { timezone, is_active, date_joined, has_address, ...user } = account;
  const id = store.insertUser(atTime(tx, date_joined), { ...user, password_hash: null });
  if (timezone !== "") store.setTimezone(tx, id, timezone);
  if (!is_active) store.setActive(tx, id, false);
  if (user.bot_type === null) {
    store.setAwaitsLogin(tx, id, "imported");
    startWithDefaults(tx, id);
    if (has_address) prove(tx, { id, delivery_email: user.email }, "import");
  }
  return id;
}

/** What an imported first owner brings into a new organization. */
export function adoptImported(
  tx: Tx,
  id: number,
  past: Pick<ImportedAccount, "timezone" | "date_joined">,
): void {
  if (past.timezone !== "") store.setTimezone(tx, id, past.timezone);
  store.setJoined(tx, id, past.date_joined);
}
