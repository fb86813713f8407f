import { z } from "zod";
import { event } from "@/kernel/core/events.ts";
import { type Addressed, isAddressed, knowsArchived } from "@/places/channels/schema.ts";
import { displayTopic } from "@/places/topics/schema.ts";

export const flagOp = z.enum(["add", "remove"], { error: "The op is 'add' or 'remove'." });

/** What clients need to count a message as unread again. */
const unreadDetails = z.object({
  type: z.enum(["private", "stream"]),
  mentioned: z.boolean().optional(),
  user_ids: z.array(z.int()).optional(),
  stream_id: z.int().optional(),
  topic: z.string().optional(),
});
export type UnreadDetails = z.infer<typeof unreadDetails>;

interface FlagsRemoved extends Addressed {
  operation: "remove";
  flag: string;
  messages: readonly number[];
  all: boolean;
  message_details?: Record<number, UnreadDetails>;
}

const change = { flag: z.string(), messages: z.array(z.int()), all: z.boolean() };

export const flagsAdded = event("update_message_flags", {
  about: "A flag was added to messages by one of the user's clients or by the server.",
  op: "add",
  schema: z.object({ ...change, operation: z.literal("add") }),
});

export const flagsRemoved = event("update_message_flags", {
  about:
    "A flag was removed from messages, or the user may no longer read messages that they starred. For `read`, carries what clients need to count them as unread.",
  op: "remove",
  schema: z.object({
    ...change,
    operation: z.literal("remove"),
    message_details: z.record(z.string(), unreadDetails).optional(),
  }),
  variant: (queue) => `${queue.capabilities.has("empty_topic_name")},${knowsArchived(queue)}`,
  shape: ({ message_details: details, only, ...rest }: FlagsRemoved, queue) => {
    if (!isAddressed({ only }, queue)) return null;
    if (!details) return rest;
    const isCapable = queue.capabilities.has("empty_topic_name");
    const shown = Object.entries(details).map(([id, detail]) => {
      return [
        id,
        detail.topic === undefined ? detail : { ...detail, topic: displayTopic(detail.topic, isCapable) },
      ];
    });
    return { ...rest, message_details: Object.fromEntries(shown) };
  },
});
