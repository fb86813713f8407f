import { z } from "zod";
import { event } from "@/kernel/core/events.ts";
import { also } from "@/kernel/http/wire.ts";
import { errorKinds } from "@/kernel/lib/errors.ts";
import type { MessageRow, Movable } from "@/messaging/message-rows/schema.ts";
import { messageId, topicLink } from "@/messaging/messages/schema.ts";
import { type ChannelRow, channelId } from "@/places/channels/schema.ts";
import { differsBySign } from "@/places/topics/resolving.ts";
import { displayTopic } from "@/places/topics/schema.ts";

const propagateMode = z.enum(["change_one", "change_later", "change_all"]);
export type PropagateMode = z.infer<typeof propagateMode>;

export const messagePatch = z.object({
  message_id: messageId,
  topic: also(z.string().optional(), "subject"),
  channel_id: channelId.optional(),
  content: z.string().optional(),
  propagate_mode: propagateMode.default("change_one"),
  send_notification_to_old_thread: z.boolean().default(false),
  send_notification_to_new_thread: z.boolean().default(true),
  prev_content_sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/i, "The hash of a message's content must have 64 hexadecimal digits.")
    .optional(),
});
export type MessagePatch = z.infer<typeof messagePatch>;

/** A change to one message, or to several that moved together. */
export interface MessageUpdated {
  /** Null if only the rendering changed, by the server. */
  user_id: number | null;
  message_id: number;
  /** Ascending. */
  message_ids: number[];
  edit_timestamp: number;
  /** The channel before the change, without its name for users who may not see it. Null for direct messages. */
  place: { stream_id: number; stream_name?: string } | null;
  content: {
    content: string;
    rendered_content: string;
    /** The previous content; absent if only the rendering changed. */
    edited?: { orig_content: string; orig_rendered_content: string; is_me_message: boolean };
  } | null;
  move: {
    propagate_mode: PropagateMode;
    orig_subject: string;
    new_stream_id?: number;
    topic?: { subject: string; topic_links: { text: string; url: string }[] };
  } | null;
  /** Flags on `message_id` of each recipient who listens. */
  flags: Record<number, { flags: readonly string[] }>;
}

export const messageUpdated = event("update_message", {
  about: "Messages were edited or moved, or the server has updated a message's rendering.",
  schema: z.object({
    user_id: z.int().nullable(),
    rendering_only: z.boolean(),
    message_id: messageId,
    message_ids: z.array(messageId),
    flags: z.array(z.string()),
    edit_timestamp: z.int(),
    stream_id: z.int().optional(),
    stream_name: z.string().optional(),
    new_stream_id: z.int().optional(),
    propagate_mode: propagateMode.optional(),
    orig_subject: z.string().optional(),
    subject: z.string().optional(),
    topic_links: z.array(topicLink).optional(),
    orig_content: z.string().optional(),
    orig_rendered_content: z.string().optional(),
    content: z.string().optional(),
    rendered_content: z.string().optional(),
    is_me_message: z.boolean().optional(),
  }),
  variant: ({ capabilities }) => String(capabilities.has("empty_topic_name")),
  shape: ({ flags, place, content, move, ...rest }: MessageUpdated, { capabilities }) => ({
    ...rest,
    rendering_only: rest.user_id === null,
    ...place,
    ...(content && contentFields(content)),
    ...(move && moveFields(move, capabilities.has("empty_topic_name"))),
  }),
  own: ({ flags }, { userId }) => flags[userId] ?? { flags: [] },
});

function contentFields({ edited, ...now }: NonNullable<MessageUpdated["content"]>) {
  return { ...now, ...edited };
}

function moveFields(
  { topic, orig_subject, ...rest }: NonNullable<MessageUpdated["move"]>,
  showsEmpty: boolean,
) {
  return {
    ...rest,
    orig_subject: displayTopic(orig_subject, showsEmpty),
    ...(topic && { ...topic, subject: displayTopic(topic.subject, showsEmpty) }),
  };
}

/** A topic of a channel. */
export interface Thread {
  channel: ChannelRow;
  conversationId: number;
  topic: string;
}

export interface MovePlan {
  mode: PropagateMode;
  from: Thread;
  to: Thread;
  isTopicNew: boolean;
  isChannelNew: boolean;
}

export interface TargetedMove extends MovePlan {
  /** The message given in the request. Others may move with it. */
  target: MessageRow;
}

export interface Move extends MovePlan {
  /** The message whose content the event has. */
  target: MessageRow;
  /** The messages to move in one transaction, ascending by ID. Only those that the actor may read. */
  rows: readonly Movable[];
}

/** What has moved in all portions. */
export interface MovedCount {
  count: number;
  /** The first of them. */
  firstId: number | null;
  /** Whether others wrote any of them. */
  concernsOthers: boolean;
}

/** Whether a move only resolves or unresolves a topic. */
export function isResolution({ from, to, isChannelNew }: MovePlan): boolean {
  return !isChannelNew && differsBySign(from.topic, to.topic);
}

export const moveErrors = errorKinds({
  MOVE_MESSAGES_TIME_LIMIT_EXCEEDED: { status: 400 },
});
