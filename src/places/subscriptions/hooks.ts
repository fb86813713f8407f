import { hook } from "@/kernel/hooks.ts";

/** Somebody's share in what is sent to a channel's conversation. */
export interface Reception {
  conversationId: number;
  userId: number;
}

export const subscriptionHooks = {
  /** From here on the user receives what is sent. */
  started: hook<Reception>(),
  /** From here on the user receives nothing. */
  ended: hook<Reception>(),
};
