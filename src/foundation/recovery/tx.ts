import { hashKey, newKey } from "@/foundation/auth/secrets.ts";
import type { Tx } from "@/kernel/context.ts";
import { resetLife, resetPath } from "./schema.ts";
import * as store from "./store.ts";

/** Makes a link for a new password that works for `life` seconds, and ends earlier ones; returns its path. */
export function makeLink(tx: Tx, userId: number, life = resetLife): string {
  const key = newKey();
  endLinks(tx, userId);
  store.insertLink(tx, { hash: hashKey(key), userId, expires_at: tx.now + life });
  return resetPath(key);
}

/** Ends the links of somebody who has a new password, or no account any more. */
export function endLinks(tx: Tx, userId: number): void {
  if (store.hasLinks(tx, userId)) store.deleteLinks(tx, userId);
}
