// Sends scheduled messages when they are due: once, or not at all and marked as failed.

import { allow, memberOf } from "@/foundation/permissions/access.ts";
import { checkRealmActive } from "@/foundation/realm/access.ts";
import { sendNotice } from "@/foundation/realm/hooks.ts";
import { limits } from "@/foundation/realm/schema.ts";
import { shorten } from "@/foundation/realm/texts.ts";
import { translatorTo } from "@/foundation/user-settings/access.ts";
import type { Ctx, Tx } from "@/kernel/core/context.ts";
import { to } from "@/kernel/core/events.ts";
import { actingAs, action } from "@/kernel/core/operation.ts";
import { AppError, fail, type Sentence } from "@/kernel/lib/errors.ts";
import { sendMessage } from "@/messaging/sending/actions.ts";
import { sentence } from "@/text/language/tables.ts";
import { quoteWithin } from "@/text/quoting/quoting.ts";
import { linkedText } from "@/text/quoting/references.ts";
import { presentScheduled } from "./queries.ts";
import { scheduledMessageRemoved, scheduledMessageUpdated, scheduling } from "./schema.ts";
import type { ScheduledRow } from "./store.ts";
import * as store from "./store.ts";

/** Sends the messages that are due. */
export function deliverScheduledMessages(ctx: Ctx): Promise<void> {
  return deliverAll((max) => store.listDue(ctx, ctx.db.clock.now(), max), {
    deliver: (id) => send(ctx, id),
    onRefused: (id, reason) => markFailed(ctx, { id, reason }),
  });
}

interface Delivery {
  deliver: (id: number) => Promise<void>;
  /** Called if delivery is refused; the reason is shown to the sender. */
  onRefused: (id: number, reason: Sentence) => Promise<void>;
}

const atOnce = 100;

/**
 * Delivers until nothing is due. If the server cannot deliver for the moment (disk full), the rest stays due. An
 * unexpected error marks its message as failed and is then thrown, so that it happens only once.
 */
export async function deliverAll(nextDue: (max: number) => number[], by: Delivery): Promise<void> {
  for (let due = nextDue(atOnce); due.length > 0; due = nextDue(atOnce)) {
    const results = await Promise.allSettled(due.map((id) => deliverOne(id, by)));
    const broken = results.find((result) => result.status === "rejected");
    if (broken) throw broken.reason;
  }
}

async function deliverOne(id: number, { deliver, onRefused }: Delivery): Promise<void> {
  try {
    await deliver(id);
  } catch (error) {
    if (!(error instanceof AppError)) {
      await onRefused(id, sentence("An internal error occurred."));
      throw error;
    }
    if (error.status >= 500) throw error;
    await onRefused(id, error.sentence);
  }
}

/** Sends the message and deletes its schedule in one transaction, so that a crash never sends it twice. */
const send = action(allow.system, (tx, id: number): void => {
  const row = findDue(tx, id);
  if (!row) return;
  checkRealmActive(tx);
  if (tx.now - row.deliver_at > scheduling.cutoffSeconds) {
    fail("BAD_REQUEST", "The server was not running at the scheduled time.");
  }

  const { sender_id, client, content, topic } = row;
  sendMessage.in(actingAs(tx, { kind: "user", id: sender_id, client }), {
    ...(row.type === "stream" ? { type: "channel", topic } : { type: "direct" }),
    to: row.to,
    content,
    read_by_sender: row.read_by_sender ?? undefined,
  });
  store.deleteScheduled(tx, id);
  tx.emit(scheduledMessageRemoved, to(sender_id), { scheduled_message_id: id });
});

const markFailed = action(allow.system, (tx, { id, reason }: { id: number; reason: Sentence }): void => {
  const row = findDue(tx, id);
  if (!row) return;

  store.setFailed(tx, id);
  const scheduled_message = presentScheduled({ ...row, failed: true });
  tx.emit(scheduledMessageUpdated, to(row.sender_id), { scheduled_message });
  if (!memberOf(tx, row.sender_id).is_active) return;
  // Rendered as the sender, so that its mentions and links reach no more than they may see.
  const asSender = actingAs(tx, { kind: "user", id: row.sender_id, client: "Internal" });
  sendNotice(asSender, { to: { people: [row.sender_id] }, content: failureNotice(asSender, row, reason) });
});

/** Null if it was sent, deleted or rescheduled in the meantime. */
function findDue(tx: Tx, id: number): ScheduledRow | null {
  const row = store.findScheduled(tx, id);
  return row && !row.failed && row.deliver_at <= tx.now ? row : null;
}

function failureNotice(tx: Tx, { sender_id, deliver_at, content }: ScheduledRow, reason: Sentence): string {
  const { t, parts, say } = translatorTo(tx, sender_id);
  const time = `<time:${new Date(deliver_at * 1000).toISOString()}>`;
  const news = t("The message you scheduled for {time} was not sent:", { time });
  const begin = `${news}\n> ${say(reason)}\n\n${t("This is what you wrote:")}\n`;
  const where = parts("You can find it in your <link>scheduled messages</link>.");
  const end = `\n\n${linkedText(where, "#scheduled")}`;
  const cut = (text: string, room: number) => shorten(text, room, `\n${t("[message truncated]")}`);
  return begin + quoteWithin(content, limits.max_message_length - begin.length - end.length, cut) + end;
}
