import type { SettingsChanged } from "@/foundation/user-settings/hooks.ts";
import type { Tx } from "@/kernel/context.ts";
import * as store from "./store.ts";

const period = "email_notifications_batching_period_seconds";

/** A new batching period applies to the mails that wait, too. */
export function putOffBatch(tx: Tx, { userId, before, now }: SettingsChanged): void {
  if (before[period] !== now[period]) store.setPeriod(tx, userId, now[period]);
}

/** Somebody who was deactivated gets no more mails. */
export function dropBatch(tx: Tx, userId: number): void {
  store.deleteBatch(tx, userId);
}
