import { memberOf } from "@/foundation/permissions/access.ts";
import { renderText } from "@/foundation/realm/hooks.ts";
import { limits } from "@/foundation/realm/schema.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { html } from "@/kernel/http/html.ts";
import { readableMessage } from "@/messaging/messages/access.ts";
import { quotation } from "@/messaging/messages/quotes.ts";
import type { Reminder } from "./schema.ts";
import type { ReminderRow } from "./store.ts";

/** A reminder as its owner sees it before delivery. */
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

type Reminded = Pick<ReminderRow, "message_id" | "note">;

/** The text of the delivered reminder: the quoted message, if the actor can still read it, and their note. */
export function reminderText(
  ctx: Ctx,
  reminded: Reminded,
  maxQuoted: number = limits.max_message_length,
): string {
  const row = readableMessage(ctx, reminded.message_id);
  if (!row) return textWithoutMessage(reminded);
  const opening = `${withNote("You asked to be reminded of this message", reminded, ":")}\n\n`;
  return opening + quotation(ctx, row, Math.min(maxQuoted, limits.max_message_length - opening.length));
}

const maxQuotedBefore = 1000;

interface Text {
  content: string;
  rendered: string;
}

/** The text before delivery, as the actor's. Quotes less, because clients fetch all pending reminders at once. */
export function waitingTextOf(ctx: Ctx, reminded: Reminded): Text {
  // Nothing is looked up for somebody who is deactivated.
  if (!memberOf(ctx, ctx.actor.id).is_active) return plain(textWithoutMessage(reminded));
  const content = waitingText(ctx, reminded);
  return { content, rendered: renderText(ctx, content).html };
}

/** As `waitingTextOf`, shown without markup, which takes no time. */
export function unrenderedTextOf(ctx: Ctx, reminded: Reminded): Text {
  return plain(waitingText(ctx, reminded));
}

const waitingText = (ctx: Ctx, reminded: Reminded) => reminderText(ctx, reminded, maxQuotedBefore);

function plain(content: string): Text {
  const lines = content.split("\n").map((line, i) => (i === 0 ? html`${line}` : html`<br>${line}`));
  return { content, rendered: html`<p>${lines}</p>`.text };
}

function textWithoutMessage(reminded: Reminded): string {
  return withNote("You asked to be reminded of a message that you can no longer read", reminded, ".");
}

function withNote(text: string, { note }: Reminded, end: string): string {
  return text + (note === "" ? end : `, with this note:\n> ${note.replaceAll("\n", "\n> ")}`);
}
