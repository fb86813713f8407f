// Whether a session may do what would hand its user's account to somebody who has only the open browser.

import { sessionById } from "@/foundation/sessions/access.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { proofErrors, proofLife } from "./schema.ts";

/** Whether the actor acts by a session in which they have not shown lately who they are. */
export function needsProof(ctx: Ctx): boolean {
  const { by } = ctx.actor;
  if (by?.kind !== "session") return false;
  const session = sessionById(ctx, by.id);
  return !session || Math.abs(ctx.now - session.proved_at) >= proofLife;
}

/** Throws if `needsProof`. */
export function checkProved(ctx: Ctx): void {
  if (needsProof(ctx)) fail(proofErrors.PROOF_REQUIRED, "Show first that it is you, and try again.");
}
