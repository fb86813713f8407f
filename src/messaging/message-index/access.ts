import type { Reads } from "@/kernel/context.ts";
import type { Window } from "@/kernel/merge.ts";
import * as store from "./store.ts";

/** IDs of the messages in a block that have all of these tokens, ascending. */
export function idsWithTokens(reads: Reads, tokens: readonly string[], block: Window): number[] {
  return store.idsWithTokens(reads, tokens, block);
}
