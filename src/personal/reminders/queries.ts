import { allow, me, memberOf } from "@/foundation/permissions/access.ts";
import { renderText } from "@/foundation/realm/hooks.ts";
import { limits } from "@/foundation/realm/schema.ts";
import { translatorTo } from "@/foundation/user-settings/access.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { query } from "@/kernel/core/operation.ts";
import { html } from "@/kernel/http/html.ts";
import { runSync, type Task } from "@/kernel/lib/tasks.ts";
import { readableMessage } from "@/messaging/messages/access.ts";
import { quotation } from "@/messaging/messages/quotes.ts";
import type { Reminder } from "./schema.ts";
import type { ReminderRow } from "./store.ts";
import * as store from "./store.ts";

/** Counts as so many rows that are read. */
const renderingCost = 20;

/** The actor's undelivered reminders, by delivery time. */
export const listReminders = query(allow.user, function* (ctx): Task<Reminder[]> {
  const rows = yield* store.listReminders(ctx, me(ctx).id);
  const isStale = staleIn(ctx);
  const reminders: Reminder[] = [];
  for (const row of rows) {
    if (isStale(row)) {
      reminders.push(presentReminder({ ...row, ...waitingTextOf(ctx, row) }));
      yield renderingCost;
    } else reminders.push(presentReminder(row));
  }
  return reminders;
});

/** As `listReminders`, without a pause: those that quote an earlier text are shown without markup, because rendering takes time. */
export const listRemindersAtOnce = query(allow.user, (ctx): Reminder[] => {
  const isStale = staleIn(ctx);
  return runSync(store.listReminders(ctx, me(ctx).id)).map((row) =>
    presentReminder(isStale(row) ? { ...row, ...plainTextOf(ctx, row) } : row),
  );
});

/** Whether a reminder quotes what its message was before an edit or deletion. */
function staleIn(ctx: Ctx): (row: Pick<ReminderRow, "id" | "message_id">) => boolean {
  const renewed = new Map(store.listStale(ctx).map(({ message_id, last_id }) => [message_id, last_id]));
  return ({ id, message_id }) => id > (renewed.get(message_id) ?? Number.POSITIVE_INFINITY);
}

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

/** The text of the delivered reminder, for the actor: the quoted message, if they can still read it, and their note. */
export function reminderText(
  ctx: Ctx,
  reminded: Reminded,
  maxQuoted: number = limits.max_message_length,
): string {
  const row = readableMessage(ctx, reminded.message_id);
  if (!row) return textWithoutMessage(ctx, reminded);
  const translator = translatorTo(ctx, ctx.actor.id);
  const { t } = translator;
  const news =
    reminded.note === ""
      ? t("You asked to be reminded of this message:")
      : t("You asked to be reminded of this message, with this note:");
  const opening = `${news}${noteIn(reminded)}\n\n`;
  return (
    opening + quotation(ctx, translator, row, Math.min(maxQuoted, limits.max_message_length - opening.length))
  );
}

const maxQuotedBefore = 1000;

interface Text {
  content: string;
  rendered: string;
}

/** The text before delivery, as the actor's. Quotes less, because clients fetch all pending reminders at once. */
export function waitingTextOf(ctx: Ctx, reminded: Reminded): Text {
  // Nothing is looked up for somebody who is deactivated.
  if (!memberOf(ctx, ctx.actor.id).is_active) return plain(textWithoutMessage(ctx, reminded));
  const content = waitingText(ctx, reminded);
  return { content, rendered: renderText(ctx, content).html };
}

/** As `waitingTextOf`, shown without markup, which takes no time. */
function plainTextOf(ctx: Ctx, reminded: Reminded): Text {
  return plain(waitingText(ctx, reminded));
}

const waitingText = (ctx: Ctx, reminded: Reminded) => reminderText(ctx, reminded, maxQuotedBefore);

function plain(content: string): Text {
  const lines = content.split("\n").map((line, i) => (i === 0 ? html`${line}` : html`<br>${line}`));
  return { content, rendered: html`<p>${lines}</p>`.text };
}

function textWithoutMessage(ctx: Ctx, reminded: Reminded): string {
  const { t } = translatorTo(ctx, ctx.actor.id);
  if (reminded.note === "") return t("You asked to be reminded of a message that you can no longer read.");
  const news = t("You asked to be reminded of a message that you can no longer read, with this note:");
  return news + noteIn(reminded);
}

const noteIn = ({ note }: Reminded) => (note === "" ? "" : `\n> ${note.replaceAll("\n", "\n> ")}`);
