import type { Reads, Tx } from "@/kernel/core/context.ts";
import { rowDeleter } from "@/kernel/store/owned-rows.ts";

/** The account of a person at an issuer; null if they have not signed in with it yet. */
export function findIdentity({ db }: Reads, issuer: string, subject: string): number | null {
  const sql = "SELECT user_id FROM external_identities WHERE issuer = ? AND subject = ?";
  return db.get<{ user_id: number }>(sql, issuer, subject)?.user_id ?? null;
}

/** The issuers that have signed a user in; without those of identities that are not bound to any. */
export function listIssuersOf({ db }: Reads, userId: number): string[] {
  const sql = "SELECT DISTINCT issuer FROM external_identities WHERE user_id = ? AND issuer IS NOT NULL";
  return db.all<{ issuer: string }>(sql, userId).map(({ issuer }) => issuer);
}

interface NewIdentity {
  issuer: string;
  /** Its name in confab.toml. */
  provider: string;
  subject: string;
  userId: number;
}

export function insertIdentity(tx: Tx, { issuer, provider, subject, userId }: NewIdentity): void {
  tx.run(
    "INSERT INTO external_identities (issuer, provider, subject, user_id, linked_at) VALUES (?, ?, ?, ?, ?)",
    issuer,
    provider,
    subject,
    userId,
    tx.now,
  );
}

export function deleteIdentities(tx: Tx, userId: number): void {
  tx.run("DELETE FROM external_identities WHERE user_id = ?", userId);
}

/** Gives the identities without an issuer that were linked under a provider's name this issuer. */
export function bindIdentities(tx: Tx, provider: string, issuer: string): void {
  tx.run(
    "UPDATE OR IGNORE external_identities SET issuer = ? WHERE issuer IS NULL AND provider = ?",
    issuer,
    provider,
  );
}

/** Gives the identities that still have no issuer one that nobody is; returns how many. */
export function closeUnbound(tx: Tx): number {
  const unbound = tx.db.get<{ n: number }>(
    "SELECT COUNT(*) AS n FROM external_identities WHERE issuer IS NULL",
  );
  if (!unbound || unbound.n === 0) return 0;
  tx.run("UPDATE external_identities SET issuer = 'unknown:' || provider WHERE issuer IS NULL");
  return unbound.n;
}

export function hasUnbound({ db }: Reads): boolean {
  return db.get("SELECT 1 FROM external_identities WHERE issuer IS NULL LIMIT 1") !== null;
}

export const deleteSomeIdentities = rowDeleter({ table: "external_identities", key: "id" });
