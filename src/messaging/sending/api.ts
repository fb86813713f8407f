import { z } from "zod";
import { renderText, sendNotice } from "@/foundation/realm/hooks.ts";
import { domain } from "@/kernel/http/domain.ts";
import { endpoint } from "@/kernel/http/endpoint.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { messageId } from "@/messaging/messages/schema.ts";
import { visibilityPolicy } from "@/places/user-topics/schema.ts";
import { type NewMessageInput, sendMessage } from "./actions.ts";
import { postNotice } from "./actions-posting.ts";
import { renderPlainText } from "./lookup.ts";
import { renderContent } from "./queries.ts";
import { type NewMessage, newMessage } from "./schema.ts";

/** A `local_id` alone has no effect. */
function inputOf({ queue_id, local_id, ...input }: NewMessage): NewMessageInput {
  if (queue_id === undefined) return input;
  if (local_id === undefined) {
    fail("REQUEST_VARIABLE_MISSING", "Missing 'local_id' argument", { var_name: "local_id" });
  }
  return { ...input, echo: { queue_id, local_id } };
}

export default domain({
  name: "sending",
  about: "sending messages: recipients, rendering, mentions; notices and imported messages",
  hooks: [sendNotice.register(postNotice), renderText.register(renderPlainText)],
  endpoints: [
    endpoint("send-message", {
      about:
        "Sends a message to a channel's topic or to users. The message is stored on disk before the answer is sent.",
      method: "POST",
      path: "/messages",
      params: newMessage.shape,
      returns: { id: messageId, automatic_new_visibility_policy: visibilityPolicy.optional() },
      keeps: "results",
      run: (ctx, params) => sendMessage(ctx, inputOf(params)),
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
  ],
});
