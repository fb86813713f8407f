import { z } from "zod";
import { listUsers } from "@/foundation/accounts/queries.ts";
import { handleReport } from "@/messaging/reports/actions.ts";
import { listReports } from "@/messaging/reports/queries.ts";
import { handling, report } from "@/messaging/reports/schema.ts";
import { flag, operand, option } from "../args.ts";
import { command } from "../command.ts";
import { table, timeText } from "../output.ts";
import { countTo, numberOf } from "../values.ts";

const shown = report.extend({ reported: z.string(), reporter: z.string() });

const reportId = numberOf("a report's number");

export default [
  command({
    name: "report list",
    isUnaudited: true,
    summary: "List reported messages, newest first",
    examples: ["confab report list", "confab message show 42", "confab message delete 42"],
    args: {
      limit: option("N", countTo(9999).default(50), "how many"),
      before: option("ID", numberOf("a report's number").optional(), "only reports before this one"),
    },
    result: z.array(shown),
    run: (ctx, { limit, before }) => {
      const reports = listReports(ctx, { limit, before });
      const ids = reports.flatMap(({ reported_id, reporter_id }) => [reported_id, reporter_id]);
      const names = new Map(listUsers(ctx, { user_ids: ids }).map((user) => [user.user_id, user.full_name]));
      return reports.map((report) => ({
        ...report,
        reported: names.get(report.reported_id) ?? "",
        reporter: names.get(report.reporter_id) ?? "",
      }));
    },
    print: (reports) =>
      table(
        ["ID", "TIME (UTC)", "MESSAGE", "OF", "BY", "WHY", "STATE", "DESCRIPTION"],
        reports.map((report) => [
          String(report.id),
          timeText(report.reported_at),
          String(report.message_id),
          report.reported,
          report.reporter,
          report.report_type,
          report.handled_at === null ? "open" : "handled",
          report.description,
        ]),
      ),
  }),

  command({
    name: "report handle",
    summary: "Mark a report as handled",
    examples: ["confab report handle 7 --note 'Talked to both.'", "confab report handle 7 --reopen"],
    args: {
      report_id: operand("ID", reportId, "the number that 'confab report list' shows"),
      note: option("TEXT", handling.shape.note, "what was done, for other moderators"),
      reopen: flag(z.boolean().default(false), "mark it as open again"),
    },
    result: z.object({ report_id: z.int(), is_handled: z.boolean() }),
    async run(ctx, { report_id, note, reopen }) {
      await handleReport(ctx, { report_id, is_handled: !reopen, note });
      return { report_id, is_handled: !reopen };
    },
    print: ({ report_id, is_handled }) => `Report ${report_id} is ${is_handled ? "handled" : "open again"}.`,
  }),
];
