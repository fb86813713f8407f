import { z } from "zod";
import { reportReasons } from "@/foundation/realm/schema.ts";
import { hasAtMost, hasNoNull } from "@/foundation/realm/texts.ts";
import { event } from "@/kernel/core/events.ts";
import { messageId } from "@/messaging/messages/schema.ts";

export type ReportType = keyof typeof reportReasons;

const reportType = z.enum(Object.keys(reportReasons) as [ReportType, ...ReportType[]], {
  error: `A message is reported as one of: ${Object.keys(reportReasons).join(", ")}.`,
});

const maxCharacters = 1000;

export const newReport = z.object({
  message_id: messageId,
  report_type: reportType,
  description: z
    .string()
    .trim()
    .refine(hasAtMost(maxCharacters), `A description has at most ${maxCharacters} characters.`)
    .meta({ maxLength: maxCharacters })
    .refine(hasNoNull, "A description must not contain null bytes.")
    .default(""),
});
export type NewReport = z.infer<typeof newReport>;

/** What somebody notes about a report that they have handled, or why they dismiss it. */
export const handledNote = z
  .string()
  .trim()
  .refine(hasAtMost(maxCharacters), `A note has at most ${maxCharacters} characters.`)
  .meta({ maxLength: maxCharacters })
  .refine(hasNoNull, "A note must not contain null bytes.");

/** What a moderator writes to the sender of a reported message. */
export const warningText = z
  .string()
  .trim()
  .refine(hasAtMost(maxCharacters), `A warning has at most ${maxCharacters} characters.`)
  .meta({ maxLength: maxCharacters })
  .refine(hasNoNull, "A warning must not contain null bytes.");

/** What can be done about a report, the strongest first. */
export const acts = ["deactivate_sender", "delete_message", "warn_sender"] as const;
export type Act = (typeof acts)[number];

/** In the past tense, for operators. */
const actWords: Readonly<Record<Act, string>> = {
  deactivate_sender: "sender deactivated",
  delete_message: "message deleted",
  warn_sender: "sender warned",
};

/** How a report stands, as operators read it: "open", "dismissed", "message deleted, sender warned". */
export function stateText({
  handled_at,
  is_dismissed,
  acts,
}: Pick<Report, "handled_at" | "is_dismissed" | "acts">): string {
  if (handled_at === null) return "open";
  if (is_dismissed) return "dismissed";
  return acts.length === 0 ? "handled" : acts.map((act) => actWords[act]).join(", ");
}

/** What was decided, as operators read it. */
export function decisionText({ decision, acts }: Pick<Decision, "decision" | "acts">): string {
  return decision === "handled" && acts.length > 0 ? acts.map((act) => actWords[act]).join(", ") : decision;
}

const reportId = z.int();

export const handling = z.object({
  report_id: reportId,
  is_handled: z.boolean(),
  /** That nothing is to be done; the note says why. */
  is_dismissed: z.boolean().default(false),
  note: handledNote.default(""),
  delete_message: z.boolean().default(false),
  deactivate_sender: z.boolean().default(false),
  /** Goes to the sender of the message; empty for no warning. */
  warning: warningText.default(""),
});
export type Handling = z.infer<typeof handling>;

/** A decision that needs nothing but a note. */
export const noActs = {
  is_dismissed: false,
  note: "",
  delete_message: false,
  deactivate_sender: false,
  warning: "",
} as const;

/** The most reports that are listed at once. */
export const maxReports = 1000;

/** Which reports to list. */
export const reportFilter = z.object({
  /** Only those below this ID. */
  before: reportId.optional(),
  is_handled: z.boolean().optional(),
  report_type: reportType.optional(),
  /** Whose messages were reported. */
  reported_id: z.int().optional(),
  reporter_id: z.int().optional(),
});
export type ReportFilter = z.infer<typeof reportFilter>;

/** A report as moderators list it. `notice_id` is the message to the moderators. */
export const report = z.object({
  id: reportId,
  message_id: messageId,
  reported_id: z.int(),
  reporter_id: z.int(),
  report_type: z.string(),
  description: z.string(),
  notice_id: messageId,
  reported_at: z.int(),
  /** Where the message was when it was reported: null for a direct message. */
  channel_id: z.int().nullable(),
  /** The beginning of the message as it was when it was reported; empty if that is no longer kept. */
  excerpt: z.string(),
  /** When somebody marked it as handled; null while it is open. */
  handled_at: z.int().nullable(),
  handled_by: z.int().nullable(),
  handled_note: z.string(),
  is_dismissed: z.boolean(),
  acts: z.array(z.enum(acts)),
});
export type Report = z.infer<typeof report>;

/** What a moderator decided about a report. */
export const decision = z.object({
  id: z.int(),
  decided_at: z.int(),
  decided_by: z.int().nullable(),
  decision: z.enum(["handled", "dismissed", "reopened"]),
  acts: z.array(z.enum(acts)),
  /** What the sender was told. */
  warning: z.string(),
  note: z.string(),
});
export type Decision = z.infer<typeof decision>;

/** A report with what one needs to decide about it. */
export const reportDetails = report.extend({
  /** Where the message was; null for direct messages, and for channels that the moderator cannot read. */
  topic: z.string().nullable(),
  /** The message as it was when it was reported, as Markdown and as HTML; empty if that is no longer kept. */
  content: z.string(),
  rendered_content: z.string(),
  is_deleted: z.boolean(),
  /** Whether the moderator may read the message where it is now, and what is around it. */
  is_readable: z.boolean(),
  /** Whether the moderator may decide about it: others do about their messages. */
  may_handle: z.boolean(),
  /** What the moderator may do now. */
  possible_acts: z.array(z.enum(acts)),
  decisions: z.array(decision),
  /** How many other reports of the same message are open: what is done about one is done about all. */
  open_others: z.int(),
});
export type ReportDetails = z.infer<typeof reportDetails>;

// Wire: an event of our own, at which typed clients would end: for queues that asked for it by name, or declare that they know it.
export const reportsChanged = event("reports_changed", {
  about:
    "A message was reported, or moderators decided about a report; those who see reports fetch them again. " +
    "For queues that name it in `event_types`, and for clients with the capability `report_events`.",
  schema: z.object({}),
  accepts: (_, { types, capabilities }) =>
    capabilities.has("report_events") || (types?.has("reports_changed") ?? false),
});
