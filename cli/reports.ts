import { z } from "zod";
import { listReports } from "@/reports/queries.ts";
import { listUsers } from "@/users/queries.ts";
import { option } from "./args.ts";
import { command } from "./command.ts";
import { table } from "./output.ts";

const count = z
  .string()
  .regex(/^[1-9]\d{0,3}$/, "a number from 1 to 9999")
  .transform(Number);

export default [
  command({
    name: "report list",
    summary: "List messages that were reported, newest first",
    examples: ["confab report list", "confab message show 42", "confab message delete 42"],
    args: {
      limit: option("N", count.default(50), "how many"),
      before: option("ID", count.optional(), "only reports before this one"),
    },
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
          new Date(report.reported_at * 1000).toISOString().slice(0, 16).replace("T", " "),
          String(report.message_id),
          report.reported,
          report.reporter,
          report.report_type,
          report.description,
        ]),
      ),
  }),
];
