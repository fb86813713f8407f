import { proofOf } from "@/foundation/address-proofs/access.ts";
import { allow } from "@/foundation/permissions/access.ts";
import { serverOptions } from "@/foundation/realm/schema.ts";
import { myself } from "@/foundation/users/access.ts";
import { query } from "@/kernel/core/operation.ts";
import type { OwnAddress } from "./schema.ts";
import { findChange } from "./store.ts";

/** The actor's own address, and the change of it that waits to be confirmed. */
export const getOwnAddress = query(allow.user, (ctx): OwnAddress => {
  const user = myself(ctx);
  const waiting = findChange(ctx, user.id);
  const isByPassword = user.password_hash !== null;
  return {
    email: user.delivery_email,
    is_proved: proofOf(ctx, user) !== null,
    changes_by: serverOptions.read(ctx).sends_mail ? "mail" : isByPassword ? "password" : "owner",
    change: waiting && {
      email: waiting.address,
      asked_at: waiting.asked_at,
      expires_at: waiting.expires_at,
    },
  };
});
