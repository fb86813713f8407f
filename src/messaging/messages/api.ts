import { z } from "zod";
import { renderText, sendNotice } from "@/foundation/realm/hooks.ts";
import { domain } from "@/kernel/http/domain.ts";
import { endpoint } from "@/kernel/http/endpoint.ts";
import { also, bare } from "@/kernel/http/wire.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { propagateMode } from "@/messaging/message-edits/schema.ts";
import { continueMove } from "@/messaging/message-moves/tx-moving.ts";
import { renderContent } from "@/messaging/message-pages/queries.ts";
import { nextOf } from "@/messaging/topic-work/hooks.ts";
import { attachment } from "@/messaging/uploads/schema.ts";
import { channelHooks } from "@/places/channels/hooks.ts";
import { visibilityPolicy } from "@/places/user-topics/schema.ts";
import { hasNamedTopics, keptFirstMessages } from "./access.ts";
import { deleteMessage, type NewMessageInput, sendMessage, updateMessage } from "./actions.ts";
import { renderPlainText } from "./lookup.ts";
import { addressees, messageId, messageType } from "./schema.ts";
import { postNotice } from "./tx-notices.ts";

interface SendParams {
  type: "channel" | "direct";
  to: NewMessageInput["to"];
  content: string;
  topic?: string;
  queue_id?: string;
  local_id?: string;
  read_by_sender?: boolean;
}

/** The local echo needs both `queue_id` and `local_id`. A `local_id` alone has no effect. */
function inputOf({ queue_id, local_id, ...input }: SendParams): NewMessageInput {
  if (queue_id === undefined) return input;
  if (local_id === undefined) {
    fail("REQUEST_VARIABLE_MISSING", "Missing 'local_id' argument", { var_name: "local_id" });
  }
  return { ...input, echo: { queue_id, local_id } };
}

export default domain({
  name: "messages",
  hooks: [
    channelHooks.firstMessagesOf.register(keptFirstMessages),
    channelHooks.hasNamedTopics.register(hasNamedTopics),
    sendNotice.register(postNotice),
    renderText.register(renderPlainText),
    nextOf.move.register(continueMove),
  ],
  endpoints: [
    endpoint("send-message", {
      about:
        "Sends a message to a channel's topic or to users. The message is stored on disk before the answer is sent.",
      method: "POST",
      path: "/messages",
      params: {
        type: messageType,
        to: bare(addressees),
        content: z.string(),
        topic: also(z.string().optional(), "subject"),
        queue_id: z.string().optional(),
        local_id: z.string().optional(),
        read_by_sender: z.boolean().optional(),
      },
      returns: { id: messageId, automatic_new_visibility_policy: visibilityPolicy.optional() },
      keeps: "results",
      run: (ctx, params) => sendMessage(ctx, inputOf(params)),
    }),
    endpoint("delete-message", {
      about:
        "Deletes a message for everyone. The settings of the organization and the channel decide who may do so, and for how long.",
      method: "DELETE",
      path: "/messages/{message_id:[0-9]+}",
      params: { message_id: messageId },
      run: (ctx, params) => deleteMessage(ctx, params.message_id),
    }),
    endpoint("render-message", {
      about: "Returns the HTML that a message with this content would have. Does not send or store anything.",
      method: "POST",
      path: "/messages/render",
      servedBy: "here",
      params: { content: z.string() },
      returns: { rendered: z.string() },
      run: (ctx, params) => ({ rendered: renderContent(ctx, params.content) }),
    }),

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
