import type { Tx } from "@/kernel/context.ts";
import * as store from "./store.ts";

/** Deletes the subscriptions of a deactivated user. */
export function forgetBrowsersOf(tx: Tx, userId: number): void {
  for (const { id } of store.subscriptionsByUser(tx).get(userId) ?? []) store.deleteSubscription(tx, id);
}
