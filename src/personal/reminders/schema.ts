import { z } from "zod";
import { limits } from "@/foundation/realm/schema.ts";
import { hasAtMost, hasNoNull } from "@/foundation/realm/texts.ts";
import { event } from "@/kernel/events.ts";
import { messageId } from "@/messaging/messages/schema.ts";

export const reminderId = z.int();

const mostNote = limits.max_reminder_note_length;

export const reminderNote = z
  .string()
  .trim()
  .refine(hasAtMost(mostNote), `Maximum reminder note length: ${mostNote} characters`)
  .refine(hasNoNull, "A note must not contain null bytes");

/** Every registering client gets all of them, so there is an end to them. */
export const mostReminders = 1000;
/** When a message changes, so does what each reminder of it says. */
export const mostOfMessage = 10;

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

export const remindersAdded = event<{ reminders: Reminder[] }>("reminders", {
  about: "A reminder was set.",
  op: "add",
  schema: z.object({ reminders: z.array(reminder) }),
});

/** It was taken back, or delivered. */
export const reminderRemoved = event<{ reminder_id: number }>("reminders", {
  about: "A reminder was deleted, or its time has come.",
  op: "remove",
  schema: z.object({ reminder_id: reminderId }),
});
