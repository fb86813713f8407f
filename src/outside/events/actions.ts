import { allow, me } from "@/foundation/permissions/access.ts";
import { noteHere } from "@/foundation/user-activity/access.ts";
import { to } from "@/kernel/core/events.ts";
import { action, operation } from "@/kernel/core/operation.ts";
import { readEarly } from "@/kernel/events/state.ts";
import { queueKeeper } from "./host.ts";
import { ownOpening } from "./queries.ts";
import { openQueue, type QueueRegistration, registerSpectator, requestOfMember } from "./registration.ts";
import { queueEnded } from "./schema.ts";

/** Opens a queue and returns the initial state of the same moment, so that no event is lost in between. */
export const register = operation(
  allow.viewer,
  async (ctx, given: QueueRegistration): Promise<Record<string, unknown>> => {
    if (ctx.actor.kind === "anonymous") return registerSpectator(ctx, given);
    const { request } = requestOfMember(ctx, given);
    noteHere(ctx, me(ctx).id); // before anything is read: the client counts itself among the active subscribers
    const early = await readEarly(ctx, request);
    const { kept, answer } = openQueue(ctx, { given, early });
    if (kept) await kept;
    return answer;
  },
);

/** Ends a queue of the actor; in a cluster, through the log, so that no node continues it. */
export const closeQueue = operation(allow.user, async (ctx, queueId: string): Promise<void> => {
  const { queues } = ctx.env;
  const keeper = queueKeeper(ctx);
  if (!keeper) return queues.close(queues.find(queueId, me(ctx).id));
  if (queues.all.has(queueId)) queues.find(queueId, me(ctx).id);
  else await ownOpening(ctx, queueId);
  await endEverywhere(ctx, queueId);
});

const endEverywhere = action(allow.user, (tx, queue_id: string) => {
  tx.emit(queueEnded, to(), { queue_id });
});
