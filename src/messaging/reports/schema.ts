import { z } from "zod";
import { reportReasons as reasons } from "@/foundation/realm/schema.ts";
import { hasAtMost, hasNoNull } from "@/foundation/realm/texts.ts";
import { messageId } from "@/messaging/messages/schema.ts";

export { reasons };
export type ReportType = keyof typeof reasons;

const maxCharacters = 1000;

export const newReport = z.object({
  message_id: messageId,
  report_type: z.enum(Object.keys(reasons) as [ReportType, ...ReportType[]], {
    error: `A message is reported as one of: ${Object.keys(reasons).join(", ")}.`,
  }),
  description: z
    .string()
    .trim()
    .refine(hasAtMost(maxCharacters), `A description has at most ${maxCharacters} characters.`)
    .meta({ maxLength: maxCharacters })
    .refine(hasNoNull, "A description must not contain null bytes.")
    .default(""),
});
export type NewReport = z.infer<typeof newReport>;

/** What somebody notes about a report that they have handled. */
export const handledNote = z
  .string()
  .trim()
  .refine(hasAtMost(maxCharacters), `A note has at most ${maxCharacters} characters.`)
  .meta({ maxLength: maxCharacters })
  .refine(hasNoNull, "A note must not contain null bytes.");

export const handling = z.object({
  report_id: z.int(),
  is_handled: z.boolean(),
  note: handledNote.default(""),
});
export type Handling = z.infer<typeof handling>;

/** The most reports that are listed at once. */
export const maxReports = 1000;

/** A report as moderators list it. `notice_id` is the message to the moderators. */
export const report = z.object({
  id: z.int(),
  message_id: messageId,
  reported_id: z.int(),
  reporter_id: z.int(),
  report_type: z.string(),
  description: z.string(),
  notice_id: messageId,
  reported_at: z.int(),
  /** When somebody marked it as handled; null while it is open. */
  handled_at: z.int().nullable(),
  handled_by: z.int().nullable(),
  handled_note: z.string(),
});
export type Report = z.infer<typeof report>;
