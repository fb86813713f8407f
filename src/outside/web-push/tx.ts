import type { Tx } from "@/kernel/core/context.ts";
import * as store from "./store.ts";

/** Deletes the subscriptions of a deactivated user. */
export function forgetBrowsersOf(tx: Tx, userId: number): void {
  for (const { id } of store.subscriptionsOf(tx, userId)) store.deleteSubscription(tx, id);
}

/**
 * Deletes the subscriptions of a user that were made with these API keys: others who knew one must get nothing any more. Those
 * for which no key was noted may have been made with any.
 */
export function forgetBrowsersByKey(
  tx: Tx,
  { userId, keyIds }: { userId: number; keyIds: readonly number[] },
): void {
  for (const { id, session_id, key_id } of store.subscriptionsOf(tx, userId)) {
    if (session_id === null && (key_id === null || keyIds.includes(key_id))) store.deleteSubscription(tx, id);
  }
}
