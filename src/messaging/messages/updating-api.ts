import { z } from "zod";
import { type Endpoint, endpoint } from "@/kernel/endpoint.ts";
import { also } from "@/kernel/wire.ts";
import { getMessageHistory } from "@/messaging/message-history/queries.ts";
import { attachment } from "@/messaging/uploads/schema.ts";
import { updateMessage } from "./actions.ts";
import { messageId, snapshot } from "./schema.ts";
import { propagateMode } from "./update-event.ts";

export const updatingEndpoints: Endpoint[] = [
  endpoint("update-message", {
    about:
      "Changes a message's content, or moves it, alone or with others, to another topic or channel. Makes all of the given changes or none.",
    method: "PATCH",
    path: "/messages/{message_id:[0-9]+}",
    params: {
      message_id: messageId,
      topic: also(z.string().optional(), "subject"),
      stream_id: z.int().optional(),
      content: z.string().optional(),
      propagate_mode: propagateMode.default("change_one"),
      send_notification_to_old_thread: z.boolean().default(false),
      send_notification_to_new_thread: z.boolean().default(true),
      prev_content_sha256: z
        .string()
        .regex(/^[0-9a-f]{64}$/i, "The hash of a message's content must have 64 hexadecimal digits.")
        .optional(),
    },
    returns: { detached_uploads: z.array(attachment) },
    run: async (ctx, { stream_id: channel_id, ...params }) => ({
      detached_uploads: await updateMessage(ctx, { ...params, channel_id }),
    }),
  }),
  endpoint("get-message-history", {
    about:
      "Returns the versions of a message, oldest first. The organization can disable this or show only moves.",
    method: "GET",
    path: "/messages/{message_id:[0-9]+}/history",
    params: { message_id: messageId, allow_empty_topic_name: z.boolean().default(false) },
    returns: { message_history: z.array(snapshot) },
    run: async (ctx, params) => ({ message_history: await getMessageHistory(ctx, params) }),
  }),
];
