import type { Tx } from "@/kernel/context.ts";
import * as store from "./store.ts";

/** Deletes the subscriptions of a deactivated user. */
export function forgetBrowsersOf(tx: Tx, userId: number): void {
  for (const { id } of store.subscriptionsOf(tx, userId)) store.deleteSubscription(tx, id);
}

/** Deletes the subscriptions that were made with an API key of a user: whoever knew it must get nothing any more. */
export function forgetBrowsersByKey(tx: Tx, userId: number): void {
  for (const { id, session_id } of store.subscriptionsOf(tx, userId)) {
    if (session_id === null) store.deleteSubscription(tx, id);
  }
}
