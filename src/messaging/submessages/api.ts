import { domain } from "@/kernel/http/domain.ts";
import { endpoint } from "@/kernel/http/endpoint.ts";
import { messageHooks } from "@/messaging/messages/hooks.ts";
import { addSubmessage, forgetSubmessages } from "./actions.ts";
import { newSubmessage } from "./schema.ts";

export default domain({
  name: "submessages",
  about: "polls, task lists and their changes",
  hooks: [messageHooks.removed.register(forgetSubmessages)],
  endpoints: [
    endpoint("post-submessage", {
      about: "Adds a change to a widget in a message, such as a vote in a poll or a new task in a task list.",
      method: "POST",
      path: "/submessage",
      params: newSubmessage.shape,
      run: (ctx, params) => addSubmessage(ctx, params),
    }),
  ],
});
