import { allow } from "@/foundation/permissions/access.ts";
import { takesPasswords } from "@/foundation/realm/access.ts";
import { activePeople, myself, userFor } from "@/foundation/users/access.ts";
import { query } from "@/kernel/core/operation.ts";
import { countRecoveryCodes, demandsTwoStep, hasTwoStep } from "./access.ts";
import * as store from "./store.ts";

/** The actor's own two-step sign-in. */
export const ownState = query(allow.user, (ctx) => {
  const { id, password_hash } = myself(ctx);
  const is_on = hasTwoStep(ctx, id);
  return {
    is_on,
    is_required: demandsTwoStep(ctx),
    recovery_codes_left: is_on ? countRecoveryCodes(ctx, id) : 0,
    needs_password: password_hash !== null && takesPasswords(ctx),
  };
});

/** Whether a person uses two-step sign-in. */
export const isOnFor = query(allow.admin, (ctx, userId: number): boolean =>
  hasTwoStep(ctx, userFor(ctx, userId).id),
);

/** Whether two-step sign-in is demanded, and how many people have not set it up. */
export const demandState = query(allow.admin, (ctx) => {
  const have = new Set(store.listConfirmed(ctx));
  const without = activePeople(ctx).filter(({ id, system_bot }) => system_bot === null && !have.has(id));
  return { required: demandsTwoStep(ctx), people_without: without.length };
});
