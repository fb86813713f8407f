import type { Ctx } from "@/kernel/core/context.ts";
import { hook } from "@/kernel/store/hooks.ts";
import type { MailSubscription } from "./access.ts";

export interface MailedMessages {
  userId: number;
  messageIds: readonly number[];
}

export const mailHooks = {
  /** A person has unsubscribed from one kind of mail. */
  unsubscribed: hook<MailSubscription>(),
  /** Whether a mail may tell a person these messages, asked just before it is sent. */
  mayBeMailed: hook<MailedMessages, boolean, Ctx>(),
};
