import type { Ctx } from "@/kernel/core/context.ts";
import { hook } from "@/kernel/store/hooks.ts";
import type { Subscription } from "./access.ts";

export interface Told {
  userId: number;
  messageIds: readonly number[];
}

export const mailHooks = {
  /** A person has unsubscribed from one kind of mail. */
  unsubscribed: hook<Subscription>(),
  /** Whether a mail may tell a person these messages, asked just before it is sent. */
  mayBeTold: hook<Told, boolean, Ctx>(),
};
