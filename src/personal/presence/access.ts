import type { Reads, ReadsNow } from "@/kernel/core/context.ts";
import { listUpdatedSince, presenceOf } from "./board.ts";
import { presenceTimes } from "./schema.ts";

/** The number of users online, as far as this process knows. Only the serving process knows it. */
export function countOnline(ctx: ReadsNow): number {
  const isLately = (at: number) => Math.abs(ctx.now - at) <= presenceTimes.offline;
  return [...listUpdatedSince(ctx, -1)].filter(({ connected_at }) => isLately(connected_at)).length;
}

/** When a user was last active, in UNIX seconds, as far as this process knows; 0 for never. */
export function lastActiveAt(reads: Reads, userId: number): number {
  return presenceOf(reads, userId).active_at;
}
