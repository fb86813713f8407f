// The mail server this process sends by; nodemailer is loaded with the first mail.

import type { Mail } from "@/foundation/mail/schema.ts";
import type { Db } from "@/kernel/context.ts";

export interface MailServer {
  /** smtp:// or smtps://, with user and password where it wants them. */
  url: string;
  /** The address mails come from. */
  from: string;
}

export type Send = (mail: Pick<Mail, "recipient" | "subject" | "body">) => Promise<void>;

export const senders = new WeakMap<Db, Send>();

/** Null where this process has no mail server. */
export function senderOf({ db }: { db: Db }): Send | null {
  return senders.get(db) ?? null;
}

/** Whether the mail server has said that it will never take this mail, as for a recipient it does not know. */
export function isFinal(error: unknown): boolean {
  const { code, responseCode } = error as { code?: string; responseCode?: number };
  return (code === "EENVELOPE" || code === "EMESSAGE") && (responseCode ?? 0) >= 500;
}
