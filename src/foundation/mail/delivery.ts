// Sends waiting mails, retries, and notifies the sender of the first failure and of the last.

import { noteAnswer } from "@/foundation/last-answers/actions.ts";
import { allow, memberOf } from "@/foundation/permissions/access.ts";
import { sendNotice } from "@/foundation/realm/hooks.ts";
import { translatorTo } from "@/foundation/user-settings/access.ts";
import { userFor } from "@/foundation/users/access.ts";
import type { Ctx, Tx } from "@/kernel/core/context.ts";
import { action } from "@/kernel/core/operation.ts";
import { departures } from "@/kernel/events/departures.ts";
import { oneAtATime, perApp } from "@/kernel/store/per-app.ts";
import { quote } from "@/text/quoting/quoting.ts";
import { mailHooks } from "./hooks.ts";
import { delivery } from "./schema.ts";
import type { MailRow } from "./store.ts";
import * as store from "./store.ts";
import { isAnswer, isFinal, isServerDown, type MailSender, senderOf } from "./transport.ts";

interface Connection {
  /** Null while nothing is sent. */
  sender: MailSender | null;
}

const connectionOf = perApp((): Connection => ({ sender: null }));

/** Sends the mails that are due. Does nothing while an earlier run is still sending. */
export const deliverMails = oneAtATime(async (ctx: Ctx): Promise<void> => {
  const open = senderOf(ctx);
  if (!open || !store.hasDue(ctx, ctx.db.clock.now())) return;
  const connection = connectionOf(ctx);
  const sender = await open();
  connection.sender = sender;
  try {
    await sendDue(ctx);
  } finally {
    connection.sender = null;
    sender.close();
  }
});

/** Round-robin over those who caused them: hundreds of invitations must not delay somebody's link for a new password. */
const sendDue = departures<number>({
  limits: delivery.limits,
  keyOf: (id) => id,
  listHosts: () => ["mail server"],
  listOwners: (ctx, _, above, max) => store.listSenders(ctx, above, { now: ctx.db.clock.now(), max }),
  listDue: (ctx, _, owner, max) => store.listDue(ctx, owner, { now: ctx.db.clock.now(), max }),
  async send(ctx, id) {
    const refusal = await deliver(ctx, id);
    // The mail server does not work, so do not try the other mails one by one.
    if (refusal) await putOffAll(ctx, refusal);
  },
  giveUp: (ctx, id) => giveUp(ctx, id),
});

interface MailRefusal {
  reason: string;
  isFinal: boolean;
}

/** Returns the refusal if it concerns all mails. */
async function deliver(ctx: Ctx, id: number): Promise<MailRefusal | null> {
  const { sender } = connectionOf(ctx);
  // The mail may have been withdrawn in the meantime.
  const mail = store.findMail(ctx, id);
  if (!sender || !mail || mail.given_up_at !== null) return null;
  const isInTime = mail.expires_at === null || mail.expires_at > ctx.db.clock.now();
  if (!isInTime || !isStillMeant(ctx, mail)) {
    await withdraw(ctx, id);
    return null;
  }
  try {
    await sender.send(mail);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const isDown = isServerDown(error);
    // A mail with a fault of its own never reached the server.
    const isAnswered = isDown ? false : isAnswer(error) || null;
    const refusal = await putOff(ctx, { id, reason, isFinal: isFinal(error), isAnswered });
    return isDown ? refusal : null;
  }
  await finish(ctx, id);
  return null;
}

/** Whether the reader may get it now: it may have waited for days. */
function isStillMeant(ctx: Ctx, { id, reader_id, recipient }: MailRow): boolean {
  if (reader_id === null) return true;
  const { is_active, delivery_email } = userFor(ctx, reader_id);
  if (!is_active || delivery_email.toLowerCase() !== recipient.toLowerCase()) return false;
  const messageIds = store.listQuoted(ctx, id);
  return (
    messageIds.length === 0 || mailHooks.mayBeMailed(ctx, { userId: reader_id, messageIds }).every(Boolean)
  );
}

async function putOffAll(ctx: Ctx, refusal: MailRefusal): Promise<void> {
  for (;;) {
    const ids = store.listAllDue(ctx, ctx.db.clock.now(), delivery.putOffAtOnce);
    if (ids.length === 0) return;
    await Promise.all(ids.map((id) => putOff(ctx, { ...refusal, id, isAnswered: null })));
  }
}

const finish = action(allow.system, (tx, id: number): void => {
  store.deleteMail(tx, id);
  noteAnswer(tx, "mail", true);
});

const withdraw = action(allow.system, (tx, id: number): void => store.deleteMail(tx, id));

/** Gives up a mail that a fault of this server keeps from being sent. */
const giveUp = action(allow.system, (tx, id: number): void => {
  const reason = "a fault of the server, which is in its log";
  store.setGivenUp(tx, id, reason);
  const outline = store.findOutline(tx, id);
  if (outline) notify(tx, outline, { reason, isLast: true });
});

interface Attempt extends MailRefusal {
  id: number;
  /** Whether the mail server answered; null if nobody asked it. */
  isAnswered: boolean | null;
}

const putOff = action(allow.system, (tx, { id, isAnswered, ...refusal }: Attempt): MailRefusal => {
  noteAnswer(tx, "mail", isAnswered);
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

function notify(tx: Tx, mail: store.Outline, { reason, isLast }: { reason: string; isLast: boolean }): void {
  if (!mail.tells_sender || !memberOf(tx, mail.sender_id).is_active) return;
  const { t, say } = translatorTo(tx, mail.sender_id);
  const { recipient: address, subject } = mail;
  const news = isLast
    ? t("A mail to {address} could not be delivered: {subject}", { address, subject })
    : t("A mail to {address} waits, because the mail server did not take it: {subject}", {
        address,
        subject,
      });
  const end = isLast
    ? ""
    : `\n${t("The server keeps trying for two days; `confab mail list` shows what waits.")}`;
  // The answer of a mail server stays as it is.
  const why = quote(say({ inEnglish: reason, text: reason, values: {} }));
  const content = `${news}\n${why}${end}`;
  sendNotice(tx, { to: { people: [mail.sender_id] }, content });
}
