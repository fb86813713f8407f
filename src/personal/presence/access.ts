import type { ReadsNow } from "@/kernel/context.ts";
import { updatedSince } from "./board.ts";
import { presenceTimes } from "./schema.ts";

/** The number of users online, as far as this process knows. Only the serving process knows it. */
export function countOnline(ctx: ReadsNow): number {
  const isLately = (at: number) => Math.abs(ctx.now - at) <= presenceTimes.offline;
  return [...updatedSince(ctx, -1)].filter(({ connected_at }) => isLately(connected_at)).length;
}
