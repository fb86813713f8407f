// The mail server of this process; nodemailer is loaded with the first mail.

import type { Mail } from "@/foundation/mail/schema.ts";
import type { Db } from "@/kernel/context.ts";

export interface MailServer {
  /** smtp:// or smtps://, with user and password if needed. */
  url: string;
  /** The sender's address of all mails. */
  from: string;
}

export type Send = (mail: Pick<Mail, "recipient" | "subject" | "body">) => Promise<void>;

export const senders = new WeakMap<Db, Send>();

/** Null if this process has no mail server. */
export function senderOf({ db }: { db: Db }): Send | null {
  return senders.get(db) ?? null;
}

/** Whether the mail server has rejected a mail for good, for instance because of an unknown recipient. */
export function isFinal(error: unknown): boolean {
  const { code, responseCode } = error as { code?: string; responseCode?: number };
  return (code === "EENVELOPE" || code === "EMESSAGE") && (responseCode ?? 0) >= 500;
}
