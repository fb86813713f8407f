import { z } from "zod";
import { domain } from "@/kernel/domain.ts";
import { endpoint } from "@/kernel/endpoint.ts";
import { nextOf } from "@/messaging/topic-work/hooks.ts";
import { deleteTopic } from "./actions.ts";
import { deleteExpired } from "./retention.ts";
import { continueDeletion } from "./tx.ts";

export default domain({
  name: "bulk-deletion",
  jobs: [{ name: "retention", everySeconds: 900, run: deleteExpired }],
  hooks: [nextOf.deletion.register(continueDeletion)],
  endpoints: [
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
