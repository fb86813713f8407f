// Sends waiting mails, retries, and notifies the sender if a mail cannot be delivered.

import { allow, memberOf } from "@/foundation/permissions/access.ts";
import { sendNotice } from "@/foundation/realm/hooks.ts";
import type { Ctx } from "@/kernel/context.ts";
import { action } from "@/kernel/operation.ts";
import { oneAtATime } from "@/kernel/per-app.ts";
import { quoted } from "@/text/quoting/quoting.ts";
import { delivery } from "./schema.ts";
import type { MailRow } from "./store.ts";
import * as store from "./store.ts";
import { isFinal, type Send, senderOf } from "./transport.ts";

/** Sends the mails that are due, one run at a time, even if the mail server is slow. */
export const deliverMails = oneAtATime(async (ctx: Ctx): Promise<void> => {
  const send = senderOf(ctx);
  if (!send) return;
  const due = store.listDue(ctx, ctx.db.clock.now(), delivery.atOnce);
  for (const mail of due) await deliver(ctx, mail, send);
});

async function deliver(ctx: Ctx, mail: MailRow, send: Send): Promise<void> {
  // It may have been withdrawn while others were sent.
  if (!store.findMail(ctx, mail.id)) return;
  if (mail.expires_at !== null && mail.expires_at <= ctx.db.clock.now()) return finish(ctx, mail.id);
  try {
    await send(mail);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return putOff(ctx, { id: mail.id, reason, isFinal: isFinal(error) });
  }
  await finish(ctx, mail.id);
}

const finish = action(allow.system, (tx, id: number): void => store.deleteMail(tx, id));

const putOff = action(
  allow.system,
  (tx, { id, reason, isFinal }: { id: number; reason: string; isFinal: boolean }): void => {
    const mail = store.findMail(tx, id);
    if (!mail) return;
    const pause = isFinal ? undefined : delivery.pauses[mail.attempts];
    if (pause !== undefined) {
      store.setPutOff(tx, id, tx.now + pause);
      return;
    }

    store.deleteMail(tx, id);
    if (!memberOf(tx, mail.sender_id).is_active) return;
    const content = `A mail to ${mail.recipient} could not be delivered: ${mail.subject}\n${quoted(reason)}`;
    sendNotice(tx, { to: { people: [mail.sender_id] }, content });
  },
);
