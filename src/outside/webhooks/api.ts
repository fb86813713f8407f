import { domain } from "@/kernel/domain.ts";
import { callWebhooks } from "./delivery.ts";
import { calling } from "./schema.ts";

export default domain({
  name: "webhooks",
  jobs: [{ name: "webhooks", everySeconds: calling.everySeconds, run: callWebhooks }],
});
