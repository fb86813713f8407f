// Delivers invitations: by email, or as links to the inviter if the server sends no email.

import { serverOptions } from "@/foundation/realm/schema.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { invitationErrors } from "./schema.ts";
import * as store from "./store.ts";

const day = 86_400;

/** Throws if this would exceed the server's daily limit. */
export function checkDailyLimit(ctx: Ctx, count: number): void {
  const { invitations_per_day: max } = serverOptions.read(ctx);
  if (store.countSendings(ctx, day) + count <= max) return;
  fail(
    invitationErrors.INVITATION_FAILED,
    `At most ${max} addresses can be invited in a day, so nothing was sent.`,
    {
      errors: [],
      sent_invitations: false,
      daily_limit_reached: true,
      license_limit_reached: false,
    },
  );
}
