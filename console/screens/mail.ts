import { listUnsentMails, type UnsentMail } from "@/foundation/mail/queries.ts";
import { discardMail, tryMailNow } from "../changes/organization.ts";
import { toAddress } from "../jumps.ts";
import { timeText } from "../layout.ts";
import { numberColumn, screen, timeColumn } from "../screen.ts";

const givenUp = "given up";

export const mail = screen<UnsentMail>({
  key: "Q",
  title: "Mail",
  area: "Server",
  about: "mails that wait, or could not be delivered",
  empty: "No mail waits.",
  rows: ({ ctx }) => listUnsentMails(ctx()),
  id: ({ id }) => id,
  name: ({ subject }) => subject,
  copies: ({ recipient }) => recipient,
  columns: [
    { title: "TO", value: ({ recipient }) => recipient },
    { title: "SUBJECT", value: ({ subject }) => subject, grow: true },
    numberColumn("TRIES", ({ attempts }) => attempts),
    {
      ...timeColumn("NEXT", ({ given_up_at, due_at }) => (given_up_at === null ? due_at : null), givenUp),
      tone: ({ given_up_at }) => (given_up_at === null ? "plain" : "bad"),
    },
  ],
  facts: ({ ctx }, row) => [
    ["To", row.recipient, toAddress(ctx(), row.recipient)],
    ["Subject", row.subject],
    ["Queued", timeText(row.queued_at)],
    ["Attempts", String(row.attempts)],
    ["Next", row.given_up_at === null ? timeText(row.due_at) : givenUp],
    ["The mail server answered", row.answer ?? ""],
  ],
  rowActions: [
    {
      key: "t",
      title: ({ given_up_at }) => (given_up_at === null ? "try now" : null),
      async run(ctx, { id, recipient }) {
        await tryMailNow(ctx, id);
        return { message: `The running server tries the mail to ${recipient} again now.` };
      },
    },
    {
      key: "d",
      title: () => "discard",
      confirm: ({ subject, recipient }) => `Discard the mail to ${recipient} without sending it: ${subject}?`,
      async run(ctx, { id, recipient }) {
        await discardMail(ctx, id);
        return { message: `Discarded the mail to ${recipient}.` };
      },
    },
  ],
});
