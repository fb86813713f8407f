import { z } from "zod";
import { domain } from "@/kernel/http/domain.ts";
import { endpoint } from "@/kernel/http/endpoint.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { messageId, messageType } from "@/messaging/messages/schema.ts";
import { sentence } from "@/text/language/tables.ts";
import { typeEdit, typeInChannel, typeToPeople } from "./actions.ts";
import { typingOp } from "./schema.ts";

/** For parameters that only one kind of typing needs. */
function requireValue<T>(name: string, value: T | undefined): T {
  return (
    value ??
    fail("REQUEST_VARIABLE_MISSING", sentence("Missing ''{name}'' argument", { name }), { var_name: name })
  );
}

export default domain({
  name: "typing",
  about: "typing notices, which are not stored",
  endpoints: [
    endpoint("set-typing-status", {
      about: "Tells other clients that the caller has started or stopped typing to a topic or to people.",
      method: "POST",
      path: "/typing",
      servedBy: "here",
      params: {
        op: typingOp,
        type: messageType.default("direct"),
        to: z.array(z.int()).max(1000).optional(),
        stream_id: z.int().optional(),
        topic: z.string().optional(),
      },
      run: async (ctx, { op, type, to, stream_id, topic }) => {
        if (type === "direct") await typeToPeople(ctx, { op, to: requireValue("to", to) });
        else {
          const channel_id = requireValue("stream_id", stream_id);
          await typeInChannel(ctx, { op, channel_id, topic: requireValue("topic", topic) });
        }
      },
    }),
    endpoint("set-typing-status-for-message-edit", {
      about: "Tells other clients that the caller has started or stopped editing a message.",
      method: "POST",
      path: "/messages/{message_id:[0-9]+}/typing",
      servedBy: "here",
      params: { message_id: messageId, op: typingOp },
      run: (ctx, params) => typeEdit(ctx, params),
    }),
  ],
});
