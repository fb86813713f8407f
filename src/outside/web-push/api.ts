import { z } from "zod";
import { userHooks } from "@/foundation/users/hooks.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { domain } from "@/kernel/http/domain.ts";
import { endpoint } from "@/kernel/http/endpoint.ts";
import { oneAtATime } from "@/kernel/store/per-app.ts";
import {
  ensureKeys,
  forgetBrowsersByKey,
  forgetBrowsersOf,
  subscribeBrowser,
  unsubscribeBrowser,
} from "./actions.ts";
import { sendPushes } from "./delivery.ts";
import { followMessages } from "./following.ts";
import { subscriptionFields } from "./keys.ts";
import { pushState } from "./queries.ts";
import { pushing, pushSubscription } from "./schema.ts";
import { nextDue } from "./store.ts";

const queueNew = oneAtATime(async (ctx: Ctx): Promise<void> => {
  await ensureKeys(ctx);
  await followMessages(ctx);
});

export default domain({
  name: "web-push",
  about: "notifications of browsers while no page is open",
  hooks: [
    userHooks.deactivated.register(forgetBrowsersOf),
    userHooks.keysEnded.register(forgetBrowsersByKey),
  ],
  jobs: [
    {
      name: "web-push",
      everySeconds: pushing.everySeconds,
      run: async (ctx) => {
        try {
          await queueNew(ctx);
        } finally {
          await sendPushes(ctx);
        }
      },
      nextDue,
    },
  ],
  endpoints: [
    endpoint("get-web-push", {
      about:
        "Returns the key with which browsers subscribe to Web Push, and the caller's browsers that are notified while no page is open.",
      method: "GET",
      path: "/users/me/web_push",
      returns: { public_key: z.string().nullable(), subscriptions: z.array(pushSubscription) },
      run: (ctx) => pushState(ctx),
    }),
    endpoint("subscribe-web-push", {
      about:
        "Subscribes a browser to notifications of direct messages, mentions, alert words, and the channels and topics that the caller has chosen. Ends with the session.",
      method: "POST",
      path: "/users/me/web_push",
      params: subscriptionFields,
      returns: { id: z.int() },
      run: async (ctx, given, request) => ({ id: await subscribeBrowser(ctx, { given, request }) }),
    }),
    endpoint("unsubscribe-web-push", {
      about: "Stops notifying a browser.",
      method: "DELETE",
      path: "/users/me/web_push",
      params: { endpoint: subscriptionFields.endpoint },
      run: (ctx, params) => unsubscribeBrowser(ctx, params.endpoint),
    }),
  ],
});
