import type { ReadsNow, Tx } from "@/kernel/core/context.ts";

/** Replaces the code of a session. */
export function putCode(tx: Tx, code: { session_id: number; hash: Uint8Array; expires_at: number }): void {
  tx.run("DELETE FROM proof_codes WHERE expires_at <= ?", tx.now);
  tx.run(
    "INSERT OR REPLACE INTO proof_codes (session_id, hash, expires_at) VALUES (?, ?, ?)",
    code.session_id,
    code.hash,
    code.expires_at,
  );
}

/** The hash of a session's code; null if it has none that still works. */
export function findCode({ db, now }: ReadsNow, sessionId: number): Uint8Array | null {
  const sql = "SELECT hash FROM proof_codes WHERE session_id = ? AND expires_at > ?";
  return db.get<{ hash: Uint8Array }>(sql, sessionId, now)?.hash ?? null;
}

export function deleteCode(tx: Tx, sessionId: number): void {
  tx.run("DELETE FROM proof_codes WHERE session_id = ?", sessionId);
}
