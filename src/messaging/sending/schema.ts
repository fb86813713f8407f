import { z } from "zod";
import { also, bare } from "@/kernel/http/wire.ts";
import { errorKinds } from "@/kernel/lib/errors.ts";
import { addressees, messageType } from "@/messaging/messages/schema.ts";

/** A message as clients send it. The local echo needs both `queue_id` and `local_id`. */
export const newMessage = z.object({
  type: messageType,
  /** A channel's name or ID, or the IDs or email addresses of users. An empty list means the sender. */
  to: bare(addressees),
  content: z.string(),
  topic: also(z.string().optional(), "subject"),
  queue_id: z.string().optional(),
  local_id: z.string().optional(),
  /** If absent, depends on the client's name. */
  read_by_sender: z.boolean().optional(),
});
export type NewMessage = z.infer<typeof newMessage>;

const keyPattern = /^[!-~]{1,255}$/;

/** By which a sender may repeat a send: any visible ASCII characters. */
export const idempotencyKey = z.string().min(1).max(255).regex(keyPattern);

/** As the schema, at a tenth of the time. */
export const isIdempotencyKey = (text: string) => keyPattern.test(text);

/** Seconds in which a repetition gets the first answer. */
export const idempotencyKeyLife = 86_400;

export const sendingErrors = errorKinds({
  IDEMPOTENCY_KEY_REUSED: { status: 422 },
});
