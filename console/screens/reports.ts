import { deactivateUser, reactivateUser } from "@/foundation/users/actions.ts";
import type { Ctx } from "@/kernel/context.ts";
import { AppError } from "@/kernel/errors.ts";
import { getMessage } from "@/messaging/message-pages/queries.ts";
import { deleteMessage } from "@/messaging/messages/actions.ts";
import { listReports } from "@/messaging/reports/queries.ts";
import { type Report, type ReportType, reasons } from "@/messaging/reports/schema.ts";
import { timeText } from "../layout.ts";
import { userNames } from "../names.ts";
import { screen } from "../screen.ts";
import type { Session } from "../session.ts";

interface Row extends Report {
  reported: string;
  reporter: string;
}

const maxRows = 500;

function rows({ ctx }: Session): Row[] {
  const now = ctx();
  const nameOf = userNames(now);
  return listReports(now, { limit: maxRows }).map((report) => ({
    ...report,
    reported: nameOf(report.reported_id),
    reporter: nameOf(report.reporter_id),
  }));
}

function reasonOf({ report_type }: Row): string {
  return reasons[report_type as ReportType] ?? report_type;
}

/** The reported message as it is now, or why it cannot be shown. */
function messageText(ctx: Ctx, message_id: number): string {
  try {
    const asked = { message_id, apply_markdown: false, allow_empty_topic_name: true };
    const { message, raw_content } = getMessage(ctx, asked);
    if (!message) return raw_content;
    const { display_recipient: to, subject, timestamp } = message;
    const place = typeof to === "string" ? `#${to} › ${subject || "general chat"}` : "direct message";
    return `${place}, ${timeText(timestamp)}\n\n${raw_content}`;
  } catch (error) {
    if (error instanceof AppError) return `The message cannot be shown: ${error.message}`;
    throw error;
  }
}

export const reports = screen<Row>({
  key: "R",
  title: "Reports",
  area: "Places",
  about: "messages that users reported",
  empty: "Nothing has been reported.",
  rows,
  id: ({ id }) => id,
  columns: [
    { title: "TIME (UTC)", whole: true, value: ({ reported_at }) => timeText(reported_at) },
    { title: "OF", value: ({ reported }) => reported },
    { title: "BY", value: ({ reporter }) => reporter },
    { title: "WHY", value: reasonOf, tone: () => "warn" },
    { title: "DESCRIPTION", value: ({ description }) => description, grow: true },
  ],
  facts: (_, report) => [
    ["Reported", timeText(report.reported_at)],
    ["By", report.reporter],
    ["Message", String(report.message_id)],
    ["Of", report.reported],
    ["Why", reasonOf(report)],
    ["Description", report.description],
  ],
  text: ({ ctx }, { message_id }) => messageText(ctx(), message_id),
  rowActions: [
    {
      key: "d",
      title: () => "delete message",
      confirm: ({ reported }) => `Delete this message of ${reported} for everyone? This cannot be undone.`,
      async run(ctx, { message_id }) {
        await deleteMessage(ctx, message_id);
        return { message: "The message is deleted." };
      },
    },
    {
      key: "x",
      title: () => "deactivate its sender",
      confirm: ({ reported }) => `Deactivate ${reported}? Their access ends at once; their messages stay.`,
      async run(ctx, { reported_id, reported }) {
        await deactivateUser(ctx, reported_id);
        return { message: `${reported} is deactivated.`, undo: (now) => reactivateUser(now, reported_id) };
      },
    },
  ],
});
