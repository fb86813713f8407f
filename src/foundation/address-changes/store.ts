import type { ReadsNow, Tx } from "@/kernel/core/context.ts";

export interface ChangeRow {
  user_id: number;
  /** The new address. */
  address: string;
  /** Whether the person who follows the link must also sign in. */
  needs_sign_in: 0 | 1;
  asked_at: number;
  expires_at: number;
}

const columns = "user_id, address, needs_sign_in, asked_at, expires_at";

export function replaceChange(
  tx: Tx,
  { hash, ...row }: Omit<ChangeRow, "asked_at"> & { hash: Uint8Array },
): void {
  tx.run(
    "INSERT OR REPLACE INTO address_changes (user_id, hash, address, needs_sign_in, asked_at, expires_at) VALUES (?, ?, ?, ?, ?, ?)",
    row.user_id,
    hash,
    row.address,
    row.needs_sign_in,
    tx.now,
    row.expires_at,
  );
}

/** The change that a link confirms; null if the link no longer works. */
export function findByLink({ db, now }: ReadsNow, hash: Uint8Array): ChangeRow | null {
  const sql = `SELECT ${columns} FROM address_changes WHERE hash = ? AND expires_at > ?`;
  return db.get<ChangeRow>(sql, hash, now);
}

/** The change of a person that waits. */
export function findChange({ db, now }: ReadsNow, userId: number): ChangeRow | null {
  const sql = `SELECT ${columns} FROM address_changes WHERE user_id = ? AND expires_at > ?`;
  return db.get<ChangeRow>(sql, userId, now);
}

export function hasChange({ db }: ReadsNow, userId: number): boolean {
  return db.get("SELECT 1 FROM address_changes WHERE user_id = ?", userId) !== null;
}

export function deleteChange(tx: Tx, userId: number): void {
  tx.run("DELETE FROM address_changes WHERE user_id = ?", userId);
}
