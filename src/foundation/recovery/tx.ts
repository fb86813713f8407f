import { hashKey, newKey } from "@/foundation/auth/secrets.ts";
import type { Tx } from "@/kernel/context.ts";
import { resetLife, resetPath } from "./schema.ts";
import * as store from "./store.ts";

/** Makes a link for a new password that works for `life` seconds; returns its path. Earlier links stop working. */
export function makeLink(tx: Tx, userId: number, life = resetLife): string {
  const key = newKey();
  endLinks(tx, userId);
  store.insertLink(tx, { hash: hashKey(key), userId, expires_at: tx.now + life });
  return resetPath(key);
}

/** Ends the links of a user. */
export function endLinks(tx: Tx, userId: number): void {
  if (store.hasLinks(tx, userId)) store.deleteLinks(tx, userId);
}
