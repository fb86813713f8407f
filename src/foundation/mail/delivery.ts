// Sends waiting mails, retries, and notifies the sender of the first failure and of the last.

import { allow, memberOf } from "@/foundation/permissions/access.ts";
import { sendNotice } from "@/foundation/realm/hooks.ts";
import type { Ctx, Tx } from "@/kernel/context.ts";
import { action } from "@/kernel/operation.ts";
import { oneAtATime } from "@/kernel/per-app.ts";
import { quoted } from "@/text/quoting/quoting.ts";
import { delivery } from "./schema.ts";
import type { MailRow } from "./store.ts";
import * as store from "./store.ts";
import { isFinal, isServerDown, type Sender, senderOf } from "./transport.ts";

/** Sends the mails that are due. Does nothing while an earlier run is still sending. */
export const deliverMails = oneAtATime(async (ctx: Ctx): Promise<void> => {
  const open = senderOf(ctx);
  if (!open) return;
  const due = store.listDue(ctx, ctx.db.clock.now(), delivery.atOnce);
  if (due.length > 0) await deliverAll(ctx, due, await open());
});

async function deliverAll(ctx: Ctx, due: readonly MailRow[], sender: Sender): Promise<void> {
  try {
    for (const [place, { id }] of due.entries()) {
      const refusal = await deliver(ctx, id, sender);
      if (!refusal) continue;
      // The mail server does not work, so do not try the other mails one by one.
      for (const other of due.slice(place + 1)) await putOff(ctx, { ...refusal, id: other.id });
      return;
    }
  } finally {
    sender.close();
  }
}

interface Refusal {
  reason: string;
  isFinal: boolean;
}

/** Returns the refusal if it concerns all mails. */
async function deliver(ctx: Ctx, id: number, sender: Sender): Promise<Refusal | null> {
  // The mail may have been withdrawn in the meantime.
  const mail = store.findMail(ctx, id);
  if (!mail || mail.given_up_at !== null) return null;
  if (mail.expires_at === null || mail.expires_at > ctx.db.clock.now()) {
    try {
      await sender.send(mail);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const refusal = await putOff(ctx, { id, reason, isFinal: isFinal(error) });
      return isServerDown(error) ? refusal : null;
    }
  }
  await finish(ctx, id);
  return null;
}

const finish = action(allow.system, (tx, id: number): void => store.deleteMail(tx, id));

const putOff = action(allow.system, (tx, { id, ...refusal }: Refusal & { id: number }): Refusal => {
  const mail = store.findMail(tx, id);
  if (!mail || !store.isDue(mail, tx.now)) return refusal;
  const pause = refusal.isFinal ? undefined : delivery.pauses[mail.attempts];
  if (pause !== undefined) {
    store.setPutOff(tx, id, { due_at: tx.now + pause, answer: refusal.reason });
    if (mail.attempts === 0) notify(tx, mail, { reason: refusal.reason, isLast: false });
    return refusal;
  }

  store.setGivenUp(tx, id, refusal.reason);
  store.deleteGivenUpBefore(tx, tx.now - delivery.keptSeconds);
  notify(tx, mail, { reason: refusal.reason, isLast: true });
  return refusal;
});

function notify(tx: Tx, mail: MailRow, { reason, isLast }: { reason: string; isLast: boolean }): void {
  if (!mail.tells_sender || !memberOf(tx, mail.sender_id).is_active) return;
  const news = isLast
    ? `A mail to ${mail.recipient} could not be delivered: ${mail.subject}`
    : `A mail to ${mail.recipient} waits, because the mail server did not take it: ${mail.subject}`;
  const end = isLast ? "" : "\nThe server keeps trying for two days; `confab mail list` shows what waits.";
  sendNotice(tx, { to: { people: [mail.sender_id] }, content: `${news}\n${quoted(reason)}${end}` });
}
