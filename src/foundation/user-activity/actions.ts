import { memberOf } from "@/foundation/permissions/access.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { dayOf } from "./access.ts";
import * as store from "./store.ts";

/** Records that a person is active; written once a day for each. Bots always count as present and are not recorded. */
export function noteActivity(tx: Tx, userId: number): void {
  const today = dayOf(tx.now);
  if (memberOf(tx, userId).is_bot || store.lastDayOf(tx, userId) === today) return;
  store.setLastDay(tx, userId, today);
}

/** Deletes at most `max` rows when somebody is erased: a person's last active day. Returns how many. */
export function forgetSomeActivity(tx: Tx, userId: number, max: number): number {
  return store.deleteSomeActivity(tx, userId, max);
}
