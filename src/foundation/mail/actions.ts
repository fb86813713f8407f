import { recordAudit } from "@/foundation/audit/actions.ts";
import { allow, memberOf } from "@/foundation/permissions/access.ts";
import { realmSettings } from "@/foundation/realm/schema.ts";
import { newKey } from "@/foundation/secrets/secrets.ts";
import { userFor } from "@/foundation/users/access.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { action, operation } from "@/kernel/core/operation.ts";
import { fail, failInEnglish } from "@/kernel/lib/errors.ts";
import { subscriptionOf, tokenFor, unsubscribeSecret } from "./access.ts";
import { mailHooks } from "./hooks.ts";
import { composeLetter } from "./letters.ts";
import { brokenLink, type MailHeaders, type MailKind, type MailLetter } from "./schema.ts";
import * as store from "./store.ts";
import { mailing } from "./transport.ts";

/** Sends a short mail to the owner who asks; `problem` is what the mail server said, as the end of a sentence, and null if it took the mail. */
export const testMail = operation(
  allow.owner,
  async (ctx): Promise<{ recipient: string; problem: string | null }> => {
    const { test } = mailing(ctx);
    if (!test)
      return fail("BAD_REQUEST", "This server sends no mail: its operator has named no mail server.");
    const { delivery_email: recipient } = userFor(ctx, ctx.actor.id);
    return { recipient, problem: await test(ctx, recipient) };
  },
);

/** Turns off the mails of an unsubscribe link. */
export const unsubscribe = action(allow.anyone, (tx, token: string): MailKind => {
  const found = subscriptionOf(tx, token);
  if (!found || !memberOf(tx, found.userId).is_active) {
    fail("MISSING", brokenLink);
  }
  mailHooks.unsubscribed(tx, found);
  return found.kind;
});

export interface MailPosting {
  letter: MailLetter;
  recipient: string;
  /** The user who caused the mail, or the one it is about; notified if it cannot be delivered. */
  sender_id: number;
  /** Whose mail it is: it is withdrawn if they are deactivated or have another address by the time it is sent. */
  reader_id?: number;
  /** False to notify nobody. */
  tells_sender?: boolean;
  /** UNIX seconds after which it must not be sent. */
  expires_at?: number | null;
  from_name?: string;
  /** An ID for the thread of the mail; up to 64 letters, digits and hyphens. */
  thread?: string;
  list?: { id: string; name: string };
  /** The user who can unsubscribe, and from what. */
  unsubscribe?: { userId: number; kind: MailKind };
  /** Messages that the mail tells its reader: if one is deleted, or the reader may not read one, the mail is withdrawn. */
  quotes?: readonly number[];
}

/** Queues a mail, as part of another action; returns the ID for `withdrawMail`. */
export function queueLetter(tx: Tx, posting: MailPosting): number {
  const { letter, recipient, sender_id, tells_sender = true, expires_at = null, quotes = [] } = posting;
  const { reader_id = null } = posting;
  const headers = headersOf(tx, posting);
  const { name } = realmSettings.read(tx);
  const { text, html } = composeLetter(letter, {
    organization: name,
    site: tx.env.site,
    unsubscribe: headers.unsubscribe,
  });
  const { subject } = letter;
  const mail = {
    recipient,
    subject,
    body: text,
    html,
    headers,
    sender_id,
    reader_id,
    tells_sender,
    expires_at,
  };
  const id = store.insertMail(tx, mail);
  if (quotes.length > 0) store.insertQuoted(tx, id, quotes);
  return id;
}

function headersOf(tx: Tx, { from_name, thread, list, unsubscribe }: MailPosting): MailHeaders {
  const host = new URL(tx.env.site).hostname.replaceAll(/[[\]]/g, "");
  return {
    from_name: from_name ?? realmSettings.read(tx).name,
    message_id: `<${newKey()}@${host}>`,
    ...(thread !== undefined && { thread: `<${thread}@${host}>` }),
    ...(list && { list: { id: `${list.id}.${host}`, name: list.name } }),
    ...(unsubscribe && {
      unsubscribe: `${tx.env.site}/mail/unsubscribe/${tokenFor(unsubscribe, secretOf(tx))}`,
    }),
  };
}

/** The key for unsubscribe links; created with the first link. */
function secretOf(tx: Tx): Uint8Array {
  const known = store.findSecret(tx, unsubscribeSecret);
  if (known) return known;
  const made = crypto.getRandomValues(new Uint8Array(32));
  store.insertSecret(tx, unsubscribeSecret, made);
  return made;
}

/** Removes a queued mail, unless it has been sent already. */
export function withdrawMail(tx: Tx, id: number): void {
  store.deleteMail(tx, id);
}

/** Removes the queued mails that quote one of these messages. */
export function withdrawQuoting(tx: Tx, messageIds: readonly number[]): void {
  store.deleteQuoting(tx, messageIds);
}

/** Makes a waiting mail due now; the server tries it again within a second or two. */
export const tryMailNow = action(allow.admin, (tx, id: number): void => {
  const mail = store.findMail(tx, id) ?? failInEnglish("MISSING", "This mail is not waiting any more.");
  if (mail.given_up_at !== null)
    failInEnglish("BAD_REQUEST", "The text of a mail that was given up is not kept.");
  store.setDue(tx, id, tx.now);
});

/** Deletes a waiting or failed mail; it is not sent. */
export const discardMail = action(allow.admin, (tx, id: number): void => {
  const mail = store.findMail(tx, id) ?? failInEnglish("MISSING", "This mail is not waiting any more.");
  store.deleteMail(tx, id);
  recordAudit(tx, {
    event: "mail_discarded",
    about: { kind: "mail", id, name: mail.recipient },
    data: { subject: mail.subject },
  });
});

/** Removes the mails to these addresses, in lower case: those that wait, and those that were given up. */
export function withdrawMailsTo(tx: Tx, addresses: readonly string[]): void {
  for (const id of store.listMailsTo(tx, addresses)) store.deleteMail(tx, id);
}

/** Part of erasing a person: deletes the places from which they signed in, at most `max`. Returns how many it deleted. */
export function forgetSomeLogins(tx: Tx, userId: number, max: number): number {
  return store.deleteSomeLogins(tx, userId, max);
}
