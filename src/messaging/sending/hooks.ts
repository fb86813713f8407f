import { hook } from "@/kernel/store/hooks.ts";
import type { MessageRow } from "@/messaging/message-rows/schema.ts";
import type { Rendered } from "@/text/rendering/render.ts";
import type { ResolvedRecipient } from "./recipients.ts";

export interface SentMessage {
  row: MessageRow;
  recipient: ResolvedRecipient;
  rendered: Rendered;
}

export const sendingHooks = {
  /** A user or bot has sent a message. Not called for notices. */
  sent: hook<SentMessage>(),
};
