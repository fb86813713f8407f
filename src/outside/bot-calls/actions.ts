import { allow } from "@/foundation/permissions/access.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { action, operation } from "@/kernel/core/operation.ts";
import { keeping } from "./schema.ts";
import type { NewCall } from "./store.ts";
import * as store from "./store.ts";

type GivenCall = Pick<NewCall, "bot_id" | "direction" | "about" | "outcome"> & Partial<NewCall>;

/** Keeps for a day what became of a call. */
export function recordCall(tx: Tx, call: GivenCall): void {
  const { reason = null, message_id = null, is_test = false } = call;
  store.insertCall(tx, {
    ...call,
    about: call.about.slice(0, keeping.maxAbout),
    reason: reason === null ? null : reason.slice(0, keeping.maxReason),
    message_id,
    is_test,
  });
}

/** The same for a call to the actor, who is a bot, that led to no other change. */
export const noteCallToSelf = action(
  allow.sender,
  (tx, call: Omit<GivenCall, "bot_id" | "direction">): void =>
    recordCall(tx, { ...call, bot_id: tx.actor.id, direction: "in" }),
);

/** Deletes the calls that are too old. */
export const sweepCalls = operation(allow.system, async (ctx): Promise<void> => {
  while (store.hasOld(ctx, ctx.db.clock.now())) await deleteSome(ctx);
});

const deletedAtOnce = 500;

const deleteSome = action(allow.system, (tx): void => store.deleteOld(tx, deletedAtOnce));
