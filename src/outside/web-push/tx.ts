import type { Tx } from "@/kernel/context.ts";
import * as store from "./store.ts";

/** Somebody who was deactivated gets no more notifications. */
export function forgetBrowsersOf(tx: Tx, userId: number): void {
  for (const { id } of store.subscriptionsByUser(tx).get(userId) ?? []) store.deleteSubscription(tx, id);
}
