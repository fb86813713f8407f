// Browsers in which somebody has signed in before. Several people may use the same one.
import type { ReadsNow, Tx } from "@/kernel/core/context.ts";
import { browserLife } from "./schema.ts";

interface KnownBrowser {
  hash: Uint8Array;
  user_id: number;
}

export function findBrowser({ db, now }: ReadsNow, { hash, user_id }: KnownBrowser): boolean {
  const sql = "SELECT 1 FROM known_browsers WHERE user_id = ? AND hash = ? AND last_at > ?";
  return db.get(sql, user_id, hash, now - browserLife) !== null;
}

/** Gives a browser another token, for all who have signed in in it. */
export function replaceBrowser(tx: Tx, { before, hash }: { before: Uint8Array; hash: Uint8Array }): void {
  tx.run("UPDATE known_browsers SET hash = ? WHERE hash = ?", hash, before);
}

export function putBrowser(tx: Tx, { hash, user_id }: KnownBrowser): void {
  tx.run(
    "INSERT INTO known_browsers (user_id, hash, last_at) VALUES (?, ?, ?) " +
      "ON CONFLICT (user_id, hash) DO UPDATE SET last_at = excluded.last_at",
    user_id,
    hash,
    tx.now,
  );
}

/** Deletes all browsers of a user except the `kept` that were used last. */
export function deleteOldBrowsers(tx: Tx, userId: number, kept: number): void {
  tx.run(
    "DELETE FROM known_browsers WHERE user_id = ?1 AND hash NOT IN " +
      "(SELECT hash FROM known_browsers WHERE user_id = ?1 ORDER BY last_at DESC, hash LIMIT ?2)",
    userId,
    kept,
  );
}

/** Deletes all browsers of a user except the one with the hash `spared`. */
export function deleteBrowsers(tx: Tx, userId: number, spared: Uint8Array = new Uint8Array()): void {
  tx.run("DELETE FROM known_browsers WHERE user_id = ? AND hash <> ?", userId, spared);
}
