import { z } from "zod";
import { domain } from "@/kernel/http/domain.ts";
import { endpoint } from "@/kernel/http/endpoint.ts";
import { historyDays, presenceTimes } from "@/personal/presence/schema.ts";
import { closeQueue, register } from "./actions.ts";
import { pollEvents } from "./queries.ts";
import { clientCapabilities, idleTimeout, includeSubscribers, queueNarrow } from "./schema.ts";

export default domain({
  name: "events",
  about: "`POST /register`, polling, ending a queue",
  endpoints: [
    endpoint("register-queue", {
      about:
        "Opens an event queue and returns the initial state. Both are taken at the same moment, so no event is lost between them. The queue ends once its client has not polled for `idle_queue_timeout` seconds, by default 600 and at most a week; phones send `mobile` and get twelve hours.",
      method: "POST",
      path: "/register",
      auth: "public",
      servedBy: "here",
      params: {
        apply_markdown: z.boolean().default(false),
        client_gravatar: z.boolean().optional(),
        include_subscribers: includeSubscribers.default("false"),
        all_public_streams: z.boolean().optional(),
        slim_presence: z.boolean().default(false),
        presence_history_limit_days: historyDays.default(presenceTimes.historyDays),
        event_types: z.array(z.string()).nullish(),
        fetch_event_types: z.array(z.string()).nullish(),
        client_capabilities: clientCapabilities.default({}),
        narrow: queueNarrow.optional(),
        idle_queue_timeout: idleTimeout.optional(),
      },
      returns: {
        queue_id: z.string().nullable(),
        last_event_id: z.int(),
        idle_queue_timeout_secs: z.int().optional(),
      },
      run: (ctx, params) => register(ctx, params),
    }),
    endpoint("get-events", {
      about:
        "Returns the events after `last_event_id`. Without any, waits for the next one. A queue that has ended answers `BAD_EVENT_QUEUE_ID`: the client registers again.",
      method: "GET",
      path: "/events",
      // Not rate limited: how often a client polls depends on other users' activity, and a poll costs next to nothing.
      isFree: true,
      isUnattended: true,
      params: {
        queue_id: z.string(),
        last_event_id: z.int().optional(),
        dont_block: z.boolean().default(false),
      },
      run: (ctx, params, { onHangUp }) => pollEvents(ctx, { ...params, onHangUp }),
    }),
    endpoint("delete-queue", {
      about: "Ends an event queue of the caller.",
      method: "DELETE",
      path: "/events",
      params: { queue_id: z.string() },
      run: async (ctx, { queue_id }) => {
        await closeQueue(ctx, queue_id);
      },
    }),
  ],
});
