// The mail server of this process; nodemailer is loaded with the first mail.

import type { Mail } from "@/foundation/mail/schema.ts";
import type { Reads } from "@/kernel/context.ts";
import { perApp } from "@/kernel/per-app.ts";

export interface MailServer {
  /** smtp:// or smtps://, with user and password if needed. */
  url: string;
  /** The sender's address of all mails. */
  from: string;
}

export type Send = (mail: Pick<Mail, "recipient" | "subject" | "body">) => Promise<void>;

export const mailing = perApp((): { send: Send | null } => ({ send: null }));

/** Null if this process has no mail server. */
export function senderOf(reads: Reads): Send | null {
  return mailing(reads).send;
}

/** Whether the mail server has rejected a mail for good, for instance because of an unknown recipient. */
export function isFinal(error: unknown): boolean {
  const { code, responseCode } = error as { code?: string; responseCode?: number };
  return (code === "EENVELOPE" || code === "EMESSAGE") && (responseCode ?? 0) >= 500;
}
