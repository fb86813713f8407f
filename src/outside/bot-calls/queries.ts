import { allow } from "@/foundation/permissions/access.ts";
import { query } from "@/kernel/core/operation.ts";
import { botFor } from "@/outside/bots/access.ts";
import type { BotCall } from "./schema.ts";
import * as store from "./store.ts";

/** The last calls to and for a bot that the actor may change, the newest first. */
export const listBotCalls = query(allow.user, (ctx, botId: number): BotCall[] =>
  store.listCalls(ctx, botFor(ctx, botId).id, ctx.db.clock.now()),
);
