// The mail server this process sends by; nodemailer is loaded with the first mail.

import type { Mail } from "@/foundation/mail/schema.ts";
import type { Db } from "@/kernel/db.ts";

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

const tryPatienceMs = 5000;
const tryTimeouts = {
  connectionTimeout: tryPatienceMs,
  greetingTimeout: tryPatienceMs,
  socketTimeout: tryPatienceMs,
  dnsTimeout: tryPatienceMs,
};

/** Connects, and logs in where the address has a password, without a mail; the end of a sentence where that fails. */
export async function tryMailServer(url: string): Promise<string | null> {
  const { createTransport } = await import("nodemailer");
  const transport = createTransport({ url, ...tryTimeouts });
  try {
    await transport.verify();
    return null;
  } catch (error) {
    return refusalOf(error as Error & { code?: string; response?: string });
  } finally {
    transport.close();
  }
}

const reasons: [sign: RegExp, reason: string][] = [
  [/ECONNREFUSED/, "the connection is refused"],
  [/ENOTFOUND|EAI_AGAIN/, "there is no such host"],
  [/ETIMEDOUT|timeout|Greeting never received/i, `no answer within ${tryPatienceMs / 1000} seconds`],
  [/WRONG_VERSION_NUMBER/, "it speaks no TLS at this port: try smtp:// instead of smtps://"],
];

function refusalOf({ code, response, message }: Error & { code?: string; response?: string }): string {
  const answer = response?.trim();
  if (code === "EAUTH") return `refuses the user name or password (${answer ?? message})`;
  if (answer) return `refuses to take mails (${answer})`;
  const known = reasons.find(([sign]) => sign.test(`${code} ${message}`));
  return `does not answer (${known?.[1] ?? message})`;
}
