// The mail server this process sends by; nodemailer is loaded with the first mail.
import type { Db } from "@/kernel/db.ts";
import type { Mail } from "./schema.ts";

export interface MailServer {
  /** smtp:// or smtps://, with user and password where it wants them. */
  url: string;
  /** The address mails come from. */
  from: string;
}

export type Send = (mail: Pick<Mail, "recipient" | "subject" | "body">) => Promise<void>;

const senders = new WeakMap<Db, Send>();
const timeouts = { connectionTimeout: 15_000, greetingTimeout: 15_000, socketTimeout: 30_000 };

/** From now on this process sends what waits to be sent. */
export function setMailServer({ db }: { db: Db }, server: MailServer): void {
  senders.set(db, senderBy(server));
}

/** Null where this process has no mail server. */
export function senderOf({ db }: { db: Db }): Send | null {
  return senders.get(db) ?? null;
}

function senderBy({ url, from }: MailServer): Send {
  return async ({ recipient, subject, body }) => {
    const { createTransport } = await import("nodemailer");
    const transport = createTransport({ url, ...timeouts });
    try {
      const headers = { "Auto-Submitted": "auto-generated" };
      await transport.sendMail({ from, to: { name: "", address: recipient }, subject, text: body, headers });
    } finally {
      transport.close();
    }
  };
}

/** Whether the mail server has said that it will never take this mail, as for a recipient it does not know. */
export function isFinal(error: unknown): boolean {
  const { code, responseCode } = error as { code?: string; responseCode?: number };
  return (code === "EENVELOPE" || code === "EMESSAGE") && (responseCode ?? 0) >= 500;
}
