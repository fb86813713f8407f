import { z } from "zod";
import { listUnsentMails, type UnsentMail } from "@/foundation/mail/queries.ts";
import { emailAddress } from "@/foundation/users/schema.ts";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import { operand } from "../args.ts";
import { command, standalone } from "../command.ts";
import { asReader } from "../organization.ts";
import { table, timeText } from "../output.ts";
import { serverSettings, settingsOfFile } from "../settings.ts";

const timeOf = (seconds: number) => new Date(seconds * 1000).toISOString();

const shape = z.object({
  mail_id: z.int(),
  recipient: z.string(),
  subject: z.string(),
  queued: z.iso.datetime(),
  attempts: z.int(),
  next_attempt: z.iso.datetime().nullable(),
  answer: z.string().nullable(),
});

const presentMail = ({
  id,
  recipient,
  subject,
  queued_at,
  attempts,
  due_at,
  answer,
  given_up_at,
}: UnsentMail) => ({
  mail_id: id,
  recipient,
  subject,
  queued: timeOf(queued_at),
  attempts,
  next_attempt: given_up_at === null ? timeOf(due_at) : null,
  answer,
});

const { smtp_url, mail_from } = serverSettings;

export default [
  command({
    name: "mail list",
    isUnaudited: true,
    summary: "List mails that wait, and what the mail server answered",
    about:
      "Lists the mails that have not been sent: those that wait for the server's next attempt, and those of the last week " +
      "that could not be delivered.",
    examples: ["confab mail list", "confab mail list --json"],
    args: {},
    result: z.array(shape),
    run: (ctx) => listUnsentMails(ctx).map(presentMail),
    print: (mails) =>
      mails.length === 0
        ? "No mail waits."
        : table(
            ["TO", "SUBJECT", "ATTEMPTS", "NEXT (UTC)", "THE MAIL SERVER ANSWERED"],
            mails.map(({ recipient, subject, attempts, next_attempt, answer }) => [
              recipient,
              subject,
              String(attempts),
              next_attempt === null ? "given up" : timeText(Date.parse(next_attempt) / 1000),
              answer ?? "",
            ]),
          ),
  }),

  standalone({
    name: "mail test",
    summary: "Send a mail now, and say what the mail server answers",
    about:
      "Sends a short mail to an address, directly, not through the queue, with the mail server of confab.toml, of the " +
      "environment or of --smtp-url. Says what the mail server answered if it does not take it.",
    examples: [
      "confab mail test ada@example.com",
      "confab mail test ada@example.com --smtp-url smtp://localhost:2525",
    ],
    actsAs: true,
    args: { address: operand("EMAIL", emailAddress, "where to send it"), smtp_url, mail_from },
    result: z.object({ server: z.string(), recipient: z.string(), from: z.string() }),
    settings: settingsOfFile,
    async run({ dataDir, as, show }, { address, smtp_url: url, mail_from: given }) {
      if (url === undefined) {
        fail(
          "BAD_REQUEST",
          "no mail server is set: put smtp_url into confab.toml, or name one with --smtp-url, such as smtps://USER:PASSWORD@HOST.",
        );
      }
      await asReader({ dataDir, as }, async (ctx) => {
        const [{ localAddress }, { sendTestMail }] = await Promise.all([
          import("@/foundation/realm-administration/queries.ts"),
          import("@/foundation/mail/host.ts"),
        ]);
        const from = given ?? localAddress(ctx, { name: "noreply", site: ctx.env.site });
        const problem = await sendTestMail(ctx, { url, from }, address);
        const { host } = new URL(url);
        if (problem !== null) fail("BAD_REQUEST", `${host} ${problem}.`);
        await show({ server: host, recipient: address, from });
      });
    },
    json: (sent) => sent,
    print: ({ server, recipient, from }: { server: string; recipient: string; from: string }) =>
      `${server} took a mail from ${from} to ${recipient}. Whether it arrives, only the inbox shows; look into its spam folder, too.`,
  }),
];
