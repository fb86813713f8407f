import type { Reads, Tx } from "@/kernel/core/context.ts";
import { rowDeleter } from "@/kernel/store/owned-rows.ts";
import type { ProofKind } from "./schema.ts";

export interface ProofRow {
  /** The address in small letters. */
  address_key: string;
  kind: ProofKind;
  proved_at: number;
}

export function findProof({ db }: Reads, userId: number): ProofRow | null {
  return db.get<ProofRow>(
    "SELECT address_key, kind, proved_at FROM address_proofs WHERE user_id = ?",
    userId,
  );
}

export function setProof(
  tx: Tx,
  { userId, address, kind }: { userId: number; address: string; kind: ProofKind },
): void {
  tx.run(
    "INSERT INTO address_proofs (user_id, address_key, kind, proved_at) VALUES (?1, ?2, ?3, ?4) " +
      "ON CONFLICT (user_id) DO UPDATE SET address_key = ?2, kind = ?3, proved_at = ?4",
    userId,
    address.toLowerCase(),
    kind,
    tx.now,
  );
}

export function deleteProof(tx: Tx, userId: number): void {
  tx.run("DELETE FROM address_proofs WHERE user_id = ?", userId);
}

export const deleteSomeProofs = rowDeleter({ table: "address_proofs", key: "user_id" });
