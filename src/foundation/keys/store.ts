import type { Reads, Tx } from "@/kernel/core/context.ts";
import { cache } from "@/kernel/store/cache.ts";

/** Without the hash of the key. */
export interface KeyFacts {
  id: number;
  user_id: number;
  /** `login` keys were handed out at a login, `main` keys were made for programs. */
  kind: "main" | "login";
  device: string;
  date_created: number;
}

/** Hashes of the keys that open an account. */
export const findKeys = cache(["api_keys"], ({ db }, userId: number) =>
  db.all<{ id: number; hash: Uint8Array }>(
    "SELECT id, hash FROM api_keys WHERE user_id = ? ORDER BY id",
    userId,
  ),
);

/** The key with this hash, of whichever user; null if there is none. */
export function findKey({ db }: Reads, hash: Uint8Array): Pick<KeyFacts, "id" | "user_id"> | null {
  return db.get<Pick<KeyFacts, "id" | "user_id">>("SELECT id, user_id FROM api_keys WHERE hash = ?", hash);
}

/** A user's keys, newest first. */
export function listKeys({ db }: Reads, userId: number): KeyFacts[] {
  const sql =
    "SELECT id, user_id, kind, device, date_created FROM api_keys WHERE user_id = ? ORDER BY id DESC";
  return db.all<KeyFacts>(sql, userId);
}

export function insertKey(
  tx: Tx,
  key: Pick<KeyFacts, "user_id" | "kind" | "device"> & { hash: Uint8Array },
): void {
  tx.run(
    "INSERT INTO api_keys (user_id, hash, kind, device, date_created) VALUES (?, ?, ?, ?, ?)",
    key.user_id,
    key.hash,
    key.kind,
    key.device,
    tx.now,
  );
}

export function deleteKeys(tx: Tx, ids: readonly number[]): void {
  tx.run("DELETE FROM api_keys WHERE id IN (SELECT value FROM json_each(?))", JSON.stringify(ids));
}

/** When a key was last used; null if it never was. */
export function findUse({ db }: Reads, keyId: number): number | null {
  const sql = "SELECT last_used_at FROM key_uses WHERE key_id = ?";
  return db.get<{ last_used_at: number }>(sql, keyId)?.last_used_at ?? null;
}

export function listUsesByBots({ db }: Reads): { user_id: number; at: number }[] {
  return db.all<{ user_id: number; at: number }>(
    "SELECT api_keys.user_id, MAX(last_used_at) AS at FROM key_uses JOIN api_keys ON api_keys.id = key_id " +
      "JOIN users ON users.id = api_keys.user_id WHERE users.is_bot GROUP BY api_keys.user_id",
  );
}

export function setUse(tx: Tx, { id, at }: { id: number; at: number }): void {
  tx.run(
    "INSERT INTO key_uses (key_id, last_used_at) SELECT id, ? FROM api_keys WHERE id = ? " +
      "ON CONFLICT (key_id) DO UPDATE SET last_used_at = excluded.last_used_at",
    at,
    id,
  );
}

export function deleteUses(tx: Tx, keyIds: readonly number[]): void {
  const sql = "DELETE FROM key_uses WHERE key_id IN (SELECT value FROM json_each(?))";
  tx.run(sql, JSON.stringify(keyIds));
}
