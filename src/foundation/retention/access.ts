// For how long messages are kept in fact: a retention that was shortened deletes a day later, so that it can be taken back.

import { realmSettings } from "@/foundation/realm/schema.ts";
import type { Reads, ReadsNow } from "@/kernel/core/context.ts";
import { graceOfRetention, longerOf, type RetentionWaits, retentionState } from "./schema.ts";
import * as store from "./store.ts";

/** The days by which the organization's messages are swept; negative for ever. */
export function sweepDaysOf(reads: ReadsNow): number {
  const { message_retention_days: days } = realmSettings.read(reads);
  return longerOf(days, store.findHold(reads, 0) ?? days);
}

/** The days by which a channel's messages are swept. */
export function sweepDaysOfChannel(
  reads: ReadsNow,
  { id, message_retention_days: own }: { id: number; message_retention_days: number | null },
): number {
  const days = own ?? sweepDaysOf(reads);
  return longerOf(days, store.findHold(reads, id) ?? days);
}

/** Whether nothing is swept for now: much may have come at once that is older than what is kept here. */
export function isPaused(reads: ReadsNow): boolean {
  return pausedUntil(reads) !== null;
}

/** When the organization last got history from elsewhere: by an import, or from a backup; 0 if never. */
export function lastArrival(reads: Reads): number {
  return store.findArrival(reads);
}

function pausedUntil(reads: ReadsNow): number | null {
  const arrival = lastArrival(reads);
  const until = arrival + graceOfRetention;
  return until > reads.now && retentionState.read(reads).released_at < arrival ? until : null;
}

/** What deletes later than it is set to. */
export function waitsOf(reads: ReadsNow): RetentionWaits {
  return {
    paused_until: pausedUntil(reads),
    holds: store
      .listHolds(reads)
      .map(({ channelId, days, until }) => ({ stream_id: channelId === 0 ? null : channelId, days, until })),
  };
}
