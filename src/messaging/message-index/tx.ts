import type { Tx } from "@/kernel/core/context.ts";
import * as store from "./store.ts";

/** Queues messages for the index. Call it after changing their content, topic, conversation, sender or bits, and after deleting them. */
export function reindexMessages(tx: Tx, ids: readonly number[]): void {
  store.reindexMessages(tx, ids);
}

/** Indexes at most `max` messages that wait for it, oldest first, however long that takes. */
export function indexWaiting(tx: Tx, max: number): void {
  store.indexOldest(tx, max, Number.POSITIVE_INFINITY);
}

/** Merges segments of the index, writing about this many pages. Returns whether there was anything to merge. */
export function mergeIndex(tx: Tx, pages: number): boolean {
  return store.mergeSegments(tx, pages);
}
