import type { ReadsNow, Tx } from "@/kernel/core/context.ts";

interface NewLink {
  hash: Uint8Array;
  userId: number;
  expires_at: number;
  /** Null if somebody hands it over. */
  mailedTo: string | null;
}

export function insertLink(tx: Tx, { hash, userId, expires_at, mailedTo }: NewLink): void {
  tx.run(
    "INSERT INTO reset_links (hash, user_id, expires_at, mailed_to) VALUES (?, ?, ?, ?)",
    hash,
    userId,
    expires_at,
    mailedTo?.toLowerCase() ?? null,
  );
}

export interface LinkRow {
  user_id: number;
  /** The address to which it was mailed, in small letters; null if somebody handed it over. */
  mailed_to: string | null;
}

/** A link; null if it no longer works. */
export function findLink({ db, now }: ReadsNow, hash: Uint8Array): LinkRow | null {
  const sql = "SELECT user_id, mailed_to FROM reset_links WHERE hash = ? AND expires_at > ?";
  return db.get<LinkRow>(sql, hash, now);
}

export function hasLinks({ db }: ReadsNow, userId: number): boolean {
  return db.get("SELECT 1 FROM reset_links WHERE user_id = ? LIMIT 1", userId) !== null;
}

export function deleteLinks(tx: Tx, userId: number): void {
  tx.run("DELETE FROM reset_links WHERE user_id = ?", userId);
}
