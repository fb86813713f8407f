import { z } from "zod";
import { domain } from "@/kernel/http/domain.ts";
import { endpoint } from "@/kernel/http/endpoint.ts";
import { testMail } from "./actions.ts";
import { deliverMails } from "./delivery.ts";
import { delivery } from "./schema.ts";
import { nextDue } from "./store.ts";
import { carryOutUnsubscribing, showUnsubscribing } from "./unsubscribe-page.ts";

export default domain({
  name: "mail",
  about: "how mails look, the queue of outgoing mail, sending it, unsubscribing",
  endpoints: [
    endpoint("test-mail", {
      about:
        "Sends a short mail to the caller at once, not through the queue. `problem` is what the mail server said, in English, and null if it took the mail; whether it arrives, only the inbox shows. Owners only.",
      method: "POST",
      path: "/mail/test",
      returns: { recipient: z.string(), problem: z.string().nullable() },
      run: (ctx) => testMail(ctx),
    }),
    endpoint("get-unsubscribe-page", {
      about: "Returns the page on which a person can end the mails that a link is about. Changes nothing.",
      method: "GET",
      path: "/mail/unsubscribe/{token}",
      root: true,
      auth: "none",
      params: { token: z.string() },
      run: (ctx, { token }, request) => showUnsubscribing(ctx, { token, request }),
    }),
    endpoint("unsubscribe-from-mail", {
      about:
        "Ends the mails that a link is about. Mail programs send this request for their own button (RFC 8058).",
      method: "POST",
      path: "/mail/unsubscribe/{token}",
      root: true,
      auth: "none",
      params: { token: z.string(), "List-Unsubscribe": z.string().optional() },
      run: (ctx, { token }, request) => carryOutUnsubscribing(ctx, { token, request }),
    }),
  ],
  jobs: [{ name: "mail", everySeconds: delivery.everySeconds, run: deliverMails, nextDue }],
});
