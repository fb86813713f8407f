// Messages as commands choose and print them.
import { z } from "zod";
import type { Ctx } from "@/kernel/core/context.ts";
import { getMessages } from "@/messaging/message-pages/queries.ts";
import type { Message } from "@/messaging/messages/schema.ts";
import { option } from "../args.ts";
import { table, timeText } from "../output.ts";
import { channelIdOf, userIds } from "../values.ts";

export const raw = { apply_markdown: false, allow_empty_topic_name: true };

export const messageShape = z.object({
  id: z.int(),
  sent_at: z.int(),
  sender: z.string(),
  channel: z.string().nullable(),
  topic: z.string().nullable(),
  with: z.array(z.string()).nullable(),
  content: z.string(),
});
export type ShownMessage = z.infer<typeof messageShape>;

/** What is shown of a message; `display_recipient` is its channel's name, or the people of a direct message. */
type Showable = Pick<Message, "id" | "timestamp" | "sender_email" | "subject" | "content"> & {
  display_recipient: string | readonly { email: string }[];
};

export function presentMessage(message: Showable): ShownMessage {
  const { display_recipient: to } = message;
  return {
    id: message.id,
    sent_at: message.timestamp,
    sender: message.sender_email,
    channel: typeof to === "string" ? to : null,
    topic: typeof to === "string" ? message.subject : null,
    with: typeof to === "string" ? null : to.map(({ email }) => email),
    content: message.content,
  };
}

export function placeText({ channel, topic, with: people }: ShownMessage): string {
  if (channel === null) return (people ?? []).join(", ");
  return `#${channel} > ${topic === "" ? "general chat" : topic}`;
}

/** The options that choose among messages. */
export const filter = {
  channel: option("CHANNEL", z.string().optional(), "only in this channel"),
  topic: option("TOPIC", z.string().optional(), "only in this topic"),
  from: option("EMAIL", z.string().optional(), "only from this user"),
};

interface Filter {
  channel: string | undefined;
  topic: string | undefined;
  from: string | undefined;
}

interface Term {
  operator: string;
  operand: string | number;
}

export function termsOf(ctx: Ctx, { channel, topic, from }: Filter): Term[] {
  return [
    ...(channel === undefined ? [] : [{ operator: "channel", operand: channelIdOf(ctx, channel) }]),
    ...(topic === undefined ? [] : [{ operator: "topic", operand: topic }]),
    ...(from === undefined ? [] : [{ operator: "sender", operand: userIds(ctx, [from])[0] ?? 0 }]),
  ];
}

interface Page {
  /** The page starts right after this message, or ends right before it; by default, it ends with the newest message. */
  anchor?: number | undefined;
  num_before?: number;
  num_after?: number;
}

/** The messages that a narrow selects, newest first. */
export async function messagesOf(ctx: Ctx, terms: readonly Term[], page: Page): Promise<ShownMessage[]> {
  const { anchor, num_before = 0, num_after = 0 } = page;
  const { messages } = await getMessages(ctx, {
    anchor: String(anchor ?? "newest"),
    include_anchor: anchor === undefined,
    num_before,
    num_after,
    use_first_unread_anchor: false,
    client_gravatar: false,
    narrow: terms.map((term) => ({ ...term, negated: false })),
    ...raw,
  });
  return messages.map(presentMessage).reverse();
}

export function formatMessages(messages: readonly ShownMessage[]): string {
  return table(
    ["ID", "TIME (UTC)", "FROM", "WHERE", "MESSAGE"],
    messages.map((one) => [String(one.id), timeText(one.sent_at), one.sender, placeText(one), one.content]),
  );
}
