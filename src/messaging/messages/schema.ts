import { z } from "zod";
import { wireReactionType } from "@/foundation/emoji/schema.ts";
import { limits } from "@/foundation/realm/schema.ts";
import { shorten } from "@/foundation/realm/texts.ts";
import { event, type Traits } from "@/kernel/core/events.ts";
import { looseJson } from "@/kernel/http/wire.ts";
import { errorKinds, fail } from "@/kernel/lib/errors.ts";
import { displayTopic } from "@/places/topics/schema.ts";

export const messageErrors = errorKinds({
  STREAM_WILDCARD_MENTION_NOT_ALLOWED: { status: 400 },
  TOPIC_WILDCARD_MENTION_NOT_ALLOWED: { status: 400 },
});

export const messageId = z.int();

/** The kind of recipient. Accepts the old names. */
export const messageType = z
  .enum(["direct", "channel", "stream", "private"])
  .transform((type) => (type === "stream" || type === "channel" ? "channel" : "direct"));

/** Recipients in every form that clients send: plain or JSON, single or a list. */
export const addressees = z.string().transform((text, refusal): (string | number)[] => {
  const value = looseJson(text);
  const list = Array.isArray(value) ? value : [typeof value === "string" || isId(value) ? value : text];
  if (list.every((name) => typeof name === "string" || isId(name))) return list;
  refusal.addIssue({ code: "custom", message: "Recipients are IDs or names: numbers or strings." });
  return z.NEVER;
});

const isId = (value: unknown): value is number => Number.isInteger(value);

/** The content as it is stored: without trailing white space, truncated to the maximum length. */
export function toStoredContent(given: string): string {
  const content = given.replaceAll("\r\n", "\n").trimEnd();
  return shorten(content, limits.max_message_length, "\n[message truncated]");
}

/** Added to time limits for editing and deleting, for users who start before the limit. */
export const graceSeconds = 20;

export const topicLink = z.object({ text: z.string(), url: z.string() });

/** An entry of a message's `edit_history`. */
const pastChange = z.object({
  user_id: z.int(),
  timestamp: z.int(),
  prev_content: z.string().optional(),
  prev_rendered_content: z.string().optional(),
  prev_topic: z.string().optional(),
  topic: z.string().optional(),
  prev_stream: z.int().optional(),
  stream: z.int().optional(),
});
export type PastChange = z.infer<typeof pastChange>;

/** A version of a message: the original, or the state after a change. */
export const snapshot = z.object({
  ...pastChange.shape,
  topic: z.string(),
  content: z.string(),
  rendered_content: z.string(),
  content_html_diff: z.string().optional(),
});
export type Snapshot = z.infer<typeof snapshot>;

const recipient = z.object({
  id: z.int(),
  email: z.string(),
  full_name: z.string(),
  is_mirror_dummy: z.boolean(),
});
export type Recipient = z.infer<typeof recipient>;

export const reactor = z.object({ user_id: z.int(), email: z.string(), full_name: z.string() });

/** A reaction as part of its message. */
export const reaction = z.object({
  emoji_name: z.string(),
  emoji_code: z.string(),
  reaction_type: wireReactionType,
  user_id: z.int(),
  /** Only for clients that expect old fields. */
  user: reactor.optional(),
});
export type WireReaction = z.infer<typeof reaction>;

/** A submessage as part of its message; `content` is JSON text. */
export const submessage = z.object({
  id: z.int(),
  message_id: z.int(),
  sender_id: z.int(),
  msg_type: z.string(),
  content: z.string(),
});
export type Submessage = z.infer<typeof submessage>;

/** A message's content and topic as HTML, with the found words highlighted. */
export const match = z.object({ match_content: z.string(), match_subject: z.string() });
export type Match = z.infer<typeof match>;

export const message = z.object({
  id: messageId,
  sender_id: z.int(),
  sender_email: z.string(),
  sender_full_name: z.string(),
  sender_realm_str: z.string(),
  client: z.string(),
  timestamp: z.int(),
  avatar_url: z.string().nullable(),
  type: z.enum(["stream", "private"]),
  stream_id: z.int().optional(),
  display_recipient: z.union([z.string(), z.array(recipient)]),
  recipient_id: z.int(),
  subject: z.string(),
  topic_links: z.array(topicLink),
  content: z.string(),
  content_type: z.enum(["text/html", "text/x-markdown"]),
  is_me_message: z.boolean(),
  reactions: z.array(reaction),
  submessages: z.array(submessage),
  flags: z.array(z.string()).optional(),
  ...match.partial().shape,
  last_edit_timestamp: z.int().optional(),
  last_moved_timestamp: z.int().optional(),
  /** Newest first. */
  edit_history: z.array(pastChange).optional(),
});
export type Message = z.infer<typeof message>;

export interface MessageSent {
  /** Rendered, with the sender's avatar, and the empty topic as such. */
  message: Message;
  raw_content: string;
  /** The avatar derives from the sender's email address, so clients that ask for it can compute it themselves. */
  has_derived_avatar: boolean;
  /** `shared` are the flags of everyone who received it, `flags` those of single users. */
  shared: { flags: string[] };
  flags: Record<number, string[]>;
  /** Users whose read state differs from the shared `read`. */
  unreadBy: number[];
  /** The users who received it: only they see the shared flags; null if there are no shared flags. */
  receivers: number[] | null;
  /** The queue that sent the message, which gets its `local_id` back. */
  echo: { queue_id: string; local_id: string } | null;
}

/** A user's flags on a new message. Users who get the event without receiving the message share none. */
export function flagsFor({ flags, shared, ...sent }: MessageSent, queue: Traits): string[] {
  const particular = flags[queue.userId] ?? [];
  if (!hasReceived(sent, queue)) return particular;
  const isUnread = sent.unreadBy.includes(queue.userId);
  return [...new Set([...particular, ...shared.flags.filter((flag) => flag !== "read" || !isUnread)])];
}

/** Whether the user received the message. Others get it through a wider feed or as the sender's echo. */
function hasReceived(
  { receivers, message }: Pick<MessageSent, "receivers" | "message">,
  { userId, taps }: Traits,
): boolean {
  const mayBeElse = taps.size > 0 || userId === message.sender_id;
  return receivers === null || !mayBeElse || receivers.includes(userId);
}

const asks = (queue: Traits, option: string) => queue.options[option] === true;

export const messageSent = event("message", {
  about: "A message was sent. Only the queue that sent it gets `local_message_id`.",
  schema: z.object({
    message,
    flags: z.array(z.string()),
    local_id: z.string().optional(),
    local_message_id: z.string().optional(),
  }),
  variant: (queue) =>
    [
      asks(queue, "apply_markdown"),
      asks(queue, "client_gravatar"),
      queue.capabilities.has("empty_topic_name"),
    ].join(),
  shape: (sent: MessageSent, queue) => ({
    message: {
      ...sent.message,
      ...(asks(queue, "apply_markdown")
        ? {}
        : { content: sent.raw_content, content_type: "text/x-markdown" as const }),
      ...(asks(queue, "client_gravatar") && sent.has_derived_avatar ? { avatar_url: null } : {}),
      subject:
        sent.message.type === "stream"
          ? displayTopic(sent.message.subject, queue.capabilities.has("empty_topic_name"))
          : sent.message.subject,
    },
  }),
  own: (sent, queue, queueId) => {
    const isOwn = sent.echo?.queue_id === queueId && queue.userId === sent.message.sender_id;
    const isParticular = sent.flags[queue.userId] !== undefined || sent.unreadBy.includes(queue.userId);
    if (!isOwn && !isParticular && hasReceived(sent, queue)) return sent.shared;
    const flags = flagsFor(sent, queue);
    if (!sent.echo || !isOwn) return { flags };
    return { flags, local_message_id: sent.echo.local_id, local_id: sent.echo.local_id };
  },
  accepts: (sent, queue) => {
    const narrow = queue.options.narrow as ((sent: MessageSent, queue: Traits) => boolean) | undefined;
    return narrow === undefined || narrow(sent, queue);
  },
});

export interface MessagesDeleted {
  ids: readonly number[];
  /** Where they were; null for direct messages. */
  place: { stream_id: number; topic: string } | null;
  /** All at once, or a single one for clients without `bulk_message_deletion`. */
  form: "bulk" | "single";
}

const isFormFor = ({ form }: Pick<MessagesDeleted, "form">, { capabilities }: Traits) =>
  capabilities.has("bulk_message_deletion") === (form === "bulk");

export const messagesDeleted = event("delete_message", {
  about: "Messages were deleted, or the user can no longer read them.",
  schema: z.object({
    message_ids: z.array(messageId).optional(),
    message_id: messageId.optional(),
    message_type: z.enum(["private", "stream"]),
    stream_id: z.int().optional(),
    topic: z.string().optional(),
  }),
  variant: ({ capabilities }) =>
    [capabilities.has("bulk_message_deletion"), capabilities.has("empty_topic_name")].join(),
  shape: ({ ids, place, form }: MessagesDeleted, queue) => {
    if (!isFormFor({ form }, queue)) return null;
    const topic = place && displayTopic(place.topic, queue.capabilities.has("empty_topic_name"));
    return {
      ...(form === "bulk" ? { message_ids: ids } : { message_id: ids[0] }),
      message_type: place ? ("stream" as const) : ("private" as const),
      ...(place && topic !== null ? { ...place, topic } : {}),
    };
  },
  accepts: isFormFor,
});

/** Content that a user typed, as it is stored; it may be empty. */
export function checkTyped(given: string): string {
  if (given.includes("\0")) fail("BAD_REQUEST", "Message must not contain null bytes");
  return toStoredContent(given);
}

/** As `checkTyped`. Throws if the content is empty. */
export function checkContent(given: string): string {
  const content = checkTyped(given);
  return content === "" ? fail("BAD_REQUEST", "Message must not be empty") : content;
}
