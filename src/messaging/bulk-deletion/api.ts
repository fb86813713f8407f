import { z } from "zod";
import { expiring, retentionWaits } from "@/foundation/retention/schema.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { domain } from "@/kernel/http/domain.ts";
import { endpoint } from "@/kernel/http/endpoint.ts";
import type { LogFields } from "@/kernel/lib/log.ts";
import { nextOf } from "@/messaging/background-jobs/hooks.ts";
import { continueDeletion, deleteTopic, sweepNow } from "./actions.ts";
import { countExpiring, listWaits } from "./queries.ts";
import { deleteExpired } from "./retention.ts";

/** Returns what to log. */
async function sweep(ctx: Ctx): Promise<LogFields | undefined> {
  const swept = await deleteExpired(ctx);
  return swept ? { messages: swept.messages, files: swept.files } : undefined;
}

export default domain({
  name: "bulk-deletion",
  about: "deleting many messages: whole topics, and what retention ends; counting that before",
  jobs: [{ name: "retention", everySeconds: 3600, run: sweep }],
  hooks: [nextOf.deletion.register(continueDeletion)],
  endpoints: [
    endpoint("get-retention-waits", {
      about:
        "Lists where a shorter retention still waits until it deletes, with the days by which messages are kept until then. `stream_id` is null for the organization. Until `paused_until`, nothing is deleted, because of an import or a restored backup. Owners only.",
      method: "GET",
      path: "/retention",
      returns: retentionWaits.shape,
      run: (ctx) => listWaits(ctx),
    }),
    endpoint("count-expiring", {
      about:
        "Counts what a shorter retention would delete: messages, and files that no other message links to, which stay with their owners; and when the oldest message was sent. Without `stream_id`, for the organization: its direct messages, and the channels without a retention of their own. Owners only.",
      method: "GET",
      path: "/retention/expiring",
      params: { stream_id: z.int().optional(), days: z.int() },
      returns: expiring.shape,
      run: (ctx, { stream_id, days }) => countExpiring(ctx, { channel_id: stream_id ?? null, days }),
    }),
    endpoint("sweep-now", {
      about:
        "Ends the day that a shorter retention of a channel or, without `stream_id`, of the organization waits until it deletes. The next sweep, within an hour, deletes what is older. Owners only.",
      method: "POST",
      path: "/retention/sweep",
      params: { stream_id: z.int().optional() },
      run: (ctx, { stream_id }) => sweepNow(ctx, stream_id ?? null),
    }),
    endpoint("delete-topic", {
      about:
        "Deletes a topic's messages, newest first. If that takes longer than 50 seconds, `complete` is false: the server goes on, and the client repeats the request to wait for the rest.",
      method: "POST",
      path: "/streams/{stream_id:[0-9]+}/delete_topic",
      params: { stream_id: z.int(), topic_name: z.string() },
      returns: { complete: z.boolean() },
      keeps: "results",
      run: (ctx, { stream_id, topic_name }) =>
        deleteTopic(ctx, { channel_id: stream_id, topic: topic_name.trim() }),
    }),
  ],
});
