import { limits } from "@/foundation/realm/schema.ts";
import type { Ctx } from "@/kernel/context.ts";
import { readableMessage } from "@/messaging/messages/access.ts";
import { quotation } from "@/messaging/messages/quotes.ts";
import type { Reminder } from "./schema.ts";
import type { ReminderRow } from "./store.ts";

/** A reminder as its owner reads it before its time. */
export function presentReminder(row: ReminderRow): Reminder {
  return {
    reminder_id: row.id,
    type: "private",
    to: [row.user_id],
    content: row.content,
    rendered_content: row.rendered,
    scheduled_delivery_timestamp: row.deliver_at,
    failed: row.failed === 1,
    reminder_target_message_id: row.message_id,
  };
}

type Told = Pick<ReminderRow, "message_id" | "note">;

/** What the actor is to be told: the message, unless they cannot read it any more, and their note. */
export function reminderText(ctx: Ctx, told: Told, mostQuoted: number = limits.max_message_length): string {
  const row = readableMessage(ctx, told.message_id);
  if (!row) return textWithoutMessage(told);
  const opening = `${withNote("You asked to be reminded of this message", told, ":")}\n\n`;
  return opening + quotation(ctx, row, Math.min(mostQuoted, limits.max_message_length - opening.length));
}

const quotedWhileWaiting = 1000;

/** As `reminderText`, before its time: every client gets all that waits, so each holds no more than a part. */
export function waitingText(ctx: Ctx, told: Told): string {
  return reminderText(ctx, told, quotedWhileWaiting);
}

export function textWithoutMessage(told: Told): string {
  return withNote("You asked to be reminded of a message that is no longer there for you to read", told, ".");
}

function withNote(text: string, { note }: Told, end: string): string {
  return text + (note === "" ? end : `, with this note:\n> ${note.replaceAll("\n", "\n> ")}`);
}
