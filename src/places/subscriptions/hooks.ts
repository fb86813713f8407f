import { hook } from "@/kernel/store/hooks.ts";

/** A user who receives the messages of a channel's conversation. */
export interface Reception {
  conversationId: number;
  userId: number;
}

export const subscriptionHooks = {
  /** From now on, these users receive new messages. */
  started: hook<readonly Reception[]>(),
  /** From now on, these users receive no messages. */
  ended: hook<readonly Reception[]>(),
};
