import { allow, memberOf } from "@/foundation/permissions/access.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { action } from "@/kernel/core/operation.ts";
import { dayOf } from "./access.ts";
import * as store from "./store.ts";

/** Records that a person is active; written once a day for each. Bots always count as present and are not recorded. */
export function noteActivity(tx: Tx, userId: number): void {
  const today = dayOf(tx.now);
  if (memberOf(tx, userId).is_bot || store.lastDayOf(tx, userId) === today) return;
  store.setLastDay(tx, userId, today);
  store.addToDay(tx, today);
}

/** Stores how many people were active in the last seven days. */
export const countWeek = action(allow.system, (tx): void => store.setWeek(tx, dayOf(tx.now)));

/** Part of erasing a person: deletes their last active day, at most `max`. Returns how many it deleted. */
export function forgetSomeActivity(tx: Tx, userId: number, max: number): number {
  return store.deleteSomeActivity(tx, userId, max);
}
