import type { Tx } from "@/kernel/core/context.ts";
import type { MuteSpan } from "./schema.ts";
import * as store from "./store.ts";

/** Has a user mute another from a message on. */
export function beginSpan(tx: Tx, span: Pick<MuteSpan, "user_id" | "muted_user_id" | "from_id">): void {
  store.insertSpan(tx, span);
}

/** Ends a span with a message. */
export function endSpan(tx: Tx, span: MuteSpan, toId: number): void {
  store.closeSpan(tx, span, toId);
}

/** Lets a span begin later, once what is before has marks. */
export function advanceSpan(tx: Tx, span: MuteSpan, fromId: number): void {
  store.advanceSpan(tx, span, fromId);
}

/** Part of erasing a person: deletes at most `max` records of the users they muted. Returns how many it deleted. */
export function forgetSomeMuteSpans(tx: Tx, userId: number, max: number): number {
  return store.deleteSomeMuteSpans(tx, userId, max);
}
