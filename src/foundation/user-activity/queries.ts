import { lastUsesByBots } from "@/foundation/keys/access.ts";
import { allow } from "@/foundation/permissions/access.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { query } from "@/kernel/core/operation.ts";
import { dayOf, lastDays } from "./access.ts";
import * as store from "./store.ts";

/** The last day, counted from 1970, on which each user was active; a bot is when its key is used. Without those who never were. */
export const lastActiveDays = query(allow.admin, (ctx: Ctx): ReadonlyMap<number, number> => {
  const days = new Map(lastUsesByBots(ctx).map(({ user_id, at }) => [user_id, dayOf(at)]));
  for (const [userId, day] of lastDays(ctx)) days.set(userId, Math.max(day, days.get(userId) ?? 0));
  return days;
});

/** How many people were active on each day and in the week before, from a day on. Days without a count are left out. */
export const listActiveDays = query(allow.admin, (ctx, from: number): store.DayActivity[] =>
  store.listActivity(ctx, from),
);
