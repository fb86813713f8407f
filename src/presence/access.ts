import type { Ctx } from "@/kernel/context.ts";
import { memberOf } from "@/permissions/access.ts";
import { note, presenceOf } from "./board.ts";
import { presenceTimes } from "./schema.ts";

type ReadsNow = Pick<Ctx, "db" | "now">;

/** Notes that a user is at a client, whether or not others are to see it. */
export function noteSeen(ctx: ReadsNow, userId: number): void {
  note(ctx, userId, { now: ctx.now, isShown: false, isActive: false, isThere: true });
}

/** A bot, or somebody who was at a client in the last 14 days (API.md 8, `partial_subscribers`). */
export function isRecentlyActive(ctx: ReadsNow, userId: number): boolean {
  if (memberOf(ctx, userId).is_bot) return true;
  return presenceOf(ctx, userId).seen_at >= ctx.now - presenceTimes.historyDays * presenceTimes.day;
}
