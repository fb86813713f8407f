import type { Reads, Tx } from "@/kernel/core/context.ts";
import { rowDeleter } from "@/kernel/store/owned-rows.ts";

interface TwoStepRow {
  secret: string;
  confirmed_at: number | null;
  last_step: number;
  /** A JSON array. */
  recovery_hashes: string;
}

export function findTwoStep({ db }: Reads, userId: number): TwoStepRow | null {
  const columns = "secret, confirmed_at, last_step, recovery_hashes";
  return db.get<TwoStepRow>(`SELECT ${columns} FROM two_step WHERE user_id = ?`, userId);
}

export function listConfirmed({ db }: Reads): number[] {
  const sql = "SELECT user_id FROM two_step WHERE confirmed_at IS NOT NULL";
  return db.all<{ user_id: number }>(sql).map(({ user_id }) => user_id);
}

export function replaceSecret(tx: Tx, userId: number, secret: string): void {
  deleteTwoStep(tx, userId);
  tx.run("INSERT INTO two_step (user_id, secret) VALUES (?, ?)", userId, secret);
}

export function setConfirmed(tx: Tx, userId: number): void {
  tx.run("UPDATE two_step SET confirmed_at = ? WHERE user_id = ?", tx.now, userId);
}

export function setLastStep(tx: Tx, userId: number, step: number): void {
  tx.run("UPDATE two_step SET last_step = ? WHERE user_id = ?", step, userId);
}

export function setRecoveryHashes(tx: Tx, userId: number, hashes: readonly string[]): void {
  tx.run("UPDATE two_step SET recovery_hashes = ? WHERE user_id = ?", JSON.stringify(hashes), userId);
}

export function deleteTwoStep(tx: Tx, userId: number): void {
  tx.run("DELETE FROM two_step WHERE user_id = ?", userId);
}

export const deleteSomeTwoStep = rowDeleter({ table: "two_step", key: "user_id" });
