import { userFor, userToChange } from "@/foundation/users/access.ts";
import type { UserRow } from "@/foundation/users/schema.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { fail } from "@/kernel/lib/errors.ts";

/** An account of which the actor may delete all messages: one that they may change, or that of an erased person. */
export function accountToEmpty(ctx: Ctx, id: number): UserRow {
  const user = userFor(ctx, id);
  return user.erased_at === null ? userToChange(ctx, id) : user;
}

/** A person whom the actor, an owner, may erase, or who is erased already. */
export function personToErase(ctx: Ctx, id: number): UserRow {
  const user = accountToEmpty(ctx, id);
  if (user.is_bot) fail("BAD_REQUEST", "Only people can be erased. Deactivate the bot instead.");
  if (user.id === ctx.actor.id)
    fail("BAD_REQUEST", "You cannot erase yourself. Another owner of the organization can.");
  return user;
}
