// Mails people what they have missed, once their batching period is over.

import { queueLetter } from "@/foundation/mail/actions.ts";
import type { MailedMessages } from "@/foundation/mail/hooks.ts";
import { allow, memberOf } from "@/foundation/permissions/access.ts";
import { isRealmOpen } from "@/foundation/realm/access.ts";
import { serverOptions } from "@/foundation/realm/schema.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { action } from "@/kernel/core/operation.ts";
import { nextSlice } from "@/kernel/lib/tasks.ts";
import { TimeUsed } from "@/kernel/lib/time-slices.ts";
import { findMessages, mayReadMessage } from "@/messaging/messages/access.ts";
import { flagsOf } from "@/messaging/receipts/access.ts";
import { lastActiveAt } from "@/personal/presence/access.ts";
import { lettersFor, type Missed } from "./letters.ts";
import { reasonFor } from "./reasons.ts";
import { missed } from "./schema.ts";
import * as store from "./store.ts";

export async function mailMissed(ctx: Ctx): Promise<void> {
  const used = new TimeUsed();
  for (const userId of store.listDue(ctx, ctx.db.clock.now(), missed.batchesAtOnce)) {
    await mailTo(ctx, userId);
    await nextSlice(used);
  }
}

const mailTo = action(allow.system, (tx, userId: number): void => {
  const messages = stillMissed(tx, userId);
  store.deleteBatch(tx, userId);
  if (messages.length === 0) return;
  for (const posting of lettersFor(tx, userId, messages)) queueLetter(tx, posting);
});

/** Whether a person may still read all these messages, which a mail to them quotes. */
export function mayBeMailed(ctx: Ctx, { userId, messageIds }: MailedMessages): boolean {
  const member = memberOf(ctx, userId);
  if (!member.is_active || !isRealmOpen(ctx)) return false;
  const rows = findMessages(ctx, messageIds);
  return rows.length === messageIds.length && rows.every((row) => mayReadMessage(ctx, member, row));
}

/** Noted messages to mail: the person may read them, wants mail about them, has not read them, and was not active since. */
function stillMissed(ctx: Ctx, userId: number): Missed[] {
  const member = memberOf(ctx, userId);
  if (!member.is_active || !isRealmOpen(ctx) || !serverOptions.read(ctx).sends_mail) return [];
  const activeAt = lastActiveAt(ctx, userId);
  const rows = findMessages(ctx, store.listMissed(ctx, userId, missed.maxKept)).filter(
    (row) => row.sent_at > activeAt && mayReadMessage(ctx, member, row),
  );
  const flags = flagsOf(ctx, userId, rows);
  return rows.flatMap((row) => {
    const own = flags.get(row.id) ?? [];
    const reason = own.includes("read") ? null : reasonFor(ctx, userId, { row, flags: own });
    return reason === null ? [] : [{ row, reason }];
  });
}
