import { z } from "zod";
import { domain } from "@/kernel/http/domain.ts";
import { endpoint } from "@/kernel/http/endpoint.ts";
import { handleReport, reportMessage } from "./actions.ts";
import { listReports } from "./queries.ts";
import { handling, maxReports, newReport, report } from "./schema.ts";

export default domain({
  name: "reports",
  about: "messages reported to the moderators",
  endpoints: [
    endpoint("report-message", {
      about: "Reports a message to the moderators, in the organization's channel for moderation requests.",
      method: "POST",
      path: "/messages/{message_id:[0-9]+}/report",
      params: newReport.shape,
      run: (ctx, params) => reportMessage(ctx, params),
    }),
    endpoint("get-reports", {
      about:
        "Lists reported messages, newest first; `before` is the ID of the last report seen. Moderators and administrators only.",
      method: "GET",
      path: "/reports",
      params: { before: z.int().optional(), limit: z.int().min(1).max(maxReports).default(100) },
      returns: { reports: z.array(report) },
      run: (ctx, wanted) => ({ reports: listReports(ctx, wanted) }),
    }),
    endpoint("handle-report", {
      about:
        "Marks a report as handled, with a note for other moderators, or as open again. Moderators and administrators only; a moderator cannot handle a report about a message of their own.",
      method: "PATCH",
      path: "/reports/{report_id:[0-9]+}",
      params: handling.shape,
      run: (ctx, params) => handleReport(ctx, params),
    }),
  ],
});
