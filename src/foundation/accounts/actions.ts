import { isRestricted, knowersOf } from "@/foundation/acquaintance/access.ts";
import { fullMembers, roleGroups } from "@/foundation/groups/access.ts";
import {
  emitBackInGroups,
  emitFullMembers,
  emitGoneToStrangers,
  emitRoleGroups,
  emitSettingsNaming,
} from "@/foundation/groups/actions-roles.ts";
import { userWithKey } from "@/foundation/keys/access.ts";
import { endKeys, endLoginKeys, endTheseKeys, giveKey } from "@/foundation/keys/actions.ts";
import { queueLetter } from "@/foundation/mail/actions.ts";
import { notifyNewKey } from "@/foundation/mail/actions-security.ts";
import { allow, isGuest, me } from "@/foundation/permissions/access.ts";
import { type Role, roles } from "@/foundation/permissions/schema.ts";
import { setProfile } from "@/foundation/profile-fields/actions-values.ts";
import { checkProved } from "@/foundation/proofs/access.ts";
import { realmSettings, serverOptions } from "@/foundation/realm/schema.ts";
import { hashNewPassword } from "@/foundation/secrets/strength.ts";
import { translatorTo } from "@/foundation/user-settings/access.ts";
import {
  accountToOpen,
  botsOf,
  checkMayGrantRole,
  myself,
  userByEmail,
  userFor,
  userToChange,
} from "@/foundation/users/access.ts";
import { emitUserChange, recordAccountChange } from "@/foundation/users/actions.ts";
import { userHooks } from "@/foundation/users/hooks.ts";
import { checkName } from "@/foundation/users/identity.ts";
import { presentAs, presentUser } from "@/foundation/users/present.ts";
import { type User, type UserRow, userErrors, userUpdated } from "@/foundation/users/schema.ts";
import type { Ctx, Tx } from "@/kernel/core/context.ts";
import { action, operation } from "@/kernel/core/operation.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { isLoopback } from "@/text/links/schema.ts";
import { checkMayHaveBots } from "./access.ts";
import { addInvited, type UserWithKey } from "./actions-adding.ts";
import {
  changeAddress,
  changeName,
  changePasswordHash,
  emitAddressesSeen,
  otherActor,
} from "./actions-identity.ts";
import type { NewPassword, NewPerson, PersonChanges, PersonPatch, PersonPatchByEmail } from "./schema.ts";
import * as store from "./store.ts";

interface Making {
  /** Accepts a password that is easy to guess. */
  allowWeak?: boolean;
  /** The account's age counts from its first login. */
  startsAtLogin?: boolean;
}

/** Adds a person; with a `password`, they can log in. */
export const createUser = operation(
  allow.admin,
  async (ctx, person: NewPerson & Making): Promise<UserWithKey> => {
    const { password, allowWeak, ...input } = person;
    // Checking and hashing a password take long, so they come after the permission check.
    const about = [input.full_name, input.email];
    const password_hash =
      password === undefined ? null : await hashNewPassword(password, { about, allowWeak });
    return insertPerson(ctx, { ...input, password_hash });
  },
);

/** An account that others made begins at its first login, from which its age counts. */
export function noteFirstLogin(tx: Tx, userId: number): void {
  const user = userFor(tx, userId);
  if (user.awaits_login === null) return;
  const before = fullMembers(tx);
  store.setAwaitsLogin(tx, userId, null);
  store.setJoined(tx, userId, tx.now);
  const shown = { clientGravatar: false, isSeen: false };
  const { is_imported_stub, date_joined } = presentAs(tx, userFor(tx, userId), shown);
  if (user.awaits_login === "imported") emitUserChange(tx, user, { is_imported_stub });
  emitUserChange(tx, user, { date_joined });
  emitFullMembers(tx, before);
}

type HashedPerson = Omit<NewPerson, "password"> & { password_hash: string | null } & Pick<
    Making,
    "startsAtLogin"
  >;

const insertPerson = action(allow.admin, (tx, { startsAtLogin, ...input }: HashedPerson): UserWithKey => {
  const role = input.role ?? roles.member;
  checkMayGrantRole(tx, role);
  const added = addInvited(tx, { ...input, role });
  if (startsAtLogin) store.setAwaitsLogin(tx, added.user.user_id, "created");
  userHooks.added(tx, [{ userId: added.user.user_id, role, address: input.email }]);
  return added;
});

export const changeRole = action(allow.admin, (tx, input: { user_id: number; role: Role }): User => {
  const user = userToChange(tx, input.user_id);
  checkMayGrantRole(tx, input.role);
  if (user.role === input.role) return presentUser(tx, user, false);
  if (user.role === roles.owner) keepAnOwner(tx, user);

  giveRole(tx, user, input.role);
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

/** Like `deactivateUser`, for the actor. */
export const deactivateSelf = action(allow.user, (tx): void => {
  const user = myself(tx);
  if (user.is_bot) fail("BAD_REQUEST", "This endpoint does not accept bot requests.");
  if (user.role === roles.owner && store.countActiveOwners(tx, roles.owner) <= 1) {
    const about = { is_last_owner: true, entity: "organization owner" };
    fail(userErrors.CANNOT_DEACTIVATE_LAST_USER, "The only organization owner cannot be deactivated.", about);
  }

  deactivate(tx, user);
});

export const reactivateUser = action(allow.admin, (tx, userId: number): User => {
  const user = userToChange(tx, userId);
  if (user.is_active) fail("BAD_REQUEST", "User is already active");
  checkName(tx, user.full_name, user.id);
  if (user.is_bot) checkMayHaveBots(tx, user.bot_type);

  if (user.is_bot) findOwner(tx, user);
  store.setActive(tx, user.id, true);
  recordAccountChange(tx, user, "reactivated");
  emitUserChange(tx, user, { is_active: true });
  emitBackInGroups(tx, user.id);
  emitSettingsNaming(tx, user.id);
  userHooks.reactivated(tx, user.id);
  return presentUser(tx, userFor(tx, user.id), false);
});

/** A reactivated bot without an active owner gets the actor as its owner. */
function findOwner(tx: Tx, bot: UserRow): void {
  const owner = bot.bot_owner_id === null ? null : userFor(tx, bot.bot_owner_id);
  if (!owner?.is_active && tx.actor.kind === "user") giveBot(tx, bot, tx.actor.id);
}

/** Replaces all keys of an account by a new one, which is returned only here. */
export const rotateKey = action(allow.user, (tx, userId: number): UserWithKey => {
  const user = accountToOpen(tx, userId);
  checkProved(tx);

  endKeys(tx, user.id);
  if (user.id !== tx.actor.id) recordAccountChange(tx, user, "key_replaced");
  notifyNewKey(tx, user, otherActor(tx, user.id));
  return { user: presentUser(tx, user, false), api_key: giveKey(tx, user.id) };
});

/** Sets a person's password. */
export const setPassword = operation(
  allow.user,
  async (ctx, { user_id, password, allowWeak }: NewPassword & Pick<Making, "allowWeak">): Promise<User> => {
    const { full_name, delivery_email } = personToOpen(ctx, user_id);
    const hash = await hashNewPassword(password, { about: [full_name, delivery_email], allowWeak });
    return storePassword(ctx, { user_id, hash });
  },
);

const storePassword = action(allow.user, (tx, input: { user_id: number; hash: string }): User => {
  const user = personToOpen(tx, input.user_id);

  changePasswordHash(tx, user.id, input);
  if (user.id !== tx.actor.id) recordAccountChange(tx, user, "password_set");
  return presentUser(tx, user, false);
});

function personToOpen(ctx: Ctx, userId: number): UserRow {
  const user = accountToOpen(ctx, userId);
  return user.is_bot ? fail("BAD_REQUEST", "Bots have no password.") : user;
}

/** Changes a user: all given fields or none. */
export const updateUser = action(allow.admin, (tx, input: PersonPatch): void => {
  const { user_id, ...changes } = input;
  carryOut(tx, userToChange(tx, user_id), changes);
});

/** Like `updateUser`, for a user named by e-mail address. */
export const updateUserByEmail = action(allow.admin, (tx, input: PersonPatchByEmail): void => {
  const { email, ...changes } = input;
  carryOut(tx, userToChange(tx, userByEmail(tx, email).id), changes);
});

function carryOut(tx: Tx, user: UserRow, { full_name, role, new_email, profile_data }: PersonChanges): void {
  if (full_name !== undefined && changeName(tx, user.id, full_name)) {
    recordAccountChange(tx, user, "renamed", { from: user.full_name, to: full_name });
  }
  if (profile_data !== undefined && setProfile(tx, user, profile_data)) {
    recordAccountChange(tx, user, "profile_changed");
  }
  if (new_email !== undefined && new_email !== user.delivery_email) giveAddress(tx, user, new_email);
  if (role !== undefined) changeRole.in(tx, { user_id: user.id, role });
}

/** Only owners may change an account's address: anyone who reads mail there can take over the account. */
function giveAddress(tx: Tx, user: UserRow, address: string): void {
  allow.owner(tx);
  if (user.id === tx.actor.id && !tx.actor.isOperator) {
    fail("BAD_REQUEST", "Change your own address in your settings, where it takes a proof.");
  }
  checkProved(tx);
  if (user.is_bot) fail("BAD_REQUEST", "The address of a bot cannot be changed.");
  changeAddress(tx, user.id, address);
  recordAccountChange(tx, user, "address_changed", { from: user.delivery_email, to: address });
}

/** Deletes the key of one login. */
export const endLoginKey = action(allow.user, (tx, key: string): void => {
  const found = userWithKey(tx, key);
  if (found?.user.id === me(tx).id) endTheseKeys(tx, found.user.id, [found.keyId]);
});

/** Deactivates a user; with a comment, even an empty one, sends a person a mail. */
export const deactivateAndMail = action(
  allow.admin,
  (tx, { user_id, comment }: { user_id: number; comment?: string }): void => {
    deactivateUser.in(tx, user_id);
    if (comment !== undefined) queueDeactivationMail(tx, user_id, comment);
  },
);

function queueDeactivationMail(tx: Tx, userId: number, comment: string): void {
  const { is_bot, delivery_email, full_name } = userFor(tx, userId);
  if (is_bot) return;
  if (!serverOptions.read(tx).sends_mail) {
    if (comment === "") return;
    fail("BAD_REQUEST", "This server sends no mail, so nobody would read the comment.");
  }
  const { name: organization } = realmSettings.read(tx);
  const translator = translatorTo(tx, userId);
  const { t } = translator;
  const where = isLoopback(tx.env.site) ? "" : ` (${tx.env.site})`;
  const hello = t("Hello {name},", { name: full_name });
  const news = t("your account at {organization} has been deactivated by {person}.", {
    organization: organization + where,
    person: userFor(tx, me(tx).id).full_name,
  });
  const quoting = t("{first} {second}", { first: news, second: t("They wrote:") });
  const letter = {
    translator,
    subject: t("Your account at {organization} has been deactivated", { organization }),
    blocks:
      comment === ""
        ? [{ text: `${hello}\n\n${news}` }]
        : [{ text: `${hello}\n\n${quoting}` }, { lines: comment }],
  };
  queueLetter(tx, { letter, recipient: delivery_email, sender_id: me(tx).id });
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
  emitSettingsNaming(tx, user.id);
  for (const bot of botsOf(tx, user.id)) if (bot.is_active) deactivate(tx, bot);
}

/**
 * Gives an account another role, after the permission checks; part of another action. The bots of a guest become guests, too: they must
 * not see what their owner may not.
 */
function giveRole(tx: Tx, user: UserRow, role: Role): void {
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
  if (isGuest({ role })) for (const bot of [...botsOf(tx, user.id)]) makeGuest(tx, bot);
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
