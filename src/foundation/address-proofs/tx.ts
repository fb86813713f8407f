import type { UserRow } from "@/foundation/users/rows.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { proofOf } from "./access.ts";
import type { ProofKind } from "./schema.ts";
import * as store from "./store.ts";

type Person = Pick<UserRow, "id" | "delivery_email">;

/** Records that the address of an account is proved. An earlier proof of it stays. */
export function prove(tx: Tx, user: Person, kind: ProofKind): void {
  if (proofOf(tx, user) === null) store.setProof(tx, { userId: user.id, address: user.delivery_email, kind });
}

/** Records that nobody has proved the address of an account. */
export function unprove(tx: Tx, userId: number): void {
  store.deleteProof(tx, userId);
}

/** The word of those who act at the machine is a proof; that of others is none, whatever their role. */
export function proveByWord(tx: Tx, user: Person): void {
  if (tx.actor.kind === "system" || tx.actor.isOperator) prove(tx, user, "operator");
}
