import { allow } from "@/foundation/permissions/access.ts";
import { hashKey, newKey } from "@/foundation/secrets/secrets.ts";
import { accountToOpen } from "@/foundation/users/access.ts";
import { recordAccountChange } from "@/foundation/users/actions.ts";
import { userHooks } from "@/foundation/users/hooks.ts";
import { credentialsEnded } from "@/foundation/users/schema.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { to } from "@/kernel/core/events.ts";
import { action } from "@/kernel/core/operation.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { keysOf } from "./access.ts";
import type { KeyEnding } from "./schema.ts";
import * as store from "./store.ts";

/** Ends one or all API keys of an account that the actor may open; returns how many. */
export const endKeysFor = action(allow.user, (tx, { user_id, id }: KeyEnding): number => {
  const user = accountToOpen(tx, user_id);
  const ids = keysOf(tx, user.id).map((key) => key.id);
  if (id !== undefined && !ids.includes(id)) fail("BAD_REQUEST", "No such key");

  const ended = endTheseKeys(tx, user.id, id === undefined ? ids : [id]);
  if (user.id !== tx.actor.id) recordAccountChange(tx, user, "keys_ended", { ended });
  return ended;
});

/** Ends all keys of an account, and what was set up with them. */
export function endKeys(tx: Tx, userId: number): void {
  endTheseKeys(tx, userId, idsOf(store.listKeys(tx, userId)));
}

/** Ends the keys that logins handed out, except for the one that is `spared`. */
export function endLoginKeys(tx: Tx, userId: number, spared?: number): void {
  endTheseKeys(
    tx,
    userId,
    idsOf(loginKeysOf(tx, userId)).filter((id) => id !== spared),
  );
}

/** Ends these keys of an account, and what was set up with them; returns how many. */
export function endTheseKeys(tx: Tx, userId: number, keyIds: readonly number[]): number {
  if (keyIds.length === 0) return 0;
  store.deleteKeys(tx, keyIds);
  userHooks.keysEnded(tx, { userId, keyIds });
  tx.emit(credentialsEnded, to(), { user_id: userId });
  return keyIds.length;
}

const idsOf = (keys: readonly store.KeyFacts[]) => keys.map(({ id }) => id);

/** Newest first. */
const loginKeysOf = (tx: Tx, userId: number) =>
  store.listKeys(tx, userId).filter(({ kind }) => kind === "login");

export function giveKey(tx: Tx, userId: number): string {
  const key = newKey();
  store.insertKey(tx, { user_id: userId, hash: hashKey(key), kind: "main", device: "" });
  return key;
}

const loginKeysKept = 50;

/** Creates a key for a login on a device; other logins keep theirs, except for the oldest of very many. */
export function giveLoginKey(tx: Tx, { userId, device }: { userId: number; device: string }): string {
  const key = newKey();
  store.insertKey(tx, { user_id: userId, hash: hashKey(key), kind: "login", device });
  endTheseKeys(tx, userId, idsOf(loginKeysOf(tx, userId).slice(loginKeysKept)));
  return key;
}
