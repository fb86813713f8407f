import { z } from "zod";
import { event } from "@/kernel/events.ts";

export const scheduledMessageId = z.int();

/** A channel's ID, or those of people; a single one may come without its list. */
export const recipients = z
  .union([z.int(), z.array(z.int()).max(1000)], {
    error: "Recipients are a channel's ID, or a list of at most 1000 user IDs.",
  })
  .transform((to) => (typeof to === "number" ? [to] : to));

export const deliveryTime = z.int();

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
  /** Every registering client gets all of them, so there is an end to them. */
  most: 1000,
  /** Of all of them together, as they were written and as they are shown. */
  mostBytes: 16_000_000,
  /** A message that could not go out in time for longer than this may not be wanted any more. */
  cutoffSeconds: 600,
} as const;

export const messagesScheduled = event<{ scheduled_messages: ScheduledMessage[] }>("scheduled_messages", {
  about: "A message was scheduled.",
  op: "add",
  schema: z.object({ scheduled_messages: z.array(scheduledMessage) }),
});

export const scheduledMessageUpdated = event<{ scheduled_message: ScheduledMessage }>("scheduled_messages", {
  about: "A scheduled message was changed, or its delivery failed.",
  op: "update",
  schema: z.object({ scheduled_message: scheduledMessage }),
});

/** It was taken back, or delivered. */
export const scheduledMessageRemoved = event<{ scheduled_message_id: number }>("scheduled_messages", {
  about: "A scheduled message was deleted or sent.",
  op: "remove",
  schema: z.object({ scheduled_message_id: scheduledMessageId }),
});
