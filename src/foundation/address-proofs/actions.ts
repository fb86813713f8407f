import { allow } from "@/foundation/permissions/access.ts";
import { userToChange } from "@/foundation/users/access.ts";
import { recordAccountChange } from "@/foundation/users/actions.ts";
import type { UserRow } from "@/foundation/users/schema.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { action } from "@/kernel/core/operation.ts";
import { failInEnglish } from "@/kernel/lib/errors.ts";
import { proofOf } from "./access.ts";
import type { ProofKind } from "./schema.ts";
import * as store from "./store.ts";

/** Takes the operator's word for or against a person's address; returns false if it says nothing new. */
export const setAddressProved = action(
  allow.operator,
  (tx, { user_id, isProved }: { user_id: number; isProved: boolean }): boolean => {
    const user = userToChange(tx, user_id);
    if (user.is_bot) failInEnglish("BAD_REQUEST", "Only people prove their addresses: bots get no mail.");
    const before = proofOf(tx, user);
    if ((before !== null) === isProved) return false;

    if (isProved) prove(tx, user, "operator");
    else unprove(tx, user.id);
    const data = { address: user.delivery_email, ...(before && { was_proved: before.kind }) };
    recordAccountChange(tx, user, isProved ? "address_proved" : "address_unproved", data);
    return true;
  },
);

type ProvenPerson = Pick<UserRow, "id" | "delivery_email">;

/** Records that the address of an account is proved. An earlier proof of it stays. */
export function prove(tx: Tx, user: ProvenPerson, kind: ProofKind): void {
  if (proofOf(tx, user) === null) store.setProof(tx, { userId: user.id, address: user.delivery_email, kind });
}

/** Records that nobody has proved the address of an account. */
export function unprove(tx: Tx, userId: number): void {
  store.deleteProof(tx, userId);
}

/** Records an address as proved if the server's operator gives it: nobody else's word proves one, not even an owner's. */
export function proveByWord(tx: Tx, user: ProvenPerson): void {
  if (tx.actor.kind === "system" || tx.actor.isOperator) prove(tx, user, "operator");
}

/** Part of erasing a person: deletes the proof of their address. Returns how many it deleted. */
export function forgetSomeProofs(tx: Tx, userId: number, max: number): number {
  return store.deleteSomeProofs(tx, userId, max);
}
