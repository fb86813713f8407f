import { z } from "zod";
import { event } from "@/kernel/events.ts";
import { shownTopic } from "@/places/topics/schema.ts";

/** Flags of a user on a message: `bit` is its bit in `message_flags.bits`; `read` is stored in read marks instead. */
export const messageFlags = {
  read: { bit: 0, editable: true },
  starred: { bit: 1, editable: true },
  collapsed: { bit: 2, editable: true },
  mentioned: { bit: 4, editable: false },
  topic_wildcard_mentioned: { bit: 8, editable: false },
  has_alert_word: { bit: 16, editable: false },
  historical: { bit: 32, editable: false },
  stream_wildcard_mentioned: { bit: 0, editable: false },
  wildcard_mentioned: { bit: 0, editable: false },
} as const;
export type FlagName = keyof typeof messageFlags;

export const flagBits = {
  starred: messageFlags.starred.bit,
  mentioned: messageFlags.mentioned.bit,
  topicWildcard: messageFlags.topic_wildcard_mentioned.bit,
  alertWord: messageFlags.has_alert_word.bit,
  historical: messageFlags.historical.bit,
  /** Told to nobody: unread, though it came as read, from somebody the user has muted or quietly. */
  keptUnread: 64,
} as const;

/** Those that follow from a message's content and its place. */
export const contentFlags = flagBits.mentioned | flagBits.topicWildcard | flagBits.alertWord;

export const flagOp = z.enum(["add", "remove"], { error: "The op is 'add' or 'remove'." });

/** What a client needs of a message to count it as unread again. */
const unreadDetails = z.object({
  type: z.enum(["private", "stream"]),
  mentioned: z.boolean().optional(),
  user_ids: z.array(z.int()).optional(),
  stream_id: z.int().optional(),
  topic: z.string().optional(),
});
export type UnreadDetails = z.infer<typeof unreadDetails>;

interface FlagsChange {
  operation: "add" | "remove";
  flag: string;
  messages: number[];
  all: boolean;
}

const change = { flag: z.string(), messages: z.array(z.int()), all: z.boolean() };

export const flagsAdded = event<FlagsChange>("update_message_flags", {
  about: "A flag was added to messages, by any client of the user.",
  op: "add",
  schema: z.object({ ...change, operation: z.literal("add") }),
});

export const flagsRemoved = event<FlagsChange & { message_details?: Record<number, UnreadDetails> }>(
  "update_message_flags",
  {
    about: "A flag was removed from messages; for `read` with what a client needs to count them as unread.",
    op: "remove",
    schema: z.object({
      ...change,
      operation: z.literal("remove"),
      message_details: z.record(z.string(), unreadDetails).optional(),
    }),
    variant: ({ capabilities }) => String(capabilities.has("empty_topic_name")),
    shape: ({ message_details: details, ...rest }, { capabilities }) => {
      if (!details) return rest;
      const isCapable = capabilities.has("empty_topic_name");
      const shown = Object.entries(details).map(([id, detail]) => {
        return [
          id,
          detail.topic === undefined ? detail : { ...detail, topic: shownTopic(detail.topic, isCapable) },
        ];
      });
      return { ...rest, message_details: Object.fromEntries(shown) };
    },
  },
);
