import { listUnsentMails, type UnsentMail } from "@/foundation/mail/queries.ts";
import { timeText } from "../layout.ts";
import { screen } from "../screen.ts";

function nextText({ given_up_at, due_at }: UnsentMail): string {
  return given_up_at === null ? timeText(due_at) : "given up";
}

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
    { title: "TRIES", value: ({ attempts }) => String(attempts), right: true },
    {
      title: "NEXT (UTC)",
      value: nextText,
      whole: true,
      tone: ({ given_up_at }) => (given_up_at === null ? "plain" : "bad"),
    },
  ],
  facts: (_, row) => [
    ["To", row.recipient],
    ["Subject", row.subject],
    ["Queued", timeText(row.queued_at)],
    ["Attempts", String(row.attempts)],
    ["Next", nextText(row)],
    ["The mail server answered", row.answer ?? ""],
  ],
});
