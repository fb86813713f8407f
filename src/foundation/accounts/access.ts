import { may } from "@/foundation/permissions/access.ts";
import { botTypes } from "@/foundation/permissions/schema.ts";
import { activeUsersNamed } from "@/foundation/users/access.ts";
import type { Ctx, Reads } from "@/kernel/core/context.ts";
import { fail } from "@/kernel/lib/errors.ts";

/** Throws if an active user already has the name: a bot must not be mistaken for somebody else. */
export function checkBotName(reads: Reads, name: string, botId: number | null = null): void {
  if (activeUsersNamed(reads, name).some((id) => id !== botId)) {
    fail("BAD_REQUEST", "Name is already in use!");
  }
}

/** Throws unless the actor may have bots of this type; bots that only send need a weaker permission. */
export function checkMayHaveBots(ctx: Ctx, type: number | null): void {
  if (may(ctx, "can_create_bots_group")) return;
  if (type === botTypes.incomingWebhook && may(ctx, "can_create_write_only_bots_group")) return;
  fail("BAD_REQUEST", "Insufficient permission");
}
