import type { Tx } from "@/kernel/core/context.ts";
import { actingAs } from "@/kernel/core/operation.ts";
import { waitingTextOf } from "./present.ts";
import * as store from "./store.ts";

/**
 * Has the reminders of messages that were edited, or are about to be deleted, keep nothing of the earlier text. Renders nothing:
 * there may be a reminder for everybody.
 */
export function outdate(tx: Tx, messageIds: readonly number[]): void {
  store.setStale(tx, messageIds);
}

const maxRows = 100;
const maxMs = 2;

/** Quotes a message again in its next reminders, for a few milliseconds but at least one. */
export function renewNext(tx: Tx, { message_id, last_id }: store.Stale): void {
  const { clock } = tx.db;
  const rows = store.findRemindersOf(tx, message_id, { after: last_id, max: maxRows });
  const end = clock.steady() + maxMs;
  for (const row of rows) {
    const asOwner = actingAs(tx, { kind: "user", id: row.user_id, client: "Internal" });
    store.setText(tx, row.id, waitingTextOf(asOwner, row));
    store.setLastRenewed(tx, { message_id, last_id: row.id });
    if (clock.steady() >= end) return;
  }
  if (rows.length < maxRows) store.deleteStale(tx, message_id);
}
