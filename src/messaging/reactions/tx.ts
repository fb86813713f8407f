import type { Emoji } from "@/foundation/emoji/schema.ts";
import type { Tx } from "@/kernel/core/context.ts";
import * as store from "./store.ts";

/** Deletes all reactions on messages that are about to be deleted. */
export function forgetReactions(tx: Tx, messageIds: readonly number[]): void {
  store.deleteReactions(tx, messageIds);
}

/** Adds an imported reaction, at the transaction's time, without events. */
export function addImportedReaction(
  tx: Tx,
  reaction: { messageId: number; userId: number; emoji: Emoji },
): void {
  store.insertReaction(tx, reaction.messageId, reaction.userId, reaction.emoji);
}
