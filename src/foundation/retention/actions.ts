import type { Tx } from "@/kernel/core/context.ts";
import { graceOfRetention, isShorter, retentionState } from "./schema.ts";
import * as store from "./store.ts";

interface Change {
  /** 0 for the organization. */
  channelId: number;
  /** The days by which messages were swept before. */
  from: number;
  /** The days that are set from now on. */
  to: number;
}

/** A shorter retention waits a day; one that is as long as before ends the waiting. */
export function noteRetention(tx: Tx, { channelId, from, to }: Change): void {
  if (isShorter(to, from)) store.putHold(tx, { channelId, days: from, until: tx.now + graceOfRetention });
  else store.deleteHold(tx, channelId);
}

/** Ends the waiting. */
export function releaseRetention(tx: Tx, channelId: number): void {
  store.deleteHold(tx, channelId);
  if (channelId === 0) retentionState.write(tx, "released_at", tx.now);
}
