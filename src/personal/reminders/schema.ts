import { z } from "zod";
import { limits } from "@/foundation/realm/schema.ts";
import { hasAtMost, hasNoNull } from "@/foundation/realm/texts.ts";
import { event } from "@/kernel/core/events.ts";
import { messageId } from "@/messaging/messages/schema.ts";

export const reminderId = z.int();

const maxNote = limits.max_reminder_note_length;

const reminderNote = z
  .string()
  .trim()
  .refine(hasAtMost(maxNote), `Maximum reminder note length: ${maxNote} characters`)
  .meta({ maxLength: maxNote })
  .refine(hasNoNull, "A note must not contain null bytes");

export const newReminder = z.object({
  message_id: messageId,
  scheduled_delivery_timestamp: z.int(),
  note: reminderNote.default(""),
});
export type NewReminder = z.infer<typeof newReminder>;

/** Limited because every client that registers receives all of them. */
export const maxReminders = 1000;
/** Limited because an edit of a message has each reminder of it rendered again. */
export const maxRemindersPerMessage = 10;

/** A pending reminder. */
export const reminder = z.object({
  reminder_id: reminderId,
  type: z.literal("private"),
  to: z.tuple([z.int()]),
  content: z.string(),
  rendered_content: z.string(),
  scheduled_delivery_timestamp: z.int(),
  failed: z.boolean(),
  reminder_target_message_id: messageId,
});
export type Reminder = z.infer<typeof reminder>;

export const remindersAdded = event("reminders", {
  about: "A reminder was set.",
  op: "add",
  schema: z.object({ reminders: z.array(reminder) }),
});

export const reminderRemoved = event("reminders", {
  about: "A reminder was deleted or delivered.",
  op: "remove",
  schema: z.object({ reminder_id: reminderId }),
});
