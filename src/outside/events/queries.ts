import { allow, me } from "@/foundation/permissions/access.ts";
import type { Ctx, StateRequest } from "@/kernel/core/context.ts";
import { query } from "@/kernel/core/operation.ts";
import type { EventQueue } from "@/kernel/core/queue-types.ts";
import { AppError, fail } from "@/kernel/lib/errors.ts";
import type { JsonAnswer } from "@/kernel/lib/long-answers.ts";
import { baseOf } from "@/kernel/store/event-ids.ts";
import { sentence } from "@/text/language/tables.ts";
import { type QueueKeeper, queueKeeper } from "./host.ts";
import { type QueueRegistration, reopenQueue, requestOfMember } from "./registration.ts";
import type { Opening } from "./schema.ts";

export interface Poll {
  queue_id: string;
  last_event_id?: number;
  dont_block: boolean;
}

type PollInput = Poll & { onHangUp: (listener: () => void) => void };

/** The response to a poll: immediately if there are events, otherwise when the first arrives. */
export const pollEvents = query(allow.user, (ctx, input: PollInput): JsonAnswer | Promise<JsonAnswer> => {
  const keeper = queueKeeper(ctx);
  return keeper ? pollOnNode(ctx, keeper, input) : poll(ctx, input);
});

function poll(ctx: Ctx, input: PollInput): JsonAnswer | Promise<JsonAnswer> {
  const { queues } = ctx.env;
  const queue = queues.find(input.queue_id, me(ctx).id);
  return queues.poll(queue, lastOf(input), input.dont_block, input.onHangUp);
}

function lastOf({ last_event_id }: Poll): number {
  if (last_event_id !== undefined) return last_event_id;
  return fail("REQUEST_VARIABLE_MISSING", "Missing 'last_event_id' argument", { var_name: "last_event_id" });
}

/** Every node can answer any poll: it reads events that it lacks from the log. */
async function pollOnNode(ctx: Ctx, keeper: QueueKeeper, input: PollInput): Promise<JsonAnswer> {
  const { queues } = ctx.env;
  const { queue_id } = input;
  if (queues.all.has(queue_id)) {
    await arriveAt(ctx, keeper, queues.find(queue_id, me(ctx).id).base + lastOf(input));
  } else await goOn(ctx, keeper, input);
  return poll(ctx, input);
}

/** The client may come from a node that was further ahead, and have events that this one has yet to apply. */
async function arriveAt({ env: { queues } }: Ctx, keeper: QueueKeeper, id: number): Promise<boolean> {
  if (!queues.reaches(id)) await keeper.catchUp();
  return queues.reaches(id);
}

async function goOn(ctx: Ctx, keeper: QueueKeeper, input: PollInput): Promise<void> {
  const { queue_id: id } = input;
  const opening = await ownOpening(ctx, id);
  const last = Math.max(-1, lastOf(input));
  if (!(await arriveAt(ctx, keeper, Math.max(opening.start - 1, baseOf(opening.start) + last)))) {
    fail("BAD_REQUEST", sentence("Event {id} was not in this queue", { id: String(last) }));
  }
  await keeper.reachBack(Math.max(opening.start, baseOf(opening.start) + last + 1));
  const { past } = keeper;
  const queue = await reopenQueue(ctx, { id, last, opening, past }).catch(unlessRefused);
  if (!queue) noQueue(id);
}

/** How another node opened this queue of the actor; throws BAD_EVENT_QUEUE_ID if there is no such queue. */
export async function ownOpening(ctx: Ctx, queueId: string): Promise<Opening> {
  return (await queueKeeper(ctx)?.find(queueId, me(ctx).id)) ?? noQueue(queueId);
}

/** The client may have lost the right to what it once asked for: then it must register again. */
function unlessRefused(error: unknown): EventQueue | null {
  if (error instanceof AppError) return null;
  throw error;
}

function noQueue(id: string): never {
  return fail("BAD_EVENT_QUEUE_ID", sentence("Bad event queue ID: {id}", { id }), { queue_id: id });
}

/** What `register` would read for this registration, which opens no queue. */
export const requestFor = query(
  allow.user,
  (ctx, given: QueueRegistration): StateRequest => requestOfMember(ctx, given).request,
);
