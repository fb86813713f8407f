import { z } from "zod";
import { domain } from "@/kernel/http/domain.ts";
import { endpoint } from "@/kernel/http/endpoint.ts";
import { also } from "@/kernel/http/wire.ts";
import { nextOf } from "@/messaging/background-jobs/hooks.ts";
import { messageId } from "@/messaging/messages/schema.ts";
import { attachment } from "@/messaging/uploads/schema.ts";
import { updateMessage } from "./actions.ts";
import { continueMove } from "./actions-moving.ts";
import { propagateMode } from "./schema.ts";

export default domain({
  name: "message-edits",
  hooks: [nextOf.move.register(continueMove)],
  endpoints: [
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
      keeps: "results",
      run: async (ctx, { stream_id: channel_id, ...params }) => ({
        detached_uploads: await updateMessage(ctx, { ...params, channel_id }),
      }),
    }),
  ],
});
