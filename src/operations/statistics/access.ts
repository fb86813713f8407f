import type { Reads } from "@/kernel/core/context.ts";
import { countingState, countSeconds } from "./schema.ts";

/** When to count next, in UNIX seconds. */
export function countDueAt(reads: Reads): number {
  const { counted_at } = countingState.read(reads);
  return counted_at === 0 ? 0 : counted_at + countSeconds;
}
