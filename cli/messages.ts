import { z } from "zod";
import { sendMessage } from "@/messages/actions.ts";
import { operand, option } from "./args.ts";
import { command, misused } from "./command.ts";
import { readInput } from "./input.ts";

const someone = z.string().trim().min(1, "name a channel, or addresses separated by commas");
const fromInput = "-";

export default [
  command({
    name: "message send",
    summary: "Send a message to a channel or to people",
    examples: [
      "confab message send --to design --topic colours 'Blue it is.'",
      "confab message send --to ada@example.com,gus@example.com 'Lunch at noon?'",
      "df -h | confab message send --to ops --topic disks -",
    ],
    args: {
      to: option("WHERE", someone, "a channel's name; or, without --topic, addresses separated by commas"),
      topic: option("TOPIC", z.string().optional(), "topic within the channel; '' is the general chat"),
      content: operand(
        "CONTENT",
        z.string(),
        `the message, in Markdown; ${fromInput} reads it from standard input`,
      ),
    },
    run: async (ctx, { to, topic, content }) => {
      const place = placeOf(to, topic);
      const text = content === fromInput ? await readInput() : content;
      return sendMessage(ctx, { ...place, content: text, read_by_sender: true });
    },
    print: ({ id }) => `Sent message ${id}.`,
  }),
];

function placeOf(to: string, topic: string | undefined) {
  if (topic !== undefined) return { type: "channel" as const, to: [to], topic };
  const addresses = to.split(",").map((part) => part.trim());
  if (addresses.every((address) => address.includes("@"))) return { type: "direct" as const, to: addresses };
  return misused("--topic is needed with a message to a channel ('' is the general chat)");
}
