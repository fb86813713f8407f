import { domain } from "@/kernel/http/domain.ts";
import { endpoint } from "@/kernel/http/endpoint.ts";
import { messageHooks } from "@/messaging/messages/hooks.ts";
import { addReaction, forgetReactions, removeReaction } from "./actions.ts";
import { reactionInput } from "./schema.ts";

const path = "/messages/{message_id:[0-9]+}/reactions";

export default domain({
  name: "reactions",
  about: "emoji on messages",
  hooks: [messageHooks.removed.register(forgetReactions)],
  endpoints: [
    endpoint("add-reaction", {
      about:
        "Adds an emoji reaction of the caller to a message. `emoji_code` decides which emoji it is. If `emoji_name` means another emoji by now, clients get the preferred name of `emoji_code`. For the server's own emoji, phone apps get the type `zulip_extra_emoji` and others `service_extra_emoji`; both are accepted.",
      method: "POST",
      path,
      params: reactionInput.required({ emoji_name: true }).shape,
      run: (ctx, params) => addReaction(ctx, params),
    }),
    endpoint("remove-reaction", {
      about: "Removes one of the caller's reactions from a message.",
      method: "DELETE",
      path,
      params: reactionInput.shape,
      run: (ctx, params) => removeReaction(ctx, params),
    }),
  ],
});
