import { z } from "zod";
import type { Ctx } from "@/kernel/core/context.ts";
import { failInEnglish as fail, isError } from "@/kernel/lib/errors.ts";
import { countTopic } from "@/messaging/bulk-deletion/queries.ts";
import { updateMessage } from "@/messaging/message-edits/actions.ts";
import { getMessageHistory } from "@/messaging/message-history/queries.ts";
import { getMessage } from "@/messaging/message-pages/queries.ts";
import { deleteMessage } from "@/messaging/messages/actions.ts";
import { type Message, snapshot } from "@/messaging/messages/schema.ts";
import { sendMessage } from "@/messaging/sending/actions.ts";
import { addressesOf } from "../accounts.ts";
import { flag, operand, option } from "../args.ts";
import { command, isEmpty } from "../command.ts";
import { confirm, yes } from "../confirm.ts";
import { readInput } from "../input.ts";
import { failUsage } from "../misuse.ts";
import { facts, harmlessLines, table, timeText } from "../output.ts";
import { channelIdOf, countTo, numberOf } from "../values.ts";
import lists from "./message-lists.ts";
import {
  filter,
  formatMessages,
  messagesOf,
  placeText,
  presentMessage,
  raw,
  type ShownMessage as Shown,
  messageShape as shape,
  termsOf,
} from "./message-shapes.ts";

const someone = z.string().trim().min(1, "name a channel, or addresses separated by commas");
const fromInput = "-";

const id = operand("ID", numberOf("a message's number"), "the message's number");
/** Parameters of an edit that changes only the text. */
const inPlace = {
  propagate_mode: "change_one",
  send_notification_to_old_thread: false,
  send_notification_to_new_thread: false,
} as const;

const scopes = { one: "change_one", later: "change_later", all: "change_all" } as const;
type ScopeName = keyof typeof scopes;
const scopeName = z.enum(Object.keys(scopes) as [ScopeName, ...ScopeName[]]);

function messageNow(ctx: Ctx, message_id: number): Shown {
  try {
    return presentMessage(getMessage(ctx, { message_id, ...raw }).message as Message);
  } catch (error) {
    if (isError(error, "BAD_REQUEST"))
      fail("BAD_REQUEST", `There is no message ${message_id}, or you may not read it.`);
    throw error;
  }
}

export default [
  command({
    name: "message send",
    isUnaudited: true,
    summary: "Send a message to a channel or to people",
    examples: [
      "confab message send --to design --topic colours 'Blue it is.'",
      "confab message send --to ada@example.com,gus@example.com 'Lunch at noon?'",
      "df -h | confab message send --to ops --topic disks -",
    ],
    args: {
      to: option("WHERE", someone, "a channel's name; or, without --topic, addresses separated by commas"),
      topic: option("TOPIC", z.string().optional(), "topic within the channel; '' for general chat"),
      content: operand(
        "CONTENT",
        z.string(),
        `the message, in Markdown; ${fromInput} reads it from standard input`,
      ),
    },
    result: shape.pick({ id: true }),
    run: async (ctx, { to, topic, content }) => {
      const place = placeOf(to, topic);
      const text = content === fromInput ? await readInput() : content;
      const { id } = await sendMessage(ctx, { ...place, content: text, read_by_sender: true });
      return { id };
    },
    print: ({ id }) => `Sent message ${id}.`,
  }),

  command({
    name: "message search",
    isUnaudited: true,
    summary: "Find messages that you may read, newest first",
    about:
      "Finds messages by words (all must occur) and by phrases in quotes, in everything the acting user may read.",
    examples: [
      "confab message search invoice",
      `confab message search '"green light"' --channel design --limit 5`,
      "confab message search deploy --from ada@example.com --json",
    ],
    args: {
      words: operand("WORDS", z.string().min(1), "what to look for"),
      ...filter,
      limit: option("N", countTo(5000).default(20), "how many"),
    },
    result: z.array(shape),
    run: async (ctx, { words, channel, topic, from, limit }) => {
      const terms = [{ operator: "search", operand: words }, ...termsOf(ctx, { channel, topic, from })];
      return messagesOf(ctx, terms, { num_before: limit });
    },
    print: formatMessages,
  }),

  ...lists,

  command({
    name: "message show",
    isUnaudited: true,
    summary: "Show a message",
    examples: ["confab message show 42"],
    args: { id },
    result: shape,
    run: (ctx, { id }) => messageNow(ctx, id),
    print: (one) =>
      `${facts([
        ["ID", String(one.id)],
        ["Sent", `${timeText(one.sent_at)} UTC`],
        ["From", one.sender],
        ["Where", placeText(one)],
      ])}\n\n${harmlessLines(one.content)}`,
  }),

  command({
    name: "message history",
    isUnaudited: true,
    summary: "Show the edits and moves of a message",
    examples: ["confab message history 42 --json"],
    args: { id },
    result: z.array(snapshot.extend({ email: z.string().nullable() })),
    run: async (ctx, { id }) => {
      messageNow(ctx, id);
      const versions = await getMessageHistory(ctx, { message_id: id, allow_empty_topic_name: true });
      const addresses = addressesOf(
        ctx,
        versions.flatMap(({ user_id }) => user_id ?? []),
      );
      return versions.map((one) => ({ ...one, email: addresses.get(one.user_id ?? 0) ?? null }));
    },
    print: (versions) =>
      table(
        ["TIME (UTC)", "BY", "TOPIC", "CONTENT"],
        versions.map((one) => [timeText(one.timestamp), one.email ?? "", one.topic, one.content]),
      ),
  }),

  command({
    name: "message edit",
    isUnaudited: true,
    summary: "Change the text of one of your messages",
    examples: ["confab message edit 42 'Blue it is, and green.'"],
    args: { id, content: operand("CONTENT", z.string(), `its new text; ${fromInput} reads standard input`) },
    result: shape,
    run: async (ctx, { id, content }) => {
      const text = content === fromInput ? await readInput() : content;
      messageNow(ctx, id);
      await updateMessage(ctx, { message_id: id, content: text, ...inPlace });
      return messageNow(ctx, id);
    },
    print: ({ id }) => `Changed message ${id}.`,
  }),

  command({
    name: "message move",
    summary: "Move a message, or its topic, to another topic or channel",
    examples: [
      "confab message move 42 --topic lunch",
      "confab message move 42 --channel design --which all --tell --yes",
    ],
    args: {
      id,
      topic: option("TOPIC", z.string().optional(), "its new topic; '' for general chat"),
      channel: option("CHANNEL", z.string().optional(), "its new channel"),
      which: option(
        "WHICH",
        scopeName.default("one"),
        "one: only this message; later: also those after it; all: the whole topic",
      ),
      tell: flag(z.boolean().default(false), "post a notice in both topics"),
      yes,
    },
    result: shape,
    run: async (ctx, { id, topic, channel, which, tell, yes }) => {
      if (isEmpty({ topic, channel })) failUsage("name the destination: --topic or --channel");
      const moved = messageNow(ctx, id);
      if (which !== "one") await confirmMove(ctx, { ...moved, from: which === "later" ? id : 0 }, yes);
      await updateMessage(ctx, {
        message_id: id,
        topic,
        channel_id: channel === undefined ? undefined : channelIdOf(ctx, channel),
        propagate_mode: scopes[which],
        send_notification_to_old_thread: tell,
        send_notification_to_new_thread: tell,
      });
      return messageNow(ctx, id);
    },
    print: (one) => `Message ${one.id} is now in ${placeText(one)}.`,
  }),

  command({
    name: "message delete",
    summary: "Delete a message for everyone",
    examples: ["confab message delete 42 --yes"],
    args: { id, yes },
    result: shape.pick({ id: true }),
    run: async (ctx, { id, yes }) => {
      const { sender } = messageNow(ctx, id);
      const loss = { does: "deletes", count: [1, "message"], of: `of ${sender} for everyone` } as const;
      await confirm({ ...loss, names: [String(id)] }, yes);
      await deleteMessage(ctx, id);
      return { id };
    },
    print: ({ id }) => `Deleted message ${id}.`,
  }),
];

/** Asks before many messages move, which may leave their readers. */
async function confirmMove(
  ctx: Ctx,
  { channel, topic, from }: { channel: string | null; topic: string | null; from: number },
  agreed: boolean,
): Promise<void> {
  // Direct messages cannot be moved, and the move says so.
  if (agreed || channel === null || topic === null) return;
  const moved = { channel_id: channelIdOf(ctx, channel), topic, from };
  const found = await countTopic(ctx, moved);
  if (found < 2) return;
  const count = [found, "message"] as const;
  await confirm(
    { does: "moves", count, of: `of #${channel} > ${topic === "" ? "general chat" : topic}` },
    agreed,
  );
}

function placeOf(to: string, topic: string | undefined) {
  if (topic !== undefined) return { type: "channel" as const, to: [to], topic };
  const addresses = to.split(",").map((part) => part.trim());
  if (addresses.every((address) => address.includes("@"))) return { type: "direct" as const, to: addresses };
  return failUsage("--topic is required for a message to a channel ('' for general chat)");
}
