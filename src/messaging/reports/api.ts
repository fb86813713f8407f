import { domain } from "@/kernel/domain.ts";
import { endpoint } from "@/kernel/endpoint.ts";
import { reportMessage } from "./actions.ts";
import { reportParams } from "./schema.ts";

export default domain({
  name: "reports",
  endpoints: [
    endpoint("report-message", {
      about: "Reports a message to the moderators, in the organization's channel for moderation requests.",
      method: "POST",
      path: "/messages/{message_id:[0-9]+}/report",
      params: reportParams,
      run: (ctx, params) => reportMessage(ctx, params),
    }),
  ],
});
