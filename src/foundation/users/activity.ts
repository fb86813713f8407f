// Who has been here lately, by the day. Whatever shows that a person is here notes it: sending a message, opening a
// client, being active at one.

import { memberOf } from "@/foundation/permissions/access.ts";
import type { Ctx, Tx } from "@/kernel/context.ts";
import * as store from "./store-activity.ts";

const daySeconds = 86_400;

const dayOf = (seconds: number) => Math.floor(seconds / daySeconds);

/** Notes that a person is here; written once a day for each. Bots, which always count as present, need no note. */
export function noteActivity(tx: Tx, userId: number): void {
  const today = dayOf(tx.now);
  if (memberOf(tx, userId).is_bot || store.lastDayOf(tx, userId) === today) return;
  store.setLastDay(tx, userId, today);
}

/** Everyone who was here in the last `days` days, and all bots; shared, so never to be changed. */
export function presentWithin(ctx: Pick<Ctx, "db" | "now">, days: number): ReadonlySet<number> {
  return store.findPresentSince(ctx, dayOf(ctx.now) - days);
}
