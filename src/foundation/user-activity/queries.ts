import { lastUsesByBots } from "@/foundation/keys/access.ts";
import { allow } from "@/foundation/permissions/access.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { query } from "@/kernel/core/operation.ts";
import { dayOf, lastDays } from "./access.ts";

/** The last day, counted from 1970, on which each user was active; a bot is when its key is used. Without those who never were. */
export const lastActiveDays = query(allow.admin, (ctx: Ctx): ReadonlyMap<number, number> => {
  const days = new Map(lastUsesByBots(ctx).map(({ user_id, at }) => [user_id, dayOf(at)]));
  for (const [userId, day] of lastDays(ctx)) days.set(userId, Math.max(day, days.get(userId) ?? 0));
  return days;
});
