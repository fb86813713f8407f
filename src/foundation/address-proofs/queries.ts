import { allow } from "@/foundation/permissions/access.ts";
import { userFor } from "@/foundation/users/access.ts";
import { query } from "@/kernel/core/operation.ts";
import { type Proof, proofOf } from "./access.ts";

/** How the address of a person was proved; null if nobody has proved it. */
export const getAddressProof = query(allow.admin, (ctx, userId: number): Proof | null =>
  proofOf(ctx, userFor(ctx, userId)),
);
