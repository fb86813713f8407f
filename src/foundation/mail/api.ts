import { domain } from "@/kernel/domain.ts";
import { deliverMails } from "./delivery.ts";
import { delivery } from "./schema.ts";

export default domain({
  name: "mail",
  jobs: [{ name: "mail", everySeconds: delivery.everySeconds, run: deliverMails }],
});
