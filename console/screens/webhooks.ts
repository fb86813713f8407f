import { listWaitingCalls } from "@/outside/webhooks/queries.ts";
import { discardCall, tryCallNow } from "../changes/organization.ts";
import { messageText, toAccount, toMessage } from "../jumps.ts";
import { timeText } from "../layout.ts";
import { userNames } from "../names.ts";
import { numberColumn, screen, timeColumn } from "../screen.ts";

type Row = ReturnType<typeof listWaitingCalls>[number] & { bot: string; where: string };

const reasons: Readonly<Record<string, string>> = {
  mention: "it was mentioned",
  direct_message: "a direct message",
};

export const webhooks = screen<Row>({
  key: "W",
  title: "Webhooks",
  area: "Server",
  about: "calls of outgoing webhooks that wait",
  empty: "No call waits.",
  rows({ ctx }) {
    const nameOf = userNames(ctx());
    return listWaitingCalls(ctx()).map((call) => ({
      ...call,
      bot: nameOf(call.bot_id),
      where: messageText(ctx(), call.message_id),
    }));
  },
  id: ({ id }) => id,
  name: ({ bot }) => bot,
  copies: ({ message_id }) => String(message_id),
  columns: [
    { title: "BOT", value: ({ bot }) => bot },
    { title: "BECAUSE", value: ({ trigger }) => reasons[trigger] ?? trigger, grow: true },
    { title: "MESSAGE", value: ({ where }) => where },
    { ...numberColumn("TRIES", ({ tries }) => tries), tone: ({ tries }) => (tries > 0 ? "warn" : "plain") },
    timeColumn("NEXT", ({ due_at }) => due_at),
  ],
  facts: ({ ctx }, row) => [
    ["Bot", row.bot, toAccount(ctx(), row.bot_id)],
    ["Because", reasons[row.trigger] ?? row.trigger],
    ["Message", row.where, toMessage(ctx(), row.message_id)],
    ["Tries", String(row.tries)],
    ["Next", timeText(row.due_at)],
  ],
  rowActions: [
    {
      key: "t",
      title: () => "try now",
      async run(ctx, { id, bot }) {
        await tryCallNow(ctx, id);
        return { message: `The running server calls ${bot} again now.` };
      },
    },
    {
      key: "d",
      title: () => "discard",
      confirm: ({ bot, where }) => `Discard the call of ${bot} about a message in ${where}?`,
      async run(ctx, { id, bot }) {
        await discardCall(ctx, id);
        return { message: `Discarded the call of ${bot}.` };
      },
    },
  ],
});
