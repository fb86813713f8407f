import { hook } from "@/kernel/store/hooks.ts";
import type { Rendered } from "@/text/rendering/render.ts";
import type { Recipient } from "./recipients.ts";
import type { MessageRow } from "./rows.ts";

export interface SentMessage {
  row: MessageRow;
  recipient: Recipient;
  rendered: Rendered;
}

export const messageHooks = {
  /** A user or bot has sent a message. Not called for notices. */
  sent: hook<SentMessage>(),
  /** Messages, given by ID, are about to be deleted. Handlers delete what they store about them. */
  removed: hook<readonly number[]>(),
  /** A message, given by ID, has new content. */
  contentChanged: hook<number>(),
};
