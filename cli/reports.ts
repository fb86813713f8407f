import { z } from "zod";
import { listUsers } from "@/foundation/users/queries.ts";
import { listReports } from "@/messaging/reports/queries.ts";
import { report } from "@/messaging/reports/schema.ts";
import { option } from "./args.ts";
import { command } from "./command.ts";
import { table, timeText } from "./output.ts";
import { countTo, numberOf } from "./values.ts";

const shown = report.extend({ reported: z.string(), reporter: z.string() });

export default [
  command({
    name: "report list",
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
        ["ID", "TIME (UTC)", "MESSAGE", "OF", "BY", "WHY", "DESCRIPTION"],
        reports.map((report) => [
          String(report.id),
          timeText(report.reported_at),
          String(report.message_id),
          report.reported,
          report.reporter,
          report.report_type,
          report.description,
        ]),
      ),
  }),
];
