import { translatorToAll } from "@/foundation/realm/access.ts";
import { realmSettings } from "@/foundation/realm/schema.ts";
import type { Ctx, Db } from "@/kernel/core/context.ts";
import { composeLetter } from "./letters.ts";
import type { MailHeaders } from "./schema.ts";
import { type MailSender, type MailServer, mailing, type OutgoingMail } from "./transport.ts";

const timeouts = { connectionTimeout: 15_000, greetingTimeout: 15_000, socketTimeout: 30_000 };

/** Lets this process send the queued mails. */
export function setMailServer({ db }: { db: Db }, server: MailServer): void {
  const own = mailing({ db });
  own.open = () => senderFor(server);
  own.test = (ctx, recipient) => sendTestMail(ctx, server, recipient);
}

/** A connection to a mail server, opened with the first mail. */
async function senderFor(
  { url, from }: MailServer,
  patience: typeof timeouts = timeouts,
): Promise<MailSender> {
  const { createTransport } = await import("nodemailer");
  const transport = createTransport({ url, ...patience, pool: true, maxConnections: 1 });
  return {
    async send(mail) {
      const { html, body: text, subject, headers } = mail;
      await transport.sendMail({
        from: { name: headers.from_name ?? "", address: from },
        to: { name: "", address: mail.recipient },
        subject,
        text,
        ...(html !== null && { html }),
        ...toHeaders(headers),
      });
    },
    close: () => transport.close(),
  };
}

/** The headers in nodemailer's form. */
function toHeaders({ message_id, thread, list, unsubscribe }: MailHeaders): object {
  return {
    ...(message_id !== undefined && { messageId: message_id }),
    ...(thread !== undefined && { inReplyTo: thread, references: thread }),
    ...(list && { list: { id: { url: list.id, comment: list.name } } }),
    headers: {
      "Auto-Submitted": "auto-generated",
      // Keeps mail servers from answering "out of office".
      "X-Auto-Response-Suppress": "All",
      ...(unsubscribe !== undefined && {
        "List-Unsubscribe": `<${unsubscribe}>`,
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
      }),
    },
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
    return refusalOf(error);
  } finally {
    transport.close();
  }
}

/** Sends a short mail at once. Returns null, or what the mail server said, as the end of a sentence. */
export async function sendTestMail(ctx: Ctx, server: MailServer, recipient: string): Promise<string | null> {
  const sender = await senderFor(server, tryTimeouts);
  try {
    await sender.send(testMail(ctx, recipient));
    return null;
  } catch (error) {
    return refusalOf(error);
  } finally {
    sender.close();
  }
}

function testMail(ctx: Ctx, recipient: string): OutgoingMail {
  const { name: organization } = realmSettings.read(ctx);
  const { site } = ctx.env;
  const translator = translatorToAll(ctx);
  const { t } = translator;
  const subject = t("Test mail from {organization}", { organization });
  const letter = {
    translator,
    subject,
    heading: t("Mail works"),
    blocks: [
      {
        text: t("{organization} can send mail: this one was sent to try that.", {
          organization,
        }),
      },
      { label: t("Open {organization}", { organization }), url: site },
    ],
  };
  const { text: body, html } = composeLetter(letter, { organization, site });
  return { recipient, subject, body, html, headers: { from_name: organization } };
}

const reasons: [sign: RegExp, reason: string][] = [
  [/ECONNREFUSED/, "the connection is refused"],
  [/ENOTFOUND|EAI_AGAIN|EDNS/, "there is no such host"],
  [/ETIMEDOUT|timeout|Greeting never received/i, `no answer within ${tryPatienceMs / 1000} seconds`],
  [/WRONG_VERSION_NUMBER/, "it does not use TLS on this port: try smtp:// instead of smtps://"],
];

function refusalOf(error: unknown): string {
  const { code, response, message } = error as Error & { code?: string; response?: string };
  const answer = response?.trim();
  if (code === "EAUTH") return `refuses the user name or password (${answer ?? message})`;
  if (answer) return `refuses to take mails (${answer})`;
  const known = reasons.find(([sign]) => sign.test(`${code} ${message}`));
  return `does not answer (${known?.[1] ?? message})`;
}
