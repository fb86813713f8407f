import type { SettingsChanged } from "@/foundation/user-settings/hooks.ts";
import type { Tx } from "@/kernel/core/context.ts";
import * as store from "./store.ts";

const period = "email_notifications_batching_period_seconds";

/** Applies a new batching period to queued mails. */
export function putOffBatch(tx: Tx, { userId, before, now }: SettingsChanged): void {
  if (before[period] !== now[period]) store.setPeriod(tx, userId, now[period]);
}

/** Deletes the queued mails of a deactivated user. */
export function dropBatch(tx: Tx, userId: number): void {
  store.deleteBatch(tx, userId);
}
