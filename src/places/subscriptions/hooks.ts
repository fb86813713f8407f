import { hook } from "@/kernel/hooks.ts";

/** A user who receives the messages of a channel's conversation. */
export interface Reception {
  conversationId: number;
  userId: number;
}

export const subscriptionHooks = {
  /** From here on these users receive what is sent. */
  started: hook<readonly Reception[]>(),
  /** From here on these users receive nothing. */
  ended: hook<readonly Reception[]>(),
};
