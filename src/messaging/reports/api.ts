import { z } from "zod";
import { domain } from "@/kernel/http/domain.ts";
import { endpoint } from "@/kernel/http/endpoint.ts";
import { handleReport, reportMessage } from "./actions.ts";
import { countOpenReports, listReports, showReport } from "./queries.ts";
import { handling, maxReports, newReport, report, reportDetails, reportFilter } from "./schema.ts";

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
        "Lists reported messages, newest first, by filters; `before` is the ID of the last report seen. `open` is how many reports are open in all. For moderators, administrators, and members who are subscribed to the channel for moderation requests.",
      method: "GET",
      path: "/reports",
      params: { ...reportFilter.shape, limit: z.int().min(1).max(maxReports).default(100) },
      returns: { reports: z.array(report), open: z.int() },
      run: (ctx, wanted) => ({ reports: listReports(ctx, wanted), open: countOpenReports(ctx) }),
    }),
    endpoint("get-report", {
      about:
        "Returns a report with the message as it was when it was reported, what was decided, and what the moderator may do about it. What is around the message, and what it is now, `GET /messages` has for those who may read it. For those who may list reports.",
      method: "GET",
      path: "/reports/{report_id:[0-9]+}",
      params: { report_id: z.int() },
      returns: { report: reportDetails },
      run: (ctx, { report_id }) => ({ report: showReport(ctx, report_id) }),
    }),
    endpoint("handle-report", {
      about:
        "Decides about a report, with a note for other moderators: `delete_message` and `deactivate_sender` do so, `warning` is sent to the sender of the message, and all other open reports of the message are handled, too; with `is_dismissed`, nothing is done, and the note says why. Reporters get a direct message in their language that says whether something was done. If `is_handled` is false, the report is opened again. A report that is handled already is refused with who did what. For those who may list reports; a moderator cannot handle a report about a message of their own. Each act needs its own permission.",
      method: "PATCH",
      path: "/reports/{report_id:[0-9]+}",
      params: handling.shape,
      run: (ctx, params) => handleReport(ctx, params),
    }),
  ],
});
