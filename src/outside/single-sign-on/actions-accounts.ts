// Finds the account for an identity of a provider: the linked one, the one with the same address, or a new one.

import { changeRole } from "@/foundation/accounts/actions.ts";
import { proofOf } from "@/foundation/address-proofs/access.ts";
import { prove } from "@/foundation/address-proofs/actions.ts";
import { moveMembers } from "@/foundation/groups/actions.ts";
import { findNamedGroup, membersOf } from "@/foundation/permissions/access.ts";
import { authErrors, type Role, roles } from "@/foundation/permissions/schema.ts";
import { checkRealmActive } from "@/foundation/realm/access.ts";
import { realmSettings } from "@/foundation/realm/schema.ts";
import { activePeople, userFor, userWithAddress } from "@/foundation/users/access.ts";
import { emailAddress, fullName, type UserRow } from "@/foundation/users/schema.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { actingAs } from "@/kernel/core/operation.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { openInvitationFor, openInvitationTo } from "@/outside/invitations/access.ts";
import { admitInvited, admitUninvited } from "@/outside/invitations/actions-admission.ts";
import type { Language } from "@/text/language/languages.ts";
import { sentence } from "@/text/language/tables.ts";
import type { Claims } from "./providers.ts";
import { issuerKey, type Provider, signOnErrors } from "./schema.ts";
import * as store from "./store.ts";

export interface Identity {
  provider: Provider;
  claims: Claims;
  /** The key of an invitation, for somebody without an account. */
  invitation: string | null;
  /** Which the browser likes best, for somebody without an account. */
  language: Language | null;
}

export interface FoundAccount {
  user: UserRow;
  /** Whether the person must first show that the account is theirs, because nobody has proved its address. */
  asksPassword: boolean;
}

/** The account of a person that a provider has signed in. Links or creates one, if necessary. */
export function accountOf(tx: Tx, identity: Identity): FoundAccount {
  checkRealmActive(tx);
  const known = findLinkedUser(tx, identity);
  const user = known === null ? firstOf(tx, identity) : userFor(tx, known);
  checkMayEnter(user);
  if (known === null && proofOf(tx, user) === null) return { user, asksPassword: true };
  return { user: enter(tx, user, identity), asksPassword: false };
}

/** Links an account that the person has opened by its password, as `accountOf` does with one whose address is proved. */
export function joinAccount(tx: Tx, { userId, ...identity }: Identity & { userId: number }): UserRow {
  checkRealmActive(tx);
  const user = userFor(tx, userId);
  const isLinked = findLinkedUser(tx, identity) !== null;
  if (isLinked || !hasAddress(user, checkProvenAddress(identity.provider, identity.claims)))
    fail(signOnErrors.SIGN_ON_FAILED, "The account has changed in the meantime. Please start again.");
  checkMayEnter(user);
  return enter(tx, user, identity);
}

/** The ID of the account that an identity is linked to, or null. */
export function findLinkedUser(
  tx: Tx,
  { provider, claims }: Pick<Identity, "provider" | "claims">,
): number | null {
  if (typeof claims.sub !== "string" || claims.sub.trim() === "") {
    const { button, name } = provider;
    fail(
      signOnErrors.SIGN_ON_FAILED,
      sentence("{provider} did not say who you are. Tell an administrator.", { provider: button ?? name }),
    );
  }
  return store.findIdentity(tx, issuerKey(provider.issuer), claims.sub);
}

function checkMayEnter(user: UserRow): void {
  if (user.is_bot) fail(signOnErrors.SIGN_ON_FAILED, "This address belongs to a bot, which cannot sign in.");
  if (!user.is_active)
    fail(authErrors.USER_DEACTIVATED, "Your account is deactivated. An administrator can change that.");
}

function enter(tx: Tx, user: UserRow, identity: Identity): UserRow {
  const { provider, claims } = identity;
  if (findLinkedUser(tx, identity) === null) {
    const { issuer, name } = provider;
    const linked = { issuer: issuerKey(issuer), provider: name, subject: claims.sub, userId: user.id };
    store.insertIdentity(tx, linked);
  }
  if (isVerified(provider, claims) && hasAddress(user, claims.email)) prove(tx, user, "provider");
  followGroups(tx, user, identity);
  return userFor(tx, user.id);
}

/** At the first sign-in, finds the account by address, which the provider must have verified. */
function firstOf(tx: Tx, identity: Identity): UserRow {
  const email = checkProvenAddress(identity.provider, identity.claims);
  const found = userWithAddress(tx, email);
  // It may also be the generated address of somebody else.
  return found && hasAddress(found, email) ? found : newcomer(tx, identity, email);
}

function hasAddress({ delivery_email }: UserRow, address: unknown): boolean {
  return typeof address === "string" && delivery_email.toLowerCase() === address.trim().toLowerCase();
}

const yes: unknown[] = [true, "true", 1, "1"];

function isVerified({ verified_claim }: Provider, claims: Claims): boolean {
  return yes.includes(claims[verified_claim]);
}

function checkProvenAddress(provider: Provider, claims: Claims): string {
  const { button, name } = provider;
  const email = emailAddress.safeParse(claims.email);
  if (!email.success) {
    return fail(
      signOnErrors.SIGN_ON_FAILED,
      sentence("{provider} did not send your email address.", { provider: button ?? name }),
    );
  }
  if (!isVerified(provider, claims)) {
    fail(
      signOnErrors.SIGN_ON_FAILED,
      sentence(
        "{provider} has not verified that {email} is your address. Have it verified there, and sign in again.",
        { provider: button ?? name, email: email.data },
      ),
    );
  }
  return email.data;
}

function newcomer(tx: Tx, { provider, claims, invitation: key, language }: Identity, email: string): UserRow {
  const full_name = nameIn(claims, email);
  const person = { email, full_name, password_hash: null, proof: "provider", language } as const;
  const invitation = key === null ? openInvitationTo(tx, email) : openInvitationFor(tx, key, email);
  if (invitation) return userFor(tx, admitInvited(tx, invitation, person).user.user_id);
  if (!provider.create_accounts || realmSettings.read(tx).invite_required) {
    fail(
      signOnErrors.SIGN_ON_FAILED,
      sentence(
        "There is no account for {email}, and joining needs an invitation. Ask an administrator for one.",
        {
          email,
        },
      ),
    );
  }
  return userFor(tx, admitUninvited(tx, person).user.user_id);
}

/** The person's name without forbidden characters, or the first part of the address if nothing is left. */
function nameIn({ name, given_name, family_name, preferred_username }: Claims, email: string): string {
  const whole = [given_name, family_name].filter((part) => typeof part === "string").join(" ");
  const named = [name, whole, preferred_username, email.split("@")[0], "New member"];
  for (const one of named) {
    if (typeof one !== "string") continue;
    const tried = fullName.safeParse(
      one
        .replaceAll(/[*`\\>"@|]|\p{Cc}/gu, " ")
        .replaceAll(/\s+/g, " ")
        .slice(0, 100),
    );
    if (tried.success) return tried.data;
  }
  return "New member";
}

/** Updates the role and the user groups to those that the provider's groups are mapped to. */
function followGroups(tx: Tx, user: UserRow, { provider, claims }: Identity): void {
  // Entra omits the groups of people who have very many, so a missing list does not mean that they have none.
  if (isLeftOut(claims, provider.groups_claim)) return;
  const sent = claims[provider.groups_claim];
  const given = new Set(Array.isArray(sent) ? sent.map(String) : typeof sent === "string" ? [sent] : []);
  const asServer = actingAs(tx, { kind: "system", id: 0, client: tx.actor.client });
  const mapped = Object.entries(provider.roles).flatMap(([group, role]) =>
    given.has(group) ? [roles[role]] : [],
  );
  const role = roleBy(provider, mapped, user.role);
  if (role !== user.role && !isOnlyOwner(tx, user)) changeRole.in(asServer, { user_id: user.id, role });
  const wanted = Map.groupBy(Object.entries(provider.groups), ([, group]) => group);
  for (const [name, entries] of wanted) {
    const group = findNamedGroup(tx, name);
    if (!group) continue;
    const isIn = membersOf(tx, group.id).has(user.id);
    const belongs = entries.some(([theirs]) => given.has(theirs));
    if (belongs && !isIn) moveMembers(asServer, { group_id: group.id, add: [user.id] });
    if (!belongs && isIn) moveMembers(asServer, { group_id: group.id, delete: [user.id] });
  }
}

/** The only owner stays an owner, whatever the provider says: the organization needs one. */
function isOnlyOwner(tx: Tx, { id, role }: UserRow): boolean {
  return role === roles.owner && !activePeople(tx).some((one) => one.role === roles.owner && one.id !== id);
}

function isLeftOut({ _claim_names: names }: Claims, claim: string): boolean {
  return names !== null && typeof names === "object" && claim in names;
}

/** The strongest role of the person's groups. Without such groups, roles above member that groups give are lost. */
function roleBy({ roles: given }: Provider, mapped: readonly Role[], now: Role): Role {
  const strongest = mapped.toSorted((one, other) => one - other)[0];
  if (strongest !== undefined) return strongest;
  const isGiven = Object.values(given).some((name) => roles[name] === now);
  return isGiven && now < roles.member ? roles.member : now;
}

/** Ends the identities of an account that turned out to be somebody else's. */
export function endIdentities(tx: Tx, userId: number): void {
  store.deleteIdentities(tx, userId);
}

/**
 * Gives identities that were linked before issuers were stored the issuers that confab.toml now names for their providers; returns
 * how many it names none for. Those never open an account again, because a later entry of the same name may be another issuer's.
 */
export function bindIdentities(tx: Tx, providers: Iterable<Provider>): number {
  if (!store.hasUnbound(tx)) return 0;
  for (const { name, issuer } of providers) store.bindIdentities(tx, name, issuerKey(issuer));
  return store.closeUnbound(tx);
}
