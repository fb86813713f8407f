import type { UserRow } from "@/foundation/users/schema.ts";
import type { Reads } from "@/kernel/core/context.ts";
import type { ProofKind } from "./schema.ts";
import { findProof } from "./store.ts";

export interface Proof {
  kind: ProofKind;
  proved_at: number;
}

/** How it was proved that a person has the address of their account; null if nobody has proved it. */
export function proofOf(
  reads: Reads,
  { id, delivery_email }: Pick<UserRow, "id" | "delivery_email">,
): Proof | null {
  const found = findProof(reads, id);
  if (found?.address_key !== delivery_email.toLowerCase()) return null;
  return { kind: found.kind, proved_at: found.proved_at };
}
