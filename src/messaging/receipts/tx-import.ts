import type { Tx } from "@/kernel/core/context.ts";
import { flagBits, type Receipt } from "@/messaging/message-rows/schema.ts";
import type { Reception } from "@/places/subscriptions/hooks.ts";
import { markAllRead } from "./store-reception.ts";
import { setRareFlag } from "./tx-marks.ts";

/** Marks everything sent so far as read, without events. */
export function markImportedRead(tx: Tx, receptions: readonly Reception[]): void {
  markAllRead(tx, receptions);
}

/** Stars a message, without events. */
export function starImported(tx: Tx, userId: number, message: Receipt): void {
  setRareFlag(tx, userId, { rows: [message], bit: flagBits.starred, isSet: true });
}
