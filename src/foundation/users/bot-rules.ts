import { may } from "@/foundation/permissions/access.ts";
import { botTypes } from "@/foundation/permissions/schema.ts";
import { activeUsersNamed } from "@/foundation/users/access.ts";
import type { Ctx, Reads } from "@/kernel/context.ts";
import { fail } from "@/kernel/errors.ts";

/** Throws where an active user has the name already: a bot must not pass for somebody. */
export function checkBotName(reads: Reads, name: string, botId: number | null = null): void {
  if (activeUsersNamed(reads, name).some((id) => id !== botId)) {
    fail("BAD_REQUEST", "Name is already in use!");
  }
}

/** Throws unless the actor may have bots of this type; those that only send need less leave than others. */
export function checkMayHaveBots(ctx: Ctx, type: number | null): void {
  if (may(ctx, "can_create_bots_group")) return;
  if (type === botTypes.incomingWebhook && may(ctx, "can_create_write_only_bots_group")) return;
  fail("BAD_REQUEST", "Insufficient permission");
}
