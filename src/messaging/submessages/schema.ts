import { z } from "zod";
import { event } from "@/kernel/core/events.ts";
import type { Submessage } from "@/messaging/messages/schema.ts";

const maxCharacters = 10_000;

export const newSubmessage = z.object({
  message_id: z.int(),
  msg_type: z.literal("widget", { error: "The only type of submessage is 'widget'." }),
  /** JSON text. */
  content: z.string().max(maxCharacters, `A submessage has at most ${maxCharacters} characters.`),
});
export type NewSubmessage = z.infer<typeof newSubmessage>;

export const submessageAdded = event("submessage", {
  about: "A change was added to a widget in a message.",
  schema: z.object({
    message_id: z.int(),
    submessage_id: z.int(),
    sender_id: z.int(),
    msg_type: z.string(),
    content: z.string(),
  }),
  shape: ({ id, ...rest }: Submessage) => ({ submessage_id: id, ...rest }),
});
