import type { ReadsNow, Tx } from "@/kernel/context.ts";

export function insertLink(
  tx: Tx,
  { hash, userId, expires_at }: { hash: Uint8Array; userId: number; expires_at: number },
): void {
  tx.run("INSERT INTO reset_links (hash, user_id, expires_at) VALUES (?, ?, ?)", hash, userId, expires_at);
}

/** The user of a link; null if it no longer works. */
export function findLink({ db, now }: ReadsNow, hash: Uint8Array): number | null {
  const sql = "SELECT user_id FROM reset_links WHERE hash = ? AND expires_at > ?";
  return db.get<{ user_id: number }>(sql, hash, now)?.user_id ?? null;
}

export function hasLinks({ db }: ReadsNow, userId: number): boolean {
  return db.get("SELECT 1 FROM reset_links WHERE user_id = ? LIMIT 1", userId) !== null;
}

export function deleteLinks(tx: Tx, userId: number): void {
  tx.run("DELETE FROM reset_links WHERE user_id = ?", userId);
}
