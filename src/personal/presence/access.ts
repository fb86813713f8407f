import type { ReadsNow } from "@/kernel/context.ts";
import { updatedSince } from "./board.ts";
import { presenceTimes } from "./schema.ts";

/** How many people the process that clients tell of themselves knows to be there. */
export function countOnline(ctx: ReadsNow): number {
  const isLately = (at: number) => Math.abs(ctx.now - at) <= presenceTimes.offline;
  return [...updatedSince(ctx, -1)].filter(({ connected_at }) => isLately(connected_at)).length;
}
