// The mail server of this process; nodemailer is loaded with the first mail.

import type { Mail } from "@/foundation/mail/schema.ts";
import type { Ctx, Reads } from "@/kernel/core/context.ts";
import { perApp } from "@/kernel/store/per-app.ts";

export interface MailServer {
  /** smtp:// or smtps://, with user and password if the server needs them. */
  url: string;
  /** The sender's address of all mails. */
  from: string;
}

export type OutgoingMail = Pick<Mail, "recipient" | "subject" | "body" | "html" | "headers">;

/** Sends mails one by one, over one connection as long as the server keeps it. */
export interface MailSender {
  send(mail: OutgoingMail): Promise<void>;
  close(): void;
}

interface Mailing {
  open: (() => Promise<MailSender>) | null;
  /** Sends a short mail at once; resolves with null, or with what the mail server said, as the end of a sentence. */
  test: ((ctx: Ctx, recipient: string) => Promise<string | null>) | null;
}

export const mailing = perApp((): Mailing => ({ open: null, test: null }));

/** Opens a connection for some mails; null if this process has no mail server. */
export function senderOf(reads: Reads): (() => Promise<MailSender>) | null {
  return mailing(reads).open;
}

/** Whether an error is permanent, for instance because the recipient is unknown. */
export function isFinal(error: unknown): boolean {
  const { code, responseCode } = error as { code?: string; responseCode?: number };
  return (code === "EENVELOPE" || code === "EMESSAGE") && (responseCode ?? 0) >= 500;
}

/** Whether an error is what the mail server answered. */
export function isAnswer(error: unknown): boolean {
  return typeof (error as { responseCode?: unknown }).responseCode === "number";
}

/** Whether an error concerns all mails, not only this recipient. */
export function isServerDown(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  // Without a code of the connection, something is wrong with the mail itself.
  if (typeof code !== "string" || /^ERR_(?!TLS|SSL)/.test(code)) return false;
  return code !== "EENVELOPE" && code !== "EMESSAGE";
}
