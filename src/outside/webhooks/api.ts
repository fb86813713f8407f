import { z } from "zod";
import { domain } from "@/kernel/http/domain.ts";
import { endpoint } from "@/kernel/http/endpoint.ts";
import { sendingHooks } from "@/messaging/sending/hooks.ts";
import { noteForBots } from "./actions.ts";
import { testWebhook } from "./actions-testing.ts";
import { callWebhooks } from "./delivery.ts";
import { calling, testAnswer } from "./schema.ts";
import { hasCalls } from "./store.ts";

const test = endpoint("test-outgoing-webhook", {
  about:
    "Posts a sample message to the address of an outgoing webhook, and answers with what the bot would have replied, or why it would have failed; nothing is sent to anybody else. The bot's owner and administrators only.",
  method: "POST",
  path: "/bots/{bot_id:[0-9]+}/test_call",
  params: { bot_id: z.int() },
  returns: testAnswer.shape,
  run: (ctx, { bot_id }) => testWebhook(ctx, bot_id),
});

export default domain({
  name: "webhooks",
  about: "messages posted to bots elsewhere, and their replies",
  hooks: [sendingHooks.sent.register(noteForBots)],
  endpoints: [test],
  jobs: [
    {
      name: "webhooks",
      everySeconds: calling.everySeconds,
      run: callWebhooks,
      nextDue: (reads) => (hasCalls(reads) ? 0 : Number.POSITIVE_INFINITY),
    },
  ],
});
