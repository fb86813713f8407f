import type { Db } from "@/kernel/context.ts";
import { type MailServer, type Send, senders } from "./transport.ts";

const timeouts = { connectionTimeout: 15_000, greetingTimeout: 15_000, socketTimeout: 30_000 };

/** From now on this process sends what waits to be sent. */
export function setMailServer({ db }: { db: Db }, server: MailServer): void {
  senders.set(db, senderBy(server));
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
