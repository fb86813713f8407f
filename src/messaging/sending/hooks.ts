import type { Ctx } from "@/kernel/core/context.ts";
import { hook, soleHook } from "@/kernel/store/hooks.ts";
import type { MessageRow } from "@/messaging/message-rows/schema.ts";
import type { Rendered } from "@/text/rendering/render.ts";
import type { Linked } from "@/text/rendering/scope.ts";
import type { ResolvedRecipient } from "./recipients.ts";

export interface SentMessage {
  row: MessageRow;
  recipient: ResolvedRecipient;
  rendered: Rendered;
}

export interface LinkToShow {
  href: string;
  /** It has a text other than its address. */
  hasText: boolean;
}

export const sendingHooks = {
  /** A user or bot has sent a message. Not called for notices. */
  sent: hook<SentMessage>(),
  /** A message has new content. */
  edited: hook<Pick<SentMessage, "row" | "rendered">>(),
  /** Words of messages, given by ID, were replaced, by nobody's edit. */
  reworded: hook<readonly number[]>(),
  /** What is shown for a link to another site; null for nothing. */
  linked: soleHook<LinkToShow, Linked | null, Ctx>("sendingHooks.linked"),
};
