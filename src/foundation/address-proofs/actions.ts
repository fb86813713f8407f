import { allow } from "@/foundation/permissions/access.ts";
import { userToChange } from "@/foundation/users/access.ts";
import { recordAccountChange } from "@/foundation/users/tx-records.ts";
import { action } from "@/kernel/core/operation.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { proofOf } from "./access.ts";
import { prove, unprove } from "./tx.ts";

/** Takes the operator's word for or against a person's address; returns false if it says nothing new. */
export const setAddressProved = action(
  allow.operator,
  (tx, { user_id, isProved }: { user_id: number; isProved: boolean }): boolean => {
    const user = userToChange(tx, user_id);
    if (user.is_bot) fail("BAD_REQUEST", "Only people prove their addresses: bots get no mail.");
    const before = proofOf(tx, user);
    if ((before !== null) === isProved) return false;

    if (isProved) prove(tx, user, "operator");
    else unprove(tx, user.id);
    const data = { address: user.delivery_email, ...(before && { was_proved: before.kind }) };
    recordAccountChange(tx, user, isProved ? "address_proved" : "address_unproved", data);
    return true;
  },
);
