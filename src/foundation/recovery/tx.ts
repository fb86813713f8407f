import { hashKey, newKey } from "@/foundation/secrets/secrets.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { resetLife, resetPath } from "./schema.ts";
import * as store from "./store.ts";

interface Making {
  userId: number;
  /** How many seconds it works. */
  life?: number;
  /** The address to which it is mailed, and nobody else sees it; null if somebody hands it over. */
  mailedTo: string | null;
}

/** Makes a link for a new password; returns its path. Earlier links stop working. */
export function makeLink(tx: Tx, { userId, life = resetLife, mailedTo }: Making): string {
  const key = newKey();
  endLinks(tx, userId);
  store.insertLink(tx, { hash: hashKey(key), userId, expires_at: tx.now + life, mailedTo });
  return resetPath(key);
}

/** Ends the links of a user. */
export function endLinks(tx: Tx, userId: number): void {
  if (store.hasLinks(tx, userId)) store.deleteLinks(tx, userId);
}
