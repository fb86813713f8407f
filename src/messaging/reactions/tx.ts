import type { Tx } from "@/kernel/context.ts";
import * as store from "./store.ts";

/** Deletes all reactions on messages that are about to be deleted. */
export function forgetReactions(tx: Tx, messageIds: readonly number[]): void {
  store.deleteReactions(tx, messageIds);
}
