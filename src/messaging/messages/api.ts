import { domain } from "@/kernel/http/domain.ts";
import { endpoint } from "@/kernel/http/endpoint.ts";
import { channelHooks } from "@/places/channels/hooks.ts";
import { cachedFirstMessagesOf, hasNamedTopics } from "./access.ts";
import { deleteMessage } from "./actions.ts";
import { messageId } from "./schema.ts";

export default domain({
  name: "messages",
  about: "messages as clients read them, who may read them, deleting them",
  hooks: [
    channelHooks.firstMessagesOf.register(cachedFirstMessagesOf),
    channelHooks.hasNamedTopics.register(hasNamedTopics),
  ],
  endpoints: [
    endpoint("delete-message", {
      about:
        "Deletes a message for everyone. The settings of the organization and the channel decide who may do so, and for how long.",
      method: "DELETE",
      path: "/messages/{message_id:[0-9]+}",
      params: { message_id: messageId },
      run: (ctx, params) => deleteMessage(ctx, params.message_id),
    }),
  ],
});
