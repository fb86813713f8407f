import type { Reads, Tx } from "@/kernel/context.ts";

export function findIdentity({ db }: Reads, provider: string, subject: string): number | null {
  const sql = "SELECT user_id FROM external_identities WHERE provider = ? AND subject = ?";
  return db.get<{ user_id: number }>(sql, provider, subject)?.user_id ?? null;
}

export function insertIdentity(
  tx: Tx,
  { provider, subject, userId }: { provider: string; subject: string; userId: number },
): void {
  tx.run(
    "INSERT INTO external_identities (provider, subject, user_id, linked_at) VALUES (?, ?, ?, ?)",
    provider,
    subject,
    userId,
    tx.now,
  );
}

export function deleteIdentities(tx: Tx, userId: number): void {
  tx.run("DELETE FROM external_identities WHERE user_id = ?", userId);
}
