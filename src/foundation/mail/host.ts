import type { Db } from "@/kernel/context.ts";
import { type MailServer, mailing, type Send } from "./transport.ts";

const timeouts = { connectionTimeout: 15_000, greetingTimeout: 15_000, socketTimeout: 30_000 };

/** From now on, this process sends the waiting mails. */
export function setMailServer({ db }: { db: Db }, server: MailServer): void {
  mailing({ db }).send = senderBy(server);
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

/** Connects and, if the URL has a password, logs in. Returns null, or the problem as the end of a sentence. */
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
  [/WRONG_VERSION_NUMBER/, "it does not use TLS on this port: try smtp:// instead of smtps://"],
];

function refusalOf({ code, response, message }: Error & { code?: string; response?: string }): string {
  const answer = response?.trim();
  if (code === "EAUTH") return `refuses the user name or password (${answer ?? message})`;
  if (answer) return `refuses to take mails (${answer})`;
  const known = reasons.find(([sign]) => sign.test(`${code} ${message}`));
  return `does not answer (${known?.[1] ?? message})`;
}
