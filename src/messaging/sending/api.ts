import { z } from "zod";
import { renderText, sendNotice } from "@/foundation/realm/hooks.ts";
import { domain } from "@/kernel/http/domain.ts";
import { endpoint } from "@/kernel/http/endpoint.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { messageId } from "@/messaging/messages/schema.ts";
import { visibilityPolicy } from "@/places/user-topics/schema.ts";
import { deleteExpiredKeys, type NewMessageInput, sendMessage } from "./actions.ts";
import { postNotice } from "./actions-posting.ts";
import { renderPlainText } from "./lookup.ts";
import { renderContent } from "./queries.ts";
import { idempotencyKey, isIdempotencyKey, type NewMessage, newMessage } from "./schema.ts";

/** A `local_id` alone has no effect. */
function inputOf({ queue_id, local_id, ...given }: NewMessage, header: string | undefined): NewMessageInput {
  const input: NewMessageInput = given;
  if (header !== undefined) input.idempotency_key = checkKey(header);
  if (queue_id === undefined) return input;
  if (local_id === undefined) {
    fail("REQUEST_VARIABLE_MISSING", "Missing 'local_id' argument", { var_name: "local_id" });
  }
  return { ...input, echo: { queue_id, local_id } };
}

function checkKey(header: string): string {
  if (isIdempotencyKey(header)) return header;
  return fail("BAD_REQUEST", "Idempotency-Key must be 1 to 255 visible ASCII characters, without spaces");
}

export default domain({
  name: "sending",
  about: "sending messages: recipients, rendering, mentions; notices and imported messages",
  hooks: [sendNotice.register(postNotice), renderText.register(renderPlainText)],
  jobs: [{ name: "expired-idempotency-keys", everySeconds: 3600, run: deleteExpiredKeys }],
  endpoints: [
    endpoint("send-message", {
      about:
        "Sends a message to a channel's topic or to users. The message is stored on disk before the answer is sent. With the header `Idempotency-Key`, a value of the client's choice for this one message, a client that got no answer may send the same request again, to any node and also after a restart: for a day, it gets the answer of the first one, and nothing is sent twice. `IDEMPOTENCY_KEY_REUSED` says that the sender has used the key for another message. A send that was refused leaves no key.",
      method: "POST",
      path: "/messages",
      headers: { "Idempotency-Key": idempotencyKey },
      params: newMessage.shape,
      returns: { id: messageId, automatic_new_visibility_policy: visibilityPolicy.optional() },
      keeps: "results",
      run: (ctx, params, request) => sendMessage(ctx, inputOf(params, request.header("idempotency-key"))),
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
