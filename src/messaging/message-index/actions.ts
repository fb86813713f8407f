import { allow } from "@/foundation/permissions/access.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { action, operation } from "@/kernel/core/operation.ts";
import * as store from "./store.ts";

/** At most this many messages and this much work in one transaction; smaller ones would make more segments to merge. */
const portion = { messages: 1_000, ms: 10 };
/** About ten milliseconds of work. */
const mergedPages = 32;

const indexPortion = action(allow.system, (tx): void => store.indexOldest(tx, portion.messages, portion.ms));
const mergePortion = action(allow.system, (tx): boolean => store.mergeSegments(tx, mergedPages));

/** Indexes all waiting messages in portions, and merges what they added, so that requests run in between. */
export const indexAll = operation(allow.system, async (ctx): Promise<void> => {
  while (store.hasUnindexed(ctx)) {
    await indexPortion(ctx);
    while (await mergePortion(ctx));
  }
});

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
