import { me } from "@/foundation/permissions/access.ts";
import type { Ctx, Reads } from "@/kernel/core/context.ts";
import { fail } from "@/kernel/lib/errors.ts";
import type { ScheduledRow } from "./store.ts";
import * as store from "./store.ts";

/** One of the actor's undelivered scheduled messages. */
export function scheduledMessageFor(ctx: Ctx, id: number): ScheduledRow {
  const row = store.findScheduled(ctx, id);
  return row?.sender_id === me(ctx).id ? row : fail("MISSING", "Scheduled message does not exist");
}

/** Checks that a delivery time lies in the future, and returns it. */
export function timeToCome(ctx: Ctx, time: number): number {
  return time > ctx.now ? time : fail("BAD_REQUEST", "Scheduled delivery time must be in the future.");
}

/** Whether an undelivered scheduled message of this user contains the text. */
export function isInScheduled(reads: Reads, senderId: number, text: string): boolean {
  return store.isNamedInScheduled(reads, senderId, text);
}

/** How many scheduled messages a person has. */
export function countScheduledOf(reads: Reads, userId: number): number {
  return store.countScheduled(reads, userId);
}
