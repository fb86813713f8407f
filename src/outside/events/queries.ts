import { allow, me } from "@/foundation/permissions/access.ts";
import { fail } from "@/kernel/errors.ts";
import type { Bytes } from "@/kernel/long-answers.ts";
import { query } from "@/kernel/operation.ts";

export interface Poll {
  queue_id: string;
  last_event_id?: number;
  dont_block: boolean;
}

/** The response to a poll as JSON: immediately if there are events, otherwise when the first arrives. */
export const pollEvents = query(
  allow.user,
  (ctx, input: Poll & { onHangUp: (listener: () => void) => void }): Bytes | Promise<Bytes> => {
    const { queues } = ctx.env;
    const queue = queues.find(input.queue_id, me(ctx).id);
    if (input.last_event_id === undefined) {
      fail("REQUEST_VARIABLE_MISSING", "Missing 'last_event_id' argument", { var_name: "last_event_id" });
    }
    return queues.poll(queue, input.last_event_id, input.dont_block, input.onHangUp);
  },
);

export const closeQueue = query(allow.user, (ctx, queueId: string): void => {
  const { queues } = ctx.env;
  queues.close(queues.find(queueId, me(ctx).id));
});
