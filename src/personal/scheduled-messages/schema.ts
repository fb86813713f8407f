import { z } from "zod";
import { event } from "@/kernel/core/events.ts";
import { also } from "@/kernel/http/wire.ts";
import { messageType } from "@/messaging/messages/schema.ts";

export const scheduledMessageId = z.int();

/** A channel ID or a list of user IDs; a single ID may come without the list. */
const recipients = z
  .union([z.int(), z.array(z.int()).max(1000)], {
    error: "Recipients must be a channel ID, or a list of at most 1000 user IDs.",
  })
  .transform((to) => (typeof to === "number" ? [to] : to));

const deliveryTime = z.int();

const letter = z.object({
  type: messageType,
  to: recipients,
  content: z.string(),
  topic: also(z.string().optional(), "subject"),
});
/** The content and the recipients of a scheduled message. */
export type MessageDraft = z.infer<typeof letter>;

export const newScheduledMessage = z.object({
  ...letter.shape,
  scheduled_delivery_timestamp: deliveryTime,
  /** If absent, the client's name decides, as for messages sent at once. */
  read_by_sender: z.boolean().optional(),
});
export type NewScheduledMessage = z.infer<typeof newScheduledMessage>;

export const scheduledMessagePatch = z.object({
  scheduled_message_id: scheduledMessageId,
  ...letter.partial().shape,
  scheduled_delivery_timestamp: deliveryTime.optional(),
});
export type ScheduledMessagePatch = z.infer<typeof scheduledMessagePatch>;

/** A message that waits for its time. */
export const scheduledMessage = z.object({
  scheduled_message_id: scheduledMessageId,
  type: z.enum(["stream", "private"]),
  to: z.union([z.int(), z.array(z.int())]),
  topic: z.string().optional(),
  content: z.string(),
  rendered_content: z.string(),
  scheduled_delivery_timestamp: deliveryTime,
  failed: z.boolean(),
});
export type ScheduledMessage = z.infer<typeof scheduledMessage>;

export const scheduling = {
  /** Limited because every client that registers receives all of them. */
  max: 1000,
  /** The total size of a user's messages, as Markdown and as HTML. */
  maxBytes: 16_000_000,
  /** A message that is late by more than this may no longer be wanted. */
  cutoffSeconds: 600,
} as const;

export const messagesScheduled = event("scheduled_messages", {
  about: "A message was scheduled.",
  op: "add",
  schema: z.object({ scheduled_messages: z.array(scheduledMessage) }),
});

export const scheduledMessageUpdated = event("scheduled_messages", {
  about: "A scheduled message was changed, or its delivery failed.",
  op: "update",
  schema: z.object({ scheduled_message: scheduledMessage }),
});

export const scheduledMessageRemoved = event("scheduled_messages", {
  about: "A scheduled message was deleted or sent.",
  op: "remove",
  schema: z.object({ scheduled_message_id: scheduledMessageId }),
});
