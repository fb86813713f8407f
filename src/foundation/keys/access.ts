import { hashKey, matching, newKey } from "@/foundation/secrets/secrets.ts";
import { findUserById, userWithAddress } from "@/foundation/users/access.ts";
import type { UserRow } from "@/foundation/users/schema.ts";
import type { Reads } from "@/kernel/core/context.ts";
import * as store from "./store.ts";

const nobodysKeys = [{ id: 0, hash: hashKey(newKey()) }];

/** A user, and the ID of the key that opens their account. */
export interface OpenedKey {
  user: UserRow;
  keyId: number;
}

/** The user whose API key this is; found by its hash, so that timing reveals nothing about other keys. */
export function userWithKey(reads: Reads, key: string): OpenedKey | null {
  const found = store.findKey(reads, hashKey(key));
  const user = found && findUserById(reads, found.user_id);
  return user && { user, keyId: found.id };
}

/** The user with an address, if the key opens their account; takes as long for an account that does not exist. */
export function userOpenedBy(reads: Reads, address: string, key: string): OpenedKey | null {
  const user = userWithAddress(reads, address);
  const found = matching(key, user ? store.findKeys(reads, user.id) : nobodysKeys);
  return user && found && { user, keyId: found.id };
}

/** The API keys of a user, newest first. */
export function keysOf(reads: Reads, userId: number): store.KeyFacts[] {
  return store.listKeys(reads, userId);
}

/** When a key of each bot was last used, to within an hour. */
export function lastUsesByBots(reads: Reads): { user_id: number; at: number }[] {
  return store.listUsesByBots(reads);
}
