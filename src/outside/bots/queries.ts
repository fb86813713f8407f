import { allow, isAdmin, me } from "@/foundation/permissions/access.ts";
import { botsOf, everyBot } from "@/foundation/users/access.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { query } from "@/kernel/core/operation.ts";
import { botFor } from "./access.ts";
import { presentBot } from "./present.ts";
import type { Bot } from "./schema.ts";

export const listOwnBots = query(allow.user, (ctx): Bot[] =>
  botsOf(ctx, me(ctx).id)
    .filter((row) => row.is_active)
    .map((row) => presentBot(ctx, row)),
);

export const getBot = query(allow.user, (ctx, id: number): Bot => presentBot(ctx, botFor(ctx, id)));

/** The `realm_bot` section of the initial state: the bots that the actor may change. */
export function botsState(ctx: Ctx): { realm_bots: Bot[] } {
  const own = isAdmin(me(ctx)) ? everyBot(ctx) : botsOf(ctx, me(ctx).id);
  return { realm_bots: own.map((row) => presentBot(ctx, row)) };
}
