import type { Ctx } from "@/kernel/core/context.ts";
import { AppError } from "@/kernel/lib/errors.ts";
import { getMessage } from "@/messaging/message-pages/queries.ts";
import { listReports } from "@/messaging/reports/queries.ts";
import {
  handledNote,
  maxReports,
  type Report,
  type ReportType,
  reasons,
} from "@/messaging/reports/schema.ts";
import { deactivateUser, reactivateUser } from "../changes/people.ts";
import { deleteMessage, handleReport } from "../changes/places.ts";
import { timeText } from "../layout.ts";
import { userNames } from "../names.ts";
import { form, type ScreenForm, screen } from "../screen.ts";
import type { ConsoleSession } from "../session.ts";

interface Row extends Report {
  reported: string;
  reporter: string;
  handler: string;
}

/** Older ones are listed by 'confab report list --before'. */
const maxHandled = 500;

function rows({ ctx }: ConsoleSession): Row[] {
  const now = ctx();
  const nameOf = userNames(now);
  const all = [
    ...listReports(now, { is_handled: false, limit: maxReports }),
    ...listReports(now, { is_handled: true, limit: maxHandled }),
  ].sort((a, b) => b.id - a.id);
  return all.map((report) => ({
    ...report,
    reported: nameOf(report.reported_id),
    reporter: nameOf(report.reporter_id),
    handler: nameOf(report.handled_by),
  }));
}

function stateOf({ handled_at }: Row): string {
  return handled_at === null ? "open" : "handled";
}

function handle(_: Ctx, row: Row): ScreenForm {
  return form({
    title: `Mark the report about ${row.reported} as handled`,
    fields: {
      note: {
        label: "Note",
        about: "What was done, for other moderators. May be empty.",
        rule: handledNote,
      },
    },
    async submit(ctx, { note }) {
      await handleReport(ctx, { report_id: row.id, is_handled: true, note });
      return { message: "Marked as handled.", undo: (now) => reopen(now, row) };
    },
  });
}

async function reopen(ctx: Ctx, { id }: Row): Promise<void> {
  await handleReport(ctx, { report_id: id, is_handled: false, note: "" });
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
    { title: "STATE", value: stateOf, tone: (row) => (row.handled_at === null ? "warn" : "good") },
    { title: "DESCRIPTION", value: ({ description }) => description, grow: true },
  ],
  facts: (_, report) => [
    ["Reported", timeText(report.reported_at)],
    ["By", report.reporter],
    ["Message", String(report.message_id)],
    ["Of", report.reported],
    ["Why", reasonOf(report)],
    ["Description", report.description],
    ["State", stateOf(report)],
    ...(report.handled_at === null
      ? []
      : ([
          ["Handled", `${timeText(report.handled_at)} by ${report.handler}`],
          ["Note", report.handled_note],
        ] as const)),
  ],
  text: ({ ctx }, { message_id }) => messageText(ctx(), message_id),
  rowActions: [
    { key: "h", title: (row) => (row.handled_at === null ? "handled" : null), form: handle },
    {
      key: "h",
      title: (row) => (row.handled_at === null ? null : "open again"),
      async run(ctx, row) {
        await reopen(ctx, row);
        const handledAgain = { report_id: row.id, is_handled: true, note: row.handled_note };
        return { message: "The report is open again.", undo: (now) => handleReport(now, handledAgain) };
      },
    },
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
