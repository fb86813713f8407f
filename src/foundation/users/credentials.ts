// What auth may know about accounts: which account has an address, and whether a key opens it.
import { hashKey, matchesAny, newKey } from "@/foundation/auth/secrets.ts";
import { allow, me } from "@/foundation/permissions/access.ts";
import type { Reads } from "@/kernel/context.ts";
import { action } from "@/kernel/operation.ts";
import type { UserRow } from "./store.ts";
import * as store from "./store.ts";

const loginKeysKept = 50;
const nobodysKeys = [hashKey(newKey())];

export function userWithAddress(reads: Reads, email: string): UserRow | null {
  return store.findUserByEmail(reads, email);
}

/** Whether a key opens an account; takes as long for an account that does not exist. */
export function keyOpens(reads: Reads, user: UserRow | null, key: string): boolean {
  const hashes = user ? store.findKeys(reads, user.id).map((row) => row.hash) : nobodysKeys;
  return matchesAny(key, hashes) && user !== null;
}

/** Creates a key for one login; other logins keep theirs, so that no device signs out another. */
export const giveLoginKey = action(allow.anyone, (tx, userId: number): string => {
  const key = newKey();
  store.insertKey(tx, userId, hashKey(key), "login");
  store.deleteOldLoginKeys(tx, userId, loginKeysKept);
  return key;
});

/** Deletes the key of one login. */
export const endLoginKey = action(allow.user, (tx, key: string): void => {
  store.deleteKey(tx, me(tx).id, hashKey(key));
});
