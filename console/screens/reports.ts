import { reportReasons } from "@/foundation/realm/schema.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { getMessage } from "@/messaging/message-pages/queries.ts";
import { listReports, showReport } from "@/messaging/reports/queries.ts";
import {
  decisionText,
  type Handling,
  handledNote,
  maxReports,
  noActs,
  type Report,
  type ReportType,
  stateText,
  warningText,
} from "@/messaging/reports/schema.ts";
import { reactivateUser } from "../changes/people.ts";
import { handleReport } from "../changes/places.ts";
import { messageText, toAccount, toMessage } from "../jumps.ts";
import { timeText } from "../layout.ts";
import { userNames } from "../names.ts";
import { form, type ScreenForm, screen, timeColumn } from "../screen.ts";
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

const isOpen = ({ handled_at }: Row) => handled_at === null;

/** Decides about a report. */
const decide = (ctx: Ctx, { id }: Row, more: Partial<Handling>) =>
  handleReport(ctx, { ...noActs, report_id: id, is_handled: true, ...more });

const reopen = (ctx: Ctx, row: Row) => decide(ctx, row, { is_handled: false });

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
      await decide(ctx, row, { note });
      return { message: "Marked as handled.", undo: (now) => reopen(now, row) };
    },
  });
}

function dismiss(_: Ctx, row: Row): ScreenForm {
  return form({
    title: `Dismiss the report about ${row.reported}`,
    fields: {
      note: {
        label: "Reason",
        about: "Why nothing is to be done, for other moderators.",
        rule: handledNote.min(1, "Say why."),
      },
    },
    async submit(ctx, { note }) {
      await decide(ctx, row, { is_dismissed: true, note });
      return { message: "Dismissed.", undo: (now) => reopen(now, row) };
    },
  });
}

function warn(_: Ctx, row: Row): ScreenForm {
  return form({
    title: `Warn ${row.reported}`,
    fields: {
      warning: {
        label: "Warning",
        about: "They get it from the Notification Bot, below their message; reporters are not named.",
        rule: warningText.min(1, "Write what they should know."),
      },
    },
    async submit(ctx, { warning }) {
      await decide(ctx, row, { warning });
      return { message: `${row.reported} is warned.` };
    },
  });
}

function reasonOf({ report_type }: Row): string {
  return reportReasons[report_type as ReportType] ?? report_type;
}

/** The reported message as it was, as it is now if the person at the console may read it, and what was decided. */
function textOf(ctx: Ctx, { id, message_id }: Row): string {
  const nameOf = userNames(ctx);
  const { content, is_deleted, is_readable, decisions } = showReport(ctx, id);
  const now = is_readable ? messageNow(ctx, message_id) : null;
  const parts = [content === "" ? "The message as it was then is no longer kept." : content];
  if (is_deleted) parts.push("It is deleted since.");
  else if (now === null) parts.push("You may not read it where it is now.");
  else parts.push(now.content === content ? now.place : `${now.place}, and now says:\n\n${now.content}`);
  for (const made of decisions) {
    const words = [made.note, made.warning].filter((text) => text !== "").join(" · ");
    const who = `${timeText(made.decided_at)} ${nameOf(made.decided_by)}: ${decisionText(made)}`;
    parts.push(words === "" ? who : `${who}. ${words}`);
  }
  return parts.join("\n\n");
}

function messageNow(ctx: Ctx, message_id: number): { place: string; content: string } {
  const asked = { message_id, apply_markdown: false, allow_empty_topic_name: true };
  const { message, raw_content: content } = getMessage(ctx, asked);
  if (!message) return { place: "", content };
  const { display_recipient: to, subject, timestamp } = message;
  const where = typeof to === "string" ? `#${to} › ${subject || "general chat"}` : "direct message";
  return { place: `${where}, ${timeText(timestamp)}`, content };
}

export const reports = screen<Row>({
  key: "R",
  title: "Reports",
  area: "Places",
  about: "messages that users reported",
  empty: "Nothing has been reported.",
  rows,
  id: ({ id }) => id,
  name: ({ reported }) => `about ${reported}`,
  columns: [
    timeColumn("TIME", ({ reported_at }) => reported_at),
    { title: "OF", value: ({ reported }) => reported },
    { title: "BY", value: ({ reporter }) => reporter },
    { title: "WHY", value: reasonOf, tone: () => "warn" },
    { title: "STATE", value: stateText, tone: (row) => (isOpen(row) ? "warn" : "good") },
    { title: "DESCRIPTION", value: ({ description }) => description, grow: true, spare: true },
  ],
  facts: ({ ctx }, report) => [
    ["Reported", timeText(report.reported_at)],
    ["Of", report.reported, toAccount(ctx(), report.reported_id)],
    ["Message", messageText(ctx(), report.message_id), toMessage(ctx(), report.message_id)],
    ["By", report.reporter, toAccount(ctx(), report.reporter_id)],
    ["Why", reasonOf(report)],
    ["Description", report.description],
    ["State", stateText(report)],
    ...(report.handled_at === null
      ? []
      : ([
          [
            "Handled",
            `${timeText(report.handled_at)} by ${report.handler}`,
            toAccount(ctx(), report.handled_by),
          ],
          ["Note", report.handled_note],
        ] as const)),
  ],
  text: ({ ctx }, row) => textOf(ctx(), row),
  rowActions: [
    { key: "h", need: "anyone", title: (row) => (isOpen(row) ? "handled" : null), form: handle },
    {
      key: "h",
      need: "anyone",
      title: (row) => (isOpen(row) ? null : "open again"),
      async run(ctx, row) {
        await reopen(ctx, row);
        const { is_dismissed, handled_note: note } = row;
        return {
          message: "The report is open again.",
          undo: (now) => decide(now, row, { is_dismissed, note }),
        };
      },
    },
    { key: "s", need: "anyone", title: (row) => (isOpen(row) ? "dismiss" : null), form: dismiss },
    { key: "w", need: "anyone", title: (row) => (isOpen(row) ? "warn its sender" : null), form: warn },
    {
      key: "d",
      need: "anyone",
      title: (row) => (isOpen(row) ? "delete message" : null),
      confirm: ({ reported }) => `Delete this message of ${reported} for everyone? This cannot be undone.`,
      async run(ctx, row) {
        await decide(ctx, row, { delete_message: true });
        return { message: "The message is deleted." };
      },
    },
    {
      key: "x",
      need: "anyone",
      title: (row) => (isOpen(row) ? "deactivate its sender" : null),
      confirm: ({ reported }) => `Deactivate ${reported}? Their access ends at once; their messages stay.`,
      async run(ctx, row) {
        await decide(ctx, row, { deactivate_sender: true });
        const undo = async (now: Ctx) => {
          await reactivateUser(now, row.reported_id);
          await reopen(now, row);
        };
        return { message: `${row.reported} is deactivated.`, undo };
      },
    },
  ],
});
