import { domain } from "@/kernel/http/domain.ts";
import { sendingHooks } from "@/messaging/sending/hooks.ts";
import { noteForBots } from "./actions.ts";
import { callWebhooks } from "./delivery.ts";
import { calling } from "./schema.ts";
import { hasCalls } from "./store.ts";

export default domain({
  name: "webhooks",
  about: "messages posted to bots elsewhere, and their replies",
  hooks: [sendingHooks.sent.register(noteForBots)],
  jobs: [
    {
      name: "webhooks",
      everySeconds: calling.everySeconds,
      run: callWebhooks,
      nextDue: (reads) => (hasCalls(reads) ? 0 : Number.POSITIVE_INFINITY),
    },
  ],
});
