import { z } from "zod";
import { domain } from "@/kernel/http/domain.ts";
import { endpoint } from "@/kernel/http/endpoint.ts";
import { messageHooks } from "@/messaging/messages/hooks.ts";
import { messageId, snapshot } from "@/messaging/messages/schema.ts";
import { getMessageHistory } from "./queries.ts";
import { deleteEdits } from "./store.ts";

export default domain({
  name: "message-history",
  about: "earlier versions of messages",
  hooks: [messageHooks.removed.register(deleteEdits)],
  endpoints: [
    endpoint("get-message-history", {
      about:
        "Returns the versions of a message, oldest first. The organization can disable this or show only moves. Of each message, the newest 200 changes are kept, or fewer if they are larger than 2 MB together.",
      method: "GET",
      path: "/messages/{message_id:[0-9]+}/history",
      params: { message_id: messageId, allow_empty_topic_name: z.boolean().default(false) },
      returns: { message_history: z.array(snapshot) },
      run: async (ctx, params) => ({ message_history: await getMessageHistory(ctx, params) }),
    }),
  ],
});
